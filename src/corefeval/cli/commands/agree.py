"""The command `corefeval agree`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import corefeval
from corefeval.cli.files import read_files, shorten_names
from corefeval.cli.options import (
    decision_options,
    digits_option,
    equal_file_options,
    measure_option,
    output_options,
    seed_option,
    strict_option,
)
from corefeval.cli.output import print_notices, print_result
from corefeval.cli.progress import show_progress

if TYPE_CHECKING:
    from corefeval.cli.files import FileOptions
    from corefeval.tables.table import Digits


@click.command(name="agree", short_help="Measure how well annotators agree, and show what they disagree on.")
@click.argument("annotators", metavar="ANNOTATOR...", nargs=-1)
@measure_option
@click.option(
    "--worst",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="How many of the entities and mentions that annotators disagree on to show.",
)
@click.option(
    "--draws",
    type=click.IntRange(min=2),
    default=100,
    show_default=True,
    help="How many random partitions to draw for chance agreement.",
)
@seed_option
@digits_option
@output_options("json", "csv", "markdown", "latex")
@decision_options
@equal_file_options
@strict_option
def command(
    annotators: tuple[str, ...],
    measures: tuple[str, ...],
    output: str | None,
    digits: Digits,
    files: FileOptions,
    **given: Any,
) -> int:
    """Compare two or more ANNOTATOR files of the same documents; none of them is the key.

    Agreement of every pair by symmetric measures, next to what chance would give; Krippendorff's α of all; mentions by
    how many annotators have marked them; and the entities and mentions they disagree on, the worst first.
    """
    if len(annotators) < 2:
        raise click.UsageError("agreement needs two annotators or more")
    names = shorten_names(annotators, "an annotator", stems=True)
    corpora = read_files([(file, files.key_format) for file in annotators], verbose=files.verbose)
    with show_progress(quiet=files.quiet) as progress:
        found = corefeval.agree(
            dict(zip(names, corpora, strict=True)), measures=measures or None, progress=progress, **given
        )
    print_result(found, output, digits=digits)
    print_notices(found.notices, files)
    return 0
