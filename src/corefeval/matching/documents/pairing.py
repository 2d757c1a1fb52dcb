"""Pairing the documents of key and response by name, and comparing their words."""

from __future__ import annotations

import difflib
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.corpus import tokens
from corefeval.corpus.mentions import Spans
from corefeval.errors import Fault, InputError
from corefeval.matching.documents import carrying, names, places
from corefeval.notices import Notice, describe_events
from corefeval.options import Options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval.corpus.corpus import Corpus
    from corefeval.corpus.tokens import Tokens
    from corefeval.matching.documents.names import SameDocument


_USUAL = Options()
_TREATED = {"empty": "counts as empty", "skip": "is left out of the key, too"}
_NO_TEXT = frozenset({"missing-text", "no-text"})
_FEW = 20  # names among which a similar one is looked for
_GAP = "gap"  # the attribute that says which of the three mentions of a GAP example a mention is


class PairedDocuments(NamedTuple):
    """The response with the key's documents, in the key's order, and its mentions counted as the key's are.

    `missing` are the documents that the response lacks.
    """

    key: Corpus
    response: Corpus
    notices: tuple[Notice, ...]
    missing: tuple[str, ...] = ()


def pair_documents(key: Corpus, response: Corpus, options: Options = _USUAL) -> PairedDocuments:
    """Bring the response's documents into the key's order, with missing and extra ones treated as the options say."""
    if key.documents == response.documents and key.tokens is None and key.unit == response.unit == "label":
        return PairedDocuments(key, response, ())  # there are no words to compare
    missing: list[str] = []
    notices: tuple[Notice, ...] = ()
    if key.documents != response.documents:
        key, response, missing, notices = _order_documents(key, response, options)
    response = _place_gap_mentions(key, response)
    compared = _compare_words(_drop_unwritten(key), _drop_unwritten(response), frozenset(missing))
    notices += (*compared.notices, *_describe_labels(key, response))
    others = _find_documents_to_carry(key, response, compared)
    if others:
        key, response, more = carrying.carry_mentions(key, response, others, missing)
        notices += more
    elif _has_zeros(key.tokens, response.tokens):
        key, response = places.count_in_places(key), places.count_in_places(response)
    return PairedDocuments(key, response, notices, tuple(missing))


def _place_gap_mentions(key: Corpus, response: Corpus) -> Corpus:
    """Give mentions of a GAP submission, which only says which of the key's three each is, the key's spans.

    A mention that the key lacks stands behind all of the key's.
    """
    if isinstance(response.mentions, Spans) or not isinstance(key.mentions, Spans):
        return response
    if _GAP not in key.attributes or _GAP not in response.attributes:
        return response
    place = {who: row for row, who in enumerate(zip(key.document.tolist(), key.attributes[_GAP], strict=True))}
    asked = zip(response.document.tolist(), response.attributes[_GAP], strict=True)
    rows = np.array([place.get(who, -1) for who in asked], dtype=np.int64)
    behind = 1 + int(key.mentions.end.max(initial=0)) + np.arange(len(rows))
    there = Spans(np.append(key.mentions.start, -1)[rows], np.append(key.mentions.end, -1)[rows])
    lost = rows < 0
    spans = Spans(np.where(lost, behind, there.start), np.where(lost, behind, there.end))
    return response.replace(mentions=spans, texts=key.texts, tokens=key.tokens)


def _has_zeros(ours: Tokens | None, theirs: Tokens | None) -> bool:
    """Whether there are words on both sides, and some of them are not written in the text."""
    return ours is not None and theirs is not None and (ours.empty is not None or theirs.empty is not None)


def _drop_unwritten(corpus: Corpus) -> Corpus:
    """The corpus as far as words are compared: sides may have zeros in different places."""
    if corpus.tokens is None or corpus.tokens.empty is None:
        return corpus
    return corpus.replace(tokens=corpus.tokens.written())


