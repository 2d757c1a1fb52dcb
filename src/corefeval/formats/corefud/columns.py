"""The mentions of a CorefUD file as a corpus: entities, and what the fields of mentions say, in columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefeval.corpus import Corpus
from corefeval.formats.corefud.entity import numbered
from corefeval.formats.corefud.fields import OF_ENTITIES, OTHER, run, unescaped
from corefeval.labels import first_come
from corefeval.lazily import kept
from corefeval.mentions import Spans

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefeval.arrays import Booleans, Ints
    from corefeval.formats.corefud.entity import Mentions
    from corefeval.formats.corefud.misc import Cells
    from corefeval.formats.shared.findings import Findings
    from corefeval.mentions import Pieces


def corpus(documents: tuple[str, ...], cells: Cells, mentions: Mentions, found: Findings) -> Corpus:
    """The documents with their mentions, without their words."""
    width = max(1, len(mentions.names))
    labels, entity = first_come(cells.document[mentions.cell] * width + mentions.entity)
    columns = _Columns(mentions, cells.line[mentions.cell], found)
    return Corpus(
        documents,
        labels // width,
        [mentions.names[name] for name in (labels % width).tolist()],
        entity,
        Spans(mentions.start, mentions.end, mentions.pieces),
        source=found.source,
        heads=columns.heads(),
        minimums=columns.minimums(),
        attributes=columns.attributes(),
        entity_attributes=columns.entity_attributes(entity, len(labels)),
    )


class _Columns:
    """What fields say, for every mention; what makes no sense is named."""

    def __init__(self, mentions: Mentions, line: Ints, found: Findings) -> None:
        self._mentions, self._line, self._found = mentions, line, found
        self._length = mentions.end - mentions.start + 1
        for row, runs in mentions.pieces.items():
            self._length[row] = sum(last - first + 1 for first, last in runs)

    def heads(self) -> Spans | None:
        """The word of every mention that is its head."""
        index = self._of_mentions("head", lambda text: run(text.partition(",")[0])[0])
        said = self._of_mentions("head", bool)
        inside = (index > 0) & (index <= self._length)
        for row in np.flatnonzero((said > 0) & ~inside).tolist():
            self._say("head-outside", row, "a head that is not one of its words, and is left out")
        word = self._words(index)
        return _spans(word, word, inside)

    def minimums(self) -> Spans | None:
        """The words of every mention that will do for it."""
        first, last, fits = self._minimums
        for row in np.flatnonzero((first > 0) & (last > self._length)).tolist():
            self._say("minspan-outside", row, "a minspan of words that are not its own, and it is only an attribute")
        return _spans(self._words(first), self._words(last), fits)

    def attributes(self) -> dict[str, list[str]]:
        """All other fields by name, and minspan where it is not a run of words of the mention."""
        columns = {}
        for name, texts in self._mentions.fields.items():
            if name in OF_ENTITIES or name == "head":
                continue
            values = [unescaped(text, but_commas=name == OTHER) for text in texts]
            column = [values[number] for number in self._mentions.said.tolist()]
            if name == "minspan":
                column = ["" if fits else value for value, fits in zip(column, self._minimums[2].tolist(), strict=True)]
            if any(column):
                columns[name] = column
        return columns

    def entity_attributes(self, entity: Ints, count: int) -> dict[str, list[str]]:
        """What mentions say about their entities: the first one that says something is believed."""
        columns = {}
        for field, name in OF_ENTITIES.items():
            values, number = numbered(["", *map(unescaped, self._mentions.fields.get(field, ()))])
            value = number[1:][self._mentions.said] if field in self._mentions.fields else number[:0]
            speaks = np.flatnonzero(value)
            chosen = np.zeros(count, dtype=np.int64)
            chosen[entity[speaks[::-1]]] = value[speaks[::-1]]
            for row in speaks[value[speaks] != chosen[entity[speaks]]].tolist():
                first, other = values[chosen[entity[row]]], values[value[row]]
                self._say(f"differing-{name}", row, f"the {name} {other!r}, and an earlier one the {name} {first!r}, "
                          "which is kept")  # fmt: skip
            if len(speaks):
                columns[name] = [values[number] for number in chosen.tolist()]
        return columns

    @kept
    def _minimums(self) -> tuple[Ints, Ints, Booleans]:
        """First and last word of the minimum within the mention, from 1, and whether they are a run of its words."""
        first = self._of_mentions("minspan", lambda text: run(unescaped(text))[0])
        last = self._of_mentions("minspan", lambda text: run(unescaped(text))[1])
        unbroken = self._words(last) - self._words(first) == last - first
        return first, last, (first > 0) & (last <= self._length) & unbroken

    def _of_mentions(self, field: str, meaning: Callable[[str], int]) -> Ints:
        """What a field means for every mention; 0 where there is no such field."""
        texts, number = numbered(self._mentions.fields.get(field, []))
        if not texts:
            return np.zeros(len(self._line), dtype=np.int64)
        return np.array([meaning(text) for text in texts], dtype=np.int64)[number][self._mentions.said]

    def _words(self, index: Ints) -> Ints:
        """The words of the mentions with these numbers, counted from 1."""
        words = self._mentions.start + index - 1
        for row, runs in self._mentions.pieces.items():
            words[row] = _word(runs, int(index[row]))
        return words

    def _say(self, kind: str, row: int, message: str) -> None:
        entity = self._mentions.names[self._mentions.entity[row]]
        self._found.notice(kind, int(self._line[row]), f"a mention of {entity!r} has {message}", entity=entity)


def _word(runs: Pieces, index: int) -> int:
    for first, last in runs:
        if index <= last - first + 1:
            return first + index - 1
        index -= last - first + 1
    return -1


def _spans(start: Ints, end: Ints, known: Booleans) -> Spans | None:
    return Spans(np.where(known, start, -1), np.where(known, end, -1)) if known.any() else None
