"""The command `corefeval compare`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from corefeval.cli import judging, shared
from corefeval.cli.choices import Word, decisions, relative_to
from corefeval.cli.files import of_files, read_all, short_names
from corefeval.cli.progress import shown
from corefeval.errors import OptionError

if TYPE_CHECKING:
    from corefeval.comparison.results import Comparison
    from corefeval.scoring.score import Source


@click.command(name="compare", short_help="Say which of several responses is better, and how surely.")
@click.argument("key", metavar="KEY")
@click.argument("responses", metavar="RESPONSE...", nargs=-1)
@shared.measures
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
    show_default=True,
    help="Swap documents between two systems, or draw documents.",
)
@click.option("--resamples", type=click.IntRange(100, 10_000_000), default=10_000, show_default=True)
@shared.seed
@click.option("--confidence", type=float, default=0.95, show_default=True)
@click.option("--interval", type=Word(["bca", "percentile"]), default="bca", show_default=True)
@click.option(
    "--correction",
    type=Word(["holm", "bh", "none"]),
    default="holm",
    show_default=True,
    help="For many comparisons by one measure.",
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
    help="Also say how many documents it takes to show a difference of so many points.",
)
@click.option(
    "--fail-if-worse",
    is_flag=True,
    help="Exit with 1 if a response is significantly worse than the baseline (the first, if none is named).",
)
@shared.outputs("json", "csv", "markdown", "latex")
@relative_to
@decisions
@of_files
@shared.strict
def command(
    key: str,
    responses: tuple[str, ...],
    measures: tuple[str, ...],
    several: tuple[str, ...],
    output: str | None,
    fail_if_worse: bool,
    baseline: str | None,
    plan: float | None,
    format_: str | None,
    key_format: str | None,
    response_format: str | None,
    quiet: bool,
    verbose: bool,
    **given: Any,
) -> int:
    """Compare two or more RESPONSE files: scores with intervals, differences with p-values, ranks.

    Documents are the unit: they are swapped between two systems, or drawn with replacement. Systems are named after
    their files.
    """
    systems = _systems(responses, several)
    files = [file for runs in systems.values() for file in runs]
    formats = key_format or format_, response_format or format_
    corpora = read_all([(key, formats[0]), *((file, formats[1]) for file in files)], verbose=verbose)
    read = iter(corpora[1:])
    from corefeval.comparison.compare import Runs, compare  # noqa: PLC0415 - --help loads no NumPy

    sources: dict[str, Source | Runs] = {
        name: Runs(next(read) for _ in runs) if len(runs) > 1 else next(read) for name, runs in systems.items()
    }
    named = baseline if baseline is None or baseline in systems else _name_of(baseline, systems)
    if fail_if_worse and named is None:
        named = next(iter(systems))
    with shown(quiet=quiet) as progress:
        found = compare(
            corpora[0], sources, measures=measures or None, baseline=named, progress=progress,
            plan=None if plan is None else plan / 100, response_format=formats[1], **given,
        )  # fmt: skip
    judging.tell(found, "compared", output, quiet=quiet, verbose=verbose)
    return _gate(found) if fail_if_worse else 0


def _systems(responses: tuple[str, ...], several: tuple[str, ...]) -> dict[str, list[str]]:
    """The files of every system, by its name: a file's own, as short as tells them apart."""
    systems = {name: [path] for name, path in zip(short_names(responses), responses, strict=True)}
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


def _name_of(baseline: str, systems: dict[str, list[str]]) -> str:
    """The system whose file was named as the baseline."""
    return next((name for name, files in systems.items() if files == [baseline]), baseline)


def _gate(comparison: Comparison) -> int:
    worse = comparison.worse_than_baseline()
    for each in worse:
        points = f"{100 * each.difference:+.2f} points, p = {each.p_corrected:.4g}"
        click.echo(f"{each.b} is significantly worse than {each.a} by {each.measure}: {points}", err=True)
    return 1 if worse else 0
