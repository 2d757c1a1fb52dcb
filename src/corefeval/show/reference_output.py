"""What `scorer.pl all KEY RESPONSE` of the reference scorer 8.01 prints, byte for byte, for scripts that read it.

Its first line ends with the place of the program, here of this file. It goes through documents in no order, another in
every run; here they come in the key's. It gives up at the eleventh repeated mention; here it goes on.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from corefeval.corpus.mentions import Spans
from corefeval.matching.numbers import find_last_rows
from corefeval.measures.base import COUNTS, compute_rates
from corefeval.measures.score import make_score
from corefeval.overlap import alignment
from corefeval.overlap.cells import CreditedCells

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefeval._arrays import Floats, Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.measures.score import Score
    from corefeval.overlap.views import Views
    from corefeval.scoring.results import Evaluation

MEASURES = ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc")
_LINE = "-" * 74
_BEGIN = re.compile(rb"^#\s*begin document ([^\n]*?)\r?$", re.MULTILINE)


def write_like_reference(evaluation: Evaluation, key: Corpus, response: Corpus, *, totals_only: bool = False) -> str:
    """All of it; or, as `scorer.pl all KEY RESPONSE none` does, the totals and repeated mentions only."""
    documents = [_PrintedDocument(*sides) for sides in _pair_documents(evaluation, key, response)]
    lines = [f"version: 8.01 {os.path.realpath(__file__)}"]
    for measure in MEASURES[1:]:
        sums = _SUMS[measure](evaluation.overlaps.views) if measure in _SUMS else None
        lines += ["", f"METRIC {measure}:"]
        for place, document in enumerate(documents):
            if totals_only:
                lines += document.repeats
            else:
                score = evaluation.documents[evaluation.document_names[place]][measure]
                lines += document.lines(measure, score if sums is None else _replace_numerators(score, sums, place))
        total = evaluation[measure]
        lines += _list_totals(evaluation["mentions"], total if sums is None else _replace_numerators(total, sums))
    return "\n".join(lines)


def _replace_numerators(score: Score, sums: NaiveSums, document: int | None = None) -> Score:
    """The score with other numerators: those of one document, or of all."""
    recall, precision = (
        column[document] if document is not None else _add_one_by_one(column)
        for column in (sums.recall, sums.precision)
    )
    counts = dict(zip(COUNTS, (recall, score.recall_denominator, precision, score.precision_denominator), strict=True))
    return make_score(score.measure, compute_rates(counts, undefined=0, beta=1.0))


def _add_one_by_one(values: list[float]) -> float:
    total = 0.0
    for value in values:
        total += value
    return total


def _list_totals(mentions: Score, score: Score) -> Iterator[str]:
    yield from ("", "====== TOTALS =======")
    yield from _list_rates(mentions, "Identification of Mentions: ")
    if score.measure.name != "blanc":
        yield from _list_rates(score, "Coreference: ")
        return
    yield from ("", "Coreference:")
    yield from _list_rates(score.coreference, "Coreference links: ")
    yield from _list_rates(score.noncoreference, "Non-coreference links: ")
    yield from _list_rates(score, "BLANC: ")


def _list_rates(score: Score, label: str = "") -> tuple[str, str]:
    recall, precision = (
        f"({_format_number(numerator)} / {_format_number(denominator)}) {format_truncated(rate)}%"
        for numerator, denominator, rate in (
            (score.recall_numerator, score.recall_denominator, score.recall),
            (score.precision_numerator, score.precision_denominator, score.precision),
        )
    )
    return f"{label}Recall: {recall}\tPrecision: {precision}\tF1: {format_truncated(score.f1)}%", _LINE


def format_truncated(rate: float) -> str:
    """Per cent, cut off behind two digits as they are in floating point: 57/100 is 56.99."""
    return _format_number(int(rate * 10000) / 100)


def _format_number(value: float) -> str:
    """As Perl writes numbers."""
    return f"{value:.15g}"


def _pair_documents(
    evaluation: Evaluation, key: Corpus, response: Corpus
) -> Iterator[tuple[str, list[ListedMentions], str, list[ListedMentions]]]:
    headings = _find_headings(key)
    theirs = dict(
        zip(response.documents, zip(_find_headings(response), _list_entities(response), strict=True), strict=True)
    )
    nobody: tuple[str, list[ListedMentions]] = ("", [])
    for name, heading, entities in zip(evaluation.document_names, headings, _list_entities(key), strict=True):
        yield heading, entities, *theirs.get(name, nobody)


ListedMentions: TypeAlias = list[tuple[int, int]]
"""The mentions of an entity, in the order in which their last words come."""


def _find_headings(corpus: Corpus) -> Sequence[str]:
    """What stands behind `#begin document`, where the file has that."""
    found = [] if corpus.tokens is None else _BEGIN.findall(corpus.tokens.buffer)
    if len(found) != len(corpus.documents):
        return corpus.documents
    return [heading.decode("utf-8", "replace") for heading in found]


def _list_entities(corpus: Corpus) -> list[list[ListedMentions]]:
    """The entities of every document."""
    spans = corpus.mentions if isinstance(corpus.mentions, Spans) else Spans(corpus.entity, corpus.entity)
    order = sort_like_reference(corpus)
    entities: list[ListedMentions] = [[] for _ in corpus.entity_document]
    columns = corpus.entity[order], spans.start[order], spans.end[order]
    for entity, start, end in zip(*(column.tolist() for column in columns), strict=True):
        entities[entity].append((start, end))
    documents: list[list[ListedMentions]] = [[] for _ in corpus.documents]
    for document, entity_mentions in zip(corpus.entity_document.tolist(), entities, strict=True):
        documents[document].append(entity_mentions)
    return documents


class _PrintedDocument:
    """What is printed about one document, the same for every measure but for the scores."""

    def __init__(
        self, heading: str, key: list[ListedMentions], other_heading: str, response: list[ListedMentions]
    ) -> None:
        self._heading = heading
        self._entities = [*_list_entity_lines(heading, key), *_list_entity_lines(other_heading, response)]
        self.repeats, self._found = _list_mention_lines(key, response)

    def lines(self, measure: str, score: Score) -> Iterator[str]:
        """Entities, mentions, and the score of this document; of BLANC there is none, nor a name."""
        yield from self._entities
        yield f"{'' if measure == 'blanc' else self._heading}:"
        yield from self.repeats
        yield from self._found
        if measure != "blanc":
            yield from _list_rates(score)


def _list_entity_lines(heading: str, entities: list[ListedMentions]) -> Iterator[str]:
    yield f"====> {heading}:"
    yield f"File {heading}:"
    for number, mentions in enumerate(entities):
        yield f"Entity {number}:" + "".join(f" ({start},{end})" for start, end in mentions)


def _list_mention_lines(key: list[ListedMentions], response: list[ListedMentions]) -> tuple[list[str], list[str]]:
    """The lines about repeated mentions, and those about how many were found."""
    lines = []
    number: dict[tuple[int, int], int] = {}
    count = 0
    for start, end in (mention for entity in key for mention in entity):
        if (start, end) in number:
            lines.append(f"Repeated mention in the key: {start}, {end} {number[start, end]}{count}")
        number[start, end] = count
        count += 1
    right: set[tuple[int, int]] = set()
    invented: set[tuple[int, int]] = set()
    for start, end in (mention for entity in response for mention in entity):
        mention = start, end
        if mention in right:
            lines.append(f"Repeated mention in the response: {start}, {end} {number[mention]}{number[mention]}")
        (right if mention in number else invented).add(mention)
    return lines, [
        f"Total key mentions: {len(number)}",
        f"Total response mentions: {len(right) + len(invented)}",
        f"Strictly correct identified mentions: {len(right)}",
        "Partially correct identified mentions: 0",
        f"No identified: {len(number) - len(right)}",
        f"Invented: {count + len(invented) - len(number)}",
    ]


class NaiveSums(NamedTuple):
    """Numerators of recall and precision, by document, as the reference scorer adds them up: one by one.

    Our own sums are rounded once, at the end. The difference is in the sixteenth digit, but shows where per cents are
    cut off.
    """

    recall: list[float]
    precision: list[float]


def sort_like_reference(corpus: Corpus) -> Ints:
    """The mentions' rows by entity, and there as their last words come: the reference scorer's order."""
    spans = corpus.mentions if isinstance(corpus.mentions, Spans) else Spans(corpus.entity, corpus.entity)
    return np.lexsort((-spans.start, spans.end > spans.start, spans.end, corpus.entity))


def add_bcub(views: Views) -> NaiveSums:
    """Credit by credit of the response's mentions."""
    assert views.mentions is not None  # noqa: S101 - evaluations of this process have them
    rows, table, cells = views.mentions, views.table, views.recall.cells
    credit = cells.credit if isinstance(cells, CreditedCells) else table.n
    twin = find_last_rows(rows.twin_response, sort_like_reference(rows.response))
    twin = twin[twin >= 0]
    key, response = rows.key.entity[rows.twin_key[twin]], rows.response.entity[rows.twin_response[twin]]
    width = max(1, len(table.response.size))
    found = credit[find_last_rows(table.cell_key * width + table.cell_response, key * width + response)]
    document = table.response.document[response]
    return NaiveSums(
        _add_by_document(found / table.key.size[key], document, table.documents),
        _add_by_document(found / table.response.size[response], document, table.documents),
    )


def add_ceafe(views: Views) -> NaiveSums:
    """Similarity by similarity of the key's entities."""
    table, cells = views.table, views.recall_sets.cells
    similar = 2 * cells.worth / (table.key.size[cells.key] + table.response.size[cells.response])
    chosen = alignment.best(cells.key, cells.response, similar)
    # It looks for the least of 1 - similarity.
    sums = _add_by_document(1 - (1 - similar[chosen]), table.key.document[cells.key[chosen]], table.documents)
    return NaiveSums(sums, sums)


def _add_by_document(values: Floats, document: Ints, documents: int) -> list[float]:
    """One after the other, by document."""
    found = [0.0] * documents
    for value, place in zip(values.tolist(), document.tolist(), strict=True):
        found[place] += value
    return found


_SUMS = {"bcub": add_bcub, "ceafe": add_ceafe}
