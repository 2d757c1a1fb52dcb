"""LitBank's TSV: `.ann` with the `.txt` that it is about, one document each (github.com/dbamman/litbank).

    MENTION	T2	1	11	1	14	Lincoln 's Inn Hall	FAC	PROP
    COREF	T2	Lincoln__s_Inn_Hall-3
    COP	T68	T228

A mention is an id, the sentence and the word that it begins with and those that it ends with, all counted from 0, its
text, type and level. Sentences are the lines of the `.txt`, with blanks between words; without the `.txt`, mentions are
pairs of such places. A mention without a COREF line is an entity of its own, as in LitBank's CoNLL. Copulas (`COP`) and
appositions (`APPOS`) are no coreference here, but relations: from the attribute to the entity of what it is said of.
"""

from __future__ import annotations

import re
from collections.abc import Hashable

from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.formats import registry
from corefeval.formats.base import Capacity, File
from corefeval.formats.draft import Draft, SentenceWords
from corefeval.formats.shared import lines
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.formats.shared.writing import avoid_names
from corefeval.notices import count_things

TITLE = "LitBank's TSV: .ann with .txt"
EXAMPLE = """MENTION	T2	1	11	1	14	Lincoln 's Inn Hall	FAC	PROP
MENTION	T9	3	4	3	5	the place	FAC	NOM
COREF	T2	Lincoln__s_Inn_Hall-3
COREF	T9	Lincoln__s_Inn_Hall-3"""
SUFFIXES = (".ann",)
COMPANIONS = (".txt",)
CAPACITY: Capacity | None = None

_FIRST_LINE = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:MENTION\t[^\t]+(?:\t\d+){4}\t|(?:COREF|COP|APPOS)\t\S+\t\S)")
_MENTION_LINE = re.compile(rb"^(?:\xef\xbb\xbf)?MENTION\t[^\t]+(?:\t\d+){4}\t", re.MULTILINE)
_NUMBER = re.compile(r"[0-9]{1,15}")
_EXPECTED = {
    "MENTION": (9, "MENTION, id, sentence and word of the beginning and of the end, text, type, level"),
    "COREF": (3, "COREF, the id of a mention, the name of its entity"),
    "COP": (3, "COP and the ids of two mentions"),
    "APPOS": (3, "APPOS and the ids of two mentions"),
}

Place = tuple[int, int]
"""A sentence and a word in it."""


class _MentionLine(NamedTuple):
    line: int
    first: Place
    last: Place
    text: str
    type: str
    level: str


class _LitbankFile(NamedTuple):
    """What a file says: mentions by id; entities of mentions, and relations, with their lines."""

    mentions: dict[str, _MentionLine]
    entity: dict[str, tuple[int, str]]
    relations: list[tuple[int, str, str, str]]


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is LitBank's, by MENTION lines with an id and four numbers; "" if not."""
    return "MENTION lines found" if _FIRST_LINE.match(beginning) and _MENTION_LINE.search(beginning) else ""


def read(file: File) -> Corpus:
    """Return the corpus of the document of a file that is in memory; raises InputError with all faults in it."""
    draft = Draft(file.name)
    words = _read_words(file, draft)
    found = _read_lines(file, draft)
    for name, (line, _) in found.entity.items():
        if name not in found.mentions:
            draft.add_fault(line, f"there is no mention {name}", "the id of a MENTION line", kind="dangling-reference")
    document = draft.add_document(
        file.document, words=words.words if words else None, sentence=words.sentence if words else None
    )
    names = {name: entity for name, (_, entity) in found.entity.items()}
    names |= avoid_names((name for name in found.mentions if name not in names), names.values())
    spans: dict[str, Hashable] = {}
    for name, mention in found.mentions.items():
        spans[name] = _find_span(name, mention, words, draft)
        if spans[name] is not None:
            document.add_mention(
                names[name], spans[name], line=mention.line, attributes={"type": mention.type, "level": mention.level}
            )
    for line, kind, source, target in found.relations:
        if source in spans and target in spans:
            document.add_relation(kind.lower(), spans[source], [names[target]])
        else:
            message = f"{kind} of {source} and {target} is skipped, for one of them is not there"
            draft.add_notice("dangling-reference", line, message)
    return draft.build_corpus()


def _read_words(file: File, draft: Draft) -> SentenceWords | None:
    """Return the words of the .txt beside a file, by sentence; None with a notice if missing, a fault if not UTF-8."""
    data = file.beside(".txt")
    name = registry.strip_suffix(file.name, SUFFIXES) + ".txt"
    if data is None:
        message = f"there is no {name}: mentions are known by sentence and word only, not by their place in the text"
        draft.add_notice("missing-text", None, message)
        return None
    diagnostics = Diagnostics(name)
    text = lines.decode_strictly(data, diagnostics)
    draft.faults += diagnostics.faults
    # Not by any white space: a no-break space is part of a word.
    sentences = [[word for word in line.split(" ") if word] for line in text.split("\n")[:-1]]
    return None if diagnostics.faults else SentenceWords(sentences)


def _read_lines(file: File, draft: Draft) -> _LitbankFile:
    """Return the mentions, entities and relations of a file; a notice or a fault is added for other lines."""
    found = _LitbankFile({}, {}, [])
    for number, line in enumerate(lines.decode_strictly(file.data, draft).split("\n"), 1):
        kind, *columns = line.split("\t")
        width, expected = _EXPECTED.get(kind, (0, ""))
        is_mention = kind == "MENTION"
        if not width:
            if line.strip():
                draft.add_notice("skipped-line", number, f"{line[:40]!r} is skipped: no {', '.join(_EXPECTED)}")
        elif len(columns) + 1 != width or (is_mention and not all(map(_NUMBER.fullmatch, columns[1:5]))):
            draft.add_fault(number, f"{line[:40]!r} is not written as {kind} lines are", expected)
        elif is_mention:
            name, *places, text, type_, level = columns
            if name in found.mentions:
                what = f"mention {name} is there already, on line {found.mentions[name].line}"
                draft.add_fault(number, what, "every id once", kind="id-twice")
            first, first_word, last, last_word = map(int, places)
            found.mentions[name] = _MentionLine(number, (first, first_word), (last, last_word), text, type_, level)
        elif kind == "COREF":
            name, entity = columns
            if name in found.entity:
                before, other = found.entity[name]
                what = f"mention {name} is of entity {other!r} already, by line {before}"
                draft.add_fault(number, what, "a mention in one entity", kind="mention-twice")
            found.entity[name] = number, entity
        else:
            found.relations.append((number, kind, columns[0], columns[1]))
    return found


def _find_span(name: str, mention: _MentionLine, words: SentenceWords | None, draft: Draft) -> Hashable:
    """Return (first, last) word, each (sentence, word) without a text; None with a fault if outside; add notices."""
    if mention.last < mention.first:
        draft.add_fault(mention.line, f"mention {name} ends before it begins", kind="mention-outside")
        return None
    if words is None:
        return mention.first, mention.last
    first, last = words.find_word(*mention.first), words.find_word(*mention.last)
    if first is None or last is None:
        what = f"mention {name} is not within the {count_things(len(words.begin) - 1, 'sentence')} of the text"
        hint = "is the .txt the one that was annotated?"
        draft.add_fault(mention.line, what, "sentence and word, counted from 0", hint, kind="mention-outside")
        return None
    there = " ".join(words.words[first : last + 1])
    if there != mention.text:
        message = f"mention {name} says {mention.text[:60]!r}, but the text has {there[:60]!r} in its place"
        draft.add_notice("text-differs", mention.line, message)
    return first, last
