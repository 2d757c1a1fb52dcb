"""JSON lines, as end-to-end systems read and write them: an object for each document, on a line of its own.

    {"doc_key": "nw/wsj_0001_0", "sentences": [["Kim", "saw", "herself"]], "clusters": [[[0, 0], [2, 2]]]}

The fields of a line tell what its mentions are counted in, over the whole document and from 0:

- `sentences`: words, lists of lists. With a `subtoken_map` (`orig_subtoken_map` goes before it) they are sub-tokens,
  and the map has the number of the word that each belongs to: a mention becomes the words that it touches. Sub-tokens
  with no word (negative or null) stand for none. Words are `tokens`, `words` or `orig_tokens` where there are as many
  as in the map, else they are put together from their sub-tokens without the marks ##, ▁ and Ġ and without [CLS],
  [SEP] and the like. `sentence_map` has the sentences of sub-tokens; else `sentences` are the sentences.
- `cased_words` (with `sent_id`, and with `head`, the word above each one, from which mentions get their heads: the
  only word whose `head` is outside, else the last one), `tokens`, `words`, `document`, or a list `text`: words.
- a string `text`, and none of the above: characters.
- none of these: words that are not known.

Entities are lists of mentions in the first of these fields that a line has: `predicted_clusters`, `span_clusters`,
`clusters_token_offsets`, `clusters`, `mention_clusters`, `clusters_char_offsets`, `word_clusters`; or in the one that
`clusters=FIELD` names. All lines must have them in the same field. A mention is [start, end] or {"start": …, "end": …}.
Its end is included, but excluded with `cased_words` and `text`; included in `clusters_token_offsets` and
`clusters_char_offsets`, excluded in `span_clusters` and `mention_clusters`, whatever else there is; `ends=included` or
`ends=excluded` overrides this. In `mention_clusters` a mention is [sentence, start, end], counted within the sentence;
in `word_clusters` it is a word. Entities are named by their place, from 0, or as an object of lists by its keys.

Documents are named by `doc_key`, `document_id` (with an integer `part_id` as document_part), `doc_id` or `id`. Without
a name, the only document of a file has the file's, and several are numbered from 0.

A file may also be a list of such objects, or objects over several lines. corefeval writes, and reads, more fields where
there is something to say: `entity_names`, `entity_attributes`, and in the shape of the clusters `mention_attributes`,
`mention_heads`, `mention_minimums`.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from corefeval.errors import Fault, InputError, check_choice
from corefeval.formats.base import EVERYTHING, Capacity
from corefeval.formats.jsonlines.contents import WrongError, content, shown
from corefeval.formats.jsonlines.corpus import Line, corpus
from corefeval.formats.jsonlines.entities import FIELDS, Field, entities, form
from corefeval.formats.jsonlines.objects import objects
from corefeval.formats.shared import json_values
from corefeval.formats.shared.diagnostics import Diagnostics

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus
    from corefeval.formats.base import File

TITLE = "JSON lines of end-to-end systems: words, sub-tokens or characters, and clusters of offsets"
EXAMPLE = """{"doc_key": "nw/wsj_0001_0", "sentences": [["Kim", "saw", "herself"]], "clusters": [[[0, 0], [2, 2]]]}
{"document_id": "nw/wsj_0002", "cased_words": ["He", "left"], "sent_id": [0, 0], "clusters": [[[0, 1]]]}
{"text": "Kim saw herself", "clusters": [[[0, 3], [8, 15]]]}"""
SUFFIXES = (".jsonlines", ".jsonl", ".ndjson")
COMPANIONS = ()
CAPACITY = Capacity(
    units=("word", "character"),
    sentences=True,
    heads=True,
    minimums=True,
    attributes=EVERYTHING,
    entity_attributes=EVERYTHING,
)

_NAMES = ("doc_key", "document_id", "doc_id", "id")
_BEGINS = re.compile(rb'\s*(?:\[\s*)?\{\s*"')
_HAS_TEXT = re.compile(
    rb'"sentences"\s*:\s*\[\s*[\[\]]|"(?:cased_words|tokens|words|document)"\s*:\s*\[\s*["\]]|"text"\s*:\s*["\[]'
)
_HAS_CLUSTERS = re.compile(rb'"(?:%s)"\s*:\s*[\[{]' % "|".join(FIELDS).encode())
_BEGINS_WITH_CLUSTERS = re.compile(rb'[\s\[]*\{\s*"(?:%s)"\s*:\s*\[\s*\[\s*\[\s*\d' % "|".join(FIELDS).encode())
_HAS_MORE = re.compile(rb'"(?:doc_key|document_id|cased_words|subtoken_map)"\s*:')
_SCORCH = re.compile(rb'"type"\s*:\s*"(?:clusters|graph)"')


def recognise(beginning: bytes) -> str:
    """By the fields of the first lines."""
    beginning = beginning.removeprefix(b"\xef\xbb\xbf")
    if not _BEGINS.match(beginning) or _SCORCH.search(beginning):
        return ""
    if _BEGINS_WITH_CLUSTERS.match(beginning):
        return "an object found that begins with lists of lists of numbers"
    words, clusters, more = (each.search(beginning) for each in (_HAS_TEXT, _HAS_CLUSTERS, _HAS_MORE))
    if clusters and (words or more):
        return f"an object with {_key(clusters)} and {_key(words or more)} found"
    return f"an object with {_key(words)} and {_key(more)} found" if words and more else ""


def write(corpus: Corpus) -> bytes:
    """The corpus as lines with words or text, and clusters."""
    from corefeval.formats.jsonlines import writer  # noqa: PLC0415 - most runs write nothing

    return writer.write(corpus)


def read(file: File, *, clusters: str = "", ends: str = "") -> Corpus:
    """Read all lines of a file.

    clusters: the field that has the entities.
    ends: "included" or "excluded", whether the second offset is part of a mention.
    """
    if ends:
        check_choice("ends", ends, ("included", "excluded"))
    found = Diagnostics(file.name)
    text = json_values.decode_text(file.data, found)
    chosen = _Chosen(clusters, ends)
    lines = [line for number, value in objects(text, found) for line in _line(number, value, chosen, found)]
    lines = _named(lines, file.document, found)
    chosen.say(found)
    if not lines:
        found.raise_faults()
        raise InputError(Fault(file.name, "no document", "a line with a JSON object", line=1))
    return corpus(lines, found)


class _Chosen:
    """Which fields are read, and whether ends are included."""

    def __init__(self, field: str, ends: str) -> None:
        self.given, self.ends = field, ends
        self.first: tuple[str, int] | None = None
        self.passed_over: list[int] = []

    def field(self, fields: dict[str, Any], line: int) -> str:
        """The field of a line that has the entities; raises WrongError."""
        if self.given:
            if fields.get(self.given) is None:
                raise WrongError(f"no field {self.given!r}", "entities in the field that was asked for", _those(fields))
            return self.given
        found = next((name for name in FIELDS if fields.get(name) is not None), None)
        if found is None:
            expected = f"one of {', '.join(FIELDS)}"
            raise WrongError(
                "no field with entities", expected, f"{_those(fields)}; say which with jsonlines:clusters=FIELD"
            )
        self.first = self.first or (found, line)
        if found != self.first[0]:
            what = f"entities are in {found!r}, but in {self.first[0]!r} on line {self.first[1]}"
            raise WrongError(what, "the same field on all lines", "say which with jsonlines:clusters=FIELD")
        other = fields.get("clusters")
        if found != "clusters" and isinstance(other, list | dict) and any(other):
            self.passed_over.append(line)
        return found

    def included(self, field: Field, *, usual: bool) -> bool:
        """Whether ends are part of mentions."""
        if self.ends:
            return self.ends == "included"
        return usual if field.included is None else field.included

    def say(self, found: Diagnostics) -> None:
        """Tell of fields that a user may have meant."""
        if self.passed_over and self.first:
            count = len(self.passed_over)
            message = (
                f"{count} {'line has' if count == 1 else 'lines have'} both {self.first[0]!r}, which is read, "
                "and 'clusters', which is not; jsonlines:clusters=clusters reads these"
            )
            found.add_notice(
                "two-fields", self.passed_over[0], message, read=self.first[0], passed="clusters", count=count
            )


def _line(number: int, value: Any, chosen: _Chosen, found: Diagnostics) -> list[Line]:
    """The document that a value is, if nothing is wrong with it."""
    if not isinstance(value, dict):
        found.add_fault(number, f"{shown(value)} is no document", "a JSON object")
        return []
    wrong: list[WrongError] = []
    try:
        name = _name(value)
        field = chosen.field(value, number)
        text = content(value, form(field).unit)
        listed = entities(value, field, wrong)
        if not wrong:
            return [Line(number, name, text, listed, chosen.included(form(field), usual=text.included))]
    except WrongError as other:
        wrong.append(other)
    for each in wrong:
        found.add_fault(number, each.what, each.expected, each.hint)
    return []


def _name(fields: dict[str, Any]) -> str | None:
    field = next((field for field in _NAMES if fields.get(field) is not None), None)
    if field is None:
        return None
    name = fields[field]
    if type(name) not in (str, int):
        raise WrongError(f"{field!r} is {shown(name)}", "a string, the name of the document")
    part = fields.get("part_id")
    return f"{name}_{part}" if field == "document_id" and type(part) is int else str(name)


def _named(lines: list[Line], otherwise: str, found: Diagnostics) -> list[Line]:
    """The lines with a name for all, and no name twice."""
    if len(lines) == 1:
        return [lines[0]._replace(name=otherwise)] if lines[0].name is None else lines
    lines = [line._replace(name=str(place)) if line.name is None else line for place, line in enumerate(lines)]
    times = Counter(line.name for line in lines)
    if len(times) < len(lines):
        first: dict[str | None, int] = {}
        for line in lines:
            if line.name in first:
                what = f"document {line.name!r} is there already, on line {first[line.name]}"
                hint = "a doc_key names a document, not its genre"
                found.add_fault(line.number, what, "every document once", hint, kind="document-twice")
            first.setdefault(line.name, line.number)
    return lines


def _key(match: re.Match[bytes] | None) -> str:
    return match[0].split(b":")[0].decode().strip() if match else ""


def _those(fields: dict[str, Any]) -> str:
    return f"there are {', '.join(map(repr, list(fields)[:10]))}" if fields else "the object is empty"
