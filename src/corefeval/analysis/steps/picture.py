"""One document as the papers' examples draw it: K1 = {a, b, c}, R1 = {a, b}, and who shares what with whom."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from corefeval._lazy import cached
from corefeval.analysis.pooled_mentions import pool_mentions, sort_by_text
from corefeval.overlap.views import Views

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval.corpus.corpus import Corpus
    from corefeval.overlap.views import Rows

    MentionNames = tuple[list[str], list[str]]
    """The names of the mentions of both sides."""

_LONGEST = 30
_MOST = 40  # of a set that are written out


class Picture:
    """The entities of one document, K1, K2 ... and R1, R2 ..., with the words (or labels) of their mentions.

    "This side" is first the key; in `mirror` key and response have changed places.
    """

    def __init__(self, views: Views, letters: str = "KR", named: MentionNames | None = None) -> None:
        rows = views.get_mentions()
        self.table, self.sets, self.rows, self.letters = views.table, views.recall_sets, rows, letters
        self._named = named or _name_mentions(rows)

    @cached
    def mirror(self) -> Picture:
        """The picture with key and response in each other's place."""
        rows = self.rows
        turned = rows._replace(
            key=rows.response, response=rows.key, twin_key=rows.twin_response, twin_response=rows.twin_key
        )
        return Picture(Views(self.table.mirror, turned), self.letters[::-1], self._named[::-1])

    @property
    def sizes(self) -> list[int]:
        """The number of mentions of each entity of this side."""
        return self.table.key.size.tolist()

    def name(self, entity: int) -> str:
        """Return the name of an entity of this side: K1, K2 ..."""
        return f"{self.letters[0]}{entity + 1}"

    def other(self, entity: int) -> str:
        """Return the name of an entity of the other side: R1, R2 ..."""
        return f"{self.letters[1]}{entity + 1}"

    @property
    def words(self) -> list[str]:
        """The name of every mention of this side: its words, numbered where others have the same; twins alike."""
        return self._named[0]

    @cached
    def members(self) -> list[list[str]]:
        """The mentions of every entity of this side."""
        return [[self.words[row] for row in self._list_rows(entity)] for entity in range(len(self.sizes))]

    @cached
    def fragments(self) -> list[dict[int, list[str]]]:
        """For every entity of this side the parts that entities of the other side have of it."""
        there = dict(
            zip(self.rows.twin_key.tolist(), self.rows.response.entity[self.rows.twin_response].tolist(), strict=True)
        )
        found: list[dict[int, list[str]]] = []
        for entity in range(len(self.sizes)):
            parts: dict[int, list[str]] = {}
            for row in self._list_rows(entity):
                if row in there:
                    parts.setdefault(there[row], []).append(self.words[row])
            found.append(parts)
        return found

    @cached
    def missing(self) -> list[list[str]]:
        """For every entity of this side the mentions that the other side lacks."""
        twins = set(self.rows.twin_key.tolist())
        return [
            [self.words[row] for row in self._list_rows(entity) if row not in twins]
            for entity in range(len(self.sizes))
        ]

    def _list_rows(self, entity: int) -> Sequence[int]:
        order, start = self._text_order
        return order[start[entity] : start[entity + 1]]

    @cached
    def _text_order(self) -> tuple[list[int], list[int]]:
        """All rows of this side by entity and in the order of the text, and where each entity's begin."""
        corpus = self.rows.key
        order = np.array(sort_by_text(corpus, range(len(corpus))), dtype=np.int64)
        by_entity = order[np.argsort(corpus.entity[order], kind="stable")]
        return by_entity.tolist(), np.cumsum([0, *corpus.sizes.tolist()]).tolist()


def format_set(words: Sequence[str]) -> str:
    """Write a set in braces; of a large one, its beginning and its size."""
    if len(words) > _MOST:
        return "{" + ", ".join(words[: _MOST - 10]) + f", ... {len(words):,} in all" + "}"
    return "{" + ", ".join(words) + "}"


def _name_mentions(rows: Rows) -> MentionNames:
    """Name every mention of each side: twins with the same words alike."""
    ours, theirs = (
        [_shorten(_find_words(corpus, row)) for row in range(len(corpus))] for corpus in (rows.key, rows.response)
    )
    listed = pool_mentions(rows)
    found: MentionNames = ours, theirs
    times: Counter[str] = Counter()
    for item in np.argsort(listed.rank).tolist():
        key, response = int(listed.key_row[item]), int(listed.response_row[item])
        name = ours[key] if key >= 0 else theirs[response]
        times[name] += 1
        numbered = name if times[name] == 1 else f"{name}#{times[name]}"
        if response >= 0 and (key < 0 or theirs[response] == name):
            found[1][response] = numbered
        if key >= 0:
            found[0][key] = numbered
    return found


def _find_words(corpus: Corpus, row: int) -> str:
    words = corpus.words_of(row)
    if words is not None:
        return words
    label = corpus.describe(row)
    return label[1:-1] if label[:1] in "'\"" else label


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
