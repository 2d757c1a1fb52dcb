"""Pairs of records, labelled or scored: their closure is the corpus; contradictions and gaps are counted."""

from __future__ import annotations

from pathlib import Path

import pytest

import corefeval
from corefeval.formats import registry
from corefeval.formats.table.pair_names import find_sides
from tests.cli.running import run


def read(folder: Path, content: str, format_: str | None = None) -> corefeval.Corpus:
    """Return the corpus of a CSV file with this content."""
    path = folder / "pairs.csv"
    path.write_text(content, encoding="utf-8")
    return corefeval.read(path, format_)


def get_entities(corpus: corefeval.Corpus) -> set[frozenset[object]]:
    """The entities of a corpus of one document, as sets."""
    (entities,) = corpus.entities().values()
    return {frozenset(entity) for entity in entities}


def test_entities_are_the_closure_of_the_matches(tmp_path: Path) -> None:
    corpus = read(tmp_path, "id_l,id_r,match\na,b,1\nc,b,1\nd,e,0\na,a,1\n")
    assert corpus.format == "pairs"
    assert get_entities(corpus) == {frozenset("abc"), frozenset("d"), frozenset("e")}
    (notice,) = corpus.notices
    assert notice.kind == "closure"
    assert "the transitive closure of 3 of 4 pairs; records in no pair are not known" in str(notice)


def test_labels_that_the_closure_contradicts_are_counted_and_named(tmp_path: Path) -> None:
    corpus = read(tmp_path, "id_l,id_r,match\na,b,1\nb,c,1\na,c,0\nb,a,0\nd,e,0\n")
    (notice,) = [notice for notice in corpus.notices if notice.kind == "contradicted-label"]
    message = "2 pairs are labelled as no match although matches join their records: a and c, b and a"
    assert str(notice).endswith(f"pairs.csv:4: {message}")
    assert notice.details["count"] == 2


@pytest.mark.parametrize(
    ("labels", "matches"),
    [
        (("1", "0"), (True, False)),
        (("TRUE", "False"), (True, False)),
        (("yes", "n"), (True, False)),
        (("match", "distinct"), (True, False)),
        (("0.5", "0.49"), (True, False)),
        (("1.0", "unsure"), (True, False)),
    ],
)
def test_labels_may_be_words_or_numbers(tmp_path: Path, labels: tuple[str, str], matches: tuple[bool, bool]) -> None:
    corpus = read(tmp_path, f"id_l,id_r,label\na,b,{labels[0]}\nc,d,{labels[1]}\n")
    found = get_entities(corpus)
    assert (frozenset("ab") in found, frozenset("cd") in found) == matches
    assert ("unlabelled-pair" in {notice.kind for notice in corpus.notices}) == (labels[1] == "unsure")


def test_scores_need_a_threshold(tmp_path: Path) -> None:
    content = "unique_id_l,unique_id_r,match_probability\n1,2,0.9\n2,3,0.6\n"
    with pytest.raises(corefeval.InputError, match="pairs with scores; expected the least score of a match"):
        read(tmp_path, content)
    assert get_entities(read(tmp_path, content, "pairs:threshold=0.6")) == {frozenset((1, 2, 3))}
    assert get_entities(read(tmp_path, content, "pairs:threshold=0.61")) == {frozenset((1, 2)), frozenset((3,))}
    with pytest.raises(corefeval.OptionError, match="threshold=high: expected a number"):
        read(tmp_path, content, "pairs:threshold=high")


def test_where_a_file_has_both_labels_are_read_unless_scores_are_asked_for(tmp_path: Path) -> None:
    content = "id_l,id_r,match,score\n1,2,0,0.9\n2,3,1,0.1\n"
    assert get_entities(read(tmp_path, content)) == {frozenset((1,)), frozenset((2, 3))}
    asked = read(tmp_path, content, "pairs:score=score,threshold=0.5")
    assert get_entities(asked) == {frozenset((1, 2)), frozenset((3,))}


def test_a_table_of_all_records_adds_singletons(tmp_path: Path) -> None:
    (tmp_path / "all.csv").write_text("record_id,name\n1,x\n2,x\n7,x\n", encoding="utf-8")
    corpus = read(tmp_path, "id_l,id_r,match\n1,2,1\n", f"pairs:records={tmp_path / 'all.csv'}")
    assert get_entities(corpus) == {frozenset((1, 2)), frozenset((7,))}
    assert corpus.notices == ()  # nothing is unknown
    with pytest.raises(corefeval.InputError, match="no such file; expected a table of all records"):
        read(tmp_path, "id_l,id_r,match\n1,2,1\n", "pairs:records=nowhere.csv")


def test_ids_of_several_tables_are_joined_to_these(tmp_path: Path) -> None:
    content = (
        "source_dataset_l,unique_id_l,source_dataset_r,unique_id_r,clerical_match_score\n"
        "crm,1,web,1,1.0\ncrm,2,web,9,0.0\n"
    )
    assert frozenset(("crm/1", "web/1")) in get_entities(read(tmp_path, content))
    (tmp_path / "clusters.csv").write_text(
        "cluster_id,unique_id,name,source_dataset\ncrm-__-1,1,x,crm\ncrm-__-1,1,y,web\n", encoding="utf-8"
    )
    table = corefeval.read(tmp_path / "clusters.csv")
    assert get_entities(table) == {frozenset(("crm/1", "web/1"))}
    assert "records are named by source_dataset and unique_id together, as in crm/1" in str(table.notices[0])
    asked = corefeval.read(tmp_path / "clusters.csv", "table:id=source_dataset+unique_id")
    assert (asked.entities(), asked.notices) == (table.entities(), ())
    plain = corefeval.read(tmp_path / "clusters.csv", "table:id=name")
    assert get_entities(plain) == {frozenset(("x", "y"))}


