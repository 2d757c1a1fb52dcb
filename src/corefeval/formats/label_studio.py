"""Label Studio's JSON: tasks with spans of a text, relations between them, and the annotations of several people.

    [{"id": 7, "data": {"text": "Kim left. She"},
      "annotations": [{"completed_by": 1, "result": [
        {"id": "a", "from_name": "label", "to_name": "text", "type": "labels",
         "value": {"start": 0, "end": 3, "text": "Kim", "labels": ["Person"]}},
        {"id": "b", "from_name": "label", "to_name": "text", "type": "labels",
         "value": {"start": 10, "end": 13, "text": "She", "labels": ["Person"]}},
        {"type": "relation", "from_id": "b", "to_id": "a", "direction": "right", "labels": ["coreference"]}]}]}]

This is the export "JSON", not "JSON_MIN", which has no relations. `end` is behind the last character. Relations are
coreference by their labels ("coref" in them, Identity, SameAs and the like), without labels, or by
`relations=LABEL+LABEL`; others lead from a mention to an entity. A span in no such relation is an entity by itself. Its
labels are the mention's attribute `type`. Results without places, such as choices, are passed over; places in HyperText
and Paragraphs, which are no numbers, are faults.

Of several annotations of a task the one marked as ground truth is read, else the first, with a notice;
`annotator=NAME` takes those of one annotator (`completed_by`, or the `email` in it) or, by `model_version`, the
predictions of a model, and `corefeval agree FILE` compares all annotators. If nobody has annotated anything, the first
predictions are read. Cancelled annotations do not count, and tasks without annotations are left out, with notices.

The text is the field `text` of `data`, or the only one that is a text; `text=FIELD` says another one. A task is called
by `document` or `doc_key` in `data`, else by its `id`. Older versions counted places in UTF-16, where an emoji is two;
where the `text` of spans shows that, with a notice, so does this reader.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from itertools import count
from typing import Any

from corefeval.corpus.corpus import Corpus
from corefeval.corpus.objects import Document
from corefeval.formats.base import Capacity, File
from corefeval.formats.draft import Draft
from corefeval.formats.shared import json_values, span_links
from corefeval.formats.shared.span_links import Answer, LinkedSpan, SpanLink, SpanLinker
from corefeval.formats.shared.utf16 import Utf16Places
from corefeval.notices import count_things

TITLE = "Label Studio's JSON of labelled spans and relations"
EXAMPLE = """[{"id": 7, "data": {"text": "Kim left. She"}, "annotations": [{"completed_by": 1, "result": [
 {"id": "a", "type": "labels", "value": {"start": 0, "end": 3, "text": "Kim", "labels": ["Person"]}},
 {"type": "relation", "from_id": "b", "to_id": "a", "labels": ["coreference"]}]}]}]"""
SUFFIXES = (".labelstudio.json", ".json")
COMPANIONS = ()
CAPACITY = Capacity(
    units=("character",),
    names=False,
    document_names=json_values.spell_document_names,
    attributes=("type",),
)

_MARKS = re.compile(rb'"(?:from_name|completed_by|annotations|completions|predictions)"\s*:')
_DATA = re.compile(rb'"data"\s*:\s*\{')
_RELATION = "relation"
_BLANKS = re.compile(r"\s|\\n")


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is Label Studio's, by its tasks with data and annotations; "" if not."""
    is_json = beginning.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[")
    found = _MARKS.search(beginning) if is_json and _DATA.search(beginning) else None
    return f"tasks with data and {found[0].split(b':')[0].decode().strip()}" if found else ""


def read(file: File, annotator: str = "", relations: str = "", text: str = "") -> Corpus:
    """Return the corpus of all tasks of a file that is in memory; raises InputError with all faults in it.

    annotator: whose annotations to read. relations: the labels that mean coreference, with + between them. text: the
    field of `data` that is the text.
    """
    draft = Draft(file.name)
    answers = _read_answers(file, draft, text, with_predictions=annotator)
    linker = SpanLinker("label_studio", relations, draft)
    for answer in span_links.choose_answers(answers, annotator, "label_studio", draft):
        _add_document(answer, linker, draft)
    linker.report_labels()
    return draft.build_corpus()


def list_annotators(file: File) -> list[str]:
    """Return the names of all annotators of a file; raises InputError with all faults in it."""
    draft = Draft(file.name)
    return span_links.list_annotators(_read_answers(file, draft, "", with_predictions=""), draft)


def _read_answers(file: File, draft: Draft, field: str, *, with_predictions: str) -> list[Answer]:
    """Return the annotations of all tasks, or their predictions if there are none; add faults and notices.

    with_predictions: the model whose predictions are returned among the annotations.
    """
    answers: list[Answer] = []
    predictions: list[Answer] = []
    cancelled, bare = [], []
    for number, (line, task) in enumerate(
        json_values.iterate_objects(json_values.decode_text(file.data, draft).rstrip(), draft)
    ):
        data = task.get("data") if isinstance(task, dict) else None
        if not isinstance(data, dict):
            draft.add_fault(line, f"{json_values.show_value(task)} is no task", "an object with data and annotations")
            continue
        text = _find_text(data, field, line, draft)
        name = span_links.find_name(data)
        name = str(task.get("id", number)) if name is None else name
        made = [each for key in ("annotations", "completions") for each in _list_objects(task, key, line, draft)]
        kept = [each for each in made if not each.get("was_cancelled")]
        cancelled += [line] * (len(made) - len(kept))
        for each in sorted(kept, key=lambda each: not each.get("ground_truth")):
            annotator = _name_annotator(each.get("completed_by"))
            answers.append(Answer(name, annotator, line, (text, each)))
        for each in _list_objects(task, "predictions", line, draft):
            model = str(each.get("model_version") or "")
            predictions.append(Answer(name, model, line, (text, each)))
        bare += [] if kept else [line]
    if cancelled:
        message = f"{count_things(len(cancelled), 'annotation', 'that was', 'that were')} cancelled left out"
        draft.add_notice("not-accepted", cancelled[0], message, count=len(cancelled))
    if not answers and predictions:
        draft.add_notice("predictions", 1, "nobody has annotated anything; predictions are read")
        return predictions
    if bare:
        message = count_things(
            len(bare), "task", "that nobody has annotated left out", "that nobody has annotated left out"
        )
        draft.add_notice("not-annotated", bare[0], message, count=len(bare))
    if not answers and not draft.faults:
        draft.add_fault(1, "no annotations", "tasks with data and annotations")
    return answers + [each for each in predictions if with_predictions and each.annotator == with_predictions]


def _name_annotator(given: Any) -> str:
    """Return the name of an annotator: what `completed_by` is, or the email, or else the id in it."""
    if isinstance(given, dict):
        given = given.get("email") or given.get("id")
    return "" if given is None else str(given)


def _list_objects(task: Mapping[str, Any], key: str, line: int, draft: Draft) -> list[dict[str, Any]]:
    """Return a list of objects in another one, [] if it is missing; [] with a fault if it is something else."""
    value = task.get(key) or []
    if isinstance(value, list) and all(isinstance(each, dict) for each in value):
        return value
    if not isinstance(value, list) or any(not isinstance(each, int) for each in value):  # ids of what is elsewhere
        draft.add_fault(line, f"{key} is {json_values.show_value(value)}", "a list of objects")
    return []


def _find_text(data: Mapping[str, Any], field: str, line: int, draft: Draft) -> str:
    """Return the text among the data of a task; "" with a fault if that is not clear."""
    texts = {key: value for key, value in data.items() if isinstance(value, str) and key not in span_links.NAMES}
    name = field or ("text" if "text" in texts or len(texts) != 1 else next(iter(texts)))
    if name in texts:
        return texts[name]
    there = f"there is {', '.join(texts)}; " if texts else ""
    hint = f"{there}say which with --format label_studio:text=FIELD"
    draft.add_fault(line, f"data has no text in the field {name!r}", "the text of the task", hint)
    return ""


def _add_document(answer: Answer, linker: SpanLinker, draft: Draft) -> None:
    """Add the document of an annotation to the draft; add faults and notices."""
    text, annotation = answer.content
    line = answer.line
    document = draft.add_document(answer.document, text=text, line=line)
    results = _list_objects(annotation, "result", line, draft)
    regions = [each for each in results if isinstance(each.get("value"), dict) and "start" in each["value"]]
    places = _place_regions(text, regions, line, draft)
    spans: dict[Hashable, LinkedSpan] = {}
    for number, (region, place) in enumerate(zip(regions, places, strict=True)):
        key = str(region.get("id", f"result {number}"))
        first, last = place
        if not span_links.is_place(first, last, len(text)):
            what = f"region {key} is at {json_values.show_value(region['value'])}"
            expected = f"start and end as numbers, within the {count_things(len(text), 'character')} of the text"
            draft.add_fault(line, what, expected, "HyperText and Paragraphs are not read", kind="mention-outside")
            continue
        label = "|".join(_list_labels(region["value"], str(region.get("type"))))
        before = spans.get(key)
        if before is not None and before.mention != (first, last):
            draft.add_fault(line, f"region {key} is there already, elsewhere", "every id once", kind="id-twice")
        elif before is not None:  # one region, labelled twice
            label = "|".join(filter(None, (before.type, label)))
        spans[key] = LinkedSpan((first, last), label, line)
    links = [
        SpanLink(str(each.get("from_id")), str(each.get("to_id")), _choose_label(each.get("labels")), line)
        for each in results
        if each.get("type") == _RELATION
    ]
    linker.add_entities(document, spans, links)


def _place_regions(text: str, regions: Sequence[Mapping[str, Any]], line: int, draft: Draft) -> list[tuple[Any, Any]]:
    """Return first and last character of regions; None for what is no number; a notice if they count in UTF-16."""
    given = [(each["value"].get("start"), each["value"].get("end")) for each in regions]
    said = [each["value"].get("text") for each in regions]
    places = [_close(start, end) for start, end in given]
    if not text.isascii() and _count_differences(text, places, said):
        count_utf16 = Utf16Places(text).to_character
        other = [_close(*(count_utf16(each) if type(each) is int else None for each in span)) for span in given]
        if not _count_differences(text, other, said):
            message = f"places are counted in UTF-16, as the words of {count_things(len(said), 'span')} show"
            draft.add_notice("utf-16", line, message)
            return other
    differences = _count_differences(text, places, said)
    if differences:
        message = count_things(differences, "span", *2 * ("whose words are not those in its place",))
        draft.add_notice("text-differs", line, message, count=differences)
    return places


def _close(start: Any, end: Any) -> tuple[Any, Any]:
    """Return first and last character, given the first one and that behind the last; None for what is no number."""
    return start if type(start) is int else None, end - 1 if type(end) is int else None


def _count_differences(text: str, places: Sequence[tuple[Any, Any]], said: Sequence[Any]) -> int:
    """Return how many spans have other words in their places than they say, blanks aside."""
    return sum(
        first is None or last is None or _BLANKS.sub("", text[first : last + 1]) != _BLANKS.sub("", words)
        for (first, last), words in zip(places, said, strict=True)
        if isinstance(words, str)
    )


def _list_labels(value: Mapping[str, Any], kind: str) -> list[str]:
    """Return the labels of a region, which are in a field that is called as its type."""
    labels = value.get(kind, value.get("labels"))
    return [str(each) for each in labels] if isinstance(labels, list) else []


def _choose_label(labels: Any) -> str:
    """Return the label of a relation, of several the first that means coreference; "" if it has none."""
    listed = [str(each) for each in labels] if isinstance(labels, list) else []
    return next(filter(span_links.is_coreference, listed), listed[0] if listed else "")


def write(corpus: Corpus) -> bytes:
    """Return the bytes of a file with the corpus: a list of tasks with one annotation each, a task on each line."""
    tasks = ",\n".join(json_values.dump_line(_write_task(document)) for document in corpus)
    return json_values.encode_text(f"[{tasks}]\n")


def _write_task(document: Document) -> dict[str, Any]:
    """Return a document as a task: its spans, and relations from each mention to that before."""
    text = document.text or ""
    numbers = count(1)
    results: list[dict[str, Any]] = []
    links = []
    for entity in document:
        before = ""
        for mention in entity:
            first, last = mention.runs[0]
            key = f"m{next(numbers)}"
            labels = [mention.attributes.get("type") or span_links.UNTYPED]
            value = {"start": first, "end": last + 1, "text": text[first : last + 1], "labels": labels}
            results.append({"id": key, "from_name": "label", "to_name": "text", "type": "labels", "value": value})
            if before:
                link = {"type": _RELATION, "from_id": key, "to_id": before, "direction": "right"}
                links.append({**link, "labels": [span_links.COREFERENCE]})
            before = key
    data = {"text": text, span_links.NAMES[0]: document.name}
    return {"data": data, "annotations": [{"result": results + links}]}
