"""BLANC and LEA with split antecedents as the Universal Anaphora scorers count them: their numbers, and lists by hand."""

from __future__ import annotations

import json
import random
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import corefeval
from corefeval import Scorer
from tests.data import golden, public_data, read_once
from tests.overlap.test_split_antecedents import found_counts, random_side, side, triple
from tests.rounds import few_or_many

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from corefeval import Corpus

    Entities = list[list[Hashable]]
    Splits = Mapping[int, tuple[int, ...]]

CASES = golden("listed_links.json")["cases"]
KINDS = ("coreference", "noncoreference")
MATCH = {"exact": "exact", "head": "head", "partial-corefud": "partial", "partial-craft": "craft"}
ZEROS = {"linear": "order", "dependent": "corefud-1.2"}


@pytest.mark.parametrize(
    ("profile", "folder", "rows"), [("corefud-1.2", "corefud-scorer", 113), ("ua-2", "ua-scorer", 111)]
)
def test_every_row_of_the_scorers_own_tests(profile: str, folder: str, rows: int) -> None:
    """A profile, and what the row says, give all numbers of the scorer to its six digits."""
    root = public_data(folder)
    cases = json.loads((root / "expected.json").read_text(encoding="utf-8"))
    assert len(cases) == rows
    for case in cases:
        options = case["options"]
        split: dict[str, Any] = {}
        if not options.get("keep_split_antecedents", True):
            split = {"split_antecedents": "drop"}
        found = corefeval.score(
            read_once(root / case["key"]),
            read_once(root / case["response"]),
            profile=profile,
            match=MATCH[options["match"]],
            zeros=ZEROS[options.get("zero_match_method", "linear")] if options["keep_zeros"] else "drop",
            singletons="keep" if options["keep_singletons"] else "drop",
            measures=list(case["expected"]),
            **split,
        )
        for name, expected in case["expected"].items():
            assert triple(found[name]) == pytest.approx(expected, abs=1e-6), (case["response"], name)


def sides(case: dict[str, Any]) -> list[Corpus]:
    return [
        side(
            [[tuple(mention) for mention in entity] for entity in case[name]],
            {int(entity): tuple(parts) for entity, parts in case[f"{name}_split"].items()},
        )
        for name in ("key", "response")
    ]


@pytest.mark.parametrize("scorer", ["ua-1", "ua-2"])
@pytest.mark.parametrize("case", CASES)
def test_cases_in_which_the_order_of_sets_decides(scorer: str, case: dict[str, Any]) -> None:
    """What the scorers give, and how far that is from keep, but for mentions that are repeated."""
    found = corefeval.score(*sides(case), profile=scorer, measures=["blanc"])
    assert triple(found["blanc"]) == pytest.approx(case["blanc"][scorer], abs=1e-8)
    keep = corefeval.score(*sides(case), profile=scorer, split_antecedents="keep", measures=["blanc"])
    differ = [found["blanc"].links[f"right_{kind}"] - keep["blanc"].links[f"right_{kind}"] for kind in KINDS]
    if any(notice.kind == "repeated-mention" for notice in found.notices):
        return
    told = [list(notice.details.values()) for notice in found.notices if notice.kind == "listed-links"]
    assert told == ([pytest.approx(differ)] if any(differ) else [])


@pytest.mark.parametrize("case", CASES)
def test_links_across_a_split_antecedent_count_in_part_in_the_first_scorer_s_lea(case: dict[str, Any]) -> None:
    for scorer, expected in case["lea"].items():
        found = corefeval.score(*sides(case), profile=scorer, measures=["lea"])
        assert triple(found["lea"]) == pytest.approx(expected, abs=1e-8)
        told = any(notice.kind == "crossed-links" for notice in found.notices)
        assert told == (scorer == "ua-1" and expected != case["lea"]["ua-2"])


def test_links_across_by_hand() -> None:
    """Labels keep their order: the list is a, b, they, c, d, for two entities have the same split antecedent, merged.

    The key's {xy, z} is shared by half in recall with {xy}: LEA of the antecedents is 2 × 1 of 2 + 1 = 2/3. So of the ten
    links of a, b, they, c, d six are shared in full there, or would be, and four by 2/3; those of a and b with c and d
    lead across, and count by 2/3, too: 2 + 4 × 2/3 + 4 × 2/3. Under keep: 6 + 4 × 2/3.
    """
    key = side(["xy", "z", "ab", "cd"], {2: (0, 1), 3: (0, 1)})
    response = side(["xy", "z", "abcd"], {2: (0,)})
    rest = 2 + 1  # xy and z are resolved
    for option, links in (("ua-1", 2 + 8 * 2 / 3), ("keep", 6 + 4 * 2 / 3)):
        found = corefeval.score(key, response, split_antecedents=option, measures=["lea"])["lea"]
        assert found.recall_numerator == pytest.approx(rest + 5 * links / 10)
        assert found.recall_denominator == rest + 5
        assert found.precision == 1


