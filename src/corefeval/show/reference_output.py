"""What `scorer.pl all KEY RESPONSE` of the reference scorer 8.01 prints, byte for byte, for scripts that read it.

Its first line ends with the place of the program, here of this file. It goes through documents in no order, another in
every run; here they come in the key's. It gives up at the eleventh repeated mention; here it goes on.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import chain, pairwise
from operator import add
from typing import TypeAlias

import numpy as np

from corefeval._arrays import Floats, Ints
from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Spans
from corefeval.matching.numbers import find_last_rows
from corefeval.measures.base import COUNTS, compute_rates
from corefeval.measures.score import Score, make_score
from corefeval.overlap import alignment
from corefeval.overlap.cells import CreditedCells
from corefeval.overlap.views import Views
from corefeval.scoring.results import Evaluation

MEASURES = ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc")
_LINE = "-" * 74
_BEGIN = re.compile(rb"^#\s*begin document ([^\n]*?)\r?$", re.MULTILINE)

Entities: TypeAlias = list[list[tuple[int, int]]]
"""The mentions of every entity of a document, (first word, last word), in the reference scorer's order."""


def write_like_reference(evaluation: Evaluation, key: Corpus, response: Corpus, *, totals_only: bool = False) -> str:
    """Return as text all that the reference scorer prints; `totals_only`: totals and repeats, as if given `none`."""
    documents = list(_build_printed_documents(evaluation, key, response))
    lines = [f"version: 8.01 {os.path.realpath(__file__)}"]
    for measure in MEASURES[1:]:
        sums = _SUMS[measure](evaluation.overlaps.views) if measure in _SUMS else None
        lines += ["", f"METRIC {measure}:"]
        for place, document in enumerate(documents):
            if totals_only:
                lines += document.repeats
                continue
            lines += document.entities
            lines.append(f"{'' if measure == 'blanc' else document.heading}:")
            lines += [*document.repeats, *document.counts]
            if measure != "blanc":  # of which it prints no score of a document, nor a name
                score = evaluation.documents[evaluation.document_names[place]][measure]
                lines += _list_rates(score if sums is None else _replace_numerators(score, *sums[:, place].tolist()))
        score = evaluation[measure]
        if sums is not None:
            score = _replace_numerators(score, *(reduce(add, column, 0.0) for column in sums.tolist()))
        lines += ["", "====== TOTALS =======", *_list_rates(evaluation["mentions"], "Identification of Mentions: ")]
        if measure == "blanc":
            lines += ["", "Coreference:", *_list_rates(score.coreference, "Coreference links: ")]
            lines += _list_rates(score.noncoreference, "Non-coreference links: ")
        lines += _list_rates(score, "BLANC: " if measure == "blanc" else "Coreference: ")
    return "\n".join(lines)


def _replace_numerators(score: Score, recall: float, precision: float) -> Score:
    """Return a score with other numerators of recall and precision, and the rates and F1 that follow from them."""
    counts = dict(zip(COUNTS, (recall, score.recall_denominator, precision, score.precision_denominator), strict=True))
    return make_score(score.measure, compute_rates(counts, undefined=0, beta=1.0))


def _list_rates(score: Score, label: str = "") -> tuple[str, str]:
    """Return two lines: recall, precision and F1 of a score behind a label, and the ruler below it."""
    recall, precision = (
        f"({_format_number(numerator)} / {_format_number(denominator)}) {_format_truncated(rate)}%"
        for numerator, denominator, rate in (
            (score.recall_numerator, score.recall_denominator, score.recall),
            (score.precision_numerator, score.precision_denominator, score.precision),
        )
    )
    return f"{label}Recall: {recall}\tPrecision: {precision}\tF1: {_format_truncated(score.f1)}%", _LINE


def _format_truncated(rate: float) -> str:
    """Return a rate as text in per cent, cut off behind two digits as floating point has them: 57/100 is 56.99."""
    return _format_number(int(rate * 10000) / 100)


def _format_number(value: float) -> str:
    """Return a number as text as Perl writes it, with up to 15 digits."""
    return f"{value:.15g}"


class _PrintedDocument(NamedTuple):
    """The lines about one document that are the same for every measure."""

    heading: str
    entities: list[str]
    repeats: list[str]
    counts: list[str]


def _build_printed_documents(evaluation: Evaluation, key: Corpus, response: Corpus) -> Iterator[_PrintedDocument]:
    """Yield a _PrintedDocument for every document of the key: its lines that are the same for every measure."""
    headings = dict(zip(response.documents, _find_headings(response), strict=True))
    theirs = dict(zip(response.documents, _list_entities(response), strict=True))
    ours = zip(evaluation.document_names, _find_headings(key), _list_entities(key), strict=True)
    for name, heading, entities in ours:
        others = theirs.get(name, [])
        lines = [*_list_entity_lines(heading, entities), *_list_entity_lines(headings.get(name, ""), others)]
        yield _PrintedDocument(heading, lines, *_list_mention_lines(entities, others))


