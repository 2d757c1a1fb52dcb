"""Scorers that look mentions up in dictionaries: the table's counts against dictionaries, mention by mention."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefeval
from corefeval.matching.numbers import replace_numbers
from corefeval.matching.rules.base import MentionNumbers
from corefeval.profiles import corefud

if TYPE_CHECKING:
    from pathlib import Path

Side = list[list[int]]

SIDES = st.lists(st.lists(st.integers(0, 7), min_size=1, max_size=4), max_size=4)


def once(side: Side) -> Side:
    """Every mention once in an entity."""
    return [list(dict.fromkeys(entity)) for entity in side]


def dictionary(side: Side) -> dict[int, int]:
    """Where each mention is found: in the last entity that has it."""
    return {mention: place for place, entity in enumerate(side) for mention in entity}


def links(entity: list[int], where: dict[int, int]) -> int:
    """Pairs of an entity's mentions that are found in the same entity of the other side."""
    return sum(a in where and b in where and where[a] == where[b] for a, b in combinations(entity, 2))


def muc(side: Side, other: Side) -> tuple[Fraction, Fraction]:
    where = dictionary(other)
    common = 0
    for entity in side:
        found = [where[mention] for mention in entity if mention in where]
        common += len(found) - len(set(found))
    return Fraction(common), Fraction(sum(len(entity) - 1 for entity in side))


def bcub(side: Side, other: Side) -> tuple[Fraction, Fraction]:
    where = dictionary(other)
    credit = Fraction(0)
    for entity in side:
        found = [where[mention] for mention in entity if mention in where]
        credit += Fraction(sum(found.count(each) for each in found), len(entity))
    return credit, Fraction(sum(map(len, side)))


def lea(side: Side, other: Side) -> tuple[Fraction, Fraction]:
    where = dictionary(other)
    resolved = Fraction(0)
    for entity in side:
        if len(entity) == 1:
            resolved += entity[0] in where and len(other[where[entity[0]]]) == 1
        else:
            resolved += len(entity) * Fraction(links(entity, where), len(list(combinations(entity, 2))))
    return resolved, Fraction(sum(map(len, side)))


def ceafe(key: Side, response: Side) -> Fraction:
    """The best alignment, of all there are; a mention is in an entity or not."""
    similar = [[Fraction(2 * sum(m in r for m in k), len(k) + len(r)) for r in response] for k in key]
    if len(key) > len(response):
        similar = [list(column) for column in zip(*similar, strict=True)]
    if not similar:
        return Fraction(0)
    columns = range(len(similar[0]))
    return max(
        sum((similar[i][j] for i, j in enumerate(way)), Fraction(0)) for way in permutations(columns, len(similar))
    )


def blanc_links(key: Side, response: Side) -> tuple[int, int]:
    """Coreference and non-coreference links of the key that the response has, found mention by mention."""
    where = dictionary(response)
    together = sum(links(entity, where) for entity in key)
    apart = sum(
        a in where and b in where and where[a] != where[b]
        for one, other in combinations(key, 2)
        for a in one
        for b in other
    )
    return together, apart


@given(SIDES, SIDES, st.sampled_from(["ua", "corefud-1.2", "coval", "allennlp"]))
def test_counts_are_those_of_dictionaries(key: Side, response: Side, duplicates: str) -> None:
    made = corefeval.score(key, response, duplicates=duplicates)
    if duplicates in ("ua", "corefud-1.2"):
        key, response = once(key), once(response)
    for name, slow in (("muc", muc), ("bcub", bcub), ("lea", lea)):
        score = made[name]
        assert (score.recall_numerator, score.recall_denominator) == pytest.approx(
            tuple(map(float, slow(key, response)))
        )
        precision = tuple(map(float, slow(response, key)))
        assert (score.precision_numerator, score.precision_denominator) == pytest.approx(precision)
    assert made["ceafe"].recall_numerator == pytest.approx(float(ceafe(key, response)))
    found = made["blanc"].links
    assert (found["right_coreference"], found["right_noncoreference"]) == blanc_links(key, response)
    distinct = {mention for entity in key for mention in entity}, {mention for entity in response for mention in entity}
    mentions = made["mentions"]
    assert (mentions.recall_numerator, mentions.recall_denominator) == (
        len(distinct[0] & distinct[1]),
        len(distinct[0]),
    )


PLACES = st.lists(st.integers(0, 6), unique=True, max_size=5)


