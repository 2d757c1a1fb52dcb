"""Pairing the documents of key and response, comparing their words, and counting their mentions alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import permutations

import numpy as np

from corefeval._lazy import NamedTuple
from corefeval.corpus import tokens, units
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Spans
from corefeval.errors import Fault, InputError
from corefeval.formats import registry
from corefeval.matching.carrying import CarriedMentions, carry_mentions
from corefeval.matching.places import convert_to_places
from corefeval.matching.same_documents import BY_ORDER, SameDocument, find_same_documents, rename_to_key
from corefeval.matching.strings import resolve_strings
from corefeval.notices import Notice, count_things, make_notices
from corefeval.options import Options, load_behaviour, parse_share

_USUAL = Options()
_TREATED = {"empty": "counts as empty", "skip": "is left out of the key, too"}
_NO_TEXT = frozenset({"missing-text", "no-text"})
_FEW = 20  # names among which a similar one is looked for
_GAP = "gap"  # the attribute that says which of the three mentions of a GAP example a mention is


class CarriedDocuments(NamedTuple):
    """Which documents' mentions are carried over by letters: those with another number of words, with other words.

    Mentions of the others stay in their positions.
    """

    other_length: bool
    other_words: bool


AUTO, POSITION, LETTERS = CarriedDocuments(True, False), CarriedDocuments(False, False), CarriedDocuments(True, True)  # noqa: FBT003
_BY_LETTERS = "its mentions are carried over by their letters"
_BY_POSITION = "its mentions stay in their positions"


class PairedDocuments(NamedTuple):
    """The response with the key's documents, in the key's order, and its mentions counted as the key's are.

    missing: the documents that the response lacks. carried: how mentions were carried over, if any were.
    """

    key: Corpus
    response: Corpus
    notices: tuple[Notice, ...]
    missing: tuple[str, ...] = ()
    carried: CarriedMentions | None = None


def pair_documents(
    key: Corpus, response: Corpus, options: Options = _USUAL, missing: Sequence[str] | None = None
) -> PairedDocuments:
    """Return both sides with the key's documents, order and units, and notices; InputError if they cannot be paired.

    missing: the documents that the response lacks, if the documents are those of the key, in its order, already.
    """
    notices: tuple[Notice, ...] = ()
    if missing is None:
        key, response, missing, notices = order_documents(key, response, options)
    if key.tokens is None and key.unit == response.unit == "label" and not missing and not notices:
        return PairedDocuments(key, response, ())  # there are no words to compare
    response = _copy_gap_spans(key, response)
    response, found = resolve_strings(key, response)
    notices += found
    written = _drop_unwritten_words(key), _drop_unwritten_words(response)
    has_zeros = written[0] is not key or written[1] is not response
    carried: CarriedDocuments = load_behaviour("words", options.words)
    if carried == AUTO and _is_generated(response):
        carried = LETTERS
    other_length, other_words, differences = _compare_words(*written, missing, carried)
    notices += (*differences, *_make_label_notices(key, response))
    others = _find_documents_to_carry(key, response, carried, other_length, other_words)
    if others:
        moved = carry_mentions(key, response, others, missing, parse_share(options.max_change))
        return PairedDocuments(moved.key, moved.response, notices + moved.notices, tuple(missing), moved)
    if has_zeros and key.tokens is not None and response.tokens is not None:
        key, response = convert_to_places(key), convert_to_places(response)
    return PairedDocuments(key, response, notices, tuple(missing))


def _is_generated(corpus: Corpus) -> bool:
    """Return whether the text of a corpus is written anew by a model, so that as many words need not be the same."""
    return getattr(registry.find_format(corpus.format), "GENERATED", False)


def order_documents(
    key: Corpus, response: Corpus, options: Options
) -> tuple[Corpus, Corpus, Sequence[str], tuple[Notice, ...]]:
    """Return key and response with the same documents in order, names the response lacks, notices; or InputError."""
    has_unnamed = key is not response and (key.unnamed or response.unnamed)
    if key.documents == response.documents and not has_unnamed:
        return key, response, [], ()
    same = find_same_documents(key, response)
    _check_some_in_common(key, response, same)
    explained = [(theirs, each) for theirs, each in same.items() if each.why and each.why != BY_ORDER]
    response = rename_to_key(key, response, same)
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

    def make_other_name_notice(index: int) -> Notice:
        """Return the notice that the sides have different names for `explained[index]`."""
        theirs, (ours, why) = explained[index]
        what = f"document {theirs!r} is taken for {ours!r} of the key: {why}"
        return Notice.at("other-name", where, None, what, {"document": ours, "response": theirs})

    def end_missing_sentence(name: str) -> str:
        """Return the end of a message: that a document is missing, a similar name, and how it is scored."""
        import difflib  # noqa: PLC0415 - it takes time to load, and few names need it

        near = difflib.get_close_matches(name, extra, n=1) if len(extra) <= _FEW else []
        hint = f" (it has {near[0]!r})" if near else ""
        return f"is missing{hint}; it {_TREATED[options.missing]}"

    notices = make_notices("other-name", len(explained), make_other_name_notice)
    notices += _make_order_notices(where, sum(each.why == BY_ORDER for each in same.values()))
    notices += _make_unpaired_notices("missing-document", where, missing, end_missing_sentence)
    notices += _make_unpaired_notices("extra-document", where, extra, lambda _: "is not in the key; it is ignored")
    if missing and options.missing == "skip":
        key = key.select_documents(tuple(name for name in key.documents if name in theirs))
        missing = []
    return key, response.select_documents(key.documents), missing, notices


def _check_some_in_common(key: Corpus, response: Corpus, same: Mapping[str, SameDocument]) -> None:
    """Raise an InputError if both sides have documents, but none in common by name or in `same`."""
    if same or not key.documents or not response.documents:
        return
    if not set(key.documents).difference(key.unnamed).isdisjoint(set(response.documents).difference(response.unnamed)):
        return
    count = len(response.documents)
    what = f"none of its {count:,} documents is" if count > 1 else "its document is not"
    hint = f"the first is {response.documents[0]!r} here and {key.documents[0]!r} in the key; name them alike"
    if key.unnamed or response.unnamed:
        hint = "documents without names are paired by their texts, which differ, or by order, if there are as many"
    where, expected = response.source or "response", "documents of the key"
    raise InputError(Fault(where, f"{what} in {key.source or 'the key'}", expected, hint, kind="other-corpus"))


def _make_order_notices(where: str, count: int) -> tuple[Notice, ...]:
    """Return one notice of how many documents without names are paired by their order; () if none is."""
    if not count:
        return ()
    what = f"documents without names ({count:,}) that no text tells apart are paired with the key's by order"
    return (Notice.at("paired-by-order", where, None, what, {"response": where, "count": count}),)


def _check_unpaired(kind: str, where: str, names: Sequence[str], what: str, expected: str, hint: str) -> None:
    """Raise an InputError with a fault for each of these documents, which only one side has; pass if there are none."""
    if names:
        raise InputError(Fault(where, f"document {name!r} {what}", expected, hint, kind=kind) for name in names)


def _make_unpaired_notices(
    kind: str, where: str, names: Sequence[str], end_sentence: Callable[[str], str]
) -> tuple[Notice, ...]:
    """Return notices of documents that only one side has; `end_sentence` tells of a name what becomes of it."""

    def make_notice(index: int) -> Notice:
        """Return the notice of the unpaired document `names[index]`."""
        name = names[index]
        what = f"document {name!r} {end_sentence(name)}"
        return Notice.at(kind, where, None, what, {"document": name, "response": where})

    return make_notices(kind, len(names), make_notice)


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
    key: Corpus, response: Corpus, missing: Sequence[str], carried: CarriedDocuments
) -> tuple[list[int], list[int], tuple[Notice, ...]]:
    """Return documents with another number of words, those with other words, and notices; [] and [] without words."""
    ours, theirs = key.tokens, response.tokens
    if ours is None or theirs is None:
        return [], [], _make_kept_text_notices(key, response, missing) if carried == POSITION else ()
    uneven = np.diff(ours.bounds) != np.diff(theirs.bounds)
    same = np.flatnonzero(~uneven).tolist()
    even = (ours.select_documents(same), theirs.select_documents(same)) if uneven.any() else (ours, theirs)
    differs = np.flatnonzero(tokens.find_differing_words(*even))
    of_document = np.searchsorted(even[0].bounds, differs, side="right") - 1
    changed, first, count = np.unique(of_document, return_index=True, return_counts=True)
    absent = frozenset(missing)
    other_length = [d for d in np.flatnonzero(uneven).tolist() if key.documents[d] not in absent]
    other_words = [same[document] for document in changed.tolist()]

    def make_words_notice(index: int) -> Notice:
        """Return the notice that some words of document `other_words[index]` differ."""
        word = int(differs[first[index]] - even[0].bounds[changed[index]])
        return _make_words_notice(key, response, other_words[index], word, int(count[index]), carried)

    def make_length_notice(index: int) -> Notice:
        """Return the notice that document `other_length[index]` has another number of words."""
        return _make_length_notice(key, response, other_length[index], carried)

    notices = make_notices("different-length", len(other_length), make_length_notice)
    return other_length, other_words, notices + make_notices("different-words", len(other_words), make_words_notice)


def _find_documents_to_carry(
    key: Corpus, response: Corpus, carried: CarriedDocuments, other_length: list[int], other_words: list[int]
) -> list[int]:
    """Return the numbers of documents whose mentions must be carried over to the key's words; InputError if impossible.

    [] if a side has labels. other_length, other_words: documents with more or fewer, or other, words than the key.
    """
    if "label" in (key.unit, response.unit):
        _check_text_known(key, response)
        return []
    if key.unit != response.unit:
        _check_words_known(key, response)
        _check_carrying_allowed(key, response, carried)
        return list(range(len(key.documents)))
    if key.unit == "character":
        return [] if carried == POSITION else _find_other_texts(key, response)
    return sorted([*(other_length if carried.other_length else ()), *(other_words if carried.other_words else ())])


def _find_other_texts(key: Corpus, response: Corpus) -> list[int]:
    """Return the numbers of the documents of characters whose text differs in key and response."""
    pairs = zip(key.texts or (), response.texts or (), strict=True)
    return [number for number, (ours, theirs) in enumerate(pairs) if ours != theirs]


def _make_kept_text_notices(key: Corpus, response: Corpus, missing: Sequence[str]) -> tuple[Notice, ...]:
    """Return notices of documents of characters that have another text in the key, where positions are kept."""
    if not key.unit == response.unit == "character":
        return ()
    others = [number for number in _find_other_texts(key, response) if key.documents[number] not in missing]

    def make_notice(index: int) -> Notice:
        """Return the notice that document `others[index]` has another text, and its positions are kept."""
        name = key.documents[others[index]]
        what = f"document {name!r} has a different text in the key; {_BY_POSITION}"
        where = response.file(others[index]) or "response"
        return Notice.at("different-text", where, None, what, {"document": name})

    return make_notices("different-text", len(others), make_notice)


def _check_carrying_allowed(key: Corpus, response: Corpus, carried: CarriedDocuments) -> None:
    """Raise an InputError if sides count words and characters (as the caller knows) and positions are to be kept."""
    if carried == POSITION:
        what = f"its mentions count {response.unit}s, those of {key.source or 'the key'} {key.unit}s"
        hint = "words=auto carries them over by their letters"
        raise InputError(Fault(response.source or "response", what, "one unit for words=position", hint, kind="units"))


def _check_words_known(key: Corpus, response: Corpus) -> None:
    """Raise an InputError if one side counts words that are not known, and the other characters."""
    for side, other in ((key, response), (response, key)):
        if side.tokens is None and side.texts is None:
            name = other.source or "the other side"
            what = f"its mentions count words, which it does not have, but those of {name} count characters"
            raise InputError(Fault(side.source or "input", what, "both in one unit, or the words", kind="units"))


def _check_text_known(key: Corpus, response: Corpus) -> None:
    """Raise an InputError if one side counts characters of a text that is missing, and the other words."""
    for side, other in ((key, response), (response, key)):
        if other.unit == "word" and any(notice.kind in _NO_TEXT for notice in side.notices):
            name = other.source or "the other"
            what = f"its text is missing, so its mentions cannot be found among the words of {name}"
            raise InputError(Fault(side.source or "input", what, "the text beside it", kind="units"))


def _make_label_notices(key: Corpus, response: Corpus) -> tuple[Notice, ...]:
    """Return one notice if one side has labels beside characters, or unknown words beside unwritten ones; else ()."""
    for (side, positions), (_, other) in permutations((("key", key), ("response", response))):
        if other.tokens is not None and other.tokens.empty is not None and units.counts_unknown_words(positions):
            count = count_things(int(other.tokens.empty.sum()), "unwritten word")
            message = (
                f"its words are not known; its positions are taken to count the {count} of {other.source or 'text'}"
            )
            return (Notice.at("positions-beside-zeros", positions.source or side, None, message, {"side": side}),)
    for (side, labels), (_, spans) in permutations((("key", key), ("response", response))):
        if labels.unit == "label" and spans.unit == "character" and len(labels):
            message = (
                f"its mentions are labels; beside the characters of {spans.source or 'text'} "
                "they must be (first, last), counted in characters from 0, both included"
            )
            return (Notice.at("labels-beside-characters", labels.source or side, None, message, {"side": side}),)
    return ()


def _make_length_notice(key: Corpus, response: Corpus, document: int, carried: CarriedDocuments) -> Notice:
    """Make a notice that a document has another number of words than in the key, and of where the two part."""
    assert key.tokens is not None and response.tokens is not None  # noqa: S101, PT018 - the caller has both
    name = key.documents[document]
    ours, theirs = key.tokens.length(document), response.tokens.length(document)
    pairs = zip(key.tokens.words(document), response.tokens.words(document), strict=False)
    place = next((i for i, (one, other) in enumerate(pairs) if one != other), min(ours, theirs))
    side, tokens = ("key", key.tokens) if place < ours else ("response", response.tokens)
    what = (
        f"document {name!r} has {count_things(theirs, 'word')}, in the key {ours}; they part at word {place} "
        f"({side} line {tokens.get_line(document, place)}); {_BY_LETTERS if carried.other_length else _BY_POSITION}"
    )
    details = {"document": name, "key": ours, "response": theirs, "word": place}
    return Notice.at("different-length", response.file(document) or "response", None, what, details)


def _make_words_notice(
    key: Corpus, response: Corpus, document: int, word: int, count: int, carried: CarriedDocuments
) -> Notice:
    """Make a notice of how many words of a document differ from the key's, and of the first of them."""
    assert key.tokens is not None and response.tokens is not None  # noqa: S101, PT018 - the caller has both
    name = key.documents[document]
    ours, theirs = (side.words(document, word, word)[0] for side in (key.tokens, response.tokens))
    many = count_things(count, "word", "differs", "differ")
    key_line, line = key.tokens.get_line(document, word), response.tokens.get_line(document, word)
    first = f"first {theirs!r} for {ours!r} (key line {key_line})"
    what = f"document {name!r}: {many} from the key, {first}; {_BY_LETTERS if carried.other_words else _BY_POSITION}"
    details = {"document": name, "word": word, "key": ours, "response": theirs, "count": count}
    return Notice.at("different-words", response.file(document) or "response", line, what, details)
