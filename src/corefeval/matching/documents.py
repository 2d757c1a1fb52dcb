"""Pairing the documents of key and response by name, and comparing their words."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval import tokens
from corefeval.notices import Notice, named

if TYPE_CHECKING:
    from corefeval.corpus import Corpus


_FEW = 20  # names among which a similar one is looked for


class Paired(NamedTuple):
    """The response with the key's documents, in the key's order."""

    response: Corpus
    notices: tuple[Notice, ...]


def pair(key: Corpus, response: Corpus) -> Paired:
    """Bring the response's documents into the key's order; missing ones are empty, extra ones are left out."""
    if key.documents == response.documents:
        return Paired(response, _compared(key, response))
    theirs, ours = set(response.documents), set(key.documents)
    missing = [name for name in key.documents if name not in theirs]
    extra = [name for name in response.documents if name not in ours]
    moved = response.in_documents(key.documents)
    return Paired(
        moved,
        (
            *named("missing-document", len(missing), lambda i: _missing(response, missing[i], extra)),
            *named("extra-document", len(extra), lambda i: _extra(response, extra[i])),
            *_compared(key, moved, frozenset(missing)),
        ),
    )


def _missing(response: Corpus, name: str, extra: list[str]) -> Notice:
    near = difflib.get_close_matches(name, extra, n=1) if len(extra) <= _FEW else []
    hint = f" (it has {near[0]!r})" if near else ""
    where = _name(response)
    return Notice(
        "missing-document",
        f"{where}: document {name!r} is missing{hint}; it counts as empty",
        {"document": name, "response": where},
    )


def _extra(response: Corpus, name: str) -> Notice:
    where = _name(response)
    return Notice(
        "extra-document",
        f"{where}: document {name!r} is not in the key; it is ignored",
        {"document": name, "response": where},
    )


def _compared(key: Corpus, response: Corpus, missing: frozenset[str] = frozenset()) -> tuple[Notice, ...]:
    """Where the words of the two sides differ, by document, with the first place."""
    ours, theirs = key.tokens, response.tokens
    if ours is None or theirs is None:
        return ()
    counts = np.diff(ours.bounds), np.diff(theirs.bounds)
    uneven = np.flatnonzero(counts[0] != counts[1])
    if len(uneven):
        same = [d for d in range(len(key.documents)) if counts[0][d] == counts[1][d]]
        key_even, response_even = ours.of_documents(same), theirs.of_documents(same)
    else:
        same = list(range(len(key.documents)))
        key_even, response_even = ours, theirs
    differs = np.flatnonzero(tokens.differing(key_even, response_even))
    of_document = np.searchsorted(key_even.bounds, differs, side="right") - 1
    changed, first, count = np.unique(of_document, return_index=True, return_counts=True)
    other_length = [d for d in uneven.tolist() if key.documents[d] not in missing]
    return (
        *named("different-length", len(other_length), lambda i: _length(key, response, other_length[i])),
        *named(
            "different-words",
            len(changed),
            lambda i: _words(key, response, same[changed[i]],
                             int(differs[first[i]] - key_even.bounds[changed[i]]), int(count[i])),
        ),
    )  # fmt: skip


def _length(key: Corpus, response: Corpus, document: int) -> Notice:
    assert key.tokens is not None and response.tokens is not None  # noqa: S101, PT018 - the caller has both
    name = key.documents[document]
    ours, theirs = key.tokens.length(document), response.tokens.length(document)
    shared = min(ours, theirs)
    pairs = zip(key.tokens.words(document), response.tokens.words(document), strict=False)
    place = next((i for i, (one, other) in enumerate(pairs) if one != other), shared)
    if place < ours:
        at = f"key line {key.tokens.line_of(document, place)}"
    else:
        at = f"response line {response.tokens.line_of(document, place)}"
    return Notice(
        "different-length",
        f"{_name(response, document)}: document {name!r} has {theirs} words, in the key {ours}; "
        f"they part at word {place} ({at})",
        {"document": name, "key": ours, "response": theirs, "word": place},
    )


def _words(key: Corpus, response: Corpus, document: int, word: int, count: int) -> Notice:
    assert key.tokens is not None and response.tokens is not None  # noqa: S101, PT018 - the caller has both
    name = key.documents[document]
    ours, theirs = (side.words(document, word, word)[0] for side in (key.tokens, response.tokens))
    lines = key.tokens.line_of(document, word), response.tokens.line_of(document, word)
    many = "1 word differs" if count == 1 else f"{count} words differ"
    return Notice(
        "different-words",
        f"{_name(response, document)}:{lines[1]}: document {name!r}: {many} from the key, "
        f"first {theirs!r} for {ours!r} (key line {lines[0]})",
        {"document": name, "word": word, "key": ours, "response": theirs, "count": count},
    )


def _name(response: Corpus, document: int | None = None) -> str:
    return (response.source if document is None else response.file(document)) or "response"
