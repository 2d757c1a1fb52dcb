"""The commands about files, as a user calls them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import corefeval
from corefeval.formats import registry
from tests.cli.running import run, run_process
from tests.data import public_data

if TYPE_CHECKING:
    from pathlib import Path


CONLL = """#begin document story
story\t0\t0\tKim\t(1
story\t0\t1\tLee\t1)
story\t0\t2\tleft\t-

story\t0\t0\tShe\t(1)
story\t0\t1\twon\t-
#end document
"""
LINE = {"doc_key": "story", "sentences": [["Kim", "Lee", "left"], ["She", "won"]], "clusters": [[[0, 1], [3, 3]]]}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "key.conll").write_text(CONLL)
    (tmp_path / "response.jsonlines").write_text(json.dumps(LINE) + "\n")
    (tmp_path / "story.txt").write_text("Kim Lee left\nShe won")
    (tmp_path / "story.ann").write_text("T1\tPerson 0 7\tKim Lee\nT2\tPerson 13 16\tShe\n*\tCoreference T1 T2\n")
    return tmp_path


@pytest.mark.parametrize("response", ["key.conll", "response.jsonlines", "story.ann"])
@pytest.mark.parametrize("key", ["key.conll", "response.jsonlines", "story.ann"])
def test_key_and_response_in_different_formats(key: str, response: str, files: Path) -> None:
    done = run("score", str(files / key), str(files / response), "-v", "--csv")
    assert done.stdout.count(",1.0") > 8
    assert done.stderr.count("read as") == 2
    assert "warning" not in done.stderr


def test_a_format_can_be_told(files: Path) -> None:
    (files / "odd").write_text(json.dumps([[[0, 1], [3, 3]]]))
    done = run("score", str(files / "key.conll"), str(files / "odd"), "--response-format", "json", "--json", "-v")
    assert "(as asked for)" in done.stderr
    assert json.loads(done.stdout)["evaluations"][0]["measures"]["conll"]["f1"] == 1.0
    wrong = run("score", str(files / "key.conll"), str(files / "key.conll"), "--key-format", "jsonlines")
    assert wrong.returncode == 65
    assert f"{files / 'key.conll'}:1: " in wrong.stderr
    assert run("score", "a", "b", "--format", "connl").returncode == 2


def test_a_file_is_converted_through_every_written_format_and_back(files: Path) -> None:
    for name in registry.BUILT_IN:
        capacity = registry.load_format(name).CAPACITY
        if capacity is None or not capacity.words:
            continue
        target = files / "there" / f"file{registry.load_format(name).SUFFIXES[0]}"
        target.parent.mkdir(exist_ok=True)
        assert run("convert", str(files / "key.conll"), str(target)).returncode == 0, name
        done = run("convert", str(target), "-", "--to", "conll", "-q")
        assert corefeval_entities(done.stdout, files) == [[(0, 1), (3, 3)]], name


def corefeval_entities(text: str, folder: Path) -> list[object]:
    (folder / "back.conll").write_text(text)
    (entities,) = corefeval.read(folder / "back.conll").entities().values()
    return [sorted(entity) for entity in entities]  # type: ignore[type-var]


def test_what_is_left_out_is_named(files: Path) -> None:
    (files / "zeros.conllu").write_text(
        "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
        "1\tKim\t_\t_\t_\t_\t2\tnsubj\t_\tEntity=(e1-person-1)\n"
        "2\tleft\t_\t_\t_\t_\t0\troot\t_\t_\n"
        "2.1\t_\t_\t_\t_\t_\t_\t_\t2:nsubj\tEntity=(e1-person-1)\n\n"
    )
    done = run("convert", str(files / "zeros.conllu"), str(files / "out.conll"))
    assert done.returncode == 0
    assert "1 zero left out: " in done.stderr
    assert "conll has no place for it" in done.stderr
    strict = run("convert", "--strict", str(files / "zeros.conllu"), str(files / "strict.conll"))
    assert strict.returncode == 65
    assert not (files / "strict.conll").exists()


def test_standard_input_packed_files_and_what_cannot_be_written(files: Path) -> None:
    assert run("convert", "-", str(files / "a.jsonlines.gz"), stdin=CONLL).returncode == 0
    assert (files / "a.jsonlines.gz").read_bytes().startswith(b"\x1f\x8b")
    assert run("convert", str(files / "a.jsonlines.gz"), "-", "--to", "conll").stdout.startswith("#begin document")
    assert run("convert", str(files / "key.conll"), str(files / "a.unknown")).returncode == 2
    assert run("convert", str(files / "key.conll"), str(files / "a.x"), "--to", "ace").returncode == 2
    assert run("convert", str(files / "key.conll"), str(files / "none" / "a.conll")).returncode == 74
    assert run("convert", str(files / "none"), str(files / "a.conll")).returncode == 66


def test_formats_are_listed_and_explained() -> None:
    listed = run("formats").stdout
    for name in registry.BUILT_IN:
        assert f"{name}: {registry.load_format(name).TITLE}" in listed
        assert len(registry.load_format(name).EXAMPLE.strip().splitlines()) >= 3, name
    explained = run("formats", "muc").stdout
    assert "COREF" in explained
    assert run("formats", "mucc").returncode == 2


def test_litbank_scores_the_same_in_all_its_editions() -> None:
    editions = public_data("litbank") / "editions"
    key = corefeval.read(next(editions.glob("*onll*")))
    for edition in sorted(editions.iterdir()):
        evaluation = corefeval.score(key, edition)
        assert evaluation["conll"].f1 == 1.0, edition
        assert evaluation["mentions"].f1 == 1.0, edition


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["conll-scorer", "corefud-scorer", "ua-scorer"])
def test_all_files_of_the_scorers_suites_are_read(folder: str) -> None:
    formats = {"conll-scorer": {"conll"}, "corefud-scorer": {"corefud"}, "ua-scorer": {"ua", "conll"}}[folder]
    paths = [path for path in public_data(folder).rglob("*") if path.suffix in (".key", ".response", ".sys")]
    assert len(paths) > 30
    for path in paths:
        corpus = corefeval.read(path)
        assert corpus.format in formats, path
        assert len(corpus) or path.read_bytes().count(b"(") == 0, path


def test_standard_input_is_read_once() -> None:
    assert run_process("validate", "-", "-", stdin=b"").returncode == 2
