"""Scores of some mentions only, in both ways of Popescu-Belis (1999, 4.4).

Restricting the partitions discards all other mentions from both sides, and with them their links; it does for every
measure. Averaging B³ takes the recall of each key mention and the precision of each response mention as they are, and
averages those of the chosen mentions; links to other mentions count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.analysis.breakdowns.fields import label_mentions
from corefeval.analysis.costs.sides import view_sides
from corefeval.analysis.subsets import get_rows, restrict_mentions, select_documents
from corefeval.measures import Bcub
from corefeval.measures.rates import recall_precision_f
from corefeval.scoring.layout import format_main, list_scores
from corefeval.tables.result import Result
from corefeval.tables.table import Table, make_score_formatter
from corefeval.tables.writers import collect_columns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefeval._arrays import Booleans
    from corefeval.notices import Notice
    from corefeval.overlap.views import Rows
    from corefeval.scoring.results import Evaluation
    from corefeval.tables.table import Digits
    from corefeval.tables.text import Style


class MentionAverage(NamedTuple):
    """B³ averaged over some mentions; 0 over no mentions."""

    recall: float
    precision: float
    f1: float


class MentionGroup(NamedTuple):
    """The mentions with one label: how many each side has, their scores if there were no others, and their B³."""

    label: str
    key_mentions: int
    response_mentions: int
    restricted: Evaluation
    average: MentionAverage


@dataclass(frozen=True, slots=True)
class Breakdown:
    """Scores by the values of a field. whole: all mentions as one group."""

    field: str
    groups: tuple[MentionGroup, ...]
    whole: MentionGroup
    notices: tuple[Notice, ...]


@dataclass(frozen=True, slots=True)
class Breakdowns(Result):
    """Scores of an evaluation by the values of several fields, as one result. left_out: by an analysis of mentions."""

    evaluation: Evaluation
    members: tuple[Breakdown, ...]
    left_out: tuple[Notice, ...] = ()

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What a user should know about the scores and the groups."""
        own = (notice for each in self.members for notice in each.notices)
        return (*self.evaluation.notices, *self.left_out, *own)

    @property
    def signatures(self) -> tuple[str, ...]:
        """How scores were made, in one line."""
        return (self.evaluation.signature,)

    def describe(self, style: Style) -> list[str]:
        """Return a line for the key and one for the response."""
        return self.evaluation.describe(style)

    def tables(self, *, digits: Digits = "round") -> Iterator[Table]:
        """Yield a table for each field, the whole in its last row."""
        write, measures = make_score_formatter(digits), self.evaluation.measures
        for each in self.members:
            body = [
                [
                    group.label,
                    f"{group.key_mentions:,}",
                    f"{group.response_mentions:,}",
                    *(format_main(group.restricted, measure, write) for measure in measures),
                    *(write(value) for value in group.average),
                ]
                for group in (*each.groups, each.whole)
            ]
            rates = ("B³ of mentions: recall", "precision", "f1")
            head = [each.field, "key", "response", *map(str, measures), *rates]
            yield Table(f"Scores by {each.field}", head, body, 1, _NOTES)

    def build_records(self) -> dict[str, list[object]]:
        """Return a row for each label and measure; the rows of no field are of all mentions."""
        labelled = [(each.field, group) for each in self.members for group in each.groups]
        labelled += [("", each.whole) for each in self.members[:1]]
        rows = [row for field, group in labelled for row in _list_records(field, group)]
        return collect_columns(_COLUMNS, rows)

    def build_content(self) -> dict[str, object]:
        """Return everything as plain objects."""
        return {
            "key": self.evaluation.key,
            "response": self.evaluation.response,
            "signature": self.evaluation.signature,
            "breakdowns": [
                {
                    "field": each.field,
                    "groups": [{"label": group.label, **_list_group(group)} for group in each.groups],
                    "notices": [notice.to_dict() for notice in each.notices],
                }
                for each in self.members
            ],
            "all": _list_group(self.members[0].whole),
            "notices": [notice.to_dict() for notice in self.evaluation.notices],
        }


_NOTES = (
    "each row: the scores if key and response had these mentions only (their f1, or single score)",
    "B³ of mentions: the recall and precision of these mentions, all others being there (Popescu-Belis 1999, 4.4)",
)
_COLUMNS = ("field", "label", "key_mentions", "response_mentions", "measure", "recall", "precision", "f1", "score")


def _list_group(group: MentionGroup) -> dict[str, object]:
    return {
        "key_mentions": group.key_mentions,
        "response_mentions": group.response_mentions,
        "measures": list_scores(group.restricted, group.restricted.measures),
        "bcub_of_mentions": group.average._asdict(),
    }


def _list_records(field: str, group: MentionGroup) -> Iterator[tuple[object, ...]]:
    start = (field, group.label, group.key_mentions, group.response_mentions)
    for measure in group.restricted.measures:
        values = group.restricted[measure].values
        yield (*start, str(measure), *(values.get(part) for part in _COLUMNS[-4:]))
    yield (*start, "bcub of mentions", *group.average, None)


def break_down_scores(evaluation: Evaluation, field: str) -> Breakdown:
    """The scores of each group of mentions that a field tells apart."""
    found = label_mentions(evaluation, get_rows(evaluation), field)
    ours, theirs = (np.array(side, dtype=np.str_) for side in (found.key, found.response))
    groups = [
        score_group(evaluation, label, ours == label, theirs == label)
        for label in found.order
        if (ours == label).any() or (theirs == label).any()
    ]
    rows = get_rows(evaluation)
    everything = (np.ones(len(side), dtype=np.bool_) for side in (rows.key, rows.response))
    return Breakdown(field, tuple(groups), score_group(evaluation, "all", *everything), found.notices)


def score_group(evaluation: Evaluation, label: str, key: Booleans, response: Booleans) -> MentionGroup:
    """The scores of the mentions chosen."""
    return MentionGroup(
        label,
        int(key.sum()),
        int(response.sum()),
        _restricted(evaluation, key, response),
        average_bcub(evaluation, key, response),
    )


def _restricted(evaluation: Evaluation, key: Booleans, response: Booleans) -> Evaluation:
    """As if there were no other mentions; an average of documents is over those that have some of the group."""
    found = restrict_mentions(evaluation, key, response)
    if evaluation.options.average == "micro":
        return found
    rows, before = get_rows(found), get_rows(evaluation)
    emptied = _documents(before) - _documents(rows)
    return select_documents(
        found, tuple(name for number, name in enumerate(found.document_names) if number not in emptied)
    )


def _documents(rows: Rows) -> set[int]:
    """Those with mentions."""
    return {*rows.key.document.tolist(), *rows.response.document.tolist()}


def average_bcub(evaluation: Evaluation, key: Booleans, response: Booleans) -> MentionAverage:
    """B³'s recall averaged over the key mentions chosen, and its precision over the response mentions chosen.

    Those that B³ does not see, as singletons of some scorers, are not among them.
    """
    ours, theirs = (
        (side.credit / side.size)[chosen[side.selected]]
        for chosen, side in zip((key, response), view_sides(evaluation, Bcub())[:2], strict=True)
    )
    return MentionAverage(*recall_precision_f(float(ours.sum()), len(ours), float(theirs.sum()), len(theirs), 0, 1.0))
