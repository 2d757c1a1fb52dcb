"""What the analysis of a response found, over all documents: corrections, links, breakdowns, what changed."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any

from corefeval.analysis.analyse import Analysis
from corefeval.analysis.breakdowns import Breakdown
from corefeval.analysis.diff import compare_errors
from corefeval.analysis.errors.links import NAMES, count_link_errors
from corefeval.analysis.errors.types import TypedError, has_labels
from corefeval.errors import OptionError
from corefeval.measures import Measure
from corefeval.scoring.results import DocumentScores, Evaluation
from corefeval.show.pages.content.points import count_points

Record = dict[str, Any]
_FIELDS = ("mention-type", "entity-type", "size", "distance", "nesting")


def list_corrections(analysis: Analysis, measures: Sequence[Measure]) -> list[Record]:
    """Return for each type of errors how many there are and the points, by measure, that correcting all of them adds.

    Types are corrected one after another, so that the points add up to what is lost, unless mentions are in several
    entities, as a warning says; None for a measure that the analysis leaves out.
    """
    return [
        {
            "kind": stage.type.replace(" ", "-"),
            "count": stage.errors,
            "points": [_subtract_scores(stage.evaluation, before.evaluation, measure) for measure in measures],
        }
        for before, stage in pairwise(analysis.stages)
        if stage.type in analysis.rules
    ]


def _subtract_scores(after: Evaluation, before: Evaluation, measure: Measure) -> float | None:
    """Return how many points one evaluation has over another; None if they do not have the measure as a number."""
    if measure not in after.measures or isinstance(after[measure].values[measure.main], str):
        return None
    return count_points(after[measure].main - before[measure].main)


def count_links(analysis: Analysis) -> Record | None:
    """Return {"types", "missed", "wrong"}: links by types of anaphor (rows) and antecedent; None for labels."""
    if has_labels(analysis.rows):
        return None
    counted = count_link_errors(analysis.rows)
    used = [name for name in NAMES if any(name in pair for counts in counted.values() for pair in counts)]
    return {"types": used} | {
        kind: [[counts[anaphor, antecedent] for antecedent in used] for anaphor in used]
        for kind, counts in counted.items()
    }


def list_breakdowns(analysis: Analysis, measures: Sequence[Measure]) -> list[Record]:
    """Return scores by the values of every field that these mentions have: type, size of entity, distance, nesting."""
    return [_build_breakdown(each, measures) for field in _FIELDS for each in _break_down(analysis, field)]


def _break_down(analysis: Analysis, field: str) -> Iterator[Breakdown]:
    """Yield the Breakdown by a field, if mentions have it and more than one value of it."""
    try:
        found = analysis.breakdown(field)
    except OptionError:  # such as nesting of labels
        return
    if len(found.groups) > 1:
        yield found


def _build_breakdown(breakdown: Breakdown, measures: Sequence[Measure]) -> Record:
    """Return {"field", "groups"}; of each group its label, mentions on both sides, scores, and B³ of its mentions."""
    return {
        "field": breakdown.field,
        "groups": [
            {
                "label": group.label,
                "key": group.key_mentions,
                "response": group.response_mentions,
                "scores": [_get_main(group.restricted, measure) for measure in measures],
                "bcub": [count_points(value) for value in group.average],
            }
            for group in breakdown.groups
        ],
    }


def _get_main(scores: Evaluation | DocumentScores, measure: Measure) -> float | None:
    """Return the main value in per cent; None if it is undefined, no number, or not among the measures."""
    if str(measure) not in scores:
        return None
    score = scores[measure]
    if measure.main in score.undefined or isinstance(score.values[measure.main], str):
        return None
    return count_points(score.main)


def list_changes(systems: Sequence[Mapping[Hashable, TypedError]]) -> list[Record]:
    """Return for each two systems and each type how many errors the second has fixed, broken, and left as they are."""
    return [
        {
            "a": a,
            "b": b,
            "kinds": {
                change.type.replace(" ", "-"): [len(change.fixed), len(change.broken), change.both]
                for change in compare_errors(systems[a], systems[b])
            },
        }
        for a, b in combinations(range(len(systems)), 2)
    ]
