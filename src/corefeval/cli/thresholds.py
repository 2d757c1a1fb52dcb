"""The option --fail-under: scores that must be reached."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import click

from corefeval import measures as known
from corefeval.errors import OptionError, suggest_names
from corefeval.tables.table import format_percent, truncate_percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval.measures import Measure
    from corefeval.scoring.results import Evaluation
    from corefeval.tables.table import Digits


class Threshold(NamedTuple):
    """A value of a measure, and how many per cent it must reach."""

    measure: Measure
    field: str
    percent: float


def parse_threshold(text: str) -> Threshold:
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
        raise OptionError(f"--fail-under {text}: {measure} has no {field}; {suggest_names(field, measure.shown)}")
    return Threshold(measure, field, percent)


def report_misses(evaluations: Sequence[Evaluation], threshold: Threshold, digits: Digits) -> int:
    """Print which responses score less than the threshold, and return the exit code."""
    measure, field, percent = threshold
    missed = 0
    for each in evaluations:
        share = float(each[measure].values[field])
        value = 100 * share
        if value < percent:
            written = (truncate_percent if digits == "truncate" else format_percent)(share)
            shown = written if float(written) < percent else repr(value)
            click.echo(f"{each.response}: {measure}.{field} is {shown}, below {percent:g}", err=True)
            missed = 1
    return missed