def _order_documents(
    key: Corpus, response: Corpus, options: Options
) -> tuple[Corpus, Corpus, list[str], tuple[Notice, ...]]:

    same = names.find_same_documents(key, response)
    explained = [(theirs, each) for theirs, each in same.items() if each.why]
    notices = describe_events("other-name", len(explained), lambda i: _describe_other_name(response, *explained[i]))
    response = response.renamed({theirs: each.ours for theirs, each in same.items()})
    theirs, ours = set(response.documents), set(key.documents)
    missing = [name for name in key.documents if name not in theirs]
    extra = [name for name in response.documents if name not in ours]
    _refuse_documents(key, response, missing if options.missing == "error" else (), "missing")
    _refuse_documents(key, response, extra if options.extra == "error" else (), "extra")
    notices = (
        *notices,
        *([_describe_other_corpus(key, response)] if missing and extra and len(missing) == len(key.documents) else []),
        *describe_events(
            "missing-document", len(missing), lambda i: _describe_missing(response, missing[i], extra, options.missing)
        ),
        *describe_events("extra-document", len(extra), lambda i: _describe_extra(response, extra[i])),
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
        where, kind = _name_response(response), f"{decision}-document"
        raise InputError(Fault(where, f"document {name!r} {what}", expected, hint, kind=kind) for name in names)


def _describe_other_name(response: Corpus, theirs: str, same: SameDocument) -> Notice:
    what = f"document {theirs!r} is taken for {same.ours!r} of the key: {same.why}"
    return Notice.at("other-name", _name_response(response), None, what, {"document": same.ours, "response": theirs})


def _describe_other_corpus(key: Corpus, response: Corpus) -> Notice:
    what = f"none of its documents is in {key.source or 'the key'}; is it for another corpus?"
    return Notice.at("other-corpus", _name_response(response), None, what, {"response": _name_response(response)})


def _describe_missing(response: Corpus, name: str, extra: list[str], decision: str) -> Notice:
    near = difflib.get_close_matches(name, extra, n=1) if len(extra) <= _FEW else []
    hint = f" (it has {near[0]!r})" if near else ""
    where = _name_response(response)
    return Notice.at(
        "missing-document",
        where,
        None,
        f"document {name!r} is missing{hint}; it {_TREATED[decision]}",
        {"document": name, "response": where},
    )


def _describe_extra(response: Corpus, name: str) -> Notice:
    where = _name_response(response)
    return Notice.at(
        "extra-document",
        where,
        None,
        f"document {name!r} is not in the key; it is ignored",
        {"document": name, "response": where},
    )


class _WordComparison(NamedTuple):
    """Documents with another number of words than the key's, and those with as many of which some differ."""

    other_length: list[int]
    other_words: list[int]
    notices: tuple[Notice, ...]


def _compare_words(key: Corpus, response: Corpus, missing: frozenset[str]) -> _WordComparison:
    """Where the words of the two sides differ, by document, with the first place."""
    ours, theirs = key.tokens, response.tokens
    if ours is None or theirs is None:
        return _WordComparison([], [], ())
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
    return _WordComparison(
        other_length,
        [same[document] for document in changed.tolist()],
        (
            *describe_events(
                "different-length", len(other_length), lambda i: _describe_length(key, response, other_length[i])
            ),
            *describe_events(
                "different-words",
                len(changed),
                lambda i: _describe_words(key, response, same[changed[i]],
                                 int(differs[first[i]] - key_even.bounds[changed[i]]), int(count[i])),
            ),
        ),
    )  # fmt: skip


def _find_documents_to_carry(key: Corpus, response: Corpus, compared: _WordComparison) -> list[int]:
    """The documents whose mentions are to be carried over; as many words of another text stay in their place."""
    units = {key.unit, response.unit}
    if "label" in units:
        _refuse_missing_text(key, response)
        return []
    if units == {"word"} and not compared.other_length and not compared.other_words:
        return []

    written = _drop_unwritten(key), _drop_unwritten(response)
    divided = [document for document in compared.other_words if carrying.has_moved_words(*written, document)]
    return carrying.find_documents_to_carry(key, response, {*compared.other_length, *divided})


def _describe_labels(key: Corpus, response: Corpus) -> tuple[Notice, ...]:
    """Say what labels are taken for beside characters: nothing tells whether they count words."""
    for (side, labels), (_, spans) in permutations((("key", key), ("response", response))):
        if labels.unit == "label" and spans.unit == "character" and len(labels):
            message = (
                f"{labels.source or side}: its mentions are labels; beside the characters of {spans.source or 'text'} "
                "they must be (first, last), counted in characters from 0, both included"
            )
            return (Notice("labels-beside-characters", message, {"side": side}),)
    return ()


def _refuse_missing_text(key: Corpus, response: Corpus) -> None:
    """Characters of a text that is not there look like words, and must not be taken for them."""
    for side, other in ((key, response), (response, key)):
        if other.unit == "word" and any(notice.kind in _NO_TEXT for notice in side.notices):
            what = (
                f"its text is missing, so its mentions cannot be found among the words of {other.source or 'the other'}"
            )
            raise InputError(Fault(side.source or "input", what, "the text beside it", kind="units"))


def _describe_length(key: Corpus, response: Corpus, document: int) -> Notice:
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
    return Notice.at(
        "different-length",
        _name_response(response, document),
        None,
        f"document {name!r} has {theirs} words, in the key {ours}; they part at word {place} ({at}); "
        "its mentions are carried over by their letters",
        {"document": name, "key": ours, "response": theirs, "word": place},
    )


def _describe_words(key: Corpus, response: Corpus, document: int, word: int, count: int) -> Notice:
    assert key.tokens is not None and response.tokens is not None  # noqa: S101, PT018 - the caller has both
    name = key.documents[document]
    ours, theirs = (side.words(document, word, word)[0] for side in (key.tokens, response.tokens))
    lines = key.tokens.line_of(document, word), response.tokens.line_of(document, word)
    many = "1 word differs" if count == 1 else f"{count} words differ"
    return Notice.at(
        "different-words",
        _name_response(response, document),
        lines[1],
        f"document {name!r}: {many} from the key, first {theirs!r} for {ours!r} (key line {lines[0]})",
        {"document": name, "word": word, "key": ours, "response": theirs, "count": count},
    )


def _name_response(response: Corpus, document: int | None = None) -> str:
    return (response.source if document is None else response.file(document)) or "response"
