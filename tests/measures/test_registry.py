"""Measures given as text, as objects, and wrongly."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import corefeval
from corefeval import OptionError
from corefeval.measures import ALL, OF_MENTIONS, Blanc, Lea, Muc, parse

KEY = [["a", "b", "c"], ["d", "e", "f", "g"]]
RESPONSE = [["a", "b"], ["c", "d"], ["f", "g", "h", "i"]]


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


@pytest.mark.parametrize("text", [*ALL, *OF_MENTIONS, "blanc:alpha=0.2", "bcub:weight=entity,twinless=cai_strube", "ceaf:phi=3", "muc:undefined=1",
                                  "lea:beta=0.3333333333333333", "lea:importance=log", "lea:twinless=pad", "blanc:alpha=0.2,twinless=discard_both",
                                  "ceaf:phi=1,twinless=pad", "conll:twinless=pad", "mean(muc,lea:twinless=pad)"])  # fmt: skip
def test_a_measure_is_written_as_it_is_read(text: str) -> None:
    assert str(parse(text)) == text
    assert parse(str(parse(text))) == parse(text)
    assert hash(parse(text)) == hash(parse(str(parse(text))))


def test_measures_are_values() -> None:
    assert Blanc(alpha=0.2) == parse("blanc:alpha=0.20")
    assert Blanc() == parse("blanc:alpha=0.5")
    assert parse("muc") != parse("bcub")
    with pytest.raises(AttributeError, match="cannot be changed"):
        Muc().undefined = 1  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(parse("blanc:alpha=0.2"))) == Blanc(alpha=0.2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mucc", "did you mean muc"),
        ("b4", "there is no measure 'b4'"),
        ("muc_recall", "there is no measure 'muc_recall'"),
        ("rand_f1", "there is no measure 'rand_f1'"),
        ("blanc:alhpa=0.2", "did you mean alpha"),
        ("blanc:alpha=2", "a number from 0 to 1"),
        ("blanc:alpha=nan", "a number from 0 to 1"),
        ("blanc:alpha=x", "a number from 0 to 1"),
        ("blanc:alpha=0.1,alpha=0.2", "gives alpha twice"),
        ("bcub:weight=entty", "it takes mention or entity"),
        ("ceafe:twinless=stoyanov0", "keep or rahman_ng or cai_strube"),
        ("ceaf", "ceaf:phi is missing"),
        ("ceaf:phi=5", "1 or 2 or 3 or 4"),
        ("muc:undefined=2", "0 or 1"),
        ("lea:importance=sise", "it takes size or one or log or sqrt"),
        ("ace_value:weights=2006", "it takes 2003 or 2004 or 2005 or uniform or the path of a file"),
        ("conll:beta=2", "conll has no parameter 'beta'"),
        ("mentions:twinless=pad", "mentions has no parameter 'twinless'"),
        ("mor:twinless=discard_both", "mor has no parameter 'twinless'"),
        ("lea:twinless=cai_strube", "it takes profile or keep or pad or discard_both"),
    ],
)
def test_wrong_measures_get_a_helpful_error(text: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        corefeval.score(KEY, RESPONSE, measures=[text])


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        *((text, "muc") for text in ("MUC", "Muc", " muc ", "muc_f1", "MUC-F1", "muc.f1")),
        *((text, "bcub") for text in ("b3", "B3", "B³", "b-cubed", "B_cubed", "bcubed", "b^3", "BCUB", "b3_f1")),
        *((text, "ceafe") for text in ("ceaf_e", "CEAF-E", "CEAFe", "ceafφ4", "CEAFϕ4", "ceaf_phi4", "φ4-ceaf")),
        *((text, "ceafe") for text in ("entity-ceaf", "ceaf_entity", "ceafφ₄", "ceafe_f1")),
        *((text, "ceafm") for text in ("ceaf_m", "CEAF-M", "ceafφ3", "phi3-CEAF", "mention_ceaf")),
        ("ceafφ1", "ceaf:phi=1"),
        ("CEAF_phi2", "ceaf:phi=2"),
        *((text, "rand") for text in ("rand_index", "RI", "Rand-Index")),
        *((text, "adjusted_rand") for text in ("ARI", "adjusted_rand_index", "adjusted-rand")),
        *((text, "conll") for text in ("CoNLL", "conll_f1", "CoNLL-F1", "conll_average", "avg_f1", "MELA")),
        *((text, "mentions") for text in ("mention", "Mention_Detection", "MD")),
        ("B3:weight=entity", "bcub:weight=entity"),
        ("Blanc:alpha=0.2", "blanc:alpha=0.2"),
        ("LEA_F1", "lea"),
    ],
)
def test_spellings_of_papers_and_other_tools_mean_what_they_say(written: str, meant: str) -> None:
    assert str(parse(written)) == meant
    e = corefeval.score([[1, 2]], [[1, 2]], measures=[written])
    assert list(e) == [meant]
    assert e[written] == e[meant]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("muc,bcub", ["muc", "bcub"]),
        ("MUC, B3 ,ceaf_e", ["muc", "bcub", "ceafe"]),
        ("bcub:weight=entity,twinless=cai_strube,muc", ["bcub:weight=entity,twinless=cai_strube", "muc"]),
        ("blanc:alpha=0.2,lea", ["blanc:alpha=0.2", "lea"]),
        ("muc,Bridging", ["muc", "bridging_anaphors", "bridging_mentions", "bridging_entities"]),
        ("b3,bcub", ["bcub"]),
    ],
)
def test_several_measures_may_stand_between_commas(written: str, meant: list[str]) -> None:
    assert [str(each) for each in corefeval.measures.select_measures(written)] == meant
    assert [str(each) for each in corefeval.measures.select_measures([written])] == meant


def test_where_one_measure_is_expected_several_are_refused() -> None:
    with pytest.raises(OptionError, match="'lea,muc' is the name of several measures, where one is expected"):
        corefeval.explain("lea,muc", KEY, KEY)
