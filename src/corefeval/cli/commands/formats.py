"""The command `corefeval formats`."""

from __future__ import annotations

import inspect
import textwrap
from typing import TYPE_CHECKING

import click

import corefeval

if TYPE_CHECKING:
    from corefeval.formats.base import Format


@click.command(name="formats", short_help="List the file formats, or explain one.")
@click.argument("names", metavar="[FORMAT]...", nargs=-1)
def command(names: tuple[str, ...]) -> None:
    """List the formats that can be read and written, with an example each, or explain some of them.

    A file's format is recognised by its content, and where that leaves several possible, by its name. --format tells it
    otherwise; options of a format follow a colon, as in table:mention=record_id,entity=cluster_id.
    """
    registry = corefeval.formats.registry
    describe = _explain_format if names else _list_format
    click.echo("\n\n".join(describe(name, registry.load_format(name)) for name in names or registry.list_names()))


def _list_format(name: str, format_: Format) -> str:
    use = "read only" if format_.CAPACITY is None else "read and write"
    suffixes = ", ".join(format_.SUFFIXES[:3]) or "any name"
    return f"{name}: {format_.TITLE}\n  {use}; {suffixes}\n{textwrap.indent(format_.EXAMPLE.strip(), '    ')}"


def _explain_format(name: str, format_: Format) -> str:
    about = inspect.cleandoc(format_.__doc__ or "")
    return f"{_list_format(name, format_)}\n\n{about}"
