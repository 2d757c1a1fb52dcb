"""One side of the table: the entities of the key, or of the response."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval._arrays import np
from corefeval._lazy import Frozen, cached
from corefeval.overlap import summation
from corefeval.overlap.cells import count_pairs, renumber_parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval._arrays import Array, Booleans, ByDocument, Ints


class Side(Frozen):
    """The entities of the key or of the response: how large, in which document, ordered by document."""

    size: Ints
    document: Ints
    documents: int
    name: Sequence[object] | None
    document_name: Sequence[str] | None

    def __init__(
        self,
        size: Ints,
        document: Ints,
        documents: int,
        name: Sequence[object] | None = None,
        document_name: Sequence[str] | None = None,
    ) -> None:
        self.__dict__.update(
            size=size, document=document, documents=documents, name=name, document_name=document_name
        )  # fmt: skip

    @cached
    def bounds(self) -> Ints:
        """Where each document's entities begin, and where the last one's end."""
        if self.documents == 1:
            return np.array([0, len(self.size)], dtype=np.int64)
        return np.searchsorted(self.document, np.arange(self.documents + 1))

    def sum(self, values: Array) -> ByDocument:
        """Add up one value per entity, by document."""
        return summation.by_segment(values, self.bounds) if self.documents != 1 else summation.whole(values)

    @cached
    def mentions(self) -> ByDocument:
        """How many mentions each document has."""
        return self.sum(self.size)

    @cached
    def entities(self) -> ByDocument:
        """How many entities each document has."""
        return self.bounds[1:] - self.bounds[:-1] if self.documents != 1 else len(self.size)

    @cached
    def pairs(self) -> ByDocument:
        """How many pairs of mentions each document links: Σ C(size)."""
        return self.sum(count_pairs(self.size))

    def resize(self, size: Ints) -> Side:
        """The same entities with other sizes."""
        return Side(size, self.document, self.documents, self.name, self.document_name)

    def select(self, kept: Booleans) -> Side:
        """Only the entities of `kept`."""
        name = None if self.name is None else [self.name[entity] for entity in np.flatnonzero(kept).tolist()]
        return Side(self.size[kept], self.document[kept], self.documents, name, self.document_name)


def join_sides(sides: Sequence[Side]) -> Side:
    """One side with the documents of several."""
    names = [side.name for side in sides]
    document_names = [side.document_name for side in sides]
    return Side(
        size=np.concatenate([side.size for side in sides]),
        document=renumber_parts([side.document for side in sides], [side.documents for side in sides]),
        documents=sum(side.documents for side in sides),
        name=None if None in names else [name for part in names for name in part or ()],
        document_name=None if None in document_names else [name for part in document_names for name in part or ()],
    )
