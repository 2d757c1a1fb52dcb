"""The command `corefeval agree`."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corefeval.cli import warnings
from corefeval.cli.choices import decisions
from corefeval.cli.progress import shown
from corefeval.cli.reading import read_all

if TYPE_CHECKING:
    from corefeval.statistics.agreement import Agreement


@click.command(name="agree", short_help="Say how far annotators agree, and what they split on.")
@click.argument("annotators", metavar="ANNOTATOR...", nargs=-1)
@click.option("-m", "--measure", "measures", multiple=True, metavar="MEASURE", help="A measure; repeatable.")
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
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="The same seed, the same result."
)
@click.option("--json", "output", flag_value="json", help="JSON with full precision.")
@click.option("--csv", "output", flag_value="csv", help="Comma-separated values with full precision.")
@click.option("--markdown", "output", flag_value="markdown", help="Markdown tables.")
@decisions
@click.option("--format", "format_", metavar="FORMAT", help="The files' format, where it is not recognised.")
@click.option("--strict", is_flag=True, help="Take every warning as an error.")
@click.option("-q", "--quiet", is_flag=True, help="Show no warnings and no progress.")
@click.option("-v", "--verbose", is_flag=True, help="Show all warnings, and how files were read.")
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
    if given["singletons"] == "both":
        raise click.UsageError("compare with and without singletons one after the other: --singletons keep, then drop")
    names = _names(annotators)
    corpora = read_all([(file, format_) for file in annotators], verbose=verbose)
    from corefeval.agreeing import agree  # noqa: PLC0415 - --help loads no NumPy

    with shown(quiet=quiet) as progress:
        found = agree(dict(zip(names, corpora, strict=True)), measures=measures or None, progress=progress, **given)
    click.echo(_written(found, output))
    if not quiet:
        warnings.show(iter(found.warnings), everything=verbose)
    return 0


def _names(files: tuple[str, ...]) -> list[str]:
    """A file's own name, as short as tells them apart."""
    if len(set(files)) < len(files):
        raise click.UsageError("an annotator is given twice")
    for short in ([Path(file).stem for file in files], [Path(file).name or file for file in files]):
        if len(set(short)) == len(files) and all(short):
            return short
    return list(files)


def _written(agreement: Agreement, output: str | None) -> str:
    if output is not None:
        written: str = getattr(agreement, f"to_{output}")()
        return written
    agreed = importlib.import_module("corefeval.report.agreed")
    from corefeval.report import terminal, text  # noqa: PLC0415

    style = (terminal.style() if sys.stdout.isatty() else None) or text.plain
    return str(agreed.text(agreement, style=style))
