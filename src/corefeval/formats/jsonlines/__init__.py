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
`clusters_token_offsets`, `clusters`, `mention_clusters`, `clusters_char_offsets`, `word_clusters`. A key is read from
`clusters` if a line has that, so that a system's output with both can be its own key. A warning says which was read if
a line has both, or a key no `clusters`.
`clusters=FIELD` names another one. All lines must have them in the same field.

A line with `clusters_text_mentions` is CRAC 2025's JSON for language models: words that begin with ## are zeros.

A mention is [start, end] or {"start": …, "end": …}.
Its end is included, but excluded with `cased_words` and `text`; included in `clusters_token_offsets` and
`clusters_char_offsets`, excluded in `span_clusters` and `mention_clusters`, whatever else there is; `ends=included` or
`ends=excluded` overrides this. In `mention_clusters` a mention is [sentence, start, end], counted within the sentence;
in `word_clusters` it is a word. Entities are named by their place, from 0, or as an object of lists by its keys.

Documents are named by `doc_key`, `document_id` (with an integer `part_id` as document_part), `doc_id` or `id`. Without
a name, the only document of a file has the file's, and several are numbered from 0; these are paired with those of the
other side by their text, or else by their order, which a warning says.

A file may also be a list of such objects, or objects over several lines. corefeval writes, and reads, more fields where
there is something to say: `entity_names`, `entity_attributes`, and in the shape of the clusters `mention_attributes`,
`mention_heads`, `mention_minimums`.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from corefeval.corpus.corpus import Corpus
from corefeval.corpus.objects import Document
from corefeval.errors import check_choice
from corefeval.formats import strings, xcore
from corefeval.formats.base import EVERYTHING, Capacity, File, Mark
from corefeval.formats.jsonlines.lines import FIELDS, DocumentLine, LineError, find_content, read_entities
from corefeval.formats.jsonlines.reader import build_corpus
from corefeval.formats.shared import json_values
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.formats.shared.json_values import show_value
from corefeval.notices import Notice

TITLE = "JSON lines of end-to-end systems: words, sub-tokens or characters, and clusters of offsets"
EXAMPLE = """{"doc_key": "nw/wsj_0001_0", "sentences": [["Kim", "saw", "herself"]], "clusters": [[[0, 0], [2, 2]]]}
{"document_id": "nw/wsj_0002", "cased_words": ["He", "left"], "sent_id": [0, 0], "clusters": [[[0, 1]]]}
{"text": "Kim saw herself", "clusters": [[[0, 3], [8, 15]]]}"""
SUFFIXES = (".jsonlines", ".jsonl", ".ndjson")
COMPANIONS = ()
CAPACITY = Capacity(
    units=("word", "character"),
    blanks="all but NUL",
    document_names=json_values.spell_document_names,
    sentences=True,
    heads=True,
    minimums=True,
    attributes=EVERYTHING,
    entity_attributes=EVERYTHING,
)

