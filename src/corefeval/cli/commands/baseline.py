"""The command `corefeval baseline`."""

from __future__ import annotations

import click

import corefeval
from corefeval.cli.options import SharedOptions, Word, shared_options

KINDS = ("singletons", "one-entity", "random", "string-match", "head-match")


@click.command("baseline")
@click.argument("key", metavar="KEY")
@click.option("--kind", type=Word(KINDS), required=True, help="What to do with the key's mentions.")
@click.option("-o", "--output", "target", metavar="FILE", required=True, help="The file to write.")
@click.option("--from", "format_", metavar="FORMAT", help="The key's format, if it is not recognised.")
@click.option("--to", metavar="FORMAT", help="The response's format, if the name does not tell.")
@shared_options("seed", "quiet", "verbose")
def command(key: str, kind: str, seed: int, target: str, to: str | None, shared: SharedOptions) -> None:
    """Write a response to KEY that a system should beat.

    singletons: every mention by itself; one-entity: all mentions of a document together; random: entities of the key's
    sizes with other mentions; string-match, head-match: mentions with the same words, or the same head, together.
    """
    (corpus,) = shared.read([key])
    response = corefeval.baseline(corpus, kind, seed=seed)
    lost = corefeval.write(response, target, to)
    shared.print_notices((*response.notices, *lost))
