"""Hugging Face `datasets`: rows of coreference corpora, as a `Dataset` or as plain dicts.

`corefeval.adapters.rows` says what rows may look like. A row is a document, named by its `id`, `doc_key` or the like;
in OntoNotes every part of a row is one, named as in CoNLL files: "(bc/cctv/00/cctv_0000); part 000".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias, cast

from corefeval.adapters import kind_of, reading, rows
from corefeval.errors import Fault, InputError

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus
    from corefeval.formats.draft import Draft

Row: TypeAlias = "Mapping[str, object]"


def read(data: Row | Iterable[Row] | Mapping[str, Row], *, field: str | None = None) -> Corpus:
    """The corpus of a row, of a Dataset or other rows, or of {name: row}; in words.

    field: the column with the entities, where it is not the usual one: "predicted_clusters".
    """

    def add(draft: Draft, name: reading.Name, row: object) -> None:
        rows.add(draft, name, cast("Row", row), field)

    return reading.corpus("datasets", "datasets", _rows(data), add)


def _rows(data: object) -> object:
    """The rows of a Dataset as Python objects, whatever format it is set to."""
    if isinstance(data, Mapping):
        if any(kind_of(each) == "datasets" and hasattr(each, "features") for each in data.values()):
            what, expected = f"splits {', '.join(map(str, data))}", "one split"
            raise InputError(Fault("datasets", what, expected, f"choose one: data[{next(iter(data))!r}]"))
        return data
    return list(cast("Iterable[Row]", data.with_format(None))) if hasattr(data, "with_format") else data
