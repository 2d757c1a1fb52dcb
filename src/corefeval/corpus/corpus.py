"""One side of an evaluation: documents, their entities, and the mentions of each, as columns."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypedDict

from corefeval._arrays import np
from corefeval._lazy import kept
from corefeval.corpus import building
from corefeval.corpus.heads import get_given_heads
from corefeval.corpus.mentions import Carried, MentionColumn, Spans

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence
    from typing import Unpack

    from numpy.typing import ArrayLike

    from corefeval._arrays import Booleans, Ints
    from corefeval.corpus.building import Entities
    from corefeval.corpus.objects import Document
    from corefeval.corpus.relations import Relation
    from corefeval.corpus.tokens import Tokens
    from corefeval.notices import Notice


class _More(TypedDict, total=False):
    texts: tuple[str, ...] | None
    heads: Spans | None
    minimums: Spans | None
    lines: Ints | None
    attributes: Mapping[str, Sequence[str]]
    entity_attributes: Mapping[str, Sequence[str]]
    relations: tuple[Relation, ...]
    layers: Mapping[str, Corpus]
    source: str
    notices: tuple[Notice, ...]
    files: tuple[str, ...]
    format: str
    recognised: str


class Corpus:
    """Mentions as columns: mention i is `mentions` entry i and belongs to entity `entity[i]`.

    Entities are numbered by document, and within a document in the order of their file or list. Spans count words where
    there are `tokens`, else characters where there are `texts`, the running text of each document.

    heads, minimums: a part of every mention that stands for it, -1 where none is given.
    lines: the line of its file on which each mention begins, where words do not tell.
    attributes, entity_attributes: further columns by name, "" where a mention or entity has none.
    layers: what is annotated besides (non-referring expressions, discourse deixis), each a corpus of the same words.
    files: the file of each document, where they come from several.
    format, recognised: the name of the format that the corpus was read from, and how that was known.
    """

    documents: tuple[str, ...]
    entity_document: Ints
    entity_name: Sequence[object]
    entity: Ints
    mentions: MentionColumn
    tokens: Tokens | None
    texts: tuple[str, ...] | None = None
    heads: Spans | None = None
    minimums: Spans | None = None
    lines: Ints | None = None
    attributes: Mapping[str, Sequence[str]] = MappingProxyType({})
    entity_attributes: Mapping[str, Sequence[str]] = MappingProxyType({})
    relations: tuple[Relation, ...] = ()
    layers: Mapping[str, Corpus] = MappingProxyType({})
    source: str = ""
    notices: tuple[Notice, ...] = ()
    files: tuple[str, ...] = ()
    format: str = ""
    recognised: str = ""

    def __init__(
        self,
        documents: tuple[str, ...],
        entity_document: Ints,
        entity_name: Sequence[object],
        entity: Ints,
        mentions: MentionColumn,
        tokens: Tokens | None = None,
        **more: Unpack[_More],
    ) -> None:
        self.__dict__.update(
            documents=documents,
            entity_document=entity_document,
            entity_name=entity_name,
            entity=entity,
            mentions=mentions,
            tokens=tokens,
            **more,
        )

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a corpus does not change: {name}; see Corpus.replaced")

    def replaced(self, **changes: object) -> Corpus:
        """A corpus like this one but for some columns."""
        new = Corpus.__new__(Corpus)
        new.__dict__.update({name: getattr(self, name) for name in _COLUMNS}, **changes)
        return new

    @classmethod
    def from_entities(cls, documents: Mapping[str, Entities], *, source: str = "") -> Corpus:
        """From Python objects: for every document its entities, each an iterable of hashable mentions."""
        columns, notices = building.build_from_entities(documents, source)
        return cls(*columns, source=source, notices=notices)

    @classmethod
    def from_labels(cls, *, mention: ArrayLike, entity: ArrayLike, document: ArrayLike | None = None) -> Corpus:
        """From arrays of one length: row i says that a mention belongs to an entity (of a document).

        Integers and strings will do for each; the same entity label in two documents is two entities. For data without
        documents, such as records, leave `document` out.
        """
        return cls(*building.build_from_labels(mention, entity, document))

    def __len__(self) -> int:
        return len(self.entity)

    def __repr__(self) -> str:
        counts = f"{len(self.documents)} documents, {len(self.entity_document)} entities, {len(self)} mentions"
        return f"<Corpus {self.source + ': ' if self.source else ''}{counts}>"

    @kept
    def by_entity(self) -> tuple[Ints, Ints]:
        """The mentions' rows ordered by entity, and where each entity's begin."""
        return np.argsort(self.entity, kind="stable"), np.append(0, np.cumsum(self.sizes))

    @kept
    def sizes(self) -> Ints:
        """How many mentions every entity has."""
        return np.bincount(self.entity, minlength=len(self.entity_document))

    @kept
    def document(self) -> Ints:
        """The document of every mention."""
        return self.entity_document[self.entity]

    @kept
    def zeros(self) -> Booleans:
        """Which mentions are zeros: their head is not written in the text, or their first word where no head is given.

        The CorefUD and Universal Anaphora scorers say the same.
        """
        own = self.in_own_words()
        if own.tokens is None or own.tokens.empty is None or not isinstance(own.mentions, Spans):
            return np.zeros(len(self), dtype=np.bool_)
        return own.tokens.empty[own.tokens.bounds[own.document] + get_given_heads(own, own.mentions.start)]

    def entities(self) -> dict[str, list[list[Hashable]]]:
        """The corpus as plain Python objects, by document."""
        listed: list[list[Hashable]] = [[] for _ in self.entity_document]
        for number, mention in zip(self.entity.tolist(), self.mentions.objects(), strict=True):
            listed[number].append(mention)
        found: dict[str, list[list[Hashable]]] = {name: [] for name in self.documents}
        for number, document in enumerate(self.entity_document.tolist()):
            found[self.documents[document]].append(listed[number])
        return found

    def __iter__(self) -> Iterator[Document]:
        """The documents, as light objects."""
        from corefeval.corpus.objects import Document  # noqa: PLC0415 - scoring needs none

        return (Document(self, number) for number in range(len(self.documents)))

    @property
    def own_spans(self) -> Spans:
        """The mentions in the corpus's own words (or characters), even where they are counted in another's."""
        assert isinstance(self.mentions, Spans)  # noqa: S101 - the caller has seen to it
        return _own(self.mentions)

    def in_own_words(self) -> Corpus:
        """The corpus with its mentions, heads and minimums where they stand in its own words (or characters)."""
        if not isinstance(self.mentions, Carried):
            return self
        heads, minimums = (column and _own(column) for column in (self.heads, self.minimums))
        return self.replaced(mentions=self.mentions.own, heads=heads, minimums=minimums)

    @property
    def own_heads(self) -> Spans | None:
        """The heads in the corpus's own words (or characters)."""
        return None if self.heads is None else _own(self.heads)

    @property
    def unit(self) -> str:
        """What spans count: "word", "character", or "label" where mentions are no spans."""
        if not isinstance(self.mentions, Spans):
            return "label"
        return "character" if self.tokens is None and self.texts is not None else "word"

    def words_of(self, mention: int) -> str | None:
        """The text of a mention, where it is known; gaps are shown as dots."""
        if not isinstance(self.mentions, Spans):
            return None
        document, runs = int(self.document[mention]), _own(self.mentions).runs(mention)
        if self.tokens is not None:
            return " ... ".join(" ".join(self.tokens.words(document, *run)) for run in runs)
        if self.texts is not None:
            return " ... ".join(self.texts[document][first : last + 1] for first, last in runs)
        return None

    def describe(self, mention: int) -> str:
        """A mention as a person would name it: its words where they are known."""
        text = self.words_of(mention)
        if text is None:
            return repr(self.mentions.take(np.array([mention])).objects()[0])
        return f'"{text if len(text) <= 60 else text[:57] + "..."}"'

    def place(self, mention: int, otherwise: str) -> str:
        """Where a mention begins, as far as that is known: file:line."""
        file = self.file(int(self.document[mention])) or otherwise
        line = self.line(mention)
        return f"{file}:{line}" if line else file

    def file(self, document: int) -> str:
        """The file that a document comes from."""
        return self.files[document] if self.files else self.source

    def line(self, mention: int) -> int | None:
        """The line of the file on which a mention begins."""
        if self.lines is not None:
            return int(self.lines[mention]) or None
        if self.tokens is None or not isinstance(self.mentions, Spans):
            return None
        return self.tokens.line_of(int(self.document[mention]), int(_own(self.mentions).start[mention])) or None

    def keep(self, chosen: Booleans) -> Corpus:
        """The corpus with some of its mentions only; entities that lose all of them go."""
        index = np.flatnonzero(chosen)
        left = np.bincount(self.entity[index], minlength=len(self.entity_document)) > 0
        return self.replaced(
            **self.mention_columns(index),
            **self.entity_columns(np.flatnonzero(left)),
            entity=(np.cumsum(left) - 1)[self.entity[index]],
        )

    def with_entities(self, number: Ints) -> Corpus:
        """The corpus with every entity e becoming part of entity `number[e]`, which is at most e."""
        heads = np.flatnonzero(number == np.arange(len(number)))
        place = np.zeros(len(number), dtype=np.int64)
        place[heads] = np.arange(len(heads))
        return self.replaced(**self.entity_columns(heads), entity=place[number][self.entity])

    def in_documents(self, names: tuple[str, ...]) -> Corpus:
        """The corpus with these documents in this order: those it lacks are empty, others go."""
        if names == self.documents:
            return self
        from corefeval.corpus.joining import (  # noqa: PLC0415 - most responses have the key's documents in its order
            reordered,
        )

        return reordered(self, names)

    def renamed(self, names: Mapping[str, str]) -> Corpus:
        """The corpus with other names for some documents."""
        return self.replaced(
            documents=tuple(names.get(name, name) for name in self.documents),
            relations=tuple(each._replace(document=names.get(each.document, each.document)) for each in self.relations),
            layers={name: layer.renamed(names) for name, layer in self.layers.items()},
        )

    def mention_columns(self, index: Ints) -> dict[str, Any]:
        """The columns of mentions at these places."""
        return {
            "mentions": self.mentions.take(index),
            "heads": None if self.heads is None else self.heads.take(index),
            "minimums": None if self.minimums is None else self.minimums.take(index),
            "lines": None if self.lines is None else self.lines[index],
            "attributes": {name: _taken(values, index) for name, values in self.attributes.items()},
        }

    def entity_columns(self, index: Ints) -> dict[str, Any]:
        """The columns of entities at these places."""
        return {
            "entity_document": self.entity_document[index],
            "entity_name": _taken(self.entity_name, index),
            "entity_attributes": {name: _taken(values, index) for name, values in self.entity_attributes.items()},
        }

    @staticmethod
    def joined(parts: Sequence[Corpus], *, source: str) -> Corpus:
        """Several files as one corpus."""
        from corefeval.corpus.joining import joined  # noqa: PLC0415 - most corpora are one file

        return joined(parts, source)


_COLUMNS = tuple(Corpus.__annotations__)


def _own(mentions: Spans) -> Spans:
    return mentions.own if isinstance(mentions, Carried) else mentions


def _taken(names: Any, index: Ints) -> Sequence[object]:
    # Names that came as an array stay one: there may be many.
    return names[index] if hasattr(names, "dtype") else [names[i] for i in index.tolist()]
