"""Mentions and entities that weigh differently by what they are: names more than pronouns, persons more than places.

Luo 2005 (2.2) suggests it for CEAF. A mention weighs what its type says (`level` of a mention, else `type`), an entity
is multiplied with the weight of its `type`; `{"role": {"GPE": 1, ...}}` is by another attribute. What two sides call by
different types weighs the lesser of both, or what a pair of types says: `{("NAM", "NOM"): 0.3, ...}`, key first.
A mention without a type has that of its twin; without a twin, and for entities, that is the type "".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from corefeval._arrays import np
from corefeval.errors import OptionError
from corefeval.overlap.cells import Cells

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefeval._arrays import Array, Ints
    from corefeval.overlap.side import Side
    from corefeval.overlap.views import Rows, Views

Weights = Mapping[Any, Any]
"""A weight by type, or by a pair of types (key, response); or, by one attribute, such weights."""

EntityWeights = Mapping[Any, Any] | Sequence[Any]
"""A weight per entity: by its name or its place in its document; or, by document, such weights."""

_MENTION, _ENTITY = ("level", "type"), ("type",)
"""The attributes that tell a type, the first one that there is."""


class Weighted(NamedTuple):
    """What entities share and weigh: sums of their mentions' weights, and what those are multiplied with."""

    cells: Cells
    key: Array
    response: Array
    cell_factor: Array
    key_factor: Array
    response_factor: Array


def weighted(views: Views, mentions: Weights | None, entities: Weights | None, measure: str) -> Weighted:
    """The table with weights."""
    rows, table = views.get_mentions(), views.table
    ours, theirs, shared = _of_mentions(rows, mentions, f"{measure}:mention_weights")
    cells = _cells(rows, shared)
    key_factor, response_factor, cell_factor = _of_entities(rows, cells, entities, f"{measure}:entity_weights")
    return Weighted(
        cells,
        np.bincount(rows.key.entity, weights=ours, minlength=len(table.key.size)),
        np.bincount(rows.response.entity, weights=theirs, minlength=len(table.response.size)),
        cell_factor,
        key_factor,
        response_factor,
    )


