"""Advice: each sentence has numbers of the key, computed here by hand or by other functions."""

from __future__ import annotations

import json

import pytest

import corefeval
from corefeval.lab.corruption import KINDS
from tests.cli.running import get_output, run
from tests.data import EXAMPLES

KEY, A, B = (str(EXAMPLES / name) for name in ("key.conll", "response-a.conll", "response-b.conll"))
SMALL = {"one": [["a", "b", "c"], ["d"]], "two": [["e", "f"], ["g"], ["h"]]}
"""5 entities of 8 mentions, 3 singletons; 3 + 1 of 6 + 6 pairs corefer."""


def get_sentences(key: object, **options: object) -> list[str]:
    return list(corefeval.advise(key, **options).findings.sentences)  # type: ignore[arg-type]


def test_sentences_have_the_numbers_of_the_key() -> None:
    first, second, third, *_ = get_sentences(SMALL, measures=["muc", "bcub", "mentions"])
    assert first == (
        "3 of 5 entities are singletons (60.0 %), 37.5 % of the mentions; a response that has them all gains nothing by "
        "them under: muc."
    )
    assert second.startswith("4 of 12 pairs of mentions within documents corefer (33.3 %)")
    assert "has 66.7 % of the pairs right" in second
    assert third.startswith("The largest 20.0 % of the entities have 37.5 % of the mentions and 75.0 % of the links")


def test_a_response_without_links_has_the_share_of_pairs_that_the_sentence_says() -> None:
    singletons = corefeval.baseline(SMALL, "singletons")
    assert corefeval.score(SMALL, singletons, measures="rand")["rand"].score == pytest.approx(8 / 12)


def test_a_key_without_singletons_or_without_links() -> None:
    assert get_sentences([["a", "b"], ["c", "d"]], measures="muc")[0].startswith("0 of 2 entities are singletons: ")
    alone = get_sentences([["a"], ["b"]], measures="bcub")
    assert alone[0] == "2 of 2 entities are singletons (100.0 %), 100.0 % of the mentions."
    assert alone[1].startswith("0 of 1 pairs of mentions corefer (0.0 %)")


def test_baselines_are_those_of_the_other_functions() -> None:
    result = corefeval.advise(KEY, measures=["muc", "lea"])
    figure = next(each for each in result.findings.figures if each.vertical == "what baselines reach")
    own = corefeval.score(KEY, corefeval.baseline(KEY, "one-entity"))
    muc = dict(zip(figure.places, figure.curves["muc"], strict=True))
    assert muc["one-entity"] == pytest.approx(100 * own["muc"].f1)
    assert f"one-entity reaches most by: muc {100 * own['muc'].f1:.2f}" in " ".join(result.findings.sentences)


def test_power_is_that_of_compare() -> None:
    result = corefeval.advise(KEY, {"a": A, "b": B}, measures=["lea", "bcub"])
    compared = corefeval.compare(KEY, {"a": A, "b": B}, measures=["lea", "bcub"], plan=0.01, resamples=1000)
    figure = result.findings.figures[-1]
    expected = {each.measure: each.planned for each in compared.comparisons}
    assert dict(zip(figure.places, figure.curves["documents"], strict=True)) == expected


def test_one_document_is_planned_by_components() -> None:
    truth = EXAMPLES / "records" / "truth.csv"
    result = corefeval.advise(truth, measures=["lea", "mentions"])
    assert result.findings.figures[-1].vertical == "components that one point of difference needs"
    assert "How many components it takes is not known by: mentions." in result.findings.sentences
    assert "pairs of records corefer" in " ".join(result.findings.sentences)


def test_what_cannot_be_planned_is_said() -> None:
    sentences = get_sentences([["a", "b"], ["c"]], measures="mentions")
    assert any("not known" in each for each in sentences)


def test_every_kind_of_error_has_a_sentence() -> None:
    sentences = get_sentences(KEY, measures=["muc", "lea"], seed=4)
    assert [each.partition(",")[0] for each in sentences if ", 10 %:" in each] == list(KINDS)


def test_one_response_is_refused() -> None:
    with pytest.raises(corefeval.OptionError, match="two responses or more, or none"):
        corefeval.advise(KEY, {"a": A})


def test_the_command() -> None:
    found = json.loads(get_output("advise", KEY, A, B, "--json", "-q", "-m", "lea"))
    assert found["study"] == "advice"
    assert found["sentences"] == get_sentences(KEY, responses={"response-a": A, "response-b": B}, measures="lea")
    assert run("advise", "no-such-file").returncode == 66
    assert run("advise", KEY, A).returncode == 2


def test_errors_of_which_none_was_drawn_say_nothing_of_measures() -> None:
    """A tenth of five mentions in two entities is no mention, and no entity."""
    sentences = get_sentences([["a", "b"], ["c", "d", "e"]], measures=["muc", "mentions"])
    assert not any("loses nothing" in each or "all fall by" in each for each in sentences)
    assert f"10 % of so few is not one error: {', '.join(KINDS)}." in sentences
    assert sentences.count(f"10 % of so few is not one error: {', '.join(KINDS)}.") == 1
    of_study = corefeval.lab.study("sensitivity", [["a", "b"], ["c", "d", "e"]], measures="muc").findings
    assert of_study.sentences == [f"10 % of so few is not one error: {', '.join(KINDS)}."]
    assert of_study.figures[0].curves["muc"][-1] < 100, "at 50 % there are some"
    whole = get_sentences(KEY, measures=["muc", "mentions"])
    (of_mentions,) = (each for each in whole if each.startswith("mentions loses nothing by these: "))
    assert "moved mention" in of_mentions
    assert "missing mention" not in of_mentions
