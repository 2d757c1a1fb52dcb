"""One document as the page's script reads it: text, mentions, entities, twins, errors and groups, as short as may be.

    {"texts": [TEXT, ...], "key": SIDE, "systems": [SIDE + twins, errors, groups, costs, ...]}

TEXT  {"sentences": [[word, ...], ...], "zeros": [word, ...]} or {"running": text}
SIDE  {"text": number or null, "entities": [name, ...], "titles": [mention, ...],
       "mentions": [[entity, first, last, first, last, ...], ...], "names": [name, ...] (where there is no text)}

A system with another text than the key's has "inKey", the places [first, last, ...] of its mentions in that of the key,
none for those without; beside other systems also "missed", where in its own text key mentions that it lacks would be,
{number: places}.

Mentions are numbered in the order of the text, entities in that of the file, both from 0 in every document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corefeval.corpus.mention_types import MENTION_TYPES, find_mention_types
from corefeval.corpus.mentions import Spans
from corefeval.show.pages import elsewhere

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefeval._arrays import Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.overlap.views import Rows
    from corefeval.show.pages.attribution import CostTable
    from corefeval.show.pages.errors import PageError
    from corefeval.show.pages.groups import EntityGroup

Record = dict[str, Any]
_BEST_NAMES = [MENTION_TYPES.index(name) for name in ("name", "nominal", "pronoun", "zero")]


class PageSide:
    """One side of all documents, with its mentions numbered within each."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus.in_own_words()
        spans = self.corpus.mentions if isinstance(self.corpus.mentions, Spans) else None
        order = np.arange(len(corpus)) if spans is None else np.lexsort((-spans.end, spans.start))
        self.order = order[np.argsort(corpus.document[order], kind="stable")]
        documents = np.arange(len(corpus.documents) + 1)
        self.bounds = np.searchsorted(corpus.document[self.order], documents)
        self.entity_bounds = np.searchsorted(corpus.entity_document, documents)
        self.number = np.empty(len(corpus), dtype=np.int64)
        self.number[self.order] = np.arange(len(corpus)) - self.bounds[corpus.document[self.order]]
        self._title = _choose_titles(self.corpus, self.number)
        self._names = None if spans is not None else list(map(_format_name, self.corpus.mentions.objects()))

    def rows(self, document: int) -> Ints:
        """The rows of a document's mentions in the order of the text."""
        return self.order[self.bounds[document] : self.bounds[document + 1]]

    def entities(self, document: int) -> slice:
        """The entities of a document."""
        return slice(int(self.entity_bounds[document]), int(self.entity_bounds[document + 1]))

    def title(self, entity: int) -> int:
        """The mention that names an entity best, by its number in the document."""
        return int(self._title[entity])

    def words(self, row: int) -> str:
        """A mention as a person reads it."""
        if self._names is not None:
            return self._names[row]
        return "∅" if self._is_zero(row) else self.corpus.words_of(row) or self.corpus.describe(row)

    def _is_zero(self, row: int) -> bool:
        tokens, spans = self.corpus.tokens, self.corpus.mentions
        if tokens is None or tokens.empty is None or not isinstance(spans, Spans):
            return False
        begin = int(tokens.bounds[self.corpus.document[row]])
        return all(tokens.empty[begin + first : begin + last + 1].all() for first, last in spans.runs(row))

    def entity(self, entity: int) -> int:
        """The number of an entity within its document."""
        return entity - int(self.entity_bounds[self.corpus.entity_document[entity]])

    def record(self, document: int, text: int | None) -> Record:
        """What the page needs of a document, whose text is that number among its texts."""
        first, end = self.entity_bounds[document : document + 2].tolist()
        rows = self.rows(document).tolist()
        entity = (self.corpus.entity[rows] - first).tolist() if rows else []
        found: Record = {
            "text": text,
            "entities": [str(self.corpus.entity_name[number]) for number in range(first, end)],
            "titles": self._title[first:end].tolist(),
        }
        if isinstance(self.corpus.mentions, Spans):
            runs = [self.corpus.mentions.runs(row) for row in rows]
            found["mentions"] = [
                [number, *(place for run in each for place in run)] for number, each in zip(entity, runs, strict=True)
            ]
        else:
            found["mentions"] = [[number] for number in entity]
        if text is None:
            found["names"] = [self._name(row) for row in rows]
        return found

    def _name(self, row: int) -> str:
        return self._names[row] if self._names is not None else self.corpus.describe(row)

    def fits(self, document: int, text: Record) -> bool:
        """Whether a text of words has all that a document's mentions count."""
        assert isinstance(self.corpus.mentions, Spans)  # noqa: S101 - words are counted by spans
        words = sum(map(len, text.get("sentences", ())))
        return int(self.corpus.mentions.end[self.rows(document)].max(initial=-1)) < words

    def text(self, document: int) -> Record | None:
        """The text of a document, where it is known."""
        tokens, texts = self.corpus.tokens, self.corpus.texts
        if tokens is not None:
            empty = tokens.empty
            here = slice(int(tokens.bounds[document]), int(tokens.bounds[document + 1]))
            zeros = [] if empty is None else np.flatnonzero(empty[here]).tolist()
            return {"sentences": tokens.sentences(document), "zeros": zeros}
        return None if texts is None else {"running": texts[document]}


