"""CEAF: align entities one to one, as well as possible; how similar are the aligned ones?"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from corefeval.arrays import np
from corefeval.errors import OptionError
from corefeval.measures import split
from corefeval.measures.base import COUNTS, RecallPrecision
from corefeval.measures.parameters import parameter
from corefeval.measures.twinless import REWRITES

if TYPE_CHECKING:
    from corefeval.arrays import Array, ByDocument, Columns, Ints
    from corefeval.overlap import Overlap, Side

Similarity = Callable[[Any, Any, Any], Any]
"""φ of arrays: mentions shared, size of the key entity, size of the response entity. 0 where nothing is shared."""


def equal(n: Ints, k: Ints, r: Ints) -> Ints:
    """φ1: the same entity or not."""
    return ((n == k) & (n == r)).astype(np.int64)


def touching(n: Ints, k: Ints, r: Ints) -> Ints:  # noqa: ARG001 - every φ has the same arguments
    """φ2: anything in common or not."""
    return (n > 0).astype(np.int64)


def common(n: Ints, k: Ints, r: Ints) -> Ints:  # noqa: ARG001 - every φ has the same arguments
    """φ3: mentions in common."""
    return n


def dice(n: Ints, k: Ints, r: Ints) -> Array:
    """φ4: mentions in common, relative to the sizes."""
    return 2 * n / (k + r)


_SIMILARITIES: dict[object, Similarity] = {1: equal, 2: touching, 3: common, 4: dice}
_CEAF = "Luo 2005, On coreference resolution performance metrics"


class _Aligned(RecallPrecision):
    citation = _CEAF
    antecedents = (COUNTS,)
    adds_up = "entities are aligned within documents; similarities are summed over documents"

    @abstractmethod
    def similarity(self) -> Similarity:
        """φ, a function of arrays."""

    def rewritten(self, table: Overlap) -> tuple[Overlap, Overlap]:
        return table, table

    def count(self, table: Overlap) -> Columns:
        """Align, and sum the similarities."""
        recall, precision = self.rewritten(table)
        total = self._aligned(recall)
        return {
            "recall_numerator": total,
            "recall_denominator": self._own(recall.key),
            "precision_numerator": total if precision is recall else self._aligned(precision),
            "precision_denominator": self._own(precision.response),
        }

    def _aligned(self, table: Overlap) -> ByDocument:
        table = split.shared(self, table)
        members = table.members
        weights = self._weights(members.n, table.key.size[members.key], table.response.size[members.response])
        return table.sum_aligned(members, weights)

    def _own(self, side: Side) -> ByDocument:
        return side.sum(self._weights(side.size, side.size, side.size))

    def _weights(self, n: Ints, k: Ints, r: Ints) -> Array:
        return self.similarity()(n, k, r)


class Ceaf(_Aligned):
    """Luo's φ1 to φ4, or, in Python, any function φ(n, k, r) of arrays: mentions shared and the sizes of both entities.

    φ1 asks for equal entities, φ2 for any overlap. φ3 is `ceafm`, φ4 is `ceafe`.
    """

    name = "ceaf"
    title = "CEAF φ"
    formula = "R = max one-to-one Σ φ(i, j) / Σ φ(i, i)"

    phi: object = parameter(
        "similarity; in Python also a function φ(n, k, r)", default=None, choices=tuple(_SIMILARITIES), function=True
    )

    def similarity(self) -> Similarity:
        """The function."""
        return self.phi if callable(self.phi) else _SIMILARITIES[self.phi]

    def _weights(self, n: Ints, k: Ints, r: Ints) -> Array:
        if not callable(self.phi):
            return super()._weights(n, k, r)
        weights = np.broadcast_to(np.asarray(self.phi(n, k, r), dtype=np.float64), n.shape)
        apart = np.asarray(self.phi(np.zeros_like(n), k, r), dtype=np.float64)
        if not np.isfinite(weights).all() or (weights < 0).any() or apart.any():
            raise OptionError("ceaf:phi must give finite numbers, 0 or more, and 0 for entities that share nothing")
        return weights


class Ceafm(_Aligned):
    """The similarity of two entities is the number of mentions they share; recall is relative to all key mentions."""

    name = "ceafm"
    title = "CEAF, mentions (φ3)"
    formula = "R = max one-to-one Σ n / K"
    _twinless: ClassVar[tuple[str, ...]] = ("keep", "rahman_ng", "cai_strube")

    twinless: str = parameter("what to do with mentions that one side lacks", default="keep", choices=_twinless)

    def similarity(self) -> Similarity:
        """φ3."""
        return common

    def rewritten(self, table: Overlap) -> tuple[Overlap, Overlap]:
        """The tables for recall and for precision."""
        return REWRITES[self.twinless](table)


class Ceafe(Ceafm):
    """The similarity of two entities is relative to their sizes, so every entity weighs the same."""

    name = "ceafe"
    title = "CEAF, entities (φ4)"
    formula = "R = max one-to-one Σ 2n / (k + r)  over  number of key entities"

    def similarity(self) -> Similarity:
        """φ4."""
        return dice
