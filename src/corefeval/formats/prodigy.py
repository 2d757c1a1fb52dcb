"""Prodigy's JSON lines of spans and relations, as `coref.manual` and `rel.manual` make them: a document on each line.

    {"text": "Kim left. She", "tokens": [{"text": "Kim", "start": 0, "end": 3, "id": 0, "ws": true}, …],
     "spans": [{"start": 0, "end": 3, "token_start": 0, "token_end": 0, "label": "PERSON"}, …],
     "relations": [{"head": 3, "child": 0, "label": "COREF", "head_span": {"token_start": 3, "token_end": 3, …},
                    "child_span": {"token_start": 0, "token_end": 0, …}}],
     "_input_hash": -4003, "_annotator_id": "anna", "answer": "accept"}

`token_end` is the last token, `end` is behind the last character. Mentions are the spans, and what relations connect.
Relations are coreference by their labels ("coref" in them, Identity, SameAs and the like), or by
`relations=LABEL+LABEL`; others lead from a mention to an entity. A span in no such relation is an entity by itself. A
relation without `head_span` and `child_span` is of the spans that end with the tokens `head` and `child`. The label of
a span is the mention's attribute `type`.

Only answers that are accepted count; a notice says how many are not. Where several annotators (`_annotator_id`, or
`_session_id`) had the same document, the first answer is read, with a notice; `annotator=NAME` takes those of one, and
`corefeval agree FILE` compares all. A document is called by `document` or `doc_key` in its `meta`, else by its
`_input_hash`, else by its number, from 0. Documents without tokens are read by characters.

Written relations go from each mention to the one before. Prodigy's own interface of relations makes no spans that
overlap; such spans are written nevertheless, each with an `id`.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from itertools import accumulate
from typing import Any

from corefeval.corpus.corpus import Corpus
from corefeval.corpus.objects import Document
from corefeval.formats.base import Capacity, File
from corefeval.formats.draft import Draft
from corefeval.formats.shared import json_values, span_links
from corefeval.formats.shared.span_links import Answer, LinkedSpan, SpanLink, SpanLinker
from corefeval.formats.shared.writing import get_words
from corefeval.notices import count_things

TITLE = "Prodigy's JSON lines of spans and relations"
EXAMPLE = """{"text": "Kim left. She", "tokens": [{"text": "Kim", "start": 0, "end": 3, "id": 0, "ws": true}],
 "spans": [{"start": 0, "end": 3, "token_start": 0, "token_end": 0, "label": "PERSON"}],
 "relations": [{"head": 3, "child": 0, "label": "COREF", "head_span": {"token_start": 3, "token_end": 3}}]}"""
SUFFIXES = (".prodigy.jsonl", ".jsonl", ".json")
COMPANIONS = ()
CAPACITY = Capacity(
    blanks="any",
    names=False,
    document_names=json_values.spell_document_names,
    attributes=("type",),
)

_MARKS = re.compile(rb'"(?:head_span|token_start|_task_hash)"\s*:')
_ACCEPTED = "accept"
_ANNOTATORS = ("_annotator_id", "_session_id")


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is Prodigy's, by keys that only it uses; "" if it is not."""
    is_json = beginning.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[")
    found = _MARKS.search(beginning) if is_json and b'"text"' in beginning else None
    return f"tasks with {found[0].split(b':')[0].decode()}" if found else ""


def read(file: File, annotator: str = "", relations: str = "") -> Corpus:
    """Return the corpus of all tasks of a file that is in memory; raises InputError with all faults in it.

    annotator: whose answers to read. relations: the labels that mean coreference, with + between them.
    """
    draft = Draft(file.name)
    answers = span_links.choose_answers(_read_answers(file, draft), annotator, "prodigy", draft)
    linker = SpanLinker("prodigy", relations, draft)
    by_tokens = all(isinstance(answer.content.get("tokens"), list) for answer in answers)
    for answer in answers:
        _add_document(answer, linker, draft, by_tokens=by_tokens)
    linker.report_labels()
    return draft.build_corpus()


def list_annotators(file: File) -> list[str]:
    """Return the names of all annotators of a file; raises InputError with all faults in it."""
    draft = Draft(file.name)
    return span_links.list_annotators(_read_answers(file, draft), draft)


def _read_answers(file: File, draft: Draft) -> list[Answer]:
    """Return the accepted answers of a file; add faults of what is no task, and a notice of other answers."""
    answers = []
    left = []
    numbers: dict[object, str] = {}
    for line, task in json_values.iterate_objects(json_values.decode_text(file.data, draft).rstrip(), draft):
        if not isinstance(task, dict) or not isinstance(task.get("text"), str):
            draft.add_fault(line, f"{json_values.show_value(task)} is no task", "an object with text, spans, relations")
            continue
        own = str(task.get("_input_hash", len(numbers)))
        number = numbers.setdefault(own, own)
        name = span_links.find_name(task.get("meta"))
        if task.get("answer", _ACCEPTED) != _ACCEPTED:
            left.append(line)
            continue
        given = (task.get(key) for key in _ANNOTATORS)
        answers.append(
            Answer(
                number if name is None else name,
                next((each for each in given if isinstance(each, str)), ""),
                line,
                task,
            )
        )
    if left:
        message = f"{count_things(len(left), 'task', 'that was', 'that were')} rejected or ignored left out"
        draft.add_notice("not-accepted", left[0], message, count=len(left))
    if not answers and not draft.faults:
        draft.add_fault(1, "no task that was accepted", "an object with text, spans and relations")
    return answers


def _add_document(answer: Answer, linker: SpanLinker, draft: Draft, *, by_tokens: bool) -> None:
    """Add the document of an answer to the draft, in words or characters; add faults."""
    task, line = answer.content, answer.line
    words: list[Any] | None = None
    if by_tokens:
        words = [each.get("text") if isinstance(each, dict) else None for each in task["tokens"]]
        if not all(isinstance(word, str) for word in words):
            draft.add_fault(line, "a token without a text", '{"text": "Kim", "start": 0, "end": 3, "id": 0}')
            return
    text = None if by_tokens else task["text"]
    document = draft.add_document(answer.document, words=words, text=text, line=line)
    length = len(words if words is not None else task["text"])
    spans: dict[Hashable, LinkedSpan] = {}
    at: dict[tuple[object, object], Hashable] = {}

    def add_span(value: Any) -> Hashable:
        """Add a span unless it is there; return its key, or None, with a fault, if it is no span of the text."""
        place = _get_place(value, by_tokens=by_tokens)
        if not span_links.is_place(*place, length):
            expected = f"token_start and token_end, or start and end, within {length}"
            draft.add_fault(line, f"a span {json_values.show_value(value)}", expected, kind="mention-outside")
            return None
        key: Hashable = ("id", str(value["id"])) if "id" in value else at.get(place, place)
        if key not in spans:
            spans[key] = LinkedSpan(place, str(value.get("label") or ""), line)  # type: ignore[arg-type]
            at.setdefault(place, key)
        return key

    def find_end(relation: Mapping[str, Any], end: str) -> Hashable:
        """Return the key of the span at an end of a relation, or None, with a fault."""
        if isinstance(relation.get(f"{end}_span"), dict):
            return add_span(relation[f"{end}_span"])
        token = relation.get(end)
        ending = (key for key, span in spans.items() if span.mention[1] == token)
        return next(ending, None) or add_span({"token_start": token, "token_end": token})

    for value in _get_list(task, "spans", line, draft):
        add_span(value)
    links = []
    for relation in _get_list(task, "relations", line, draft):
        source, target = find_end(relation, "head"), find_end(relation, "child")
        if source is not None and target is not None:
            links.append(SpanLink(source, target, str(relation.get("label") or ""), line))
    linker.add_entities(document, spans, links)


def _get_list(task: Mapping[str, Any], key: str, line: int, draft: Draft) -> list[dict[str, Any]]:
    """Return a task's list of objects, [] if it has none; [] with a fault if it is something else."""
    value = task.get(key) or []
    if isinstance(value, list) and all(isinstance(each, dict) for each in value):
        return value
    draft.add_fault(line, f"{key} is {json_values.show_value(value)}", "a list of objects")
    return []


def _get_place(span: Mapping[str, Any], *, by_tokens: bool) -> tuple[object, object]:
    """Return first and last token (character) of a span, as they are given; None for what is missing."""
    if by_tokens:
        return span.get("token_start"), span.get("token_end")
    end = span.get("end")
    return span.get("start"), end - 1 if type(end) is int else None


def write(corpus: Corpus) -> bytes:
    """Return the bytes of a file with the corpus, a task on each line."""
    lines = [f"{json_values.dump_line(_write_task(document, corpus))}\n" for document in corpus]
    return json_values.encode_text("".join(lines))


def _write_task(document: Document, corpus: Corpus) -> dict[str, Any]:
    """Return a document as a task: words joined by blanks, spans, and relations from each mention to that before."""
    needed = 1 + max((mention.runs[-1][1] for mention in document.mentions), default=-1)
    words = get_words(corpus, corpus.documents.index(document.name), needed).forms
    begins = list(accumulate((len(word) + 1 for word in words), initial=0))
    tokens = [
        {"text": word, "start": begin, "end": begin + len(word), "id": number, "ws": number + 1 < len(words)}
        for number, (word, begin) in enumerate(zip(words, begins, strict=False))
    ]
    spans: list[dict[str, Any]] = []
    relations = []
    for entity in document:
        before: dict[str, Any] | None = None
        for mention in entity:
            first, last = mention.runs[0]
            span = {
                "start": tokens[first]["start"],
                "end": tokens[last]["end"],
                "token_start": first,
                "token_end": last,
                "label": mention.attributes.get("type") or span_links.UNTYPED,
                "id": str(len(spans)),
            }
            if before is not None:
                ends = {"head": last, "child": before["token_end"], "head_span": span, "child_span": before}
                relations.append({**ends, "label": span_links.COREFERENCE})
            spans.append(span)
            before = span
    return {
        "text": " ".join(words),
        "meta": {"document": document.name},
        "tokens": tokens,
        "spans": spans,
        "relations": relations,
        "answer": _ACCEPTED,
    }
