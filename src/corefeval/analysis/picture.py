"""One document as the papers' examples draw it: K1 = {a, b, c}, R1 = {a, b}, and who shares what with whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from corefeval._arrays import Ints
from corefeval._lazy import cached
from corefeval.analysis.pooled_mentions import pool_mentions, sort_by_text
from corefeval.corpus.corpus import Corpus
from corefeval.matching.numbers import pair_equal_numbers
from corefeval.overlap.views import Rows, Views
from corefeval.tables.table import shorten_text

MentionNames = tuple[list[str], list[str]]
"""The names of the mentions of both sides."""

_LONGEST = 30
_MOST = 40  # of a set that are written out


class Picture:
    """The entities of one document, K1, K2 ... and R1, R2 ..., with the words (or labels) of their mentions.

    "This side" is first the key; in `mirror` key and response have changed places. sizes: of this side's entities.
    words: the name of every mention of this side, its words,
    numbered where others have the same; twins alike, and where entities are sets that share mentions, all that are the
    same. shared: the pairs of rows, of this side and of the other, that are the same mention in two entities.
    """

    def __init__(
        self,
        views: Views,
        letters: str = "KR",
        names: MentionNames | None = None,
        shared: tuple[Ints, Ints] | None = None,
    ) -> None:
        rows = views.get_mentions()
        self.table, self.sets, self.rows, self.letters = views.table, views.recall_sets, rows, letters
        self.sizes: list[int] = views.table.key.size.tolist()
        self._names = names or (name_sets(rows, _LONGEST) if views.of_sets else name_mentions(rows, _LONGEST))
        self._shared = shared or (_pair_all(views) if views.of_sets else (rows.twin_key, rows.twin_response))
        self.words = self._names[0]

    @cached
    def mirror(self) -> Picture:
        """The same picture with key and response in each other's place."""
        views = Views(self.table.mirror, self.rows.mirror)
        return Picture(views, self.letters[::-1], self._names[::-1], self._shared[::-1])

    @cached
    def union(self) -> int:
        """How many mentions both sides have together."""
        return int(np.sum(self.table.union))

    def name_entity(self, entity: int) -> str:
        """Return the name of an entity of this side: K1, K2 ..."""
        return f"{self.letters[0]}{entity + 1}"

    @cached
    def members(self) -> list[list[str]]:
        """For every entity of this side, the list of its mentions' names, in the order of the text."""
        return [[self.words[row] for row in rows] for rows in self._rows_by_entity]

    @cached
    def fragments(self) -> list[dict[int, list[str]]]:
        """For every entity of this side, {number of the other side's entity: names of the mentions that both have}."""
        return [{other: part for other, part in parts.items() if other >= 0} for parts in self._parts]

    @cached
    def missing(self) -> list[list[str]]:
        """For every entity of this side, the names of its mentions that the other side lacks."""
        return [parts.get(-1, []) for parts in self._parts]

    @cached
    def _parts(self) -> list[dict[int, list[str]]]:
        """For every entity of this side, the names of its mentions by their entity on the other side, -1 for none."""
        return [
            {other: [self.words[row] for row in rows] for other, rows in parts.items()} for parts in self.rows_by_other
        ]

    @cached
    def rows_by_other(self) -> list[dict[int, list[int]]]:
        """For every entity of this side, its mentions' rows by their entities on the other side, -1 for none."""
        others: list[list[int]] = [[] for _ in self.words]
        for row, other in self.same:
            others[row].append(other)
        listed: list[dict[int, list[int]]] = [{} for _ in self.sizes]
        for parts, rows in zip(listed, self._rows_by_entity, strict=True):
            for row in rows:
                for other in others[row] or [-1]:
                    parts.setdefault(other, []).append(row)
        return listed

    @cached
    def same(self) -> dict[tuple[int, int], int]:
        """{(row of this side, entity of the other side): the row that is the same mention there}."""
        entity = self.rows.response.entity[self._shared[1]].tolist()
        rows = (column.tolist() for column in self._shared)
        return {(row, other): there for row, there, other in zip(*rows, entity, strict=True)}

    @cached
    def _rows_by_entity(self) -> list[list[int]]:
        """For every entity of this side, the list of its mentions' rows, in the order of the text."""
        corpus = self.rows.key
        entity = corpus.entity.tolist()
        listed: list[list[int]] = [[] for _ in self.sizes]
        for row in sort_by_text(corpus, range(len(corpus))):
            listed[entity[row]].append(row)
        return listed


def format_set(words: Sequence[str]) -> str:
    """Return words as the text of a set in braces; of more than 40, the first 30 and how many there are."""
    if len(words) > _MOST:
        return "{" + ", ".join(words[: _MOST - 10]) + f", ... {len(words):,} in all" + "}"
    return "{" + ", ".join(words) + "}"


def name_mentions(rows: Rows, longest: int | None = None) -> MentionNames:
    """Return two lists of names, of key and response mentions: their words, numbered where a document repeats them.

    longest: how many letters of them are shown; None for all.
    """
    ours, theirs = ([_find_words(corpus, row) for row in range(len(corpus))] for corpus in (rows.key, rows.response))
    if longest is not None:
        ours, theirs = ([shorten_text(name, longest) for name in side] for side in (ours, theirs))
    pooled = pool_mentions(rows)
    times: Counter[tuple[int, str]] = Counter()
    for item in np.argsort(pooled.rank).tolist():
        key, response = int(pooled.key_row[item]), int(pooled.response_row[item])
        name = ours[key] if key >= 0 else theirs[response]
        place = int(pooled.document[item]), name
        times[place] += 1
        numbered = name if times[place] == 1 else f"{name}#{times[place]}"
        if response >= 0 and (key < 0 or theirs[response] == name):
            theirs[response] = numbered
        if key >= 0:
            ours[key] = numbered
    return ours, theirs


def name_sets(rows: Rows, longest: int | None = None) -> MentionNames:
    """Return two lists of names, of key and response mentions, the same for all that are the same mention."""
    named: dict[int, str] = {}
    sides = [
        list(zip(number.tolist(), names, strict=True))
        for number, names in zip(_get_numbers(rows), name_mentions(rows, longest), strict=True)
    ]
    for number, name in (pair for side in sides for pair in side):
        named.setdefault(number, name)
    ours, theirs = ([named[number] for number, _ in side] for side in sides)
    return ours, theirs


def _pair_all(views: Views) -> tuple[Ints, Ints]:
    """Return two columns of rows: every mention of the key with each of the response that is the same."""
    return pair_equal_numbers(*_get_numbers(views.get_mentions()))


def _get_numbers(rows: Rows) -> tuple[Ints, Ints]:
    """Return the numbers of the mentions of both sides, equal for the same mention, given that some are repeated."""
    assert rows.repeated is not None  # noqa: S101 - only then entities share mentions
    return rows.repeated.key_number, rows.repeated.response_number


def _find_words(corpus: Corpus, row: int) -> str:
    """Return the words of a mention; its label without quotes if it has no words."""
    words = corpus.words_of(row)
    if words is not None:
        return words
    label = corpus.describe(row)
    return label[1:-1] if label[:1] in "'\"" else label