_DOC_KEY = re.compile(rb'[ \t]*\{[ \t]*"doc_key"[ \t]*:[ \t]*"([^"\\]+)"')
_GOLD = "clusters"  # what a key is read from
_AS = {"key": " for the key", "response": " for the response", "": ""}
_NAMES = ("doc_key", "document_id", "doc_id", "id")
_BEGINS = re.compile(rb'\s*(?:\[\s*)?\{\s*"')
_HAS_TEXT = re.compile(
    rb'"sentences"\s*:\s*\[\s*[\[\]]|"(?:cased_words|tokens|words|document)"\s*:\s*\[\s*["\]]|"text"\s*:\s*["\[]'
)
_HAS_CLUSTERS = re.compile(rb'"(?:%s)"\s*:\s*[\[{]' % "|".join(FIELDS).encode())
_BEGINS_WITH_CLUSTERS = re.compile(rb'[\s\[]*\{\s*"(?:%s)"\s*:\s*\[\s*\[\s*\[\s*\d' % "|".join(FIELDS).encode())
_HAS_MORE = re.compile(rb'"(?:doc_key|document_id|cased_words|subtoken_map)"\s*:')
_OF_TOOLS = re.compile(rb'"(?:head_span|token_start|start_offset|from_name)"\s*:')
_SCORCH = re.compile(rb'"type"\s*:\s*"(?:clusters|graph)"')


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is JSON lines, by the fields of the first objects; "" if it is not."""
    beginning = beginning.removeprefix(b"\xef\xbb\xbf")
    if not _BEGINS.match(beginning) or _SCORCH.search(beginning) or _OF_TOOLS.search(beginning):
        return ""
    if xcore.recognise(beginning) or strings.recognise(beginning):
        return ""
    if _BEGINS_WITH_CLUSTERS.match(beginning):
        return "an object found that begins with lists of lists of numbers"
    words, clusters, more = (each.search(beginning) for each in (_HAS_TEXT, _HAS_CLUSTERS, _HAS_MORE))
    if clusters and (words or more):
        return f"an object with {_get_key(clusters)} and {_get_key(words or more)} found"
    return f"an object with {_get_key(words)} and {_get_key(more)} found" if words and more else ""


def write(corpus: Corpus) -> bytes:
    """Return the bytes of a file with the corpus: words by sentence and ends included, or text and ends excluded."""
    lines = [f"{json_values.dump_line(_write_fields(corpus, document))}\n" for document in corpus]
    return json_values.encode_text("".join(lines))


def read(file: File, *, clusters: str = "", ends: str = "") -> Corpus:
    """Return the corpus of all lines of a file that is in memory; raises InputError with all faults in it.

    clusters: the field that has the entities.
    ends: "included" or "excluded", whether the second offset is part of a mention.
    """
    if ends:
        check_choice("ends", ends, ("included", "excluded"))
    diagnostics = Diagnostics(file.name, file.lines, by_line=True)
    text = json_values.decode_text(file.data, diagnostics)
    reader = _LineReader(clusters, ends, file.side, diagnostics)
    if file.part is not None:
        reader.expect_fields(json.loads(file.part.layout))
    for number, value in json_values.iterate_objects(text, diagnostics, by_lines=file.part is not None):
        reader.add_line(number, value)
    lines = reader.finish(file.document)
    return build_corpus(lines, diagnostics).replace(unnamed=reader.unnamed)


def find_layout(beginning: bytes) -> bytes | None:
    """Return the fields of the first line, without values, as JSON; None for a file without an object on each line."""
    line, end, _ = beginning.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")
    try:
        fields = json.loads(line) if end and line.startswith(b"{") else None
    except ValueError:
        return None
    return None if fields is None else json.dumps({n: None if v is None else [] for n, v in fields.items()}).encode()


def mark_documents(block: bytes) -> Iterator[Mark]:
    """Yield every line that is not empty, with the name of its document; "" if it has none."""
    place = 0
    while place < len(block):
        end = block.find(b"\n", place)
        end = len(block) if end < 0 else end
        if found := _DOC_KEY.match(block, place, end):
            yield Mark(place, "document", found[1].decode("utf-8", "replace"))
        elif block[place:end].strip():
            name = _find_name(block[place:end])
            yield Mark(place, "fault") if name is None else Mark(place, "document", name)
        place = end + 1


def _find_name(line: bytes) -> str | None:
    """Return the name of the document on a line; "" if it has none, None if it cannot be read."""
    try:
        fields = json.loads(line)
        return (_read_name(fields) or "") if isinstance(fields, dict) else None
    except (ValueError, RecursionError, LineError):
        return None


class _LineReader:
    """Reads lines one by one: which field has the entities, and what it says."""

    def __init__(self, field: str, ends: str, side: str, diagnostics: Diagnostics) -> None:
        self._given, self._ends, self._side, self._diagnostics = field, ends, side, diagnostics
        self._lines: list[DocumentLine] = []
        self._first: tuple[str, int] | None = None
        self._passed_over: list[tuple[int, str]] = []
        self._without_gold: list[int] = []  # lines of a key
        self.unnamed: frozenset[str] = frozenset()

    def expect_fields(self, first_line: dict[str, Any]) -> None:
        """Take the field with the entities from the first line of the file; any, if it has none."""
        with contextlib.suppress(LineError):
            self._choose_field(first_line, 1)
        self._passed_over.clear()
        self._without_gold.clear()

    def add_line(self, number: int, fields: Any) -> None:
        """Add the document that a value of the file is; what is wrong with it becomes a fault."""
        if not isinstance(fields, dict):
            self._diagnostics.add_fault(number, f"{show_value(fields)} is no document", "a JSON object")
            return
        faults: list[LineError] = []
        try:
            name = _read_name(fields)
            field = self._choose_field(fields, number)
            known = FIELDS.get(field, FIELDS["clusters"])
            content = find_content(fields, known.unit)
            entities = read_entities(fields, field, faults)
            if entities is not None and not faults:
                included = content.included if known.included is None else known.included
                included = self._ends == "included" if self._ends else included
                self._lines.append(DocumentLine(number, name, content, entities, included))
        except LineError as error:
            faults.append(error)
        for fault in faults:
            self._diagnostics.add_fault(number, fault.what, fault.expected, fault.hint)

    def _choose_field(self, fields: dict[str, Any], line: int) -> str:
        """Return the name of the field with a line's entities, noting others for notices; LineError if none fits."""
        there = f"there are {', '.join(map(repr, list(fields)[:10]))}" if fields else "the object is empty"
        if self._given:
            if fields.get(self._given) is None:
                raise LineError(f"no field {self._given!r}", "entities in the field that was asked for", there)
            return self._given
        there_are = [name for name in FIELDS if fields.get(name) is not None]
        field = _GOLD if self._side == "key" and _GOLD in there_are else next(iter(there_are), None)
        hint = "say which with jsonlines:clusters=FIELD"
        if field is None:
            raise LineError("no field with entities", f"one of {', '.join(FIELDS)}", f"{there}; {hint}")
        self._first = self._first or (field, line)
        if field != self._first[0]:
            what = f"entities are in {field!r}, but in {self._first[0]!r} on line {self._first[1]}"
            raise LineError(what, "the same field on all lines", hint)
        other = there_are[0] if field == _GOLD else _GOLD  # what the other side would be read from
        if self._side == "key" and field != _GOLD:
            self._without_gold.append(line)
        if field != other and isinstance(fields.get(other), list | dict) and any(fields[other]):
            self._passed_over.append((line, other))
        return field

    def finish(self, document_name: str) -> list[DocumentLine]:
        """Return all lines, named; set `unnamed`; add faults of repeated names, notices of fields; raise if no line."""
        if not self._lines:
            self._diagnostics.raise_faults()
            self._diagnostics.add_fault(1, "no document", "a line with a JSON object")
            self._diagnostics.raise_faults()
        names = [document_name] if len(self._lines) == 1 else map(str, range(len(self._lines)))
        pairs = list(zip(names, self._lines, strict=True))
        lines = [line._replace(name=name) if line.name is None else line for name, line in pairs]
        self.unnamed = frozenset(name for name, line in pairs if line.name is None)
        self._diagnostics.refuse_repeated_documents(
            ((line.name or "", line.number) for line in lines), "a doc_key names a document, not its genre"
        )
        self._report_field()
        return lines

    def _report_field(self) -> None:
        """Add a notice if lines of a key have no 'clusters', and one if lines have a second field that is not read."""
        if self._without_gold and self._first:
            count, field = len(self._without_gold), self._first[0]
            details = {"read": field, "passed": _GOLD, "count": count}
            message = _describe_other_field(count, field)
            self._diagnostics.add_notice("other-field", self._without_gold[0], message, **details)
        count = len(self._passed_over)
        if count and self._first:
            (line, other), field = self._passed_over[0], self._first[0]
            message = _describe_two_fields(count, f"{field!r}, which is read{_AS[self._side]}", other)
            details = {"read": field, "passed": other, "count": count}
            self._diagnostics.add_notice("two-fields", line, message, **details)


