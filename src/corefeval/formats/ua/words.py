"""The words of a CoNLL-UA file with their attributes, from the columns that are not about anaphora."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from corefeval._lazy import LazyMapping
from corefeval.corpus.tokens import Tokens
from corefeval.formats.shared.columns import decode_places
from corefeval.formats.ua.columns import NOT_ATTRIBUTES
from corefeval.formats.ua.rows import UaWords


def build_tokens(words: UaWords) -> Tokens:
    """Return the words of all documents; one without a form is an underscore."""
    lines = words.rows.lines
    start, end = words.find_column("FORM")
    line, attributes = words.rows.row + 1, _find_attributes(words)
    if (end > start).all():
        return Tokens(
            lines.data,
            (start, end),
            line,
            words.bounds,
            numbers=words.sentence,
            empty=words.is_zero,
            attributes=attributes,
        )
    forms = [form or "_" for form in decode_places(lines.page, start, end)]
    documents = [forms[begin:stop] for begin, stop in zip(words.bounds[:-1], words.bounds[1:], strict=True)]
    return Tokens.from_words(documents, line=line, numbers=words.sentence, empty=words.is_zero, attributes=attributes)


def _find_attributes(words: UaWords) -> Mapping[str, Sequence[str]]:
    """Return lazy columns of words' attributes, those of the first documents first."""
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for column in words.list_columns():
        if column in NOT_ATTRIBUTES:
            continue
        filled, _, _ = words.find_filled(column)
        if len(filled):
            name = column.lower() if column.isupper() else column
            document = int(words.rows.document[filled[0]])
            place = words.rows.known[words.columns[document]].names.index(column)
            found.setdefault(name, {})[column] = document, place
    order = sorted(found, key=lambda name: min(found[name].values()))
    return LazyMapping({name: partial(_read_attribute, words, list(found[name])) for name in order})


def _read_attribute(words: UaWords, columns: Sequence[str]) -> list[str]:
    """Return for every word its value in a column, "" for none; of several, the last one with a value in a document."""
    values = [""] * len(words.rows.row)
    for column in columns:
        start, end = words.find_column(column)
        texts = decode_places(words.rows.lines.page, start, end)
        filled, _, _ = words.find_filled(column)
        for document in np.unique(words.rows.document[filled]).tolist():
            here = slice(words.bounds[document], words.bounds[document + 1])
            values[here] = ["" if text == "_" else text for text in texts[here]]
    return values
