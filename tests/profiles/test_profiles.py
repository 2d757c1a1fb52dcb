"""Profiles give the numbers of the scorers that they stand for.

`golden/profile_cases.json` has own cases for every decision; `golden/profiles.json` what the scorers themselves give for
them (benchmarks/differential.py --values), which nobody here made.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

import corefeval
from corefeval import InputError, OptionError, Scorer, Signature
from corefeval.options import DECISIONS, FREE_OPTIONS, Options, load_behaviour
from corefeval.profiles.registry import PROFILES
from corefeval.tables.table import truncate_percent
from tests.cli.running import get_output
from tests.data import ROOT, golden

sys.path.insert(0, str(ROOT / "benchmarks"))


import differential
from tests.corpus.drafts import draft_corpus

if TYPE_CHECKING:
    from pathlib import Path


CASES = {case["name"]: case for case in golden("profile_cases.json")}
VALUES = golden("profiles.json")
PEERS = {peer.name: peer for peer in differential.PEERS}
_EMPTIED = ("no non-coreference links in the key, a spurious singleton twice", "a repeated mention as a singleton")
NOT_COPIED = {
    ("nothing in common", "scorch"): "StatisticsError",
    **{(case, scorer): "ZeroDivisionError" for case in _EMPTIED for scorer in ("scorch", "scorch-cli")},
    **{(case, "ua-2-drop"): "ZeroDivisionError" for case in ("baseline", "repeats on both sides")},
    ("spurious response mentions, alone and not", "ua-2-partial"): "TypeError",
    ("other order of documents", "corefud-1.2"): "DataAlignError",
    ("other order of documents", "corefud-1.2-exact"): "DataAlignError",
}
"""Where a scorer fails and we do not."""


def key_and_response(name: str) -> tuple[Any, Any]:
    """A case as Python objects."""
    key, response = (
        {
            document: [[tuple(mention) for mention in entity] for entity in entities]
            for document, entities in side.items()
        }
        for side in (CASES[name]["key"], CASES[name]["response"])
    )
    return key, response


@pytest.mark.parametrize("scorer", PEERS)
@pytest.mark.parametrize("case", CASES)
def test_a_profile_gives_what_its_scorer_gives(case: str, scorer: str, tmp_path: Path) -> None:
    peer, theirs = PEERS[scorer], VALUES[case][scorer]
    ours = differential.scored(peer, differential.sides_of(peer, differential.pair_of(CASES[case]), tmp_path))
    if "error" in theirs:
        expected = NOT_COPIED.get((case, scorer))
        assert "error" not in ours if expected else "error" in ours
        assert theirs["error"].startswith(expected or "")
    else:
        assert differential.difference(peer, theirs, ours) == ""


def test_every_decision_has_a_case() -> None:
    decided = {case["decision"] for case in CASES.values()}
    # test_lookups.py, test_split_antecedents.py, test_carrying.py, test_coval.py, test_mention_measures.py, test_grouping.py
    elsewhere = {"zeros", "split_antecedents", "words", "verb_phrases", "nested", "anaphors", "level", "entity_names"}
    assert set(DECISIONS) - elsewhere <= decided


@pytest.mark.parametrize(
    ("case", "profile", "expected"),
    [
        # Section 2.4 of the survey of scorers: F1 of MUC, B³ and CEAFe.
        ("a key mention in two response entities", "conll-8.01", (100, 100, 100)),
        ("a key mention in two response entities", "coval", (57.14, 74.16, 90)),
        ("a key mention in two response entities", "ua-1", (57.14, 74.16, 90)),
        ("a key mention in two response entities", "allennlp", (57.14, 74.16, 90)),
        ("the same with the larger entity first", "allennlp", (80, 84.62, 90)),
        ("a key mention twice in a response entity", "coval", (100, 100, 90)),
        ("a key mention twice in a response entity", "ua-1", (100, 100, 100)),
        ("a spurious mention in two response entities", "coval", (66.67, 61.54, 80)),
        ("a spurious mention in two response entities", "scorch", (80, 80, 90)),
        ("a mention in two key entities, the same response", "conll-8.01", (40, 66.27, 90)),
        ("a mention in two key entities, the same response", "coval", (66.67, 80, 100)),
        ("a mention in two key entities, the same response", "scorch", (100, 100, 100)),
        # Sections 2.0, 2.5 and 2.6.
        ("baseline", "allennlp", (33.33, 41.07, 48)),
        ("baseline", "scorch-cli", (33.33, 68.47, 69.33)),
        ("singletons on both sides", "allennlp", (100, 100, 80)),
    ],
)
def test_repeats_and_singletons_as_surveyed(case: str, profile: str, expected: tuple[float, ...]) -> None:
    made = corefeval.score(*key_and_response(case), profile=profile)
    found = tuple(100 * made[measure].f1 for measure in ("muc", "bcub", "ceafe"))
    assert found == pytest.approx(expected, abs=0.0051)


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        # Section 2.3: recall, precision and F1 of BLANC by the reference scorer, the UA and CorefUD scorers, scorch.
        ("no coreference links in the key", ((83.33, 100, 90.91), (41.67, 50, 45.45), (83.33, 100, 90.91))),
        ("no non-coreference links in the key", ((33.33, 100, 50), (16.67, 50, 25), (33.33, 100, 50))),
        ("one mention, the same", ((0, 0, 0), (0, 0, 0), (100, 100, 100))),
        ("one mention, and one more in the response", ((0, 0, 0), (0, 0, 0), (100, 100, 100))),
        ("both sides empty", ((0, 0, 0), (0, 0, 0), (100, 100, 100))),
    ],
)
def test_boundaries_of_blanc_as_surveyed(case: str, expected: tuple[tuple[float, ...], ...]) -> None:
    for profile, rates in zip(("conll-8.01", "ua-1", "scorch"), expected, strict=True):
        blanc = corefeval.score(*key_and_response(case), profile=profile)["blanc"]
        assert tuple(100 * x for x in (blanc.recall, blanc.precision, blanc.f1)) == pytest.approx(rates, abs=0.0051)


def test_scores_are_rounded_and_cut_off_only_where_that_is_asked_for() -> None:
    """57/100 is 0.57, which the reference scorer prints as 56.99."""
    for profile in ("conll-8.01", "coval", "scorch"):
        evaluation = corefeval.score(*key_and_response("57 of 100 links"), profile=profile, measures="muc")
        assert "57.00" in str(evaluation)
        assert "56.99" in evaluation.to_text(digits="truncate")
        assert "0.57" in evaluation.to_text(digits="full")
        assert "digits" not in evaluation.signature
    assert truncate_percent(-0.56999) == "-56.99"


def test_conll_2012_is_the_rewrite_of_cai_and_strube() -> None:
    key, response = key_and_response("baseline")
    made = corefeval.score(key, response, profile="conll-2012")
    parts = [corefeval.score(key, response)[f"{name}:twinless=cai_strube"].f1 for name in ("bcub", "ceafe")]
    assert [made["bcub"].f1, made["ceafe"].f1] == parts
    assert made["conll"].f1 == pytest.approx((made["muc"].f1 + sum(parts)) / 3)
    assert [made["bcub"].f1, made["ceafe"].f1] != [corefeval.score(key, response)[x].f1 for x in ("bcub", "ceafe")]


def test_a_parameter_that_is_given_is_stronger_than_the_profile() -> None:
    key, response = key_and_response("no coreference links in the key")
    made = corefeval.score(key, response, profile="ua-1", measures=["blanc", "blanc:boundary=key"])
    assert [str(measure) for measure in made.measures] == ["blanc", "blanc:boundary=key"]
    assert made["blanc"].f1 == pytest.approx(0.4545, abs=1e-4)
    assert made["blanc:boundary=key"].f1 == pytest.approx(0.9091, abs=1e-4)
    assert corefeval.score(key, response, profile="ua-1", boundary="key")["blanc"].f1 == pytest.approx(0.9091, abs=1e-4)
    assert made.documents["d"]["blanc"].f1 == made["blanc"].f1


@pytest.mark.parametrize("profile", PROFILES)
def test_a_signature_stands_for_the_profile(profile: str) -> None:
    key, response = key_and_response("repeats on both sides")
    options = {} if PROFILES[profile].options.match == "exact" else {"match": "exact", "zeros": "order"}
    made = corefeval.score(key, response, profile=profile, **options)  # type: ignore[arg-type]
    signature = Signature.parse(made.signature)
    assert signature.decisions == made.options
    again = corefeval.score(key, response, **signature.options())  # type: ignore[arg-type]
    assert again.to_dict() == made.to_dict()


def test_the_default_profile_adds_nothing_to_the_signature() -> None:
    signature = corefeval.score([["a"]], [["a"]], measures="muc").signature
    decisions = "match:exact|zeros:order|singletons:keep|duplicates:conll-8.01|average:micro"
    assert signature == f"corefeval:{corefeval.__version__}|measures:muc|{decisions}|documents:1"
    assert Signature.parse(signature).decisions == Options()


@pytest.mark.parametrize("profile", [name for name in PROFILES if name != "corefud-1.2"])
def test_a_scorer_bit_by_bit_is_the_same(profile: str) -> None:
    """With repeats in one document and none in another, and the views of some measures."""
    whole: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    bits = Scorer(profile=profile)
    for number, case in enumerate(("repeats on both sides", "baseline", "a repeated mention as a singleton")):
        key, response = (side["d"] for side in key_and_response(case))
        bits.update(key, response, document=str(number))
        whole[0][str(number)], whole[1][str(number)] = key, response
    at_once, bit_by_bit = corefeval.score(*whole, profile=profile), bits.compute()
    for measure in at_once:
        assert bit_by_bit[measure].to_dict() == at_once[measure].to_dict()


def test_documents_that_are_missing_or_too_many() -> None:
    key, response = key_and_response("a document is missing")
    assert corefeval.score(key, response)["bcub"].recall == pytest.approx(3 / 7)
    skipped = corefeval.score(key, response, missing="skip")
    assert (skipped["bcub"].f1, skipped.document_names) == (1, ("d1",))
    assert "left out of the key, too" in skipped.notices[0].message
    with pytest.raises(InputError, match="document 'd2' is missing; expected every document of the key; missing=empty"):
        corefeval.score(key, response, missing="error")
    with pytest.raises(InputError, match="'d2' is not in the key; expected documents of the key only; extra=ignore"):
        corefeval.score(*key_and_response("a document is too many"), extra="error")


def test_what_scorch_adds_to_the_key_is_said() -> None:
    made = corefeval.score(*key_and_response("baseline"), profile="scorch-cli")
    assert [notice.kind for notice in made.notices] == ["added-to-key"]
    assert made.notices[0].details["count"] == 3


def test_wrong_decisions_are_refused() -> None:
    with pytest.raises(OptionError, match=r"boundary='none' is not possible; known: key, both, scorch"):
        corefeval.score([["a"]], [["a"]], boundary="none")
    with pytest.raises(OptionError, match="there is no option 'duplicate'; did you mean duplicates"):
        corefeval.score([["a"]], [["a"]], duplicate="first")  # type: ignore[call-arg]
    with pytest.raises(OptionError, match="macro is average='macro'"):
        corefeval.score([["a"]], [["a"]], macro=True, average="scorch")
    with pytest.raises(OptionError, match=r"profile='conll' is not possible; did you mean conll-8\.01"):
        corefeval.score([["a"]], [["a"]], profile="conll")


def test_every_value_of_every_decision_is_explained() -> None:
    assert [*DECISIONS, *FREE_OPTIONS] == list(Options._fields)  # what no profile decides comes last
    for name, decision in DECISIONS.items():
        assert decision.description
        assert all(value.meaning for value in decision.values.values())
        assert Options()._asdict()[name] == decision.default
    for profile in PROFILES.values():
        assert all(getattr(profile.options, name) in decision.values for name, decision in DECISIONS.items())


@pytest.mark.parametrize(("decision", "word"), [(name, word) for name in DECISIONS for word in DECISIONS[name].values])
def test_the_object_behind_every_value_exists(decision: str, word: str) -> None:
    place = DECISIONS[decision].values[word].behaviour
    assert (load_behaviour(decision, word) is None) == (place == "")


def test_profiles_are_a_table_with_a_row_for_each_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    lines = get_output("profiles").splitlines()
    assert lines[0].split() == list(PROFILES)
    assert [line.split()[0] for line in lines[2 : 2 + len(DECISIONS)]] == list(DECISIONS)
    assert lines[10].split()[:5] == ["boundary", "key", "key", "key", "both"]
    monkeypatch.setenv("COLUMNS", "60")
    assert max(map(len, get_output("profiles").splitlines()[:-1])) <= 60


def test_profiles_explain_one_and_are_json() -> None:
    explained = get_output("profiles", "scorch-cli")
    assert explained.startswith("scorch-cli: scorch 0.2.0, its command")
    assert "adds every response mention" in explained
    listed = json.loads(get_output("profiles", "--json"))
    assert [each["name"] for each in listed] == list(PROFILES)
    assert listed[2]["decisions"]["duplicates"] == "coval"


@pytest.mark.parametrize("scorer", PEERS)
def test_beside_the_scorer_itself_on_generated_corpora(scorer: str) -> None:
    peer = PEERS[scorer]
    path = differential.path_of(peer)
    if not path:
        pytest.skip(f"{peer.variable or 'scorch'} does not say where {scorer} is")
    assert differential.compared(peer, path, pairs=10, seed=3).differences == []


@pytest.mark.parametrize("measure", ["ace_value", "nec", corefeval.measures.Ceafm(mention_weights={"NAM": 0.5})])
def test_entities_that_scorch_adds_to_the_key_are_not_taken_for_those_with_mentions(measure: Any) -> None:
    key = {"d1": [("A", (0, 0)), ("A", (1, 1))], "d2": [("B", (0, 0)), ("B", (1, 1))], "d3": [("C", (0, 0))]}
    response = {"d1": [("A", (0, 0)), ("X", (3, 3))], "d2": [("B", (0, 0)), ("B", (1, 1)), ("Y", (2, 2))], "d3": []}
    together = corefeval.score(draft_corpus(key), draft_corpus(response), measures=[measure], twinless="scorch-cli")
    for name in key:
        alone = corefeval.score(
            draft_corpus({name: key[name]}),
            draft_corpus({name: response[name]}),
            measures=[measure],
            twinless="scorch-cli",
        )
        assert together.documents[name][measure].to_dict() == alone[measure].to_dict()
        usual = corefeval.score(
            draft_corpus({name: key[name]}), draft_corpus({name: response[name]}), measures=[measure]
        )
        assert alone[measure].to_dict() == usual[measure].to_dict()


def test_what_scorch_adds_to_one_document_does_not_change_repeats_in_another() -> None:
    repeated = [("A", (0, 0)), ("A", (1, 1)), ("B", (1, 1)), ("B", (2, 2))]
    key = {"d1": repeated, "d2": [("A", (0, 0))]}
    response = {"d1": repeated, "d2": [("A", (0, 0)), ("B", (1, 1))]}
    options = {"twinless": "scorch-cli", "duplicates": "ua"}
    together = corefeval.score(draft_corpus(key), draft_corpus(response), **options)  # type: ignore[arg-type]
    alone = corefeval.score(draft_corpus({"d1": repeated}), draft_corpus({"d1": repeated}), **options)  # type: ignore[arg-type]
    for measure in together:
        assert together.documents["d1"][measure].to_dict() == alone[measure].to_dict()


def test_mentions_that_are_all_in_one_entity_and_each_in_another_are_linked_once() -> None:
    """300 mentions in one entity, each also a singleton: C(300, 2) = 44,850 links, none of them met twice."""
    mentions = [(n, n) for n in range(300)]
    key = [mentions, *([mention] for mention in mentions)]
    evaluation = corefeval.score(key, [mentions], measures="blanc", duplicates="conll-8.01")
    links = evaluation.count(evaluation.measures[0])
    assert links["key_coreference"] == links["response_coreference"] == links["common_coreference"] == 44_850
    assert links["key_noncoreference"] == 44_850 + 300  # that scorer makes one of each mention with itself
