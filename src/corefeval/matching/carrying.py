"""Carrying the response's mentions over to the key's words, where the two are divided or counted differently."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.matching import letters
from corefeval.mentions import Carried, Spans
from corefeval.notices import Notice, named
from corefeval.remapping import Places, spans

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from corefeval.arrays import Booleans
    from corefeval.corpus import Corpus


class Taken(NamedTuple):
    """The response with its mentions counted as the key's are, and what has no place there."""

    response: Corpus
    notices: tuple[Notice, ...]


def needed(key: Corpus, response: Corpus, other_words: Collection[int]) -> list[int]:
    """The documents whose mentions must be carried over: other words (or text) than the key's, or another unit."""
    if not _has_text(key) or not _has_text(response):
        return []
    if key.unit != response.unit:
        return list(range(len(key.documents)))
    if key.texts is not None and response.texts is not None and key.tokens is None:
        pairs = zip(key.texts, response.texts, strict=True)
        return [number for number, (ours, theirs) in enumerate(pairs) if ours != theirs]
    return sorted(other_words)


def carried(key: Corpus, response: Corpus, documents: Collection[int]) -> Taken:
    """Count the response's mentions in some documents as the key counts its own."""
    wanted = set(documents)
    found = [
        letters.places(letters.of_document(key, number), letters.of_document(response, number))
        if number in wanted
        else _as_they_are(response, number)
        for number in range(len(key.documents))
    ]
    there, homeless = _there(key, response, found)
    rows = np.flatnonzero(homeless)
    notices = named("not-carried-over", len(rows), lambda i: _homeless(there, int(rows[i])))
    layers = {name: _there(key, layer, found)[0] for name, layer in response.layers.items()}
    return Taken(there.replaced(layers=layers), notices)


def _there(key: Corpus, response: Corpus, documents: Sequence[Places]) -> tuple[Corpus, Booleans]:
    """A response with its mentions in the key's units, and which of them do not begin and end with such units.

    Those keep their own numbers, moved behind the key's last unit, where the key has no mentions.
    """
    own = response.mentions
    assert isinstance(own, Spans)  # noqa: S101 - see `needed`
    units = spans(own, response.document, documents)
    homeless = units.start < 0
    behind = _units(key)
    there = Spans(
        np.where(homeless, own.start + behind, units.start),
        np.where(homeless, own.end + behind, units.end),
        {row: runs for row, runs in units.pieces.items() if not homeless[row]}
        | {row: tuple((a + behind, b + behind) for a, b in runs) for row, runs in own.pieces.items() if homeless[row]},
    )
    heads = None if response.heads is None else spans(response.heads, response.document, documents)
    minimums = None if response.minimums is None else spans(response.minimums, response.document, documents)
    return response.replaced(mentions=Carried(there, own), heads=heads, minimums=minimums), homeless


def _units(key: Corpus) -> int:
    """More words (or characters) than any document of the key has."""
    if key.tokens is not None:
        return len(key.tokens) + 1
    return 1 + max(map(len, key.texts or ()), default=0)


def _as_they_are(response: Corpus, document: int) -> Places:
    units = response.tokens.length(document) if response.tokens is not None else len((response.texts or ())[document])
    return Places(np.arange(units), np.arange(units))


def _homeless(response: Corpus, row: int) -> Notice:
    where = response.place(row, "response")
    document = response.documents[int(response.document[row])]
    return Notice(
        "not-carried-over",
        f"{where}: {response.describe(row)} in document {document!r} does not begin and end with words of the key; "
        "it counts as a mention that the key has not",
        {"document": document, "mention": response.describe(row)},
    )


def _has_text(corpus: Corpus) -> bool:
    return corpus.tokens is not None or corpus.texts is not None
