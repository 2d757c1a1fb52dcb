"""Mentions that are strings without places, looked up in the key's text: whole words, in upper or lower case.

By order: entities as they are listed; a mention is the first occurrence of its string that is free, behind the mention
before it in its entity, or else anywhere. By length: long strings choose first, and others avoid what lies in these.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Spans
from corefeval.notices import Notice, count_things, make_notices

_STRING, _STRATEGY = "string", "strategy"
_LONGEST = "longest"

Span = tuple[int, int]


def resolve_strings(key: Corpus, response: Corpus) -> tuple[Corpus, tuple[Notice, ...]]:
    """Return the response with places in the key's text for mentions that are strings, and notices; or it unchanged.

    Both have the same documents. Strings that are not found stand behind all mentions of the key.
    """
    if _STRING not in response.attributes or response.unit != "label" or not isinstance(key.mentions, Spans):
        return response, ()
    if key.tokens is None and key.texts is None:
        return response, ()
    strings = [" ".join(_fold(string).split()) for string in response.attributes[_STRING]]
    by_length = _LONGEST in response.attributes.get(_STRATEGY, ())
    start, end = np.full(len(response), -1, dtype=np.int64), np.full(len(response), -1, dtype=np.int64)
    lost: list[tuple[int, int]] = []
    ambiguous: list[_Ambiguity] = []
    for document in range(len(response.documents)):
        rows = np.flatnonzero(response.document == document).tolist()
        text = _FoldedText(key, document)
        occurrences = {string: list(text.find(string)) for string in {strings[row] for row in rows}}
        ambiguous += _find_ambiguities(response, document, rows, strings, occurrences)
        for row, span in _choose_places(response, rows, strings, occurrences, by_length=by_length):
            if span is None:
                lost.append((row, len(occurrences[strings[row]])))
            else:
                start[row], end[row] = span
    size = len(key.tokens) if key.tokens is not None else max(map(len, key.texts or ()), default=0)
    behind = 1 + size + np.arange(len(response))
    mentions = Spans(np.where(start < 0, behind, start), np.where(start < 0, behind, end))
    notices = make_notices("string-not-found", len(lost), lambda i: _make_lost_notice(response, *lost[i]))
    notices += make_notices("string-ambiguous", len(ambiguous), lambda i: ambiguous[i].make_notice(response))
    return response.replace(mentions=mentions, tokens=key.tokens, texts=key.texts), notices


def _fold(text: str) -> str:
    """Return a text of the same words in lower case."""
    return text.casefold()


class _FoldedText:
    """The text of a document in lower case, with single blanks, and the word (or character) of each letter."""

    def __init__(self, corpus: Corpus, document: int) -> None:
        if corpus.tokens is not None:
            is_empty = corpus.tokens.unwritten[corpus.tokens.rows(document)].tolist()
            words = ["" if empty else word for word, empty in zip(corpus.tokens.words(document), is_empty, strict=True)]
        else:
            words = list((corpus.texts or ())[document])
        self._in_words = corpus.tokens is not None
        parts: list[str] = []
        self._unit: list[int] = []
        for number, word in enumerate(words):
            folded = _fold(word)
            if self._in_words and parts and folded:
                folded = f" {folded}"
            if not self._in_words and folded.isspace():
                folded = "" if parts and parts[-1] == " " else " "
            if folded:
                parts.append(folded)
                self._unit += [number] * len(folded)
        self._text = "".join(parts)

    def find(self, string: str) -> Iterator[Span]:
        """Yield the first and last unit of each place where a string, folded and with single blanks, occurs."""
        for wanted in dict.fromkeys((string, *([" ".join(_split_punctuation(string))] if self._in_words else []))):
            found = False
            at = self._text.find(wanted)
            while at >= 0:
                if self._is_bounded(at - 1, at) and self._is_bounded(at + len(wanted) - 1, at + len(wanted)):
                    found = True
                    yield self._unit[at], self._unit[at + len(wanted) - 1]
                at = self._text.find(wanted, at + 1)
            if found:
                return

    def _is_bounded(self, before: int, behind: int) -> bool:
        """Return whether a word ends between two neighbouring letters."""
        if before < 0 or behind >= len(self._text):
            return True
        one, other = self._text[before], self._text[behind]
        return " " in (one, other) if self._in_words else not (one.isalnum() and other.isalnum())


def _split_punctuation(string: str) -> Iterator[str]:
    """Yield the words of a string as treebanks divide them: "mara's dog," is mara, 's, dog and a comma.

    >>> list(_split_punctuation("mara's dog, (or cat)"))
    ['mara', "'s", 'dog', ',', '(', 'or', 'cat', ')']
    """
    word = ""
    for character in string:
        if character.isspace() or not (character.isalnum() or character in "-_"):
            if word:
                yield word
            word = ""
            if character in "'’":
                word = character
            elif not character.isspace():
                yield character
        else:
            word += character
    if word:
        yield word


def _choose_places(
    response: Corpus,
    rows: Sequence[int],
    strings: Sequence[str],
    occurrences: dict[str, list[Span]],
    *,
    by_length: bool,
) -> Iterator[tuple[int, Span | None]]:
    """Yield each of these rows with the place of its mention; None if its string has no free one."""
    entity = response.entity.tolist()
    order = sorted(rows, key=lambda row: (-len(strings[row]), entity[row], row) if by_length else (entity[row], row))
    taken: set[Span] = set()
    reach: dict[int, int] = {}  # for every unit of a mention, the last unit of those that contain it
    free = {string: _Remaining(found, lambda span: span in taken) for string, found in occurrences.items()}
    outside = {
        string: _Remaining(found, lambda span: reach.get(span[0], -1) >= span[1])
        for string, found in occurrences.items()
    }
    last: dict[int, Span] = defaultdict(lambda: (-1, -1))
    for row in order:
        string = strings[row]
        begin = _find_behind(occurrences[string], last[entity[row]])
        chosen = free[string].find_first(begin)
        if chosen is None:
            begin, chosen = 0, free[string].find_first(0)
        if by_length:
            chosen = outside[string].find_first(begin) or chosen
        if chosen is not None:
            taken.add(chosen)
            last[entity[row]] = max(last[entity[row]], chosen)
            reach |= {unit: max(chosen[1], reach.get(unit, -1)) for unit in range(chosen[0], chosen[1] + 1)}
        yield row, chosen


class _Remaining:
    """Spans in order, of which ever more are gone, as `is_gone` says of each; those once gone are skipped at once."""

    def __init__(self, spans: Sequence[Span], is_gone: Callable[[Span], bool]) -> None:
        self._spans, self._is_gone = spans, is_gone
        self._next = list(range(len(spans) + 1))

    def find_first(self, begin: int) -> Span | None:
        """Return the first span that is not gone, from one of them on; None if there is none."""
        at = begin
        while at < len(self._spans) and (self._next[at] != at or self._is_gone(self._spans[at])):
            self._next[at] = max(self._next[at], at + 1)
            at = self._next[at]
        while begin < at:
            self._next[begin], begin = at, self._next[begin]
        return self._spans[at] if at < len(self._spans) else None


def _find_behind(spans: list[Span], last: Span) -> int:
    """Return the number of the first of some spans, which rise, that begins behind another one."""
    return bisect_left(spans, (last[0] + 1, -1))


class _Ambiguity(NamedTuple):
    """A string of a document that may be at several places."""

    document: int
    string: str
    occurrences: int
    mentions: int
    entities: int
    row: int

    def make_notice(self, response: Corpus) -> Notice:
        """Return the notice that the string is ambiguous."""
        name = response.documents[self.document]
        times = count_things(self.occurrences, "time")
        what = (
            f"{self.string!r} occurs {times} in document {name!r}, and {count_things(self.mentions, 'mention')} of "
            f"{count_things(self.entities, 'entity')} {'is' if self.mentions == 1 else 'are'} called so: which is "
            "which is not known"
        )
        details = {"document": name, "string": self.string, "occurrences": self.occurrences, "mentions": self.mentions}
        source = response.file(self.document) or "response"
        return Notice.at("string-ambiguous", source, response.line(self.row), what, details)


def _find_ambiguities(
    response: Corpus, document: int, rows: Sequence[int], strings: Sequence[str], occurrences: dict[str, list[Span]]
) -> list[_Ambiguity]:
    """Return the strings of a document that occur more often than they are listed, or are of several entities."""
    times = Counter(strings[row] for row in rows)
    entities: dict[str, set[int]] = defaultdict(set)
    first: dict[str, int] = {}
    for row in rows:
        entities[strings[row]].add(int(response.entity[row]))
        first.setdefault(strings[row], row)
    return [
        _Ambiguity(
            document, response.attributes[_STRING][first[string]], places, count, len(entities[string]), first[string]
        )
        for string, count in times.items()
        if (places := len(occurrences[string])) > 1 and (places > count or len(entities[string]) > 1)
    ]


def _make_lost_notice(response: Corpus, row: int, occurrences: int) -> Notice:
    """Return the notice that the string of a row is nowhere in the text, or that other mentions have all its places."""
    document, string = int(response.document[row]), response.attributes[_STRING][row]
    name = response.documents[document]
    why = f"occurs {count_things(occurrences, 'time')} only" if occurrences else "does not occur"
    what = f"{string!r} of entity {response.get_entity_name(row)} {why} in document {name!r}; counted as spurious"
    details = {"document": name, "string": string, "occurrences": occurrences}
    return Notice.at("string-not-found", response.file(document) or "response", response.line(row), what, details)
