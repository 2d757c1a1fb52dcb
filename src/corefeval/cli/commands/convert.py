"""The command `corefeval convert`."""

from __future__ import annotations

import click

import corefeval
from corefeval.cli.files import FileOptions, read_files
from corefeval.cli.output import print_notices


@click.command(name="convert", short_help="Convert a file to another format.")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--from", "from_", metavar="FORMAT", help="The format of IN, if it is not recognised.")
@click.option("--to", metavar="FORMAT", help="The format of OUT, if the name does not tell.")
@click.option("--strict", is_flag=True, help="Write nothing if anything would be lost.")
@click.option("-q", "--quiet", is_flag=True, help="Show no warnings.")
@click.option("-v", "--verbose", is_flag=True, help="Show all warnings, and how the file was read.")
def command(
    source: str, target: str, from_: str | None, to: str | None, strict: bool, quiet: bool, verbose: bool
) -> int:
    """Read IN and write it to OUT in another format (see `corefeval formats`).

    Both may be - for standard input and output, or directories; a name that ends in .gz is compressed.
    What the other format cannot express is counted and named.
    """
    (corpus,) = read_files([(source, from_)], verbose=verbose)
    left = corefeval.write(corpus, target, to, strict=strict)
    print_notices((*corpus.notices, *left), FileOptions(quiet=quiet, verbose=verbose))
    return 0
