"""What xCoRe predicts for several documents, as JSON (Martinelli et al. 2025, github.com/SapienzaNLP/xcore).

    {"doc_keys": ["36/a", "36/b"],
     "tokens": [["Kim", "fell"], ["She", "is", "well"]],
     "clusters_token_offsets": [[[0, 0, 0], [1, 0, 0]]]}

This is what `model.predict([one, other], "cross")` returns, dumped: the words of each document, and entities of
mentions, each the number of a document, first and last word, all counted from 0 and included. `doc_keys`, which you may
add, names the documents; without it they are numbered, from 0. There may be several such objects, in a list or one on
each line, each for documents of its own: those of object 2 are 2/0, 2/1 and so on, unless `doc_key` names the object.
An entity is one of its object, in all its documents: `--level corpus` scores it whole.
"""

from __future__ import annotations

import re
from typing import Any

from corefeval.corpus.corpus import Corpus
from corefeval.formats.base import File
from corefeval.formats.draft import DocumentDraft, Draft
from corefeval.formats.shared import json_values
from corefeval.formats.shared.spanning import advise_level as advise_across_documents
from corefeval.notices import count_things

__all__ = ["CAPACITY", "COMPANIONS", "EXAMPLE", "SUFFIXES", "TITLE", "advise_across_documents", "read", "recognise"]

TITLE = "xCoRe's predictions for several documents, JSON"
EXAMPLE = """{"doc_keys": ["36/a", "36/b"],
 "tokens": [["Kim", "fell"], ["She", "is", "well"]],
 "clusters_token_offsets": [[[0, 0, 0], [1, 0, 0]]]}"""
SUFFIXES = (".xcore.json",)
COMPANIONS = ()
CAPACITY = None

_WORDS, _ENTITIES, _NAMES, _NAME = "tokens", "clusters_token_offsets", "doc_keys", "doc_key"
_TRIPLE = re.compile(rb'"clusters_token_offsets"\s*:\s*\[\s*\[\s*\[\s*\d+\s*,\s*\d+\s*,\s*\d+\s*\]')
_EXPECTED = "document, first and last word, counted from 0"


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is xCoRe's, by clusters_token_offsets of three numbers; "" if it is not."""
    is_json = beginning.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[")
    return f"{_ENTITIES} of three numbers" if is_json and _TRIPLE.search(beginning) else ""


def read(file: File) -> Corpus:
    """Return the corpus of all documents of a file that is in memory; raises InputError with all faults in it."""
    draft = Draft(file.name)
    objects = list(json_values.iterate_objects(json_values.decode_text(file.data, draft).rstrip(), draft))
    for number, (line, content) in enumerate(objects):
        if not isinstance(content, dict) or not all(isinstance(content.get(key), list) for key in (_WORDS, _ENTITIES)):
            draft.add_fault(line, f"object {number} lacks a list {_WORDS} or {_ENTITIES}", "both")
            continue
        group = str(content.get(_NAME, number if len(objects) > 1 else ""))
        documents = _add_documents(content, f"{group}/" if group else "", line, draft)
        for entity, mentions in enumerate(content[_ENTITIES]):
            _add_entity(f"{group}-{entity}" if group else str(entity), mentions, documents, line, draft)
    if not objects and not draft.faults:
        draft.add_fault(1, "no document", f"an object with {_WORDS} and {_ENTITIES}")
    return draft.build_corpus().replace(shared_names=True)


def _add_documents(content: dict[str, Any], prefix: str, line: int, draft: Draft) -> list[DocumentDraft]:
    """Return the drafts of an object's documents, named by its keys or numbered; add a fault for each without words."""
    words, names = content[_WORDS], content.get(_NAMES)
    if words and all(isinstance(word, str) for word in words):
        words = [words]  # of a single document
    if not isinstance(names, list) or len(names) != len(words):
        if names is not None:
            draft.add_fault(line, f"{_NAMES} does not name {count_things(len(words), 'document')}", "a name for each")
        names = [f"{prefix}{number}" for number in range(len(words))]
    documents = []
    for name, listed in zip(names, words, strict=True):
        sentences = listed if listed and isinstance(listed[0], list) else [listed]
        flat = [word for sentence in sentences if isinstance(sentence, list) for word in sentence]
        if not isinstance(listed, list) or not all(isinstance(word, str) for word in flat):
            draft.add_fault(line, f"document {str(name)!r} has no list of words", "a list of words, or of sentences")
            flat, sentences = [], []
        sentence = [number for number, each in enumerate(sentences) for _ in each]
        documents.append(draft.add_document(str(name), words=flat, sentence=sentence, line=line))
    return documents


def _add_entity(name: str, mentions: object, documents: list[DocumentDraft], line: int, draft: Draft) -> None:
    """Add an entity's mentions to their documents; a fault for each that is no place in one of them."""
    for mention in mentions if isinstance(mentions, list) else [mentions]:
        numbers = mention if isinstance(mention, list) else []
        if len(numbers) == 2 and len(documents) == 1:
            numbers = [0, *numbers]
        whole = len(numbers) == 3 and all(type(number) is int for number in numbers)
        if not whole or not 0 <= numbers[0] < len(documents):
            what = f"a mention of entity {name} is {json_values.show_value(mention)}"
            draft.add_fault(line, what, _EXPECTED, kind="mention-outside")
        else:
            document, first, last = numbers
            documents[document].add_mention(name, (first, last), line=line)
