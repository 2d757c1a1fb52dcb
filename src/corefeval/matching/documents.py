"""Pairing the documents of key and response by name, comparing their words, and counting their mentions alike."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np

from corefeval.corpus import tokens
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Spans
from corefeval.errors import Fault, InputError
from corefeval.formats import registry
from corefeval.matching.carrying import carry_mentions, has_moved_words
from corefeval.matching.places import convert_to_places
from corefeval.notices import Notice, make_notices
from corefeval.options import Options

_USUAL = Options()
_TREATED = {"empty": "counts as empty", "skip": "is left out of the key, too"}
_NO_TEXT = frozenset({"missing-text", "no-text"})
_FEW = 20  # names among which a similar one is looked for
_GAP = "gap"  # the attribute that says which of the three mentions of a GAP example a mention is
_PART = re.compile(r"\((.*)\); part (\d+)")


class PairedDocuments(NamedTuple):
    """The response with the key's documents, in the key's order, and its mentions counted as the key's are.

    `missing` are the documents that the response lacks.
    """

    key: Corpus
    response: Corpus
    notices: tuple[Notice, ...]
    missing: tuple[str, ...] = ()


def pair_documents(key: Corpus, response: Corpus, options: Options = _USUAL) -> PairedDocuments:
    """Return both sides with the key's documents in the key's order and mentions in the key's units, with notices."""
    if key.documents == response.documents and key.tokens is None and key.unit == response.unit == "label":
        return PairedDocuments(key, response, ())  # there are no words to compare
    missing: list[str] = []
    notices: tuple[Notice, ...] = ()
    if key.documents != response.documents:
        key, response, missing, notices = _order_documents(key, response, options)
    response = _copy_gap_spans(key, response)
    written = _drop_unwritten_words(key), _drop_unwritten_words(response)
    has_zeros = written[0] is not key or written[1] is not response
    other_length, other_words, differences = _compare_words(*written, missing)
    notices += (*differences, *_make_label_notices(key, response))
    others = _find_documents_to_carry(key, response, written, other_length, other_words)
    if others:
        key, response, more = carry_mentions(key, response, others, missing)
        notices += more
    elif has_zeros and key.tokens is not None and response.tokens is not None:
        key, response = convert_to_places(key), convert_to_places(response)
    return PairedDocuments(key, response, notices, tuple(missing))


def _order_documents(
    key: Corpus, response: Corpus, options: Options
) -> tuple[Corpus, Corpus, list[str], tuple[Notice, ...]]:
    """Return four things: key and response with the same documents in one order, names the response lacks, notices."""
    same = find_same_documents(key, response)
    explained = [(theirs, each) for theirs, each in same.items() if each.why]
    response = response.rename_documents({theirs: each.ours for theirs, each in same.items()})
    theirs, ours = set(response.documents), set(key.documents)
    missing = [name for name in key.documents if name not in theirs]
    extra = [name for name in response.documents if name not in ours]
    where, key_name = response.source or "response", key.source or "the key"
    if options.missing == "error":
        hint = "missing=empty counts it as empty"
        _check_unpaired("missing-document", where, missing, "is missing", "every document of the key", hint)
    if options.extra == "error":
        hint = "extra=ignore leaves it out"
        _check_unpaired("extra-document", where, extra, f"is not in {key_name}", "documents of the key only", hint)

    def make_other_name_notice(event: int) -> Notice:
        theirs, (ours, why) = explained[event]
        what = f"document {theirs!r} is taken for {ours!r} of the key: {why}"
        return Notice.at("other-name", where, None, what, {"document": ours, "response": theirs})

    def end_missing_sentence(name: str) -> str:
        import difflib  # noqa: PLC0415 - it takes time to load, and few names need it

        near = difflib.get_close_matches(name, extra, n=1) if len(extra) <= _FEW else []
        hint = f" (it has {near[0]!r})" if near else ""
        return f"is missing{hint}; it {_TREATED[options.missing]}"

    notices = make_notices("other-name", len(explained), make_other_name_notice)
    if missing and extra and len(missing) == len(key.documents):
        what = f"none of its documents is in {key_name}; is it for another corpus?"
        notices += (Notice.at("other-corpus", where, None, what, {"response": where}),)
    notices += _make_unpaired_notices("missing-document", where, missing, end_missing_sentence)
    notices += _make_unpaired_notices("extra-document", where, extra, lambda _: "is not in the key; it is ignored")
    if missing and options.missing == "skip":
        key = key.select_documents(tuple(name for name in key.documents if name in theirs))
        missing = []
    return key, response.select_documents(key.documents), missing, notices


