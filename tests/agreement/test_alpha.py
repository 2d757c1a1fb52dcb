"""Krippendorff's α for coreference: against a slow version of its definition, nltk where it is there, and examples."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pytest

from corefeval import Corpus
from corefeval.agreement.alpha import DISTANCES, Annotations, compute_alpha
from corefeval.agreement.annotators import AlignedAnnotators
from corefeval.agreement.results import Alpha
from tests.comparison import worlds

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Set = frozenset[int]

# Eleven noun phrases and three coders with α = 0.74: an example of Passonneau 2004 as public code quotes it, at second
# hand. The paper was not at hand; of some thirty readings that were tried, this one gave 0.74 (see docs/agreement.md).
THREE_CODERS = [
    [[0, 3], [1, 4, 5, 10], [2, 7], [6, 8, 9]],
    [[0, 3], [1, 4, 5, 10], [2], [6, 9], [7], [8]],
    [[0, 3], [1, 4, 5, 10], [2, 7, 8, 9], [6]],
]


@cache
def slow_passonneau(one: Set, other: Set) -> Fraction:
    """Equal, one within the other, overlapping, apart."""
    if one == other:
        return Fraction(0)
    if one <= other or other <= one:
        return Fraction(1, 3)
    return Fraction(2, 3) if one & other else Fraction(1)


@cache
def slow_masi(one: Set, other: Set) -> Fraction:
    """1 - Jaccard × monotonicity; two empty sets are equal."""
    if not one | other:
        return Fraction(0)
    return 1 - Fraction(len(one & other), len(one | other)) * (1 - slow_passonneau(one, other))


SLOW: dict[str, Callable[[Set, Set], Fraction]] = {"passonneau": slow_passonneau, "masi": slow_masi}


def slow_alpha(
    annotators: list[worlds.World], distance: Callable[[Set, Set], Fraction], *, itself: bool
) -> tuple[Fraction, Fraction]:
    """Observed and expected disagreement as Krippendorff defines them, document by document, from explicit sets."""
    marked: dict[tuple[str, int], list[Set]] = {}
    for annotator in annotators:
        for document, entities in annotator.items():
            for entity in entities:
                for mention in entity:
                    value = frozenset(entity) - (frozenset() if itself else {mention})
                    marked.setdefault((document, mention), []).append(value)
    return disagreement(marked, distance)


def disagreement(
    marked: Mapping[tuple[str, int], list[Set]], distance: Callable[[Set, Set], Fraction]
) -> tuple[Fraction, Fraction]:
    """Of the values that annotators give to units, which are in documents."""
    units = {unit: values for unit, values in marked.items() if len(values) > 1}
    count = sum(map(len, units.values()))
    observed = expected = Fraction(0)
    for values in units.values():
        observed += sum(2 * distance(a, b) for a, b in combinations(values, 2)) / Fraction(len(values) - 1)
    for name in {document for document, _ in units}:
        here = [value for (document, _), values in units.items() if document == name for value in values]
        expected += sum(2 * distance(a, b) for a, b in combinations(here, 2)) / Fraction(len(here) - 1)
    return observed / count, expected / count


def values_of(annotators: list[worlds.World]) -> Annotations:
    """The same mentions get the same numbers."""
    corpora = [Corpus.from_entities(annotator) for annotator in annotators]
    numbers = [np.array(c.mentions.objects(), dtype=np.int64) * 100 + c.document for c in corpora]
    names = tuple(dict.fromkeys(name for corpus in corpora for name in corpus.documents))
    present = np.array([[name in corpus.documents for name in names] for corpus in corpora])
    aligned = AlignedAnnotators(tuple(map(str, range(len(corpora)))), tuple(corpora), names, present, ())
    return Annotations.from_annotators(aligned, numbers)


@pytest.mark.parametrize("itself", [True, False])
@pytest.mark.parametrize("distance", list(DISTANCES))
def test_alpha_equals_its_definition(distance: str, itself: bool) -> None:
    """Random corpora of 1 to 4 documents and 2 to 4 annotators, who also miss and invent mentions."""
    rng = random.Random(5)
    for seed in range(60):
        key = worlds.key(rng.randint(1, 4), seed, largest=rng.choice([5, 9, 14]))
        noise = rng.choice([0.1, 0.5, 0.95])
        annotators = [worlds.disturbed(key, noise, 100 * seed + n) for n in range(rng.randint(2, 4))]
        found = compute_alpha(values_of(annotators), DISTANCES[distance], itself=itself)
        observed, expected = slow_alpha(annotators, SLOW[distance], itself=itself)
        assert found.observed == pytest.approx(float(observed), abs=1e-12)
        assert found.expected == pytest.approx(float(expected), abs=1e-12)
        if expected:
            assert found.value == pytest.approx(float(1 - observed / expected), abs=1e-12)


# Nine items and two coders, and observed, expected and α that DKPro Statistics publishes for them in its own tests.
TWO_CODERS = [("", ""), ("A", ""), ("A", "A"), ("A", "B"), ("AB", "A"), ("AB", "AC"), ("ABC", "ABC"), ("C", "AC"),
              ("C", "AC")]  # fmt: skip


def product_of_distances(one: Set, other: Set) -> Fraction:
    """What DKPro calls MASI; Passonneau 2006, nltk and we multiply similarities."""
    together = one | other
    return slow_passonneau(one, other) * (1 - Fraction(len(one & other), len(together)) if together else 0)


@pytest.mark.parametrize(
    ("distance", "published"),
    [(slow_passonneau, (0.333, 0.409, 0.186)), (product_of_distances, (0.253, 0.338, 0.252))],
)
def test_the_definition_gives_the_numbers_that_others_publish(
    distance: Callable[[Set, Set], Fraction], published: tuple[float, float, float]
) -> None:
    """The slow version is what ours is compared with, and takes any sets."""
    sets = [[frozenset(map(ord, value)) for value in values] for values in TWO_CODERS]
    observed, expected = disagreement({("", item): values for item, values in enumerate(sets)}, distance)
    found = (observed, expected, 1 - observed / expected)
    assert tuple(map(float, found)) == pytest.approx(published, abs=0.001)


def coders() -> list[worlds.World]:
    """The example, as annotators of one document."""
    return [{"d": entities} for entities in THREE_CODERS]


def test_the_example_quoted_for_passonneau_fits_sets_without_the_phrase_itself() -> None:
    """It tells the two readings apart (0.742, 0.762), and proves neither; by hand, 6 of 33 is observed with it."""
    values = values_of(coders())
    without = compute_alpha(values, DISTANCES["passonneau"], itself=False)
    assert without.value is not None
    assert round(without.value, 2) == 0.74
    assert compute_alpha(values, DISTANCES["passonneau"]).observed == pytest.approx(6 / 33)
    assert without.units == 11


@pytest.mark.parametrize("distance", list(DISTANCES))
def test_alpha_equals_nltk(distance: str) -> None:
    """One document, sets as labels; nltk's MASI is the same as ours."""
    agreement = pytest.importorskip("nltk.metrics.agreement", reason="nltk is not installed")
    metrics = pytest.importorskip("nltk.metrics", reason="nltk is not installed")
    far = metrics.masi_distance if distance == "masi" else lambda a, b: float(slow_passonneau(a, b))
    for seed in range(10):
        key = worlds.key(1, seed, largest=14)
        annotators = coders() if not seed else [worlds.disturbed(key, 0.4, 10 * seed + n) for n in range(3)]
        data = [
            (str(number), str(mention), frozenset(entity))
            for number, annotator in enumerate(annotators)
            for entities in annotator.values()
            for entity in entities
            for mention in entity
        ]
        expected = agreement.AnnotationTask(data=data, distance=far).alpha()
        assert compute_alpha(values_of(annotators), DISTANCES[distance]).value == pytest.approx(expected, abs=1e-9)


