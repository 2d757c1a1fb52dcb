"""Sides as numbered mentions: what studies take apart and put together again, whether there is text or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from corefeval._arrays import Booleans, Ints
from corefeval._lazy import NamedTuple
from corefeval.baselines.responses import group_mentions
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Labels
from corefeval.errors import OptionError
from corefeval.measures import Measure
from corefeval.measures.base import RecallPrecision
from corefeval.measures.score import Score
from corefeval.notices import Notice, join_notices
from corefeval.scoring.score import score

RATES = ("recall", "precision", "f1")
Scores: TypeAlias = dict[str, list[Score]]


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


def number_key(key: Corpus) -> NumberedSide:
    """Return a key with its mentions numbered from 0 on."""
    return NumberedSide(key.documents, np.arange(len(key)), key.document, key.entity)


def number_sides(
    key: Corpus, response: Corpus, measures: Sequence[Measure]
) -> tuple[NumberedSide, NumberedSide, tuple[Notice, ...]]:
    """Return a key and a response with numbered mentions, twins alike, and notices: one if scores change by that."""
    evaluation = score(key, response, measures=measures)
    rows = evaluation.mentions
    assert rows is not None  # noqa: S101 - only pickled evaluations have lost them
    _, twins = rows.find_twins()
    ours = number_key(rows.key)
    number = np.where(twins < 0, len(rows.key) + np.arange(len(twins)), twins)
    theirs = NumberedSide(rows.key.documents, number, rows.response.document, rows.response.entity)
    again = score(ours.build_corpus(), theirs.build_corpus(), measures=measures)
    changed = [str(each) for each in measures if abs(again[each].main - evaluation[each].main) > 1e-9]
    notices: tuple[Notice, ...] = ()
    if changed:
        message = (
            "mentions that are in several entities, or match in part, count as mentions of their own here: "
            f"scores differ from those of `corefeval score` by {', '.join(changed)}"
        )
        notices = (Notice("repeats-apart", message),)
    return ours, theirs, join_notices((evaluation.notices, notices))


def score_sides(key: NumberedSide, responses: Mapping[str, NumberedSide], measures: Sequence[Measure]) -> Scores:
    """Return for each measure, by name, the scores of all responses, in their order."""
    corpus = key.build_corpus()
    evaluations = [score(corpus, each.build_corpus(), measures=measures) for each in responses.values()]
    return {str(measure): [each[measure] for each in evaluations] for measure in measures}


def select_rates(measures: Sequence[Measure]) -> tuple[Measure, ...]:
    """Return those of measures that have recall and precision; an OptionError if none has."""
    found = tuple(each for each in measures if isinstance(each, RecallPrecision))
    if not found:
        raise OptionError(f"{', '.join(map(str, measures))}: no recall and precision, which this study is about")
    return found