def _cells(rows: Rows, weight: Array) -> Cells:
    width = max(1, len(rows.response.entity_document))
    here = rows.key.entity[rows.twin_key] * width + rows.response.entity[rows.twin_response]
    cells, number = np.unique(here, return_inverse=True)
    worth = weight if rows.credit is None else weight * rows.credit
    n = np.bincount(number.reshape(-1), weights=worth, minlength=len(cells))
    return Cells(cells[n > 0] // width, cells[n > 0] % width, n[n > 0])


def _of_mentions(rows: Rows, weights: Weights | None, parameter: str) -> tuple[Array, Array, Array]:
    """The weights of the key's mentions, of the response's, and of twins."""
    if weights is None:
        return np.ones(len(rows.key)), np.ones(len(rows.response)), np.ones(len(rows.twin_key))
    table = _Table(weights, _MENTION, (rows.key.attributes, rows.response.attributes), parameter)
    ours, theirs = table.types(0, len(rows.key)), table.types(1, len(rows.response))
    twins = list(zip(rows.twin_key.tolist(), rows.twin_response.tolist(), strict=True))
    for one, other in twins:
        ours[one], theirs[other] = ours[one] or theirs[other], theirs[other] or ours[one]
    return table.each(ours), table.each(theirs), table.pairs([(ours[one], theirs[other]) for one, other in twins])


def _of_entities(rows: Rows, cells: Cells, weights: Weights | None, parameter: str) -> tuple[Array, Array, Array]:
    """The factors of the key's entities, of the response's, and of cells."""
    keys, responses = len(rows.key.entity_document), len(rows.response.entity_document)
    if weights is None:
        return np.ones(keys), np.ones(responses), np.ones(len(cells.n))
    table = _Table(weights, _ENTITY, (rows.key.entity_attributes, rows.response.entity_attributes), parameter)
    ours, theirs = table.types(0, keys), table.types(1, responses)
    both = zip(cells.key.tolist(), cells.response.tolist(), strict=True)
    return table.each(ours), table.each(theirs), table.pairs([(ours[one], theirs[other]) for one, other in both])


class _Table:
    """Weights by the values of an attribute, which at least one of two sides has."""

    def __init__(
        self,
        weights: Weights,
        usual: tuple[str, ...],
        sides: tuple[Mapping[str, Sequence[str]], Mapping[str, Sequence[str]]],
        parameter: str,
    ) -> None:
        there = {**sides[0], **sides[1]}
        given = [name for name, inner in weights.items() if isinstance(inner, Mapping)][:1]
        self.attribute = next((name for name in given or usual if name in there), "")
        if not self.attribute:
            wanted = " or ".join(map(repr, given or usual))
            known = ", ".join(there) or "none"
            raise OptionError(f"{parameter} needs an attribute {wanted}, which neither side has; there are: {known}")
        self.weights = weights[self.attribute] if given else weights
        self.sides, self.parameter = sides, parameter

    def types(self, side: int, length: int) -> list[str]:
        """The types of everything on a side."""
        return list(self.sides[side].get(self.attribute) or [""] * length)

    def each(self, types: list[str]) -> Array:
        """The weights of these types."""
        known = {value: self._weight(value) for value in set(types)}
        return np.array([known[value] for value in types], dtype=np.float64)

    def pairs(self, types: list[tuple[str, str]]) -> Array:
        """The weights of what key and response have in common, by the types of both."""
        known = {pair: self._of_pair(pair) for pair in set(types)}
        return np.array([known[pair] for pair in types], dtype=np.float64)

    def _of_pair(self, pair: tuple[str, str]) -> float:
        lesser = min(map(self._weight, pair))
        weight = self._number(pair) if pair in self.weights else lesser
        if weight > lesser:
            raise OptionError(f"{self.parameter}: {pair} must not weigh more than {' or '.join(map(repr, pair))}")
        return weight

    def _weight(self, value: str) -> float:
        if value not in self.weights:
            what = f"has no weight for {self.attribute} {value!r}"
            hint = "" if value else f": where there is no {self.attribute}, and no twin that has one"
            raise OptionError(f"{self.parameter} {what}{hint}")
        return self._number(value)

    def _number(self, value: object) -> float:
        try:
            number = float(self.weights[value])
        except (TypeError, ValueError):
            number = -1.0
        if not 0 <= number < float("inf"):
            raise OptionError(f"{self.parameter}: the weight of {value!r} must be a finite number, 0 or more")
        return number


def find_importance(side: Side, weights: EntityWeights | None, importance: Callable[[Any], Any] | None) -> Array | None:
    """The importance of every entity of a side to LEA, by their own weights or a function; None if it is their size."""
    if weights is None and importance is None:
        return None
    given = _find_entity_weights(side, weights) if weights is not None else _call_importance(importance, side.size)
    try:
        found = np.broadcast_to(np.asarray(given, dtype=np.float64), side.size.shape)
    except (TypeError, ValueError) as error:
        raise OptionError(f"lea: the importance of entities must be a number for each ({error})") from None
    if not np.isfinite(found).all() or (found < 0).any():
        raise OptionError("lea: the importance of an entity must be a finite number, 0 or more")
    return found


def _call_importance(importance: object, size: Ints) -> Any:
    if not callable(importance):
        raise OptionError(f"lea: importance must be a function of an array of sizes, not {importance!r}")
    return importance(size)


def _find_entity_weights(side: Side, weights: EntityWeights) -> list[Any]:
    if side.name is None or side.document_name is None:
        raise OptionError("lea: weights for single entities need a table that knows its entities' names")
    found = []
    for name, document in zip(list(side.name), side.document.tolist(), strict=True):
        of_document = _find_document_weights(weights, side.document_name[document])
        try:
            found.append(of_document[name])
        except (KeyError, IndexError, TypeError):
            place = f"entity {name!r} of document {side.document_name[document]!r}"
            raise OptionError(f"lea: no weight for {place}") from None
    return found


def _find_document_weights(weights: EntityWeights, document: str) -> Any:
    own = weights.get(document) if isinstance(weights, Mapping) else None
    return own if hasattr(own, "__getitem__") else weights
