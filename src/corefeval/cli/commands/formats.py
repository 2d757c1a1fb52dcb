"""The command `corefeval formats`."""

from __future__ import annotations

import inspect
import textwrap

import click

import corefeval


@click.command("formats")
@click.argument("names", metavar="[FORMAT]...", nargs=-1)
def command(names: tuple[str, ...]) -> None:
    """List the formats that can be read and written, with an example each, or explain some of them.

    A file's format is recognised by its content, and where that leaves several possible, by its name. --format tells it
    otherwise; options of a format follow a colon, as in table:mention=record_id,entity=cluster_id.
    """
    described = []
    for name in names or corefeval.formats.registry.list_names():
        format_ = corefeval.formats.registry.load_format(name)
        use = "read only" if format_.CAPACITY is None else "read and write"
        suffixes = ", ".join(format_.SUFFIXES[:3]) or "any name"
        example = textwrap.indent(format_.EXAMPLE.strip(), "    ")
        described.append(f"{name}: {format_.TITLE}\n  {use}; {suffixes}\n{example}")
        if names:
            described.append(inspect.cleandoc(format_.__doc__ or ""))
    click.echo("\n\n".join(described))
