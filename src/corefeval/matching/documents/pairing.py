"""Pairing the documents of key and response by name, and comparing their words."""

from __future__ import annotations

import difflib
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.corpus import tokens
from corefeval.errors import Fault, InputError
from corefeval.matching.documents import gap_roles
from corefeval.notices import Notice, named
from corefeval.options import Options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval.corpus.corpus import Corpus
    from corefeval.corpus.tokens import Tokens
    from corefeval.matching.documents.names import Found


_USUAL = Options()
_TREATED = {"empty": "counts as empty", "skip": "is left out of the key, too"}
_NO_TEXT = frozenset({"missing-text", "no-text"})
_FEW = 20  # names among which a similar one is looked for


class Paired(NamedTuple):
    """The response with the key's documents, in the key's order, and its mentions counted as the key's are.

    `missing` are those of the documents that it has not.
    """

    key: Corpus
    response: Corpus
    notices: tuple[Notice, ...]
    missing: tuple[str, ...] = ()


def pair(key: Corpus, response: Corpus, options: Options = _USUAL) -> Paired:
    """Bring the response's documents into the key's order; missing and extra ones are treated as the options say."""
    if key.documents == response.documents and key.tokens is None and key.unit == response.unit == "label":
        return Paired(key, response, ())  # there are no words to compare
    missing: list[str] = []
    said: tuple[Notice, ...] = ()
    if key.documents != response.documents:
        key, response, missing, said = _in_order(key, response, options)
    response = gap_roles.placed(key, response)
    compared = _compared(_written(key), _written(response), frozenset(missing))
    said += (*compared.notices, *_labels(key, response))
    others = _other_words(key, response, compared)
    if others:
        from corefeval.matching.documents import carrying  # noqa: PLC0415 - most responses have the key's words

        key, response, notices = carrying.carried(key, response, others, missing)
        said += notices
    elif _has_zeros(key.tokens, response.tokens):
        from corefeval.matching.zeros import places  # noqa: PLC0415 - few corpora have zeros

        key, response = places.placed(key), places.placed(response)
    return Paired(key, response, said, tuple(missing))


def _has_zeros(ours: Tokens | None, theirs: Tokens | None) -> bool:
    """Whether there are words on both sides, and some of them are not written in the text."""
    return ours is not None and theirs is not None and (ours.empty is not None or theirs.empty is not None)


def _written(corpus: Corpus) -> Corpus:
    """The corpus as far as words are compared: sides may have zeros in different places."""
    if corpus.tokens is None or corpus.tokens.empty is None:
        return corpus
    return corpus.replaced(tokens=corpus.tokens.written())


def _in_order(key: Corpus, response: Corpus, options: Options) -> tuple[Corpus, Corpus, list[str], tuple[Notice, ...]]:
    from corefeval.matching.documents import names  # noqa: PLC0415 - most responses have the key's names

    same = names.found(key, response)
    explained = [(theirs, each) for theirs, each in same.items() if each.why]
    said = named("other-name", len(explained), lambda i: _other_name(response, *explained[i]))
    response = response.renamed({theirs: each.ours for theirs, each in same.items()})
    theirs, ours = set(response.documents), set(key.documents)
    missing = [name for name in key.documents if name not in theirs]
    extra = [name for name in response.documents if name not in ours]
    _refuse_documents(key, response, missing if options.missing == "error" else (), "missing")
    _refuse_documents(key, response, extra if options.extra == "error" else (), "extra")
    notices = (
        *said,
        *([_other_corpus(key, response)] if missing and extra and len(missing) == len(key.documents) else []),
        *named("missing-document", len(missing), lambda i: _missing(response, missing[i], extra, options.missing)),
        *named("extra-document", len(extra), lambda i: _extra(response, extra[i])),
    )
    if missing and options.missing == "skip":
        key = key.in_documents(tuple(name for name in key.documents if name in theirs))
        missing = []
    return key, response.in_documents(key.documents), missing, notices


def _refuse_documents(key: Corpus, response: Corpus, names: Sequence[str], decision: str) -> None:
    what, expected, hint = {
        "missing": ("is missing", "every document of the key", "missing=empty counts it as empty"),
        "extra": (f"is not in {key.source or 'the key'}", "documents of the key only", "extra=ignore leaves it out"),
    }[decision]
    if names:
        where, kind = _name(response), f"{decision}-document"
        raise InputError(Fault(where, f"document {name!r} {what}", expected, hint, kind=kind) for name in names)


