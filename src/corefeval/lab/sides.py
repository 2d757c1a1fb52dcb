"""Sides as numbered mentions: what studies take apart and put together again, whether there is text or not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np

from corefeval._arrays import Booleans, Ints
from corefeval._lazy import NamedTuple
from corefeval.baselines.responses import group_mentions
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Labels
from corefeval.errors import OptionError
from corefeval.lab.findings import Figure, Number
from corefeval.lab.subject import StudySubject, check_measures
from corefeval.measures import Measure
from corefeval.measures.base import RecallPrecision
from corefeval.measures.score import Score
from corefeval.notices import Notice, join_notices
from corefeval.options import Options
from corefeval.scoring.results import Evaluation
from corefeval.scoring.score import score_corpora

Scores: TypeAlias = dict[str, list[Score]]
"""By measure, the scores of responses in their order."""

_COUNTING = ("singletons", "average", "twinless", "boundary")
"""The decisions that are left when mentions are matched."""


class NumberedSide(NamedTuple):
    """Columns with a row for each mention: its number, its document's, its entity's; numbers mean the same elsewhere.

    names: of all documents.
    """

    names: tuple[str, ...]
    mention: Ints
    document: Ints
    entity: Ints

    def keep(self, chosen: Booleans) -> NumberedSide:
        """Return the side with the mentions chosen by a boolean for each."""
        return NumberedSide(self.names, self.mention[chosen], self.document[chosen], self.entity[chosen])

    def add(self, mention: Ints, document: Ints, entity: Ints) -> NumberedSide:
        """Return the side with more mentions."""
        columns = ((self.mention, mention), (self.document, document), (self.entity, entity))
        return NumberedSide(self.names, *(np.concatenate(pair) for pair in columns))

    def build_corpus(self) -> Corpus:
        """Return a corpus of the mentions' numbers as labels; documents without mentions are there, too."""
        names = list(self.names)
        one_entity = Corpus(self.names, np.arange(len(names)), names, self.document, Labels(self.mention))
        return group_mentions(one_entity, self.entity)


class MatchedSides(NamedTuple):
    """A key and a response with numbered mentions, twins alike; how responses to that key are scored; and notices."""

    key: NumberedSide
    response: NumberedSide
    measures: tuple[Measure, ...]
    options: Options
    notices: tuple[Notice, ...] = ()

    def evaluate(self, responses: Iterable[NumberedSide]) -> list[Evaluation]:
        """Return the evaluations of responses to the key, in their order."""
        key = self.key.build_corpus()
        return [score_corpora(key, each.build_corpus(), self.measures, self.options) for each in responses]

    def score(self, responses: Iterable[NumberedSide]) -> Scores:
        """Return for each measure, by name, the scores of responses, in their order."""
        found = self.evaluate(responses)
        return {str(measure): [each[measure] for each in found] for measure in self.measures}


def number_sides(subject: StudySubject, response: Corpus) -> MatchedSides:
    """Return key and response with their mentions matched and numbered, and a notice if scores change by that."""
    check_measures(subject.measures)
    evaluation = subject.score(response)
    rows = evaluation.mentions
    assert rows is not None  # noqa: S101 - only pickled evaluations have lost them
    _, twins = rows.find_twins()
    number = np.where(twins < 0, len(rows.key) + np.arange(len(twins)), twins)
    documents = rows.key.documents
    ours = NumberedSide(documents, np.arange(len(rows.key)), rows.key.document, rows.key.entity)
    theirs = NumberedSide(documents, number, rows.response.document, rows.response.entity)
    options = Options()._replace(**{name: getattr(evaluation.options, name) for name in _COUNTING})
    sides = MatchedSides(ours, theirs, evaluation.measures, options)
    again = sides.score([theirs])
    changed = [name for name, (own,) in again.items() if abs(own.main - evaluation[name].main) > 1e-9]
    message = (
        "mentions that are in several entities, or match in part, count as mentions of their own here: "
        f"scores differ from those of `corefeval score` by {', '.join(changed)}"
    )
    notices = [Notice("repeats-apart", message)] if changed else []
    return sides._replace(notices=join_notices((evaluation.notices, notices)))


def select_rates(subject: StudySubject) -> StudySubject:
    """Return the subject with those measures only that have recall and precision; an OptionError if none has."""
    found = tuple(each for each in subject.measures if isinstance(each, RecallPrecision))
    if not found:
        names = ", ".join(map(str, subject.measures))
        raise OptionError(f"{names}: no recall and precision, which this study is about")
    return subject._replace(measures=found)


def name_left_out(subject: StudySubject) -> list[str]:
    """Return a sentence that names the measures which `select_rates` leaves out; [] if it leaves out none."""
    left_out = [str(each) for each in subject.measures if not isinstance(each, RecallPrecision)]
    return [f"Left out, for they have no recall and precision: {', '.join(left_out)}."] if left_out else []


def draw_scores(
    horizontal: str, vertical: str, places: Sequence[Number | str], scores: Scores, field: str = "main"
) -> Figure:
    """Return the figure of a field of scores, such as "recall", in per cent, with a curve for each measure."""
    curves = {name: [100 * getattr(each, field) for each in own] for name, own in scores.items()}
    return Figure(horizontal, vertical, places, curves)
