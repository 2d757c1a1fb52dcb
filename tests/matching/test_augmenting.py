"""The assignment without a matrix is SciPy's, ties and rounding included."""

from __future__ import annotations

import random

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import corefeval
from corefeval.formats.draft import Draft
from corefeval.matching.rules import assignment, candidates
from corefeval.matching.rules.assignment import assign_by_matrix, assign_rows

Pairs = list[tuple[int, int]]


def by_scipy(scores: list[list[float]]) -> Pairs:
    matrix = np.array(scores)
    rows, columns = linear_sum_assignment(-matrix)
    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    return [(row, column) for row, column in pairs if matrix[row, column] > 0]


def ours(scores: list[list[float]]) -> Pairs:
    found = [{column: score for column, score in enumerate(row) if score > 0} for row in scores]
    return assign_rows(found, len(scores[0]))


def random_scores(rng: random.Random) -> list[list[float]]:
    """Fractions with small denominators, of which many are equal, and many sums of them."""
    rows, columns, share = rng.randint(1, 13), rng.randint(1, 13), rng.choice([0.05, 0.1, 0.2, 0.4, 0.9])
    greatest = rng.choice([1, 2, 3, 7])
    sizes = [rng.randint(1, greatest) for _ in range(rows)]
    return [[rng.randint(1, size) / size if rng.random() < share else 0.0 for _ in range(columns)] for size in sizes]


@pytest.mark.parametrize("seed", range(8))
def test_ties_fall_as_in_scipy(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(500):
        scores = random_scores(rng)
        assert ours(scores) == by_scipy(scores), scores


def test_rows_and_columns_without_a_score_decide_ties() -> None:
    # The first row takes the first column for nothing; the second row then prefers the column that is still free.
    assert ours([[0.0, 0.0], [0.5, 0.5]]) == by_scipy([[0.0, 0.0], [0.5, 0.5]]) == [(1, 1)]
    assert ours([[0.5, 0.5], [0.0, 0.0]]) == by_scipy([[0.5, 0.5], [0.0, 0.0]]) == [(0, 0)]


def test_prices_that_rounding_raised_above_zero() -> None:
    third = 1 / 3
    pairs = {(0, 3): 2 * third, (0, 5): 2 * third, (1, 4): 1.0, (1, 5): third, (2, 9): 2 * third, (2, 10): third,
             (3, 3): third, (4, 9): 1.0, (6, 9): 2 * third, (7, 0): 1.0, (7, 1): 1.0, (7, 2): 1.0, (8, 2): 1.0,
             (8, 6): 1.0}  # fmt: skip
    scores = [[pairs.get((row, column), 0.0) for column in range(12)] for row in range(10)]
    assert ours(scores) == by_scipy(scores)


def test_a_matrix_gives_the_same() -> None:
    rng = random.Random(1)
    for height, width in ((150, 160), (70, 50), (1, 3)):
        scores = np.array([[rng.randint(0, 9) / 9 for _ in range(width)] for _ in range(height)])
        rows, columns = np.nonzero(scores)
        blocks = [(rows[part], columns[part], scores[rows[part], columns[part]]) for part in (slice(9), slice(9, None))]
        chosen = assign_by_matrix(blocks, (height, width))
        assert list(zip(*(each.tolist() for each in chosen), strict=True)) == by_scipy(scores.tolist())


@pytest.mark.parametrize("match", ["head", "overlap", "partial"])
def test_documents_go_by_a_matrix_in_blocks_or_by_rows_with_the_same_twins(
    match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(2)
    sides = [draw_side(rng) for _ in range(2)]
    by_rows = corefeval.score(*sides, match=match).to_dict()
    monkeypatch.setattr(assignment, "_MANY", 20)  # of the three documents, the last has fewer pairs
    monkeypatch.setattr(candidates, "_AT_ONCE", 7)
    assert corefeval.score(*sides, match=match).to_dict() == by_rows


def draw_side(rng: random.Random) -> corefeval.Corpus:
    """Three documents of many mentions that overlap, the last of a few."""
    draft = Draft("side")
    for number, count in enumerate((40, 30, 3)):
        document = draft.add_document(f"d{number}", words=["w"] * 12)
        for mention in range(count):
            first, head, last = sorted(rng.choices(range(12), k=3))
            document.add_mention(f"e{mention % 5}", (first, last), head=(head, head))
    return draft.build_corpus()


def test_a_thousand_rows_that_want_one_column_need_no_matrix() -> None:
    assert assign_rows([{0: 0.5} for _ in range(1000)], 10**9) == [(0, 0)]
