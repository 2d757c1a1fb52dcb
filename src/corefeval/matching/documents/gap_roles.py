"""Mentions that say which one of a GAP key's three they are, and not where they stand: submissions for GAP."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefeval.corpus.mentions import Spans

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus

ATTRIBUTE = "gap"


def placed(key: Corpus, response: Corpus) -> Corpus:
    """The response with the key's places for its mentions, if the key has places and it has none.

    One whose like the key lacks stands behind all of the key's.
    """
    if isinstance(response.mentions, Spans) or not isinstance(key.mentions, Spans):
        return response
    if ATTRIBUTE not in key.attributes or ATTRIBUTE not in response.attributes:
        return response
    place = {who: row for row, who in enumerate(zip(key.document.tolist(), key.attributes[ATTRIBUTE], strict=True))}
    asked = zip(response.document.tolist(), response.attributes[ATTRIBUTE], strict=True)
    rows = np.array([place.get(who, -1) for who in asked], dtype=np.int64)
    behind = 1 + int(key.mentions.end.max(initial=0)) + np.arange(len(rows))
    there = Spans(np.append(key.mentions.start, -1)[rows], np.append(key.mentions.end, -1)[rows])
    lost = rows < 0
    spans = Spans(np.where(lost, behind, there.start), np.where(lost, behind, there.end))
    return response.replaced(mentions=spans, texts=key.texts, tokens=key.tokens)
