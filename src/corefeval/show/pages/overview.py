"""What the page shows of all documents together: scores with intervals, what each measure means and what it missed."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from corefeval import __version__
from corefeval._arrays import Booleans, Floats
from corefeval._lazy import NamedTuple
from corefeval.comparison.results import Comparison, Difference, Standing
from corefeval.corpus.corpus import Corpus
from corefeval.measures import Measure
from corefeval.measures.base import COUNTS
from corefeval.scoring.layout import ScoreRow, build_rows
from corefeval.scoring.results import Evaluation
from corefeval.tables.table import UNDEFINED, format_percent, get_text

if TYPE_CHECKING:
    from corefeval.show.pages.errors import PageError

_LOSSES = {"recall": "not found", "precision": "not right"}
_SHOWN_DOCUMENTS = 5
_CONLL_NAME = re.compile(r"\((.+)\); part (\d+)")


class ScoreCell(NamedTuple):
    """A system's scores by one measure; score and interval in per cent. difference: over the first system."""

    system: str
    recall: str
    precision: str
    main: str
    best: frozenset[str]
    score: float
    interval: tuple[float, float] | None
    difference: Difference | None


class SystemLosses(NamedTuple):
    """What a system lost by a measure: in sentences, and the documents where it lost most."""

    system: str
    counts: list[str]
    documents: list[tuple[int, str, str]]


class MeasureLine(NamedTuple):
    """A measure with all systems' scores. A paragraph of `about` is pieces of which every other one is code."""

    measure: Measure
    about: list[list[str]]
    cells: list[ScoreCell]
    missed: list[SystemLosses]


def build_lines(comparison: Comparison) -> Iterator[MeasureLine]:
    """Yield a MeasureLine for each measure: its description, and the scores and losses of all systems."""
    systems = comparison.systems
    rows = build_rows([system.runs[0] for system in systems])
    for place, measure in enumerate(comparison.measures):
        own = rows[place * len(systems) : (place + 1) * len(systems)]
        yield MeasureLine(
            measure,
            [paragraph.split("`") for paragraph in inspect.cleandoc(type(measure).__doc__ or "").split("\n\n")],
            [_build_cell(comparison, system, row) for system, row in zip(systems, own, strict=True)],
            [_list_losses(system.name, system.runs[0], measure) for system in systems],
        )


def _build_cell(comparison: Comparison, system: Standing, row: ScoreRow) -> ScoreCell:
    """Return a system's ScoreCell by a measure; of one document without interval and difference (both None)."""
    name, main, several = str(row.measure), row.measure.main, len(comparison.document_names) > 1
    low, high = system.measures[name].interval
    pair = comparison.systems[0].name, system.name, name
    difference = next((each for each in comparison.comparisons if (each.a, each.b, each.measure) == pair), None)
    return ScoreCell(
        system.name,
        get_text(row.make_cell("recall", format_percent)),
        get_text(row.make_cell("precision", format_percent)),
        get_text(row.make_cell(main, format_percent)),
        row.best,
        100 * row.score.main,
        (100 * low, 100 * high) if several and main not in row.score.undefined else None,
        difference if several else None,
    )


def format_probability(p: float) -> str:
    """Return a p-value as text with its sign: "= 0.012", or "< 0.001"."""
    return f"= {p:.3f}" if p >= 0.001 else "< 0.001"


def _list_losses(name: str, evaluation: Evaluation, measure: Measure) -> SystemLosses:
    """Return SystemLosses by a measure: phrases, if it has such counts, and the five worst documents, if several."""
    values, counts = evaluation[measure].values, []
    for side, word in _LOSSES.items():
        if f"{side}_denominator" in values:
            found, wanted = (float(values[f"{side}_{part}"]) for part in ("numerator", "denominator"))
            written = [_format_count(each) for each in (found, wanted, wanted - found)]
            counts.append(f"{side}: {written[0]} of {written[1]}, {written[2]} {word}")
    lost = _count_losses(evaluation, measure)
    scores, undefined = score_documents(evaluation, measure)
    names = shorten_document_names(evaluation.document_names)
    worst = [
        (place, names[place], UNDEFINED if undefined[place] else format_percent(float(scores[place])))
        for place in np.argsort(-lost, kind="stable")[:_SHOWN_DOCUMENTS].tolist()
        if lost[place] > 0 and len(names) > 1
    ]
    return SystemLosses(name, counts, worst)


