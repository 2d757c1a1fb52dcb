"""The weight of every sampled entity: in proportion to 1 over the chance that it had of being sampled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, nan
from typing import Any

import numpy as np

from corefeval._arrays import Floats, Ints
from corefeval.corpus.corpus import Corpus
from corefeval.errors import Fault, InputError, OptionError, suggest_names
from corefeval.formats import registry
from corefeval.notices import count_part

UNIFORM, BY_SIZE = "uniform", "size"
Weights = str | Mapping[Any, float]
"""How entities were sampled: "uniform", "size", the name of a column of weights; or weights by name of the entity."""


def find_weights(key: Corpus, size: Ints, weights: Weights) -> Floats:
    """Return an array with the weight of every entity of the key; InputError or OptionError where it has none.

    size: of every entity; "size" gives it the weight 1/size.
    """
    if isinstance(weights, Mapping):
        return _look_up_weights(key, weights)
    if weights == UNIFORM:
        return np.ones(len(size))
    if weights == BY_SIZE:
        return 1 / size
    return _read_column(key, weights)


def add_weight_column(format_: str | None, weights: Weights) -> str | None:
    """Return the format in which a key is to be read, with the column of weights, if there is one, among its columns.

    >>> add_weight_column(None, "w"), add_weight_column("table:id=no", "w"), add_weight_column(None, "size")
    ('table:attributes="w"', 'table:id=no,attributes="w"', None)
    """
    if isinstance(weights, Mapping) or weights in (UNIFORM, BY_SIZE):
        return format_
    written = format_ or "table"
    name, options = registry.parse_spec(written)
    if name != "table" or "attributes" in options:
        return written
    return f'{written}{"," if options else ":"}attributes="{weights}"'


def _look_up_weights(key: Corpus, weights: Mapping[Any, float]) -> Floats:
    """Return the weight of every entity by its name, compared as text; InputError if one is missing or impossible."""
    by_name = {str(name): weight for name, weight in weights.items()}
    names = [str(name) for name in key.entity_name]
    lacking = [name for name in names if name not in by_name]
    if lacking:
        what = f"no weight for {count_part(len(lacking), len(names), 'entity')}, the first {lacking[0]!r}"
        raise InputError(Fault(key.source or "key", what, "a weight for every sampled entity"))
    return _check_weights(key, [by_name[name] for name in names], key.by_entity[0][key.by_entity[1][:-1]])


def _read_column(key: Corpus, name: str) -> Floats:
    """Return the weight of every entity from a column of the key; InputError where rows of an entity differ."""
    if name in key.entity_attributes:
        return _check_weights(key, key.entity_attributes[name], key.by_entity[0][key.by_entity[1][:-1]])
    column = next((own for own in key.attributes if own.lower() == name.lower()), None)
    if column is None:
        known = (UNIFORM, BY_SIZE, *key.attributes, *key.entity_attributes)
        raise OptionError(f"weights={name!r} is not possible: the key has no such column; {suggest_names(name, known)}")
    cells = np.array(key.attributes[column], dtype=np.str_)
    rows, bounds = key.by_entity
    first = rows[bounds[:-1]]
    differing = np.flatnonzero(cells != cells[first][key.entity])
    if len(differing):
        raise InputError(_make_fault(key, row, cells[row], cells[first[key.entity[row]]]) for row in differing.tolist())
    return _check_weights(key, cells[first].tolist(), first)


def _make_fault(key: Corpus, row: int, weight: object, before: object = None) -> Fault:
    """Return the fault of a weight that is no number above 0, or is not what the entity's rows before it have."""
    what = f"weight {weight!s} of entity {key.get_entity_name(row)!r}"
    expected = "a number above 0"
    if before is not None:
        what, expected = f"{what}, which had {before!s}", "one weight for an entity"
    source = key.file(int(key.document[row])) or "key"
    return Fault(source, what, expected, line=key.line(row), kind="weight")


def _check_weights(key: Corpus, weights: Sequence[object], rows: Ints) -> Floats:
    """Return weights as an array; an InputError unless each is a number above 0; `rows`: a mention of each entity."""
    numbers = [_parse_weight(weight) for weight in weights]
    wrong = [place for place, number in enumerate(numbers) if not 0 < number < inf]
    if wrong:
        raise InputError(_make_fault(key, int(rows[place]), weights[place]) for place in wrong)
    return np.array(numbers)


def _parse_weight(weight: Any) -> float:
    """Return a weight as a number; NaN for what is none."""
    try:
        return float(weight)
    except (TypeError, ValueError):
        return nan
