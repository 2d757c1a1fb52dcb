"""Mentions and entities that weigh differently by what they are: names more than pronouns, persons more than places.

Luo 2005 (2.2) suggests it for CEAF. A mention weighs what its type says (`level` of a mention, else `type`), an entity
is multiplied with the weight of its `type`; `{"role": {"GPE": 1, ...}}` is by another attribute. What two sides call by
different types weighs the lesser of both, or what a pair of types says: `{("NAM", "NOM"): 0.3, ...}`, key first.
A mention without a type has that of its twin; without a twin, and for entities, that is the type "".

LEA takes the same weights (see `importance`). All can be in a file: see `weight_files`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

from corefeval._arrays import Array, np
from corefeval._lazy import NamedTuple, cached
from corefeval.errors import CorefevalError, Fault, InputError, OptionError
from corefeval.measures.base import Measure
from corefeval.measures.parameters import parameter
from corefeval.measures.shared.weight_range import A_WEIGHT, is_weight
from corefeval.overlap.cells import Cells
from corefeval.overlap.views import Rows, Views

Weights = Mapping[Any, Any]
"""A weight by type, or by a pair of types (key, response); or, by one attribute, such weights."""

WeightsFile = str | PathLike[str]
"""The path of a file of weights."""

READER = "corefeval.measures.shared.weight_files:read_weights"
"""What reads weights from a file, for parameters that take them."""


class WeightTable(dict[Any, Any]):
    """Weights that were read from a file, as measures take them in Python; source: its path."""

    def __init__(self, source: str, weights: Mapping[Any, Any]) -> None:
        super().__init__(weights)
        self.source = source


class WeighedByType(Measure):
    """A measure for which mentions and entities can have weights by their types."""

    mention_weights: Weights | WeightsFile | None = parameter(
        "weights of mentions by type, or by another attribute", default=None, instance=object, reader=READER
    )
    entity_weights: Weights | WeightsFile | None = parameter(
        "weights of entities by type, or by another attribute", default=None, instance=object, reader=READER
    )

    @cached
    def needs_mentions(self) -> bool:
        """Whether weights by type are given, for which it looks at mentions, not at the table alone."""
        return self.mention_weights is not None or self.entity_weights is not None

    def check_split_antecedents(self) -> None:
        """Raise an OptionError if weights by type are given, which are not defined for split antecedents."""
        if self.needs_mentions:
            raise self.make_split_antecedents_error()

    def make_split_antecedents_error(self) -> OptionError:
        """Return, not raise, the OptionError that weights and split antecedents do not go together."""
        return OptionError(
            f"{self.name}: weights have no definition for split antecedents, which would be left out silently; "
            "split_antecedents='drop' leaves them out, without weights they count"
        )

    def weigh_entities(self, views: Views) -> WeightedEntities:
        """Return cells with summed weights of shared mentions, entities' summed weights, and factors for both."""
        return weigh_entities(views, self.load("mention_weights"), self.load("entity_weights"), self.name)


class WeightedEntities(NamedTuple):
    """What entities share and weigh: sums of their mentions' weights, and what those are multiplied with."""

    cells: Cells
    key: Array
    response: Array
    cell_factor: Array
    key_factor: Array
    response_factor: Array


def weigh_entities(views: Views, mentions: Weights | None, entities: Weights | None, measure: str) -> WeightedEntities:
    """Return cells with summed weights of shared mentions, entities' summed weights, and factors for both by type."""
    rows, table = views.get_mentions(), views.table
    key, response, shared = _weigh_mentions(rows, mentions, f"{measure}:mention_weights")
    cells = _sum_shared(rows, shared)
    pairs = list(zip(cells.key.tolist(), cells.response.tolist(), strict=True))
    sizes = len(table.key.size), len(table.response.size)
    key_factor, response_factor, cell_factor = np.ones(sizes[0]), np.ones(sizes[1]), np.ones(len(pairs))
    if entities is not None:
        sides = rows.key.entity_attributes, rows.response.entity_attributes
        factors = _TypeWeights(entities, ("type",), sides, f"{measure}:entity_weights")
        key_factor, response_factor, cell_factor = factors.weigh(*factors.list_types(*sizes), pairs)
    return WeightedEntities(
        cells,
        np.bincount(rows.key.entity, weights=key, minlength=sizes[0]),
        np.bincount(rows.response.entity, weights=response, minlength=sizes[1]),
        cell_factor,
        key_factor,
        response_factor,
    )


