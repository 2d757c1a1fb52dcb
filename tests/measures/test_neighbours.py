"""Measures of neighbouring fields against scikit-learn, er-evaluation, and what is known of them otherwise."""

from __future__ import annotations

import math
import random
import re
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import pytest
from scipy.stats import hypergeom
from sklearn import metrics

import corefeval
from corefeval.measures import CorrelationDistance, parse
from corefeval.measures.shared.chance import sum_expected
from corefeval.scoring.layout import Evaluations
from tests.engines.tables import RandomTables, assert_same
from tests.rounds import few_or_many

Labels = list[int]
Entities = list[list[int]]

MEANS = ("arithmetic", "geometric", "min", "max")
VARIANTS = (
    "bcub:weight=key",
    *(f"{name}:mean={mean}" for name in ("nmi", "ami") for mean in MEANS[1:]),
    "talburt_wang:form=square",
    "merge_distance:cost=pairs,split=2",
    "merge_distance:merge=0.5",
)
DISTANCES = ("vi", "correlation_distance", "van_dongen", "merge_distance")
METRICS = tuple(each for each in DISTANCES if each != "merge_distance")  # of which the triangle inequality holds


def group(labels: Labels) -> Entities:
    """Entities of records with the same label."""
    entities: dict[int, list[int]] = {}
    for record, label in enumerate(labels):
        entities.setdefault(label, []).append(record)
    return list(entities.values())