def _describe_other_field(count: int, field: str) -> str:
    """Return a message: how many lines of a key have no 'clusters', and what is read instead."""
    return (
        f"{count} {'line of the key has' if count == 1 else 'lines of the key have'} no {_GOLD!r}, "
        f"so {field!r} is read; jsonlines:clusters=FIELD reads another field"
    )


def _describe_two_fields(count: int, field: str, other: str) -> str:
    """Return a message: how many lines have two fields with entities; field: which is read, and for what."""
    return (
        f"{count} {'line has' if count == 1 else 'lines have'} both {field}, "
        f"and {other!r}, which is not; jsonlines:clusters={other} reads the latter"
    )


def _join_other_field(notices: Sequence[Notice]) -> Notice:
    """Return one notice for those of parts of a file, that lines of a key have no 'clusters'."""
    first, count = notices[0], _sum_counts(notices)
    message = _describe_other_field(count, str(first.details["read"]))
    return Notice.at(first.kind, first.source, first.line, message, {**first.details, "count": count})


def _join_two_fields(notices: Sequence[Notice]) -> Notice:
    """Return one notice for those of parts of a file, that lines have two fields with entities."""
    first, count = notices[0], _sum_counts(notices)
    field = first.message.partition(" both ")[2].partition(", and ")[0]
    message = _describe_two_fields(count, field, str(first.details["passed"]))
    return Notice.at(first.kind, first.source, first.line, message, {**first.details, "count": count})


