"""The command `corefeval agree`."""

from __future__ import annotations

from typing import Any

import click

from corefeval.cli import judging, shared
from corefeval.cli.choices import decisions
from corefeval.cli.files import of_equal_files, read_all, short_names
from corefeval.cli.progress import shown


@click.command(name="agree", short_help="Say how far annotators agree, and what they split on.")
@click.argument("annotators", metavar="ANNOTATOR...", nargs=-1)
@shared.measures
@click.option(
    "--worst",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="How many of the entities and mentions that they split on are shown.",
)
@click.option(
    "--draws",
    type=click.IntRange(min=2),
    default=100,
    show_default=True,
    help="How many random partitions stand for chance.",
)
@shared.seed
@shared.outputs("json", "csv", "markdown", "latex")
@decisions
@of_equal_files
@shared.strict
def command(
    annotators: tuple[str, ...],
    measures: tuple[str, ...],
    output: str | None,
    format_: str | None,
    quiet: bool,
    verbose: bool,
    **given: Any,
) -> int:
    """Compare two or more ANNOTATOR files of the same documents; none of them is the key.

    Agreement of every pair by symmetric measures, next to what chance would give; Krippendorff's α of all; mentions by
    how many have marked them; and the entities and mentions that annotators split on, the worst first.
    """
    if len(annotators) < 2:
        raise click.UsageError("agreement needs two annotators or more")
    names = short_names(annotators, "an annotator", stems=True)
    corpora = read_all([(file, format_) for file in annotators], verbose=verbose)
    from corefeval.agreement.agree import agree  # noqa: PLC0415 - --help loads no NumPy

    with shown(quiet=quiet) as progress:
        found = agree(dict(zip(names, corpora, strict=True)), measures=measures or None, progress=progress, **given)
    judging.tell(found, "agreed", output, quiet=quiet, verbose=verbose)
    return 0
