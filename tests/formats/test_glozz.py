"""Reading Glozz: units of a text, schemas and relations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given

import corefeval
from corefeval import Corpus, InputError
from corefeval.formats import glozz
from corefeval.formats.base import File
from tests.cli.running import run
from tests.formats.content import entity_texts, notice_kinds
from tests.formats.edits import edited, edits

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "Kim left. She sang. It rained."


def element(kind: str, key: str, type_: str, positioning: str, author: str = "anna", **features: str) -> str:
    listed = "".join(f'<feature name="{name}">{value}</feature>' for name, value in features.items())
    return (
        f'<{kind} id="{key}"><metadata><author>{author}</author></metadata>\n<characterisation><type>{type_}</type>'
        f"<featureSet>{listed}</featureSet></characterisation><positioning>{positioning}</positioning></{kind}>"
    )


def unit(key: str, begin: int, end: int, type_: str = "MENTION", **more: str) -> str:
    ends = f'<start><singlePosition index="{begin}"/></start><end><singlePosition index="{end}"/></end>'
    return element("unit", key, type_, ends, **more)


def relation(key: str, type_: str, *terms: str) -> str:
    return element("relation", key, type_, "".join(f'<term id="{term}"/>' for term in terms))


def schema(key: str, *members: str, type_: str = "CHAINE", **more: str) -> str:
    return element(
        "schema",
        key,
        type_,
        "".join(f'<embedded-{"schema" if m[0] == "s" else "unit"} id="{m}"/>' for m in members),
        **more,
    )


def write_annotations(*elements: str) -> str:
    return "\n".join(
        ['<?xml version="1.0" encoding="UTF-8" standalone="no"?>', "<annotations>", *elements, "</annotations>"]
    )


KIM, SHE, IT, LEFT = unit("u1", 0, 3, REF="Kim"), unit("u2", 10, 13), unit("u3", 20, 22), unit("u4", 4, 8)
FILE = write_annotations(unit("p", 0, 30, "paragraph"), KIM, SHE, IT, unit("u5", 14, 18, "EVENT"), schema("s1", "u1", "u2"))


def read(text: str = FILE, beside: str | None = TEXT, **options: str) -> Corpus:
    return glozz.read(
        File("d.aa", text.encode(), "d", {".ac": None if beside is None else beside.encode()}.get), **options
    )


def test_schemas_are_entities_and_other_units_of_their_types_mentions() -> None:
    found = read()
    assert entity_texts(found) == {"Kim": ["Kim", "She"], "u3": ["It"]}
    assert found.attributes == {"type": ["MENTION"] * 3, "REF": ["Kim", "", ""]}
    assert notice_kinds(found) == ["left-out-unit"]
    assert entity_texts(read(units="EVENT")) == {"u5": ["sang"]}


def test_relations_of_coreference_make_entities_and_others_lead_to_them() -> None:
    found = read(
        write_annotations(KIM, SHE, IT, LEFT, relation("r1", "ANAPHORE", "u2", "u1"), relation("r2", "Cause", "u3", "u2"))
    )
    assert entity_texts(found) == {"Kim": ["Kim", "She"], "u4": ["left"], "u3": ["It"]}
    assert [each[:4] for each in found.relations] == [("Cause", "d", (20, 21), ("Kim",))]
    only = read(
        write_annotations(KIM, SHE, relation("r1", "ANAPHORE", "u2", "u1"), relation("r2", "Cause", "u1", "u2")),
        relations="Cause",
    )
    assert [each.kind for each in only.relations] == ["ANAPHORE"]


def test_references_make_entities_where_nothing_else_does() -> None:
    found = read(write_annotations(KIM, unit("u2", 10, 13, REF="Kim"), unit("u3", 20, 22, REF="rain")))
    assert entity_texts(found) == {"Kim": ["Kim", "She"], "rain": ["It"]}


def test_schemas_within_schemas_and_circles() -> None:
    found = read(write_annotations(KIM, SHE, IT, schema("s1", "u2", "s2"), schema("s2", "u1", "s1")))
    assert entity_texts(found)["Kim"] == ["Kim", "She"]
    assert notice_kinds(found) == ["circular-schema", "circular-schema"]


def test_annotators_are_named_and_chosen() -> None:
    both = write_annotations(
        KIM, SHE, unit("u3", 20, 22, author="ben"), schema("s1", "u1", "u2"), schema("s2", "u3", author="ben")
    )
    found = read(both)
    assert [notice.details["annotators"] for notice in found.notices] == [["anna", "ben"]]
    assert entity_texts(read(both, annotator="ben")) == {"s2": ["It"]}
    with pytest.raises(InputError, match="there is no annotator eve; expected one of anna, ben"):
        read(both, annotator="eve")


def test_every_fault_is_reported_with_its_line() -> None:
    broken = write_annotations(
        KIM, unit("u1", 4, 8), unit("u6", 20, 31), unit("u7", 5, 5), schema("s1", "u1", "u6", "u7", "u9")
    )
    with pytest.raises(InputError) as caught:
        read(broken)
    assert [(fault.line, fault.what) for fault in caught.value.faults] == [
        (5, "unit 'u1' is there already or has no id"),
        (7, "unit u6 is at 20 to 31"),
        (9, "unit u7 is at 5 to 5"),
        (11, "schema s1 has 'u9', which is not there"),
    ]
    with pytest.raises(InputError, match="relation r1 has 1 term; expected two"):
        read(write_annotations(KIM, relation("r1", "coref", "u1")))
    with pytest.raises(InputError, match="no unit"):
        read("<annotations></annotations>")


def test_files_are_read_with_their_text(tmp_path: Path) -> None:
    (tmp_path / "d.aa").write_text(FILE)
    (tmp_path / "d.ac").write_text(TEXT)
    found = corefeval.read(tmp_path)
    assert (found.format, found.documents) == ("glozz", ("d",))
    assert run("validate", tmp_path / "d.aa").returncode == 0
    assert run("convert", tmp_path / "d.aa", tmp_path / "d.ann").returncode == 0
    alone = read(FILE, None)
    assert alone.entities() == found.entities()
    assert notice_kinds(alone) == ["missing-text", "left-out-unit"]


@given(edits("<", ">", '"', "u1", "99", "", "<schema id='s1'>", "\0", "-1", "</type>"))
def test_damaged_files_give_a_corpus_or_an_error(made: Any) -> None:
    try:
        found = read(edited(FILE, made))
    except InputError as error:
        assert error.faults  # noqa: PT017 - either is fine
    else:
        assert isinstance(found, Corpus)
