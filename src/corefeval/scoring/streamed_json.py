"""The scores of every document as JSON, in parts: of many small documents they are longer than the documents.

Scores are columns with a value for each document, and what stands around the values is the same in all documents: a
template is made of it once, and filled with one row of the columns after another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from corefeval._arrays import Array
from corefeval._lazy import NamedTuple
from corefeval.tables.writers import encode_json, indent_json

if TYPE_CHECKING:
    from corefeval.measures.base import Values
    from corefeval.scoring.results import Evaluation

_AT_ONCE = 1_000
"""Of how many documents the text is made at once."""


def stream_documents(evaluation: Evaluation, depth: int) -> Iterator[str]:
    """Yield as text the object {document: {"measures": scores}} of an evaluation, at this depth of indentation."""
    places = {name: place for place, name in enumerate(evaluation.document_names)}
    if not places:
        yield "{}"
        return
    template = _Template()
    measures = (evaluation.get_known_measure(each) for each in evaluation.measures)
    scores = {str(each): _arrange_score(evaluation.score_documents(each)) for each in measures}
    text = template.write_value({"measures": scores}, depth + 1)
    names, margin = list(places), "\n" + " " * (depth + 1)
    for begin in range(0, len(names), _AT_ONCE):
        chosen = names[begin : begin + _AT_ONCE]
        rows = template.list_rows([places[name] for name in chosen])
        documents = [f"{margin}{_encode_name(name)}: {text % row}" for name, row in zip(chosen, rows, strict=True)]
        yield ("," if begin else "{") + ",".join(documents)
    yield "\n" + " " * depth + "}"


def _encode_name(name: str) -> str:
    """Return a name as JSON; most need no escapes, and no encoder."""
    if name.isascii() and name.isprintable() and '"' not in name and "\\" not in name:
        return f'"{name}"'
    return encode_json(name)


class _UndefinedFields(NamedTuple):
    """Whether fields of a score are undefined, by their names, as columns or for all documents alike."""

    fields: Mapping[str, object]


def _arrange_score(values: Values) -> dict[str, object]:
    """Return the values of a score, columns among them, in the order in which `Score.to_dict` has them."""
    plain = {name: value for name, value in values.items() if type(value) is not dict}
    others = {name: value for name, value in values.items() if type(value) is dict and name != "undefined"}
    links = others.pop("links", {})
    parts = {name: _arrange_score(part) for name, part in others.items()}
    return {**plain, "undefined": _UndefinedFields(values["undefined"]), **parts, **({"links": links} if links else {})}


class _Template:
    """Text in which there are places for values, and a column for each of them, with a value for every document."""

    def __init__(self) -> None:
        self._columns: list[Array | list[str]] = []

    def write_value(self, value: object, depth: int) -> str:
        """Return a value as text for JSON, with places for what differs from document to document."""
        if isinstance(value, _UndefinedFields):
            return self._add_undefined(value.fields, depth)
        if isinstance(value, np.ndarray):
            return self._add_column(value)
        if not isinstance(value, dict) or not value:
            return indent_json(value, depth).replace("%", "%%")
        margin = "\n" + " " * (depth + 1)
        fields = (f"{margin}{indent_json(name, 0)}".replace("%", "%%") for name in value)
        texts = (self.write_value(each, depth + 1) for each in value.values())
        written = ",".join(f"{field}: {text}" for field, text in zip(fields, texts, strict=True))
        return f"{{{written}\n{' ' * depth}}}"

    def list_rows(self, places: Sequence[int]) -> Iterator[tuple[object, ...]]:
        """Yield for each of these documents its values of all columns."""
        if not self._columns:
            return iter([()] * len(places))
        chosen = np.array(places)
        return zip(
            *(
                column[chosen].tolist() if isinstance(column, np.ndarray) else [column[place] for place in places]
                for column in self._columns
            ),
            strict=True,
        )

    def _add_column(self, column: Array) -> str:
        """Add a column, and return the place of its values: JSON has plain numbers as Python writes them."""
        if column.dtype.kind in "iu" or (column.dtype.kind == "f" and np.isfinite(column).all()):
            self._columns.append(column)
            return "%r"
        self._columns.append([encode_json(value) for value in column.tolist()])
        return "%s"

    def _add_undefined(self, fields: Mapping[str, object], depth: int) -> str:
        """Add a column of lists of the fields that are undefined, if they are not the same in all documents."""
        columns = {name: value for name, value in fields.items() if isinstance(value, np.ndarray) and value.any()}
        always = [name for name, value in fields.items() if not isinstance(value, np.ndarray) and value]
        if not columns:
            return indent_json(always, depth).replace("%", "%%")
        missing = np.stack(list(columns.values()))
        kinds, number = np.unique(missing, axis=1, return_inverse=True)
        texts = []
        for kind in kinds.T.tolist():
            here = {*always, *(name for name, is_missing in zip(columns, kind, strict=True) if is_missing)}
            texts.append(indent_json([name for name in fields if name in here], depth))
        self._columns.append([texts[place] for place in number.reshape(-1).tolist()])
        return "%s"
