"""GAP's key and submissions: what they say, what is wrong with them, and responses of other formats."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corefeval
from corefeval.corpus.corpus import Corpus
from corefeval.errors import InputError
from corefeval.formats import gap, registry
from corefeval.formats.base import File
from tests.oracles import mention_measures as slow

if TYPE_CHECKING:
    from pathlib import Path

HEADER = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL"
KEY = f"""{HEADER}
t-1\tAnn told Beth that she had won.\tshe\t19\tAnn\t0\tTRUE\tBeth\t9\tFALSE\thttp://x
t-2\tDan saw "Ed" after his exam.\this\t19\tDan\t0\tFALSE\tEd\t9\tFALSE\thttp://x
"""
SUBMISSION = "t-1\tTRUE\tFALSE\nt-2\tfalse\tTrue\n"


def read(text: str | bytes) -> Corpus:
    data = text.encode() if isinstance(text, str) else text
    return gap.read(File("gap.tsv", data, "gap", lambda _: None))


def faults(text: str | bytes) -> list[str]:
    with pytest.raises(InputError) as caught:
        read(text)
    return [str(fault) for fault in caught.value.faults]


def test_a_line_is_a_document_with_a_pronoun_and_two_names() -> None:
    corpus = read(KEY)
    assert corpus.entities() == {
        "t-1": [[(19, 21), (0, 2)], [(9, 12)]],
        "t-2": [[(19, 21)], [(0, 2)], [(9, 10)]],
    }
    assert [corpus.words_of(row) for row in range(6)] == ["she", "Ann", "Beth", "his", "Dan", "Ed"]
    assert corpus.attributes["gap"] == ["pronoun", "A", "B"] * 2
    assert corpus.attributes["gender"] == ["feminine", "", "", "masculine", "", ""]
    assert corpus.line(3) == 3


def test_a_submission_says_the_same_without_places() -> None:
    corpus = read(SUBMISSION)
    assert corpus.entities() == {"t-1": [["pronoun", "A"], ["B"]], "t-2": [["pronoun", "B"], ["A"]]}
    assert read("ID\tA-coref\tB-coref\n" + SUBMISSION).entities() == corpus.entities()


@pytest.mark.parametrize("alter", [lambda t: t.replace("\n", "\r\n"), lambda t: "\ufeff" + t, lambda t: t.rstrip("\n")])
def test_layouts(alter: Any) -> None:
    for text in (KEY, SUBMISSION):
        assert read(alter(text)).entities() == read(text).entities()


def test_both_kinds_are_recognised_and_others_are_not() -> None:
    for text in (KEY, SUBMISSION, "ID\tA-coref\tB-coref\n" + SUBMISSION):
        assert registry.recognise("x.tsv", text.encode()).name == "gap"
        assert registry.recognise("x", text.encode()).name == "gap"
    assert registry.recognise("x.tsv", b"mention\tentity\n1\t2\n").name == "table"
    assert gap.recognise(b"a\tTRUE\tFALSE\tTRUE\n") == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (KEY.replace("TRUE", "yes"), "gap.tsv:2: A-coref is 'yes'; expected TRUE or FALSE"),
        (KEY.replace("\t19\tDan", "\t-1\tDan"), "gap.tsv:3: Pronoun-offset is '-1'; expected a number of characters"),
        (KEY.replace("\t9\tFALSE\thttp://x\nt-2", "\tFALSE\thttp://x\nt-2"), "gap.tsv:2: 10 columns; expected 11: ID"),
        (KEY.replace("t-2", "t-1"), "gap.tsv:3: document 't-1' is there already"),
        (KEY.replace("\tBeth\t9", "\tBeth\t900"), "gap.tsv:2: (900, 903) is not within the 31 characters"),
        (KEY.replace("\tBeth\t9", "\t\t9"), "gap.tsv:2: B is empty"),
        (SUBMISSION.replace("Ttrue", "x") + "t-1\tTRUE\tTRUE\n", "gap.tsv:3: document 't-1' is there already"),
        (SUBMISSION + "t-3\tTRUE\n", "gap.tsv:3: 2 columns; expected 3: ID, A-coref, B-coref"),
        (SUBMISSION + "t-3\tTRUE\tmaybe\n", "gap.tsv:3: B-coref is 'maybe'"),
        (HEADER + "\n", "gap.tsv:1: no example"),
    ],
)
def test_faults_are_named_with_their_line(text: str, expected: str) -> None:
    (fault,) = faults(text)
    assert fault.startswith(expected)


def test_all_faults_are_told() -> None:
    assert len(faults(KEY.replace("TRUE", "yes").replace("FALSE", "no"))) == 4


def test_what_is_odd_is_said() -> None:
    other = read(KEY.replace("\tshe\t", "\tthe\t"))
    assert [notice.kind for notice in other.notices] == ["text-differs", "no-gender"]
    assert "t-1" in other.documents


def test_a_key_with_a_pronoun_of_another_gender_counts_overall() -> None:
    key = read(KEY.replace("that she had", "that they h").replace("\tshe\t", "\tthey\t"))
    score = corefeval.score(key, read(SUBMISSION), measures="gap")["gap"]
    assert (score.recall_numerator, score.feminine.recall_denominator, score.masculine.precision_denominator) == (
        1,
        0,
        1,
    )
    assert score.undefined == ("bias",)


def test_counts_are_those_of_the_slow_scorer(tmp_path: Path) -> None:
    rng = random.Random(2018)
    pronouns = {"she": "feminine", "Her": "feminine", "he": "masculine", "Him": "masculine"}
    key: dict[str, tuple[str, bool, bool]] = {}
    response: dict[str, tuple[bool, bool]] = {}
    lines, answers = [HEADER], []
    for number in range(400):
        name, pronoun = f"t-{number}", rng.choice(list(pronouns))
        links = rng.choice(((True, False), (False, True), (False, False), (True, True)))
        found = links if rng.random() < 0.6 else (rng.random() < 0.5, rng.random() < 0.5)
        key[name] = (pronouns[pronoun], *links)
        text = f"Ann and Beth knew {pronoun} well."
        a, b = (str(link).upper() for link in links)
        lines.append(f"{name}\t{text}\t{pronoun}\t18\tAnn\t0\t{a}\tBeth\t8\t{b}\thttp://x")
        if rng.random() < 0.9:
            response[name] = found
            answers.append("\t".join((name, *(str(link).upper() for link in found))))
    rng.shuffle(answers)
    paths = tmp_path / "key.tsv", tmp_path / "response.tsv"
    for path, listed in zip(paths, (lines, answers), strict=True):
        path.write_text("\n".join(listed) + "\n", encoding="utf-8")
    evaluation = corefeval.score(*paths, measures=["gap", "gap:gender=feminine", "gap:gender=masculine", "muc"])
    expected = slow.gap(key, response)
    tallies = evaluation["gap"].links
    for gender in ("masculine", "feminine"):
        counts = expected[gender]
        assert {kind: tallies[f"{gender}_{kind}"] for kind in counts} == counts
        right, lost, wrong = counts["true_positive"], counts["false_negative"], counts["false_positive"]
        f1 = 2 * right / (2 * right + lost + wrong)
        assert evaluation[f"gap:gender={gender}"].f1 == pytest.approx(f1)
        assert evaluation["gap"].parts[gender].f1 == pytest.approx(f1)
    score = evaluation["gap"]
    assert score.recall_numerator == expected["all"]["true_positive"]
    assert score.values["bias"] == pytest.approx(score.feminine.f1 / score.masculine.f1)
    (said,) = (notice.message for notice in evaluation.notices if notice.kind == "missing-examples")
    assert "count as two false negatives each" in said
    assert f"bias (feminine/masculine) {score.values['bias']:.2f}" in str(evaluation)
    assert 0 < evaluation["muc"].f1 < 1


def test_responses_of_words_and_of_objects_are_scored_against_a_key(tmp_path: Path) -> None:
    """The same decisions by entities of words, which are carried over to the key's characters, and by plain spans."""
    path = tmp_path / "response.jsonlines"
    documents = [
        {"doc_key": "t-1", "sentences": [["Ann", "told", "Beth", "that", "she", "had", "won", "."]],
         "clusters": [[[0, 0], [4, 4]]]},
        {"doc_key": "t-2", "sentences": [["Dan", "saw", '"', "Ed", '"', "after", "his", "exam", "."]],
         "clusters": [[[3, 3], [6, 6]]]},
    ]  # fmt: skip
    path.write_text("\n".join(map(json.dumps, documents)) + "\n", encoding="utf-8")
    expected = corefeval.score(read(KEY), read(SUBMISSION), measures="gap")["gap"].to_dict()
    assert corefeval.score(read(KEY), path, measures="gap")["gap"].to_dict() == expected
    objects = {"t-1": [[(0, 2), (19, 21)]], "t-2": [[(9, 10), (19, 21)]]}
    assert corefeval.score(read(KEY), objects, measures="gap")["gap"].to_dict() == expected


