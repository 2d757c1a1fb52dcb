"""The mean of chosen measures."""

from __future__ import annotations

import pickle

import pytest

import corefeval
from corefeval import OptionError, Signature
from tests.cli.running import run
from tests.data import EXAMPLES

KEY = {"a": [["Kim", "she", "her"], ["the shop", "it"]], "b": [["x", "y"]]}
RESPONSE = {"a": [["Kim", "she"], ["her", "the shop", "it"]], "b": [["x"], ["y", "z"]]}


def test_it_is_the_mean_of_f1_over_the_corpus_and_in_each_document() -> None:
    # MUC: 2 of 4 links, LEA by hand: key 3·1/3 + 2·1 of 7, response 2·1 + 3·1/3 of 8; both sides have 3 on top.
    found = corefeval.score(KEY, RESPONSE, measures="mean(muc,lea)")
    assert found["mean(muc,lea)"].f1 == pytest.approx((1 / 2 + 2 * 3 / 15) / 2)
    for document in found.documents.values():
        assert document["mean(muc,lea)"].f1 == pytest.approx((document["muc"].f1 + document["lea"].f1) / 2)


def test_that_of_muc_bcub_and_ceafe_is_the_conll_average() -> None:
    for options in ({}, {"twinless": "cai_strube"}, {"average": "macro"}, {"profile": "coval"}):
        found = corefeval.score(KEY, RESPONSE, measures="conll, mean(MUC, B3, CEAFe)", **options)  # type: ignore[arg-type]
        assert found["mean(muc,bcub,ceafe)"].f1 == found["conll"].f1


def test_measures_keep_their_parameters_and_may_be_means() -> None:
    found = corefeval.score(KEY, RESPONSE, measures="mean(blanc:alpha=0.2,blanc), mean(conll,lea), bcub:beta=2,muc")
    assert list(found) == ["mean(blanc:alpha=0.2,blanc)", "mean(conll,lea)", "bcub:beta=2", "muc"]
    assert found["mean(conll,lea)"].f1 == pytest.approx((found["conll"].f1 + found["lea"].f1) / 2)
    both = found["blanc:alpha=0.2"].f1, found["blanc"].f1
    assert both[0] != both[1]
    assert found["mean(blanc:alpha=0.2,blanc)"].f1 == pytest.approx(sum(both) / 2)


def test_it_is_written_in_signatures_and_read_back() -> None:
    found = corefeval.score(KEY, RESPONSE, measures=["mean(muc, LEA)", "rand"])
    assert Signature.parse(found.signature).measures == ("mean(muc,lea)", "rand")
    again = corefeval.score(KEY, RESPONSE, **Signature.parse(found.signature).options())  # type: ignore[arg-type]
    assert again == found == pickle.loads(pickle.dumps(found))


def test_tables_of_records_are_averaged_on_an_engine() -> None:
    pandas = pytest.importorskip("pandas")
    rows = corefeval.score_table(
        pandas.DataFrame({"k": [1, 1, 2, 2], "r": [1, 1, 1, 2]}),
        key="k",
        response="r",
        measures="mean(ceafe,lea)",
        engine="duckdb",
    )
    assert rows["mean(ceafe,lea)"].f1 == pytest.approx((rows["ceafe"].f1 + rows["lea"].f1) / 2)


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ("mean(muc)", "two or more"),
        ("mean()", "two or more"),
        ("mean(muc,muc)", "different"),
        ("mean(muc,rand)", "rand has no F1"),
        ("mean(muc,nonsense)", "nonsense"),
        ("mean", "there is no measure 'mean'"),
    ],
)
def test_what_cannot_be_averaged_is_refused(given: str, what: str) -> None:
    with pytest.raises(OptionError, match=what.replace("(", r"\(")):
        corefeval.score(KEY, RESPONSE, measures=given)


def test_commands_know_it() -> None:
    files = [str(EXAMPLES / "key.conll"), str(EXAMPLES / "response-a.conll")]
    assert "mean(muc,lea)" in run("score", *files, "-m", "muc,mean(muc,lea)").stdout
    assert "mean(muc,lea)" in run("errors", *files, "-m", "mean(muc,lea)").stdout
    assert "mean of measures" in run("measures", "mean(muc,lea)").stdout
    assert ") / 2 = " in run("explain", "mean(muc,lea)", *files).stdout


def test_what_is_undefined_counts_as_its_part_says() -> None:
    """Core counts 0/0 as 1 and MUC as 0, unless asked otherwise; so the mean is 1/2, and the notes say why."""
    measure = "mean(core,muc)"
    found = corefeval.score([["a"], ["b"]], [["a"], ["b"]], measures=measure)
    assert found[measure].f1 == 1 / 2
    assert f"{measure}: core.f1 is undefined (0/0) and counts as 1" in str(found)
    assert f"{measure}: muc.f1 is undefined (0/0) and counts as 0" in str(found)
    nested = corefeval.score([["a"]], [["a"]], measures="mean(conll,core:undefined=0,core)")
    assert nested["mean(conll,core:undefined=0,core)"].f1 == pytest.approx((2 / 3 + 0 + 1) / 3)
    assert "conll.muc.f1, core:undefined=0.f1 are undefined (0/0) and count as 0" in str(nested)
    assert ": core.f1 is undefined (0/0) and counts as 1" in str(nested)
    averaged = corefeval.score({"d": [["a"]], "e": [["a", "b"]]}, {"d": [["a"]], "e": [["a"]]}, measures=measure,
                               average="macro")  # fmt: skip
    messages = " ".join(notice.message for notice in averaged.notices)
    assert "core.f1 is undefined (0/0) in 1 of 2 documents and counts as 1" in messages
    assert "muc.f1 is undefined (0/0) in 1 of 2 documents and counts as 0" in messages
