"""One side of an evaluation: documents, their entities, and the mentions of each, as columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from corefeval import mentions as columns
from corefeval import tokens as words
from corefeval.errors import Fault, InputError
from corefeval.labels import column, first_come, ranks, same_length
from corefeval.lazily import kept
from corefeval.mentions import Labels, MentionColumn, Objects
from corefeval.notices import Notice

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike

    from corefeval.arrays import Booleans, Ints
    from corefeval.tokens import Tokens

Entities: TypeAlias = "Iterable[Iterable[Hashable]]"
_PLAIN = (list, tuple, set, frozenset)  # what entities mostly are, and what needs no further look


@dataclass(frozen=True, eq=False)
class Corpus:
    """Mentions as columns: mention i is `mentions` entry i and belongs to entity `entity[i]`.

    Entities are numbered by document, and within a document in the order of their file or list. `files` names the file
    of each document, where they come from several.
    """

    documents: tuple[str, ...]
    entity_document: Ints
    entity_name: Sequence[object]
    entity: Ints
    mentions: MentionColumn
    tokens: Tokens | None = None
    source: str = ""
    notices: tuple[Notice, ...] = ()
    files: tuple[str, ...] = ()

    @classmethod
    def from_entities(cls, documents: Mapping[str, Entities], *, source: str = "") -> Corpus:
        """From Python objects: for every document its entities, each an iterable of hashable mentions."""
        listed: list[Hashable] = []
        sizes: list[int] = []
        entity_document: list[int] = []
        entity_name: list[int] = []
        notices = []
        for number, (document, entities) in enumerate(documents.items()):
            found = entities if type(entities) in _PLAIN else _entities(entities, document, source)
            for place, entity in enumerate(found):
                before = len(listed)
                listed.extend(entity if type(entity) in _PLAIN else _mentions(entity, place, document, source))
                if len(listed) > before:
                    sizes.append(len(listed) - before)
                    entity_document.append(number)
                    entity_name.append(place)
                else:
                    notices.append(_empty(place, str(document), source))
        names = tuple(map(str, documents))
        if len(names) > 1 and len(set(names)) < len(names):
            raise InputError(Fault(source or "input", "two documents have the same name when written as text"))
        return cls(
            names,
            np.array(entity_document, dtype=np.int64),
            entity_name,
            np.repeat(np.arange(len(sizes)), sizes),
            Objects(listed),
            source=source,
            notices=tuple(notices),
        )

    @classmethod
    def from_labels(cls, *, mention: ArrayLike, entity: ArrayLike, document: ArrayLike | None = None) -> Corpus:
        """From arrays of one length: row i says that a mention belongs to an entity (of a document).

        Integers and strings will do for each; the same entity label in two documents is two entities. For data without
        documents, such as records, leave `document` out.
        """
        mention_label, entity_label = column("mention", mention), column("entity", entity)
        same_length(mention_label, entity_label, "entity")
        names: tuple[str, ...] = ("",)
        row_document = None
        if document is not None:
            document_label = column("document", document)
            same_length(mention_label, document_label, "document")
            found, row_document = first_come(document_label)
            names = tuple(str(name) for name in found.tolist())
            if len(set(names)) < len(names):
                raise InputError(Fault("labels", "two documents have the same name when written as text"))
        entity_name, row_entity = first_come(entity_label)
        entity_document = np.zeros(len(entity_name), dtype=np.int64)
        if row_document is not None:
            fused = row_document * len(entity_name) + row_entity
            pairs, row_entity = first_come(fused)
            order = np.argsort(pairs // max(1, len(entity_name)), kind="stable")
            row_entity = ranks(order)[row_entity]
            entity_document = pairs[order] // max(1, len(entity_name))
            entity_name = entity_name[pairs[order] % max(1, len(entity_name))]
        return cls(names, entity_document, entity_name, row_entity, Labels(mention_label))  # type: ignore[arg-type]

    def __len__(self) -> int:
        return len(self.entity)

    def __repr__(self) -> str:
        counts = f"{len(self.documents)} documents, {len(self.entity_document)} entities, {len(self)} mentions"
        return f"<Corpus {self.source + ': ' if self.source else ''}{counts}>"

    @kept
    def document(self) -> Ints:
        """The document of every mention."""
        return self.entity_document[self.entity]

    def entities(self) -> dict[str, list[list[Hashable]]]:
        """The corpus as plain Python objects, by document."""
        listed: list[list[Hashable]] = [[] for _ in self.entity_document]
        for number, mention in zip(self.entity.tolist(), self.mentions.objects(), strict=True):
            listed[number].append(mention)
        found: dict[str, list[list[Hashable]]] = {name: [] for name in self.documents}
        for number, document in enumerate(self.entity_document.tolist()):
            found[self.documents[document]].append(listed[number])
        return found

    def describe(self, mention: int) -> str:
        """A mention as a person would name it: its words where they are known."""
        entry = self.mentions.take(np.array([mention])).objects()[0]
        if self.tokens is None or not isinstance(entry, tuple):
            return repr(entry)
        text = " ".join(self.tokens.words(int(self.document[mention]), *entry))
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
        if self.tokens is None or not isinstance(self.mentions, columns.Spans):
            return None
        return self.tokens.line_of(int(self.document[mention]), int(self.mentions.start[mention])) or None

    def keep(self, chosen: Booleans) -> Corpus:
        """The corpus with some of its mentions only; entities that lose all of them go."""
        index = np.flatnonzero(chosen)
        left = np.bincount(self.entity[index], minlength=len(self.entity_document)) > 0
        return replace(
            self,
            entity_document=self.entity_document[left],
            entity_name=_taken(self.entity_name, np.flatnonzero(left)),
            entity=(np.cumsum(left) - 1)[self.entity[index]],
            mentions=self.mentions.take(index),
        )

    def with_entities(self, number: Ints) -> Corpus:
        """The corpus with every entity e becoming part of entity `number[e]`, which is at most e."""
        heads = np.flatnonzero(number == np.arange(len(number)))
        place = np.zeros(len(number), dtype=np.int64)
        place[heads] = np.arange(len(heads))
        return replace(
            self,
            entity_document=self.entity_document[heads],
            entity_name=_taken(self.entity_name, heads),
            entity=place[number][self.entity],
        )

    def in_documents(self, names: tuple[str, ...]) -> Corpus:
        """The corpus with these documents in this order: those it lacks are empty, others go."""
        if names == self.documents:
            return self
        place = {name: number for number, name in enumerate(names)}
        moved = np.array([place.get(name, -1) for name in self.documents], dtype=np.int64)
        if len(moved) == 0:
            return replace(self, documents=names, tokens=None)
        entity_document = moved[self.entity_document]
        order = np.argsort(entity_document, kind="stable")
        order = order[np.searchsorted(entity_document[order], 0) :]
        rank = np.full(len(entity_document), -1, dtype=np.int64)
        rank[order] = np.arange(len(order))
        rows = np.flatnonzero(rank[self.entity] >= 0)
        here = {name: number for number, name in enumerate(self.documents)}
        return replace(
            self,
            documents=names,
            entity_document=entity_document[order],
            entity_name=_taken(self.entity_name, order),
            entity=rank[self.entity[rows]],
            mentions=self.mentions.take(rows),
            tokens=None if self.tokens is None else self.tokens.of_documents([here.get(name, -1) for name in names]),
            files=tuple(self.file(here[name]) if name in here else self.source for name in names),
        )

    @staticmethod
    def joined(parts: Sequence[Corpus], *, source: str) -> Corpus:
        """Several files as one corpus."""
        documents = tuple(name for part in parts for name in part.documents)
        entities = np.cumsum([0, *(len(part.entity_document) for part in parts)])
        before = np.cumsum([0, *(len(part.documents) for part in parts)])
        known = [part.tokens for part in parts if part.tokens is not None]
        return Corpus(
            documents,
            np.concatenate([part.entity_document + b for part, b in zip(parts, before[:-1], strict=True)]),
            [name for part in parts for name in part.entity_name],
            np.concatenate([part.entity + e for part, e in zip(parts, entities[:-1], strict=True)]),
            columns.joined([part.mentions for part in parts]),
            tokens=words.joined(known) if len(known) == len(parts) else None,
            source=source,
            notices=tuple(notice for part in parts for notice in part.notices),
            files=tuple(part.source for part in parts for _ in part.documents),
        )


def _entities(entities: Any, document: str, source: str) -> Iterable[Any]:
    if isinstance(entities, str | bytes | Mapping) or not isinstance(entities, Iterable):
        raise InputError(
            Fault(
                source or "input",
                f"document {document!r} is a {type(entities).__name__}",
                "a list of entities, each a list of mentions",
                "several documents go into a dict: {document: entities}",
            )
        )
    return entities


def _mentions(entity: Any, place: int, document: str, source: str) -> Iterable[Any]:
    if isinstance(entity, str | bytes | Mapping) or not isinstance(entity, Iterable):
        where = f" of document {document!r}" if document else ""
        raise InputError(
            Fault(
                source or "input",
                f"entity {place}{where} is a {type(entity).__name__}: {entity!r}",
                "a list, set or tuple of mentions",
            )
        )
    return entity


def _empty(place: int, document: str, source: str) -> Notice:
    where = f" of document {document!r}" if document else ""
    message = f"{source or 'input'}: entity {place}{where} has no mentions and is left out"
    return Notice("empty-entity", message, {"document": document, "entity": place})


def _taken(names: Any, index: Ints) -> Sequence[object]:
    # Names that came as an array stay one: there may be many.
    return names[index] if hasattr(names, "dtype") else [names[i] for i in index.tolist()]
