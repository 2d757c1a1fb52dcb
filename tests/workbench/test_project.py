"""A project remembers every edit: replayed, undone, exported, seen by others, and there after a kill."""

from __future__ import annotations

import copy
import json
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import corefeval
from corefeval.errors import InputError, OptionError, OutputError
from corefeval.workbench.annotations import dump_annotation
from corefeval.workbench.edits import EditConflictError, EditError
from corefeval.workbench.project import Project, choose_path
from tests.data import ROOT
from tests.rounds import few_or_many
from tests.workbench.made import KEY, draw_edit, make_project, partition


def test_edits_are_there_when_the_project_is_opened_again(tmp_path: Path) -> None:
    project = make_project(tmp_path)
    entry = project.make_edit("ann", "response", 0, {"kind": "merge", "entities": ["e1", "e4"]})
    assert (entry.revision, entry.author, entry.kind) == (1, "ann", "merge")
    now = project.annotations
    project.close()
    again = Project(project.path)
    assert again.annotations == now
    assert again.entries == project.entries
    assert partition(again.get_annotation("key", 0)) == partition(KEY)
    again.close()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=15)
@given(data=st.data())
def test_replay_undo_redo_and_the_json_patch_tell_the_same(tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "random.corefeval"
    for old in tmp_path.glob("random.corefeval*"):
        old.unlink()
    project = make_project(tmp_path, "random")
    history = [dict(project.annotations)]
    for _ in range(data.draw(st.integers(1, 8))):
        side = data.draw(st.sampled_from(["key", "response"]))
        try:
            project.make_edit("ann", side, 0, draw_edit(data.draw, project.get_annotation(side, 0)))
        except EditError:
            continue
        history.append(dict(project.annotations))
    check_patch(project)
    for state in reversed(history[:-1]):
        assert project.undo("ann") is not None
        assert strip(project) == strip(state)
    assert project.undo("ann") is None
    for state in history[1:]:
        assert project.redo("ann") is not None
        assert strip(project) == strip(state)
    assert project.redo("ann") is None
    check_patch(project)
    project.close()
    again = Project(str(path))
    assert strip(again) == strip(history[-1])
    again.close()


def strip(states: Any) -> dict[Any, Any]:
    """Mentions and entities without the next free number, which only grows."""
    found = states.annotations if isinstance(states, Project) else states
    return {place: annotation[:2] for place, annotation in found.items()}


def check_patch(project: Project) -> None:
    """The patch makes of the start what is there now."""
    made = apply_patch(project.export_start(), json.loads(json.dumps(project.export_patch())))
    now = {side: {"story": dump_annotation(project.get_annotation(side, 0))} for side in project.sides}
    assert made == {"sides": now}


def apply_patch(document: Any, patch: list[dict[str, Any]]) -> Any:
    """A JSON patch applied by the words of RFC 6902."""
    result = copy.deepcopy(document)
    for operation in patch:
        *steps, last = (step.replace("~1", "/").replace("~0", "~") for step in operation["path"].split("/")[1:])
        target = result
        for step in steps:
            target = target[step]
        if operation["op"] in ("remove", "replace"):
            assert last in target
        if operation["op"] == "remove":
            del target[last]
        else:
            target[last] = operation["value"]
    return result


def test_an_edit_of_something_edited_since_is_a_conflict_and_nothing_else_is(tmp_path: Path) -> None:
    project = make_project(tmp_path)
    project.make_edit("ann", "key", 0, {"kind": "move", "mentions": ["m3"], "entity": "e5"}, revision=0)
    project.make_edit("bob", "key", 0, {"kind": "delete", "mentions": ["m9"]}, revision=0)
    for edit in (
        {"kind": "delete", "mentions": ["m3"]},
        {"kind": "make", "runs": [[12, 12]], "entity": "e5"},
        {"kind": "merge", "entities": ["e8", "e1"]},
    ):
        with pytest.raises(EditConflictError, match="has edited these since"):
            project.make_edit("bob", "key", 0, edit, revision=0)
    assert project.revision == 2
    project.make_edit("bob", "response", 0, {"kind": "delete", "mentions": ["m3"]}, revision=0)
    project.make_edit("bob", "key", 0, {"kind": "delete", "mentions": ["m3"]}, revision=2)
    project.close()


def test_two_processes_see_each_others_edits(tmp_path: Path) -> None:
    one = make_project(tmp_path)
    other = Project(one.path)
    one.make_edit("ann", "key", 0, {"kind": "delete", "mentions": ["m2"]})
    with pytest.raises(EditConflictError):
        other.make_edit("bob", "key", 0, {"kind": "delete", "mentions": ["m2"]})
    other.make_edit("bob", "key", 0, {"kind": "delete", "mentions": ["m3"]}, revision=1)
    one.add_side("third")
    one.refresh()
    other.refresh()
    assert one.annotations == other.annotations
    assert list(other.sides) == ["key", "response", "third"]
    one.close()
    other.close()


def test_each_author_undoes_their_own_edits_and_passes_over_what_others_have_changed(tmp_path: Path) -> None:
    project = make_project(tmp_path)
    project.make_edit("ann", "key", 0, {"kind": "move", "mentions": ["m3"], "entity": "e5"})
    project.make_edit("bob", "key", 0, {"kind": "delete", "mentions": ["m3"]})
    assert project.count_turns("ann") == (1, 0)
    with pytest.raises(EditConflictError):
        project.undo("ann")
    skipped = project.undo("ann", skip=True)
    assert skipped is not None
    assert skipped.change.list_touched() == set()
    assert project.count_turns("ann") == (0, 1)
    project.undo("bob")
    assert "m3" in project.get_annotation("key", 0).mentions
    project.close()


def test_sides_are_added_by_names_of_their_own(tmp_path: Path) -> None:
    project = make_project(tmp_path)
    project.add_side("adjudicated")
    assert project.get_annotation("adjudicated", 0).mentions == {}
    for name in ("key", "", "a\nb", "x" * 81):
        with pytest.raises(EditError):
            project.add_side(name)
    with pytest.raises(EditError, match="did you mean response"):
        project.get_annotation("respnse", 0)
    with pytest.raises(EditError, match="no document number 1"):
        project.get_annotation("key", 1)
    project.close()


def test_what_is_no_project_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "text.corefeval"
    text.write_text("this is no database, though it is long enough to be looked at" * 20)
    with pytest.raises(InputError, match="not a project"):
        Project(str(text))
    with pytest.raises(InputError, match="no such project"):
        Project(str(tmp_path / "none.corefeval"))
    other = tmp_path / "other.corefeval"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE log (x)")
    connection.close()
    with pytest.raises(InputError, match="not a project"):
        Project(str(other))
    make_project(tmp_path).close()
    with pytest.raises(OutputError, match="is there already"):
        make_project(tmp_path)
    for name in ("", "../x", "a/b", ".hidden", "x" * 101, "a\0b"):
        with pytest.raises(OptionError):
            choose_path(str(tmp_path), name)


def test_a_side_can_be_written_in_any_format(tmp_path: Path) -> None:
    project = make_project(tmp_path)
    project.make_edit("ann", "response", 0, {"kind": "make", "runs": [[12, 12]], "entity": "e1"})
    expected = partition(project.get_annotation("response", 0))
    for suffix in ("conll", "jsonl", "conllu"):
        path = tmp_path / f"written.{suffix}"
        corefeval.write(project.build_corpus("response"), path)
        entities = corefeval.read(path).entities()["story"]
        assert {frozenset((span,) for span in entity) for entity in entities} == expected
    project.close()


def test_threads_write_one_after_another(tmp_path: Path) -> None:
    project = make_project(tmp_path)
    project.make_edit("all", "key", 0, {"kind": "delete", "entities": ["e1", "e5", "e8"]})

    def work(number: int) -> None:
        for first in range(3):
            project.make_edit(f"author {number}", "key", 0, {"kind": "make", "runs": [[first, first + number]]})

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert project.revision == 25
    assert len(project.get_annotation("key", 0).mentions) == 24
    project.close()


@few_or_many(20, 200)
def test_nothing_confirmed_is_lost_when_the_process_is_killed(tmp_path: Path, rounds: int) -> None:
    project = make_project(tmp_path)
    project.close()
    command = [sys.executable, "-m", "tests.workbench.killed", project.path, str(rounds), "7"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["confirmed"] > rounds
    assert found["written"] >= found["confirmed"]
