"""doccano's JSON lines of sequence labelling with relations: a document on each line.

    {"id": 1, "text": "Kim left. She", "entities": [{"id": 5, "label": "Person", "start_offset": 0, "end_offset": 3},
     {"id": 6, "label": "Person", "start_offset": 10, "end_offset": 13}],
     "relations": [{"id": 8, "from_id": 6, "to_id": 5, "type": "coref"}], "Comments": []}

`end_offset` is behind the last character. Relations are coreference by their types ("coref" in them, Identity, SameAs
and the like), or by `relations=TYPE+TYPE`; others lead from a mention to an entity. A span in no such relation is an
entity by itself. Its label is the mention's attribute `type`.

Ids may recur in another document; a relation to a span of another document is a fault. A document is called by its
field `document` or `doc_key`, else by its `id`, else by its number, from 0. doccano exports a file for each annotator:
`corefeval agree anna.jsonl ben.jsonl` compares them. Places count characters; projects that count grapheme clusters,
and files with `label` instead of `entities`, are not read.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from typing import Any

from corefeval.corpus.corpus import Corpus
from corefeval.corpus.objects import Document
from corefeval.formats.base import Capacity, File
from corefeval.formats.draft import Draft
from corefeval.formats.shared import json_values, span_links
from corefeval.formats.shared.span_links import LinkedSpan, SpanLink, SpanLinker

TITLE = "doccano's JSON lines of spans and relations"
EXAMPLE = """{"id": 1, "text": "Kim left. She",
 "entities": [{"id": 5, "label": "Person", "start_offset": 0, "end_offset": 3}],
 "relations": [{"id": 8, "from_id": 6, "to_id": 5, "type": "coref"}]}"""
SUFFIXES = (".doccano.jsonl", ".jsonl", ".json")
COMPANIONS = ()
CAPACITY = Capacity(
    units=("character",),
    names=False,
    document_names=json_values.spell_document_names,
    attributes=("type",),
)

_LISTS = ("entities", "relations")
_MARKS = re.compile(rb'"start_offset"\s*:|"entities"\s*:\s*\[\s*\]\s*,\s*"relations"\s*:\s*\[')


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is doccano's, by start_offset or empty lists; "" if it is not."""
    is_json = beginning.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[")
    found = is_json and b'"text"' in beginning and b'"entities"' in beginning and _MARKS.search(beginning)
    return "entities with start_offset, or none" if found else ""


def read(file: File, relations: str = "") -> Corpus:
    """Return the corpus of all lines of a file that is in memory; raises InputError with all faults in it.

    relations: the types that mean coreference, with + between them.
    """
    draft = Draft(file.name)
    linker = SpanLinker("doccano", relations, draft)
    text = json_values.decode_text(file.data, draft).rstrip()
    for number, (line, content) in enumerate(json_values.iterate_objects(text, draft)):
        if isinstance(content, dict) and isinstance(content.get("text"), str) and _has_lists(content):
            _add_document(content, number, line, linker, draft)
        else:
            what = f"{json_values.show_value(content)} is no document"
            draft.add_fault(line, what, "an object with text, entities and relations")
    if not draft.documents and not draft.faults:
        draft.add_fault(1, "no document", "an object with text, entities and relations on each line")
    linker.report_labels()
    return draft.build_corpus()


def _has_lists(content: Mapping[str, Any]) -> bool:
    """Return whether the lists of a document are such, of objects, as far as they are there; entities must be."""
    lists = [content.get(name, []) for name in _LISTS]
    return (
        "entities" in content
        and all(isinstance(each, list) for each in lists)
        and all(isinstance(value, dict) for each in lists for value in each)
    )


def _add_document(content: Mapping[str, Any], number: int, line: int, linker: SpanLinker, draft: Draft) -> None:
    """Add a document with its spans and relations to the draft; add faults."""
    name = span_links.find_name(content)
    text = content["text"]
    document = draft.add_document(str(content.get("id", number)) if name is None else name, text=text, line=line)
    spans: dict[Hashable, LinkedSpan] = {}
    for place, span in enumerate(content["entities"]):
        key = str(span.get("id", f"number {place}"))
        first, end = span.get("start_offset"), span.get("end_offset")
        last = end - 1 if type(end) is int else None
        if key in spans:
            draft.add_fault(line, f"span {key} is there already", "every id once in a document", kind="id-twice")
        elif not span_links.is_place(first, last, len(text)):
            expected = f"start_offset and end_offset within {len(text)}"
            draft.add_fault(line, f"span {key} from {first} to {end}", expected, kind="mention-outside")
        else:
            spans[key] = LinkedSpan((first, last), str(span.get("label") or ""), line)  # type: ignore[arg-type]
    links = [
        SpanLink(str(each.get("from_id")), str(each.get("to_id")), str(each.get("type") or ""), line)
        for each in content.get("relations", [])
    ]
    linker.add_entities(document, spans, links)


def write(corpus: Corpus) -> bytes:
    """Return the bytes of a file with the corpus, a document on each line."""
    lines = [f"{json_values.dump_line(_write_document(document))}\n" for document in corpus]
    return json_values.encode_text("".join(lines))


def _write_document(document: Document) -> dict[str, Any]:
    """Return a document with its spans, and relations from each mention to that before."""
    spans: list[dict[str, Any]] = []
    links: list[dict[str, Any]] = []
    for entity in document:
        for place, mention in enumerate(entity):
            first, last = mention.runs[0]
            label = mention.attributes.get("type") or span_links.UNTYPED
            spans.append({"id": len(spans) + 1, "label": label, "start_offset": first, "end_offset": last + 1})
            if place:
                ends = {"from_id": len(spans), "to_id": len(spans) - 1}
                links.append({"id": len(links) + 1, **ends, "type": span_links.COREFERENCE})
    return {"text": document.text or "", span_links.NAMES[0]: document.name, "entities": spans, "relations": links}
