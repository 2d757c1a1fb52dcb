"""The clinical files of the 2011 i2b2/VA challenge, `.chains` and `.con`; read only.

    c="the patient" 12:0 12:1||c="she" 14:3 14:3||t="coref person"

A line of NAME.txt.chains is an entity. `12:0` is the first token of the twelfth line of NAME.txt: lines are counted
from 1, tokens, which blanks separate, from 0. NAME.txt.con lists all concepts, `c="the patient" 12:0 12:1||t="person"`:
those that are in no chain are entities by themselves. Text and concepts are looked for beside the chains, and in the
folders `docs` and `concepts` beside the folder of the chains, which is how the corpus is published. Without the text,
mentions are labels such as ((12, 0), (12, 1)). A `.con` file that is read by itself has entities of one mention only.

What a file quotes in c="..." is compared with the text; case and blanks do not count.
"""

from __future__ import annotations

import os
import re
from collections.abc import Hashable

from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.formats import registry
from corefeval.formats.base import File
from corefeval.formats.draft import Draft, SentenceWords
from corefeval.formats.shared import lines
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.notices import count_things

Place = tuple[int, int]

TITLE = "the clinical .chains and .con files of i2b2/VA 2011"
EXAMPLE = """c="the patient" 12:0 12:1||c="she" 14:3 14:3||t="coref person"
c="chest pain" 12:4 12:5||c="it" 15:0 15:0||t="coref problem"
c="Dr. Lee" 2:0 2:1||c="the doctor" 3:5 3:6||t="coref person\""""
SUFFIXES = (".chains", ".txt.chains", ".con", ".txt.con")
COMPANIONS = (".con", ".txt.con", ".txt", ".pairs", ".txt.pairs")
CAPACITY = None

_CONCEPT = re.compile(r'c="(.*?)" ([0-9]{1,9}):([0-9]{1,9}) ([0-9]{1,9}):([0-9]{1,9})\|\|')
_TYPE = re.compile(r't="([^"]*)"\s*')
_OF_A_PAIR = re.compile(r't="[^"]*"\|\|c="')
_COREFERENT = "coref "
_TOKEN = re.compile(r"[^ \t\v\f\r]+")


class _Concept(NamedTuple):
    """A mention: what it says, the places of its first and last token as (line, token), and its line in the file."""

    text: str
    places: tuple[Place, Place]
    line: int

    def __str__(self) -> str:
        first, last = (f"{line}:{token}" for line, token in self.places)
        return f"{self.text[:60]!r} at {first} {last}"


class _ConceptLine(NamedTuple):
    """The concepts and the type of a line."""

    concepts: list[_Concept]
    type: str


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is i2b2's, by a first line of concepts and a type; "" if it is not."""
    first, newline, _ = beginning.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")
    concepts, rest = _parse_concepts(first.decode("utf-8", "replace"), 1)
    whole = _TYPE.fullmatch(rest) or (not newline and rest.startswith('c="'))
    return 'a line with c="..." and its place found' if concepts and whole else ""


def read(file: File) -> Corpus:
    """Return the corpus of a file in memory: the document's chains and what is beside them, or its concepts."""
    draft = Draft(file.name)
    own = _read_lines(file.data, draft)
    alone = bool(own) and all(len(line.concepts) == 1 and not line.type.startswith(_COREFERENT) for line in own)
    beside = draft if alone else Diagnostics("")
    chains = [] if alone else own
    concepts: dict[tuple[Place, Place], _ConceptLine] = {}
    for line in own if alone else _read_concepts(file, beside):
        concept = line.concepts[0]
        if concepts.setdefault(concept.places, line) is not line:
            beside.add_notice("repeated-concept", concept.line, f"{concept} is listed again")
    text = _read_text(file, draft)
    words, sentence = (None, None) if text is None else (text.words, text.sentence)
    document = draft.add_document(file.document, words=words, sentence=sentence)
    linked = {concept.places for line in chains for concept in line.concepts}
    single = [line for places, line in concepts.items() if places not in linked]
    listed = [*((line, draft) for line in chains), *((line, beside) for line in single)]
    for number, (line, found) in enumerate(listed, 1):
        document.describe_entity(str(number), type=line.type.removeprefix(_COREFERENT))
        for concept in line.concepts:
            mention = _find_mention(concept, text, found)
            attributes = {"type": concepts[concept.places].type} if concept.places in concepts else {}
            place = concept.line if found is draft else 0
            if mention is not None:
                document.add_mention(str(number), mention, line=place, attributes=attributes)
    if alone:
        count = len(concepts)
        draft.add_notice(
            "no-chains", None, f"concepts without chains: {count_things(count, 'entity')} of one mention", count=count
        )
    else:
        draft.faults += beside.faults
        draft.notices += beside.notices
    return draft.build_corpus()


