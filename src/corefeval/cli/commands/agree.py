"""The command `corefeval agree`."""

from __future__ import annotations

from typing import Any

import click

import corefeval
from corefeval.cli.files import shorten_names
from corefeval.cli.options import SharedOptions, shared_options
from corefeval.cli.output import show_progress


@click.command()
@click.argument("annotators", metavar="ANNOTATOR...", nargs=-1)
@click.option(
    "--worst",
    type=click.IntRange(min=0),
    default=10,
    help="How many of the entities and mentions that annotators disagree on to show.",
)
@click.option(
    "--draws", type=click.IntRange(min=2), default=100, help="How many random partitions to draw for chance agreement."
)
@shared_options("seed", "measures", "digits", "output", "decisions", "files", "strict")
def agree(annotators: tuple[str, ...], shared: SharedOptions, **given: Any) -> None:
    """Compare two or more ANNOTATOR files of the same documents; none of them is the key.

    Agreement of every pair by symmetric measures, next to what chance would give; Krippendorff's α of all; mentions by
    how many annotators have marked them; and the entities and mentions they disagree on, the worst first.
    """
    if len(annotators) < 2:
        raise click.UsageError("agreement needs two annotators or more")
    names = shorten_names(annotators, "an annotator", stems=True)
    corpora = dict(zip(names, shared.read_corpora(annotators), strict=True))
    with show_progress(quiet=shared.quiet) as progress:
        agreement = corefeval.agree(corpora, progress=progress, **given)
    shared.print_result(agreement, digits=shared.digits)
