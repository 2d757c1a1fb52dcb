"""Audits: words that a response changed, and what became of its mentions. Counts are counted by hand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import corefeval
from corefeval import Corpus, InputError, OptionError
from corefeval.formats.draft import Draft
from tests.cli.running import run

if TYPE_CHECKING:
    from pathlib import Path

KEY = {
    "doc_key": "shop",
    "sentences": [["Mara", "opened", "the", "old", "shop", "."], ["She", "liked", "it", "very", "much", "."]],
    "clusters": [[[0, 0], [6, 6]], [[2, 4], [8, 8]]],
}
SENTENCES = [["Sure", ":"], ["Maria", "opened", "the", "old", "shop", "now", "."], ["She", "liked", "it", "much", "."]]
RESPONSE = {"doc_key": "shop", "sentences": SENTENCES, "clusters": [[[0, 0], [2, 2], [9, 9]], [[4, 7], [11, 11]]]}


def build(words: list[str], mentions: list[tuple[str, tuple[int, int], str]], name: str = "d") -> Corpus:
    """A corpus of one document with mentions that were repaired by some rule, or by none ("")."""
    draft = Draft("made up")
    document = draft.add_document(name, words=words)
    for entity, span, rule in mentions:
        document.add_mention(entity, span, attributes={"repaired": rule} if rule else {})
    return draft.build_corpus()


def test_words_and_mentions_are_counted_by_what_became_of_them() -> None:
    audit = corefeval.audit(KEY, RESPONSE)
    whole = audit.whole
    assert (whole.key_words, whole.response_words) == (12, 14)
    assert (whole.inserted, whole.deleted, whole.replaced) == (3, 1, 1)
    assert (whole.mentions, whole.carried, whole.moved, whole.lost, whole.unplaced, whole.repaired) == (
        5,
        3,
        1,
        1,
        0,
        0,
    )
    assert whole.share_changed == pytest.approx(2 / 12)
    changes = [(each.change, each.key, each.key_place, each.response, each.response_place) for each in audit.changes]
    assert changes == [
        ("inserted", None, None, "Sure", 0),
        ("inserted", None, None, ":", 1),
        ("replaced", "Mara", 0, "Maria", 2),
        ("inserted", None, None, "now", 7),
        ("deleted", "very", 9, None, None),
    ]
    fates = [(each.fate, each.mention, each.key) for each in audit.mentions]
    assert fates == [("lost", "Sure", None), ("moved", "the old shop now", "the old shop")]
    assert audit.evaluation == corefeval.score(KEY, RESPONSE)
    kinds = [notice.kind for notice in audit.notices]
    assert kinds == ["different-length", "different-text", "moved-mention", "lost-mention"]


def test_scores_without_moved_and_without_repaired_mentions() -> None:
    words = ["Kim", "saw", "her", "in", "Rome"]
    key = build(words, [("1", (0, 0), ""), ("1", (2, 2), ""), ("2", (4, 4), "")])
    response = build(["Kim", "saw", "her", "there", "in", "Rome", "now"],
                     [("1", (0, 0), ""), ("1", (2, 3), ""), ("2", (5, 6), ""), ("3", (1, 1), "unclosed")])  # fmt: skip
    audit = corefeval.audit(key, response, measures="mentions")
    counts = {
        name: (each["mentions"].recall_numerator, each["mentions"].precision_denominator)
        for name, each in {"all": audit.evaluation, **audit.variants}.items()
    }
    assert counts == {"all": (3, 4), "without repairs": (3, 3), "without moved mentions": (1, 2)}
    assert (audit.whole.moved, audit.whole.repaired) == (2, 1)
    assert [each.repair for each in audit.mentions] == ["", "", "unclosed"]


def test_nothing_is_said_of_a_response_with_the_words_of_the_key() -> None:
    audit = corefeval.audit(KEY, KEY)
    assert (audit.whole.inserted, audit.whole.deleted, audit.whole.replaced) == (0, 0, 0)
    assert (audit.whole.carried, audit.whole.mentions) == (4, 4)
    assert (audit.changes, audit.mentions, audit.variants) == ((), (), {})


def test_words_are_counted_where_mentions_stay_in_their_positions() -> None:
    key = build(["a", "b", "c"], [("1", (0, 0), ""), ("1", (1, 1), "")])
    response = build(["a", "x", "c"], [("1", (0, 0), ""), ("1", (1, 1), "")])
    audit = corefeval.audit(key, response)
    assert (audit.whole.replaced, audit.whole.carried) == (1, 2)
    assert audit.evaluation["mentions"].f1 == 1


def test_a_mention_within_a_word_of_the_key_is_unplaced_and_spurious() -> None:
    key = build(["Kim", "cannot", "go"], [("1", (0, 0), "")])
    response = build(["Kim", "can", "not", "go"], [("1", (0, 0), ""), ("1", (1, 1), "")])
    audit = corefeval.audit(key, response, measures="mentions")
    assert [each.fate for each in audit.mentions] == ["unplaced"]
    assert (audit.whole.unplaced, audit.evaluation["mentions"].precision) == (1, 1 / 2)


def test_a_mention_without_its_head_is_lost() -> None:
    key = build(["the", "old", "man", "left"], [("1", (0, 2), "")])
    draft = Draft("made up")
    document = draft.add_document("d", words=["the", "old", "man", "there", "left"])
    document.add_mention("1", (0, 3), head=(3, 3))
    document.add_mention("2", (0, 2), head=(2, 2))
    audit = corefeval.audit(key, draft.build_corpus(), measures="mentions")
    assert (audit.whole.lost, audit.whole.moved, audit.whole.carried) == (1, 0, 1)
    assert audit.evaluation["mentions"].f1 == 1


def test_documents_without_words_and_missing_documents_are_only_counted() -> None:
    audit = corefeval.audit({"a": [[(0, 0), (2, 2)]], "b": [[(1, 1)]]}, {"a": [[(0, 0), (2, 2)]]})
    assert [(each.name, each.mentions, each.key_words) for each in audit.documents] == [("a", 2, 0), ("b", 0, 0)]


OTHER = {"doc_key": "shop", "sentences": [["We", "have", "never", "been", "there", "."]], "clusters": [[[0, 0]]]}


def test_very_few_words_are_no_other_text() -> None:
    key = build(["Kim", "came", "home", "now"], [("1", (0, 0), "")])
    response = build(["They", "had", "never", "been"], [("1", (0, 0), "")])
    with pytest.warns(corefeval.CorefevalWarning, match="4 words replaced"):
        corefeval.score(key, response, words="letters")
    longer = [build([*words, word], [("1", (0, 0), "")]) for words, word in
              ((["Kim", "came", "home", "now"], "."), (["They", "had", "never", "been"], "x"))]  # fmt: skip
    with pytest.raises(InputError, match="is another text than the key's: only 0 of 5 words are the same"):
        corefeval.score(*longer, words="letters")


def test_another_text_is_refused_unless_it_is_allowed() -> None:
    with pytest.raises(
        InputError, match="document 'shop' is another text than the key's: only 1 of 6 words is the same"
    ):
        corefeval.score(KEY, OTHER)
    assert corefeval.score(KEY, OTHER, max_change="1")["mentions"].f1 == 0
    with pytest.raises(InputError, match="at most 10 %"):
        corefeval.score(KEY, RESPONSE, max_change="0.1")
    for wrong in ("many", "2", "-1", "nan"):
        with pytest.raises(OptionError, match="max_change"):
            corefeval.score(KEY, RESPONSE, max_change=wrong)


def test_a_text_that_is_broken_off_or_has_much_around_it_is_no_other_one() -> None:
    short = {"doc_key": "shop", "sentences": [["Mara", "opened"]], "clusters": [[[0, 0]]]}
    around = [[f"word{number}" for number in range(40)], *KEY["sentences"]]
    assert corefeval.score(KEY, short)["mentions"].recall_numerator == 1
    clusters = [[[40, 40], [46, 46]], [[42, 44], [48, 48]]]
    assert corefeval.score(KEY, {"doc_key": "shop", "sentences": around, "clusters": clusters})["conll"].f1 == 1


def write_files(folder: Path, *sides: dict[str, Any]) -> list[str]:
    paths = [folder / f"{number}.jsonlines" for number in range(len(sides))]
    for path, side in zip(paths, sides, strict=True):
        path.write_text(json.dumps(side) + "\n")
    return [str(path) for path in paths]


def test_the_command_shows_the_audit_below_the_scores(tmp_path: Path) -> None:
    key, response = write_files(tmp_path, KEY, RESPONSE)
    shown = run("score", key, response, "--audit", "-q")
    assert shown.returncode == 0
    for line in ("inserted", "the old shop now", "without moved mentions", "unplaced"):
        assert line in shown.stdout
    content = json.loads(run("score", key, response, "--audit", "--json", "-q").stdout)
    account = content["evaluations"][0]["audit"]
    assert account["all"]["inserted"] == 3
    assert [each["fate"] for each in account["mentions"]] == ["lost", "moved"]
    assert account == json.loads(json.dumps(corefeval.audit(key, response).build_account()))
    assert run("score", key, response, "--audit", "--bare").returncode == 2


def test_the_command_refuses_another_text(tmp_path: Path) -> None:
    key, other = write_files(tmp_path, KEY, OTHER)
    refused = run("score", key, other)
    assert refused.returncode == 65
    assert "document 'shop' is another text than the key's" in refused.stderr
    assert run("score", key, other, "--max-change", "1").returncode == 0
