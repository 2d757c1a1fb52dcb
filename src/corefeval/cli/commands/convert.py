"""The command `corefeval convert`."""

from __future__ import annotations

import click

import corefeval
from corefeval.cli.options import SharedOptions, shared_options


@click.command("convert")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--from", "format_", metavar="FORMAT", help="The format of IN, if it is not recognised.")
@click.option("--to", metavar="FORMAT", help="The format of OUT, if the name does not tell.")
@click.option("--strict", is_flag=True, help="Write nothing if anything would be lost.")
@shared_options("quiet", "verbose")
def command(source: str, target: str, to: str | None, strict: bool, shared: SharedOptions) -> None:
    """Read IN and write it to OUT in another format (see `corefeval formats`).

    Both may be - for standard input and output, or directories; a name that ends in .gz is compressed.
    What the other format cannot express is counted and named.
    """
    (corpus,) = shared.read([source])
    lost = corefeval.write(corpus, target, to, strict=strict)
    shared.print_notices((*corpus.notices, *lost))
