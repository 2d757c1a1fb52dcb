"""One document as the page's script reads it: text, mentions, entities, twins, errors and costs, as short as may be.

    {"texts": [TEXT, ...], "key": SIDE, "systems": [SIDE + twins, errors, costs, ...]}

TEXT  {"sentences": [[word, ...], ...], "zeros": [word, ...]} or {"running": text}
SIDE  {"text": number or null, "entities": [name, ...], "titles": [mention, ...],
       "mentions": [[entity, first, last, first, last, ...], ...], "names": [name, ...] (where there is no text)}

Errors are columns with a value for each error, the costliest first: "kind" (a place among the report's kinds), "key"
and "response" (the mentions that it shows at), "beside" ([mention of the key or -1, mention of the response or -1], or
null), "same" (a number that the same error of another system has, too).

A system with another text than the key's has "inKey", the places [first, last, ...] of its mentions in that of the key,
none for those without; beside other systems also "missed", where in its own text key mentions that it lacks would be,
{number: places}. Mentions are carried over by their letters, as they are for matching.

Mentions are numbered in the order of the text, entities in that of the file, both from 0 in every document.
`schema.json` has all of it; the ids that links have (`web/model/document.js`) are made of words' places, and stay when
a page is made anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from corefeval._arrays import Ints
from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mention_types import MENTION_TYPES, find_mention_types
from corefeval.corpus.mentions import Spans
from corefeval.corpus.units import move_spans
from corefeval.matching.carrying import find_places
from corefeval.matching.letters import read_letters
from corefeval.overlap.views import Rows
from corefeval.show.pages.content.errors import number_identities

if TYPE_CHECKING:
    from corefeval.show.pages.content.attribution import CostTable
    from corefeval.show.pages.content.errors import PageError

Record = dict[str, Any]
_BEST_NAMES = [MENTION_TYPES.index(name) for name in ("name", "nominal", "pronoun", "zero")]


class PageSide:
    """One side of all documents, in its own words.

    number, numbers: of every mention, within its document, as an array and as a list.
    titles: for every entity, the number of the mention that names it.
    """

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus.in_own_words()
        mentions, documents = self.corpus.mentions, np.arange(len(corpus.documents) + 1)
        if isinstance(mentions, Spans):
            self._names, self._order = None, mentions.sort_outer_first(corpus.document)
        else:
            self._names = [each if isinstance(each, str) else repr(each) for each in mentions.objects()]
            self._order = np.argsort(corpus.document, kind="stable")
        self._bounds = np.searchsorted(corpus.document[self._order], documents)
        self._entity_bounds = np.searchsorted(corpus.entity_document, documents)
        self.number = np.empty(len(corpus), dtype=np.int64)
        self.number[self._order] = np.arange(len(corpus)) - self._bounds[corpus.document[self._order]]
        self.numbers: list[int] = self.number.tolist()
        self.titles = _choose_titles(self.corpus, self.number)

    def list_rows(self, document: int) -> Ints:
        """Return an array: the rows of a document's mentions in the order of the text."""
        return self._order[self._bounds[document] : self._bounds[document + 1]]

    def find_entities(self, document: int) -> slice:
        """Return the slice of a document's entities among those of all documents."""
        return slice(int(self._entity_bounds[document]), int(self._entity_bounds[document + 1]))

    def number_entity(self, entity: int) -> int:
        """Return the number that an entity has within its document."""
        return entity - int(self._entity_bounds[self.corpus.entity_document[entity]])

    def get_words(self, row: int) -> str:
        """Return the text of a mention: its words, ∅ for a zero, or its name (label)."""
        if self._names is not None:
            return self._names[row]
        return "∅" if self.corpus.zeros[row] else self.corpus.words_of(row) or self.corpus.describe(row)

    def build_record(self, document: int, text: int | None) -> Record:
        """Return {"text": `text`, "entities", "titles", "mentions"} of a document, "names", too, if it has no text."""
        here, rows, mentions = self.find_entities(document), self.list_rows(document), self.corpus.mentions
        numbers = (self.corpus.entity[rows] - here.start).tolist()
        places = _flatten_spans(mentions, rows) if isinstance(mentions, Spans) else [[]] * len(rows)
        record: Record = {
            "text": text,
            "entities": [str(name) for name in self.corpus.entity_name[here]],
            "titles": self.titles[here].tolist(),
            "mentions": [[number, *place] for number, place in zip(numbers, places, strict=True)],
        }
        if text is None:
            record["names"] = [self._names[row] if self._names else self.corpus.describe(row) for row in rows.tolist()]
        return record

    def fits_text(self, document: int, text: Record) -> bool:
        """Return whether a text has enough words for the spans of all mentions of a document."""
        assert isinstance(self.corpus.mentions, Spans)  # noqa: S101 - words are counted by spans
        words = sum(map(len, text.get("sentences", ())))
        return int(self.corpus.mentions.end[self.list_rows(document)].max(initial=-1)) < words

    def get_text(self, document: int) -> Record | None:
        """Return a document's text as {"sentences", "zeros"} or {"running"}; None if it has no text."""
        tokens, texts = self.corpus.tokens, self.corpus.texts
        if tokens is None:
            return {"running": texts[document]} if texts is not None and texts[document] else None
        zeros = np.flatnonzero(tokens.unwritten[tokens.rows(document)]).tolist()
        sentences = tokens.sentences(document)
        return {"sentences": sentences, "zeros": zeros} if sentences else None


class PageSystem(NamedTuple):
    """What the page knows of one system. twin: the key row of each mention, or -1. errors: by document."""

    rows: Rows
    side: PageSide
    twin: Ints
    errors: Sequence[Sequence[PageError]]
    costs: CostTable


