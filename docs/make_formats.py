"""Write formats.md, and a page for each format, from what they say of themselves: python docs/make_formats.py"""

from __future__ import annotations

import contextlib
import inspect
import tempfile
from pathlib import Path

from click.testing import CliRunner

from corefeval.cli.main import cli
from corefeval.formats import registry
from corefeval.formats.base import EVERYTHING, Capacity, Format

DOCS = Path(__file__).parent
KEY, RESPONSE = "examples/key.conll", "examples/response-b.conll"
READ = {
    "gap": "corefeval score examples/gap.tsv examples/gap-response.tsv -m gap",
    "pairs": "corefeval score examples/linkage/labels.csv examples/linkage/edges.csv "
    "--response-format pairs:threshold=0.7 -m pairwise",
    "typed": "corefeval score 'a b c | d e' 'a b | c d e'",
}
"""Commands on files that the project has, or on none, for formats that are only read."""

HEAD = """# Formats

<!-- Made by make_formats.py from src/corefeval/formats: change it there. -->

A file's format is recognised by its content, and where that leaves several possible, by its name; `-v` says how.
`--format NAME` (or `--key-format`, `--response-format`; `format=` in Python) tells it otherwise. Options of a format
follow a colon: `--format table:mention=record_id,entity=cluster_id`. One file can hold many documents; a directory is
read with all files below it, and so is a `.zip`; gzip is seen by itself; `-` is standard input. `corefeval convert`
goes from any of them to any that is written.

| | | written: unit | gaps | zeros | heads | minimum spans | attributes | relations |
|---|---|---|---|---|---|---|---|---|
"""


def made() -> str:
    """The index of formats."""
    formats = [(name, registry.load_format(name)) for name in registry.BUILT_IN]
    return HEAD + "".join(
        f"| [`{name}`](formats/{name}.md) | {each.TITLE} | {_list_capacity(each.CAPACITY)} |\n"
        for name, each in formats
    )


def make_pages() -> dict[str, str]:
    """The pages, by the names of the formats."""
    return {name: _write_page(name, registry.load_format(name)) for name in registry.BUILT_IN}


def _write_page(name: str, format_: Format) -> str:
    return "\n".join(
        [
            f"# {name}\n",
            "<!-- Made by make_formats.py from src/corefeval/formats: change it there. -->\n",
            f"{inspect.cleandoc(format_.__doc__ or '')}\n",
            f"## At a glance\n\n| | |\n|---|---|\n{_write_facts(name, format_)}",
            _write_capacity(format_.CAPACITY),
            _write_commands(name, format_),
        ]
    )


def _write_facts(name: str, format_: Format) -> str:
    options = [
        f"`{option}`" + (f" (by default `{each.default}`)" if each.default else "")
        for option, each in list(inspect.signature(format_.read).parameters.items())[1:]
    ]
    seen = registry.explain_recognition(name, format_.EXAMPLE.encode())
    by_name = registry.tells_by_name(format_) and format_.SUFFIXES
    facts = {
        "direction": "read only" if format_.CAPACITY is None else "read and written",
        "names of files end in": ", ".join(f"`{suffix}`" for suffix in format_.SUFFIXES) or "–",
        "files beside them": ", ".join(f"`{suffix}`" for suffix in format_.COMPANIONS),
        "recognised by": "; ".join([f"content: {_escape(seen)}"] * bool(seen) + ["the file's name"] * bool(by_name))
        or "how it is given, never by a file",
        "said outright": f"`--format {name}`",
        "options": ", ".join(options),
        "files larger than memory": "read [in parts](../large-corpora.md)" if hasattr(format_, "find_layout") else "",
        "several annotators": "each can be [read by itself](../agreement.md)" * hasattr(format_, "list_annotators"),
        "changed words": "expected, for models write it: [other words](../other-words.md)"
        * hasattr(format_, "GENERATED"),
    }
    return "".join(f"| {fact} | {text} |\n" for fact, text in facts.items() if text)


def _escape(text: str) -> str:
    return f"`{text}`".replace("|", "\\|")


