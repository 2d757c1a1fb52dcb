"""Studies of the user's files: responses made by hand, numbers that papers print, and what must always hold."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corefeval
from corefeval.lab import StudyResult, list_studies, study
from corefeval.lab.corruption import KINDS, corrupt_key
from corefeval.lab.papers import load_case
from corefeval.lab.sides import NumberedSide, number_sides
from corefeval.lab.studies.identification_effect import CASES, make_responses
from corefeval.lab.studies.operating_curve import PLACES
from corefeval.lab.subject import read_subject
from corefeval.options import ScoringOptions
from tests.cli.running import get_output, run
from tests.data import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Iterable

KEY, A, B = (str(EXAMPLES / name) for name in ("key.conll", "response-a.conll", "response-b.conll"))
TRUTH, RUN = (str(EXAMPLES / "records" / name) for name in ("truth.csv", "run-a.csv"))


def make_side(*documents: Iterable[Iterable[int]]) -> NumberedSide:
    """A side of documents, each a list of entities of numbered mentions."""
    rows = [
        (mention, document, number)
        for number, (document, entity) in enumerate(
            (n, each) for n, entities in enumerate(documents) for each in entities
        )
        for mention in entity
    ]
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3)
    return NumberedSide(tuple(map(str, range(len(documents)))), columns[:, 0], columns[:, 1], columns[:, 2])


def list_entities(side: NumberedSide) -> set[frozenset[int]]:
    """The entities of a side as sets of their mentions' numbers."""
    found: dict[int, set[int]] = {}
    for mention, entity in zip(side.mention.tolist(), side.entity.tolist(), strict=True):
        found.setdefault(entity, set()).add(mention)
    return set(map(frozenset, found.values()))


def get_curves(result: StudyResult, vertical: str) -> dict[str, dict[object, float]]:
    """The values of a figure: {curve: {place: value}}."""
    figure = next(each for each in result.findings.figures if each.vertical == vertical)
    return {name: dict(zip(figure.places, values, strict=True)) for name, values in figure.curves.items()}


def test_incorrectly_resolved_mentions_go_and_lacking_ones_come() -> None:
    # 3 is linked to 0 and 1 only, 4 to 7 only: no link of theirs is right. 7 is not in the key. 2, 5 and 6 are lacking.
    key, response = make_side([[0, 1, 2], [3, 4], [5, 6]]), make_side([[0, 1, 3], [4, 7]])
    base, more, less_a, less_b = make_responses(key, response)
    assert list_entities(base) == {frozenset({0, 1, 3}), frozenset({4, 7})}
    assert list_entities(more) == {frozenset({0, 1}), frozenset({7})}
    new_a, new_b = (list_entities(each) - list_entities(base) for each in (less_a, less_b))
    assert new_a in ({frozenset({2, 5})}, {frozenset({2, 6})})
    assert new_b == {frozenset({2, 5})}  # and 6 is alone


def test_less_precise_b_has_one_mention_of_each_entity() -> None:
    key = make_side([[0, 1], [2, 3], [4, 5, 6]], [[7, 8]])
    _, _, less_a, less_b = make_responses(key, make_side([[9]], []))
    assert list_entities(less_b) == {frozenset({9}), frozenset({0, 2, 4}), frozenset({1, 3, 5})}
    assert Counter(map(len, list_entities(less_a))) == {1: 1, 2: 3}  # 7 and 8 corefer: they make none


def test_a_mention_of_a_key_singleton_is_not_called_incorrect() -> None:
    _, more, *_ = make_responses(make_side([[0, 1], [2]]), make_side([[0, 1, 2]]))
    assert list_entities(more) == {frozenset({0, 1, 2})}


partitions = st.lists(st.integers(0, 4), min_size=4, max_size=14)
"""An entity for each mention; 0 is none."""


def divide(labels: list[int], mentions: list[int]) -> list[list[int]]:
    """The entities of mentions by their labels; those labelled 0 are left out."""
    groups = {
        label: [m for m, own in zip(mentions, labels, strict=True) if own == label] for label in set(labels) - {0}
    }
    return [group for group in groups.values() if group]


