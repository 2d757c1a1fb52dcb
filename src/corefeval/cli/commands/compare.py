"""The commands that compare files with each other: `corefeval compare` and `agree`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import corefeval
from corefeval.cli.files import name_files
from corefeval.cli.options import Word, shared_options
from corefeval.cli.output import show_progress
from corefeval.cli.shared import SharedOptions
from corefeval.errors import OptionError

if TYPE_CHECKING:
    from corefeval.scoring.score import Source


@click.command()
@click.argument("key", metavar="KEY")
@click.argument("responses", metavar="RESPONSE...", nargs=-1)
@click.option(
    "--runs",
    "several",
    multiple=True,
    metavar="NAME=FILE,FILE,...",
    help="Several runs of one system, e.g. with different seeds; repeatable.",
)
@click.option(
    "--test",
    type=Word(["randomisation", "bootstrap"]),
    default="randomisation",
    help="Swap documents between two systems, or draw documents.",
)
@click.option("--confidence", type=float, default=0.95)
@click.option("--interval", type=Word(["bca", "percentile"]), default="bca")
@click.option(
    "--correction",
    type=Word(["holm", "bh", "none"]),
    default="holm",
    help="Correction of p-values for many comparisons.",
)
@click.option("--baseline", metavar="RESPONSE", help="Compare all others with this one; by default, every pair.")
@click.option(
    "--stratify",
    metavar="FIELD",
    help="Draw documents within groups only: genre, file, or a regular expression on their names.",
)
@click.option(
    "--plan",
    type=click.FloatRange(min=0, min_open=True),
    metavar="POINTS",
    help="Also estimate how many documents it takes to show a difference of so many points.",
)
@click.option(
    "--fail-if-worse",
    is_flag=True,
    help="Exit with 1 if a response is significantly worse than the baseline (the first, if none is named).",
)
@shared_options("resamples", "seed", "measures", "digits", "output", "relative-to", "decisions", "sides", "strict")
def compare(
    key: str,
    responses: tuple[str, ...],
    several: tuple[str, ...],
    fail_if_worse: bool,
    baseline: str | None,
    plan: float | None,
    shared: SharedOptions,
    **given: Any,
) -> int:
    """Compare two or more RESPONSE files: scores with intervals, differences with p-values, ranks.

    Documents are the unit: they are swapped between two systems, or drawn with replacement. Systems are named after
    their files.
    """
    systems = _name_systems(responses, several)
    key_corpus, corpora = shared.read_sides(key, [file for runs in systems.values() for file in runs])
    read = iter(corpora)
    sources: dict[str, Source | corefeval.Runs] = {
        name: corefeval.Runs(next(read) for _ in runs) if len(runs) > 1 else next(read)
        for name, runs in systems.items()
    }
    if baseline is not None:  # a system's name, or its file
        baseline = next((name for name, files in systems.items() if files == [baseline]), baseline)
    elif fail_if_worse:
        baseline = next(iter(systems))
    with show_progress(quiet=shared.quiet) as progress:
        comparison = corefeval.compare(
            key_corpus, sources, baseline=baseline, progress=progress, plan=None if plan is None else plan / 100,
            response_format=shared.response_format or shared.format_, **given,
        )  # fmt: skip
    shared.print_result(comparison, digits=shared.digits)
    worse = comparison.worse_than_baseline() if fail_if_worse else []
    for each in worse:
        points = f"{100 * each.difference:+.2f} points, p = {each.p_corrected:.4g}"
        click.echo(f"{each.b} is significantly worse than {each.a} by {each.measure}: {points}", err=True)
    return 1 if worse else 0


def _name_systems(responses: tuple[str, ...], several: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the files of every system by its name; an error if a file or name is there twice, or for one system."""
    systems = {name: [path] for name, path in zip(name_files(responses), responses, strict=True)}
    for text in several:
        name, equals, files = text.partition("=")
        runs = [file for file in files.split(",") if file]
        if not equals or not name or not runs:
            raise OptionError(f"--runs {text}: expected NAME=FILE,FILE,...")
        if len(set(runs)) < len(runs):
            raise OptionError(f"--runs {text}: a run is given twice")
        if name in systems:
            raise OptionError(f"--runs {text}: there is a system {name} already")
        systems[name] = runs
    if len(systems) < 2:
        raise click.UsageError("a comparison needs two systems or more")
    return systems


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
    names = name_files(annotators, "an annotator", stems=True)
    corpora = dict(zip(names, shared.read_corpora(annotators), strict=True))
    with show_progress(quiet=shared.quiet) as progress:
        agreement = corefeval.agree(corpora, progress=progress, **given)
    shared.print_result(agreement, digits=shared.digits)
