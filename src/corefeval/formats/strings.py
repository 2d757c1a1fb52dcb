"""JSON of entities whose mentions are strings without places, as language models answer.

    {"doc_id": "nw/wsj_0001", "clusters": [["Mara", "she", "her"], ["the shop", "it"]]}

One object, a list of them, or one on each line. `doc_key`, `document_id`, `doc_id`, `id` or `document` names a
document; without a name, the only one has the file's, and several are numbered from 0. Where the other side has words
or a text, mentions are looked for in it: whole words, in upper or lower case.

- `strategy=order`, the default: entities in their order; a mention is the first occurrence of its string that no other
  mention has, behind the mention of its entity before it, or else in the whole text.
- `strategy=longest`: long strings go first, and others, where they can, stay outside of these.

Strings that occur more often than they are listed, or are of several entities, are ambiguous, and those that do not
occur are spurious mentions: a notice names each. Read only.
"""

from __future__ import annotations

import re
from typing import Any

from corefeval.corpus.corpus import Corpus
from corefeval.errors import check_choice
from corefeval.formats.base import Capacity, File
from corefeval.formats.draft import Draft
from corefeval.formats.shared import json_values
from corefeval.formats.shared.json_values import show_value

TITLE = "JSON of strings without places, by language models"
EXAMPLE = """{"doc_id": "nw/wsj_0001",
 "clusters": [["Mara", "she", "her"],
              ["the shop", "it"]]}"""
SUFFIXES = (".strings.json", ".strings.jsonl")
COMPANIONS = ()
CAPACITY: Capacity | None = None

_NAMES = ("doc_key", "document_id", "doc_id", "id", "document")
_FIELD = "clusters"
_STRATEGIES = ("order", "longest")
_LISTED = re.compile(rb'[{,]\s*"clusters"\s*:\s*\[\s*\[\s*"')
_TEXTS = ("sentences", "tokens", "paragraphs", "text")
_OTHER_DOCUMENT = re.compile(
    rb'[{,]\s*"(?!(?:clusters|%s)")(?:[^"\\]|\\.)*"\s*:\s*\[\s*\[\s*"' % b"|".join(map(str.encode, _TEXTS))
)


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is such, by clusters that begin with a string; "" if it is not.

    If another field has such lists, it is the JSON of documents, and one of these is called "clusters".
    """
    is_json = beginning.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[")
    is_listed = is_json and _LISTED.search(beginning) and not _OTHER_DOCUMENT.search(beginning)
    return '"clusters" of strings found' if is_listed else ""


def read(file: File, *, strategy: str = "order") -> Corpus:
    """Return the corpus of all objects of a file; mentions are labels, looked up when they are matched with a text."""
    check_choice("strategy", strategy, _STRATEGIES)
    draft = Draft(file.name)
    text = json_values.decode_text(file.data, draft).rstrip()
    objects = list(json_values.iterate_objects(text, draft))
    unnamed = set()
    for number, (line, fields) in enumerate(objects):
        if not isinstance(fields, dict) or not isinstance(fields.get(_FIELD), list):
            draft.add_fault(line, f"{show_value(fields)} has no list {_FIELD!r}", '{"clusters": [["Mara", "she"]]}')
            continue
        name = next((str(fields[each]) for each in _NAMES if fields.get(each) is not None), None)
        if name is None:
            name = file.document if len(objects) == 1 else str(number)
            unnamed.add(name)
        document = draft.add_document(name, line=line)
        for entity, strings in enumerate(fields[_FIELD]):
            for string in _list_strings(strings, entity, line, draft):
                attributes = {"string": string, "strategy": strategy}
                document.add_mention(str(entity), string, line=line, attributes=attributes)
    if not objects and not draft.faults:
        draft.add_fault(1, "no document", "an object with clusters")
    return draft.build_corpus().replace(unnamed=frozenset(unnamed))


def _list_strings(strings: Any, entity: int, line: int, draft: Draft) -> list[str]:
    """Return the strings of an entity that are not blank; add a fault if it is no list of strings."""
    if not isinstance(strings, list) or not all(isinstance(each, str) and each.strip() for each in strings):
        draft.add_fault(line, f"cluster {entity} is {show_value(strings)}", "a list of strings that are not blank")
        return []
    return strings
