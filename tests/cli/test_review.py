"""What an adversarial review of the first version found, so that it stays mended."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import corefeval
from corefeval import Corpus, InputError, OptionError, Scorer, Signature
from corefeval.corpus.mentions import Spans
from corefeval.measures import Lea, Muc
from tests.data import EXAMPLES

KEY = str(EXAMPLES / "key.conll")


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "corefeval", *arguments]
    encoding = environment.get("PYTHONIOENCODING", "utf-8")
    return subprocess.run(
        command, capture_output=True, check=False, encoding=encoding, env={**os.environ, **environment}
    )


def words(*lines: str) -> str:
    return "\n".join(["#begin document d", *lines, "#end document", ""])


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.uint8, np.int32])
def test_labels_of_small_types_are_not_wrapped(kind: Any) -> None:
    labels = np.arange(np.iinfo(kind).min, np.iinfo(kind).min + 256).astype(kind)
    corpus = Corpus.from_labels(mention=np.arange(256), entity=labels)
    assert len(corpus.entity_document) == 256


def test_unsigned_and_signed_mentions_are_compared_as_numbers() -> None:
    key = Corpus.from_labels(mention=np.array([2**63 + 1, 2**63 + 2, 3], dtype=np.uint64), entity=[0, 1, 1])
    score = corefeval.score(key, Corpus.from_labels(mention=[1, 2, 3], entity=[0, 1, 1]))["mentions"]
    assert (score.recall_numerator, score.recall_denominator) == (1, 3)


@pytest.mark.parametrize(
    "mention", [[1, "1"], ["a", float("nan")], np.ma.masked_array([1, 2], mask=[False, True]), [[1], [1, 2]]]
)
def test_labels_of_mixed_kinds_are_refused(mention: Any) -> None:
    with pytest.raises(InputError):
        Corpus.from_labels(mention=mention, entity=[0, 0])


@pytest.mark.parametrize("comment", ["# text = He left (1)", "#sent -", "# global.Entity = (1)"])
def test_comments_that_end_like_cells_are_comments(comment: str, tmp_path: Path) -> None:
    path = tmp_path / "file.conll"
    path.write_text(words("d\t0\t0\tHe\t(1)", comment, "d\t0\t1\tleft\t(1)"))
    assert corefeval.read(path).entities() == {"d": [[(0, 0), (1, 1)]]}


def test_a_word_may_be_a_hash(tmp_path: Path) -> None:
    path = tmp_path / "file.conll"
    path.write_text(words("He\t(1)", "#\t-", "it\t(1)"))
    assert corefeval.read(path).entities() == {"d": [[(0, 0), (2, 2)]]}


def test_files_in_which_every_cell_is_empty_have_no_mentions(tmp_path: Path) -> None:
    path = tmp_path / "file.conll"
    path.write_text(words(*(f"d\t0\t{i}\t{word}\t" for i, word in enumerate(["(7)", "said", "(7)"]))))
    assert corefeval.read(path).entities() == {"d": []}
    path.write_text(words(*(f"d\t0\t{i}\tw\t" for i in range(3000)), "d\t0\t0\tx\t(1)"))
    assert corefeval.read(path).entities() == {"d": [[(3000, 3000)]]}


def test_a_tab_behind_every_cell_is_a_slip(tmp_path: Path) -> None:
    path = tmp_path / "file.conll"
    path.write_text(words(*(f"d\t0\t{i}\tw\t({i % 7})\t" for i in range(5000))))
    assert len(corefeval.read(path)) == 5000


def test_long_words_and_comments_take_no_time(tmp_path: Path) -> None:
    path = tmp_path / "file.conll"
    path.write_text(words("a" * 400_000))
    with pytest.raises(InputError, match="is not a coreference cell"):
        corefeval.read(path)
    path.write_text(words("# " + "x" * 400_000, "w -"))
    assert len(corefeval.read(path)) == 0


def test_entities_that_share_thousands_of_mentions_are_counted_by_kind() -> None:
    many = list(range(4000))
    links = corefeval.score([many, many], [many])["blanc"].links
    assert links["key_coreference"] == 4000 * 3999 // 2
    assert links["key_noncoreference"] == 4000 * 3999 // 2 + 4000


def test_names_are_told_apart_by_their_bytes(tmp_path: Path) -> None:
    path = tmp_path / "file.conll"
    path.write_bytes(b"#begin document caf\xe9\nw -\n#end document\n#begin document caf\xe8\nw -\n#end document\n")
    assert corefeval.read(path).documents == (r"caf\xe9", r"caf\xe8")


def test_documents_whose_names_are_alike_as_text_are_refused() -> None:
    documents: Any = {1: [["a"]], "1": [["b"]]}
    with pytest.raises(InputError, match="same name"):
        corefeval.score(documents, documents)


def test_written_names_stay_different(tmp_path: Path) -> None:
    corpus = Corpus(
        ("d",), np.zeros(4, dtype=np.int64), ["a_b_2", "a_b", "a b", "1+2"], np.arange(4),
        Spans(np.arange(4), np.arange(4)),
    )  # fmt: skip
    corefeval.write(corpus, tmp_path / "file.conll")
    assert len(corefeval.read(tmp_path / "file.conll").entities()["d"]) == 4


def test_tiny_importance_is_not_lost() -> None:
    key = [[2 * i, 2 * i + 1] for i in range(200)]
    for scale in (1e-31, 1e-20, 1e-5):
        assert corefeval.score(key, key)[Lea(importance=partial(np.multiply, scale))].f1 == 1


def test_measures_that_are_written_alike_are_not_mixed_up() -> None:
    with pytest.raises(OptionError, match="both written lea:importance=custom"):
        corefeval.score([[1]], [[1]], measures=[Lea(importance=np.sqrt), Lea(importance=np.log1p)])


@pytest.mark.parametrize("measures", [5, [None], [["muc"]], [Muc]])
def test_what_is_no_measure_is_said_to_be_none(measures: Any) -> None:
    with pytest.raises(OptionError, match="is not a measure"):
        corefeval.score([[1]], [[1]], measures=measures)


def test_numbers_of_numpy_are_numbers() -> None:
    assert Muc(beta=np.float32(2)) == Muc(beta=2) == Muc(beta=np.int64(2))  # type: ignore[arg-type]
    assert str(Muc(undefined=np.int64(1))) == "muc:undefined=1"  # type: ignore[arg-type]
    with pytest.raises(OptionError):
        Muc(undefined=True)
    weights = np.array([1.0, 3.0])
    assert corefeval.score([[1, 2], [3]], [[1, 2]])[Lea(key_weights=weights)].recall == 0.25  # type: ignore[arg-type]
    assert corefeval.score({"d": [[1, 2], [3]]}, {"d": [[1, 2]]})[Lea(key_weights={"d": weights})].recall == 0.25
    for wrong in (3, lambda size: [1, 2, 3, 4, 5], lambda size: "much"):
        with pytest.raises(OptionError, match="lea"):
            corefeval.score([[1, 2], [3]], [[1, 2]])[Lea(importance=wrong)]  # type: ignore[arg-type]


def test_large_numbers_in_signatures_can_be_read_back() -> None:
    signature = corefeval.score([[1, 2]], [[1, 2]], measures=["muc:beta=1e6", "bcub"]).signature
    assert Signature.parse(signature).measures == ("muc:beta=1e06", "bcub")
    assert corefeval.measures.parse("muc:beta=1e06") == Muc(beta=1e6)


def test_errors_travel_between_processes() -> None:
    unhashable: Any = [[[1]]]
    with pytest.raises(InputError) as caught:
        corefeval.score(unhashable, [[1]])
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_workers_need_not_name_their_documents() -> None:
    one, other = Scorer("muc"), Scorer("muc")
    one.update([[1, 2]], [[1, 2]])
    other.update([[1, 2]], [[1], [2]])
    one.merge(other)
    assert one.compute()["muc"].recall == 0.5
    assert list(one) == ["1", "2"]


def test_an_empty_response_leaves_the_precision_of_blanc_undefined() -> None:
    score = corefeval.score([[1, 2], [3]], [])["blanc"]
    assert score.undefined == ("precision",)
    assert corefeval.score([[1, 2], [3]], [])["blanc:undefined=1"].precision == 1


def test_nothing_in_common_is_said() -> None:
    result = corefeval.score([[1, 2]], [["1", "2"]])
    assert [notice.kind for notice in result.notices] == ["nothing-in-common"]
    assert "1 (int)" in result.notices[0].message
    assert "'1' (str)" in result.notices[0].message


def test_messages_name_the_file_in_a_directory(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text(words("d\t0\t0\tw\t(1)|(2)").replace("document d", f"document {name}"))
    result = corefeval.score(tmp_path, tmp_path)
    assert any(notice.message.startswith(f"{tmp_path / 'b'}:2: ") for notice in result.notices)
    (tmp_path / "c").write_text("x y\n")
    assert [n.message for n in corefeval.read(tmp_path).notices] == [
        f"{tmp_path / 'c'}: skipped, for it is not in a known format"
    ]
    for name in ("a", "b"):
        (tmp_path / name).write_text(words("d\t0\t0\tw\t(1"))
    with pytest.raises(InputError) as caught:
        corefeval.read(tmp_path)
    assert [Path(fault.source).name for fault in caught.value.faults] == ["a", "b"]


def test_all_bad_and_missing_files_are_named_at_once(tmp_path: Path) -> None:
    (tmp_path / "junk").write_text("x y\n")
    done = run("score", str(tmp_path / "junk"), str(tmp_path / "nothing"))
    assert done.returncode == 65
    assert [line.split(":")[0] for line in done.stderr.splitlines()] == [
        str(tmp_path / "junk"),
        str(tmp_path / "nothing"),
    ]
    assert run("score", KEY, "").returncode == 66
    assert run("score", KEY, "x" * 5000).returncode == 65


def test_broken_links_in_directories_are_not_passed_over(tmp_path: Path) -> None:
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    with pytest.raises(corefeval.MissingFileError):
        corefeval.read(tmp_path)


def test_terminals_that_know_few_letters_get_an_answer() -> None:
    for arguments in (("score", KEY, KEY), ("measures",), ("measures", "lea")):
        done = run(*arguments, PYTHONIOENCODING="cp1252")
        assert (done.returncode, done.stderr) == (0, "")


def test_output_that_cannot_be_written_is_said() -> None:
    command = f"{sys.executable} -m corefeval score {KEY} {KEY} > /dev/full"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False, text=True)
    assert done.returncode == 74
    assert done.stderr.startswith("standard output: cannot be written")
    done = subprocess.run(
        ["bash", "-c", command.replace("> /dev/full", ">&-")], capture_output=True, check=False, text=True
    )
    assert (done.returncode, done.stderr) == (74, "standard output: it is closed\n")


def test_thresholds_are_read_strictly() -> None:
    assert run("score", KEY, KEY, "--fail-under", "conll=nan").returncode == 2
    assert run("score", KEY, KEY, "--fail-under", "distributional_error=10").returncode == 2
    missed = run("score", KEY, str(EXAMPLES / "response-b.conll"), "--fail-under", "conll=66.602")
    assert "is 66.60" in missed.stderr


def test_counts_of_warnings_are_the_number_of_events(tmp_path: Path) -> None:
    key, path = tmp_path / "key", tmp_path / "file.conll"
    key.write_text(words(*(f"d\t0\t{i}\tw{i}\t(1)" for i in range(3000))))
    path.write_text(words(*(f"d\t0\t{i}\tw{i}\t(1)|(2)" for i in range(3000))))
    shown = run("score", str(key), str(path), "-m", "muc").stderr.splitlines()
    assert "warning: and 2,995 more of kind repeated-mention (-v shows them)" in shown


def test_stars_compare_like_with_like() -> None:
    shown = run("score", KEY, str(EXAMPLES / "response-a.conll"), "--singletons", "both").stdout
    assert "*" not in shown


def test_names_of_measures_are_suggested_whatever_their_case() -> None:
    assert "did you mean muc" in run("score", KEY, KEY, "-m", "MUC").stderr
    assert run("measures", "lea:foo=1").returncode == 2
