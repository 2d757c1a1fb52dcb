"""What the page shows of all documents together: scores with intervals, differences, what each measure missed."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from corefeval import __version__
from corefeval._arrays import Booleans, Floats
from corefeval.comparison.results import Comparison, Standing
from corefeval.corpus.corpus import Corpus
from corefeval.measures import Measure
from corefeval.measures.base import COUNTS
from corefeval.notices import Notice
from corefeval.scoring.layout import ScoreRow, build_rows
from corefeval.scoring.results import Evaluation
from corefeval.show.pages.content import FORMAT
from corefeval.show.pages.content.paths import get_file_name, hide_folders, shorten_system_names
from corefeval.show.pages.content.points import count_points

if TYPE_CHECKING:
    from corefeval.show.pages.content.errors import PageError

Record = dict[str, Any]
_WORST_DOCUMENTS = 5
_CONLL_NAME = re.compile(r"\((.+)\); part (\d+)")


def build_overview(comparison: Comparison, sides: Sequence[tuple[Corpus, Corpus]], notices: Sequence[Notice]) -> Record:
    """Return a dict for the script, over all documents: names, sizes, measures, scores, differences, notices."""
    key, evaluations = sides[0][0], [system.runs[0] for system in comparison.systems]
    sizes = [np.bincount(each, minlength=len(key.documents)).tolist() for each in (key.document, key.entity_document)]
    paths = [path for each in evaluations for path in (each.key, each.response)]
    names = shorten_system_names([system.name for system in comparison.systems])
    settings = comparison.settings
    return {
        "format": FORMAT,
        "version": __version__,
        "unit": key.unit,
        "key": _count_side(key) | {"name": get_file_name(evaluations[0].key) or "in memory"},
        "systems": [_count_side(response) | {"name": name} for name, (_, response) in zip(names, sides, strict=True)],
        "measures": [_describe_measure(each, comparison.measures) for each in comparison.measures],
        "settings": {
            "confidence": settings.confidence,
            "test": settings.test,
            "correction": settings.correction,
            "interval": settings.interval,
            "resamples": settings.resamples,
            "seed": settings.seed,
        },
        "signature": comparison.signature,
        "notices": [{"kind": each.kind, "message": hide_folders(str(each), [*paths, each.source])} for each in notices],
        "documents": {
            "name": shorten_document_names(key.documents),
            "words": _count_words(key),
            "mentions": sizes[0],
            "entities": sizes[1],
        },
        "results": _list_results(comparison),
        "scores": [
            [_list_scores(system.runs[0], measure) for measure in comparison.measures] for system in comparison.systems
        ],
        "differences": _list_differences(comparison),
    }


def _count_side(corpus: Corpus) -> Record:
    """Return {"mentions", "entities"}: how many a side has."""
    return {"mentions": len(corpus), "entities": len(corpus.entity_document)}


def _describe_measure(measure: Measure, measures: Sequence[Measure]) -> Record:
    """Return what is true of a measure. A paragraph of `about` is pieces of which every other one is code."""
    parts = [measures.index(part) for part in measure.parts if part in measures]
    return {
        "name": str(measure),
        "title": measure.title,
        "main": measure.main,
        "better": "higher" if measure.more_is_better else "lower",
        "about": [paragraph.split("`") for paragraph in inspect.cleandoc(type(measure).__doc__ or "").split("\n\n")],
        "formula": measure.formula,
        "citation": measure.citation,
        "addsUp": measure.adds_up,
        "parts": parts if len(parts) == len(measure.parts) else [],
    }


def _list_results(comparison: Comparison) -> list[list[Record]]:
    """Return a list for each system: its results by every measure."""
    systems, count = comparison.systems, len(comparison.systems)
    rows = build_rows([system.runs[0] for system in systems])
    return [
        [_build_result(comparison, system, rows[place * count + number]) for place in range(len(comparison.measures))]
        for number, system in enumerate(systems)
    ]


def _build_result(comparison: Comparison, system: Standing, row: ScoreRow) -> Record:
    """Return a system's scores by one measure in per cent, None where undefined; of one document without interval."""
    measure, several = row.measure, len(comparison.document_names) > 1
    interval = system.measures[str(measure)].interval
    known = several and measure.main not in row.score.undefined
    return {
        "recall": _get_percent(row, "recall"),
        "precision": _get_percent(row, "precision"),
        "main": _get_percent(row, measure.main),
        "best": sorted("main" if field == measure.main else field for field in row.best),
        "interval": [count_points(bound) for bound in interval] if known else None,
        "lost": _list_losses(system.runs[0], measure),
        "worst": _find_worst_documents(system.runs[0], measure),
    }


def _get_percent(row: ScoreRow, field: str) -> float | None:
    """Return a field of a score in per cent, None if the measure has none or it is undefined."""
    value = row.score.values.get(field)
    if value is None or isinstance(value, str) or field in row.score.undefined:
        return None
    return count_points(value)


def _list_losses(evaluation: Evaluation, measure: Measure) -> list[Record]:
    """Return {side, found, wanted} of recall and of precision, if the measure has such counts."""
    values = evaluation[measure].values
    return [
        {
            "side": side,
            "found": round(float(values[f"{side}_numerator"]), 4),
            "wanted": round(float(values[f"{side}_denominator"]), 4),
        }
        for side in ("recall", "precision")
        if f"{side}_denominator" in values
    ]


def _find_worst_documents(evaluation: Evaluation, measure: Measure) -> list[int]:
    """Return the numbers of the five documents that lose most by a measure; [] if there is one document only."""
    if len(evaluation.document_names) < 2:
        return []
    lost = _count_losses(evaluation, measure)
    order = np.argsort(-lost, kind="stable")[:_WORST_DOCUMENTS].tolist()
    return [place for place in order if lost[place] > 0]


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


def _list_scores(evaluation: Evaluation, measure: Measure) -> list[float | None]:
    """Return a list: the main value of every document in per cent, None where it is undefined."""
    both = zip(*(column.tolist() for column in score_documents(evaluation, measure)), strict=True)
    return [None if undefined else round(100 * score, 2) for score, undefined in both]


def _list_differences(comparison: Comparison) -> list[Record]:
    """Return all differences of two systems by a measure, in points; of one document without interval and p."""
    names, measures = [system.name for system in comparison.systems], [str(each) for each in comparison.measures]
    rough = len(comparison.document_names) < 2
    return [
        {
            "a": names.index(each.a),
            "b": names.index(each.b),
            "measure": measures.index(each.measure),
            "points": count_points(each.difference),
            "interval": None if rough else [count_points(bound) for bound in each.interval],
            "p": None if rough else each.p_corrected,
            "significant": each.significant and not rough,
            "documents": [each.wins, each.ties, each.losses],
        }
        for each in comparison.comparisons
    ]


def count_kinds(errors: Sequence[PageError], documents: int) -> list[dict[str, int]]:
    """Return for each document {kind: number of errors}, without kinds that it has none of."""
    counted: list[Counter[str]] = [Counter() for _ in range(documents)]
    for error in errors:
        counted[error.document][error.kind] += 1
    return [dict(each) for each in counted]


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
