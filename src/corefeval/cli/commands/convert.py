"""The command `corefeval convert`."""

from __future__ import annotations

import click

from corefeval.cli import warnings
from corefeval.cli.files import read_all


@click.command(name="convert", short_help="Convert a file to another format.")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--from", "from_", metavar="FORMAT", help="The format of IN, where it is not recognised.")
@click.option("--to", metavar="FORMAT", help="The format of OUT, where its name does not tell.")
@click.option("--strict", is_flag=True, help="Write nothing if anything would be left out.")
@click.option("-q", "--quiet", is_flag=True, help="Show no warnings.")
@click.option("-v", "--verbose", is_flag=True, help="Show all warnings, and how the file was read.")
def command(
    source: str, target: str, from_: str | None, to: str | None, strict: bool, quiet: bool, verbose: bool
) -> int:
    """Read IN and write it to OUT in another format (see `corefeval formats`).

    Both may be - for standard input and output, or directories; a name that ends in .gz is packed. What the other
    format has no place for is counted and named.
    """
    (corpus,) = read_all([(source, from_)], verbose=verbose)
    from corefeval import formats  # noqa: PLC0415 - --help loads no NumPy

    left = formats.write(corpus, target, to, strict=strict)
    if not quiet:
        warnings.show((*corpus.notices, *left), everything=verbose)
    return 0