def _check_unpaired(kind: str, where: str, names: Sequence[str], what: str, expected: str, hint: str) -> None:
    """Raise an error that names these documents, which only one side has; pass if there are none."""
    if names:
        raise InputError(Fault(where, f"document {name!r} {what}", expected, hint, kind=kind) for name in names)


def _make_unpaired_notices(
    kind: str, where: str, names: Sequence[str], end_sentence: Callable[[str], str]
) -> tuple[Notice, ...]:
    """Make a notice for each document that only one side has; `end_sentence` tells of a name what becomes of it."""

    def make_notice(event: int) -> Notice:
        name = names[event]
        what = f"document {name!r} {end_sentence(name)}"
        return Notice.at(kind, where, None, what, {"document": name, "response": where})

    return make_notices(kind, len(names), make_notice)


class SameDocument(NamedTuple):
    """The key's name for a document of the response, and why; nothing needs to be said where it is evident."""

    ours: str
    why: str = ""


def find_same_documents(key: Corpus, response: Corpus) -> dict[str, SameDocument]:
    """Return, by the response's name, the key's name for each document that the sides name differently, and why."""
    theirs, ours = set(response.documents), set(key.documents)
    left_ours = [name for name in key.documents if name not in theirs]
    left_theirs = [name for name in response.documents if name not in ours]
    same: dict[str, SameDocument] = {}
    for rule in (_pair_by_spelling, _pair_by_files, _pair_only_documents):
        new = rule(key, response, left_ours, left_theirs)
        same.update(new)
        taken = {each.ours for each in new.values()}
        left_ours = [name for name in left_ours if name not in taken]
        left_theirs = [name for name in left_theirs if name not in new]
    return same


def _pair_by_spelling(key: Corpus, response: Corpus, ours: list[str], theirs: list[str]) -> dict[str, SameDocument]:  # noqa: ARG001
    """Pair names that differ in spelling: CoNLL's (x); part 001 is x_1 elsewhere, part 000 x_0 or x."""
    forms = ([(form, name) for name in names for form in _list_spellings(name)] for names in (ours, theirs))
    return {their: SameDocument(our) for our, their in _pair_by_forms(*forms)}


def _list_spellings(name: str) -> list[str]:
    """Return short spellings of a name: x_1 for "(x); part 001", x_0 and x for "(x); part 000"; of others, the name."""
    match = _PART.fullmatch(name)
    if not match:
        return [name]
    part = int(match[2])
    return [f"{match[1]}_{part}", *([match[1]] if part == 0 else [])]


def _pair_by_files(key: Corpus, response: Corpus, ours: list[str], theirs: list[str]) -> dict[str, SameDocument]:
    """Pair documents that are alone in their files, if the files have the same name in two directories."""
    if not (key.files and response.files):
        return {}
    sides = (ours, _find_lone_documents(key)), (theirs, _find_lone_documents(response))
    forms = ([(file_of[name], name) for name in names if name in file_of] for names, file_of in sides)
    return {their: SameDocument(our, "their files have the same name") for our, their in _pair_by_forms(*forms)}


def _find_lone_documents(corpus: Corpus) -> dict[str, str]:
    """Return, for documents alone in their file, its path below the corpus's directory, without suffix."""
    suffixes = tuple(suffix for name in registry.list_names() for suffix in registry.load_format(name).SUFFIXES)
    times = Counter(corpus.files)
    found = {}
    for document, file in zip(corpus.documents, corpus.files, strict=True):
        if times[file] == 1:
            path = os.path.relpath(file, corpus.source)
            stem = registry.strip_suffix(path, suffixes)
            found[document] = stem if stem != path else os.path.splitext(path)[0]
    return found