def draw(rng: random.Random) -> tuple[Labels, Labels]:
    """Two labellings of the same records, from unrelated to almost equal; at most a third of labels differ."""
    records, noise = rng.randint(12, 150), rng.random()
    truth = [rng.randrange(rng.randint(2, records // 4)) for _ in range(records)]
    return truth, [rng.randrange(records // 4) if rng.random() < noise else label for label in truth]


def list_decisions(labels: Labels) -> list[bool]:
    """For every pair of records, whether it is linked."""
    return [one == other for one, other in combinations(labels, 2)]


@few_or_many(30, 300)
def test_scikit_learn_gives_the_same(rounds: int) -> None:
    rng = random.Random(1)
    for _ in range(rounds):
        truth, found = draw(rng)
        ours = corefeval.score(group(truth), group(found), measures="all")
        homogeneity, completeness, v = metrics.homogeneity_completeness_v_measure(truth, found)
        shared = metrics.mutual_info_score(truth, found)
        apart = metrics.mutual_info_score(truth, truth) + metrics.mutual_info_score(found, found) - 2 * shared
        table = metrics.cluster.contingency_matrix(truth, found)
        decisions = list_decisions(truth), list_decisions(found)
        matthews = metrics.matthews_corrcoef(*decisions)
        (_, spurious), (missing, common) = metrics.cluster.pair_confusion_matrix(truth, found)
        expected = {
            "rand": {"score": metrics.rand_score(truth, found)},
            "adjusted_rand": {"score": metrics.adjusted_rand_score(truth, found)},
            "pairwise": {"recall": common / (common + missing), "precision": common / (common + spurious)},
            "entropy": {"recall": completeness, "precision": homogeneity, "f1": v},
            "nmi": {"score": v},
            "vi": {"score": apart / math.log(len(truth)), "distance": apart},
            "fowlkes_mallows": {"score": metrics.fowlkes_mallows_score(truth, found)},
            "jaccard": {"score": metrics.jaccard_score(*decisions)},
            "matthews": {"score": matthews},
            "correlation_distance": {"score": math.acos(min(1, matthews)) / math.pi},
            "purity": {
                "recall": table.max(axis=1).sum() / len(truth),
                "precision": table.max(axis=0).sum() / len(truth),
            },
            "van_dongen": {"distance": 2 * len(truth) - table.max(axis=1).sum() - table.max(axis=0).sum()},
            "talburt_wang": {"score": math.sqrt(math.prod(table.shape)) / (table > 0).sum()},
            "merge_distance": {"distance": 2 * (table > 0).sum() - sum(table.shape)},
        }
        for name, values in expected.items():
            for field, value in values.items():
                assert ours[name].values[field] == pytest.approx(value, rel=1e-9, abs=1e-7), (name, field)
        for mean in MEANS:
            nmi = metrics.normalized_mutual_info_score(truth, found, average_method=mean)
            ami = metrics.adjusted_mutual_info_score(truth, found, average_method=mean)
            assert ours[f"nmi:mean={mean}"].score == pytest.approx(nmi, rel=1e-9, abs=1e-9)
            assert ours[f"ami:mean={mean}"].score == pytest.approx(ami, rel=1e-7, abs=1e-7)


def test_scikit_learn_counts_sides_without_information_alike() -> None:
    together, apart, halves = [0] * 6, list(range(6)), [0, 0, 0, 1, 1, 1]
    for truth, found in (
        (together, together),
        (together, halves),
        (halves, together),
        (together, apart),
        (apart, apart),
    ):
        expected = metrics.normalized_mutual_info_score(truth, found)
        assert corefeval.score(group(truth), group(found))["nmi"].score == pytest.approx(expected)


def share(key: Entities, response: Entities) -> float:
    """Σ n log n of what entities share."""
    shared = (len(set(one) & set(other)) for one in key for other in response)
    return sum(n * math.log(n) for n in shared if n)


def test_chance_is_the_mean_over_all_orders_of_mentions() -> None:
    for key, response in (
        ([[0, 1, 2], [3, 4], [5]], [[0, 1, 3], [2, 4, 5]]),
        ([[0, 1, 2, 3]], [[0, 1], [2, 3]]),
        ([[0, 1], [2, 3], [4, 5]], [[0, 2], [1, 3, 4, 5]]),
    ):
        records = sorted(record for entity in key for record in entity)
        orders = [dict(zip(records, order, strict=True)) for order in permutations(records)]
        mean = sum(share(key, [[order[each] for each in entity] for entity in response]) for order in orders) / len(
            orders
        )
        evaluation = corefeval.score(key, response, measures="ami")
        assert evaluation.count(evaluation.measures[0])["expected"] == pytest.approx(mean, rel=1e-12)


@pytest.mark.parametrize("sizes", [(400, 300, 5000), (10_000, 5_000, 10**6), (900, 950, 1000), (50, 3, 60), (7, 7, 7)])
def test_chance_of_large_entities_is_that_of_scipy(sizes: tuple[int, int, int]) -> None:
    k, r, mentions = sizes
    (found,) = sum_expected([([(k, 1)], [(r, 1)], mentions)])
    values = range(2, min(k, r) + 1)
    expected = math.fsum(hypergeom.pmf(list(values), mentions, k, r) * [n * math.log(n) for n in values])
    assert found == pytest.approx(expected, rel=1e-8)


def test_chance_of_rare_pairs_is_not_lost() -> None:
    mentions = 10**12  # two pairs are the same one in almost 10²⁴; there are as many pairs of pairs
    (found,) = sum_expected([([(2, 10**11)], [(2, 10**11)], mentions)])
    assert found == pytest.approx(10**22 * 2 * math.log(2) / math.comb(mentions, 2), rel=1e-12)


def test_chance_is_the_same_in_parts_and_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(4)
    sizes = [[(size, rng.randint(1, 3)) for size in rng.sample(range(1, 40), 12)] for _ in range(12)]
    documents = [(key, response, 1000) for key, response in zip(sizes[::2], sizes[1::2], strict=True)]
    expected = sum_expected(documents)
    for batch in (1, 5, 100, 300):
        monkeypatch.setattr("corefeval.measures.shared.chance._BATCH", batch)
        assert sum_expected(documents) == pytest.approx(expected, rel=1e-14)
    assert [sum_expected([each]) for each in documents] == [[pytest.approx(value)] for value in expected]


def test_examples_of_er_evaluation() -> None:
    """As printed in the documentation of its functions b_cubed_precision, b_cubed_recall and cluster_precision."""
    reference = [1, 1, 1, 2, 2, 3, 3, 4]
    bcub = corefeval.score(group(reference), group([1, 1, 2, 3, 2, 4, 4, 4]))["bcub:weight=key"]
    assert (bcub.precision, bcub.recall) == pytest.approx((0.6458333333333334, 0.7638888888888888))
    assert corefeval.score(group(reference), group([1, 1, 2, 3, 2, 4, 4, 5]))["exact_entities"].precision == 0.4


@few_or_many(100, 1000)
def test_what_other_measures_say_under_another_name(rounds: int) -> None:
    rng = random.Random(2)
    for _ in range(rounds):
        records, labels = rng.randint(1, 12), rng.randint(1, 6)
        key, response = ([rng.randrange(labels) for _ in range(records)] for _ in range(2))
        sides = group(key)[rng.randint(0, 1) :], group(response)[rng.randint(0, 1) :]
        scores = corefeval.score(*sides, measures="all")
        assert scores["exact_entities"].values == scores["ceaf:phi=1"].values
        assert scores["nmi"].score == pytest.approx(scores["entropy"].f1) or len(scores["entropy"].undefined) == 1
        for distance, measure in (("merge_distance", "muc"), ("merge_distance:cost=pairs", "pairwise")):
            if not scores[measure].undefined:
                assert 1 - scores[distance].score == pytest.approx(scores[measure].f1)
        assert scores["talburt_wang:form=square"].score == pytest.approx(scores["talburt_wang"].score ** 2)
        # Each operation parts or joins at least one pair.
        assert scores["merge_distance"].distance <= scores["merge_distance:cost=pairs"].distance


@few_or_many(60, 600)
def test_distances_are_distances(rounds: int) -> None:
    rng = random.Random(3)
    for _ in range(rounds):
        a, b, c = (group([rng.randrange(4) for _ in range(9)]) for _ in range(3))
        for measure in METRICS:
            ab, bc, ac = (corefeval.score(*sides)[measure] for sides in ((a, b), (b, c), (a, c)))
            if not (ab.undefined or bc.undefined or ac.undefined):
                field = "score" if measure == "correlation_distance" else "distance"
                assert ac.values[field] <= ab.values[field] + bc.values[field] + 1e-12, measure  # type: ignore[operator]


def test_a_detour_by_a_merge_may_be_shorter_than_the_merge_distance() -> None:
    """Four rows against four columns: 12 splits and 12 merges, but 3 merges to one entity and 3 splits from there."""
    rows = [[(row, column) for column in range(4)] for row in range(4)]
    columns = [[(row, column) for row in range(4)] for column in range(4)]
    whole = [[mention for row in rows for mention in row]]
    direct, there, back = (
        corefeval.score(*sides)["merge_distance"].distance
        for sides in ((rows, columns), (rows, whole), (whole, columns))
    )
    assert (direct, there, back) == (24, 3, 3)


def test_a_small_angle_is_not_lost_in_rounding() -> None:
    every, linked = 10**15, 10**12
    counts = {"all_pairs": every, "key_pairs": linked, "response_pairs": linked, "common_pairs": linked - 1}
    rho = Fraction((linked - 1) * every - linked**2, linked * (every - linked))
    angle = math.asin(math.sqrt(1 - rho**2)) / math.pi
    assert CorrelationDistance().score(counts)["score"] == pytest.approx(angle, rel=1e-12)


def test_where_documents_are_one_partition_and_where_not() -> None:
    key, response = {"a": [[1, 2], [3]], "b": [[1, 2, 3]]}, {"a": [[1, 2, 3]], "b": [[1, 2], [3]]}
    joined = [[["a1", "a2"], ["a3"], ["b1", "b2", "b3"]], [["a1", "a2", "a3"], ["b1", "b2"], ["b3"]]]
    several, one = corefeval.score(key, response, measures="all"), corefeval.score(*joined, measures="all")
    for measure in ("entropy", "nmi", "vi", "van_dongen", "talburt_wang", "merge_distance", "purity", "exact_entities"):
        assert several[measure].values == pytest.approx(one[measure].values), measure
    for measure in ("matthews", "ami"):  # pairs, and what chance may change, are those of documents
        assert several[measure].score != pytest.approx(one[measure].score), measure


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@few_or_many(4, 40)
def test_engines_score_variants_alike(rounds: int, engine: Any) -> None:
    columns: dict[str, Any] = {"key": "cluster", "response": "cluster", "id": "id", "engine": engine}
    for seed in range(rounds):
        tables = RandomTables.draw(random.Random(seed))
        assert_same(corefeval.score_table(tables.to_arrow(), **columns, measures=VARIANTS), tables.score(VARIANTS))


@pytest.mark.parametrize("measure", DISTANCES)
def test_of_distances_less_is_better_everywhere(measure: str) -> None:
    key = {name: [[1, 2, 3], [4, 5], [6]] for name in "abcdefghijkl"}
    near = {name: [[1, 2, 3], [4, 5, 6]] for name in "abcdefghijkl"}
    far = {name: [[1, 4, 6], [2, 5], [3]] for name in "abcdefghijkl"}
    compared = corefeval.compare(key, {"far": far, "near": near}, measures=measure, resamples=100)
    assert [each.measures[measure].rank for each in compared.systems] == [2, 1]
    assert compared.comparisons[0].difference < 0
    scores = [corefeval.score(key, each, measures=measure) for each in (far, near)]
    latex = Evaluations(tuple(scores)).to_latex()
    best, worst = (f"{100 * each[measure].score:.2f}" for each in reversed(scores))
    assert re.search(rf"\\textbf\{{{re.escape(best)}\}}", latex)
    assert rf"\textbf{{{worst}}}" not in latex
    assert min(corefeval.analyse(key, far, measures=measure).costs(measure).key_mentions) > -0.5


@pytest.mark.parametrize("measure", ["vi", "van_dongen", "merge_distance"])
def test_the_distance_itself_is_shown_beside_the_score(measure: str) -> None:
    scored = corefeval.score([[1, 2, 3], [4]], [[1, 2], [3, 4]], measures=measure)
    distance = {"vi": 0.75 * math.log(3), "van_dongen": 2, "merge_distance": 2}[measure]
    assert scored[measure].distance == pytest.approx(distance)
    shown = f"{distance:.4f} nats" if measure == "vi" else str(distance)
    assert f"{measure}: distance {shown}" in str(scored)
    macro = corefeval.score({"a": [[1, 2]], "b": [[1, 2]]}, {"a": [[1, 2]], "b": [[1], [2]]}, macro=True)[measure]
    assert macro.score == (0.125 if measure == "van_dongen" else 0.5)  # the other document has 1 of 4, or all
    assert macro.distance == pytest.approx((math.log(2) if measure == "vi" else 1) / 2)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        *((text, "entropy") for text in ("v_measure", "V-measure", "v-score")),
        *((text, "nmi") for text in ("NMI", "normalized_mutual_information", "nmi:mean=arithmetic")),
        *((text, "ami") for text in ("AMI", "adjusted_mutual_information")),
        *((text, "fowlkes_mallows") for text in ("FMI", "Fowlkes-Mallows")),
        *((text, "matthews") for text in ("MCC", "Matthews")),
        *((text, "vi") for text in ("VI", "variation_of_information")),
        *((text, "exact_entities") for text in ("cluster_f1", "exact-entities")),
        *((text, "talburt_wang") for text in ("TWI", "Talburt-Wang")),
        *((text, "merge_distance") for text in ("GMD", "generalized_merge_distance")),
    ],
)
def test_names_of_other_fields(written: str, meant: str) -> None:
    assert str(parse(written)) == meant
