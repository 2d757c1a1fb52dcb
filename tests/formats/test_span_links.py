"""Prodigy, Label Studio and doccano: spans, relations and the annotations of several people, read and written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefeval
from corefeval import Corpus, InputError, OptionError
from corefeval.formats import doccano, label_studio, prodigy, registry
from corefeval.formats.base import File
from corefeval.formats.draft import Draft
from tests.cli.running import run
from tests.formats.content import entity_texts, notice_kinds, only_document
from tests.formats.edits import edited, edits

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "Kim left. She sang"
WORDS = ["Kim", "left", ".", "She", "sang"]
PLACES = [(0, 3), (4, 8), (8, 9), (10, 13), (14, 18)]
TOOLS: dict[str, Any] = {"prodigy": prodigy, "label_studio": label_studio, "doccano": doccano}


def read(name: str, *tasks: Any, **options: str) -> Corpus:
    data = "\n".join(json.dumps(task) for task in tasks).encode()
    return TOOLS[name].read(File("f", data, "d", lambda suffix: None), **options)


def prodigy_span(first: int, last: int, **more: Any) -> dict[str, Any]:
    return {"start": PLACES[first][0], "end": PLACES[last][1], "token_start": first, "token_end": last, **more}


def prodigy_task(*spans: dict[str, Any], relations: Any = (), **more: Any) -> dict[str, Any]:
    tokens = [
        {"text": w, "start": b, "end": e, "id": i, "ws": True}
        for i, (w, (b, e)) in enumerate(zip(WORDS, PLACES, strict=True))
    ]
    return {
        "text": TEXT,
        "tokens": tokens,
        "spans": list(spans),
        "relations": list(relations),
        "answer": "accept",
        **more,
    }


def prodigy_link(head: dict[str, Any], child: dict[str, Any], label: str = "COREF") -> dict[str, Any]:
    return {
        "head": head["token_end"],
        "child": child["token_end"],
        "head_span": head,
        "child_span": child,
        "label": label,
    }


def region(key: str, start: Any, end: Any, text: str | None = None, label: str = "Person") -> dict[str, Any]:
    said = {} if text is None else {"text": text}
    return {
        "id": key,
        "from_name": "label",
        "to_name": "text",
        "type": "labels",
        "value": {"start": start, "end": end, **said, "labels": [label]},
    }


def link(source: str, target: str, *labels: str) -> dict[str, Any]:
    return {"type": "relation", "from_id": source, "to_id": target, "direction": "right", "labels": list(labels)}


def annotation(*results: Any, **more: Any) -> dict[str, Any]:
    return {"result": list(results), **more}


def studio_task(*annotations: Any, text: str = TEXT, **more: Any) -> dict[str, Any]:
    return {"data": {"text": text}, "annotations": list(annotations), **more}


def doccano_line(*spans: tuple[int, int, int], relations: Any = (), **more: Any) -> dict[str, Any]:
    entities = [{"id": key, "label": "Person", "start_offset": begin, "end_offset": end} for key, begin, end in spans]
    listed = [{"id": n, "from_id": a, "to_id": b, "type": label} for n, (a, b, label) in enumerate(relations)]
    return {"id": 1, "text": TEXT, "entities": entities, "relations": listed, "Comments": [], **more}


KIM, SHE, LEFT, SANG = (
    prodigy_span(first, first, label=label) for first, label in [(0, "P"), (3, "P"), (1, "V"), (4, "V")]
)
EXAMPLES: dict[str, list[Any]] = {
    "prodigy": [prodigy_task(KIM, SHE, SANG, relations=[prodigy_link(SHE, KIM), prodigy_link(SANG, KIM, "AGENT")])],
    "label_studio": [[studio_task(annotation(
        region("a", 0, 3, "Kim", "P"), region("b", 10, 13, "She", "P"), region("c", 14, 18, "sang", "V"),
        link("b", "a", "coreference"), link("c", "a", "AGENT"),
    ), id=1)]],
    "doccano": [doccano_line((5, 0, 3), (6, 10, 13), (7, 14, 18), relations=[(6, 5, "coref"), (7, 5, "AGENT")])],
}  # fmt: skip


@pytest.mark.parametrize("name", TOOLS)
def test_relations_of_coreference_make_entities_and_others_lead_to_them(name: str) -> None:
    found = read(name, *EXAMPLES[name])
    assert entity_texts(found) == {"1": ["Kim", "She"], "2": ["sang"]}
    assert [(each.kind, each.targets) for each in found.relations] == [("AGENT", ("1",))]
    (document,) = found
    assert all("type" in mention.attributes for mention in document.mentions)
    assert not found.notices
    assert entity_texts(read(name, *EXAMPLES[name], relations="AGENT")) == {"1": ["Kim", "sang"], "2": ["She"]}


@pytest.mark.parametrize("name", TOOLS)
def test_files_are_recognised_validated_and_converted(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("\n".join(map(json.dumps, EXAMPLES[name])))
    found = corefeval.read(tmp_path / "a.json")
    assert found.format == name
    assert [
        known for known in registry.BUILT_IN if registry.explain_recognition(known, (tmp_path / "a.json").read_bytes())
    ] == [name]
    assert run("validate", tmp_path / "a.json").returncode == 0
    target = tmp_path / f"b{TOOLS[name].SUFFIXES[0]}"
    assert run("convert", tmp_path / "a.json", target).returncode == 0
    again = corefeval.read(target)
    assert again.format == name
    assert again.entities() == found.entities()
    assert again.attributes == found.attributes


@pytest.mark.parametrize("name", TOOLS)
def test_a_mention_in_two_entities_stays_in_both(name: str) -> None:
    draft = Draft("made up")
    document = draft.add_document("x", **({"words": WORDS} if name == "prodigy" else {"text": TEXT}))
    for entity in ("one", "other"):
        document.add_mention(entity, (0, 1))
        document.add_mention(entity, (3, 3) if entity == "one" else (4, 4))
    found = draft.build_corpus()
    again = TOOLS[name].read(File("f", TOOLS[name].write(found), "d", lambda suffix: None))
    assert again.entities() == found.entities()


def test_labels_that_are_no_coreference_are_named() -> None:
    found = read("doccano", doccano_line((5, 0, 3), (6, 10, 13), relations=[(6, 5, "PART")]))
    assert len(only_document(found)) == 2
    assert notice_kinds(found) == ["no-coreference"]
    assert "doccano:relations=LABEL: PART" in found.notices[0].message


def test_doccano_faults_have_their_lines() -> None:
    with pytest.raises(InputError) as caught:
        read("doccano", doccano_line((5, 0, 3), (5, 4, 8), (6, 10, 19), (7, 3, 3), relations=[(9, 5, "coref")]),
             {"text": 1, "entities": []}, doccano_line(), doccano_line(relations=[(5, 5, "coref")], id=2), [1])  # fmt: skip
    assert [str(fault).partition(";")[0] for fault in caught.value.faults] == [
        "f:1: span 5 is there already",
        "f:1: span 6 from 10 to 19",
        "f:1: span 7 from 3 to 3",
        "f:1: a relation of 9 and 5, but there is no span 9",
        "f:2: {'text': 1, 'entities': []} is no document",
        "f:3: document '1' is there already",
        "f:4: a relation of 5 and 5, but there is no span 5",
        "f:5: [1] is no document",
    ]


def test_prodigy_relations_of_tokens_are_of_the_spans_that_end_there() -> None:
    task = prodigy_task(
        prodigy_span(0, 1),
        SHE,
        relations=[{"head": 3, "child": 1, "label": "COREF"}, {"head": 4, "child": 3, "label": "COREF"}],
    )
    assert entity_texts(read("prodigy", task)) == {"1": ["Kim left", "She", "sang"]}


def test_prodigy_documents_without_tokens_are_read_by_characters() -> None:
    task = {"text": TEXT, "spans": [{"start": 0, "end": 3}, {"start": 10, "end": 13}],
            "relations": [{"head_span": {"start": 10, "end": 13}, "child_span": {"start": 0, "end": 3}, "label": "COREF"}]}  # fmt: skip
    found = read("prodigy", task)
    assert found.unit == "character"
    assert only_document(found) == [[(0, 2), (10, 12)]]


def test_prodigy_answers_that_are_not_accepted_and_other_annotators_are_named() -> None:
    tasks = [
        prodigy_task(KIM, _input_hash=7, _annotator_id="anna"),
        prodigy_task(SHE, _input_hash=7, _annotator_id="ben"),
        prodigy_task(LEFT, _input_hash=8, _annotator_id="ben"),
        prodigy_task(SANG, _input_hash=9, answer="reject", meta={"document": "x"}),
        prodigy_task(SANG, meta={"document": "y"}, _session_id="set-cleo"),
    ]
    found = read("prodigy", *tasks)
    assert found.entities() == {"7": [[(0, 0)]], "8": [[(1, 1)]], "y": [[(4, 4)]]}
    assert notice_kinds(found) == ["not-accepted", "other-annotators"]
    assert found.notices[1].details["annotators"] == ["anna", "ben", "set-cleo"]
    assert read("prodigy", *tasks, annotator="ben").entities() == {"7": [[(3, 3)]], "8": [[(1, 1)]]}
    with pytest.raises(InputError, match="there is no annotator eve; expected one of anna, ben, set-cleo"):
        read("prodigy", *tasks, annotator="eve")


def test_prodigy_faults_have_their_lines() -> None:
    with pytest.raises(InputError) as caught:
        read("prodigy", prodigy_task(prodigy_span(0, 0, token_end=5), prodigy_span(2, 2, token_start=3)), {"spans": []},
             prodigy_task(_input_hash=1, spans=3), prodigy_task(_input_hash=2, tokens=[{}]))  # fmt: skip
    assert [fault.line for fault in caught.value.faults] == [1, 1, 2, 3, 4]
    with pytest.raises(InputError, match="no task that was accepted"):
        read("prodigy", prodigy_task(answer="ignore"))


def test_label_studio_reads_one_annotation_of_each_task() -> None:
    tasks = [
        studio_task(
            annotation(region("a", 0, 3), completed_by=1),
            annotation(region("a", 4, 8), completed_by={"id": 2, "email": "b@x"}),
            id=7,
        ),
        studio_task(annotation(region("a", 0, 3), completed_by=1, was_cancelled=True), id=8),
        studio_task(
            annotation(region("a", 0, 3), completed_by=1),
            annotation(region("a", 4, 8), completed_by=3, ground_truth=True),
            id=9,
        ),
        studio_task(id=10, predictions=[annotation(region("p", 10, 13), model_version="m")]),
    ]
    found = read("label_studio", tasks)
    assert found.entities() == {"7": [[(0, 2)]], "9": [[(4, 7)]]}
    assert sorted(notice_kinds(found)) == ["not-accepted", "not-annotated", "other-annotators"]
    assert read("label_studio", tasks, annotator="b@x").entities() == {"7": [[(4, 7)]]}
    assert read("label_studio", tasks, annotator="m").entities() == {"10": [[(10, 12)]]}
    only = read("label_studio", tasks[3:])
    assert (only.entities(), notice_kinds(only)) == ({"10": [[(10, 12)]]}, ["predictions"])


def test_label_studio_relations_without_labels_and_choices() -> None:
    choice = {"id": "a", "type": "choices", "value": {"choices": ["x"]}}
    old = {
        "data": {"passage": TEXT, "document": "x"},
        "completions": [
            annotation(region("a", 0, 3), choice, region("a", 0, 3, None, "Who"), region("b", 10, 13), link("b", "a"))
        ],
    }
    found = read("label_studio", old)
    assert found.entities() == {"x": [[(0, 2), (10, 12)]]}
    assert found.attributes["type"] == ["Person|Who", "Person"]


def test_label_studio_places_in_utf_16_are_seen_by_the_words() -> None:
    text = "\U0001f600 Kim left. She"
    right = studio_task(
        annotation(region("a", 2, 5, "Kim"), region("b", 12, 15, "She"), link("b", "a")), text=text, id=1
    )
    wide = studio_task(
        annotation(region("a", 3, 6, "Kim"), region("b", 13, 16, "She"), link("b", "a")), text=text, id=1
    )
    assert (
        read("label_studio", right).entities() == read("label_studio", wide).entities() == {"1": [[(2, 4), (12, 14)]]}
    )
    assert (notice_kinds(read("label_studio", right)), notice_kinds(read("label_studio", wide))) == ([], ["utf-16"])
    assert notice_kinds(read("label_studio", studio_task(annotation(region("a", 0, 3, "She"))))) == ["text-differs"]


def test_label_studio_faults_have_their_lines() -> None:
    tasks = [
        studio_task(
            annotation(
                region("a", "/p[1]/text()[1]", 3),
                region("b", 0, 99),
                region("c", 0, 3),
                region("c", 4, 8),
                link("c", "z"),
            )
        ),
        {"data": {"one": "x", "two": "y"}, "annotations": [annotation()]},
        {"no": "data"},
        studio_task("x"),
    ]
    with pytest.raises(InputError) as caught:
        read("label_studio", *tasks)
    assert [fault.line for fault in caught.value.faults] == [1, 1, 1, 1, 2, 3, 4]
    assert "HyperText and Paragraphs are not read" in str(caught.value.faults[0])
    assert "there is one, two; say which" in str(caught.value.faults[4])
    assert read("label_studio", tasks[1], text="two").texts == ("y",)


@pytest.mark.parametrize("name", ["prodigy", "label_studio"])
def test_annotators_of_one_file_are_compared(name: str, tmp_path: Path) -> None:
    both = {
        "prodigy": [prodigy_task(KIM, SHE, _input_hash=7, _annotator_id=who, relations=[prodigy_link(SHE, KIM)] if who == "anna" else [])
                    for who in ("anna", "ben")],
        "label_studio": [studio_task(*(annotation(region("a", 0, 3), region("b", 10, 13), *([link("b", "a")] if who == "anna" else []), completed_by=who)
                                       for who in ("anna", "ben")))],
    }[name]  # fmt: skip
    (tmp_path / "a.json").write_text("\n".join(map(json.dumps, both)))
    corpora = corefeval.formats.read_annotators(tmp_path / "a.json")
    assert {who: len(only_document(corpus)) for who, corpus in corpora.items()} == {"anna": 1, "ben": 2}
    agreed = run("agree", tmp_path / "a.json")
    assert (agreed.returncode, "anna" in agreed.stdout) == (0, True), agreed.stderr


def test_a_file_that_tells_no_annotators_apart_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps(doccano_line()))
    with pytest.raises(OptionError, match="annotators cannot be told apart; give two annotators or more"):
        corefeval.formats.read_annotators(tmp_path / "a.jsonl")


@given(st.sampled_from(sorted(TOOLS)), edits('"', "{", "[]", "null", "99", "-1", "", '"id": 1,', '"a"', "\\ud83d"))
def test_damaged_files_give_a_corpus_or_an_error(name: str, made: Any) -> None:
    data = "\n".join(json.dumps(task, indent=1) for task in EXAMPLES[name])
    try:
        found = TOOLS[name].read(File("f", edited(data, made).encode(), "d", lambda suffix: None))
    except InputError as error:
        assert error.faults  # noqa: PT017 - either is fine
    else:
        assert isinstance(found, Corpus)
