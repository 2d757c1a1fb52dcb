"""The mentions of a CorefUD file as a corpus: entities, and what the fields of mentions say, in columns."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from corefeval._lazy import OnDemand, kept
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.labels import number_by_first_occurrence
from corefeval.corpus.mentions import Spans
from corefeval.formats.corefud.brackets import Numbers
from corefeval.formats.corefud.fields import OF_ENTITIES, OTHER, run, unescaped
from corefeval.formats.corefud.table import numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from corefeval._arrays import Booleans, Ints
    from corefeval.corpus.mentions import Pieces
    from corefeval.formats.corefud.brackets import Places
    from corefeval.formats.corefud.entity import Mentions
    from corefeval.formats.corefud.misc import Cells
    from corefeval.formats.shared.diagnostics import Diagnostics


_ZERO = ord("0")
_ALL = slice(None)
_FEW = 64


def corpus(documents: tuple[str, ...], cells: Cells, mentions: Mentions, found: Diagnostics) -> Corpus:
    """The documents with their mentions, without their words."""
    width = max(1, len(mentions.names))
    labels, entity = number_by_first_occurrence(cells.document[mentions.cell] * width + mentions.entity)
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

    def __init__(self, mentions: Mentions, line: Ints, found: Diagnostics) -> None:
        self._mentions, self._line, self._found = mentions, line, found
        self._length = mentions.end - mentions.start + 1
        for row, runs in mentions.pieces.items():
            self._length[row] = sum(last - first + 1 for first, last in runs)

    def heads(self) -> Spans | None:
        """The word of every mention that is its head."""
        index, _ = self._of_mentions("head", lambda text: run(text.partition(",")[0]))
        inside = (index > 0) & (index <= self._length)
        for row in np.flatnonzero(self._says("head") & ~inside).tolist():
            self._say("head-outside", row, "a head that is not one of its words, and is left out")
        word = self._words(index)
        return _spans(word, word, inside)

    def minimums(self) -> Spans | None:
        """The words of every mention that will do for it."""
        first, last, fits = self._minimums
        for row in np.flatnonzero((first > 0) & (last > self._length)).tolist():
            self._say("minspan-outside", row, "a minspan of words that are not its own, and it is only an attribute")
        return _spans(self._words(first), self._words(last), fits)

    def attributes(self) -> Mapping[str, Sequence[str]]:
        """All other fields by name, and minspan where it is not a run of words of the mention."""
        columns = {}
        for name in self._mentions.brackets.names:
            if name == "minspan":
                unlike = self._says(name) & ~self._minimums[2]
                if unlike.any():
                    columns[name] = partial(_attribute, self._mentions, name, np.flatnonzero(unlike))
            elif name not in OF_ENTITIES and name != "head" and self._is_said(name):
                columns[name] = partial(_attribute, self._mentions, name, _ALL)
        return OnDemand(columns)

    def entity_attributes(self, entity: Ints, count: int) -> Mapping[str, Sequence[str]]:
        """What mentions say about their entities: the first one that says something is believed."""
        columns = {}
        for field, name in OF_ENTITIES.items():
            speaks = np.flatnonzero(self._says(field))
            texts, values = Numbers(), Numbers()
            value = texts.of(self._field(field, speaks).texts())
            value = values.of(["", *map(unescaped, texts.texts())])[1:][value]
            chosen = np.zeros(count, dtype=np.int64)
            chosen[entity[speaks[::-1]]] = value[::-1]
            named = values.texts()
            for place in np.flatnonzero(value != chosen[entity[speaks]]).tolist():
                row = int(speaks[place])
                first, other = named[chosen[entity[row]]], named[value[place]]
                self._say(f"differing-{name}", row, f"the {name} {other!r}, and an earlier one the {name} {first!r}, "
                          "which is kept")  # fmt: skip
            if len(speaks):
                columns[name] = partial(_chosen, named, chosen)
        return OnDemand(columns)

    @kept
    def _minimums(self) -> tuple[Ints, Ints, Booleans]:
        """First and last word of the minimum within the mention, from 1, and whether they are a run of its words."""
        first, last = self._of_mentions("minspan", lambda text: run(unescaped(text)))
        unbroken = self._words(last) - self._words(first) == last - first
        return first, last, (first > 0) & (last <= self._length) & unbroken

    def _field(self, name: str, rows: Ints | slice = _ALL) -> Places:
        return self._mentions.brackets.field(name, self._mentions.opening[rows])

    def _says(self, name: str, rows: slice = _ALL) -> Booleans:
        """Which mentions have something in a field."""
        place = self._field(name, rows)
        return place.end > place.start

    def _is_said(self, name: str) -> bool:
        """Whether any mention has something in a field: mostly, one of the first ones has."""
        return bool(self._says(name, slice(_FEW)).any() or self._says(name).any())

    def _of_mentions(self, field: str, meaning: Callable[[str], tuple[int, int]]) -> tuple[Ints, Ints]:
        """What a field means for every mention, two numbers; zeros where there is nothing in it."""
        place = self._field(field)
        first = numbers(place.code, place.start, place.end)
        # Most are a single number; one with a zero before it is none.
        first[(first < 0) | (place.code[place.start] == _ZERO)] = 0
        last = first.copy()
        others, texts = np.flatnonzero((first == 0) & (place.end > place.start)), Numbers()
        if len(others):
            number = texts.of(self._field(field, others).texts())
            first[others], last[others] = np.array([meaning(text) for text in texts.texts()], dtype=np.int64)[number].T
        return first, last

    def _words(self, index: Ints) -> Ints:
        """The words of the mentions with these numbers, counted from 1."""
        words = self._mentions.start + index - 1
        for row, runs in self._mentions.pieces.items():
            words[row] = _word(runs, int(index[row]))
        return words

    def _say(self, kind: str, row: int, message: str) -> None:
        entity = self._mentions.names[self._mentions.entity[row]]
        self._found.add_notice(kind, int(self._line[row]), f"a mention of {entity!r} has {message}", entity=entity)


def _attribute(mentions: Mentions, name: str, rows: Ints | slice) -> list[str]:
    """What a field says for some mentions; "" for the others."""
    texts = Numbers()
    number = np.zeros(len(mentions.opening), dtype=np.int64)
    number[rows] = texts.of(mentions.brackets.field(name, mentions.opening[rows]).texts()) + 1
    values = ["", *(unescaped(text, but_commas=name == OTHER) for text in texts.texts())]
    return [values[each] for each in number.tolist()]


def _chosen(texts: list[str], number: Ints) -> list[str]:
    return [texts[each] for each in number.tolist()]


def _word(runs: Pieces, index: int) -> int:
    for first, last in runs:
        if index <= last - first + 1:
            return first + index - 1
        index -= last - first + 1
    return -1


def _spans(start: Ints, end: Ints, known: Booleans) -> Spans | None:
    return Spans(np.where(known, start, -1), np.where(known, end, -1)) if known.any() else None
