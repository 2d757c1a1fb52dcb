"""Signatures: what is written in them can be read back, and gives the same scores again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefeval
from corefeval import OptionError, Signature
from corefeval.measures import Muc
from corefeval.options import DECISIONS, Options
from corefeval.profiles.registry import DEFAULT, PROFILES
from tests.corpus.drafts import draft_corpus
from tests.scoring.dumps import dump

KEY = [["a", "b", "c"], ["d", "e", "f", "g"]]
RESPONSE = [["a", "b"], ["c", "d"], ["f", "g", "h", "i"]]


def test_large_numbers_in_signatures_can_be_read_back() -> None:
    signature = corefeval.score([[1, 2]], [[1, 2]], measures=["muc:beta=1e6", "bcub"]).signature
    assert Signature.parse(signature).measures == ("muc:beta=1e06", "bcub")
    assert corefeval.measures.parse("muc:beta=1e06") == Muc(beta=1e6)


def test_signatures_of_0_1_0_that_name_digits_can_be_read() -> None:
    text = (
        "corefeval:0.1.0|measures:muc+lea|match:exact|zeros:order|singletons:keep|duplicates:coval|average:micro|"
        "digits:truncate|documents:3"
    )
    signature = Signature.parse(text)
    assert str(signature) == text.replace("|digits:truncate", "")
    assert corefeval.score(KEY, RESPONSE, **signature.options()).options.duplicates == "coval"  # type: ignore[arg-type]


def test_signature_can_be_read_back_and_used_again() -> None:
    first = corefeval.score(
        KEY,
        RESPONSE,
        measures=["blanc:boundary=both,alpha=0.25", "muc"],
        singletons="drop",
        duplicates="first",
        macro=True,
    )
    signature = Signature.parse(first.signature)
    assert str(signature) == first.signature
    assert signature.measures == ("blanc:alpha=0.25,boundary=both", "muc")
    again = corefeval.score(KEY, RESPONSE, **signature.options())  # type: ignore[arg-type]
    assert dump(again) == dump(first)
    assert again.signature == first.signature
    with pytest.raises(OptionError, match="not a corefeval signature"):
        Signature.parse("corefeval:1|measures:muc")


@pytest.mark.parametrize("profile", [name for name in PROFILES if PROFILES[name].options.match == "exact"])
def test_a_signature_tells_what_its_evaluation_told(profile: str) -> None:
    mentions = [("A", (0, 0)), ("A", (4, 4)), ("B", (1, 1)), ("C", (2, 2)), ("C", (3, 3)), ("C", (4, 4))]
    split = draft_corpus({"d": mentions}, splits={"C": ("A", "B")})
    made = corefeval.score(split, draft_corpus({"d": mentions[1:]}), profile=profile)
    again = corefeval.score(
        split,
        draft_corpus({"d": mentions[1:]}),
        **Signature.parse(made.signature).options(),  # type: ignore[arg-type]
    )
    assert again.to_dict() == made.to_dict()
    assert again.notices == made.notices
    told = {notice.kind for notice in made.notices}
    assert ("split-antecedents" in told) == (made.options.split_antecedents == "drop")


@given(
    st.fixed_dictionaries({}, optional={name: st.sampled_from(list(each.values)) for name, each in DECISIONS.items()})
)
def test_the_options_of_a_signature_are_its_decisions(decisions: dict[str, str]) -> None:
    signature = Signature("0", ("muc",), Options(**decisions), 1)
    given_again = signature.options()
    assert given_again.pop("measures") == ["muc"]
    assert PROFILES[DEFAULT].options._replace(**given_again) == signature.decisions  # type: ignore[arg-type]
    assert Signature.parse(str(signature)) == signature
