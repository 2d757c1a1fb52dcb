"""A new format is one file and one line in the registry: everything else knows it from there."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

import corefeval
from corefeval import InputError, formats
from corefeval.formats import registry
from tests.cli.running import run

MODULE = '''"""Arrows: a line for each entity, its words joined by arrows.

    %arrows
    story: 0 -> 2 -> 7
"""

from corefeval.corpus.corpus import Corpus
from corefeval.formats.base import Capacity, File
from corefeval.formats.draft import Draft

TITLE = "a line for each entity, words joined by arrows"
EXAMPLE = "%arrows\\\\nstory: 0 -> 2 -> 7"
SUFFIXES = (".arrows",)
COMPANIONS = ()
CAPACITY = Capacity(units=("word",), words=False, names=False, empty=False)


def recognise(beginning: bytes) -> str:
    return "'%arrows' found" if beginning.startswith(b"%arrows") else ""


def read(file: File) -> Corpus:
    draft = Draft(file.name)
    documents = {}
    for number, line in enumerate(file.data.decode().splitlines()[1:], 2):
        name, colon, words = line.partition(": ")
        if not colon or not all(word.isdecimal() for word in words.split(" -> ")):
            draft.add_fault(number, f"{line!r} is not an entity", "DOCUMENT: WORD -> WORD")
            continue
        document = documents.setdefault(name, None) or draft.add_document(name)
        documents[name] = document
        for word in words.split(" -> "):
            document.add_mention(str(number), (int(word), int(word)), line=number)
    return draft.build_corpus()


def write(corpus: Corpus) -> bytes:
    lines = ["%arrows"]
    for name, entities in corpus.entities().items():
        lines += [f"{name}: " + " -> ".join(str(first) for first, _ in mentions) for mentions in entities]
    return "".join(f"{line}\\\\n" for line in lines).encode()
'''.replace("\\\\n", "\\n")
CONTENT = "%arrows\nstory: 0 -> 2 -> 7\nstory: 4 -> 5\n"


@pytest.fixture
def arrows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Add a file to the folder of formats, and a line to the registry; returns a file in the new format."""
    folder = tmp_path / "formats"
    folder.mkdir()
    (folder / "arrows.py").write_text(MODULE)
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(folder)])
    monkeypatch.delitem(sys.modules, "corefeval.formats.arrows", raising=False)
    monkeypatch.setattr(registry, "BUILT_IN", (*registry.BUILT_IN, "arrows"))
    path = tmp_path / "key.arrows"
    path.write_text(CONTENT)
    return path


def test_it_is_recognised_read_and_written(arrows: Path, tmp_path: Path) -> None:
    corpus = corefeval.read(arrows)
    assert corpus.format == "arrows"
    assert corpus.recognised == "'%arrows' found, and the file's name"
    assert corpus.entities() == {"story": [[(0, 0), (2, 2), (7, 7)], [(4, 4), (5, 5)]]}
    (tmp_path / "unnamed").write_text(CONTENT)
    assert corefeval.read(tmp_path / "unnamed").format == "arrows"
    assert corefeval.read(arrows, format="arrows").entities() == corpus.entities()
    (lost,) = corefeval.write(corpus, tmp_path / "again.arrows")
    assert lost.kind == "lost-entity-names"
    assert (tmp_path / "again.arrows").read_text() == CONTENT


def test_its_faults_have_their_lines(arrows: Path) -> None:
    arrows.write_text("%arrows\nx\nstory: 1\ny\n")
    with pytest.raises(InputError) as caught:
        corefeval.read(arrows)
    assert [fault.line for fault in caught.value.faults] == [2, 4]


def test_all_commands_know_it(arrows: Path, tmp_path: Path) -> None:
    score = run("score", arrows, arrows, "--format", "arrows", "-m", "muc", "--csv", "-v")
    assert (score.returncode, "read as arrows (as asked for)" in score.stderr) == (0, True), score.stderr
    assert run("validate", arrows).returncode == 0
    converted = run("convert", arrows, tmp_path / "key.json")
    assert converted.returncode == 0, converted.stderr
    back = run("convert", tmp_path / "key.json", tmp_path / "back", "--to", "arrows")
    assert (back.returncode, (tmp_path / "back").read_text()) == (0, CONTENT), back.stderr
    listed = run("formats").stdout
    assert "arrows: a line for each entity, words joined by arrows\n  read and write; .arrows\n    %arrows" in listed
    assert "Arrows: a line for each entity" in run("formats", "arrows").stdout
    misspelt = run("score", arrows, arrows, "--format", "arrow")
    assert (misspelt.returncode, "did you mean arrows" in misspelt.stderr) == (2, True)


@pytest.mark.usefixtures("arrows")
def test_the_documentation_knows_it() -> None:
    script = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "make_formats.py"))
    assert (
        "| [`arrows`](formats/arrows.md) | a line for each entity, words joined by arrows | words |" in script["made"]()
    )
    page = script["make_pages"]()["arrows"]
    assert "Arrows: a line for each entity, its words joined by arrows." in page
    assert "corefeval convert examples/key.conll key-arrows.arrows --to arrows" in page
