"""Scoring bit by bit: what a `Scorer` gives, and what it says."""

from __future__ import annotations

import multiprocessing
import pickle

import pytest

import corefeval
from corefeval import Corpus, InputError, OptionError, Scorer
from corefeval.formats.draft import Draft
from tests.corpus.drafts import draft_corpus
from tests.scoring.dumps import dump

KEY = [["a", "b", "c"], ["d", "e", "f", "g"]]
RESPONSE = [["a", "b"], ["c", "d"], ["f", "g", "h", "i"]]


def test_workers_need_not_name_their_documents() -> None:
    one, other = Scorer("muc"), Scorer("muc")
    one.update([[1, 2]], [[1, 2]])
    other.update([[1, 2]], [[1], [2]])
    one.merge(other)
    assert one.compute()["muc"].recall == 0.5
    assert list(one) == ["1", "2"]


def test_scorer_gives_what_score_gives_on_everything() -> None:
    key = {"a": [[0, 1, 2]], "b": [[0, 1], [2, 3]], "c": [], "d": [[1]]}
    response = {"a": [[0, 1], [2]], "b": [[0, 1, 2, 3]], "c": [[4]], "d": []}
    expected = corefeval.score(key, response, measures="all")
    one, other = Scorer("all"), Scorer("all")
    for name in key:
        (one if name < "c" else other).update(key[name], response[name], document=name)
    one.merge(pickle.loads(pickle.dumps(other)))
    assert len(one) == 4
    assert dump(one.compute()) == dump(expected)
    assert one.compute().signature == expected.signature


@pytest.mark.parametrize("order", ["123", "321", "213"])
@pytest.mark.parametrize("profile", ["ua-1", "ua-2"])
def test_split_antecedents_may_come_in_some_updates_only(profile: str, order: str) -> None:
    split = [("A", (0, 0)), ("B", (1, 1)), ("C", (2, 2)), ("C", (3, 3)), ("D", (4, 4)), ("D", (5, 5))]
    other = [("A", (0, 0)), ("A", (1, 1)), ("C", (2, 2)), ("C", (3, 3)), ("B", (4, 4)), ("D", (5, 5))]
    documents = {"1": (split, other), "2": (other, split), "3": (split, split[1:])}

    def draft_sides(names: str) -> list[Corpus]:
        splits: dict[str, tuple[str, ...]] = {"C": ("A", "B")} if "3" in names else {}
        return [draft_corpus({name: documents[name][side] for name in names}, splits=splits) for side in (0, 1)]

    measures = ["lea", "muc", "bcub", "ceafe", "blanc"]
    scorer = Scorer(measures, profile=profile)
    for name in order:
        scorer.update(*draft_sides(name))
    together, expected = scorer.compute(), corefeval.score(*draft_sides("123"), measures=measures, profile=profile)
    assert together["lea"].to_dict() == expected["lea"].to_dict()
    assert dump(together) == dump(expected)


def _worker(document: str) -> Scorer:
    scorer = Scorer(["muc", "blanc:alpha=0.2"])
    scorer.update(KEY, RESPONSE, document=document)
    return scorer


def test_scorers_travel_between_processes() -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        parts = pool.map_async(_worker, ["a", "b"]).get(timeout=120)
    total = parts[0]
    total.merge(parts[1])
    assert total.compute()["muc"].recall_denominator == 10


def test_scorer_refuses_what_would_mislead() -> None:
    scorer = Scorer("muc")
    scorer.update(KEY, RESPONSE)
    scorer.update(KEY, RESPONSE)
    assert list(scorer) == ["1", "2"]
    scorer.update(KEY, RESPONSE, document="2")
    assert list(scorer) == ["1", "3", "2"]
    with pytest.raises(InputError, match="document '2' is there already"):
        scorer.update(KEY, RESPONSE, document="2")
    with pytest.raises(OptionError, match="different options"):
        scorer.merge(Scorer("bcub"))
    with pytest.raises(OptionError, match="names one document"):
        scorer.update({"x": KEY, "y": KEY}, RESPONSE, document="z")


def test_a_scorer_says_that_nothing_matches_only_if_nothing_does() -> None:
    bits, others = Scorer("muc"), Scorer("muc")
    for number in range(3):
        bits.update([["a", "b"]], [["x", "y"]], document=str(number))
    assert [notice.kind for notice in bits.compute().notices] == ["nothing-in-common"]
    others.update([["a", "b"]], [["a", "b"]], document="more")
    bits.merge(pickle.loads(pickle.dumps(others)))
    assert bits.compute().notices == ()


def test_a_scorer_says_that_no_document_has_the_layer() -> None:
    def side(*layers: str) -> Corpus:
        draft = Draft("side")
        document = draft.add_document("d", words=["a", "b"])
        for layer in layers:
            document.get_layer(layer).add_mention("A", (0, 0))
        return draft.build_corpus()

    bits = Scorer("mentions", layer="deixis")
    bits.update(side(), side("other"), document="1")
    with pytest.raises(OptionError, match="neither key nor response has a layer 'deixis' besides identity; they have"):
        bits.compute()
    bits.update(side("deixis"), side(), document="2")
    assert [notice.message for notice in bits.compute().notices if notice.kind == "empty-layer"] == [
        "response: nothing is marked in the layer 'deixis'; it counts as empty"
    ]
    bits.update(side(), side("deixis"), document="3")
    assert "empty-layer" not in {notice.kind for notice in bits.compute().notices}


def zero(document: str, source: str) -> Corpus:
    """A document of a word and a zero that depends on nothing."""
    draft = Draft(source)
    both = draft.add_document(document, words=["a", "_"], empty=[False, True])
    for place in (0, 1):
        both.add_mention("A", (place, place))
    return draft.build_corpus()


def test_a_scorer_says_once_that_zeros_depend_on_nothing() -> None:
    bits, others = Scorer("muc", zeros="dependency"), Scorer("muc", zeros="dependency")
    for number in range(3):
        bits.update(zero(str(number), "one"), zero(str(number), "one"))
    alone = corefeval.score(zero("0", "one"), zero("0", "one"), measures="muc", zeros="dependency").notices
    assert bits.compute().notices == alone
    assert [notice.kind for notice in alone] == ["no-dependencies"]
    others.update(zero("more", "two"), zero("more", "two"))
    bits.merge(others)
    assert [notice.message for notice in bits.compute().notices] == [
        f"{alone[0].message} (and so are those of 1 more)",
    ]
