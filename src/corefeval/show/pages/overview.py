"""What the page shows of all documents together: scores with intervals, what each measure means and what it missed."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corefeval import __version__
from corefeval.measures.base import COUNTS
from corefeval.scoring.layout import build_rows
from corefeval.tables.table import UNDEFINED, format_percent, get_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefeval._arrays import Floats
    from corefeval.comparison.results import Comparison, Difference
    from corefeval.corpus.corpus import Corpus
    from corefeval.measures import Measure
    from corefeval.measures.score import Score
    from corefeval.overlap.views import Rows
    from corefeval.scoring.layout import ScoreRow
    from corefeval.scoring.results import Evaluation
    from corefeval.show.pages.errors import PageError

_FIELDS = ("recall", "precision", "f1")
_LOSSES = (("recall", "not found"), ("precision", "not right"))
_SHOWN_DOCUMENTS = 5
_CONLL_NAME = re.compile(r"\((.+)\); part (\d+)")


class ScoreCell(NamedTuple):
    """A system's scores by one measure, written out; positions are in per cent."""

    system: str
    recall: str
    precision: str
    main: str
    best: frozenset[str]
    score: float
    low: float | None
    high: float | None
    interval: str
    against: str
    p: str
    significant: bool


class MeasureLine(NamedTuple):
    """A measure with all systems' scores, and what there is to say about it.

    A paragraph of `about` is pieces of which every other one is code.
    """

    name: str
    title: str
    about: list[list[str]]
    formula: str
    citation: str
    adds_up: str
    cells: list[ScoreCell]
    missed: list[SystemLosses]


class SystemLosses(NamedTuple):
    """What a system lost by a measure: in sentences, and the documents where it lost most."""

    system: str
    counts: list[str]
    documents: list[tuple[int, str, str]]


def make_lines(comparison: Comparison) -> Iterator[MeasureLine]:
    """The overview's table, measure by measure."""
    evaluations = [system.runs[0] for system in comparison.systems]
    names = [system.name for system in comparison.systems]
    rows = build_rows(evaluations)
    for place, measure in enumerate(comparison.measures):
        own = rows[place * len(names) : (place + 1) * len(names)]
        yield MeasureLine(
            str(measure),
            measure.title,
            [paragraph.split("`") for paragraph in inspect.cleandoc(type(measure).__doc__ or "").split("\n\n")],
            measure.formula,
            measure.citation,
            measure.adds_up,
            [_make_cell(comparison, row, name) for row, name in zip(own, names, strict=True)],
            [_describe_losses(name, each, measure) for name, each in zip(names, evaluations, strict=True)],
        )


def _make_cell(comparison: Comparison, row: ScoreRow, name: str) -> ScoreCell:
    estimate = next(system for system in comparison.systems if system.name == name).measures[str(row.measure)]
    main = row.measure.main
    known = len(comparison.document_names) > 1 and main not in row.score.undefined
    low, high = estimate.interval if known else (None, None)
    against = _find_difference(comparison, name, str(row.measure))
    return ScoreCell(
        name,
        get_text(row.get_cell("recall", format_percent)),
        get_text(row.get_cell("precision", format_percent)),
        get_text(row.get_cell(main, format_percent)),
        row.best,
        100 * row.score.main,
        None if low is None else 100 * low,
        None if high is None else 100 * high,
        "" if low is None or high is None else f"{100 * low:.2f} to {100 * high:.2f}",
        "" if against is None else f"{100 * against.difference:+.2f}",
        "" if against is None else f"p {format_probability(against.p_corrected)}",
        against is not None and against.significant,
    )


def _find_difference(comparison: Comparison, name: str, measure: str) -> Difference | None:
    if len(comparison.document_names) < 2:
        return None
    first = comparison.systems[0].name
    return next(
        (each for each in comparison.comparisons if (each.a, each.b, each.measure) == (first, name, measure)), None
    )


def format_probability(p: float) -> str:
    """A p-value as people write it."""
    return f"= {p:.3f}" if p >= 0.001 else "< 0.001"


def _describe_losses(name: str, evaluation: Evaluation, measure: Measure) -> SystemLosses:
    score = evaluation[measure]
    counts = [_describe_loss(score, side, word) for side, word in _LOSSES if f"{side}_denominator" in score.values]
    lost = _count_losses(evaluation, measure)
    order = np.argsort(-lost, kind="stable")[:_SHOWN_DOCUMENTS].tolist()
    scores, undefined = score_documents(evaluation, measure)
    names = shorten_document_names(evaluation.document_names)
    worst = [
        (place, names[place], UNDEFINED if undefined[place] else format_percent(float(scores[place])))
        for place in order
        if lost[place] > 0
    ]
    return SystemLosses(name, counts, worst if len(evaluation.document_names) > 1 else [])