def _find_mention(concept: _Concept, text: SentenceWords | None, diagnostics: Diagnostics) -> Hashable | None:
    """Return (first, last) word of a concept, its place without text, None with a fault if outside; add notices."""
    first, last = ((text.find_word(line - 1, token) for line, token in concept.places)) if text else (0, 0)
    if first is None or last is None or concept.places[0] > concept.places[1]:
        expected = "LINE:TOKEN of its first and last token, lines counted from 1 and tokens from 0"
        diagnostics.add_fault(concept.line, f"{concept} is not within the text", expected, kind="mention-outside")
        return None
    if text is None:
        return concept.places
    words = text.words[first : last + 1]
    if "".join(words).casefold() != "".join(concept.text.split()).casefold():
        message = f"{concept} says otherwise than the text, which has {' '.join(words)[:60]!r}"
        diagnostics.add_notice("text-differs", concept.line, message)
    return first, last


def _read_lines(data: bytes, diagnostics: Diagnostics) -> list[_ConceptLine]:
    """Return the concepts and the type of every line of a file of chains or concepts; malformed lines are faults."""
    listed = []
    for number, line in enumerate(lines.decode_text(data, diagnostics, "not-utf-8").split("\n"), 1):
        if not line.strip():
            continue
        concepts, rest = _parse_concepts(line.strip(), number)
        kind = _TYPE.fullmatch(rest)
        if kind and concepts:
            listed.append(_ConceptLine(concepts, kind[1]))
            continue
        hint = "read the .chains, not the .pairs" if _OF_A_PAIR.match(rest) else ""
        expected = 'c="TEXT" LINE:TOKEN LINE:TOKEN||...||t="TYPE"'
        diagnostics.add_fault(number, f"{rest[:40]!r} cannot be understood", expected, hint)
    return listed


def _parse_concepts(line: str, number: int) -> tuple[list[_Concept], str]:
    """Return the concepts that a line begins with, and what is left of it."""
    concepts = []
    place = 0
    while concept := _CONCEPT.match(line, place):
        line_1, token_1, line_2, token_2 = map(int, concept.groups()[1:])
        concepts.append(_Concept(concept[1], ((line_1, token_1), (line_2, token_2)), number))
        place = concept.end()
    return concepts, line[place:]


def _read_concepts(file: File, diagnostics: Diagnostics) -> list[_ConceptLine]:
    """Return the lines of the .con file of the chains, [] without one; set the diagnostics' source; add faults."""
    companion = _find_companion(file, (".txt.con", ".con"), "concepts")
    if companion is None:
        return []
    diagnostics.source, data = companion
    listed = _read_lines(data, diagnostics)
    for line in listed:
        if len(line.concepts) > 1:
            what = f"{len(line.concepts)} concepts in a line"
            diagnostics.add_fault(line.concepts[0].line, what, "one concept per line")
    return listed


def _read_text(file: File, draft: Draft) -> SentenceWords | None:
    """Return the words of the .txt file that goes with a file, by sentence; None, with a notice, if there is none."""
    companion = _find_companion(file, (".txt",), "docs")
    if companion is None:
        message = "no text beside it: mentions are places in it, such as 12:0, and have no words"
        draft.add_notice("no-text", None, message)
        return None
    name, data = companion
    diagnostics = Diagnostics(name)
    text = lines.decode_text(data, diagnostics, "not-utf-8")
    draft.notices += diagnostics.notices
    return SentenceWords([_TOKEN.findall(line) for line in text.split("\n")])


def _find_companion(file: File, endings: tuple[str, ...], folder: str) -> tuple[str, bytes] | None:
    """Return (name, content) of a file that goes with this one, beside it or in `folder`; None if there is none."""
    stem = registry.strip_suffix(file.name, SUFFIXES)
    here, name = os.path.split(stem)
    for ending in endings:
        beside = file.beside(ending)
        if beside is not None:
            return stem + ending, beside
        path = f"{here or os.curdir}/{os.pardir}/{folder}/{name}{ending}"
        there = file.elsewhere(path)
        if there is not None:
            return path, there
    return None
