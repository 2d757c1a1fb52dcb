"""Write packaging/corefeval.1, the page that `man corefeval` shows, from the commands: python docs/make_man.py"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

import click

from corefeval import __version__
from corefeval.cli.main import COMMANDS, cli

CONTEXT = click.Context(cli, info_name="corefeval", **cli.context_settings)
PAGE = Path(__file__).parents[1] / "packaging" / "corefeval.1"

DESCRIPTION = """corefeval scores coreference resolution: how well a response groups mentions into entities, judged
against a key. A file or directory may be in any of the formats that
.B corefeval formats
lists; a hyphen is standard input."""

EXIT_CODES = {
    0: "Done.",
    1: "A threshold was missed (--fail-under, --fail-if-worse), or validate found a fault.",
    2: "Wrong usage.",
    65: "Bad data; each fault is named with its file and line.",
    66: "There is no such file.",
    70: "A fault of corefeval.",
    74: "The output cannot be written.",
    130: "Interrupted.",
}
VARIABLES = {"NO_COLOR": "Print without colours."}
EXAMPLES = {
    "Score two responses:": "corefeval score key.conll a.conll b.conll",
    "Two sides typed by hand:": "corefeval score 'a b c | d e' 'a b | c d e'",
    "Is B better than A?": "corefeval compare key.conll a.conll b.conll",
    "A page with scores and errors:": "corefeval report key.conll a.conll -o report.html",
}


def escape(text: str) -> str:
    """Return a text as man pages need it: hyphens that can be copied, no line that looks like a request."""
    plain = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join(f"\\&{line}" if line[:1] in {".", "'"} else line for line in plain.split("\n"))


def write_list(items: dict[str, str]) -> Iterator[str]:
    """Yield the lines of a list of terms, in bold, and what they mean."""
    for term, meaning in items.items():
        yield f'.TP\n.B "{escape(term)}"\n{escape(meaning)}'


def write_options(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield the lines of a command's options."""
    options = (each for each in command.get_params(context) if isinstance(each, click.Option))
    records = (option.get_help_record(context) for option in options)
    yield from write_list({record[0]: " ".join(record[1].split()) for record in records if record})


def write_help(text: str) -> Iterator[str]:
    """Yield the lines of a command's help: paragraphs, those behind Click's mark line by line as they are."""
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        if paragraph.startswith("\b"):
            yield f".PP\n.nf\n{escape(paragraph[1:].strip())}\n.fi"
        else:
            yield f".PP\n{escape(paragraph)}"


def write_command(name: str) -> Iterator[str]:
    """Yield the lines of a command: how it is called, what it does, its options."""
    command = cli.get_command(CONTEXT, name)
    context = click.Context(command, info_name=name, parent=CONTEXT)
    yield f'.SS "corefeval {escape(name)} {escape(" ".join(command.collect_usage_pieces(context)))}"'
    yield from write_help(command.help or "")
    yield from write_options(command, context)


def made() -> str:
    """Return the text of the page."""
    lines = [
        '.\\" Made by docs/make_man.py from the commands: change it there.',
        f'.TH COREFEVAL 1 "" "corefeval {__version__}" "User Commands"',
        f".SH NAME\ncorefeval \\- {escape((cli.help or '').rstrip('.').lower())}",
        ".SH SYNOPSIS\n.B corefeval\n[OPTIONS] COMMAND [ARGS]...",
        f".SH DESCRIPTION\n{DESCRIPTION}",
        ".SH OPTIONS",
        *write_options(cli, CONTEXT),
        ".SH COMMANDS",
        *(line for name in COMMANDS for line in write_command(name)),
        ".SH EXIT STATUS",
        *write_list({str(code): meaning for code, meaning in EXIT_CODES.items()}),
        ".SH ENVIRONMENT",
        *write_list(VARIABLES),
        ".SH EXAMPLES",
        *(f".PP\n{escape(what)}\n.PP\n.RS 4\n.EX\n{escape(call)}\n.EE\n.RE" for what, call in EXAMPLES.items()),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(made(), encoding="utf-8")