@pytest.mark.parametrize(
    ("names", "sides"),
    [
        ("id_l,id_r,match", [([0], [1])]),
        ("left_id,right_id,score", [([0], [1])]),
        ("ltable_id,rtable_id,label", [([0], [1])]),
        ("score,Record ID 1,Record ID 2", [([1], [2])]),
        ("id1,id2", [([0], [1])]),
        ("left,right,score", [([0], [1])]),
        ("name_l,name_r,score", []),
        ("id_l,id_r,unique_id_l,unique_id_r", [([0], [1]), ([2], [3])]),
    ],
)
def test_which_columns_are_the_two_records(names: str, sides: list[tuple[list[int], list[int]]]) -> None:
    assert find_sides(names.split(",")) == sides


def test_other_names_are_given_as_options(tmp_path: Path) -> None:
    corpus = read(tmp_path, "a,b,same\n1,2,1\n", "pairs:left=a,right=b,match=same")
    assert get_entities(corpus) == {frozenset((1, 2))}


@pytest.mark.parametrize(
    ("header", "format_"),
    [
        ("id_l,id_r,match", "pairs"),
        ("id,id_l,id_r,label", "pairs"),  # an id of the pair, and its label: no records and entities
        ("unique_id_l,unique_id_r,match_weight,match_probability", "pairs"),
        ("unique_id,cluster_id", "table"),
        ("mention,entity,left,right", "table"),
        ("z_minScore,z_maxScore,z_cluster,id,name", "table"),
    ],
)
def test_files_are_recognised_by_their_columns(header: str, format_: str) -> None:
    cells = ",".join("1" for _ in header.split(","))
    assert registry.recognise("some.csv", f"{header}\n{cells}\n".encode()).name == format_


@pytest.mark.parametrize(
    ("content", "format_", "expected"),
    [
        ("id_l,id_r,match\n1,2,maybe\n", None, "pairs.csv:2: match is 'maybe'; expected 1 or 0, true or false"),
        ("id_l,id_r,match\n1,2,7\n", None, "pairs.csv:2: match is '7'"),
        ("id_l,id_r,match\n,2,1\n", None, "pairs.csv:2: nothing in column 'id_l'"),
        ("id_l,id_r,match\n1,2\n", None, "pairs.csv:2: 2 cells; expected 3 as in the first row"),
        ("x,y,match\n1,2,1\n", "pairs", "pairs.csv:1: no columns for the two records"),
        (
            "id_l,id_r,unique_id_l,unique_id_r,match\n1,2,3,4,1\n",
            "pairs",
            "id_l and id_r or unique_id_l and unique_id_r",
        ),
    ],
)
def test_faults_have_their_lines(tmp_path: Path, content: str, format_: str | None, expected: str) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(content, encoding="utf-8")
    done = run("stats", path, *(("--format", format_) if format_ else ()))
    assert done.returncode == 65
    assert expected in done.stderr


def test_labelled_pairs_of_zingg_are_not_taken_for_entities(tmp_path: Path) -> None:
    path = tmp_path / "marked.csv"
    path.write_text("z_cluster,z_isMatch,id\n0,1,a\n0,1,b\n1,0,c\n1,0,d\n", encoding="utf-8")
    with pytest.raises(corefeval.InputError, match="z_cluster numbers labelled pairs here, as z_isMatch says"):
        corefeval.read(path)


def test_labelled_pairs_are_a_key(tmp_path: Path) -> None:
    (tmp_path / "key.csv").write_text("id_l,id_r,match\n1,2,1\n2,3,1\n4,5,0\n", encoding="utf-8")
    (tmp_path / "edges.csv").write_text("id_l,id_r,score\n1,2,0.9\n4,5,0.7\n2,3,0.5\n", encoding="utf-8")
    evaluation = corefeval.score(
        tmp_path / "key.csv", tmp_path / "edges.csv", response_format="pairs:threshold=0.7", measures="pairwise"
    )
    # The key links 3 pairs, the response 2, of which one is right.
    assert (evaluation["pairwise"].recall, evaluation["pairwise"].precision) == (1 / 3, 1 / 2)
    swept = corefeval.sweep(tmp_path / "edges.csv", tmp_path / "key.csv", measures="pairwise")
    assert swept.get_curve()["recall"].tolist() == [0, 1 / 3, 1 / 3, 1]


def test_validate_lists_contradictions_as_warnings_and_the_closure_as_information(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("id_l,id_r,match\n1,2,1\n2,3,1\n1,3,0\n", encoding="utf-8")
    (found,) = corefeval.validate(path).files
    assert found.grades == {"error": 0, "warning": 1, "info": 1}
    assert dict(found.counts) == {"contradicted-label": 1, "closure": 1}