def _find_headings(corpus: Corpus) -> Sequence[str]:
    """Return for every document what stands behind `#begin document`; the documents' names if not all have that."""
    found = [] if corpus.tokens is None else _BEGIN.findall(corpus.tokens.buffer)
    if len(found) != len(corpus.documents):
        return corpus.documents
    return [heading.decode("utf-8", "replace") for heading in found]


def _list_entities(corpus: Corpus) -> list[Entities]:
    """Return for every document a list of entities, each a list of (first word, last word), made up for labels."""
    order, spans = _sort_like_reference(corpus), _get_spans(corpus)
    mentions = list(zip(spans.start[order].tolist(), spans.end[order].tolist(), strict=True))
    documents: list[Entities] = [[] for _ in corpus.documents]
    for document, (first, end) in zip(corpus.entity_document.tolist(), pairwise(corpus.by_entity[1]), strict=True):
        documents[document].append(mentions[first:end])
    return documents


def _get_spans(corpus: Corpus) -> Spans:
    """Return the spans of mentions; where mentions are labels, made-up spans, the same within an entity."""
    return corpus.mentions if isinstance(corpus.mentions, Spans) else Spans(corpus.entity, corpus.entity)


def _sort_like_reference(corpus: Corpus) -> Ints:
    """Return an array: the rows of mentions in the reference scorer's order, by entity, then by their last words."""
    spans = _get_spans(corpus)
    return np.lexsort((-spans.start, spans.end > spans.start, spans.end, corpus.entity))


def _list_entity_lines(heading: str, entities: Entities) -> Iterator[str]:
    """Yield two lines with the heading of a document, then a line with the mentions of each entity."""
    yield f"====> {heading}:"
    yield f"File {heading}:"
    for number, mentions in enumerate(entities):
        yield f"Entity {number}:" + "".join(f" ({start},{end})" for start, end in mentions)


def _list_mention_lines(key: Entities, response: Entities) -> tuple[list[str], list[str]]:
    """Return two lists of lines of a document: about each repeated mention, and how many mentions were found."""
    repeats, count = [], 0
    number: dict[tuple[int, int], int] = {}
    for count, mention in enumerate(chain.from_iterable(key), 1):
        if mention in number:
            repeats.append(f"Repeated mention in the key: {mention[0]}, {mention[1]} {number[mention]}{count - 1}")
        number[mention] = count - 1
    right: set[tuple[int, int]] = set()
    invented: set[tuple[int, int]] = set()
    for mention in chain.from_iterable(response):
        if mention in right:
            place = number[mention]
            repeats.append(f"Repeated mention in the response: {mention[0]}, {mention[1]} {place}{place}")
        (right if mention in number else invented).add(mention)
    return repeats, [
        f"Total key mentions: {len(number)}",
        f"Total response mentions: {len(right) + len(invented)}",
        f"Strictly correct identified mentions: {len(right)}",
        "Partially correct identified mentions: 0",
        f"No identified: {len(number) - len(right)}",
        f"Invented: {count + len(invented) - len(number)}",
    ]


# Numerators of recall and precision, a column for each document, as the reference scorer adds them up: one by one.
# Our own sums are rounded once, at the end. The difference is in the sixteenth digit, but shows where per cents are cut
# off. `np.bincount` adds one by one, too.


def _sum_bcub(views: Views) -> Floats:
    """Return an array of two rows, B³'s numerators of recall and precision by document, mentions added one by one."""
    assert views.mentions is not None  # noqa: S101 - evaluations of this process have them
    rows, table, cells = views.mentions, views.table, views.recall.cells
    credit = cells.credit if isinstance(cells, CreditedCells) else table.n
    twin = find_last_rows(rows.twin_response, _sort_like_reference(rows.response))
    twin = twin[twin >= 0]
    key, response = rows.key.entity[rows.twin_key[twin]], rows.response.entity[rows.twin_response[twin]]
    width = max(1, len(table.response.size))
    found = credit[find_last_rows(table.cells.key * width + table.cells.response, key * width + response)]
    shares = found / table.key.size[key], found / table.response.size[response]
    return np.stack([np.bincount(table.response.document[response], share, table.documents) for share in shares])


def _sum_ceafe(views: Views) -> Floats:
    """Return an array of two equal rows, CEAFe's numerators by document, aligned entities added one by one."""
    table, cells = views.table, views.recall_sets.cells
    similar = 2 * cells.worth / (table.key.size[cells.key] + table.response.size[cells.response])
    chosen = alignment.find_best(cells.key, cells.response, similar)
    # It looks for the least of 1 - similarity.
    values, document = 1 - (1 - similar[chosen]), table.key.document[cells.key[chosen]]
    return np.stack([np.bincount(document, values, table.documents)] * 2)


_SUMS = {"bcub": _sum_bcub, "ceafe": _sum_ceafe}
