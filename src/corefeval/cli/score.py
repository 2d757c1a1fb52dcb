"""The command `corefeval score`."""

from __future__ import annotations

import importlib
import math
import sys
from typing import TYPE_CHECKING

import click

from corefeval import measures as known
from corefeval.cli import warnings
from corefeval.cli.reading import read_all
from corefeval.errors import OptionError, near
from corefeval.options import DUPLICATES, IDENTITY, SINGLETONS, SPLIT_ANTECEDENTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefeval.measures import Measure
    from corefeval.notices import Notice
    from corefeval.results import Evaluation


@click.command(name="score", short_help="Score responses against a key.")
@click.argument("key", metavar="KEY")
@click.argument("responses", metavar="RESPONSE...", nargs=-1, required=True)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="MEASURE",
    help="A measure, such as muc or blanc:alpha=0.2, or a group: default, all, bridging, beyond; repeatable.",
)
@click.option("--per-document", is_flag=True, help="Also show the scores of every document.")
@click.option("--macro", is_flag=True, help="Average the documents' scores instead of summing their counts.")
@click.option("--json", "output", flag_value="json", help="JSON with full precision.")
@click.option("--csv", "output", flag_value="csv", help="Comma-separated values with full precision.")
@click.option("--markdown", "output", flag_value="markdown", help="A Markdown table.")
@click.option("--latex", "output", flag_value="latex", help="A LaTeX table.")
@click.option(
    "--singletons",
    type=click.Choice([*SINGLETONS, "both"]),
    default=SINGLETONS[0],
    show_default=True,
    help="Entities of one mention; 'both' shows the scores with and without them.",
)
@click.option(
    "--duplicates",
    type=click.Choice(DUPLICATES),
    default=DUPLICATES[0],
    show_default=True,
    help="What to do with a mention that is in several entities of one file.",
)
@click.option(
    "--split-antecedents",
    type=click.Choice(SPLIT_ANTECEDENTS),
    default=SPLIT_ANTECEDENTS[0],
    show_default=True,
    help="'keep' scores them as members of their entities, 'only' them alone.",
)
@click.option(
    "--layer",
    "layers",
    multiple=True,
    metavar="LAYER",
    help="What to score: identity (the default) or what else the files have, such as discourse_deixis; repeatable.",
)
@click.option("--format", "format_", metavar="FORMAT", help="The files' format, where it is not recognised.")
@click.option("--key-format", metavar="FORMAT", help="The key's format.")
@click.option("--response-format", metavar="FORMAT", help="The responses' format.")
@click.option("--strict", is_flag=True, help="Take every warning as an error.")
@click.option(
    "--fail-under",
    "thresholds",
    multiple=True,
    metavar="MEASURE=PERCENT",
    help="Exit with 1 if a response scores less, e.g. conll=70 or lea.recall=60; repeatable.",
)
@click.option("-q", "--quiet", is_flag=True, help="Show no warnings.")
@click.option("-v", "--verbose", is_flag=True, help="Show all warnings, and how files were read.")
def command(
    key: str,
    responses: tuple[str, ...],
    measures: tuple[str, ...],
    per_document: bool,
    macro: bool,
    output: str | None,
    singletons: str,
    duplicates: str,
    split_antecedents: str,
    layers: tuple[str, ...],
    format_: str | None,
    key_format: str | None,
    response_format: str | None,
    strict: bool,
    thresholds: tuple[str, ...],
    quiet: bool,
    verbose: bool,
) -> int:
    """Score one or more RESPONSE files against a KEY.

    Each is a file in any format that `corefeval formats` lists (compressed or not), a directory of such files, or - for
    standard input. Key and response may be in different formats. Several responses make one table.
    """
    chosen = known.select(measures or None)
    limits = [_threshold(text) for text in thresholds]
    formats = key_format or format_, response_format or format_
    evaluations = _evaluated(key, responses, chosen, macro=macro, singletons=singletons, duplicates=duplicates,
                             split_antecedents=split_antecedents, layers=layers or (IDENTITY,),
                             strict=strict, verbose=verbose, formats=formats)  # fmt: skip
    click.echo(_shown(evaluations, output, per_document=per_document))
    if not quiet:
        warnings.show(_notices(evaluations), everything=verbose)
    return max([_missed(evaluations, *limit) for limit in limits], default=0)


def _evaluated(
    key: str,
    responses: tuple[str, ...],
    measures: tuple[Measure, ...],
    *,
    macro: bool,
    singletons: str,
    duplicates: str,
    split_antecedents: str,
    layers: tuple[str, ...],
    strict: bool,
    verbose: bool,
    formats: tuple[str | None, str | None],
) -> list[Evaluation]:
    corpora = read_all([(key, formats[0]), *((response, formats[1]) for response in responses)], verbose=verbose)
    from corefeval import evaluate  # noqa: PLC0415 - --help loads no NumPy

    policies = SINGLETONS if singletons == "both" else (singletons,)
    return [
        evaluate.score(corpora[0], response, measures=measures, singletons=policy, duplicates=duplicates,
                       split_antecedents=split_antecedents, layer=layer, macro=macro, strict=strict)
        for response in corpora[1:]
        for policy in policies
        for layer in dict.fromkeys(layers)
    ]  # fmt: skip


def _shown(evaluations: list[Evaluation], output: str | None, *, per_document: bool) -> str:
    if output is not None:
        report = importlib.import_module(f"corefeval.report.{output}")
        return str(report.write(evaluations, per_document=per_document))
    from corefeval.report import terminal, text  # noqa: PLC0415

    style = (terminal.style() if sys.stdout.isatty() else None) or text.plain
    return text.write(evaluations, per_document=per_document, style=style)


def _notices(evaluations: list[Evaluation]) -> Iterator[Notice]:
    """The warnings of all evaluations; those that several share, such as the key's, from the first only."""
    seen: set[str] = set()
    for each in evaluations:
        yield from (notice for notice in each.warnings if notice.message not in seen)
        seen.update(notice.message for notice in each.warnings)


def _threshold(text: str) -> tuple[Measure, str, float]:
    """Read MEASURE[.FIELD]=PERCENT."""
    written, _, limit = text.rpartition("=")
    try:
        percent = float(limit)
    except ValueError:
        percent = math.nan
    if not math.isfinite(percent):
        raise OptionError(f"--fail-under {text}: expected MEASURE=PERCENT, such as conll=70")
    name, dot, field = written.rpartition(".")
    if dot and field in ("recall", "precision", "f1", "score"):
        measure = known.parse(name)
    else:
        measure, field = known.parse(written), ""
    field = field or measure.main
    if not measure.more_is_better:
        raise OptionError(f"--fail-under {text}: of {measure}, more is not better")
    if field not in measure.shown:
        raise OptionError(f"--fail-under {text}: {measure} has no {field}; {near(field, measure.shown)}")
    return measure, field, percent


def _missed(evaluations: list[Evaluation], measure: Measure, field: str, percent: float) -> int:
    missed = 0
    for each in evaluations:
        value = 100 * float(each[measure].values[field])
        if value < percent:
            shown = f"{value:.2f}" if float(f"{value:.2f}") < percent else repr(value)
            click.echo(f"{each.response}: {measure}.{field} is {shown}, below {percent:g}", err=True)
            missed = 1
    return missed