def _pair_only_documents(key: Corpus, response: Corpus, ours: list[str], theirs: list[str]) -> dict[str, SameDocument]:
    """Pair the only documents of both sides if one has no name, formats differ, or both are named after files; else {}.

    In one format names tell documents apart, but those of two files that were asked for one by one say nothing.
    """
    if not len(key.documents) == len(response.documents) == len(ours) == len(theirs) == 1:
        return {}
    if not (ours[0] and theirs[0]):
        return {theirs[0]: SameDocument(ours[0])}
    if key.format != response.format or (_is_named_after_file(key) and _is_named_after_file(response)):
        return {theirs[0]: SameDocument(ours[0], "each side has but one document")}
    return {}


def _is_named_after_file(corpus: Corpus) -> bool:
    """Return whether the first document has the name of its file, and that file is all that was asked for."""
    file = corpus.file(0)
    return bool(file) and file == corpus.source and os.path.basename(file).startswith(f"{corpus.documents[0]}.")


def _pair_by_forms(ours: list[tuple[str, str]], theirs: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield (our, their) documents that share a form which no other one has; given are lists of (form, document)."""
    our_forms, their_forms = _find_unique_forms(ours), _find_unique_forms(theirs)
    used: set[str] = set()
    for form, their in their_forms.items():
        our = our_forms.get(form)
        if our is not None and our not in used and their not in used:
            used.update((our, their))
            yield our, their


def _find_unique_forms(forms: list[tuple[str, str]]) -> dict[str, str]:
    """Return the document of every form that occurs once in a list of (form, document)."""
    times = Counter(form for form, _ in forms)
    return {form: document for form, document in forms if times[form] == 1}


def _copy_gap_spans(key: Corpus, response: Corpus) -> Corpus:
    """Return a GAP submission with the spans of the key's pronoun, A and B; any other response unchanged.

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
    start, end = (
        np.where(rows < 0, behind, np.append(column, -1)[rows]) for column in (key.mentions.start, key.mentions.end)
    )
    return response.replace(mentions=Spans(start, end), texts=key.texts, tokens=key.tokens)


def _drop_unwritten_words(corpus: Corpus) -> Corpus:
    """Return the corpus with only written words in `tokens`, for comparing them; unchanged if all are written."""
    if corpus.tokens is None or corpus.tokens.empty is None:
        return corpus
    return corpus.replace(tokens=corpus.tokens.without_empty())


def _compare_words(
    key: Corpus, response: Corpus, missing: list[str]
) -> tuple[list[int], list[int], tuple[Notice, ...]]:
    """Return three things: the documents with another number of words, those with other words only, and notices."""
    ours, theirs = key.tokens, response.tokens
    if ours is None or theirs is None:
        return [], [], ()
    uneven = np.diff(ours.bounds) != np.diff(theirs.bounds)
    same = np.flatnonzero(~uneven).tolist()
    even = (ours.select_documents(same), theirs.select_documents(same)) if uneven.any() else (ours, theirs)
    differs = np.flatnonzero(tokens.find_differing_words(*even))
    of_document = np.searchsorted(even[0].bounds, differs, side="right") - 1
    changed, first, count = np.unique(of_document, return_index=True, return_counts=True)
    absent = frozenset(missing)
    other_length = [d for d in np.flatnonzero(uneven).tolist() if key.documents[d] not in absent]
    other_words = [same[document] for document in changed.tolist()]

    def make_words_notice(event: int) -> Notice:
        word = int(differs[first[event]] - even[0].bounds[changed[event]])
        return _make_words_notice(key, response, other_words[event], word, int(count[event]))

    def make_length_notice(event: int) -> Notice:
        return _make_length_notice(key, response, other_length[event])

    notices = make_notices("different-length", len(other_length), make_length_notice)
    return other_length, other_words, notices + make_notices("different-words", len(other_words), make_words_notice)


def _find_documents_to_carry(
    key: Corpus, response: Corpus, written: tuple[Corpus, Corpus], other_length: list[int], other_words: list[int]
) -> list[int]:
    """Return the numbers of documents whose mentions must be carried over to the key's words; [] if a side has labels.

    As many words of another text stay in their place. `written` are both sides without zeros.
    """
    if "label" in (key.unit, response.unit):
        _check_text_known(key, response)
        return []
    if key.unit != response.unit:
        _check_words_known(key, response)
        return list(range(len(key.documents)))
    if key.unit == "character":
        pairs = zip(key.texts or (), response.texts or (), strict=True)
        return [number for number, (ours, theirs) in enumerate(pairs) if ours != theirs]
    divided = (document for document in other_words if has_moved_words(*written, document))
    return sorted({*other_length, *divided})


def _check_words_known(key: Corpus, response: Corpus) -> None:
    """Raise an error if one side counts words that are not known, and the other characters."""
    for side, other in ((key, response), (response, key)):
        if side.tokens is None and side.texts is None:
            name = other.source or "the other side"
            what = f"its mentions count words, which it does not have, but those of {name} count characters"
            raise InputError(Fault(side.source or "input", what, "both in one unit, or the words", kind="units"))


def _check_text_known(key: Corpus, response: Corpus) -> None:
    """Raise an error if one side counts characters of a text that is missing, and the other words."""
    for side, other in ((key, response), (response, key)):
        if other.unit == "word" and any(notice.kind in _NO_TEXT for notice in side.notices):
            name = other.source or "the other"
            what = f"its text is missing, so its mentions cannot be found among the words of {name}"
            raise InputError(Fault(side.source or "input", what, "the text beside it", kind="units"))


def _make_label_notices(key: Corpus, response: Corpus) -> tuple[Notice, ...]:
    """Return one notice of what labels are taken for, if the other side has characters; else ()."""
    for (side, labels), (_, spans) in permutations((("key", key), ("response", response))):
        if labels.unit == "label" and spans.unit == "character" and len(labels):
            message = (
                f"its mentions are labels; beside the characters of {spans.source or 'text'} "
                "they must be (first, last), counted in characters from 0, both included"
            )
            return (Notice.at("labels-beside-characters", labels.source or side, None, message, {"side": side}),)
    return ()


def _make_length_notice(key: Corpus, response: Corpus, document: int) -> Notice:
    """Make a notice that a document has another number of words than in the key, and of where the two part."""
    assert key.tokens is not None and response.tokens is not None  # noqa: S101, PT018 - the caller has both
    name = key.documents[document]
    ours, theirs = key.tokens.length(document), response.tokens.length(document)
    pairs = zip(key.tokens.words(document), response.tokens.words(document), strict=False)
    place = next((i for i, (one, other) in enumerate(pairs) if one != other), min(ours, theirs))
    side, tokens = ("key", key.tokens) if place < ours else ("response", response.tokens)
    what = (
        f"document {name!r} has {theirs} words, in the key {ours}; they part at word {place} "
        f"({side} line {tokens.get_line(document, place)}); its mentions are carried over by their letters"
    )
    details = {"document": name, "key": ours, "response": theirs, "word": place}
    return Notice.at("different-length", response.file(document) or "response", None, what, details)


def _make_words_notice(key: Corpus, response: Corpus, document: int, word: int, count: int) -> Notice:
    """Make a notice of how many words of a document differ from the key's, and of the first of them."""
    assert key.tokens is not None and response.tokens is not None  # noqa: S101, PT018 - the caller has both
    name = key.documents[document]
    ours, theirs = (side.words(document, word, word)[0] for side in (key.tokens, response.tokens))
    many = "1 word differs" if count == 1 else f"{count} words differ"
    key_line, line = key.tokens.get_line(document, word), response.tokens.get_line(document, word)
    what = f"document {name!r}: {many} from the key, first {theirs!r} for {ours!r} (key line {key_line})"
    details = {"document": name, "word": word, "key": ours, "response": theirs, "count": count}
    return Notice.at("different-words", response.file(document) or "response", line, what, details)