class PageSystem(NamedTuple):
    """What the page knows of one system.

    twin: the key's rows that its mentions are twins of, or -1. Errors and groups are those of a document.
    """

    rows: Rows
    side: PageSide
    twin: Ints
    errors: Sequence[PageError]
    groups: Sequence[EntityGroup]
    costs: CostTable


def make_document_record(document: int, key: PageSide, systems: Sequence[PageSystem]) -> Record:
    """A document with all systems."""
    sides = [system.side for system in systems]
    texts, numbers = _collect_texts(document, [key, *sides])
    found: Record = {"texts": texts, "key": key.record(document, numbers[0]), "systems": []}
    for system, number in zip(systems, numbers[1:], strict=True):
        side = system.side
        listed = side.record(document, number)
        twins = system.twin[side.rows(document)].tolist()
        listed["twins"] = [-1 if row < 0 else int(key.number[row]) for row in twins]
        listed["errors"] = list(_list_errors(system.errors, key, side))
        listed["groups"] = [_describe_group(group, key, side) for group in system.groups]
        listed["costs"] = system.costs.record(document)
        if None not in (listed["text"], found["key"]["text"]) and listed["text"] != found["key"]["text"]:
            listed |= _locate_in_other_text(document, key, system, beside_others=len(systems) > 1)
        found["systems"].append(listed)
    return found


def _collect_texts(document: int, sides: Sequence[PageSide]) -> tuple[list[Record], list[int | None]]:
    """The different texts of a document, and the number of each side's, the key's first.

    A side that counts words and has none takes the first text: it was matched by their numbers.
    """
    texts: list[Record] = []
    numbers: list[int | None] = []
    for side in sides:
        text = side.text(document)
        known = text is not None and bool(text.get("sentences") or text.get("running"))
        if text is not None and known and text not in texts:
            texts.append(text)
        numbers.append(texts.index(text) if text is not None and known else None)
    counts_words = all(side.corpus.unit == "word" for side in sides)
    for place, side in enumerate(sides):
        if numbers[place] is None and counts_words and texts and side.fits(document, texts[0]):
            numbers[place] = 0
    return texts, numbers


def _locate_in_other_text(document: int, key: PageSide, system: PageSystem, *, beside_others: bool) -> Record:
    texts = elsewhere.AlignedTexts(system.rows, system.twin, document)
    found: Record = {"inKey": texts.in_key(system.side.rows(document))}
    if beside_others:
        lacking = np.setdiff1d(key.rows(document), system.twin)
        found["missed"] = dict(zip(key.number[lacking].tolist(), texts.in_response(lacking), strict=True))
    return found


def _list_errors(errors: Sequence[PageError], key: PageSide, side: PageSide) -> Iterator[list[Any]]:
    for error in errors:
        ours, theirs = key.number[list(error.key)].tolist(), side.number[list(error.response)].tolist()
        yield [error.kind, sorted(ours), sorted(theirs), error.text]


def _describe_group(group: EntityGroup, key: PageSide, side: PageSide) -> list[Any]:
    cells = [[key.entity(i), side.entity(j), n] for i, j, n in group.cells]
    return [group.wrong, [key.entity(i) for i in group.key], [side.entity(j) for j in group.response], cells]


def _choose_titles(corpus: Corpus, number: Ints) -> Ints:
    """For every entity the mention that names it best, by its number: a name, a noun, a pronoun; the first of those."""
    title = np.zeros(len(corpus.entity_document), dtype=np.int64)
    if len(corpus) == 0:
        return title
    rank = np.full(len(MENTION_TYPES) + 1, len(MENTION_TYPES), dtype=np.int64)
    rank[_BEST_NAMES] = np.arange(len(MENTION_TYPES))
    order = np.lexsort((number, rank[find_mention_types(corpus).code], corpus.entity))
    first = np.append(True, np.diff(corpus.entity[order]) != 0)
    title[corpus.entity[order[first]]] = number[order[first]]
    return title


def _format_name(name: object) -> str:
    return name if isinstance(name, str) else repr(name)