def _describe_loss(score: Score, side: str, word: str) -> str:
    found, wanted = (float(score.values[f"{side}_{part}"]) for part in ("numerator", "denominator"))
    return f"{side}: {_format_count(found)} of {_format_count(wanted)}, {_format_count(wanted - found)} {word}"


def _format_count(value: float) -> str:
    return f"{value:,.0f}" if abs(value - round(value)) < 1e-9 else f"{value:,.2f}"


def _count_losses(evaluation: Evaluation, measure: Measure) -> Floats:
    """How much each document loses: counts, where there are such; else how far its score is from 1."""
    columns = {name: np.atleast_1d(np.asarray(value)) for name, value in evaluation.count(measure).items()}
    if all(name in columns for name in COUNTS):
        found, wanted, right, given = (columns[name].astype(np.float64) for name in COUNTS)
        return (wanted - found) + (given - right)
    scores, undefined = score_documents(evaluation, measure)
    return np.where(undefined, 0, 1 - scores if measure.more_is_better else scores)


def score_documents(evaluation: Evaluation, measure: Measure) -> tuple[Floats, Any]:
    """The main value of every document, and where it is 0/0."""
    columns = {name: np.atleast_1d(np.asarray(value)) for name, value in evaluation.count(measure).items()}
    values = measure.score(columns)
    documents = len(evaluation.document_names)
    main = np.broadcast_to(np.asarray(values[measure.main], dtype=np.float64), documents)
    return main, np.broadcast_to(np.asarray(values["undefined"].get(measure.main, False)), documents)


def make_data(comparison: Comparison, rows: Sequence[Rows], errors: Sequence[Sequence[PageError]]) -> dict[str, Any]:
    """What the script needs of all documents: names, sizes, scores, errors by kind, differences."""
    evaluations = [system.runs[0] for system in comparison.systems]
    key = rows[0].key
    return {
        "version": __version__,
        "unit": key.unit,
        "systems": [system.name for system in comparison.systems],
        "measures": [
            {"name": str(each), "title": each.title, "better": each.more_is_better} for each in comparison.measures
        ],
        "documents": [
            [name, words, mentions, entities]
            for name, words, mentions, entities in zip(
                shorten_document_names(key.documents),
                _count_words(key),
                _count_by_document(key.document, key),
                _count_by_document(key.entity_document, key),
                strict=True,
            )
        ],
        "scores": [[_list_scores(each, measure) for measure in comparison.measures] for each in evaluations],
        "errors": [_count_errors(listed, len(key.documents)) for listed in errors],
        "differences": [_make_difference_record(comparison, each) for each in comparison.comparisons],
    }


def _list_scores(evaluation: Evaluation, measure: Measure) -> list[float | None]:
    scores, undefined = score_documents(evaluation, measure)
    return [
        None if missing else round(100 * score, 2)
        for score, missing in zip(scores.tolist(), np.asarray(undefined).tolist(), strict=True)
    ]


def shorten_document_names(documents: Sequence[str]) -> list[str]:
    """The documents' names; CoNLL files' "(name); part 000" without what is the same everywhere."""
    found = [_CONLL_NAME.fullmatch(name) for name in documents]
    if not all(found):
        return list(documents)
    parts = [(match[1], int(match[2])) for match in found if match]
    alone = all(part == 0 for _, part in parts)
    return [name if alone else f"{name}, part {part}" for name, part in parts]


def _count_by_document(document: Any, corpus: Corpus) -> list[int]:
    counted: list[int] = np.bincount(document, minlength=len(corpus.documents)).tolist()
    return counted


def _count_words(corpus: Corpus) -> list[int | None]:
    """How many words, or characters, every document has."""
    tokens, texts = corpus.tokens, corpus.texts
    if tokens is not None:
        written = np.ones(len(tokens), dtype=np.int64) if tokens.empty is None else ~tokens.empty
        until = np.append(0, np.cumsum(written))
        lengths: list[int | None] = np.diff(until[tokens.bounds - tokens.bounds[0]]).tolist()
        return lengths
    return [None] * len(corpus.documents) if texts is None else [len(text) for text in texts]


def _count_errors(errors: Iterable[PageError], documents: int) -> list[dict[str, int]]:
    counted: list[Counter[str]] = [Counter() for _ in range(documents)]
    for error in errors:
        counted[error.document][error.kind] += 1
    return [dict(each) for each in counted]


def _make_difference_record(comparison: Comparison, each: Difference) -> dict[str, Any]:
    names = [system.name for system in comparison.systems]
    rough = len(comparison.document_names) < 2
    return {
        "a": names.index(each.a),
        "b": names.index(each.b),
        "measure": [str(measure) for measure in comparison.measures].index(each.measure),
        "points": round(100 * each.difference, 4),
        "interval": None if rough else [round(100 * bound, 4) for bound in each.interval],
        "p": None if rough else format_probability(each.p_corrected),
        "significant": each.significant and not rough,
        "documents": [each.wins, each.ties, each.losses],
    }
