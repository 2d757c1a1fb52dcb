"""What files have beyond identity is shown, follows edits, and is saved: relations, layers, zeros, heads and minimums."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import corefeval
from corefeval import Corpus
from corefeval.formats.draft import Draft
from corefeval.notices import hold_announcements
from corefeval.workbench.opening import create_project, join_sides
from corefeval.workbench.project import Project
from corefeval.workbench.running import choose_rules
from corefeval.workbench.workspace import OpenProject
from tests.formats.test_ua import STORY as UA
from tests.formats.test_ua import content as list_all

COREFUD = """# newdoc id = story
# global.Entity = eid-etype-head-other
1\tKim\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1-person-1-gstype:s)
2\tmet\t_\t_\t_\t_\t_\t_\t_\t_
3\tthe\t_\t_\t_\t_\t_\t_\t_\tEntity=(e2-person-2-gstype:g
4\tman\t_\t_\t_\t_\t_\t_\t_\tEntity=e2)

1\tthe\t_\t_\t_\t_\t_\t_\t_\tBridge=e2<e3:part|Entity=(e3--2-
2\tdoor\t_\t_\t_\t_\t_\t_\t_\tEntity=e3)
2.1\t_\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1-person-1-)
3\ttold\t_\t_\t_\t_\t_\t_\t_\t_
4\tthem\t_\t_\t_\t_\t_\t_\t_\tEntity=(e4--1-)|SplitAnte=e1<e4,e2<e4

"""
TEXTS = {"ua": (UA, "conllua"), "corefud": (COREFUD, "conllu")}


def read(folder: Path, name: str) -> Corpus:
    text, suffix = TEXTS[name]
    path = folder / f"{name}.{suffix}"
    path.write_text(text, encoding="utf-8")
    return corefeval.read(path)


def open_project(folder: Path, corpus: Corpus, **others: Corpus) -> Project:
    path = folder / "p.corefeval"
    create_project(str(path), "p", join_sides({"key": corpus, **others})).close()
    return Project(str(path))


def write(corpus: Corpus, folder: Path, suffix: str) -> str:
    path = folder / f"written.{suffix}"
    with hold_announcements():
        corefeval.write(corpus, path, force=True)
    return path.read_text(encoding="utf-8")


def find_mention(project: Project, text: str) -> str:
    mentions = project.get_annotation("key", 0).mentions
    return next(key for key, each in mentions.items() if project.contents[0].write_runs(each.runs) == text)


def list_relations(corpus: Corpus) -> set[tuple[Any, ...]]:
    return {(each.kind, each.source, each.targets) for each in corpus.relations}


@pytest.mark.parametrize("name", TEXTS)
def test_a_file_that_is_opened_edited_and_saved_keeps_all_that_was_not_edited(tmp_path: Path, name: str) -> None:
    corpus = read(tmp_path, name)
    assert corpus.relations
    assert corpus.tokens is not None
    assert corpus.tokens.empty is not None
    project = open_project(tmp_path, corpus)
    as_written = write(corpus, tmp_path, TEXTS[name][1])
    assert write(project.build_corpus("key"), tmp_path, TEXTS[name][1]) == as_written
    door = find_mention(project, "the door")
    project.make_edit("a", "key", 0, {"kind": "make", "runs": [[1, 1]]})
    project.make_edit("a", "key", 0, {"kind": "respan", "mention": door, "head": None, "minimum": None})
    project.make_edit("a", "key", 0, {"kind": "delete", "mentions": [find_mention(project, "met")]})
    project.undo("a")
    saved = list_all(corefeval.read(_save(project, tmp_path, TEXTS[name][1])))
    before = list_all(corpus)
    added = {runs for e in saved["story"]["entities"].values() for runs, *_ in e} - {
        runs for e in before["story"]["entities"].values() for runs, *_ in e
    }
    assert added == {((1, 1),)}
    for part in ("relations", "words", "empty", "sentences"):
        assert saved["story"][part] == before["story"][part]
    assert {each: saved[each] for each in saved if each.startswith("layer")} == {
        each: before[each] for each in before if each.startswith("layer")
    }
    project.close()


def _save(project: Project, folder: Path, suffix: str) -> Path:
    path = folder / f"saved.{suffix}"
    with hold_announcements():
        corefeval.write(project.build_corpus("key"), path)
    return path


def test_relations_follow_what_they_are_of(tmp_path: Path) -> None:
    project = open_project(tmp_path, read(tmp_path, "ua"))
    entities = {entity.name: key for key, entity in project.get_annotation("key", 0).entities.items()}
    door = find_mention(project, "the door")
    project.make_edit("a", "key", 0, {"kind": "rename", "entity": entities["2"], "name": "man"})
    project.make_edit("a", "key", 0, {"kind": "respan", "mention": door, "runs": [[7, 7]]})
    assert list_relations(project.build_corpus("key")) == {("split", "4", ("1", "man")), ("bridge", (7, 7), ("man",))}
    project.make_edit("a", "key", 0, {"kind": "merge", "entities": [entities["5"], entities["2"]]})
    assert list_relations(project.build_corpus("key")) == {("split", "4", ("1", "5")), ("bridge", (7, 7), ("5",))}
    project.undo("a")
    project.make_edit("a", "key", 0, {"kind": "delete", "mentions": [door]})
    corpus = project.build_corpus("key")
    assert list_relations(corpus) == {("split", "4", ("1", "man"))}
    assert [notice.message for notice in corpus.notices] == [
        "story: 1 relation of mentions or entities that were edited away left out"
    ]
    project.undo("a")
    assert len(project.build_corpus("key").relations) == 2
    project.close()


@pytest.mark.parametrize("split_antecedents", ["drop", "keep"])
@pytest.mark.parametrize("name", TEXTS)
def test_scores_count_what_the_files_have(tmp_path: Path, name: str, split_antecedents: str) -> None:
    key = read(tmp_path, name)
    response = key.keep(key.entity > 0)
    opened = OpenProject(
        open_project(tmp_path, key, response=response),
        choose_rules(["conll", "muc"], {"split_antecedents": split_antecedents}),
    )
    found = {each["name"]: each["values"] for each in opened.score("key", "response", None)["measures"]}
    expected = corefeval.score(key, response, measures="conll,muc", split_antecedents=split_antecedents)
    assert found == {str(m): {field: expected[m].values[field] for field in m.shown} for m in expected.measures}
    opened.project.close()


def test_a_side_in_other_words_keeps_relations_and_says_what_it_loses(tmp_path: Path) -> None:
    sides = []
    for words, last, door in (["Kim", "Lee", "'s", "door"], 1, (3, 3)), (["Kim Lee", "'s", "door"], 0, (2, 2)):
        draft = Draft("file")
        document = draft.add_document("d", words=words)
        document.add_mention("1", (0, last))
        document.add_mention("2", door, head=door)
        document.add_relation("bridge", door, ["1"])
        sides.append(draft.build_corpus())
    key, response = sides
    opened = join_sides({"key": key, "response": response})
    assert any("its heads and minimums (1) are left out" in notice for notice in opened.notices)
    path = tmp_path / "p.corefeval"
    create_project(str(path), "p", opened).close()
    project = Project(str(path))
    assert list_relations(project.build_corpus("response")) == {("bridge", (3, 3), ("1",))}
    project.close()