@settings(max_examples=40, deadline=None)
@given(partitions, st.data())
def test_no_right_link_is_added_or_removed(labels: list[int], data: st.DataObject) -> None:
    mentions = list(range(len(labels)))
    entities = [each for each in divide([1 + label for label in labels], mentions) if len(each) > 1]
    others = data.draw(st.lists(st.integers(0, 4), min_size=len(labels) + 2, max_size=len(labels) + 2))
    if not entities:
        return
    key, response = make_side(entities), make_side(divide(others, [*mentions, 100, 101]))
    made = make_responses(key, response)
    scores = [
        corefeval.score(entities, [list(each) for each in list_entities(side)], measures=["muc", "lea"])
        for side in made
    ]
    for name in ("muc", "lea"):
        assert [each[name].recall_numerator for each in scores] == pytest.approx([scores[0][name].recall_numerator] * 4)
    lacking = [[m for m in entity if m not in response.mention] for entity in entities]
    count, largest = sum(map(len, lacking)), max(map(len, lacking))
    assert len(list_entities(made[2])) - len(list_entities(response)) == min(count // 2, count - largest)


def test_identification_effect_of_a_response() -> None:
    key = {"d": [["a", "b", "c"], ["d", "e"], ["f", "g"]]}
    result = study("identification-effect", key, {"r": {"d": [["a", "b", "d"], ["e", "x"]]}})
    recall, precision = get_curves(result, "recall"), get_curves(result, "precision")
    # B³: a and b 2/3 each, d and e 1/2; without d and e less; with c and f (or g) 1/3 + 1/2 more: of 7 mentions.
    assert [recall["bcub"][case] for case in CASES] == pytest.approx(
        [100 * each / 7 for each in (7 / 3, 4 / 3, 19 / 6, 19 / 6)]
    )
    assert [recall["muc"][case] for case in CASES] == pytest.approx([25.0] * 4)
    # MUC: of the response's 3 links one is right; of 1 link 1; of 4 links 1.
    assert [precision["muc"][case] for case in CASES] == pytest.approx([100 / 3, 100, 25, 25])
    held = {claim.text: claim.holds for claim in result.findings.claims}
    assert held["more precise: recall of muc stays"]
    assert held["more precise: recall of bcub changes"]
    assert len(held) == 5 + 2 + 2 * (5 + 3)


def test_nothing_is_claimed_of_what_could_not_be_made() -> None:
    result = study("identification-effect", TRUTH, {"run": RUN})
    assert {claim.text.partition(":")[0] for claim in result.findings.claims} == {"more precise"}
    assert sum("As the base" in each for each in result.findings.sentences) == 2


def test_numbered_sides_score_as_their_files_do() -> None:
    subject = read_subject(KEY, {}, None, 0, {})
    sides = number_sides(subject, corefeval.read(B))
    again = corefeval.score(sides.key.build_corpus(), sides.response.build_corpus())
    assert dict(again) == dict(corefeval.score(KEY, B))
    assert sides.notices == ()


DECISIONS: tuple[ScoringOptions, ...] = (
    {"singletons": "drop"},
    {"singletons": "drop_listed"},
    {"singletons": "ucdcr"},
    {"match": "partial"},
    {"nested": "drop"},
    {"average": "macro"},
    {"macro": True, "singletons": "drop"},
    {"twinless": "cai_strube"},
    {"boundary": "both"},
    {"level": "corpus", "entity_names": "local"},
    {"profile": "conll-2012"},
    {"profile": "coval"},
    {"profile": "ua-2"},
    {"profile": "allennlp"},
    {"profile": "scorch-cli"},
    {"profile": "ucdcr"},
)


@pytest.mark.parametrize("decisions", DECISIONS, ids=str)
def test_studies_score_as_decisions_say(decisions: ScoringOptions) -> None:
    """What each study shows of the response itself is what `score` says of it."""
    expected = corefeval.score(KEY, B, **decisions)
    shown = {
        "operating-curve": get_curves(study("operating-curve", KEY, {"b": B}, **decisions), "f1"),
        "identification-effect": get_curves(study("identification-effect", KEY, {"b": B}, **decisions), "f1"),
        "boundaries": get_curves(study("boundaries", KEY, {"b": B}, **decisions), "main score"),
        "ranks": get_curves(study("ranks", KEY, {"a": A, "b": B}, **decisions), "main score"),
    }
    places = {"operating-curve": 0, "identification-effect": "base", "boundaries": "b", "ranks": "b"}
    for name, curves in shown.items():
        found = {measure: curve[places[name]] for measure, curve in curves.items()}
        assert found == pytest.approx({measure: 100 * expected[measure].main for measure in curves}), name
    errors = get_curves(study("sensitivity", KEY, **decisions), "moved mention: main score")
    own = corefeval.score(KEY, KEY, **decisions)
    assert {measure: curve[0] for measure, curve in errors.items()} == pytest.approx(
        {measure: 100 * own[measure].main for measure in errors}
    )


def test_advice_and_sizes_know_decisions() -> None:
    first, *_ = corefeval.advise(KEY, singletons="drop").findings.sentences
    assert first.startswith("0 of 7 entities are singletons")
    with pytest.raises(
        corefeval.OptionError, match="sizes scores nothing, so that it has no use for: measures, singletons, match"
    ):
        study("sizes", KEY, measures="muc", singletons="drop", match="head")
    assert run("lab", "sizes", KEY, "-m", "muc").returncode == 2


def test_commands_take_decisions() -> None:
    def show(*arguments: object) -> object:
        found = json.loads(get_output(*arguments, "--json", "-q"))
        return found["figures"], found["sentences"]

    dropped = study("sensitivity", KEY, singletons="drop").to_dict()
    assert show("lab", "sensitivity", KEY, "--singletons", "drop") == (dropped["figures"], dropped["sentences"])
    assert show("lab", "sensitivity", KEY, "--singletons", "drop") != show("lab", "sensitivity", KEY)
    assert show("advise", KEY, "--macro") != show("advise", KEY)


def test_mentions_in_two_entities_are_a_notice() -> None:
    with pytest.warns(corefeval.CorefevalWarning):
        result = study("operating-curve", [["a", "c", "a"]], {"r": [["d", "f"], ["b", "a"]]})
    assert "repeats-apart" in {notice.kind for notice in result.notices}


SIDE = make_side([[0, 1, 2, 3], [4, 5], [6]], [[7, 8, 9], [10, 11, 12, 13], [14, 15], [16], [17, 18, 19]])


@pytest.mark.parametrize("kind", KINDS)
def test_errors_are_as_many_as_the_rate_says_and_grow(kind: str) -> None:
    before = list_entities(SIDE)
    assert list_entities(corrupt_key(SIDE, kind, 0.0, 1)) == before
    few, many = (corrupt_key(SIDE, kind, rate, 1) for rate in (0.25, 0.5))
    assert len(few.mention) == len(set(few.mention.tolist()))
    assert list_entities(corrupt_key(SIDE, kind, 0.5, 1)) == list_entities(many)
    own, new = set(SIDE.mention.tolist()), set(many.mention.tolist())
    found = list_entities(many)
    moved = sum(np.count_nonzero(SIDE.entity != each.entity) if len(each.entity) == 20 else 0 for each in (many,))
    expected = {
        "span error": len(own - new) == len(new - own) == 10,
        "missing mention": len(own - new) == 10 and new < own,
        "extra mention": len(new - own) == 10 and own < new,
        "moved mention": new == own and moved == 10,
        "missing entity": found < before and len(before - found) == 4,
        "extra entity": before < found and len(found - before) == 4 and not any(each & own for each in found - before),
        "divided entity": len(found) == 8 + 3 and all(any(each <= one for one in before) for each in found),
        "conflated entities": len(found) < 8 and all(any(one <= each for each in found) for one in before),
    }
    assert expected[kind]
    if kind in ("missing mention", "span error"):
        assert own - set(few.mention.tolist()) < own - new
    if kind == "conflated entities":
        first = {mention for mention in own if mention < 7}
        assert all(each <= first or not each & first for each in found)


def test_every_kind_lowers_what_it_is_about_only() -> None:
    result = study("sensitivity", KEY, measures=["mentions", "muc", "bcub"], seed=3)
    for kind in KINDS:
        curves = get_curves(result, f"{kind}: main score")
        assert all(curve[0] == 100 for curve in curves.values())
        assert curves["bcub"][50] < 100
        kept = kind in ("moved mention", "divided entity", "conflated entities")
        assert (curves["mentions"][50] == 100) == kept
    # 27 mentions, of which 14 (27 / 2 rounded to even) are missing: recall 13/27.
    missing = get_curves(result, "missing mention: main score")
    assert missing["mentions"][50] == pytest.approx(100 * 2 * 13 / (27 + 13))
    assert result.findings.seed == 3
    assert result == study("sensitivity", KEY, measures=["mentions", "muc", "bcub"], seed=3)


def test_the_ends_of_the_operating_curve_are_baselines_of_the_response() -> None:
    result = study("operating-curve", KEY, {"b": B}, seed=2)
    response = corefeval.read(B)
    ends = {
        -100: corefeval.baseline(response, "singletons"),
        0: response,
        100: corefeval.baseline(response, "one-entity"),
    }
    for place, made in ends.items():
        evaluation = corefeval.score(KEY, made)
        for field in ("recall", "precision", "f1"):
            for name, curve in get_curves(result, field).items():
                assert curve[place] == pytest.approx(100 * getattr(evaluation[name], field))
    for name in ("muc", "bcub", "pairwise"):
        if name in (curves := get_curves(result, "recall")):
            assert list(curves[name].values()) == sorted(curves[name].values())
    assert tuple(get_curves(result, "f1")["lea"]) == PLACES


LUO = {"d": load_case("luo-1a")["key"]}


def test_boundaries_are_those_that_luo_prints() -> None:
    """His responses (c) and (d) are one entity and all singletons."""
    curves = get_curves(study("boundaries", LUO, measures=["muc", "bcub", "ceafm", "ceafe"]), "main score")
    for name, case in (("one-entity", "luo-1c"), ("singletons", "luo-1d")):
        printed = load_case(case)["expected"]
        for measure, curve in curves.items():
            assert curve[name] == pytest.approx(100 * printed.get(f"{measure}.f1", 0.0), abs=0.06)
    assert set(curves["muc"]) == {"singletons", "one-entity", "random"}  # without words


def test_boundaries_have_the_responses_below_the_baselines() -> None:
    curves = get_curves(study("boundaries", KEY, {"ours": A}), "main score")
    assert list(curves["lea"]) == ["singletons", "one-entity", "random", "string-match", "head-match", "ours"]
    assert curves["lea"]["ours"] == pytest.approx(84.83, abs=0.005)


@pytest.mark.parametrize(
    ("counts", "printed"),
    [
        ([7305, 2126, 858, 479, 287, 567, 367], [60.93, 17.73, 7.16, 4.00, 2.39, 4.73, 3.06]),
        ([55264, 4825, 1711, 869, 485, 903, 364], [85.79, 7.49, 2.66, 1.35, 0.75, 1.40, 0.57]),
    ],
    ids=["ACE-2004", "AnCora-Es"],
)
def test_sizes_are_those_of_the_paper(counts: list[int], printed: list[float]) -> None:
    """Recasens & Hovy 2011, table 2; where a bin has several sizes, its ends are taken in turn."""
    sizes = {1: (1,), 2: (2,), 3: (3,), 4: (4,), 5: (5,), 6: (6, 10), 7: (11, 30)}
    of_entities = [own[n % len(own)] for count, own in zip(counts, sizes.values(), strict=True) for n in range(count)]
    labels = np.arange(len(of_entities)).repeat(of_entities)
    key = corefeval.Corpus.from_labels(mention=np.arange(len(labels)), entity=labels)
    result = study("sizes", key)
    curves = get_curves(result, "entities by size")
    assert list(curves["key"].values()) == counts
    assert result.findings.sentences == [f"key: {len(labels):,} mentions in {sum(counts):,} entities."]
    # The paper prints 0.57 for 364 of 64,421, which is 0.565: either way of rounding will do.
    shares = get_curves(result, "entities by size, %")
    assert list(shares["key"].values()) == pytest.approx(printed, abs=0.0051)
    assert [claim.holds for claim in result.findings.claims] == [True]


def test_ranks_show_where_measures_disagree() -> None:
    """Luo's (c) and (d): by the printed rand, 0.318 and 0.682, (d) is better; by the others (c)."""
    responses = {name: {"d": load_case(f"luo-1{name}")["response"]} for name in "cd"}
    with pytest.warns(corefeval.CorefevalWarning):
        result = study("ranks", LUO, responses, measures=["bcub", "ceafm", "rand"])
    (first, *_), (claim,) = result.findings.sentences, result.findings.claims
    assert first.startswith("c, d: rand (36.36, p 1) prefers d; bcub (14.55, p 1), ceafm (16.67, p 1) prefer c:")
    assert first.endswith("neither significantly.")
    assert not claim.holds
    assert claim.numbers == "c > d: bcub, ceafm; d > c: rand"
    assert {value for curve in get_curves(result, "rank").values() for value in curve.values()} == {1}


def test_ranks_are_those_of_compare() -> None:
    key = {f"d{n}": [["a", "b"], ["c", "d", "e"]] for n in range(12)}
    good, bad = (
        {f"d{n}": entities for n in range(12)} for entities in ([["a", "b"], ["c", "d"]], [["a", "c"], ["b", "d"]])
    )
    result = study("ranks", key, {"good": good, "bad": bad}, measures=["lea", "bcub"])
    assert get_curves(result, "rank") == {"lea": {"good": 1, "bad": 2}, "bcub": {"good": 1, "bad": 2}}
    assert result.findings.sentences[0] == "All measures put the systems in the same order."


@pytest.mark.parametrize(
    ("name", "responses", "message"),
    [
        ("sensitivty", 0, "did you mean sensitivity"),
        ("sensitivity", 1, "sensitivity takes KEY; here it has a key and 1 response$"),
        ("ranks", 1, r"ranks takes KEY RESPONSE RESPONSE \[RESPONSE\]...; here it has a key and 1 response$"),
        ("operating-curve", 2, "operating-curve takes KEY RESPONSE; here it has a key and 2 responses$"),
    ],
)
def test_what_a_study_does_not_take_is_refused(name: str, responses: int, message: str) -> None:
    with pytest.raises(corefeval.OptionError, match=message):
        study(name, KEY, {str(n): A for n in range(responses)})


@pytest.mark.parametrize("name", ["sensitivity", "sizes"])
def test_a_study_of_files_needs_a_key(name: str) -> None:
    with pytest.raises(corefeval.OptionError, match=f"{name} takes KEY.*; here it has no key$"):
        study(name)


def test_a_key_without_mentions_and_measures_without_rates_are_refused() -> None:
    with pytest.raises(corefeval.OptionError, match="nothing to study"):
        study("sizes", {"d": []})
    with pytest.raises(corefeval.OptionError, match="no mentions left: there is nothing to study"):
        study("sensitivity", [["a"], ["b"]], singletons="drop")
    with pytest.raises(corefeval.OptionError, match="conll: no recall and precision"):
        study("operating-curve", KEY, {"a": A}, measures="conll")
    with pytest.raises(corefeval.OptionError, match="seed=-1"):
        study("sizes", KEY, seed=-1)


FILES = {
    "identification-effect": [1, 1], "operating-curve": [1, 1], "sensitivity": [0, 0], "boundaries": [0, 1],
    "sizes": [1, 1], "ranks": [2, 0],
}  # fmt: skip
"""How many responses each study is given below: of text, and of records (none for ranks)."""


@pytest.mark.parametrize("name", FILES)
def test_the_command_runs_each_study_on_text_and_records(name: str) -> None:
    of_text, of_records = FILES[name]
    shown = get_output("lab", name, KEY, *[A, B][:of_text], "-q")
    titles = {own: title for own, title, *_ in list_studies().studies}
    assert shown.startswith(f"{name}: {titles[name]}\n")
    assert "Source: " in shown
    found = json.loads(get_output("lab", name, TRUTH, *([RUN] * of_records), "--json", "-q")) if name != "ranks" else {}
    assert found.get("study", "ranks") == name
    assert get_output("lab", name, KEY, *[A, B][:of_text], "-q", "--csv").startswith(
        "kind,text,place,name,value,printed,holds,note\n"
    )


def test_the_command_lists_studies_and_refuses_others() -> None:
    assert {line.split()[0] for line in get_output("lab").splitlines() if line} >= set(FILES)
    done = run("lab", "rank", "no-such-file")
    assert (done.returncode, "did you mean ranks" in done.stderr) == (2, True)
    assert run("lab", "sizes").returncode == 2
    assert run("lab", "sizes", "no-such-file").returncode == 66