def build_document_record(document: int, key: PageSide, systems: Sequence[PageSystem], kinds: Sequence[str]) -> Record:
    """Return {"texts", "key", "systems"} of a document, as the module's head describes it for the page's script."""
    texts, numbers = _collect_texts(document, [key, *(system.side for system in systems)])
    key_record = key.build_record(document, numbers[0])
    same = number_identities([system.errors[document] for system in systems])
    records = []
    for system, number, identities in zip(systems, numbers[1:], same, strict=True):
        side, listed = system.side, system.errors[document]
        twins = system.twin[side.list_rows(document)]
        record = side.build_record(document, number) | {
            "twins": [key.numbers[row] if row >= 0 else -1 for row in twins.tolist()],
            "errors": {
                "kind": [kinds.index(each.kind) for each in listed],
                "key": [_sort_numbers(key, each.key) for each in listed],
                "response": [_sort_numbers(side, each.response) for each in listed],
                "beside": [_number_beside(each, key, side) for each in listed],
                "same": identities,
            },
            "costs": system.costs.build_record(document),
        }
        if None not in (number, numbers[0]) and number != numbers[0]:
            record |= _locate_in_other_text(document, key, system, beside_others=len(systems) > 1)
        records.append(record)
    return {"texts": texts, "key": key_record, "systems": records}


def _number_beside(error: PageError, key: PageSide, response: PageSide) -> list[int] | None:
    """Return the numbers, on both sides, of the mention beside an error's; -1 where a side lacks it, None without."""
    rows = zip((key, response), error.beside, strict=True)
    numbers = [side.numbers[row] if row >= 0 else -1 for side, row in rows]
    return None if max(numbers) < 0 else numbers


def _sort_numbers(side: PageSide, rows: Sequence[int]) -> list[int]:
    """Return a sorted list of the numbers that these rows of a side have within their document."""
    return sorted([side.numbers[row] for row in rows])


def _collect_texts(document: int, sides: Sequence[PageSide]) -> tuple[list[Record], list[int | None]]:
    """Return a document's different texts, and a list of each side's place there; None if none is its own or fits."""
    texts: list[Record] = []
    numbers: list[int | None] = []
    for side in sides:
        text = side.get_text(document)
        if text is not None and text not in texts:
            texts.append(text)
        numbers.append(None if text is None else texts.index(text))
    if texts and all(side.corpus.unit == "word" for side in sides):
        numbers = [  # a side that counts words and has none was matched by the numbers of the first text's
            0 if number is None and side.fits_text(document, texts[0]) else number
            for number, side in zip(numbers, sides, strict=True)
        ]
    return texts, numbers


def _locate_in_other_text(document: int, key: PageSide, system: PageSystem, *, beside_others: bool) -> Record:
    """Return {"inKey": mentions' places in the key's text}; `beside_others`, also "missed", lacking key mentions'."""
    sides = system.rows.key, system.rows.response
    have_text = all(corpus.tokens is not None or corpus.texts is not None for corpus in sides)
    letters = [read_letters(corpus, document) for corpus in sides] if have_text else []

    def locate_rows(side: int, chosen: Ints) -> list[list[int]]:
        """Return for each of some mentions of a side its places in the other side's text; [] where it is not found."""
        if not letters or not isinstance(sides[side].mentions, Spans):
            return [[] for _ in chosen]
        places = find_places(letters[1 - side], letters[side])
        moved = move_spans(sides[side].own_spans.take(chosen), np.zeros(len(chosen), dtype=np.int64), [places])
        return [_flatten_runs(moved, row) if moved.start[row] >= 0 else [] for row in range(len(chosen))]

    ours, theirs = (corpus.mentions for corpus in sides)
    chosen = system.side.list_rows(document)
    in_key = locate_rows(1, chosen)
    if isinstance(ours, Spans) and isinstance(theirs, Spans):
        for place, (row, twin) in enumerate(zip(chosen.tolist(), system.twin[chosen].tolist(), strict=True)):
            if twin >= 0 and ours.runs(twin) == theirs.runs(row):  # matching took them for the same
                in_key[place] = _flatten_runs(sides[0].own_spans, twin)
    if not beside_others:
        return {"inKey": in_key}
    lacking = np.setdiff1d(key.list_rows(document), system.twin[chosen])
    return {"inKey": in_key, "missed": dict(zip(key.number[lacking].tolist(), locate_rows(0, lacking), strict=True))}


def _flatten_spans(spans: Spans, rows: Ints) -> list[list[int]]:
    """Return for each of these rows what `_flatten_runs` returns."""
    places = np.stack([spans.start[rows], spans.end[rows]], axis=1).tolist()
    if spans.pieces:
        places = [
            _flatten_runs(spans, row) if row in spans.pieces else place
            for row, place in zip(rows.tolist(), places, strict=True)
        ]
    return places


def _flatten_runs(spans: Spans, row: int) -> list[int]:
    """Return the first and last place of each run of a mention as one list: [first, last, first, last, ...]."""
    return list(chain.from_iterable(spans.runs(row)))


def _choose_titles(corpus: Corpus, number: Ints) -> Ints:
    """Return an array: for every entity the number of its first name, or else nominal, or pronoun, or zero."""
    titles = np.zeros(len(corpus.entity_document), dtype=np.int64)
    rank = np.full(len(MENTION_TYPES) + 1, len(MENTION_TYPES), dtype=np.int64)
    rank[_BEST_NAMES] = np.arange(len(MENTION_TYPES))
    order = np.lexsort((number, rank[find_mention_types(corpus).code], corpus.entity))
    first = order[np.diff(corpus.entity[order], prepend=-1) != 0]
    titles[corpus.entity[first]] = number[first]
    return titles
