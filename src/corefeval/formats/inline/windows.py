"""The windows of long documents, as a language model has answered them, joined again.

    {"document": "story", "window": 0, "first": 0, "words": 500, "response": "[Mara](#1) went …"}

Each line is a prompt's (`corefeval prompt --json-lines`) with the response in it. Two windows are joined where they
have the same words. An entity of the later window is one of the earlier if they share mentions there. Of several, the
one with which it shares most is taken, each by one entity only; the others are conflicts, which notices name. Mentions
that only one window has in the overlap stay.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Spans
from corefeval.errors import InputError
from corefeval.formats import registry
from corefeval.formats.base import File
from corefeval.formats.draft import Draft
from corefeval.formats.shared import json_values
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.formats.shared.files import open_source
from corefeval.notices import count_things

_RESPONSE = "response"
_EXPECTED = '{"document": "a", "window": 0, "first": 0, "words": 500, "response": "…"}'
_SLACK = 20  # words by which the overlap may be longer in the responses than in the prompts
_SAME_WORDS = 3  # in a row, for windows to be joined there

Span = tuple[int, int]


class _Window(NamedTuple):
    """A window: where it begins in its document, how many words the prompt had, and the response to it."""

    line: int
    document: str
    number: int
    first: int
    length: int
    response: Corpus


def join_windows(source: str | os.PathLike[str], notation: str = "markdown", *, repairs: str = "keep") -> Corpus:
    """Return the corpus of all documents, joined from the responses to their windows in a file of JSON lines.

    notation: the format of the responses. repairs: "keep" or "drop" mentions that had to be repaired.
    """
    name = os.fspath(source)
    opened = open_source(name)
    draft = Draft(name)
    windows: dict[str, list[_Window]] = defaultdict(list)
    for data in (read() for read in opened.files.values()):
        for line, fields in json_values.iterate_objects(json_values.decode_text(data, draft).rstrip(), draft):
            window = _read_window(fields, line, notation, repairs, draft)
            if window is not None:
                windows[window.document].append(window)
    if not windows and not draft.faults:
        draft.add_fault(1, "no window", _EXPECTED)
    draft.raise_faults()
    for document, parts in windows.items():
        _join_document(document, sorted(parts, key=lambda part: (part.first, part.number)), draft)
    return draft.build_corpus()


def _read_window(fields: Any, line: int, notation: str, repairs: str, diagnostics: Diagnostics) -> _Window | None:
    """Return the window of a line, its response read; None with a fault if it is none."""
    if not isinstance(fields, dict) or not isinstance(fields.get(_RESPONSE), str):
        diagnostics.add_fault(line, f"{json_values.show_value(fields)} has no string {_RESPONSE!r}", _EXPECTED)
        return None
    numbers = [fields.get(each, 0) for each in ("window", "first", "words")]
    if not all(type(number) is int and number >= 0 for number in numbers):
        diagnostics.add_fault(line, f"{json_values.show_value(numbers)} are not the place of a window", _EXPECTED)
        return None
    document = str(fields.get("document", ""))
    data = fields[_RESPONSE].encode("utf-8", "replace") + b"\n"
    file = File(f"{diagnostics.source}:{line}", data, document, lambda _: None, side="response")
    options = {"repairs": repairs} if repairs != "keep" else {}
    read: Any = registry.load_format(notation).read
    try:
        response = read(file, **options)
    except InputError as error:
        diagnostics.faults += error.faults
        return None
    diagnostics.notices += response.notices
    number, first, length = numbers
    return _Window(line, document, number, first, length, response.select_documents(response.documents[:1]))


class _Joined(NamedTuple):
    """A document in the making: its words, and by mention its entity."""

    words: list[str]
    empty: list[bool]
    sentence: list[int]
    entity_of: dict[tuple[Span, str], dict[str, str]]


def _join_document(name: str, windows: Sequence[_Window], draft: Draft) -> None:
    """Add a document of its windows, in order, to a draft."""
    joined = _Joined([], [], [], {})
    before: _Window | None = None
    for window in windows:
        overlap = 0 if before is None else max(0, before.first + before.length - window.first)
        _add_window(joined, window, overlap, draft)
        before = window
    document = draft.add_document(name, words=joined.words, empty=joined.empty, sentence=joined.sentence)
    for (span, entity), attributes in joined.entity_of.items():
        document.add_mention(entity, span, attributes=attributes)


def _add_window(joined: _Joined, window: _Window, overlap: int, draft: Draft) -> None:
    """Add a window, of whose words `overlap` are there already, to a document, with notices."""
    corpus = window.response
    assert corpus.tokens is not None and isinstance(corpus.mentions, Spans)  # noqa: S101, PT018 - read from marked text
    words = corpus.tokens.words(0)
    place, kept = _place_words(joined.words, words, overlap)
    if overlap and kept == 0:
        message = f"window {window.number} of document {window.document!r} shares no words with the one before it"
        draft.add_notice("no-overlap", window.line, f"{message}; it is put behind it", document=window.document)
    sentences = corpus.tokens.sentence.tolist()
    before = joined.sentence[-1] - sentences[kept - 1] if kept else len(joined.sentence)
    for number in range(kept, len(words)):
        place[number] = len(joined.words)
        joined.words.append(words[number])
        joined.empty.append(bool(corpus.tokens.unwritten[number]))
        joined.sentence.append(before + sentences[number])
    spans: list[tuple[Span, str, dict[str, str]]] = []
    for row in range(len(corpus)):
        first, last = int(corpus.mentions.start[row]), int(corpus.mentions.end[row])
        attributes = {column: values[row] for column, values in corpus.attributes.items() if values[row]}
        if first in place and last in place:
            spans.append(((place[first], place[last]), corpus.get_entity_name(row), attributes))
        else:
            message = (
                f"{corpus.describe(row)} lies where window {window.number} differs from the one before it; left out"
            )
            draft.add_notice("window-differs", window.line, message, document=window.document)
    names = _name_entities(joined, window, [(span, name) for span, name, _ in spans], draft)
    for span, name, attributes in spans:
        joined.entity_of.setdefault((span, names[name]), attributes)


def _place_words(before: Sequence[str], words: Sequence[str], overlap: int) -> tuple[dict[int, int], int]:
    """Return the places, in the document so far, of words of a window that are there, and how many these go up to."""
    reach = overlap + max(_SLACK, overlap) if overlap else 0
    tail = max(0, len(before) - reach)
    ours, theirs = ([word.casefold() for word in side] for side in (before[tail:], words[:reach]))
    matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
    longest = matcher.find_longest_match()
    if longest.size < min(_SAME_WORDS, overlap) or not longest.size:
        return {}, 0
    place: dict[int, int] = {}
    for block in matcher.get_matching_blocks():
        place |= {block.b + n: tail + block.a + n for n in range(block.size)}
    return place, max(place) + 1


def _name_entities(
    joined: _Joined, window: _Window, spans: Sequence[tuple[Span, str]], draft: Draft
) -> Mapping[str, str]:
    """Return the name in the document for each entity of a window; add a notice for every conflict."""
    owners: dict[Span, list[str]] = defaultdict(list)
    for span, entity in joined.entity_of:
        owners[span].append(entity)
    shared = Counter((name, entity) for span, name in spans for entity in owners.get(span, ()))
    names: dict[str, str] = {}
    taken: set[str] = set()
    for (name, entity), count in sorted(shared.items(), key=lambda item: -item[1]):
        if name not in names and entity not in taken:
            names[name] = entity
            taken.add(entity)
        else:
            message = (
                f"entity {name!r} of window {window.number} of document {window.document!r} shares "
                f"{count_things(count, 'mention')} with {entity!r} of the windows before, which is another one"
            )
            draft.add_notice("window-conflict", window.line, message, document=window.document, mentions=count)
    known = {entity for _, entity in joined.entity_of}
    for _, name in spans:
        if name not in names:
            number = len(known) + 1
            while str(number) in known:
                number += 1
            names[name] = str(number)
            known.add(names[name])
    return names
