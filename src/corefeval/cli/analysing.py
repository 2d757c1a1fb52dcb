"""What the commands that look into errors have in common: their options, and one way to be read and told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from corefeval.cli import shared
from corefeval.cli.choices import decisions
from corefeval.cli.files import of_files, read_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from corefeval.corpus.corpus import Corpus
    from corefeval.show.text import Style
    from corefeval.show.titled import Table

    Command = Callable[..., Any]

_OF_ERRORS = (
    shared.measures,
    click.option(
        "--examples",
        type=click.IntRange(min=0),
        default=3,
        show_default=True,
        help="How many errors of each type are shown.",
    ),
    click.option("--all", "everything", is_flag=True, help="Show every error."),
)


def written_from_files(command: Command) -> Command:
    """Add the options: outputs, what decides a score, formats, and how much is told."""
    return shared.outputs("json", "csv", "markdown", "latex")(decisions(shared.strict(of_files(command))))


def of_errors(command: Command) -> Command:
    """The same, and those of commands that list errors: measures, and how many errors are shown."""
    command = written_from_files(command)
    for option in reversed(_OF_ERRORS):
        command = option(command)
    return command


def corpora(key: str, responses: tuple[str, ...], given: dict[str, Any]) -> list[Corpus]:
    """Read the key and the responses; what is left of the options decides scores."""
    format_, ours, theirs = (given.pop(name) for name in ("format_", "key_format", "response_format"))
    return read_all(
        [(key, ours or format_), *((response, theirs or format_) for response in responses)],
        verbose=given.pop("verbose"),
    )


def echo(output: str | None, text: Callable[[Style], str], **others: Callable[[], str]) -> None:
    """Print the output that was asked for; text, if none was."""
    from corefeval.show import terminal  # noqa: PLC0415 - --help loads no reports

    click.echo(text(terminal.style()) if output is None else others[output]())


def as_tables(tables: Callable[[], Iterable[Table]], signature: str) -> dict[str, Callable[[], str]]:
    """Markdown and LaTeX of what consists of tables."""
    from corefeval.show import titled  # noqa: PLC0415 - --help loads no reports

    return {
        "markdown": lambda: titled.as_markdown(tables(), signature),
        "latex": lambda: titled.as_latex(tables(), signature),
    }