def test_the_four_cases_of_the_distances() -> None:
    """Passonneau 2004: 0, 1/3, 2/3, 1. Passonneau 2006: {1, 2} and {1, 2, 3, 4} are 1 - 1/2 × 2/3 apart."""
    shared, one, other = np.array([2, 2, 1, 0]), np.array([2, 2, 2, 2]), np.array([2, 4, 2, 3])
    assert DISTANCES["passonneau"](shared, one, other).tolist() == pytest.approx([0, 1 / 3, 2 / 3, 1])
    assert DISTANCES["masi"](shared, one, other).tolist() == pytest.approx([0, 2 / 3, 1 - 1 / 9, 1])


def test_full_agreement_is_one_and_chance_is_zero_on_average() -> None:
    key = worlds.key(5, 3)
    for distance in DISTANCES.values():
        assert compute_alpha(values_of([key, key, key]), distance).value == 1
    rng = random.Random(9)
    found = []
    for _ in range(300):
        shuffled = []
        for _ in range(2):
            mentions = list(range(12))
            rng.shuffle(mentions)
            shuffled.append({"d": [mentions[:5], mentions[5:8], mentions[8:10], mentions[10:11], mentions[11:]]})
        value = compute_alpha(values_of(shuffled), DISTANCES["masi"], itself=False).value
        assert value is not None
        found.append(value)
    assert abs(float(np.mean(found))) < 3 * float(np.std(found)) / 300**0.5 + 0.01


def test_nothing_in_common_has_no_alpha() -> None:
    assert compute_alpha(values_of([{"d": [[1, 2]]}, {"d": [[3, 4]]}]), DISTANCES["masi"]) == Alpha(None, 0.0, 0.0, 0)
    one = values_of([{"d": [[1]]}, {"d": [[1]]}])
    assert compute_alpha(one, DISTANCES["masi"]).value is None
