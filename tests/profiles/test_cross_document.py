"""The profiles of cross-document code give its numbers, on generated corpora (golden/cross_document.json)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import corefeval
from corefeval.formats.draft import Draft
from corefeval.tables.table import truncate_percent
from tests.data import golden

if TYPE_CHECKING:
    from corefeval import Corpus

# cattan: files written by conll.py of ariecattan/coref (b81397a), read by its reader and scored as in its run_scorer.py,
# with the evaluator of ns-moosavi/coval, which that repository lacks. ucdcr: mentions selected and grouped by a script of
# our own, after create_summary.py of anastasia-zhukova/uCDCR (75912c6), and each group scored by the reference scorer 8.01
# of that repository: "groups" is what it prints, "mean" the mean of these numbers.
CASES = golden("cross_document.json")


def make_corpus(rows: list[list[Any]], documents: list[str], *, words: int = 8) -> Corpus:
    """A corpus of ECB+'s documents, each of `words` words: rows are document, first and last word, entity."""
    draft = Draft("side")
    drafts = {}
    for name in documents:
        topic = name.split("_", maxsplit=1)[0]
        subtopic = f"{topic}_{1 if 'plus' in name else 0}"
        drafts[name] = draft.add_document(f"{topic}/{subtopic}/{name}", words=["w"] * words)
    for name, first, last, entity in rows:
        drafts[name].add_mention(entity, (first, last))
    return draft.build_corpus().replace(shared_names=True)


@pytest.mark.parametrize("level", ["topic", "corpus"])
@pytest.mark.parametrize("case", range(len(CASES["cattan"])))
def test_cattan_2021(case: int, level: str) -> None:
    """The key has singletons here, which that code leaves out when it writes it; some mentions are in two entities."""
    made = CASES["cattan"][case]
    key, response = (make_corpus(made[side], made["documents"]) for side in ("key", "response"))
    theirs = made["scores"][level]
    ours = corefeval.score(key, response, profile="cattan-2021", level=level, measures=tuple(theirs))
    for measure, expected in theirs.items():
        score = ours[measure]
        assert (score.recall, score.precision, score.f1) == pytest.approx(expected, abs=1e-12), measure


@pytest.mark.parametrize("way", list(CASES["ucdcr"][0]["scores"]))
@pytest.mark.parametrize("case", range(len(CASES["ucdcr"])))
def test_ucdcr(case: int, way: str) -> None:
    """Each group as printed, and the mean of all that are not too small; that code truncates before it averages.

    Where a number lies on the edge of two truncated ones, the last digit depends on the order of a sum (75, 74.99).
    """
    level, _, kind = way.partition(" ")
    rows, theirs = CASES["ucdcr"][case]["rows"], CASES["ucdcr"][case]["scores"][way]
    sides = []
    for column in (2, 4):
        draft = Draft("side")
        drafts = {name: draft.add_document(name) for name in dict.fromkeys(row[0] for row in rows)}
        for row in rows:
            drafts[row[0]].add_mention(row[column], row[1], attributes={"kind": row[3]})
        sides.append(draft.build_corpus().replace(shared_names=True))
    where = f"kind={kind}" if kind else None
    ours = corefeval.score(*sides, profile="ucdcr", level=level, where=where, measures=["muc", "bcub", "ceafe"])
    for name, expected in theirs["groups"].items():
        for measure, numbers in expected.items():
            score = ours.documents[name][measure]
            rates = [float(truncate_percent(rate)) for rate in (score.recall, score.precision, score.f1)]
            assert rates == pytest.approx(numbers, abs=0.0101), (name, measure)
    small = set(ours.document_names) - set(theirs["groups"])
    assert all(ours.documents[name]["mentions"].recall_denominator < 2 for name in small)
    for measure, numbers in theirs["mean"].items():
        score = ours[measure]
        assert [100 * rate for rate in (score.recall, score.precision, score.f1)] == pytest.approx(numbers, abs=0.0101)


def test_the_ucdcr_cases_have_groups_that_are_too_small() -> None:
    ways = [(case, way) for case in CASES["ucdcr"] for way in case["scores"]]
    groups = [len({row[0].rpartition("/")[0] for row in case["rows"]}) - len(case["scores"][way]["groups"])
              for case, way in ways if way == "subtopic event"]  # fmt: skip
    assert max(groups) > 0


def test_subtopics_and_topics_are_averaged_without_weights() -> None:
    """A subtopic of three mentions, all right, and one of two, whose link is missing: MUC's recall is (1 + 0) / 2."""
    key = {"1/a/d": ("A", "A", "A"), "1/b/d": ("B", "B")}
    response = {"1/a/d": ("x", "x", "x"), "1/b/d": ("y", "z")}
    sides = []
    for names in (key, response):
        draft = Draft("side")
        for name, entities in names.items():
            document = draft.add_document(name)
            for place, entity in enumerate(entities):
                document.add_mention(entity, place)
        sides.append(draft.build_corpus().replace(shared_names=True))
    ours = corefeval.score(*sides, profile="ucdcr", measures=["muc"])
    assert ours["muc"].recall == 0.5
    assert corefeval.score(*sides, profile="ucdcr", average="micro", measures=["muc"])["muc"].recall == pytest.approx(
        2 / 3
    )
