"""LEA: how important is each entity, and how much of it is resolved?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from corefeval._arrays import np
from corefeval.errors import OptionError
from corefeval.measures.base import COUNTS, RecallPrecision
from corefeval.measures.parameters import api_only
from corefeval.measures.shared import split_antecedents
from corefeval.notices import Notice

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corefeval._arrays import Array, Columns, Ints
    from corefeval.overlap.side import Side
    from corefeval.overlap.table import Overlap

Weights = Mapping[Any, Any] | Sequence[Any]
"""A weight per entity: by its name or its place in its document; or, by document, such weights."""


class Lea(RecallPrecision):
    """Each entity counts by its importance, by default its size, times the share of its links that the other side has.

    A singleton has one link, to itself, and it is resolved only if the other side has the same singleton. In Python,
    `importance` is any function of an array of sizes; `key_weights` and `response_weights` give each entity its own.
    """

    name = "lea"
    title = "LEA"
    formula = "R = Σ w(k) · [Σ C(n) / C(k)] / Σ w(k),  w(k) = k"
    citation = "Moosavi & Strube 2016, Which coreference evaluation metric do you trust?"
    adds_up = "importance and resolved importance are summed over documents"
    derivation = "resolution"
    unit = "links of entities, weighted by the number of their mentions"
    symmetric = True
    antecedents = (COUNTS,)

    importance: Callable[[Any], Any] | None = api_only(
        "a function from an array of entity sizes to their weights", default=None
    )
    key_weights: Weights | None = api_only("the key entities' weights", default=None)
    response_weights: Weights | None = api_only("the response entities' weights", default=None)

    def count(self, table: Overlap) -> Columns:
        """Sum importance, and importance times resolution, on each side."""
        key = self._weight(table.key, self.key_weights)
        response = self._weight(table.response, self.response_weights)
        recall, precision = split_antecedents.shares(self, table, or_equal=True)
        found = _shared(recall)
        right = found if precision is recall else _shared(precision)
        of_key = None if key is None else key[recall.cell_key]
        of_response = None if response is None else response[precision.cell_response]
        counts = {
            "recall_numerator": recall.sum(_resolved(of_key, found, recall.k)),
            "recall_denominator": table.key.mentions if key is None else table.key.sum(key),
            "precision_numerator": precision.sum(_resolved(of_response, right, precision.r)),
            "precision_denominator": table.response.mentions if response is None else table.response.sum(response),
        }
        lost = split_antecedents.crossed(self, table)
        if lost is not None:
            counts["recall_numerator"] -= table.key.sum(_resolved(key, 2 * lost[0], table.key.size))
            counts["precision_numerator"] -= table.response.sum(_resolved(response, 2 * lost[1], table.response.size))
        return counts

    def notices(self, table: Overlap) -> Iterable[Notice]:
        """How many links a scorer counts in part that only lead across a split antecedent."""
        lost = split_antecedents.crossed(self, table)
        if lost is None or not any(each.any() for each in lost):
            return
        key, response = (float(each.sum()) for each in lost)
        message = (
            "LEA's links between mentions that lead across a split antecedent, in the order of Python's sets, count in "
            f"part, as in the Universal Anaphora scorer 1.0: {-key:+.4g} links of the key and {-response:+.4g} of the "
            "response beside split_antecedents=keep"
        )
        yield Notice("crossed-links", message, {"key": -key, "response": -response})

    def count_antecedents(self, table: Overlap) -> Columns:
        """Weights that are given by name are those of entities, not of antecedents."""
        return Lea(importance=self.importance).count(table)

    def _weight(self, side: Side, weights: Weights | None) -> Array | None:
        """The importance of every entity, unless it is its size."""
        if weights is None and self.importance is None:
            return None
        given = _looked_up(side, weights) if weights is not None else _called(self.importance, side.size)
        try:
            found = np.broadcast_to(np.asarray(given, dtype=np.float64), side.size.shape)
        except (TypeError, ValueError) as error:
            raise OptionError(f"lea: the importance of entities must be a number for each ({error})") from None
        if not np.isfinite(found).all() or (found < 0).any():
            raise OptionError("lea: the importance of an entity must be a finite number, 0 or more")
        return found


def _shared(table: Overlap) -> Array:
    """Twice the links that each cell has in common: the halves cancel out. A singleton links to itself."""
    return table.linked + (table.k + table.r == 2)


def _resolved(importance: Array | None, links: Array, size: Ints) -> Array:
    """How important each entity is times the share of its links that are found; a singleton has one, to itself.

    Where the importance is the size, w(k) / k (k - 1) is 1 / (k - 1).
    """
    if importance is None:
        return links / np.maximum(size - 1, 1)
    return importance * (links / np.maximum(size * (size - 1), 1))


def _called(importance: Callable[[Any], Any] | None, size: Ints) -> Any:
    if not callable(importance):
        raise OptionError(f"lea: importance must be a function of an array of sizes, not {importance!r}")
    return importance(size)


def _looked_up(side: Side, weights: Weights) -> list[Any]:
    if side.name is None or side.document_name is None:
        raise OptionError("lea: weights for single entities need a table that knows its entities' names")
    found = []
    for name, document in zip(list(side.name), side.document.tolist(), strict=True):
        of_document = _of_document(weights, side.document_name[document])
        try:
            found.append(of_document[name])
        except (KeyError, IndexError, TypeError):
            place = f"entity {name!r} of document {side.document_name[document]!r}"
            raise OptionError(f"lea: no weight for {place}") from None
    return found


def _of_document(weights: Weights, document: str) -> Any:
    own = weights.get(document) if isinstance(weights, Mapping) else None
    return own if hasattr(own, "__getitem__") else weights
