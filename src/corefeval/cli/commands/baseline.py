"""The command `corefeval baseline`."""

from __future__ import annotations

import click

import corefeval
from corefeval.cli.files import read_files
from corefeval.cli.options import Word
from corefeval.cli.output import echo_notices

KINDS = ("singletons", "one-entity", "random", "string-match", "head-match")


@click.command(name="baseline", short_help="Write a response that needs no system.")
@click.argument("key", metavar="KEY")
@click.option("--kind", type=Word(KINDS), required=True, help="What to do with the key's mentions.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="For --kind random.")
@click.option("-o", "--output", "target", metavar="FILE", required=True, help="The file to write.")
@click.option("--from", "source_format", metavar="FORMAT", help="The key's format, if it is not recognised.")
@click.option("--to", "target_format", metavar="FORMAT", help="The response's format, if the name does not tell.")
@click.option("-q", "--quiet", is_flag=True, help="Show no warnings.")
def command(
    key: str,
    kind: str,
    seed: int,
    target: str,
    source_format: str | None,
    target_format: str | None,
    quiet: bool,
) -> int:
    """Write a response to KEY that a system should beat.

    singletons: every mention by itself; one-entity: all mentions of a document together; random: entities of the key's
    sizes with other mentions; string-match, head-match: mentions with the same words, or the same head, together.
    """
    (corpus,) = read_files([(key, source_format)], verbose=False)
    found = corefeval.baseline(corpus, kind, seed=seed)
    left = corefeval.write(found, target, target_format)
    if not quiet:
        echo_notices((*found.notices, *left), show_all=False)
    return 0
