"""Write formats.md from what the formats say of themselves: python docs/make_formats.py"""

from __future__ import annotations

import inspect
from pathlib import Path

from corefeval.formats import registry
from corefeval.formats.base import EVERYTHING, Capacity

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
    """The page."""
    formats = [(name, registry.load_format(name)) for name in registry.BUILT_IN]
    rows = [f"| [`{name}`](#{name}) | {each.TITLE} | {_carried(each.CAPACITY)} |" for name, each in formats]
    parts = [f"## {name}\n\n{inspect.cleandoc(each.__doc__ or '')}" for name, each in formats]
    return HEAD + "\n".join(rows) + "\n\n" + "\n\n".join(parts) + "\n"


def _carried(capacity: Capacity | None) -> str:
    if capacity is None:
        return "read only | | | | | |"
    sorts = (capacity.discontinuous != "none", capacity.zeros, capacity.heads, capacity.minimums)
    marks = ["yes" if sort else "" for sort in sorts]
    named = [_names(capacity.attributes), _names(capacity.relations)]
    return " | ".join(["s, ".join(capacity.units) + "s", *marks, *named])


def _names(names: object) -> str:
    if names is EVERYTHING:
        return "any"
    return ", ".join(sorted(names)) if isinstance(names, tuple | frozenset | set | list) else "some"


if __name__ == "__main__":
    Path(__file__).with_name("formats.md").write_text(made(), encoding="utf-8")
