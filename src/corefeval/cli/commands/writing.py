"""The commands that write files of coreference: `corefeval convert` and `baseline`."""

from __future__ import annotations

import click

import corefeval
from corefeval.cli.options import Word, shared_options
from corefeval.cli.shared import SharedOptions

KINDS = ("singletons", "one-entity", "random", "string-match", "head-match")
FORCE = "Overwrite an existing file even if it is in another format or in none."


@click.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--from", "format_", metavar="FORMAT", help="The format of IN, if it is not recognised.")
@click.option("--to", metavar="FORMAT", help="The format of OUT, if the name does not tell.")
@click.option("--strict", is_flag=True, help="Write nothing if anything would be lost.")
@click.option("--force", is_flag=True, help=FORCE)
@shared_options("quiet", "verbose")
def convert(source: str, target: str, to: str | None, strict: bool, force: bool, shared: SharedOptions) -> None:
    """Read IN and write it to OUT in another format (see `corefeval formats`).

    Both may be - for standard input and output, or directories, or the same; a name that ends in .gz is compressed.
    What the other format cannot express is counted and named.
    """
    (corpus,) = shared.read_corpora([source], "--from")
    lost = corefeval.write(corpus, target, to, strict=strict, force=force)
    shared.print_notices((*corpus.notices, *lost))


@click.command()
@click.argument("key", metavar="KEY")
@click.option("--kind", type=Word(KINDS), required=True, help="What to do with the key's mentions.")
@click.option("-o", "--output", "target", metavar="FILE", required=True, help="The file to write.")
@click.option("--from", "format_", metavar="FORMAT", help="The key's format, if it is not recognised.")
@click.option("--to", metavar="FORMAT", help="The response's format, if the name does not tell.")
@click.option("--force", is_flag=True, help=FORCE)
@shared_options("seed", "quiet", "verbose")
def baseline(key: str, kind: str, seed: int, target: str, to: str | None, force: bool, shared: SharedOptions) -> None:
    """Write a response to KEY that a system should beat.

    singletons: every mention by itself; one-entity: all mentions of a document together; random: entities of the key's
    sizes with other mentions; string-match, head-match: mentions with the same words, or the same head, together.
    """
    (corpus,) = shared.read_corpora([key], "--from", side="key")
    response = corefeval.baseline(corpus, kind, seed=seed)
    lost = corefeval.write(response, target, to, force=force)
    shared.print_notices((*response.notices, *lost))
