"""Weights in files: tables in CSV, or JSON as Python has it, for parameters that a measure's text names by their path.

CSV has a column `weight` and one or two before it. `level,weight` is by an attribute, `level,response,weight` has pairs
of its values, key first; `entity,weight` is by name, `document,entity,weight` by document and name. Tabs in the place
of commas will do.
"""

from __future__ import annotations

import io
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from corefeval._lazy import NamedTuple
from corefeval.errors import suggest_names
from corefeval.formats.shared import json_values
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.formats.shared.files import read_bytes
from corefeval.formats.shared.lines import decode_strictly
from corefeval.measures.shared.ace_weights import BY, SETS, Weights
from corefeval.measures.shared.weight_range import A_WEIGHT, is_weight
from corefeval.measures.shared.weights import WeightTable
from corefeval.notices import count_things

WEIGHT, ENTITY, RESPONSE = "weight", "entity", "response"

_READ_ONCE: dict[tuple[int, int], bytes] = {}
"""What pipes gave when they were read, by their device and number."""


class _Content(NamedTuple):
    """What a file says, as nested dictionaries, and the line of each value by the names that lead to it."""

    values: dict[Any, Any]
    lines: Mapping[tuple[Any, ...], int]


def read_weights(path: str) -> WeightTable:
    """Return the weights in a file: by type, attribute, name or document; an InputError with all its faults."""
    diagnostics = Diagnostics(path)
    content = _read_content(path, diagnostics)
    table = WeightTable(path, _check_weights(content.values, content, diagnostics))
    if not table:
        diagnostics.add_fault(1, "no weights", "a weight in each row, or for each name")
    diagnostics.raise_faults()
    return table


def read_ace_weights(path: str) -> Weights:
    """Return the weights of ACE-value in a file: fields of `Weights`, others as in its `base`, by default 2005."""
    diagnostics = Diagnostics(path)
    content = _read_content(path, diagnostics)
    fields = dict(content.values)
    sets = {str(name): each for name, each in SETS.items()}
    base = str(fields.pop("base", 2005))
    if base not in sets:
        diagnostics.add_fault(content.lines.get(("base",)), f"base {base}", " or ".join(sets))
    known = {name: value for name, value in fields.items() if name in Weights._fields}
    for name in sorted(fields.keys() - known.keys()):
        hint = suggest_names(name, ["base", *Weights._fields])
        diagnostics.add_fault(content.lines.get((name,)), f"{name!r} is no weight of ACE-value", hint=hint)
    if known.get("by", BY[0]) not in BY:
        diagnostics.add_fault(content.lines.get(("by",)), f"by {known['by']!r}", " or ".join(BY))
    words = {name: known.pop(name) for name in ("by", "unconfirmed") if name in known}
    unseen = {name: known.pop(name) for name in ("types", "classes", "levels") if known.get(name, "") is None}
    for name, value in known.items():
        if isinstance(value, dict) != (name in ("types", "classes", "levels")):
            expected = "one number" if isinstance(value, dict) else "a weight for each"
            diagnostics.add_fault(content.lines.get((name,)), f"{name} {json_values.show_value(value)}", expected)
    numbers = _check_weights(known, content, diagnostics)
    diagnostics.raise_faults()
    return sets[base]._replace(**words, **unseen, **numbers)


def _read_content(path: str, diagnostics: Diagnostics) -> _Content:
    """Return the content of a file, JSON if it begins with a brace, else CSV; an InputError if it is neither."""
    text = decode_strictly(_read_once(path), diagnostics)
    diagnostics.raise_faults()
    found = _read_json(text, diagnostics) if text.lstrip().startswith("{") else _read_csv(text, diagnostics)
    diagnostics.raise_faults()
    return found


def _read_once(path: str) -> bytes:
    """Return the content of a file; of a pipe or device, whose content is gone once it is read, what it gave then."""
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return read_bytes(path)  # which says what is wrong
    if stat.S_ISREG(found.st_mode):
        return read_bytes(path)
    pipe = found.st_dev, found.st_ino
    if pipe not in _READ_ONCE:
        _READ_ONCE[pipe] = read_bytes(path)
    return _READ_ONCE[pipe]


