"""Carrying the response's mentions over to the key's words, where the two are divided or counted differently."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.corpus.mentions import Carried, Spans
from corefeval.corpus.remapping import move_spans
from corefeval.errors import Fault, InputError
from corefeval.matching.documents import letters
from corefeval.notices import Notice, named

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Sequence

    from corefeval._arrays import Booleans
    from corefeval.corpus.corpus import Corpus
    from corefeval.corpus.remapping import NewPlaces


class Taken(NamedTuple):
    """Key and response with their mentions counted alike, and what has no place in the key or another text."""

    key: Corpus
    response: Corpus
    notices: tuple[Notice, ...]


def needed(key: Corpus, response: Corpus, other_words: Collection[int]) -> list[int]:
    """The documents whose mentions must be carried over: other words (or text) than the key's, or another unit."""
    if key.unit != response.unit:
        _refuse_unknown(key, response)
        return list(range(len(key.documents)))
    if key.texts is not None and response.texts is not None and key.tokens is None:
        pairs = zip(key.texts, response.texts, strict=True)
        return [number for number, (ours, theirs) in enumerate(pairs) if ours != theirs]
    return sorted(other_words)


def _refuse_unknown(key: Corpus, response: Corpus) -> None:
    """Words that are not known cannot be found in a text of characters."""
    for side, other in ((key, response), (response, key)):
        if side.tokens is None and side.texts is None:
            name = other.source or "the other side"
            what = f"its mentions count words, which it does not have, but those of {name} count characters"
            raise InputError(Fault(side.source or "input", what, "both in one unit, or the words", kind="units"))


def carried(key: Corpus, response: Corpus, documents: Collection[int], missing: Container[str]) -> Taken:
    """Count the response's mentions in some documents as the key counts its own."""
    wanted = set(documents)
    ours = [letters.of_document(key, number) for number in range(len(key.documents))]
    theirs = [letters.of_document(response, number) for number in range(len(key.documents))]
    found = [
        letters.places(ours[number], theirs[number]) if number in wanted else letters.trimmed(theirs[number])
        for number in range(len(key.documents))
    ]
    others = [
        number
        for number in sorted(wanted)
        if ours[number].text != theirs[number].text and key.documents[number] not in missing
    ]
    there, homeless = _there(key, response, found)
    rows = np.flatnonzero(homeless)
    layers = {name: _there(key, layer, found)[0] for name, layer in response.layers.items()}
    said: tuple[Notice, ...] = ()
    if key.tokens is None or response.tokens is None:
        said = named("different-text", len(others), lambda i: _other_text(key, response, others[i]))
    return Taken(
        _without_blanks(key, ours),
        there.replaced(layers=layers),
        (*said, *named("not-carried-over", len(rows), lambda i: _homeless(there, int(rows[i])))),
    )


def _without_blanks(key: Corpus, documents: Sequence[letters.Letters]) -> Corpus:
    """A key of characters whose mentions have no blanks at their ends: those of the response have none either."""
    if key.tokens is not None or not isinstance(key.mentions, Spans):
        return key
    inner = move_spans(key.mentions, key.document, [letters.trimmed(document) for document in documents])
    blank = inner.start < 0
    start, end = np.where(blank, key.mentions.start, inner.start), np.where(blank, key.mentions.end, inner.end)
    return key.replaced(mentions=Carried(Spans(start, end, inner.pieces), key.mentions))


def _other_text(key: Corpus, response: Corpus, document: int) -> Notice:
    name = key.documents[document]
    message = f"{response.file(document) or 'response'}: document {name!r} has another text than in the key"
    return Notice("different-text", message, {"document": name})


def _there(key: Corpus, response: Corpus, documents: Sequence[NewPlaces]) -> tuple[Corpus, Booleans]:
    """A response with its mentions in the key's units, and which of them do not begin and end with such units.

    Those keep their own numbers, moved behind the key's last unit, where the key has no mentions.
    """
    own = response.mentions
    assert isinstance(own, Spans)  # noqa: S101 - see `needed`
    units = move_spans(own, response.document, documents)
    homeless = units.start < 0
    behind = _units(key)
    there = Spans(
        np.where(homeless, own.start + behind, units.start),
        np.where(homeless, own.end + behind, units.end),
        {row: runs for row, runs in units.pieces.items() if not homeless[row]}
        | {row: tuple((a + behind, b + behind) for a, b in runs) for row, runs in own.pieces.items() if homeless[row]},
    )
    heads, minimums = (
        None if column is None else Carried(move_spans(column, response.document, documents), column)
        for column in (response.heads, response.minimums)
    )
    return response.replaced(mentions=Carried(there, own), heads=heads, minimums=minimums), homeless


def _units(key: Corpus) -> int:
    """More words (or characters) than any document of the key has."""
    if key.tokens is not None:
        return len(key.tokens) + 1
    return 1 + max(map(len, key.texts or ()), default=0)


def _homeless(response: Corpus, row: int) -> Notice:
    where = response.place(row, "response")
    document = response.documents[int(response.document[row])]
    return Notice(
        "not-carried-over",
        f"{where}: {response.describe(row)} in document {document!r} does not begin and end with words of the key; "
        "it counts as a mention that the key has not",
        {"document": document, "mention": response.describe(row)},
    )