def _write_capacity(capacity: Capacity | None) -> str:
    """Return what the format can hold when it is written, and what is lost."""
    if capacity is None:
        return "It cannot be written: `corefeval convert` reads it and writes another one.\n"
    kept = {
        "the words or the text": capacity.words,
        "sentences": capacity.sentences,
        "names of entities": capacity.names,
        "documents without mentions": capacity.empty,
        "mentions with gaps": capacity.discontinuous != "none",
        "mentions that cross": capacity.crossing != "none",
        "zeros": capacity.zeros,
        "heads": capacity.heads,
        "minimum spans": capacity.minimums,
        f"attributes of mentions ({_list_names(capacity.attributes)})": bool(_list_names(capacity.attributes)),
        f"attributes of entities ({_list_names(capacity.entity_attributes)})": bool(
            _list_names(capacity.entity_attributes)
        ),
        f"relations ({_list_names(capacity.relations)})": bool(_list_names(capacity.relations)),
        f"further layers ({_list_names(capacity.layers)})": bool(_list_names(capacity.layers)),
    }
    holds = ", ".join(what for what, possible in kept.items() if possible)
    lost = ", ".join(what.partition(" (")[0] for what, possible in kept.items() if not possible)
    limits = {
        "apart": "gaps only where parts of an entity's mentions do not interleave",
        "blanks": "gaps of more than blanks",
        "head": "of a mention with gaps, the part with its head, or else the first one",
    }.get(capacity.discontinuous, "")
    crossing = "only mentions of different entities may cross" if capacity.crossing == "other" else ""
    notes = "; ".join(filter(None, (limits, crossing)))
    return (
        f"When it is written, mentions are counted in {'s, or in '.join(capacity.units)}s. It holds {holds}"
        + (f"; {notes}" if notes else "")
        + f". A notice says what is lost of the rest: {lost or 'nothing'}.\n"
    )


def _write_commands(name: str, format_: Format) -> str:
    """Return commands that a test runs, with what they write; a marker where the project has no file to run them on."""
    if format_.CAPACITY is None:
        if name in READ:
            return f"## On the command line\n\n```sh\n{READ[name]}\n```\n"
        suffix = format_.SUFFIXES[0]
        return (
            "## On the command line\n\n<!-- not run: the project has no file in this format -->\n```sh\n"
            f"corefeval score key{suffix} response{suffix} --format {name}\n"
            f"corefeval convert key{suffix} key.jsonlines --from {name}\n```\n"
        )
    suffix = "" if format_.COMPANIONS else format_.SUFFIXES[0]  # several files go into a folder
    key, response = (f"{side}-{name}{suffix}" for side in ("key", "response"))
    commands = [
        f"convert {KEY} {key} --to {name}",
        f"convert {RESPONSE} {response} --to {name}",
        f"score {key} {response} -m muc -q",
    ]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "examples").symlink_to(DOCS.parent / "examples")
        with contextlib.chdir(folder):
            for command in commands:
                done = CliRunner().invoke(cli, command.split())
                if done.exit_code:
                    raise ValueError(f"{command}: {done.output}")
            first = min(Path(key).iterdir()) if Path(key).is_dir() else Path(key)
            lines = first.read_text(encoding="utf-8").splitlines()
    shown = "".join(f"{_shorten(line)}\n" for line in lines[:6])
    listed = "".join(f"corefeval {command}\n" for command in commands)
    return f"## On the command line\n\n```sh\n{listed}```\n\nThe first of these files begins:\n\n```text\n{shown}```\n"


def _shorten(line: str) -> str:
    return line if len(line) <= 110 else f"{line[:109]}…"


def _list_capacity(capacity: Capacity | None) -> str:
    """Return the cells of the index that say what a format can hold."""
    if capacity is None:
        return "read only | | | | | |"
    sorts = (capacity.discontinuous != "none", capacity.zeros, capacity.heads, capacity.minimums)
    marks = ["yes" if sort else "" for sort in sorts]
    named = [_list_names(capacity.attributes), _list_names(capacity.relations)]
    return " | ".join(["s, ".join(capacity.units) + "s", *marks, *named])


def _list_names(names: object) -> str:
    if names is EVERYTHING:
        return "any"
    return ", ".join(sorted(names)) if isinstance(names, tuple | frozenset | set | list) else "some"


if __name__ == "__main__":
    (DOCS / "formats.md").write_text(made(), encoding="utf-8")
    (DOCS / "formats").mkdir(exist_ok=True)
    for name, page in make_pages().items():
        (DOCS / "formats" / f"{name}.md").write_text(page, encoding="utf-8")
