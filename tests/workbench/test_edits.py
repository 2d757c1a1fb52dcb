"""Edits do what they say, on sets; whatever is done can be undone; ids are stable."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefeval.workbench.annotations import (
    Annotation,
    Content,
    build_corpus,
    dump_annotation,
    dump_content,
    load_annotation,
    load_content,
    read_annotations,
)
from corefeval.workbench.edits import (
    EditConflictError,
    EditError,
    apply_change,
    dump_change,
    find_matches,
    load_change,
    plan_edit,
    plan_replacement,
)
from tests.workbench.made import KEY, STORY, annotate, draw_edit, partition


def edited(annotation: Annotation, **edit: Any) -> Annotation:
    return apply_change(annotation, plan_edit(STORY, annotation, edit))


def sets(*entities: str) -> set[frozenset[Any]]:
    return partition(annotate(*entities))


@pytest.mark.parametrize(
    ("edit", "after"),
    [
        ({"kind": "make", "runs": [[12, 12]]}, sets("0 7 16", "2 9", "4-5 11 18-19", "12")),
        ({"kind": "make", "runs": [[12, 12]], "entity": "e5"}, sets("0 7 16", "2 9 12", "4-5 11 18-19")),
        ({"kind": "move", "mentions": ["m3", "m6"], "entity": "e8"}, sets("0 16", "9", "4-5 11 18-19 7 2")),
        ({"kind": "move", "mentions": ["m3", "m6"], "entity": None}, sets("0 16", "9", "4-5 11 18-19", "7 2")),
        ({"kind": "move", "mentions": ["m6", "m7"], "entity": "e1"}, sets("0 7 16 2 9", "4-5 11 18-19")),
        ({"kind": "merge", "entities": ["e8", "e1"]}, sets("2 9", "4-5 11 18-19 0 7 16")),
        ({"kind": "delete", "mentions": ["m6", "m7", "m2"]}, sets("7 16", "4-5 11 18-19")),
        ({"kind": "delete", "entities": ["e8"]}, sets("0 7 16", "2 9")),
        ({"kind": "respan", "mention": "m9", "runs": [[3, 5]]}, sets("0 7 16", "2 9", "3-5 11 18-19")),
        ({"kind": "add_matches", "text": "THE shop", "entity": "e5"}, sets("0 7 16", "2 9 4-5 18-19", "11")),
        ({"kind": "add_matches", "text": "shop"}, sets("0 7 16", "2 9", "4-5 11 18-19", "5 19")),
        ({"kind": "link", "links": [["m2", "m6"], ["m7", "m9"]]}, sets("0 7 16 2 9 4-5 11 18-19")),
    ],
    ids=lambda value: value["kind"] if isinstance(value, dict) else "",
)
def test_an_edit_changes_the_entities_as_sets(edit: dict[str, Any], after: set[frozenset[Any]]) -> None:
    assert partition(edited(KEY, **edit)) == after


def test_a_mention_has_a_head_and_a_minimum_within_it_and_loses_them_with_its_words() -> None:
    made = edited(KEY, kind="make", runs=[[3, 5], [8, 8]], head=[5, 5], minimum=[4, 5])
    mention = made.mentions["m13"]
    assert (mention.runs, mention.head, mention.minimum) == (((3, 5), (8, 8)), (5, 5), (4, 5))
    shorter = edited(made, kind="respan", mention="m13", runs=[[5, 6]]).mentions["m13"]
    assert (shorter.head, shorter.minimum) == ((5, 5), None)
    without = edited(made, kind="respan", mention="m13", head=None).mentions["m13"]
    assert (without.runs, without.head, without.minimum) == (mention.runs, None, (4, 5))


def test_an_entity_has_a_name_of_its_own() -> None:
    assert edited(KEY, kind="rename", entity="e5", name="Mara").entities["e5"].name == "Mara"
    with pytest.raises(EditError, match="another entity of this document is named '1'"):
        edited(KEY, kind="rename", entity="e5", name="1")


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        ([], "an object with a kind"),
        ({"kind": "mrge"}, "did you mean merge"),
        ({"kind": ["make"]}, "is not possible"),
        ({"kind": "make", "runs": [[3, 2]]}, "not within the document"),
        ({"kind": "make", "runs": [[0, 10**9]]}, "not within the document"),
        ({"kind": "make", "runs": [[3.5, 4]]}, "counted from 0"),
        ({"kind": "make", "runs": [[True, True]]}, "counted from 0"),
        ({"kind": "make", "runs": [[4, 6], [5, 8]]}, "without overlap"),
        ({"kind": "make", "runs": []}, "a list of pairs"),
        ({"kind": "make", "runs": [[4, 5]]}, "'the shop' is a mention already"),
        ({"kind": "make", "runs": [[3, 4]], "head": [5, 5]}, "head: it is not within"),
        ({"kind": "make", "runs": [[3, 4]], "colour": "red"}, "make has no 'colour'"),
        ({"kind": "move", "mentions": []}, "none is given"),
        ({"kind": "move", "mentions": "m2"}, "a list of mention ids"),
        ({"kind": "merge", "entities": ["e1", "e1"]}, "2 to .* different entity ids"),
        ({"kind": "delete"}, "nothing is given"),
        ({"kind": "rename", "entity": "e1", "name": "a\nb"}, "printable"),
        ({"kind": "add_matches", "text": "zebra"}, "does not occur"),
        ({"kind": "add_matches", "text": ""}, "one word or more"),
        ({"kind": "link", "links": [["m2"]]}, "2 to 2 different mention ids"),
        ({"kind": "link", "links": [["m2", "m99"]]}, "no such mention: m99"),
    ],
)
def test_what_cannot_be_done_is_said(edit: Any, message: str) -> None:
    with pytest.raises(EditError, match=message):
        plan_edit(STORY, KEY, edit)


def test_a_text_of_characters_is_searched_by_whole_words() -> None:
    content = Content("page", text="Kim saw Kimmy; KIM left.")
    assert find_matches(content, "kim") == [((0, 2),), ((15, 17),)]


def test_labels_are_mentions_one_by_one() -> None:
    content = Content("", ("a", "b"), labels=("a", "b"))
    with pytest.raises(EditError, match="labels, one each"):
        plan_edit(content, Annotation(), {"kind": "make", "runs": [[0, 1]]})


@given(st.data())
def test_whatever_is_done_can_be_undone_and_done_again(data: st.DataObject) -> None:
    states = [KEY]
    changes = []
    for _ in range(data.draw(st.integers(1, 12))):
        edit = draw_edit(data.draw, states[-1])
        try:
            change = plan_edit(STORY, states[-1], edit)
        except EditError:
            continue
        assert load_change(dump_change(change)) == change
        changes.append(change)
        states.append(apply_change(states[-1], change))
        check(states[-2], states[-1])
    current = states[-1]
    for before, change in zip(reversed(states[:-1]), reversed(changes), strict=True):
        current = apply_change(current, change.invert())
        assert current[:2] == before[:2]
    for after, change in zip(states[1:], changes, strict=True):
        current = apply_change(current, change)
        assert current[:2] == after[:2]


def check(before: Annotation, after: Annotation) -> None:
    """What holds after every edit."""
    assert {mention.entity for mention in after.mentions.values()} == set(after.entities)
    names = [entity.name for entity in after.entities.values()]
    assert len(set(names)) == len(names)
    spans = [mention.runs for mention in after.mentions.values()]
    assert len(set(spans)) == len(spans)
    for runs in spans:
        flat = [place for run in runs for place in run]
        assert flat == sorted(flat)
        assert 0 <= flat[0] <= flat[-1] < STORY.length
    new = (after.mentions.keys() | after.entities.keys()) - (before.mentions.keys() | before.entities.keys())
    assert all(int(each[1:]) >= before.next for each in new), "ids are used once"
    assert after.next > max((int(each[1:]) for each in (*after.mentions, *after.entities)), default=0)
    assert load_annotation(dump_annotation(after))[:2] == after[:2]
    (again,), outside = read_annotations(build_corpus(STORY, after), [STORY])
    assert partition(again) == partition(after)
    assert outside == []


@given(st.data())
def test_a_change_of_something_else_since_is_a_conflict(data: st.DataObject) -> None:
    change = plan_edit(STORY, KEY, {"kind": "move", "mentions": ["m3"], "entity": "e5"})
    other = apply_change(KEY, plan_edit(STORY, KEY, {"kind": "delete", "mentions": ["m3"]}))
    with pytest.raises(EditConflictError) as error:
        apply_change(other, change)
    assert error.value.ids == ["m3"]


def test_an_entity_that_others_have_entered_is_not_undone() -> None:
    make = plan_edit(STORY, KEY, {"kind": "make", "runs": [[12, 12]]})
    made = apply_change(KEY, make)
    (entity,) = set(made.entities) - set(KEY.entities)
    joined = apply_change(made, plan_edit(STORY, made, {"kind": "move", "mentions": ["m3"], "entity": entity}))
    with pytest.raises(EditConflictError, match="entered or left"):
        apply_change(joined, make.invert())


def test_a_replacement_keeps_the_ids_of_what_stays() -> None:
    other = annotate("0 7 2", "4-5 11 18-19", "13", start=50)
    wanted = [[m for m in other.mentions.values() if m.entity == entity] for entity in other.entities]
    after = apply_change(KEY, plan_replacement(KEY, wanted))
    assert partition(after) == partition(other)
    assert {key: after.mentions[key].entity for key in ("m2", "m9", "m10")} == {"m2": "e1", "m9": "e8", "m10": "e8"}
    assert "m7" not in after.mentions


@pytest.mark.parametrize(
    "content",
    [
        STORY,
        Content("empty", ()),
        Content("no labels", (), labels=()),
        Content("places", ("[0]",), made_up=True),
        Content("page", text=""),
        Content("labels", ("(1, 2)", "x"), labels=((1, 2), "x")),
        Content("zeros", ("a", "b"), empty=frozenset({1}), word_attributes={"pos": ["NN", ""]}),
    ],
)
def test_a_text_comes_back_from_json(content: Content) -> None:
    again = load_content(dump_content(content))
    assert [getattr(again, name) for name in Content._fields if name in again.__dict__] == [
        getattr(content, name) for name in Content._fields if name in again.__dict__
    ]
