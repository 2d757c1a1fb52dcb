"""Scores after every edit: all measures, changes since the last edit and since the start, the cells touched."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from corefeval import measures as known
from corefeval._lazy import NamedTuple
from corefeval.analysis.explain import Derivation
from corefeval.corpus.corpus import Corpus
from corefeval.measures import Measure
from corefeval.notices import hold_announcements
from corefeval.options import Options
from corefeval.scoring.results import Evaluation
from corefeval.scoring.score import score_corpora
from corefeval.workbench.annotations import Annotation, Content, build_corpus, join_corpora, join_documents

Value = TypeVar("Value")

_MOST_CELLS = 200
_MOST_LINES = 400
_MOST_NOTICES = 20


class ScoringRules(NamedTuple):
    """Which measures are computed, and how mentions are matched and counted."""

    measures: tuple[Measure, ...]
    options: Options


class SidePair(NamedTuple):
    """A key and a response, each with an annotation for each of some documents."""

    contents: Sequence[Content]
    key: Sequence[Annotation]
    response: Sequence[Annotation]


class ScoreCache:
    """Evaluations of pairs of annotations, and the corpora of single ones, as many as are looked at again soon."""

    def __init__(self, rules: ScoringRules, size: int = 64) -> None:
        self.rules = rules
        self._size = size
        self._evaluations: OrderedDict[tuple[int, ...], tuple[object, Evaluation]] = OrderedDict()
        self._corpora: OrderedDict[tuple[int, ...], tuple[object, Corpus]] = OrderedDict()

    def evaluate(self, pair: SidePair) -> Evaluation:
        """Return the evaluation of a pair; entities have their ids for names."""
        parts = (*pair.contents, *pair.key, *pair.response)

        def compute() -> Evaluation:
            """Return the evaluation of the pair's corpora."""
            with hold_announcements():
                return score_corpora(
                    self._join(pair.contents, pair.key, "key"),
                    self._join(pair.contents, pair.response, "response"),
                    self.rules.measures,
                    self.rules.options,
                )

        return _remember(self._evaluations, parts, compute, self._size)

    def _join(self, contents: Sequence[Content], annotations: Sequence[Annotation], source: str) -> Corpus:
        """Return one corpus of a side of some documents."""
        corpora = [
            _remember(
                self._corpora,
                (content, annotation),
                lambda c=content, a=annotation: build_corpus(c, a, by_id=True),  # type: ignore[misc]
                self._size * len(contents),
            )
            for content, annotation in zip(contents, annotations, strict=True)
        ]
        return join_corpora(corpora, source)


def _remember(
    store: OrderedDict[tuple[int, ...], tuple[object, Value]],
    parts: tuple[object, ...],
    compute: Callable[[], Value],
    size: int,
) -> Value:
    """Return what was computed for these very objects, or compute it; the least recent of more than `size` go."""
    key = tuple(map(id, parts))
    if key not in store:
        store[key] = parts, compute()  # the objects are held, so that no other one gets their numbers
        while len(store) > size:
            store.popitem(last=False)
    store.move_to_end(key)
    return store[key][1]


def describe_scores(now: Evaluation, last: Evaluation | None = None, start: Evaluation | None = None) -> dict[str, Any]:
    """Return all scores as plain objects, with changes since the last edit and since the start, if given."""
    content: dict[str, Any] = {
        "signature": now.signature,
        "measures": [_describe_measure(measure, now, last, start) for measure in now.measures],
        "notices": [notice.message for notice in now.notices[:_MOST_NOTICES]],
    }
    if last is not None:
        content["cells"] = find_touched_cells(last, now)
    return content


def _describe_measure(
    measure: Measure, now: Evaluation, last: Evaluation | None, start: Evaluation | None
) -> dict[str, Any]:
    """Return one measure's values, and how far they are from those of the last edit and of the start."""
    score = now[measure]
    return {
        "name": str(measure),
        "title": measure.title,
        "values": {name: score.values[name] for name in measure.shown},
        "undefined": list(score.undefined),
        "less_is_better": list(measure.costs),
        "default": measure.name in known.registry.DEFAULT,
        **{
            name: _subtract(score.values, other[measure].values, measure.shown)
            for name, other in (("since_last", last), ("since_start", start))
            if other is not None
        },
    }


def _subtract(now: Mapping[str, Any], before: Mapping[str, Any], names: Sequence[str]) -> dict[str, float]:
    """Return the differences of those values that are numbers."""
    return {name: now[name] - before[name] for name in names if not isinstance(now[name], str)}


def find_touched_cells(before: Evaluation, after: Evaluation) -> dict[str, Any]:
    """Return the cells of the table of shared mentions that differ, by the entities' ids, and how many they are."""
    old, new = _count_cells(before), _count_cells(after)
    touched = [cell for cell in {**old, **new} if old[cell] != new[cell]]
    listed = [
        {"document": document, "key": key, "response": response, "before": old[cell], "after": new[cell]}
        for cell in touched[:_MOST_CELLS]
        for document, key, response in (cell,)
    ]
    return {"count": len(touched), "cells": listed}


def _count_cells(evaluation: Evaluation) -> Counter[tuple[str, str, str]]:
    """Return how many mentions are shared, by document, key entity and response entity."""
    rows = evaluation.mentions
    if rows is None:
        return Counter()
    key, response = rows.key, rows.response
    documents = [key.documents[number] for number in key.document[rows.twin_key].tolist()]
    ours = [str(key.entity_name[number]) for number in key.entity[rows.twin_key].tolist()]
    theirs = [str(response.entity_name[number]) for number in response.entity[rows.twin_response].tolist()]
    return Counter(zip(documents, ours, theirs, strict=True))


def explain_measure(pair: SidePair, measure: str, rules: ScoringRules) -> dict[str, Any]:
    """Return how a measure comes to its number on a pair, as lines of text, at most some hundred of them."""
    key, response = (join_documents(pair.contents, side, "") for side in (pair.key, pair.response))
    with hold_announcements():
        evaluation = score_corpora(key, response, (known.get_measure(measure),), rules.options)
        lines = Derivation(evaluation, evaluation.measures[0]).text.split("\n")
    left = len(lines) - _MOST_LINES
    shown = lines if left <= 0 else [*lines[:_MOST_LINES], f"… and {left:,} lines more: corefeval explain shows all"]
    return {"measure": str(evaluation.measures[0]), "lines": shown}