def _other_name(response: Corpus, theirs: str, same: Found) -> Notice:
    message = f"{_name(response)}: document {theirs!r} is taken for {same.ours!r} of the key: {same.why}"
    return Notice("other-name", message, {"document": same.ours, "response": theirs})


def _other_corpus(key: Corpus, response: Corpus) -> Notice:
    message = f"{_name(response)}: none of its documents is in {key.source or 'the key'}; is it for another corpus?"
    return Notice("other-corpus", message, {"response": _name(response)})


def _missing(response: Corpus, name: str, extra: list[str], decision: str) -> Notice:
    near = difflib.get_close_matches(name, extra, n=1) if len(extra) <= _FEW else []
    hint = f" (it has {near[0]!r})" if near else ""
    where = _name(response)
    return Notice(
        "missing-document",
        f"{where}: document {name!r} is missing{hint}; it {_TREATED[decision]}",
        {"document": name, "response": where},
    )


def _extra(response: Corpus, name: str) -> Notice:
    where = _name(response)
    return Notice(
        "extra-document",
        f"{where}: document {name!r} is not in the key; it is ignored",
        {"document": name, "response": where},
    )


class _Compared(NamedTuple):
    """Documents with another number of words than the key's, and those with as many of which some differ."""

    other_length: list[int]
    other_words: list[int]
    notices: tuple[Notice, ...]


def _compared(key: Corpus, response: Corpus, missing: frozenset[str]) -> _Compared:
    """Where the words of the two sides differ, by document, with the first place."""
    ours, theirs = key.tokens, response.tokens
    if ours is None or theirs is None:
        return _Compared([], [], ())
    counts = np.diff(ours.bounds), np.diff(theirs.bounds)
    uneven = np.flatnonzero(counts[0] != counts[1])
    if len(uneven):
        same = [d for d in range(len(key.documents)) if counts[0][d] == counts[1][d]]
        key_even, response_even = ours.of_documents(same), theirs.of_documents(same)
    else:
        same = list(range(len(key.documents)))
        key_even, response_even = ours, theirs
    differs = np.flatnonzero(tokens.find_differing_words(key_even, response_even))
    of_document = np.searchsorted(key_even.bounds, differs, side="right") - 1
    changed, first, count = np.unique(of_document, return_index=True, return_counts=True)
    other_length = [d for d in uneven.tolist() if key.documents[d] not in missing]
    return _Compared(
        other_length,
        [same[document] for document in changed.tolist()],
        (
            *named("different-length", len(other_length), lambda i: _length(key, response, other_length[i])),
            *named(
                "different-words",
                len(changed),
                lambda i: _words(key, response, same[changed[i]],
                                 int(differs[first[i]] - key_even.bounds[changed[i]]), int(count[i])),
            ),
        ),
    )  # fmt: skip


def _other_words(key: Corpus, response: Corpus, compared: _Compared) -> list[int]:
    """The documents whose mentions are to be carried over; as many words of another text stay in their place."""
    units = {key.unit, response.unit}
    if "label" in units:
        _refuse_places(key, response)
        return []
    if units == {"word"} and not compared.other_length and not compared.other_words:
        return []
    from corefeval.matching.documents import carrying, letters  # noqa: PLC0415 - most responses have the key's words

    written = _written(key), _written(response)
    divided = [document for document in compared.other_words if letters.move(*written, document)]
    return carrying.needed(key, response, {*compared.other_length, *divided})


def _labels(key: Corpus, response: Corpus) -> tuple[Notice, ...]:
    """Say what labels are taken for beside characters: nothing tells whether they count words."""
    for (side, labels), (_, spans) in permutations((("key", key), ("response", response))):
        if labels.unit == "label" and spans.unit == "character" and len(labels):
            message = (
                f"{labels.source or side}: its mentions are labels; beside the characters of {spans.source or 'text'} "
                "they must be (first, last), counted in characters from 0, both included"
            )
            return (Notice("labels-beside-characters", message, {"side": side}),)
    return ()


def _refuse_places(key: Corpus, response: Corpus) -> None:
    """Characters of a text that is not there look like words, and must not be taken for them."""
    for side, other in ((key, response), (response, key)):
        if other.unit == "word" and any(notice.kind in _NO_TEXT for notice in side.notices):
            what = (
                f"its text is missing, so its mentions cannot be found among the words of {other.source or 'the other'}"
            )
            raise InputError(Fault(side.source or "input", what, "the text beside it", kind="units"))


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
        f"they part at word {place} ({at}); its mentions are carried over by their letters",
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
