"""What ACE-value looks at on one side: types, classes and levels, and what they make entities and mentions worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefeval._arrays import np
from corefeval.errors import OptionError
from corefeval.measures.shared.ace_weights import SAME_LEVEL, SAME_TYPE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from corefeval._arrays import Array, Floats, Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.measures.shared.ace_weights import Weights

_WITHOUT = "give other weights, or weights=uniform, which looks at neither types nor levels"


class Judged(NamedTuple):
    """The entities and mentions of one side.

    value: of every entity by its type and class. best, total: of its mentions' weights. share: what of the entity's
    value a mention has for each unit of its weight, so `share * total` is what the entity is worth.
    """

    type: Array
    subtype: Array
    category: Array
    level: Array
    role: Array
    style: Array
    value: Floats
    weight: Floats
    best: Floats
    total: Floats
    share: Floats


def judged(corpus: Corpus, weights: Weights, name: str) -> Judged:
    """Look a side's types, classes and levels up in the table; `name` is how the measure is written."""
    of_entities, of_mentions = corpus.entity_attributes, corpus.attributes
    entities, mentions = len(corpus.entity_document), len(corpus)
    type_ = _canonical(_types(corpus), SAME_TYPE, weights.types)
    category = _strings(of_entities.get("class"), entities)
    level = _canonical(_strings(of_mentions.get("level"), mentions), SAME_LEVEL, weights.levels)
    value = _weighed(type_, weights.types, "type", lambda number: f"{name}: {_entity(corpus, number)}")
    # Formats without classes have specific entities in mind.
    value = value * _weighed(
        category, weights.classes, "class", lambda number: f"{name}: {_entity(corpus, number)}", missing=1.0
    )
    weight = _weighed(level, weights.levels, "level", lambda row: f"{name}: {_mention(corpus, row)}")
    best = np.zeros(entities)
    np.maximum.at(best, corpus.entity, weight)
    total = added(corpus.entity, weight, entities)
    share = value * shares(best, total) if weights.by == "level" else value
    role = _canonical(_strings(of_mentions.get("role"), mentions), SAME_TYPE, weights.types)
    return Judged(
        type=type_,
        subtype=_strings(of_entities.get("subtype"), entities),
        category=category,
        level=level,
        role=np.where(role == "", type_[corpus.entity], role),
        style=_strings(of_mentions.get("metonymy"), mentions) == "TRUE",
        value=value,
        weight=weight,
        best=best,
        total=total,
        share=share,
    )


def shares(part: Floats, total: Floats) -> Floats:
    """Divide; nothing has no share of nothing."""
    return np.divide(part, total, out=np.zeros_like(part), where=total > 0)


def added(place: Ints, values: Floats, size: int) -> Floats:
    """Add values up by place: the same to the last bit in any order, as equal values are counted first."""
    total = np.zeros(size)
    kinds, kind = np.unique(values, return_inverse=True)
    for number, value in enumerate(kinds.tolist()):
        total += np.bincount(place[kind == number], minlength=size) * value
    return total


def _types(corpus: Corpus) -> Array:
    """The type of every entity: its own, or the one that most of its mentions have."""
    entities = len(corpus.entity_document)
    own = corpus.entity_attributes.get("type")
    if own is not None or "type" not in corpus.attributes:
        return _strings(own, entities)
    names, kind = np.unique(_strings(corpus.attributes["type"], len(corpus)), return_inverse=True)
    said = names[kind] != ""
    pairs, votes = np.unique(corpus.entity[said] * len(names) + kind[said], return_counts=True)
    # The last that is written for an entity stays: the one of most votes, of those the first by its name.
    order = np.lexsort((-pairs, votes))
    chosen = np.full(entities, "", dtype=names.dtype)
    chosen[pairs[order] // max(1, len(names))] = names[pairs[order] % max(1, len(names))]
    return chosen


def _strings(values: Sequence[str] | None, count: int) -> Array:
    return np.array([""] * count if values is None else list(values), dtype=np.str_)


def _canonical(values: Array, same: Mapping[str, str], table: Mapping[str, float] | None) -> Array:
    """The names that the table has, for those that mean the same; all are alike where there is no table."""
    if table is None:
        return np.zeros_like(values)
    names, kind = np.unique(values, return_inverse=True)
    known = [name if name in table else same.get(name.upper(), name.upper()) for name in names.tolist()]
    return np.array(known, dtype=np.str_)[kind]


def _weighed(
    values: Array,
    table: Mapping[str, float] | None,
    what: str,
    whose: Callable[[int], str],
    *,
    missing: float | None = None,
) -> Floats:
    if table is None:
        return np.ones(len(values))
    names, first, kind = np.unique(values, return_index=True, return_inverse=True)
    found = []
    for name, place in zip(names.tolist(), first.tolist(), strict=True):
        weight = table.get(name) if name else missing
        if weight is None:
            said = f"has the {what} {name!r}, which the weights lack" if name else f"has no {what}"
            raise OptionError(f"{whose(place)} {said}; weights there are for {', '.join(table)}; {_WITHOUT}")
        found.append(weight)
    return np.array(found, dtype=np.float64)[kind]


def _entity(corpus: Corpus, number: int) -> str:
    where = corpus.file(int(corpus.entity_document[number])) or "the input"
    return f"entity {corpus.entity_name[number]!r} of {where}"


def _mention(corpus: Corpus, row: int) -> str:
    return f"mention {corpus.describe(row)} of {corpus.place(row, 'the input')}"
