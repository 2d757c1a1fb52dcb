"""One side of the table: the entities of the key, or of the response."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval._arrays import np
from corefeval._lazy import cached
from corefeval.overlap import summation
from corefeval.overlap.cells import pairs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval._arrays import Array, ByDocument, Ints


class Side:
    """The entities of the key or of the response: how large, in which document, ordered by document."""

    def __init__(
        self,
        size: Ints,
        document: Ints,
        documents: int,
        name: Sequence[object] | None = None,
        document_name: Sequence[str] | None = None,
    ) -> None:
        self.size, self.document, self.documents = size, document, documents
        self.name, self.document_name = name, document_name

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
        return self.sum(pairs(self.size))