def _read_json(text: str, diagnostics: Diagnostics) -> _Content:
    """Return a JSON object as it is; a fault if the text is not one object."""
    begin = json_values.skip_blanks(text, 0)
    try:
        values, _ = json_values.parse_value(text, begin)
        _ = list(json_values.parse_parts(text, begin, alone=True))
    except json_values.MalformedError as error:
        line, what, hint = json_values.describe_error(error, text)
        diagnostics.add_fault(line, what, "one object with weights by name", hint)
        return _Content({}, {})
    return _Content(values, json_values.index_lines(text))


def _read_csv(text: str, diagnostics: Diagnostics) -> _Content:
    """Return the rows of a table as nested dictionaries; a fault for each row that cannot be one, or is there twice."""
    import csv  # noqa: PLC0415 - weights are seldom given

    delimiter = "\t" if "\t" in text.partition("\n")[0] else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        rows = [(reader.line_num, row) for row in reader if row]
    except csv.Error as error:
        diagnostics.add_fault(reader.line_num, f"not CSV: {error}")
        return _Content({}, {})
    head = [name.strip() for name in rows[0][1]] if rows else []
    names = sorted((name for name in head if name != WEIGHT), key=(ENTITY, RESPONSE).__contains__)
    if head.count(WEIGHT) != 1 or not 1 <= len(names) <= 2 or len(set(names)) < len(names):
        what = f"the first row is {', '.join(head) or 'empty'}"
        diagnostics.add_fault(1, what, f"a column {WEIGHT} and one or two others, such as level,weight")
        return _Content({}, {})
    found: dict[tuple[Any, ...], str] = {}
    lines: dict[tuple[Any, ...], int] = {}
    for line, row in rows[1:]:
        if len(row) != len(head):
            diagnostics.add_fault(line, count_things(len(row), "value"), f"{len(head)}, one for each column")
            continue
        cells = dict(zip(head, row, strict=True))
        place = _find_place(names, cells)
        if place in lines or place[:1] in found:
            before = lines.get(place, lines[place[:1]])
            diagnostics.add_fault(line, f"a second weight, after that of line {before}", "one of each")
            continue
        found[place], lines[place] = cells[WEIGHT], line
        lines.setdefault(place[:1], line)
    return _Content(_nest(found), lines)


def _find_place(names: list[str], cells: Mapping[str, str]) -> tuple[Any, ...]:
    """Return the names that lead to a row's weight in nested dictionaries.

    >>> _find_place(["level"], {"level": "NAM"}), _find_place(["entity"], {"entity": "7"})
    (('level', 'NAM'), ('7',))
    >>> _find_place(["level", "response"], {"level": "NAM", "response": "NOM"})
    ('level', ('NAM', 'NOM'))
    """
    first = cells[names[0]]
    if len(names) == 1:
        return (first,) if names[0] == ENTITY else (names[0], first)
    second = cells[names[1]]
    if names[1] == RESPONSE:
        return names[0], (first, second) if second else first
    return (first, second) if second else (first,)


def _nest(found: Mapping[tuple[Any, ...], str]) -> dict[Any, Any]:
    """Return {("a", "b"): 1, ("c",): 2} as {"a": {"b": 1}, "c": 2}."""
    nested: dict[Any, Any] = {}
    for (first, *second), value in found.items():
        if second:
            nested.setdefault(first, {})[second[0]] = value
        else:
            nested[first] = value
    return nested


def _check_weights(values: Mapping[Any, Any], content: _Content, diagnostics: Diagnostics) -> dict[Any, Any]:
    """Return weights, and those in dictionaries, as numbers; add a fault for each that is none, or out of range."""

    def check(value: Any, *place: Any) -> Any:
        """Return a weight as a number, or a dictionary of them; add a fault if it is neither."""
        if isinstance(value, dict) and len(place) == 1:
            return {name: check(inner, *place, name) for name, inner in value.items()}
        number = _parse_weight(value)
        if number is None:
            names = " ".join(map(str, place))
            diagnostics.add_fault(
                content.lines.get(place),
                f"weight {json_values.show_value(value)} of {names!r}",
                A_WEIGHT,
                kind="weight",
            )
        return number

    return {name: check(value, name) for name, value in values.items()}


def _parse_weight(value: Any) -> float | None:
    """Return a weight as a number; None for what is none, or not in the range of weights."""
    try:
        number = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else -1.0
    except (ValueError, OverflowError):
        return None
    return number if is_weight(number) else None