def _format_count(value: float) -> str:
    """Return a count as text with commas, and with two decimals if it is no whole number."""
    return f"{value:,.0f}" if abs(value - round(value)) < 1e-9 else f"{value:,.2f}"


def _count_losses(evaluation: Evaluation, measure: Measure) -> Floats:
    """Return an array of documents' losses: what counts lack or, without counts, the score's distance from the best."""
    counts = evaluation.count(measure)
    if all(name in counts for name in COUNTS):
        found, wanted, right, given = (np.atleast_1d(counts[name]).astype(np.float64) for name in COUNTS)
        return (wanted - found) + (given - right)
    scores, undefined = score_documents(evaluation, measure)
    return np.where(undefined, 0, 1 - scores if measure.more_is_better else scores)


def score_documents(evaluation: Evaluation, measure: Measure) -> tuple[Floats, Booleans]:
    """Return two arrays: the main value of every document, and whether it is undefined (0/0)."""
    values, documents = evaluation.score_documents(measure), len(evaluation.document_names)
    main = np.broadcast_to(np.asarray(values[measure.main], dtype=np.float64), documents)
    return main, np.broadcast_to(np.asarray(values["undefined"].get(measure.main, False)), documents)


def build_data(comparison: Comparison, key: Corpus, errors: Sequence[Sequence[PageError]]) -> dict[str, Any]:
    """Return a dict for the script, over all documents: names, sizes, scores, errors by kind, differences."""
    names, measures = [system.name for system in comparison.systems], [str(each) for each in comparison.measures]
    rough = len(comparison.document_names) < 2  # one document has no interval and no p-value
    sizes = [np.bincount(each, minlength=len(key.documents)).tolist() for each in (key.document, key.entity_document)]
    documents = zip(shorten_document_names(key.documents), _count_words(key), *sizes, strict=True)
    counted: list[list[Counter[str]]] = [[Counter() for _ in key.documents] for _ in errors]
    for counts, listed in zip(counted, errors, strict=True):
        for error in listed:
            counts[error.document][error.kind] += 1
    return {
        "version": __version__,
        "unit": key.unit,
        "systems": names,
        "measures": [
            {"name": str(each), "title": each.title, "better": each.more_is_better} for each in comparison.measures
        ],
        "documents": [list(each) for each in documents],
        "scores": [
            [_list_scores(system.runs[0], measure) for measure in comparison.measures] for system in comparison.systems
        ],
        "errors": counted,
        "differences": [
            {
                "a": names.index(each.a),
                "b": names.index(each.b),
                "measure": measures.index(each.measure),
                "points": round(100 * each.difference, 4),
                "interval": None if rough else [round(100 * bound, 4) for bound in each.interval],
                "p": None if rough else format_probability(each.p_corrected),
                "significant": each.significant and not rough,
                "documents": [each.wins, each.ties, each.losses],
            }
            for each in comparison.comparisons
        ],
    }


def _list_scores(evaluation: Evaluation, measure: Measure) -> list[float | None]:
    """Return a list: the main value of every document in per cent, None where it is undefined."""
    both = zip(*(column.tolist() for column in score_documents(evaluation, measure)), strict=True)
    return [None if undefined else round(100 * score, 2) for score, undefined in both]


def shorten_document_names(documents: Sequence[str]) -> list[str]:
    """Return "name, part 1" (or "name") for "(name); part 001" if all are such names of CoNLL files; else unchanged."""
    found = [_CONLL_NAME.fullmatch(name) for name in documents]
    if not all(found):
        return list(documents)
    parts = [(match[1], int(match[2])) for match in found if match]
    alone = all(part == 0 for _, part in parts)
    return [name if alone else f"{name}, part {part}" for name, part in parts]


def _count_words(corpus: Corpus) -> list[int | None]:
    """Return a list: how many words, or else characters, every document has; None for each if there is no text."""
    tokens, texts = corpus.tokens, corpus.texts
    if tokens is not None:
        lengths: list[int | None] = np.diff(tokens.without_empty().bounds).tolist()
        return lengths
    return [None] * len(corpus.documents) if texts is None else [len(text) for text in texts]