def _sum_counts(notices: Sequence[Notice]) -> int:
    """Return the sum of what notices count."""
    return sum(int(str(notice.details["count"])) for notice in notices)


NOTICE_JOINERS = {"other-field": _join_other_field, "two-fields": _join_two_fields}
"""What makes one notice of those of parts of a file, by kind, where a notice counts lines of the file."""


def _read_name(fields: dict[str, Any]) -> str | None:
    """Return the document's name in a line; None if it has none; raise LineError if it is no name."""
    field = next((field for field in _NAMES if fields.get(field) is not None), None)
    if field is None:
        return None
    name = fields[field]
    if type(name) not in (str, int):
        raise LineError(f"{field!r} is {show_value(name)}", "a string, the name of the document")
    part = fields.get("part_id")
    return f"{name}_{part}" if field == "document_id" and type(part) is int else str(name)


def _get_key(match: re.Match[bytes] | None) -> str:
    """Return the JSON key, in its quotes, that a match begins with; "" without a match."""
    return match[0].split(b":")[0].decode().strip() if match else ""


def _write_fields(corpus: Corpus, document: Document) -> dict[str, Any]:
    """Return the JSON fields of a document by name, without those that have nothing to say."""
    entities = document.entities
    past = int(corpus.unit == "character")
    names = [entity.name for entity in entities]
    fields: dict[str, Any] = {
        "doc_key": document.name,
        "text": document.text,
        "sentences": _replace_nul(document.sentences),
        "clusters": [[_write_span((each.start, each.end), past) for each in entity] for entity in entities],
        "entity_names": None if names == list(map(str, range(len(names)))) else names,
    }
    if any(map(any, corpus.entity_attributes.values())):
        fields["entity_attributes"] = [entity.attributes for entity in entities]
    if any(map(any, corpus.attributes.values())):
        fields["mention_attributes"] = [[each.attributes for each in entity] for entity in entities]
    if corpus.heads is not None:
        fields["mention_heads"] = [[_write_span(each.head, past) for each in entity] for entity in entities]
    if corpus.minimums is not None:
        fields["mention_minimums"] = [[_write_span(each.minimum, past) for each in entity] for entity in entities]
    return {name: value for name, value in fields.items() if value is not None}


def _replace_nul(sentences: list[list[str]] | None) -> list[list[str]] | None:
    """Return the words of sentences with U+FFFD for NUL, which no word may have; None for None."""
    return sentences and [[word.replace("\0", "\ufffd") for word in sentence] for sentence in sentences]


def _write_span(span: tuple[Any, Any] | None, past: int) -> list[int] | None:
    """Return [first, last + past] of a span, None for None."""
    return None if span is None else [span[0], span[1] + past]
