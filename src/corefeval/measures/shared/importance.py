"""How important entities are to LEA: by their sizes, by their types, or each by its own weight."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from corefeval._arrays import Array, np
from corefeval._lazy import NamedTuple, cached
from corefeval.corpus.document_names import strip_conll_name
from corefeval.errors import OptionError
from corefeval.measures.parameters import parameter
from corefeval.measures.shared.weight_range import A_WEIGHT, is_weight
from corefeval.measures.shared.weights import READER, WeighedByType, WeightsFile, WeightTable, make_weight_error
from corefeval.overlap.overlap import Side
from corefeval.overlap.views import Views

EntityWeights = Mapping[Any, Any] | Sequence[Any] | WeightsFile
"""A weight per entity: by its name or its place in its document; or, by document, such weights; or a file's path."""

IMPORTANCE: dict[str, Callable[[Any], Any]] = {
    "size": lambda size: size,
    "one": lambda size: size**0,
    "log": lambda size: np.log2(1 + size),
    "sqrt": lambda size: size**0.5,
}
"""How important an entity is to LEA, by its size; all are 1 for a singleton."""


def weigh_sizes(importance: str, size: Array) -> Array:
    """Return the importance of entities of these sizes, as floats; sizes may be Python's integers, as engines count."""
    found: Array = IMPORTANCE[importance](size.astype(np.float64))
    return found


class Importance(NamedTuple):
    """The importance of every key entity and response entity, and that of the key and response entity of each cell."""

    key: Array
    response: Array
    cell_key: Array
    cell_response: Array


class WeighedByImportance(WeighedByType):
    """A measure in which entities have an importance: by default their size."""

    importance: str | Callable[[Any], Any] = parameter(
        "an entity's importance by its size (log: of 1 + size, to the base 2); in Python also a function of an array",
        default="size",
        choices=tuple(IMPORTANCE),
        instance=Callable,
    )
    key_weights: EntityWeights | None = parameter(
        "the key entities' own weights, by name", default=None, instance=object, reader=READER
    )
    response_weights: EntityWeights | None = parameter(
        "the response entities' own weights, by name", default=None, instance=object, reader=READER
    )

    @property
    def names_entities(self) -> bool:  # type: ignore[override]
        """Whether single entities have weights of their own."""
        return self.key_weights is not None or self.response_weights is not None

    @cached
    def weighs_by_size(self) -> bool:
        """Whether an entity's importance depends on nothing but the number of its mentions."""
        return not self.needs_mentions and not self.names_entities

    def check_split_antecedents(self) -> None:
        """Raise an OptionError if there are weights by type or by name, which split antecedents do not have."""
        if not self.weighs_by_size:
            raise self.make_split_antecedents_error()

    def find_importance(self, views: Views) -> Importance:
        """Return the importance of all entities; an OptionError if it cannot be known after mentions were rewritten."""
        named = self.rewrite == "discard_both" and not self.needs_mentions  # what is left has the names it had
        if self.rewrite and not self.weighs_by_size and not named:
            raise OptionError(f"{self.name}: weights and twinless={self.twinless} do not go together")
        recall, precision = views.recall, views.precision
        sides = (recall.key, self.load("key_weights")), (precision.response, self.load("response_weights"))
        weighed: list[tuple[Array, Array | None]] = [(side.size, None) for side, _ in sides]
        if self.needs_mentions:
            found = self.weigh_entities(views)
            weighed = [(found.key, found.key_factor), (found.response, found.response_factor)]
        key, response = (_find_side(*side, self.importance, *sizes) for side, sizes in zip(sides, weighed, strict=True))
        if self.weighs_by_size and not callable(self.importance):  # of tables, too, that do not know single entities
            cells = weigh_sizes(self.importance, recall.k), weigh_sizes(self.importance, precision.r)
        else:
            cells = key[recall.cells.key], response[precision.cells.response]
        return Importance(key, response, *cells)


def _find_side(
    side: Side, weights: EntityWeights | None, importance: str | Callable[[Any], Any], size: Array, factor: Array | None
) -> Array:
    """Return every entity's importance to LEA: its own weight, or a function of its size, times a factor.

    size: of entities, as their mentions weigh; factor: by the types of entities, None for 1.
    """
    if factor is not None and len(factor) != len(side.size):
        raise OptionError("lea: weights by type are for the entities of both files, and here some are added or dropped")
    if weights is not None:
        given = _find_entity_weights(side, weights)
    elif callable(importance):
        given = importance(size.astype(np.float64) if size.dtype == object else size)
    else:
        given = weigh_sizes(importance, size)
    try:
        found = np.broadcast_to(np.asarray(given, dtype=np.float64), side.size.shape)
    except (TypeError, ValueError) as error:
        raise OptionError(f"lea: the importance of entities must be a number for each ({error})") from None
    is_given = weights is not None or callable(importance)
    if is_given and not is_weight(found).all():
        raise OptionError(f"lea: the importance of an entity must be {A_WEIGHT}")
    return found if factor is None else found * factor


def _find_entity_weights(side: Side, weights: EntityWeights) -> Any:
    """Return a list, each entity's weight: by its name, in its document's weights or in all; an error if missing.

    Files have names as text, and of documents with or without CoNLL's brackets.
    """
    if side.name is None or side.document_name is None:
        raise OptionError("lea: weights for single entities need a table that knows its entities' names")
    in_file, found = isinstance(weights, WeightTable), []
    for name, document in zip(list(side.name), side.document.tolist(), strict=True):
        where = side.document_name[document]
        own = weights.get(where) if isinstance(weights, Mapping) else None
        if own is None and isinstance(weights, WeightTable):
            own = weights.get(strip_conll_name(where))
        of_document: Any = own if hasattr(own, "__getitem__") else weights
        try:
            found.append(of_document[str(name) if in_file else name])
        except (KeyError, IndexError, TypeError):
            place = f"entity {name!r}{f' of document {where!r}' if where else ''}"
            raise make_weight_error(weights, "lea:", f"no weight for {place}") from None
    return found