def _weigh_mentions(rows: Rows, weights: Weights | None, parameter: str) -> tuple[Array, Array, Array]:
    """Return three columns of weights: of key mentions, response mentions and pairs of twins; all 1 without weights."""
    sizes, twins = (len(rows.key), len(rows.response)), rows.twin_key
    if weights is None:
        return np.ones(sizes[0]), np.ones(sizes[1]), np.ones(len(twins))
    table = _TypeWeights(weights, ("level", "type"), (rows.key.attributes, rows.response.attributes), parameter)
    ours, theirs = table.list_types(*sizes)
    pairs = list(zip(twins.tolist(), rows.twin_response.tolist(), strict=True))
    for i, j in pairs:
        ours[i], theirs[j] = ours[i] or theirs[j], theirs[j] or ours[i]
    return table.weigh(ours, theirs, pairs)


def _sum_shared(rows: Rows, weight: Array) -> Cells:
    """Return cells with n the sum of their twins' weights, given one per pair, times credit; those of 0 left out."""
    width = max(1, len(rows.response.entity_document))
    here = rows.key.entity[rows.twin_key] * width + rows.response.entity[rows.twin_response]
    cells, number = np.unique(here, return_inverse=True)
    worth = weight if rows.credit is None else weight * rows.credit
    n = np.bincount(number.reshape(-1), weights=worth, minlength=len(cells))
    return Cells(cells[n > 0] // width, cells[n > 0] % width, n[n > 0])


class _TypeWeights:
    """Weights by the values of an attribute, the first of the usual ones that at least one of two sides has."""

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
        self.sides, self.parameter, self.given = sides, parameter, weights

    def list_types(self, *sizes: int) -> tuple[list[str], list[str]]:
        """Return two lists: the types of all mentions (or entities) of the key, and of the response; "" for none."""
        key, response = (
            list(side.get(self.attribute) or [""] * size) for side, size in zip(self.sides, sizes, strict=True)
        )
        return key, response

    def weigh(self, key: list[str], response: list[str], pairs: list[tuple[int, int]]) -> tuple[Array, Array, Array]:
        """Return three columns of weights: of key types, response types and pairs; an OptionError if one is missing."""
        known: dict[object, float] = {value: self._weigh_type(value) for value in {*key, *response}}
        both = [(key[i], response[j]) for i, j in pairs]
        known |= {pair: self._weigh_pair(pair) for pair in set(both)}
        ours, theirs, shared = (
            np.array([known[each] for each in listed], dtype=np.float64) for listed in (key, response, both)
        )
        return ours, theirs, shared

    def _weigh_pair(self, pair: tuple[str, str]) -> float:
        """Return the weight of two types as twins: their own, or the lesser; an OptionError if their own is greater."""
        lesser = min(map(self._weigh_type, pair))
        weight = self._read_weight(pair) if pair in self.weights else lesser
        if weight > lesser:
            heavier = f"gives {pair} more than {' or '.join(map(repr, pair))}"
            raise make_weight_error(self.given, self.parameter, heavier, "no more than the lesser of both")
        return weight

    def _weigh_type(self, value: str) -> float:
        """Return the weight of a type; an OptionError if none is given for it."""
        if value not in self.weights:
            what = f"has no weight for {self.attribute} {value!r}"
            hint = "" if value else f": where there is no {self.attribute}, and no twin that has one"
            raise make_weight_error(self.given, self.parameter, f"{what}{hint}")
        return self._read_weight(value)

    def _read_weight(self, value: object) -> float:
        """Return the weight of a type or pair as a number; an OptionError unless it is one that is possible."""
        try:
            number = float(self.weights[value])
        except (TypeError, ValueError):
            number = -1.0
        if not is_weight(number):
            raise OptionError(f"{self.parameter}: the weight of {value!r} must be {A_WEIGHT}")
        return number


def make_weight_error(weights: Any, parameter: str, what: str, expected: str = "a weight for each") -> CorefevalError:
    """Return, not raise, an InputError that names the file that weights are from; an OptionError if from none."""
    if isinstance(weights, WeightTable):
        return InputError(Fault(weights.source, what, expected, kind="weight"))
    return OptionError(f"{parameter} {what}; expected {expected}")
