"""Where mentions of one side stand in the other side's text, if that is divided otherwise or has other zeros.

Mentions are carried over by their letters, as they are for matching (`matching/letters.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefeval.matching import letters
from corefeval.mentions import Spans
from corefeval.remapping import spans

if TYPE_CHECKING:
    from corefeval.arrays import Ints
    from corefeval.cells import Rows
    from corefeval.corpus import Corpus

    Runs = list[int]
    """First and last place of every run; none for a mention that has no place there."""


def in_key(rows: Rows, twin: Ints, document: int, chosen: Ints) -> list[Runs]:
    """The places of a response's mentions in the key's text: those of its twin where matching took them for the same.

    twin: for every mention of the response the row of its twin, or -1.
    """
    key, response = rows.key, rows.response
    found = _carried(response, key, document, chosen)
    if not isinstance(key.mentions, Spans) or not isinstance(response.mentions, Spans):
        return found
    own = key.own_spans
    for at, (row, other) in enumerate(zip(chosen.tolist(), twin[chosen].tolist(), strict=True)):
        if other >= 0 and key.mentions.runs(other) == response.mentions.runs(row):
            found[at] = _flat(own.runs(other))
    return found


def in_response(rows: Rows, document: int, chosen: Ints) -> list[Runs]:
    """The places of some of the key's mentions in the response's text."""
    return _carried(rows.key, rows.response, document, chosen)


def _carried(mine: Corpus, other: Corpus, document: int, chosen: Ints) -> list[Runs]:
    if not isinstance(mine.mentions, Spans) or not _has_text(mine) or not _has_text(other):
        return [[] for _ in chosen]
    places = letters.places(letters.of_document(other, document), letters.of_document(mine, document))
    found = spans(mine.own_spans.take(chosen), np.zeros(len(chosen), dtype=np.int64), [places])
    return [_flat(found.runs(row)) if found.start[row] >= 0 else [] for row in range(len(chosen))]


def _has_text(corpus: Corpus) -> bool:
    return corpus.tokens is not None or corpus.texts is not None


def _flat(runs: tuple[tuple[int, int], ...]) -> Runs:
    return [place for run in runs for place in run]
