"""Counts neither overflow nor lose precision, and sums do not depend on the order of their terms."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefeval
from corefeval import Corpus
from corefeval.measures import AdjustedRand, Blanc, Kappa, Pairwise, Rand
from corefeval.overlap import summation
from corefeval.overlap.cells import Cells
from corefeval.overlap.overlap import Overlap, Side
from corefeval.overlap.views import Tables, Views
from corefeval.scoring.counting import Counter
from corefeval.scoring.results import sum_counts
from tests.rounds import few_or_many

SIZES = np.array([9_999_999, 3, 6_000_000, 1], dtype=np.int64)


def huge() -> Overlap:
    """One document in which ten million mentions are one entity, and more."""
    none = np.zeros(4, dtype=np.int64)
    response = np.array([6_000_000, 3_999_999, 6_000_003, 1], dtype=np.int64)
    cells = [(0, 0, 6_000_000), (0, 1, 3_999_999), (1, 2, 3), (2, 2, 6_000_000), (3, 3, 1)]
    key, shared_by, n = (np.array(column, dtype=np.int64) for column in zip(*cells, strict=True))
    return Overlap(Side(SIZES, none, 1), Side(response, none, 1), Cells(key, shared_by, n))


def pairs(size: int) -> int:
    return size * (size - 1) // 2


def test_pair_counts_of_ten_million_mentions_are_exact() -> None:
    table = huge()
    counter = Counter(Tables(Views(table)))
    counts = sum_counts(counter.count(Pairwise()))
    key = sum(pairs(size) for size in SIZES.tolist())
    common = sum(pairs(size) for size in table.n.tolist())
    assert (counts["recall_denominator"], counts["recall_numerator"]) == (key, common)
    assert key > 5 * 10**13
    links = sum_counts(counter.count(Blanc()))
    everything = pairs(int(SIZES.sum()))
    assert links["key_noncoreference"] == everything - key


def test_products_beyond_64_bits_are_exact() -> None:
    table = huge()
    counter = Counter(Tables(Views(table)))
    counts = sum_counts(counter.count(AdjustedRand()))
    whole, key, response, common = (
        int(counts[name]) for name in ("all_pairs", "key_pairs", "response_pairs", "common_pairs")
    )
    assert whole * key > 2**64
    chance = Fraction(key * response, whole)
    expected = (common - chance) / (Fraction(key + response, 2) - chance)
    assert AdjustedRand().score(counts)["score"] == float(expected)
    assert Rand().score(counts)["score"] == (whole - key - response + 2 * common) / whole
    links = {name: int(value) for name, value in sum_counts(counter.count(Kappa())).items()}
    total = links["possible"]
    absent = total - links["key"] - links["response"] + links["common"]
    observed = Fraction(links["common"] + absent, total)
    by_chance = Fraction(
        links["key"] * links["response"] + (total - links["key"]) * (total - links["response"]), total * total
    )
    assert Kappa().score(links)["score"] == float((observed - by_chance) / (1 - by_chance))


def test_columns_of_counts_are_scored_as_single_counts_are() -> None:
    """Rows in, rows out: what resampling relies on."""
    rng = random.Random(3)
    key, response = (
        {f"d{d}": [[m for m in range(12) if m % 5 == e] for e in rng.sample(range(5), 3)] for d in range(20)}
        for _ in range(2)
    )
    evaluation = corefeval.score(key, response, measures="all")
    for measure in evaluation.measures:
        rows = measure.score(dict(evaluation.count(measure)))
        for place, name in enumerate(evaluation.document_names):
            score = evaluation.documents[name][measure]
            for field in measure.shown:
                assert rows[field][place] == score.values[field], (measure, field)


@given(st.lists(st.floats(0, 2**30, allow_nan=False), max_size=400), st.randoms(use_true_random=False))
def test_sums_are_correctly_rounded_whatever_the_order(values: list[float], rng: random.Random) -> None:
    expected = math.fsum(values)
    rng.shuffle(values)
    terms = np.array(values, dtype=np.float64)
    cut = len(values) // 3
    assert summation.sum_by_segment(terms, np.array([0, len(values)])).tolist() == [expected]
    parts = summation.sum_by_segment(terms, np.array([0, cut, cut, len(values)])).tolist()
    assert parts == [math.fsum(values[:cut]), 0.0, math.fsum(values[cut:])]


def test_large_sums_are_correctly_rounded() -> None:
    rng = np.random.default_rng(0)
    terms = rng.integers(1, 10**6, size=5000) ** 2 / rng.integers(1, 10**6, size=5000)
    assert summation.sum_by_segment(terms, np.array([0, 5000])).tolist() == [math.fsum(terms.tolist())]


@pytest.mark.parametrize("seed", range(20))
def test_order_changes_no_bit(seed: int) -> None:
    rng = np.random.default_rng(seed)
    mention = np.arange(400)
    document = mention % 7
    key, response = rng.integers(0, 40, size=400), rng.integers(0, 40, size=400)
    order, other = rng.permutation(400), rng.permutation(400)
    names = [str(name) for name in corefeval.measures.ALL if name != "exclusive_core"]

    def score(
        rows: np.ndarray[tuple[int], np.dtype[np.int64]], columns: np.ndarray[tuple[int], np.dtype[np.int64]]
    ) -> object:
        evaluation = corefeval.score(
            Corpus.from_labels(document=document[rows], mention=mention[rows], entity=key[rows]),
            Corpus.from_labels(document=document[columns], mention=mention[columns], entity=-response[columns]),
            measures=names,
        )
        return evaluation.to_dict()["measures"]

    assert score(order, other) == score(mention, mention)


def test_labels_too_large_to_be_fused_with_their_document_stay_different() -> None:
    """A product beyond 2⁶² once made mentions of two documents one."""
    documents = [f"d{number}" for number in range(10)]
    large = 5 + (2**64 + 4) // 10
    key = Corpus.from_labels(mention=[large, *[1] * 9], entity=[0] * 10, document=documents)
    response = Corpus.from_labels(mention=[5] * 10, entity=[0] * 10, document=documents)
    assert corefeval.score(key, response)["mentions"].recall_numerator == 0


def test_many_short_segments_are_summed_exactly() -> None:
    rng = np.random.default_rng(6)
    lengths = rng.integers(0, 6, 3000)
    bounds = np.append(0, np.cumsum(lengths))
    terms = rng.integers(1, 50, bounds[-1]) / rng.integers(1, 50, bounds[-1])
    found = summation.sum_by_segment(terms, bounds).tolist()
    assert found == [math.fsum(terms[a:b].tolist()) for a, b in pairwise(bounds.tolist())]
    assert summation.sum_by_segment(terms[: bounds[2000]], bounds[:2001]).tolist() == found[:2000]


@pytest.mark.parametrize("most", [9, 25, 10**4, 2**24, 2**40])
def test_quotients_of_many_documents_are_summed_exactly_and_rounded_once(most: int) -> None:
    """Numerators below `most`, in segments of none to six terms, of which some have small denominators only."""
    rng = random.Random(most)
    sizes = [rng.randrange(7) for _ in range(400)]
    bounds = np.cumsum([0, *sizes])
    tops = [rng.randrange(-most, most) for _ in range(sum(sizes))]
    bottoms = [rng.randrange(1, limit) for size in sizes for limit in [rng.choice((9, 21, 40, 10**4))] * size]
    found = summation.sum_quotients_by_segment(np.array(tops), np.array(bottoms), bounds)
    terms = [Fraction(top, bottom) for top, bottom in zip(tops, bottoms, strict=True)]
    expected = [float(sum(terms[a:b], Fraction(0))) for a, b in pairwise(bounds.tolist())]
    assert found.tolist() == expected


@pytest.mark.parametrize("kind", ["any", "whole in the end", "powers of two", "large denominators"])
@few_or_many(10, 100)
def test_long_segments_of_quotients_are_summed_exactly_and_rounded_once(rounds: int, kind: str) -> None:
    rng = np.random.default_rng(len(kind))
    for _ in range(rounds):
        segments, terms = int(rng.integers(1, 40)), int(rng.integers(129, 1500))
        bounds = np.concatenate([[0], np.sort(rng.integers(0, terms + 1, segments - 1)), [terms]])
        bottoms = {
            "any": rng.integers(1, 300, terms),
            "whole in the end": rng.choice([1, 2, 3, 4, 6, 12], terms),
            "powers of two": 2 ** rng.integers(0, 40, terms),
            "large denominators": rng.integers(1, 2**27, terms),
        }[kind]
        tops = rng.integers(0, int(rng.choice([2, 10, 10**4])), terms)
        found = summation.sum_quotients_by_segment(tops, bottoms, bounds)
        parts = list(map(Fraction, tops.tolist(), bottoms.tolist()))
        assert found.tolist() == [float(sum(parts[a:b], Fraction(0))) for a, b in pairwise(bounds.tolist())]


@pytest.mark.parametrize("terms", [24, 25, 128, 1000])
@pytest.mark.parametrize("most", [9, 10**4, 2**52, 2**60])
@pytest.mark.parametrize("limit", [9, 60, 10**6])
def test_quotients_are_summed_exactly_and_rounded_once(terms: int, most: int, limit: int) -> None:
    """Numerators below `most` and denominators below `limit`, of which some are too large to add as doubles."""
    rng = random.Random(most + limit)
    tops = [rng.randrange(most) for _ in range(terms)]
    bottoms = [rng.randrange(1, limit) for _ in range(terms)]
    expected = float(sum(map(Fraction, tops, bottoms), Fraction(0)))
    assert summation.sum_quotients(np.array(tops), np.array(bottoms)) == expected
