"""The commands that compare files with each other: `corefeval compare` and `agree`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import corefeval
from corefeval.cli.console import echo_message
from corefeval.cli.files import name_files, parse_named_file
from corefeval.cli.options import Word, shared_options
from corefeval.cli.shared import SharedOptions
from corefeval.errors import OptionError
from corefeval.formats.shared.output import is_standard_output, write_over_own_kind
from corefeval.scoring.processes import count_processors

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
@click.option(
    "--resample",
    type=Word(["documents", "components"]),
    default="documents",
    help="Draw or swap documents; or, within one table, groups of entities that share mentions.",
)
@click.option("--confidence", type=float, default=0.95)
@click.option(
    "--interval",
    type=Word(["calibrated", "bca", "percentile"]),
    default="calibrated",
    help="Percentiles widened for few and unlike documents; or BCa or percentiles as they are.",
)
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
@click.option("--summary", is_flag=True, help="Show the table of systems and measures only, the best system first.")
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
    summary: bool,
    fail_if_worse: bool,
    baseline: str | None,
    plan: float | None,
    relative_to: str | None,
    shared: SharedOptions,
    **given: Any,
) -> int:
    """Compare RESPONSE files: scores with intervals, differences with p-values, ranks; of one file, its intervals.

    Documents are the unit: they are swapped between two systems, or drawn with replacement. In one table of records, it
    can be groups of entities: --resample components. Systems are named after their files, or as NAME=FILE says.
    """
    systems = _name_systems(responses, several)
    key_corpus, corpora = shared.read_sides(key, [file for runs in systems.values() for file in runs])
    read = iter(corpora)
    sources: dict[str, Source | corefeval.Runs] = {
        name: corefeval.Runs(next(read) for _ in runs) if len(runs) > 1 else next(read)
        for name, runs in systems.items()
    }
    if baseline is not None:  # a system's name, or its file, or both
        file = parse_named_file(baseline).path
        paths = {name: [parse_named_file(each).path for each in files] for name, files in systems.items()}
        baseline = next((name for name, own in paths.items() if own == [file] and baseline not in systems), baseline)
    elif fail_if_worse and len(systems) == 1:
        raise click.UsageError("--fail-if-worse takes two responses or more")
    elif fail_if_worse:
        baseline = next(iter(systems))
    comparison = corefeval.compare(
        key_corpus, sources, baseline=baseline, plan=None if plan is None else plan / 100,
        relative_to=shared.read_baseline(relative_to), response_format=shared.format_of_responses, **given,
    )  # fmt: skip
    shared.print_result(comparison, digits=shared.digits, summary=summary)
    worse = comparison.worse_than_baseline() if fail_if_worse else []
    for each in worse:
        points = f"{100 * each.difference:+.2f} points, p = {each.p_corrected:.4g}"
        echo_message(f"{each.b} is significantly worse than {each.a} by {each.measure}: {points}")
    return 1 if worse else 0


def _name_systems(responses: tuple[str, ...], several: tuple[str, ...]) -> dict[str, list[str]]:
    """Return {system's name: its files}; OptionError or UsageError if a file or name is there twice, or none."""
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
    if not systems:
        raise click.UsageError("there is no RESPONSE to score")
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
@click.option(
    "--disagreements",
    metavar="FILE.csv",
    help="Also write every mention that annotators disagree on, a row for each annotator; - for standard output only.",
)
@click.option(
    "--draft",
    metavar="FILE",
    help="Also write what more than half of the annotators agree on, to adjudicate from: the suffix tells the format.",
)
@shared_options("seed", "measures", "digits", "output", "decisions", "files", "strict")
def agree(
    annotators: tuple[str, ...], disagreements: str | None, draft: str | None, shared: SharedOptions, **given: Any
) -> None:
    """Compare two or more ANNOTATOR files of the same documents; none of them is the key.

    One folder or zip archive with a folder for each document, and in it a file for each annotator, will also do, such
    as INCEpTION's export, and so will one file of several annotators, of Prodigy or Label Studio.

    Agreement of every pair by symmetric measures, next to what chance would give; Krippendorff's α of all; mentions by
    how many annotators have marked them; and the entities and mentions they disagree on, the worst first.
    """
    if len(annotators) == 1:
        corpora = corefeval.formats.read_annotators(annotators[0], shared.format_)
    else:
        names = name_files(annotators, "annotator")
        corpora = dict(zip(names, shared.read_annotators(annotators), strict=True))
    agreement = corefeval.agree(corpora, processes=count_processors(), **given)
    from corefeval.agreement.adjudication import draft_majority, write_disagreements  # noqa: PLC0415 - loads NumPy

    if disagreements is not None:
        rows = f"{write_disagreements(agreement)}\n".encode()
        write_over_own_kind(disagreements, rows, mark=rows.index(b"\n"))
    if draft is not None:
        shared.print_notices(corefeval.write(draft_majority(agreement), draft))
    if not any(map(is_standard_output, filter(None, (disagreements, draft)))):
        shared.print_result(agreement, digits=shared.digits)
