"""What annotators' disagreements are settled from: INCEpTION's export, the list of them, a draft by majority."""

from __future__ import annotations

import csv
import io
import json
import shutil
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest

import corefeval
from corefeval import InputError
from corefeval.agreement.adjudication import COLUMNS, draft_majority, write_disagreements
from tests.cli.running import run

if TYPE_CHECKING:
    from pathlib import Path

LAYER = "de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceType|referenceRelation"
WORDS = ["Kim", "saw", "her", "dog", "it", "barked"]
CHAINS = {
    "ann": {"one.txt": [[0, 2], [3, 4]], "two.txt": [[0, 2]]},
    "bob": {"one.txt": [[0, 2], [3, 4]], "two.txt": [[0, 2, 4]]},
    "cy": {"one.txt": [[0, 2, 4], [3]], "two.txt": [[0], [2]]},
}
"""For each annotator and document, entities of single words. In one.txt cy has "it" with Kim."""


def tsv(entities: list[list[int]]) -> str:
    """A document as INCEpTION writes it."""
    cells = {}
    for chain, entity in enumerate(entities, 1):
        for place, marked in enumerate(entity, 1):
            cells[marked] = f"*[{chain}]\tcoref->{chain}-{place}"
    lines, at = [], 0
    for number, word in enumerate(WORDS):
        lines.append(f"1-{number + 1}\t{at}-{at + len(word)}\t{word}\t{cells.get(number, f'_{chr(9)}_')}\t\n")
        at += len(word) + 1
    return f"#FORMAT=WebAnno TSV 3.3\n#T_CH={LAYER}\n\n\n#Text={' '.join(WORDS)}\n{''.join(lines)}"


def write_export(root: Path) -> Path:
    """Write a project as INCEpTION exports it: annotators, curation, sources and its own files."""
    for annotator, documents in CHAINS.items():
        for document, entities in documents.items():
            folder = root / "annotation" / document
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{annotator}.tsv").write_text(tsv(entities))
            (folder / "INITIAL_CAS.tsv").write_text(tsv([]))
    for document, entities in CHAINS["ann"].items():
        for kind, name in (("curation", "CURATION_USER.tsv"), ("annotation_ser", "ann.ser"), ("source", "x")):
            path = root / kind / document / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(tsv(entities) if kind == "curation" else "x")
    (root / "exportedproject.json").write_text("{}")
    return root


@pytest.fixture
def export(tmp_path: Path) -> Path:
    return write_export(tmp_path / "export")


def test_an_export_of_inception_is_read_by_annotator(export: Path) -> None:
    corpora = corefeval.formats.read_annotators(export)
    assert list(corpora) == ["ann", "bob", "cy"]
    for name, corpus in corpora.items():
        expected = {doc: [[(word, word) for word in each] for each in listed] for doc, listed in CHAINS[name].items()}
        assert corpus.entities() == expected
    by_hand = {name: corefeval.Corpus.from_entities(corpus.entities()) for name, corpus in corpora.items()}
    assert corefeval.agree(export, draws=2).summary == corefeval.agree(by_hand, draws=2).summary


def test_the_export_as_zip_and_the_folder_of_annotations_give_the_same(export: Path, tmp_path: Path) -> None:
    packed = shutil.make_archive(str(tmp_path / "packed"), "zip", export)
    whole = shutil.make_archive(str(tmp_path / "whole"), "zip", tmp_path, "export")
    results = []
    for path in (export, packed, whole, export / "annotation"):
        done = run("agree", path, "--draws", "2", "--json")
        assert done.returncode == 0, done.stderr
        content = json.loads(done.stdout)
        results.append((content["mean"], [each["name"] for each in content["annotators"]], content["mentions"]))
    assert all(each == results[0] for each in results)
    assert results[0][1] == ["ann", "bob", "cy"]


def test_files_that_are_packed_one_by_one_are_annotators_too(export: Path) -> None:
    for path in list((export / "annotation").rglob("*.tsv")):
        with ZipFile(path.with_suffix(".zip"), "w") as archive:
            archive.write(path, "webanno1234export.tsv")
        path.unlink()
    corpora = corefeval.formats.read_annotators(export)
    assert {name: corpus.documents for name, corpus in corpora.items()} == dict.fromkeys(CHAINS, ("one.txt", "two.txt"))


def test_what_is_nobodys_annotation_is_said(export: Path) -> None:
    done = run("agree", export, "--draws", "2")
    assert "4 files are not read, for they are no annotator's" in done.stderr


def test_a_folder_that_tells_no_annotators_apart_is_refused(export: Path, tmp_path: Path) -> None:
    (tmp_path / "flat").mkdir()
    (tmp_path / "flat" / "ann.tsv").write_text(tsv([[0, 2]]))
    for path in (tmp_path / "flat", tmp_path):
        done = run("agree", path)
        assert done.returncode == 65, done.stdout
        assert "annotation/DOCUMENT/USER.tsv" in done.stderr
    assert run("agree").returncode == run("agree", tmp_path / "flat" / "ann.tsv").returncode == 2


