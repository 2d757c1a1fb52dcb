"""A corpus as documents, entities and mentions: light objects, made when someone asks for them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from corefeval._arrays import Ints, np
from corefeval.corpus.beyond_identity import Relation
from corefeval.corpus.mentions import Pieces, Spans
from corefeval.notices import count_things

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus


class _CorpusRow:
    """A row of one of the columns of a corpus. The same row of the same corpus is equal."""

    __slots__ = ("corpus", "number")

    def __init__(self, corpus: Corpus, number: int) -> None:
        self.corpus = corpus
        self.number = number

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.corpus is other.corpus and self.number == other.number

    def __hash__(self) -> int:
        return hash((self.corpus, self.number))


class Mention(_CorpusRow):
    """A mention of a corpus."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<Mention {self.corpus.describe(self.number)}>"

    @property
    def entity(self) -> Entity:
        """The entity that the mention belongs to."""
        return Entity(self.corpus, int(self.corpus.entity[self.number]))

    @property
    def id(self) -> Hashable:
        """What identifies the mention in its document: (first, last), a tuple of such if it has gaps, or a label."""
        return self.corpus.mentions.take(np.array([self.number])).objects()[0]

    @property
    def runs(self) -> Pieces:
        """First and last word (or character) of each part of the mention, as pairs; empty if mentions are no spans."""
        mentions = self.corpus.mentions
        return mentions.runs(self.number) if isinstance(mentions, Spans) else ()

    @property
    def start(self) -> int | None:
        """The number of its first word (or character); None where mentions are no spans."""
        return self.runs[0][0] if self.runs else None

    @property
    def end(self) -> int | None:
        """The number of its last word (or character), included; None where mentions are no spans."""
        return self.runs[-1][1] if self.runs else None

    @property
    def text(self) -> str | None:
        """The mention's words as one text, with " ... " for gaps; None where they are not known."""
        return self.corpus.words_of(self.number)

    @property
    def head(self) -> tuple[int, int] | None:
        """First and last word (or character) of its head; None where none is given."""
        return _get_span(self.corpus.heads, self.number)

    @property
    def minimum(self) -> tuple[int, int] | None:
        """First and last word (or character) of its minimum span; None where none is given."""
        return _get_span(self.corpus.minimums, self.number)

    @property
    def is_zero(self) -> bool:
        """Whether it is a zero: its head, or its first word where no head is given, is not written in the text."""
        return bool(self.corpus.zeros[self.number])

    @property
    def line(self) -> int | None:
        """The line of its file on which it begins; None where it is not known."""
        return self.corpus.line(self.number)

    @property
    def attributes(self) -> dict[str, str]:
        """What else the file says about the mention, as {name: value} without empty values."""
        return _get_attributes(self.corpus.attributes, self.number)


class Entity(_CorpusRow):
    """An entity of a corpus, with its mentions in the order of the text."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<Entity {self.name}: {count_things(len(self), 'mention')}>"

    def __len__(self) -> int:
        return int(self.corpus.sizes[self.number])

    def __iter__(self) -> Iterator[Mention]:
        return iter(self.mentions)

    @property
    def name(self) -> str:
        """The entity's name in its file, as text."""
        return str(self.corpus.entity_name[self.number])

    @property
    def mentions(self) -> list[Mention]:
        """A list of the entity's mentions, in the order of the text if they are spans, else as given."""
        order, start = self.corpus.by_entity
        return _list_mentions(self.corpus, order[start[self.number] : start[self.number + 1]])

    @property
    def attributes(self) -> dict[str, str]:
        """What else the file says about the entity, such as its type, as {name: value} without empty values."""
        return _get_attributes(self.corpus.entity_attributes, self.number)


class Document(_CorpusRow):
    """A document of a corpus."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<Document {self.name}>"

    def __iter__(self) -> Iterator[Entity]:
        return iter(self.entities)

    @property
    def name(self) -> str:
        """The document's name."""
        return self.corpus.documents[self.number]

    @property
    def entities(self) -> list[Entity]:
        """Its entities in the order of the file."""
        first, end = np.searchsorted(self.corpus.entity_document, [self.number, self.number + 1]).tolist()
        return [Entity(self.corpus, number) for number in range(first, end)]

    @property
    def mentions(self) -> list[Mention]:
        """A list of the document's mentions, in the order of the text if they are spans, else as given."""
        return _list_mentions(self.corpus, np.flatnonzero(self.corpus.document == self.number))

    @property
    def words(self) -> list[str] | None:
        """Its words; None where they are not known."""
        return None if self.corpus.tokens is None else self.corpus.tokens.words(self.number)

    @property
    def sentences(self) -> list[list[str]] | None:
        """The document's words as a list for each sentence; None where they are not known."""
        return None if self.corpus.tokens is None else self.corpus.tokens.sentences(self.number)

    @property
    def text(self) -> str | None:
        """Its running text; None where the file has none."""
        return None if self.corpus.texts is None else self.corpus.texts[self.number]

    @property
    def relations(self) -> list[Relation]:
        """The document's relations beyond identity, such as bridging."""
        return [relation for relation in self.corpus.relations if relation.document == self.name]


def _list_mentions(corpus: Corpus, rows: Ints) -> list[Mention]:
    """Return a Mention for each of these rows, in the order of the text if they are spans, else as given."""
    if isinstance(corpus.mentions, Spans):
        rows = rows[corpus.mentions.take(rows).sort_outer_first(corpus.document[rows])]
    return [Mention(corpus, row) for row in rows.tolist()]


def _get_attributes(columns: Mapping[str, Sequence[str]], row: int) -> dict[str, str]:
    """Return {name: value} of the attributes of a row, without those that are ""."""
    return {name: values[row] for name, values in columns.items() if values[row]}


def _get_span(column: Spans | None, row: int) -> tuple[int, int] | None:
    """Return (first, last) of the span in a row; None if there is no column, or it has no span there."""
    if column is None or column.start[row] < 0:
        return None
    return int(column.start[row]), int(column.end[row])
