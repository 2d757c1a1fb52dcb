"""Where mentions of one side stand in the other side's text, if that is divided otherwise or has other zeros.

Mentions are carried over by their letters, as they are for matching (`matching/documents/carrying.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefeval.corpus.mentions import Spans
from corefeval.corpus.units import move_spans
from corefeval.matching.carrying import find_places, read_letters

if TYPE_CHECKING:
    from corefeval._arrays import Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.overlap.views import Rows

    Runs = list[int]
    """First and last place of every run; none for a mention that has no place there."""


class AlignedTexts:
    """Key and response in a document where their texts differ.

    twin: for every mention of the response the row of its twin in the key, or -1.
    """

    def __init__(self, rows: Rows, twin: Ints, document: int) -> None:
        self.rows, self.twin = rows, twin
        known = _has_text(rows.key) and _has_text(rows.response)
        self._letters = [read_letters(corpus, document) for corpus in (rows.key, rows.response)] if known else []

    def in_key(self, chosen: Ints) -> list[Runs]:
        """Where mentions of the response are in the key's text: with their twin, if matching took them for the same."""
        key, response = self.rows.key, self.rows.response
        found = self._carried(response, 1, chosen)
        if not isinstance(key.mentions, Spans) or not isinstance(response.mentions, Spans):
            return found
        own = key.own_spans
        for at, (row, other) in enumerate(zip(chosen.tolist(), self.twin[chosen].tolist(), strict=True)):
            if other >= 0 and key.mentions.runs(other) == response.mentions.runs(row):
                found[at] = _flatten_runs(own.runs(other))
        return found

    def in_response(self, chosen: Ints) -> list[Runs]:
        """Where mentions of the key are in the response's text."""
        return self._carried(self.rows.key, 0, chosen)

    def _carried(self, corpus: Corpus, side: int, chosen: Ints) -> list[Runs]:
        if not isinstance(corpus.mentions, Spans) or not self._letters:
            return [[] for _ in chosen]
        places = find_places(self._letters[1 - side], self._letters[side])
        found = move_spans(corpus.own_spans.take(chosen), np.zeros(len(chosen), dtype=np.int64), [places])
        return [_flatten_runs(found.runs(row)) if found.start[row] >= 0 else [] for row in range(len(chosen))]


def _has_text(corpus: Corpus) -> bool:
    return corpus.tokens is not None or corpus.texts is not None


def _flatten_runs(runs: tuple[tuple[int, int], ...]) -> Runs:
    return [place for run in runs for place in run]
