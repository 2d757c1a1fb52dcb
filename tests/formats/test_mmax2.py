"""Reading projects of MMAX2: their files, their sets and links, and what is wrong with them."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefeval
from corefeval import Corpus, InputError
from corefeval.formats import mmax2
from corefeval.formats.base import File
from tests.cli.running import run
from tests.formats.content import entity_texts, notice_kinds
from tests.formats.edits import edited, edits

if TYPE_CHECKING:
    from pathlib import Path

PROJECT = """<?xml version="1.0" encoding="UTF-8"?>
<mmax_project>
<words>d_words.xml</words>
<gestures></gestures>
</mmax_project>
"""
WORDS = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE words SYSTEM "words.dtd">
<words>
<word id="word_1">Kim</word>
<word id="word_2">Lee</word>
<word id="word_3">&amp;</word>
<word id="word_4">Sons</word>
<word id="word_5">She</word>
<word id="word_6">left</word>
<word id="word_7">it</word>
</words>
"""
SENTENCES = """<markables xmlns="www.eml.org/NameSpaces/sentence">
<markable mmax_level="sentence" id="markable_0" span="word_1..word_4"/>
<markable mmax_level="sentence" id="markable_1" span="word_5..word_7"/>
</markables>
"""
COREF = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE markables SYSTEM "markables.dtd">
<markables xmlns="www.eml.org/NameSpaces/coref">
<markable id="markable_2" span="word_5" coref_class="set_5" mmax_level="coref" mention="pronoun" split="empty" />
<markable id="markable_1" span="word_1..word_2,word_4" coref_class="set_5" mmax_level="coref" mention="np" />
<markable id="markable_3" span="word_7" coref_class="empty" mmax_level="coref" mention="pronoun" />
</markables>
"""
FILES = {
    "Basedata/d_words.xml": WORDS,
    "Markables/d_coref_level.xml": COREF,
    "Markables/d_sentence_level.xml": SENTENCES,
}
COMMON = """<common_paths><basedata_path>Base/</basedata_path><markable_path>Marks/</markable_path>
<annotations><level name="coref_anna" schemefile="s.xml">$_anna.xml</level>
<level name="coref_ben">$_ben.xml</level></annotations></common_paths>
"""


def read(files: dict[str, Any] | None = None, project: str = PROJECT, **options: str) -> Corpus:
    there = {
        f"x/{name}": text.encode() if isinstance(text, str) else text
        for name, text in {**FILES, **(files or {})}.items()
    }
    return mmax2.read(File("x/d.mmax", project.encode(), "d", lambda suffix: None, there.get), **options)


def coref(*markables: str) -> dict[str, Any]:
    return {"Markables/d_coref_level.xml": "\n".join(["<markables>", *markables, "</markables>"])}


def faults(files: dict[str, Any], project: str = PROJECT) -> list[str]:
    with pytest.raises(InputError) as caught:
        read(files, project)
    return [str(fault) for fault in caught.value.faults]


def test_a_project_is_words_sentences_and_sets() -> None:
    found = read()
    assert entity_texts(found) == {"set_5": ["Kim Lee ... Sons", "She"], "markable_3": ["it"]}
    assert [each.sentences for each in found] == [[["Kim", "Lee", "&", "Sons"], ["She", "left", "it"]]]
    (document,) = found
    assert [mention.id for mention in document.mentions] == [((0, 1), (3, 3)), (4, 4), (6, 6)]
    assert [mention.attributes for mention in document.mentions] == [
        {"mention": "np"}, {"mention": "pronoun"}, {"mention": "pronoun"},
    ]  # fmt: skip
    assert found.place(0, "") == "x/Markables/d_coref_level.xml:4"
    assert not found.notices


def test_spans_may_overlap_themselves_and_leave_the_prefix_out() -> None:
    found = read(coref('<markable id="m" span="word_2..4,word_3,word_6"/>'))
    assert found.entities()["d"] == [[((1, 3), (5, 5))]]


def test_links_are_closed_and_bridging_is_a_relation() -> None:
    markables = [
        '<markable id="markable_1" span="word_1" head="kim"/>',
        '<markable id="markable_2" span="word_2..word_4" head="lee" ref="markable_1;markable_4" type="ident"/>',
        '<markable id="markable_3" span="word_5" ref="np:markable_2" type="pred"/>',
        '<markable id="markable_4" span="word_7" ref="empty"/>',
        '<markable id="markable_5" span="word_6" ref="markable_3" type="bridge"/>',
    ]
    found = read(coref(*markables))
    assert entity_texts(found) == {"markable_1": ["Kim", "Lee & Sons", "She", "it"], "markable_5": ["left"]}
    assert found.relations[0][:5] == ("bridge", "d", (5, 5), ("markable_1",), "bridge")
    (document,) = found
    assert [mention.head for mention in document.mentions] == [(0, 0), (1, 1), None, None, None]
    only_ident = read(coref(*markables), identity="ident")
    assert entity_texts(only_ident)["markable_1"] == ["Kim", "Lee & Sons", "it"]


def test_minimum_spans_non_referring_markables_and_bridging_of_arrau() -> None:
    found = read(coref(
        '<markable id="markable_1" span="word_1..word_4" coref_set="set_1" min_words="sons" min_ids="word_4"/>',
        '<markable id="markable_2" span="word_2..word_4" coref_set="set_2" min_words="Lee &amp;" related_phrase="markable_1"/>',
        '<markable id="markable_3" span="word_7" reference="non_referring"/>',
        '<markable id="markable_4" span="word_5" coref_set="set_1" min_ids="word_9"/>',
        '<markable id="markable_5" span="word_6" coref_set="set_3" min_words="right"/>',
    ))  # fmt: skip
    (document,) = found
    assert [mention.minimum for mention in document.mentions] == [(3, 3), (1, 2), None, None]
    assert entity_texts(found.layers["non_referring"]) == {"markable_3": ["it"]}
    assert [each[:4] for each in found.relations] == [("bridge", "d", (1, 3), ("set_1",))]
    assert notice_kinds(found) == ["minimum-outside"] * 2


def test_sentences_of_corea_are_said_by_words() -> None:
    words = '<words><word id="w1" alpsent="1" alppos="0">a</word><word id="w2" alpsent="1">b</word><word id="w3" alpsent="2">c</word></words>'
    found = read({"Basedata/d_words.xml": words, "Markables/d_sentence_level.xml": None, **coref()})
    assert [each.sentences for each in found] == [[["a", "b"], ["c"]]]


def test_folders_and_levels_are_those_of_common_paths_and_other_annotators_are_named() -> None:
    files = {
        "common_paths.xml": COMMON,
        "Base/d_words.xml": WORDS,
        "Marks/d_anna.xml": COREF,
        "Marks/d_ben.xml": COREF.replace("set_5", "set_6"),
    }
    found = read(files)
    assert list(entity_texts(found)) == ["set_5", "markable_3"]
    assert [notice.details["levels"] for notice in found.notices] == [["coref_ben"]]
    assert list(entity_texts(read(files, level="coref_ben"))) == ["set_6", "markable_3"]
    with pytest.raises(InputError, match=r"no markables of level coref_eve; .* there are coref_anna, coref_ben"):
        read(files, level="coref_eve")


def test_a_declared_encoding_is_read() -> None:
    words = '<?xml version="1.0" encoding="ISO-8859-1"?><words><word id="word_1">Café</word></words>'.encode("latin-1")
    only_word = coref('<markable id="m" span="word_1"/>')
    found = read({"Basedata/d_words.xml": words, "Markables/d_sentence_level.xml": None, **only_word})
    assert entity_texts(found) == {"m": ["Café"]}
    odd = words.replace(b"ISO-8859-1", b"EBCDIC")
    assert faults({"Basedata/d_words.xml": odd}) == [
        "x/Basedata/d_words.xml:1: the encoding ebcdic; expected UTF-8; convert the file, and its first line"
    ]


def test_every_fault_is_reported_with_its_file_and_line() -> None:
    markables = coref(
        '<markable id="a" span="word_8"/>',
        '<markable id="b" span="word_4..word_2"/>',
        '<markable id="c" span="word_1" ref="z"/>',
        '<markable id="c" span="word_2"/>',
        '<markable id="e"/>',
    )
    found = faults(
        {"Basedata/d_words.xml": WORDS.replace("word_3", "word_2"), "Markables/d_sentence_level.xml": None, **markables}
    )
    level = "x/Markables/d_coref_level.xml"
    assert [fault.partition(";")[0] for fault in found] == [
        f"{level}:2: markable a has word 'word_8', which is not there",
        f"{level}:3: markable b has word_4..word_2, which runs backwards",
        f"{level}:4: ref of c is 'z', which is not there",
        f"{level}:5: a markable with the id 'c'",
        "x/Basedata/d_words.xml:6: a word with the id 'word_2'",
        f"{level}:6: markable e has word '', which is not there",
    ]


@pytest.mark.parametrize("path", ["../d_words.xml", "a/../../d_words.xml", "..\\d_words.xml"])
def test_paths_stay_within_the_folder(path: str) -> None:
    named = PROJECT.replace("d_words.xml", path).replace("<words>", "<basedata_path>.</basedata_path><words>")
    assert "is outside of the folder of the project" in faults({"../d_words.xml": WORDS}, named)[0]
    absolute = named.replace(path, "/etc/passwd")
    assert "there is no x/etc/passwd" in faults({"/etc/passwd": WORDS}, absolute)[0]


def test_what_is_missing_is_a_fault() -> None:
    assert "there is no x/basedata/d_words.xml" in faults({"Basedata/d_words.xml": None})[0]
    assert "no markables of level coref or np or phrase" in faults({"Markables/d_coref_level.xml": None})[0]
    assert "does not name its words" in faults({}, "<mmax_project></mmax_project>")[0]
    assert "entities are declared" in faults({"Basedata/d_words.xml": '<!DOCTYPE w [<!ENTITY a "b">]>' + WORDS})[0]


def make_folder(folder: Path) -> Path:
    for name, text in {
        "d.mmax": PROJECT,
        "common_paths.xml": "<common_paths/>",
        "Schemes/s.xml": "<annotationscheme/>",
        **FILES,
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_folders_archives_and_single_projects_are_read(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "c")
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        for path in sorted(folder.rglob("*.*")):
            archive.write(path, path.relative_to(tmp_path))
    for source in (folder, tmp_path / "c.zip", folder / "d.mmax"):
        found = corefeval.read(source)
        assert (found.format, found.documents) == ("mmax2", ("d",))
        assert entity_texts(found) == entity_texts(read())
        assert not found.notices
    assert run("validate", folder).returncode == 0
    assert run("convert", folder, tmp_path / "c.conll").returncode == 0
    with pytest.raises(ValueError, match="can be read but not written"):
        corefeval.write(found, tmp_path / "x", format="mmax2")


@given(
    edits("<", "&", "word_1", "..", ",", '"', "markable_2", "", "<word id='a'>", "\0", "set_1"),
    st.sampled_from(sorted(FILES)),
)
def test_damaged_files_give_a_corpus_or_an_error(made: Any, name: str) -> None:
    try:
        found = read({name: edited(FILES[name], made)})
    except InputError as error:
        assert error.faults  # noqa: PT017 - either is fine
    else:
        assert isinstance(found, Corpus)