def test_every_disagreement_has_a_row_for_each_annotator(export: Path, tmp_path: Path) -> None:
    assert run("agree", export, "--draws", "2", "--disagreements", tmp_path / "d.csv").returncode == 0
    rows = list(csv.DictReader(io.StringIO((tmp_path / "d.csv").read_text())))
    assert tuple(rows[0]) == COLUMNS
    # In both documents annotators disagree on each of their mentions: four of one.txt and three of two.txt.
    assert len(rows) == 3 * 7
    it = [row for row in rows if (row["document"], row["mention"]) == ("two.txt", "it")]
    assert [(row["annotator"], row["marked"], row["kind"]) for row in it] == [
        ("ann", "no", "not marked by all"), ("bob", "yes", "not marked by all"), ("cy", "no", "not marked by all"),
    ]  # fmt: skip
    assert [(row["place"], row["line"], row["with"]) for row in it] == [
        ("4-4", "", ""), ("4-4", "10", "Kim | her"), ("4-4", "", ""),
    ]  # fmt: skip
    others = {row["annotator"]: row["with"] for row in rows if (row["document"], row["mention"]) == ("one.txt", "it")}
    assert others == {"ann": "dog", "bob": "dog", "cy": "Kim | her"}


def test_full_agreement_has_no_disagreements() -> None:
    agreement = corefeval.agree({"a": {"d": [[1, 2]]}, "b": {"d": [[1, 2]]}}, draws=2)
    assert write_disagreements(agreement) == ",".join(COLUMNS)


def test_a_draft_has_what_more_than_half_agree_on(export: Path, tmp_path: Path) -> None:
    """Of one.txt what ann and bob have; of two.txt Kim and her, whom they link, and not `it`, which one has marked."""
    done = run("agree", export, "--draws", "2", "--draft", tmp_path / "draft.conll")
    assert done.returncode == 0, done.stderr
    draft = corefeval.read(tmp_path / "draft.conll")
    assert [{frozenset(entity) for entity in each} for each in draft.entities().values()] == [
        {frozenset([(0, 0), (2, 2)]), frozenset([(3, 3), (4, 4)])},
        {frozenset([(0, 0), (2, 2)])},
    ]
    for suffix in ("jsonlines", "conllu", "json"):
        path = tmp_path / f"draft.{suffix}"
        assert run("agree", export, "--draws", "2", "--draft", path).returncode == 0
        assert run("score", tmp_path / "draft.conll", path, "--fail-under", "conll=100").returncode == 0
        assert run("validate", path).returncode == 0


def test_two_annotators_draft_what_both_have_and_links_chain() -> None:
    both = corefeval.agree({"a": {"d": [[1, 2, 3], [4]]}, "b": {"d": [[1, 2], [3, 4]]}}, draws=2)
    assert draft_majority(both).entities() == {"d": [[1, 2], [3], [4]]}
    # 1 and 2 are linked by a and b, 2 and 3 by b and c, 1 and 3 by b alone: the links make one entity.
    three = {"a": {"d": [[1, 2], [3]]}, "b": {"d": [[1, 2, 3]]}, "c": {"d": [[1], [2, 3]]}}
    assert draft_majority(corefeval.agree(three, draws=2)).entities() == {"d": [[1, 2, 3]]}


def test_a_draft_takes_the_annotators_of_each_document(tmp_path: Path) -> None:
    """b alone has the second document; of four annotators two are no majority."""
    agreement = corefeval.agree({"a": {"d": [[1, 2]]}, "b": {"d": [[1, 2]], "e": [[5, 6]]}}, draws=2)
    assert draft_majority(agreement).entities() == {"d": [[1, 2]], "e": [[5, 6]]}
    four = {name: {"d": [[1, 2]] if name in "ab" else [[1], [2]]} for name in "abcd"}
    assert draft_majority(corefeval.agree(four, draws=2)).entities() == {"d": [[1], [2]]}


def test_annotators_of_other_words_have_no_draft(tmp_path: Path) -> None:
    lines = ({"doc_key": "d", "sentences": [words], "clusters": clusters} for words, clusters in (
        (["can", "not", "he"], [[[0, 1], [2, 2]]]), (["cannot", "he"], [[[0, 0], [1, 1]]]), (["cannot", "he"], [[[0, 0], [1, 1]]]),
    ))  # fmt: skip
    paths = {}
    for name, line in zip("abc", lines, strict=True):
        paths[name] = tmp_path / f"{name}.jsonlines"
        paths[name].write_text(json.dumps(line) + "\n")
    assert draft_majority(corefeval.agree(paths, draws=2)).unit == "word"  # all mentions are those of the first
    (tmp_path / "a.jsonlines").write_text(
        json.dumps({"doc_key": "d", "sentences": [["can", "not", "he"]], "clusters": []})
    )
    with pytest.raises(InputError, match="a and b have different words in document 'd'"):
        draft_majority(corefeval.agree(paths, draws=2))