@given(PLACES, PLACES, st.data())
def test_what_is_asked_for_is_what_one_dictionary_says(
    key: list[int], response: list[int], data: st.DataObject
) -> None:
    """Mentions by their places; some are matched with one in another place, the others with one in their own."""
    count = data.draw(st.integers(0, min(len(key), len(response))))
    pairs = list(
        zip(data.draw(st.permutations(key))[:count], data.draw(st.permutations(response))[:count], strict=True)
    )
    taken = {one for one, _ in pairs}, {other for _, other in pairs}
    pairs += [(place, place) for place in key if place in response and place not in taken[0] | taken[1]]
    align: dict[int, int] = {one: other for one, other in pairs if one != other}
    align.update({other: one for one, other in pairs if one != other})

    number = {("key", one): place for place, (one, _) in enumerate(pairs)}
    number |= {("response", other): place for place, (_, other) in enumerate(pairs)}
    for side, places in (("key", key), ("response", response)):
        for place in places:
            number.setdefault((side, place), len(number) + 100)
    columns = [
        np.array([number[side, place] for place in places], dtype=np.int64)
        for side, places in (("key", key), ("response", response))
    ]
    words = np.array(key, dtype=np.int64), np.array(response, dtype=np.int64)
    lookups = corefud.add_lookups(words, MentionNumbers(columns[0], columns[1])).lookups
    for side, other, places, others, column, which in (
        ("key", "response", key, response, columns[0], 0),
        ("response", "key", response, key, columns[1], 1),
    ):
        asked = column if lookups is None else replace_numbers(column, *lookups[which])
        for place, found in zip(places, asked.tolist(), strict=True):
            wanted = align.get(place, place)
            here = [number[other, each] for each in others]
            assert (found if found in here else None) == (number[other, wanted] if wanted in others else None), side


KEY = """\
# global.Entity = eid-etype-head-other
# newdoc id = d
# sent_id = s1
1	w1	_	X	_	_	0	root	_	Entity=(e1--1-)
2	w2	_	X	_	_	1	dep	_	Entity=(e2--1-)
3	w3	_	X	_	_	1	dep	_	Entity=(e3--1-)
4	w4	_	X	_	_	1	dep	_	_
4.1	_	_	PRON	_	_	_	_	2:nsubj	Entity=(e1--1-)
4.2	_	_	PRON	_	_	_	_	3:obj	Entity=(e2--1-)
4.3	_	_	PRON	_	_	_	_	4:iobj	Entity=(e3--1-)
5	w5	_	X	_	_	1	dep	_	_

"""
RESPONSE = "\n".join(line for line in KEY.splitlines() if not line.startswith("4.1")) + "\n\n"
CROSSED = RESPONSE.replace("4.2", "4.1").replace("4.3", "4.2")
APART = "\n".join(
    sorted(RESPONSE.replace("4.2", "3.1").replace("4.3", "3.2").strip().splitlines(), key=lambda line: line[:3])
)


@pytest.mark.parametrize(
    ("response", "zeros", "expected"),
    [
        # What the CorefUD scorer 1.2 prints: recall of MUC and B³, precision of CEAFe, F1 of BLANC, CoNLL average.
        (CROSSED, "corefud-1.2", (33.33, 50.00, 75.00, 38.75, 58.89)),
        (APART, "corefud-1.2", (66.67, 66.67, 100.00, 65.00, 80.00)),
        (CROSSED, "dependency", (66.67, 66.67, 100.00, 65.00, 80.00)),
    ],
)
def test_zeros_in_each_others_places(tmp_path: Path, response: str, zeros: str, expected: tuple[float, ...]) -> None:
    (tmp_path / "key.conllu").write_text(KEY, encoding="utf-8")
    (tmp_path / "response.conllu").write_text(response.strip() + "\n\n", encoding="utf-8")
    made = corefeval.score(tmp_path / "key.conllu", tmp_path / "response.conllu", profile="corefud-1.2", zeros=zeros)
    found = made["muc"].recall, made["bcub"].recall, made["ceafe"].precision, made["blanc"].f1, made["conll"].f1
    assert tuple(100 * each for each in found) == pytest.approx(expected, abs=0.0051)
    told = [notice for notice in made.notices if notice.kind == "crossed-zeros"]
    assert bool(told) == (response is CROSSED and zeros == "corefud-1.2")
    if told:
        assert "2 mentions of the key and 0 of the response are looked up as zeros" in told[0].message
        assert "zeros=dependency" in told[0].message