def test_a_list_by_hand() -> None:
    """Labels are no words, and have no hash there: a list is as it is given, and its split antecedent comes last.

    Nothing stands behind it, so "they" = {ab, c} and "they" = {ab, d} share none of the links that keep shares in part:
    t and u with F = 1 of the antecedents' one coreference link. Links apart are the same.
    """
    key, response = side(["ab", "c", "d", "tu"], {3: (0, 1)}), side(["ab", "c", "d", "tu"], {3: (0, 2)})
    keep, listed = (
        corefeval.score(key, response, split_antecedents=each, measures=["blanc"]) for each in ("keep", "ua-2")
    )
    assert [found_counts(each, "blanc.coreference")[0] for each in (keep, listed)] == [4, 2]
    apart = [found_counts(each, "blanc.noncoreference")[0] for each in (keep, listed)]
    assert apart[0] == apart[1]
    (notice,) = listed.notices
    assert "-2 common coreference links and +0 non-coreference links" in notice.message
    assert not keep.notices
    other = corefeval.score(key, response, split_antecedents="ua-2", measures=["muc", "bcub"])
    assert not other.notices


def leaves(place: int, splits: Splits) -> list[int]:
    return [leaf for part in splits[place] for leaf in (leaves(part, splits) if part in splits else [part])]


def lists(entities: Entities, splits: Splits) -> list[list[Any]]:
    """Mentions, and behind them the split antecedent as a set of sets; what entities with equal ones have comes then."""
    found: list[list[Any]] = []
    for place, entity in enumerate(entities):
        own: list[Any] = list(entity)
        if place in splits:
            own.append(frozenset(frozenset(entities[leaf]) for leaf in leaves(place, splits)))
            same = [each for each in found if own[-1] in each]
            if same:
                same[0][:] = dict.fromkeys([*same[0], *own])
                continue
        found.append(own)
    return found


def links(entities: list[Any], kind: str) -> set[frozenset[Any]]:
    apart = {frozenset(pair) for one, other in combinations(entities, 2) for pair in zip_all(one, other)}
    within = {frozenset(pair) for entity in entities for pair in combinations(entity, 2)}
    return within if kind == "coreference" else apart


def zip_all(one: Any, other: Any) -> list[tuple[Any, Any]]:
    return [(a, b) for a in one for b in other]


def f1(key: Any, response: Any, kind: str) -> float:
    ours, theirs = links(list(key), kind), links(list(response), kind)
    common = len(ours & theirs)
    if not common:
        return 0
    precision, recall = common / len(theirs), common / len(ours)
    return 2 * precision * recall / (precision + recall)


def common_links(key: list[list[Any]], response: list[list[Any]], kind: str) -> float:
    """Along the lists of the key, as the scorers go: a split antecedent is what it is aligned with, only if it is met."""
    ours, theirs = ([each for entity in s for each in entity if isinstance(each, frozenset)] for s in (key, response))
    aligned: dict[Any, tuple[Any, float]] = {}
    if ours and theirs:
        table = np.array([[f1(one, other, kind) for other in theirs] for one in ours])
        for row, column in zip(*linear_sum_assignment(-table), strict=True):
            if table[row, column] > 0:
                aligned[ours[row]] = theirs[column], table[row, column]
    home = {each: place for place, entity in enumerate(response) for each in entity}
    total = 0.0
    for number, entity in enumerate(key):
        for place, each in enumerate(entity):
            one, part = aligned.get(each, (each, 1.0))
            if kind == "coreference":
                total += sum(part for other in entity[place + 1 :] if one in home and home.get(other) == home[one])
                continue
            for met in (aligned.get(other, (other, 1.0)) for later in key[number + 1 :] for other in later):
                if one in home and met[0] in home and home[one] != home[met[0]]:
                    total += part * met[1]
    return total


@few_or_many(100, 400)
def test_random_sides_agree_with_going_along_lists(rounds: int) -> None:
    rng = random.Random(2)
    differ = 0
    for _ in range(rounds):
        mentions = rng.randint(8, 20)
        key = random_side(rng, mentions)
        some = range(1, len(key[0]))
        response = key[0], {place: tuple(rng.sample(range(place), rng.randint(1, min(place, 3)))) for place in some}
        corpora = side(*key), side(*response)
        found, keep = (corefeval.score(*corpora, split_antecedents=option) for option in ("ua-2", "keep"))
        listed = lists(*key), lists(*response)  # type: ignore[arg-type]
        for kind in KINDS:
            counts = found_counts(found, f"blanc.{kind}")
            assert counts[0] == pytest.approx(common_links(*listed, kind), abs=1e-9), (kind, key, response)
            differ += counts[0] != pytest.approx(found_counts(keep, f"blanc.{kind}")[0], abs=1e-9)
    assert differ > 30 * rounds // 400


def test_bit_by_bit_it_is_the_same() -> None:
    scorer, total = Scorer(profile="ua-2", measures=["blanc"]), [0.0, 0.0]
    for number, case in enumerate(CASES):
        scorer.update(*sides(case), document=str(number))
        alone = corefeval.score(*sides(case), profile="ua-2", measures=["blanc"])["blanc"]
        total = [sofar + alone.links[f"right_{kind}"] for sofar, kind in zip(total, KINDS, strict=True)]
    plain = side(["ab", "c"], {})
    scorer.update(plain, plain, document="without")
    whole = scorer.compute()["blanc"]
    assert [whole.links[f"right_{kind}"] for kind in KINDS] == pytest.approx([total[0] + 1, total[1] + 2])
