"""What `scorer.pl all KEY RESPONSE` of the reference scorer 8.01 prints, byte for byte, for scripts that read it.

Its first line ends with the place of the program, here of this file. It goes through documents in no order, another in
every run; here they come in the key's. It gives up at the eleventh repeated mention; here it goes on.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from corefeval.corpus.mentions import Spans
from corefeval.measures.base import COUNTS, rates
from corefeval.scoring.results import as_score
from corefeval.show import naive_sums

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefeval.corpus.corpus import Corpus
    from corefeval.scoring.results import Evaluation, Score

MEASURES = ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc")
_LINE = "-" * 74
_BEGIN = re.compile(rb"^#\s*begin document ([^\n]*?)\r?$", re.MULTILINE)


def write(evaluation: Evaluation, key: Corpus, response: Corpus, *, totals_only: bool = False) -> str:
    """All of it; or, as `scorer.pl all KEY RESPONSE none` does, the totals and repeated mentions only."""
    documents = [_Document(*sides) for sides in _sides(evaluation, key, response)]
    lines = [f"version: 8.01 {os.path.realpath(__file__)}"]
    for measure in MEASURES[1:]:
        sums = _SUMS[measure](evaluation.table) if measure in _SUMS else None
        lines += ["", f"METRIC {measure}:"]
        for place, document in enumerate(documents):
            if totals_only:
                lines += document.repeats
            else:
                score = evaluation.documents[evaluation.document_names[place]][measure]
                lines += document.lines(measure, score if sums is None else _with_sums(score, sums, place))
        total = evaluation[measure]
        lines += _totals(evaluation["mentions"], total if sums is None else _with_sums(total, sums))
    return "\n".join(lines)


_SUMS = {"bcub": naive_sums.bcub, "ceafe": naive_sums.ceafe}


def _with_sums(score: Score, sums: naive_sums.Sums, document: int | None = None) -> Score:
    """The score with other numerators: those of one document, or of all."""
    recall, precision = (
        column[document] if document is not None else _added(column) for column in (sums.recall, sums.precision)
    )
    counts = dict(zip(COUNTS, (recall, score.recall_denominator, precision, score.precision_denominator), strict=True))
    return as_score(score.measure, rates(counts, undefined=0, beta=1.0))


def _added(values: list[float]) -> float:
    total = 0.0
    for value in values:
        total += value
    return total


def _totals(mentions: Score, score: Score) -> Iterator[str]:
    yield from ("", "====== TOTALS =======")
    yield from _rates(mentions, "Identification of Mentions: ")
    if score.measure.name != "blanc":
        yield from _rates(score, "Coreference: ")
        return
    yield from ("", "Coreference:")
    yield from _rates(score.coreference, "Coreference links: ")
    yield from _rates(score.noncoreference, "Non-coreference links: ")
    yield from _rates(score, "BLANC: ")


def _rates(score: Score, label: str = "") -> tuple[str, str]:
    recall, precision = (
        f"({_number(numerator)} / {_number(denominator)}) {truncated(rate)}%"
        for numerator, denominator, rate in (
            (score.recall_numerator, score.recall_denominator, score.recall),
            (score.precision_numerator, score.precision_denominator, score.precision),
        )
    )
    return f"{label}Recall: {recall}\tPrecision: {precision}\tF1: {truncated(score.f1)}%", _LINE


def truncated(rate: float) -> str:
    """Per cent, cut off behind two digits as they are in floating point: 57/100 is 56.99."""
    return _number(int(rate * 10000) / 100)


def _number(value: float) -> str:
    """As Perl writes numbers."""
    return f"{value:.15g}"


def _sides(
    evaluation: Evaluation, key: Corpus, response: Corpus
) -> Iterator[tuple[str, list[Listed], str, list[Listed]]]:
    headings = _headings(key)
    theirs = dict(zip(response.documents, zip(_headings(response), _listed(response), strict=True), strict=True))
    nobody: tuple[str, list[Listed]] = ("", [])
    for name, heading, entities in zip(evaluation.document_names, headings, _listed(key), strict=True):
        yield heading, entities, *theirs.get(name, nobody)


Listed = list[tuple[int, int]]
"""The mentions of an entity, in the order in which their last words come."""


def _headings(corpus: Corpus) -> Sequence[str]:
    """What stands behind `#begin document`, where the file has that."""
    found = [] if corpus.tokens is None else _BEGIN.findall(corpus.tokens.buffer)
    if len(found) != len(corpus.documents):
        return corpus.documents
    return [heading.decode("utf-8", "replace") for heading in found]


def _listed(corpus: Corpus) -> list[list[Listed]]:
    """The entities of every document."""
    spans = corpus.mentions if isinstance(corpus.mentions, Spans) else Spans(corpus.entity, corpus.entity)
    order = naive_sums.order(corpus)
    entities: list[Listed] = [[] for _ in corpus.entity_document]
    columns = corpus.entity[order], spans.start[order], spans.end[order]
    for entity, start, end in zip(*(column.tolist() for column in columns), strict=True):
        entities[entity].append((start, end))
    documents: list[list[Listed]] = [[] for _ in corpus.documents]
    for document, entity_mentions in zip(corpus.entity_document.tolist(), entities, strict=True):
        documents[document].append(entity_mentions)
    return documents


class _Document:
    """What is printed about one document, the same for every measure but for the scores."""

    def __init__(self, heading: str, key: list[Listed], other_heading: str, response: list[Listed]) -> None:
        self._heading = heading
        self._entities = [*_entities(heading, key), *_entities(other_heading, response)]
        self.repeats, self._found = _found(key, response)

    def lines(self, measure: str, score: Score) -> Iterator[str]:
        """Entities, mentions, and the score of this document; of BLANC there is none, nor a name."""
        yield from self._entities
        yield f"{'' if measure == 'blanc' else self._heading}:"
        yield from self.repeats
        yield from self._found
        if measure != "blanc":
            yield from _rates(score)


def _entities(heading: str, entities: list[Listed]) -> Iterator[str]:
    yield f"====> {heading}:"
    yield f"File {heading}:"
    for number, mentions in enumerate(entities):
        yield f"Entity {number}:" + "".join(f" ({start},{end})" for start, end in mentions)


def _found(key: list[Listed], response: list[Listed]) -> tuple[list[str], list[str]]:
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
