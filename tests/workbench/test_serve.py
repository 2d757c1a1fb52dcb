"""The command `corefeval serve`: where projects are, what they start with, and that it answers as soon as it says where."""

from __future__ import annotations

import json
import shutil
import threading
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

import corefeval
from corefeval.errors import InputError, OptionError
from corefeval.lab.registry import STUDIES, has_partitions, study
from corefeval.workbench.opening import create_project, join_sides, list_examples, open_example
from corefeval.workbench.project import Project
from corefeval.workbench.running import choose_place, choose_rules, prepare_project, write_view
from corefeval.workbench.workspace import OpenProject
from tests.cli.running import run
from tests.data import EXAMPLES
from tests.workbench.command import serve


def test_it_answers_many_at_once_from_the_start_and_keeps_edits_beside_the_key(tmp_path: Path) -> None:
    for name in ("key.conll", "response-a.conll"):
        shutil.copy(EXAMPLES / name, tmp_path)
    with serve(tmp_path, "key.conll", "response-a.conll") as address:
        base, _, token = address.partition("/?token=")
        statuses: list[int] = []

        def ask(path: str, body: Any = None) -> None:
            headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
            data = None if body is None else json.dumps(body).encode()
            with urllib.request.urlopen(urllib.request.Request(base + path, data, headers), timeout=20) as answer:
                statuses.append(answer.status)

        scores = "/api/projects/key/scores?document=0&key=key&response=response-a"
        paths = ["/api/projects", "/api/studies", "/", scores, "/api/projects/key/agreement?document=1"] * 3
        threads = [threading.Thread(target=ask, args=(path,)) for path in paths]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert statuses == [200] * 15
        ask("/api/projects/key/edits", {"side": "key", "document": 0, "edit": {"kind": "delete", "entities": ["e1"]}})
        with pytest.raises(urllib.error.HTTPError):
            urllib.request.urlopen(base + "/api/projects", timeout=20)
    project = Project(str(tmp_path / "key.corefeval"))
    assert [entry.kind for entry in project.entries] == ["delete"]
    project.close()


def test_the_project_is_beside_the_key_unless_it_is_named(tmp_path: Path) -> None:
    assert choose_place(None, "a/b.conll.gz") == Path("a/b.corefeval")
    assert choose_place(None, None) == Path("workbench.corefeval")
    assert choose_place("x/y", "a/b.conll") == Path("x/y.corefeval")
    prepare_project(tmp_path / "old.corefeval", {})
    assert choose_place(None, str(tmp_path / "old.corefeval")) == tmp_path / "old.corefeval"


def test_a_project_that_is_there_goes_on_with_the_sides_that_are_new(tmp_path: Path) -> None:
    key, one, two = (corefeval.read(EXAMPLES / f"{name}.conll") for name in ("key", "response-a", "response-b"))
    place = tmp_path / "p.corefeval"
    assert prepare_project(place, {"key": key, "one": one}) == []
    project = Project(str(place))
    project.make_edit("ann", "key", 0, {"kind": "delete", "entities": ["e1"]})
    project.close()
    told = prepare_project(place, {"key": key, "one": one, "two": two})
    assert "goes on after 1 edits" in told[0]
    project = Project(str(place))
    assert list(project.sides) == ["key", "one", "two"]
    assert corefeval.score(two, project.build_corpus("two"))["conll"].f1 == 1
    assert corefeval.score(one, project.build_corpus("one"))["conll"].f1 == 1
    assert corefeval.score(key, project.build_corpus("key"))["conll"].f1 < 1
    project.close()
    with pytest.raises(OptionError, match="is there already"):
        prepare_project(place, {}, example="luo-1a")


def test_annotators_get_an_empty_key(tmp_path: Path) -> None:
    ann, bob = (corefeval.read(EXAMPLES / f"response-{name}.conll") for name in "ab")
    opened = join_sides({"ann": ann, "bob": bob}, empty_key=True)
    assert list(opened.sides) == ["key", "ann", "bob"]
    assert not any(annotation.mentions for annotation in opened.sides["key"].annotations)


def test_sides_are_brought_to_the_words_of_the_first(tmp_path: Path) -> None:
    words = corefeval.read(EXAMPLES / "key.conll")
    path = tmp_path / "letters.xml"
    corefeval.write(words, path, "muc", force=True)
    letters = corefeval.read(path)
    assert letters.unit == "character"
    opened = join_sides({"key": words, "letters": letters})
    assert [len(each.mentions) for each in opened.sides["letters"].annotations] == [
        len(each.mentions) for each in opened.sides["key"].annotations
    ]
    with pytest.raises(InputError):
        join_sides({"key": words, "labels": corefeval.Corpus.from_entities({words.documents[0]: [["a", "b"]]})})


def test_an_example_opens_by_its_name() -> None:
    assert len(open_example("popescu-belis-6").contents[0].words or ()) == 147
    with pytest.raises(OptionError, match="did you mean luo-1"):
        open_example("luo-1")


def test_every_example_and_every_study_of_partitions_opens() -> None:
    opened = {name: open_example(name) for name in [*list_examples(), *filter(has_partitions, STUDIES)]}
    assert {"luo-table-1", "lea-figure-6", "blanc-figure-6", "popescu-belis-table-3"} < set(opened)
    for name, each in opened.items():
        assert len(each.sides) > 1, name
        assert each.notices == [], name
    with pytest.raises(OptionError, match="printed numbers"):
        open_example("luo-table-3")


def test_a_study_opens_with_what_it_scores(tmp_path: Path) -> None:
    create_project(str(tmp_path / "p.corefeval"), "p", open_example("lea-figure-6")).close()
    opened = OpenProject(Project(str(tmp_path / "p.corefeval")), choose_rules(["lea", "ceafe"], {}))
    (figure,) = study("lea-figure-6").findings.figures
    for place, response in enumerate(figure.places):
        found = {each["name"]: each["values"]["f1"] for each in opened.score("key", str(response), 0)["measures"]}
        assert {name: 100 * value for name, value in found.items()} == {
            name: figure.curves[name][place] for name in ("lea", "ceafe")
        }
    opened.project.close()


def test_annotators_are_shown_beside_the_key_made_from_them(tmp_path: Path) -> None:
    opened = join_sides({name: corefeval.read(EXAMPLES / "key.conll") for name in ("ann", "b&b")}, empty_key=True)
    create_project(str(tmp_path / "p q.corefeval"), "p", opened).close()
    assert write_view(tmp_path / "p q.corefeval", adjudicate=True) == "p%20q?side=key&beside=ann&beside=b%26b"
    assert write_view(tmp_path / "p q.corefeval", adjudicate=False) == "p%20q"


def test_bad_files_are_reported_as_by_other_commands(tmp_path: Path) -> None:
    (tmp_path / "bad.conll").write_text("#begin document (x);\nx 0 0 a (1\n\n#end document\n")
    done = run("serve", str(tmp_path / "bad.conll"))
    assert done.returncode == 65
    assert "bad.conll:" in done.stderr
    assert run("serve", str(tmp_path / "none.conll")).returncode == 66
    assert list(tmp_path.glob("*.corefeval")) == []