def test_an_empty_document_is_an_answer_and_a_missing_one_is_none() -> None:
    present = corefeval.score(read(KEY), {"t-1": [], "t-2": []}, measures="gap")["gap"].links
    missing = corefeval.score(read(KEY), {"t-1": []}, measures="gap")["gap"].links
    assert (present["masculine_false_negative"], present["masculine_true_negative"]) == (0, 2)
    assert (missing["masculine_false_negative"], missing["masculine_true_negative"]) == (2, 0)
    assert present["feminine_false_negative"] == missing["feminine_false_negative"] == 1


@pytest.mark.parametrize(("key", "options"), [({"d": [[(0, 0)]]}, {}), (KEY, {"singletons": "drop"})])
def test_other_keys_are_refused(key: Any, options: Any) -> None:
    with pytest.raises(corefeval.OptionError, match="the key must be in GAP's format, with singletons=keep"):
        corefeval.score(read(key) if isinstance(key, str) else key, {"d": [], "t-1": []}, measures="gap", **options)


EDITS = st.lists(
    st.tuples(
        st.integers(0, 300), st.integers(0, 9), st.sampled_from([b"", b"\t", b"\n", b"\xff", b"TRUE", b"9", b"\x00"])
    ),
    max_size=4,
)


@given(EDITS, st.sampled_from([KEY, SUBMISSION]))
@settings(max_examples=3 * settings().max_examples // 2)
def test_damaged_files_give_a_corpus_or_an_error(edits: list[tuple[int, int, bytes]], text: str) -> None:
    data = text.encode()
    for place, length, new in edits:
        data = data[:place] + new + data[place + length :]
    try:
        found = read(data)
    except InputError as error:
        assert error.faults  # noqa: PT017 - either is fine
    else:
        assert isinstance(found, Corpus)
        corefeval.score(read(KEY), found, measures=["gap", "muc", "mor"])
