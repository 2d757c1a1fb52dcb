"""What holds for every key and every response: Popescu-Belis's propositions, symmetries, ranges and invariances."""

from __future__ import annotations

import copy
import math
import random
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

import corefeval
from tests.oracles import measures as slow

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Entities: TypeAlias = list[list[slow.Mention]]
Pair: TypeAlias = tuple[Entities, Entities]
Corpus: TypeAlias = dict[str, Entities]
Corpora: TypeAlias = tuple[Corpus, Corpus]

# A fixed seed: whoever sees a failure can repeat it.
often = settings(max_examples=2 * settings().max_examples)
very_often = settings(max_examples=6 * settings().max_examples)  # where all measures see each example

TWINLESS = tuple(
    f"{measure}:twinless={rule}"
    for measure, rules in {
        "bcub": ("stoyanov_all", "stoyanov0", "rahman_ng", "cai_strube"),
        "ceafm": ("rahman_ng", "cai_strube"),
        "ceafe": ("rahman_ng", "cai_strube"),
    }.items()
    for rule in rules
)
FOR_ALL = tuple(
    f"{measure}:{more}twinless={rule}"
    for measure, more in {"muc": "", "bcub": "", "ceafe": "", "ceaf": "phi=1,", "blanc": "boundary=both,", "lea": "",
                          "purity": "", "exact_entities": "", "entropy": ""}.items()
    for rule in ("pad", "discard_both")
)  # fmt: skip
MIRRORED = (
    *FOR_ALL,
    "mentions",
    "muc",
    "bcub",
    "bcub:weight=entity",
    "bcub:weight=printed",
    "bcub:twinless=stoyanov_all",
    "ceafm",
    "ceafe",
    "ceaf:phi=1",
    "ceaf:phi=2",
    "blanc:boundary=both",
    "lea",
    "pairwise",
    "entropy",
    "core",
    "exact_entities",
    "purity",
)
PADDED = (
    "rand",
    "adjusted_rand",
    "kappa",
    "dmt",
    "nmi",
    "ami",
    "vi",
    "fowlkes_mallows",
    "jaccard",
    "matthews",
    "correlation_distance",
    "talburt_wang",
    "van_dongen",
    "merge_distance",
)
SYMMETRIC = {"conll": "f1", **dict.fromkeys(PADDED, "score")}
DISTANCES = ("vi", "correlation_distance", "van_dongen", "merge_distance")
EVERY = (
    *corefeval.measures.ALL,
    *TWINLESS,
    *FOR_ALL,
    "bcub:weight=entity",
    "bcub:weight=printed",
    "bcub:weight=key",
    "blanc:boundary=both",
    "blanc:alpha=0.2",
    "nmi:mean=max",
    "merge_distance:cost=pairs,merge=2",
)
# Which of two equal entities becomes the exclusive core depends on their order, and so does what is left for others.
ORDER_FREE = tuple(name for name in EVERY if name != "exclusive_core")


def grouped(mentions: list[slow.Mention], labels: list[int]) -> Entities:
    """Mentions with the same label are one entity."""
    entities: dict[int, list[slow.Mention]] = {}
    for mention, label in zip(mentions, labels, strict=True):
        entities.setdefault(label, []).append(mention)
    return list(entities.values())


@st.composite
def partitions(draw: st.DrawFn, mentions: list[slow.Mention]) -> Entities:
    labels = st.lists(st.integers(0, max(0, len(mentions) - 1)), min_size=len(mentions), max_size=len(mentions))
    return grouped(mentions, draw(labels))


@st.composite
def pairs(draw: st.DrawFn, most: int = 9) -> Pair:
    """Each side has some of the mentions, maybe none."""
    mentions: list[slow.Mention] = [f"m{number}" for number in range(draw(st.integers(0, most)))]
    homes = draw(st.lists(st.sampled_from("bbbkr"), min_size=len(mentions), max_size=len(mentions)))
    in_key = [mention for mention, home in zip(mentions, homes, strict=True) if home in "bk"]
    in_response = [mention for mention, home in zip(mentions, homes, strict=True) if home in "br"]
    return draw(partitions(in_key)), draw(partitions(in_response))


@st.composite
def same_mentions(draw: st.DrawFn) -> Pair:
    """Two partitions of the same mentions; those that the propositions name are rare at random, so they are made."""
    mentions: list[slow.Mention] = [f"m{number}" for number in range(draw(st.integers(1, 9)))]
    key = draw(partitions(mentions))
    kind = draw(st.sampled_from(("any", "any", "any", "finer", "coarser", "equal", "one", "singletons", "grid")))
    if kind == "finer":
        return key, [entity for whole in key for entity in draw(partitions(whole))]
    if kind == "coarser":
        return [entity for whole in key for entity in draw(partitions(whole))], key
    if kind == "equal":
        return key, [list(reversed(entity)) for entity in reversed(key)]
    if kind == "one":
        return key, [mentions]
    if kind == "singletons":
        return key, [[mention] for mention in mentions]
    if kind == "grid":
        return draw(independent_pairs())
    return key, draw(partitions(mentions))


@st.composite
def independent_pairs(draw: st.DrawFn) -> Pair:
    """Every key entity spreads over the response entities in the same proportions."""
    rows = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    columns = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    cells = [(i, j, n) for i, p in enumerate(rows) for j, q in enumerate(columns) for n in range(p * q)]
    mentions: list[slow.Mention] = [f"m{cell}" for cell in cells]
    return grouped(mentions, [i for i, _, _ in cells]), grouped(mentions, [j for _, j, _ in cells])


@st.composite
def corpora(draw: st.DrawFn) -> Corpora:
    both = draw(st.lists(pairs(6), min_size=1, max_size=5))
    return (
        {f"d{number}": key for number, (key, _) in enumerate(both)},
        {f"d{number}": response for number, (_, response) in enumerate(both)},
    )


def one(measure: str, key: slow.Source, response: slow.Source) -> corefeval.Score:
    return corefeval.score(key, response, measures=[measure])[measure]


def both_ways(pair: Pair, measures: Iterable[str]) -> Iterator[tuple[str, corefeval.Score, corefeval.Score]]:
    """Each measure with its score, and the score of the response as the key."""
    key, response = pair
    score, mirror = (corefeval.score(*sides, measures=list(measures)) for sides in ((key, response), (response, key)))
    return ((measure, score[measure], mirror[measure]) for measure in measures)


def everything(evaluation: corefeval.Evaluation, measures: tuple[str, ...]) -> dict[str, Any]:
    """All that a result says, to compare it bit for bit."""
    return {name: (evaluation[name].values, evaluation[name].undefined, evaluation[name].links) for name in measures}


def main_values(score: corefeval.Score) -> dict[str, float]:
    """Recall, precision and F1, or the only score."""
    return {name: float(score.values[name]) for name in ("recall", "precision", "f1", "score") if name in score.values}


def same_entities(key: Entities, response: Entities) -> bool:
    return set(slow.side(key)) == set(slow.side(response))


def each_within_one(inner: Entities, outer: Entities) -> bool:
    return all(sum(entity <= other for other in slow.side(outer)) == 1 for entity in slow.side(inner))


def size(entities: Entities) -> int:
    return sum(map(len, entities))


def shared(key: Entities, response: Entities) -> list[list[int]]:
    return [[len(entity & other) for other in slow.side(response)] for entity in slow.side(key)]


def largest_but_one(parts: Iterable[int]) -> int:
    return sorted([0, *parts])[-2]


def is_close(first: float, second: float) -> bool:
    return math.isclose(first, second, rel_tol=1e-12, abs_tol=1e-12)


@often
@given(pairs())
def test_prop_2_muc_numerators_are_equal(pair: Pair) -> None:
    muc = one("muc", *pair)
    assert muc.recall_numerator == muc.precision_numerator


@often
@given(same_mentions())
def test_prop_3_muc_is_perfect_exactly_where_no_entity_is_broken(pair: Pair) -> None:
    key, response = pair
    muc = one("muc:undefined=1", key, response)
    assert (muc.recall == 1) == each_within_one(key, response)
    assert (muc.precision == 1) == each_within_one(response, key)
    assert (muc.f1 == 1) == (muc.recall == muc.precision == 1) == same_entities(key, response)


@often
@given(same_mentions())
def test_prop_4_muc_of_one_response_entity_is_high(pair: Pair) -> None:
    key, _ = pair
    everyone = [[mention for entity in key for mention in entity]]
    assume(size(key) > 1)
    muc = one("muc:undefined=1", key, everyone)
    assert muc.recall == 1
    assert muc.precision == (size(key) - len(key)) / (size(key) - 1)


@often
@given(same_mentions())
def test_prop_5_muc_has_a_lower_limit_that_grows_with_the_entities(pair: Pair) -> None:
    key, response = pair
    muc = one("muc", key, response)
    least = size(key) - len(key) * len(response)
    if size(key) > len(key):
        assert muc.recall >= least / (size(key) - len(key))
    if size(key) > len(response):
        assert muc.precision >= least / (size(key) - len(response))


@often
@given(same_mentions())
def test_prop_6_bcub_never_falls_below_entities_per_mention(pair: Pair) -> None:
    key, response = pair
    bcub = one("bcub", key, response)
    assert len(key) / size(key) - 1e-12 <= bcub.recall <= 1
    assert len(response) / size(key) - 1e-12 <= bcub.precision <= 1


@often
@given(same_mentions())
def test_bcub_is_perfect_exactly_for_the_key(pair: Pair) -> None:
    assert is_close(one("bcub", *pair).f1, 1) == same_entities(*pair)


@often
@given(same_mentions())
def test_prop_7_core_has_a_lower_limit_from_the_largest_entity(pair: Pair) -> None:
    key, response = pair
    core = one("core", key, response)
    assert core.recall_numerator >= max(map(len, response)) - len(key)
    assert core.precision_numerator >= max(map(len, key)) - len(response)
    assert core.recall_denominator == size(key) - len(key)
    assert core.precision_denominator == size(key) - len(response)


@often
@given(same_mentions())
def test_prop_8_core_is_at_most_muc_and_equal_exactly_where_all_but_the_core_are_singletons(pair: Pair) -> None:
    key, response = pair
    core, muc = one("core", key, response), one("muc:undefined=1", key, response)
    table = shared(key, response)
    broken_into_singletons = all(largest_but_one(row) <= 1 for row in table)
    merged_from_singletons = all(largest_but_one(column) <= 1 for column in zip(*table, strict=True))
    assert core.recall <= muc.recall
    assert core.precision <= muc.precision
    assert (core.recall == muc.recall) == broken_into_singletons
    assert (core.precision == muc.precision) == merged_from_singletons


@often
@given(pairs())
def test_prop_8_core_is_at_most_muc_with_twinless_mentions_too(pair: Pair) -> None:
    core, muc = one("core", *pair), one("muc:undefined=1", *pair)
    assert core.recall <= muc.recall
    assert core.precision <= muc.precision


@often
@given(same_mentions())
def test_prop_9_received_information_is_what_was_sent_minus_losses_plus_accruals(pair: Pair) -> None:
    # H(R) - H(R|K) and H(K) - H(K|R) are the numerators of recall and precision, so they have to be equal.
    entropy = one("entropy", *pair)
    assert is_close(entropy.recall_numerator, entropy.precision_numerator)
    assert -1e-12 <= entropy.recall_numerator <= entropy.recall_denominator + 1e-12
    assert -1e-12 <= entropy.precision_numerator <= entropy.precision_denominator + 1e-12


@often
@given(same_mentions())
def test_prop_10_entropy_is_perfect_exactly_for_the_key(pair: Pair) -> None:
    key, response = pair
    lost = slow.information_given(slow.side(key), slow.side(response))
    accrued = slow.information_given(slow.side(response), slow.side(key))
    perfect = is_close(one("entropy", key, response).f1, 1)
    assert perfect == (is_close(lost, 0) and is_close(accrued, 0)) == same_entities(key, response)


def are_independent(key: Entities, response: Entities) -> bool:
    table = shared(key, response)
    cells = product(range(len(key)), range(len(response)))
    return all(table[i][j] * size(key) == len(key[i]) * len(response[j]) for i, j in cells)


def are_proportional(vectors: list[list[int]]) -> bool:
    first = vectors[0]
    return all(
        first[i] * other[j] == first[j] * other[i] for other in vectors for i, j in product(range(len(first)), repeat=2)
    )


@often
@given(same_mentions())
def test_prop_11_entropy_is_zero_exactly_where_a_side_says_nothing_of_the_other(pair: Pair) -> None:
    key, response = pair
    zero = one("entropy", key, response).f1 < 1e-9
    assert zero == (
        (len(response) == 1 and len(key) > 1)
        or (len(key) == 1 and len(response) > 1)
        or (len(key) > 1 and len(response) > 1 and are_independent(key, response))
    )


@often
@given(same_mentions())
def test_prop_12_independence_is_no_information_is_proportional_overlaps(pair: Pair) -> None:
    key, response = pair
    entropy = one("entropy", key, response)
    table = shared(key, response)
    independent = are_independent(key, response)
    assert (abs(entropy.recall_numerator) < 1e-9) == independent
    assert (abs(entropy.precision_numerator) < 1e-9) == independent
    assert are_proportional(table) == independent
    assert are_proportional([list(column) for column in zip(*table, strict=True)]) == independent


@often
@given(independent_pairs())
def test_prop_12_holds_for_partitions_made_to_be_independent(pair: Pair) -> None:
    entropy = one("entropy:undefined=0", *pair)
    assert are_independent(*pair)
    assert entropy.f1 < 1e-9


@often
@given(pairs())
def test_prop_13_singletons_of_a_side_do_not_change_its_muc_or_core_score(pair: Pair) -> None:
    key, response = pair
    longer_key = [entity for entity in key if len(entity) > 1]
    longer_response = [entity for entity in response if len(entity) > 1]
    for measure in ("muc", "core"):
        score = one(measure, key, response)
        assert score.recall == one(measure, longer_key, response).recall
        assert score.precision == one(measure, key, longer_response).precision


@often
@given(pairs())
def test_def_19_padding_changes_no_measure_that_is_defined_on_the_padded_union(pair: Pair) -> None:
    padded = slow.padded(*map(slow.side, pair))
    key, response = ([list(entity) for entity in side] for side in padded)
    measures = ("muc", "core", "exclusive_core", "entropy", *PADDED)
    before = corefeval.score(*pair, measures=measures)
    after = corefeval.score(key, response, measures=measures)
    for measure in measures:
        assert main_values(before[measure]) == pytest.approx(main_values(after[measure]), rel=1e-12, abs=1e-12)


@very_often
@given(pairs())
def test_swapping_key_and_response_swaps_recall_and_precision(pair: Pair) -> None:
    swapped = {"recall": "precision", "precision": "recall", "f1": "f1"}
    for measure, score, mirror in both_ways(pair, MIRRORED):
        assert is_close(score.recall, mirror.precision), measure
        assert is_close(score.precision, mirror.recall), measure
        assert is_close(score.f1, mirror.f1), measure
        assert {swapped[name] for name in score.undefined} == set(mirror.undefined), measure


@very_often
@given(pairs())
def test_swapping_key_and_response_changes_no_single_score(pair: Pair) -> None:
    for measure, score, mirror in both_ways(pair, SYMMETRIC):
        assert is_close(getattr(score, SYMMETRIC[measure]), getattr(mirror, SYMMETRIC[measure])), measure
        assert score.undefined == mirror.undefined, measure


@often
@given(pairs())
def test_swapping_key_and_response_turns_the_distributional_error_round(pair: Pair) -> None:
    key, response = pair
    score, mirror = (one("distributional_error", *sides).values for sides in ((key, response), (response, key)))
    turned = {"recall": "precision", "precision": "recall", "none": "none"}
    assert score["score"] == mirror["score"]
    assert score["direction"] == turned[str(mirror["direction"])]


ONE_SIDED = {
    # From the largest key entity on: the paper calls the mirror image 'not meaningful'.
    "exclusive_core": ([["a", "b"]], [["a"], ["b"]]),
    # Only what the key lacks is left out.
    "blanc": ([["a"], ["b"], ["c"]], [["a", "b"], ["c"]]),
    # Only twinless mentions of the response are dropped.
    **{measure: ([["a"], ["b"]], [["a", "b"], ["c"]]) for measure in TWINLESS if "stoyanov_all" not in measure},
}


@pytest.mark.parametrize("measure", ONE_SIDED)
def test_some_measures_do_not_mirror_and_this_is_why(measure: str) -> None:
    key, response = ONE_SIDED[measure]
    assert not is_close(one(measure, key, response).precision, one(measure, response, key).recall)


@often
@given(corpora())
def test_the_key_against_itself_is_perfect_or_says_why_not(both: Corpora) -> None:
    key, _ = both
    evaluation = corefeval.score(key, key, measures=EVERY)
    for measure in EVERY:
        score = evaluation[measure]
        if measure == "distributional_error":
            assert score.values == {"score": 0, "direction": "none"}
        elif measure.startswith(DISTANCES):
            assert score.score == 0 or "score" in score.undefined
        elif measure == "bcub:weight=printed":
            # As printed (DEF.10) it divides a sum over entities by the mentions, so the key itself is not perfect.
            mentions, entities = sum(map(size, key.values())), sum(map(len, key.values()))
            assert is_close(score.recall, entities / mentions if mentions else 0)
        elif measure == "conll":
            assert is_close(score.f1, 1 - len(score.undefined) / 3)
        else:
            for name, value in main_values(score).items():
                assert is_close(value, 1) or name in score.undefined, measure


@often
@given(corpora())
def test_names_of_mentions_do_not_matter(both: Corpora) -> None:
    def renamed(corpus: Corpus) -> Corpus:
        return {
            name: [[(7, f"{mention}"[::-1]) for mention in entity] for entity in entities]
            for name, entities in corpus.items()
        }

    key, response = both
    before = corefeval.score(key, response, measures=EVERY)
    after = corefeval.score(renamed(key), renamed(response), measures=EVERY)
    assert everything(before, EVERY) == everything(after, EVERY)


def shuffled(corpus: Corpus, rng: random.Random) -> Corpus:
    """Documents, entities and mentions in another order."""
    return {
        name: [rng.sample(entity, len(entity)) for entity in rng.sample(corpus[name], len(corpus[name]))]
        for name in rng.sample(sorted(corpus), len(corpus))
    }


@often
@given(corpora(), st.integers(0, 1000))
def test_order_of_documents_entities_and_mentions_does_not_matter(both: Corpora, seed: int) -> None:
    rng = random.Random(seed)
    key, response = both
    before = corefeval.score(key, response, measures=ORDER_FREE)
    after = corefeval.score(shuffled(key, rng), shuffled(response, rng), measures=ORDER_FREE)
    assert everything(before, ORDER_FREE) == everything(after, ORDER_FREE)
    for name in key:
        for measure in ORDER_FREE:
            assert before.documents[name][measure].values == after.documents[name][measure].values


@often
@given(corpora(), st.integers(0, 1000))
def test_order_of_mentions_and_documents_does_not_matter_to_exclusive_cores_either(both: Corpora, seed: int) -> None:
    rng = random.Random(seed)
    key, response = both
    names = rng.sample(sorted(key), len(key))
    other = {name: [rng.sample(entity, len(entity)) for entity in key[name]] for name in names}
    assert one("exclusive_core", key, response).values == one("exclusive_core", other, response).values


@often
@given(corpora(), st.lists(st.integers(0, 2), min_size=5, max_size=5))
def test_splitting_a_corpus_among_scorers_changes_nothing(both: Corpora, shares: list[int]) -> None:
    key, response = both
    whole = corefeval.score(key, response, measures=EVERY)
    scorers = [corefeval.Scorer(EVERY) for _ in range(3)]
    for share, name in zip(shares, key, strict=False):
        scorers[share].update(key[name], response[name], document=name)
    first, *others = scorers
    for other in others:
        first.merge(other)
    merged = first.compute()
    assert everything(merged, EVERY) == everything(whole, EVERY)
    for name in key:
        for measure in EVERY:
            assert merged.documents[name][measure].values == whole.documents[name][measure].values


@often
@given(corpora())
def test_scores_stay_in_their_range(both: Corpora) -> None:
    evaluation = corefeval.score(*both, measures=EVERY)
    for measure in EVERY:
        for value in main_values(evaluation[measure]).values():
            assert value <= 1, measure
            # These are about chance, and may be below it.
            assert value >= 0 or measure in {"adjusted_rand", "kappa", "ami", "matthews"}, measure


@pytest.mark.parametrize("n", range(2, 8))
def test_kappa_has_no_least_value(n: int) -> None:
    """Popescu-Belis says -1. Here a = 0, a + b = a + c = n(n-1) of n²-1 links: (p - e)/(1 - e) = -2n² / 2n."""
    grid = [[(row, column) for column in range(n)] for row in range(n)]
    assert is_close(one("kappa", grid, [list(column) for column in zip(*grid, strict=True)]).score, -n)


def test_kappa_may_fall_below_minus_one() -> None:
    # d = |E| - 1 - a - b - c is no count of anything, and negative here.
    assert one("kappa", [["a", "b"], ["c", "d"]], [["a", "c"], ["b", "d"]]).score < -1


def random_table(seed: int, mentions: int, entities: int, noise: float) -> Pair:
    """Two sides of which `noise` of the mentions are anywhere, and a tenth on one side only."""
    rng = random.Random(seed)
    key: list[list[slow.Mention]] = [[] for _ in range(entities)]
    response: list[list[slow.Mention]] = [[] for _ in range(entities)]
    for mention in range(mentions):
        home = rng.randrange(entities)
        if rng.random() < 0.95:
            key[home].append(mention)
        if rng.random() < 0.95:
            response[rng.randrange(entities) if rng.random() < noise else home].append(mention)
    return [entity for entity in key if entity], [entity for entity in response if entity]


def test_order_and_splitting_do_not_matter_to_large_documents_either() -> None:
    # Sums of thousands of quotients: they are only the same bit for bit if they are exact or always in the same order.
    tables = {f"d{seed}": random_table(seed, 800, 40 + 30 * seed, 0.2 * seed) for seed in range(6)}
    key: Corpus = {name: pair[0] for name, pair in tables.items()}
    response: Corpus = {name: pair[1] for name, pair in tables.items()}
    whole = corefeval.score(key, response, measures=ORDER_FREE)
    rng = random.Random(3)
    for _ in range(5):
        other_key, other_response = shuffled(key, rng), shuffled(response, rng)
        again = corefeval.score(other_key, other_response, measures=ORDER_FREE)
        assert everything(again, ORDER_FREE) == everything(whole, ORDER_FREE)
        first, second = corefeval.Scorer(ORDER_FREE), corefeval.Scorer(ORDER_FREE)
        for name in other_key:
            rng.choice((first, second)).update(other_key[name], other_response[name], document=name)
        first.merge(second)
        assert everything(first.compute(), ORDER_FREE) == everything(whole, ORDER_FREE)


@pytest.mark.parametrize("phi", [1, 2, 3, 4])
@pytest.mark.parametrize(
    ("mentions", "entities", "noise"),
    [
        (1000, 250, 1.0),
        *(
            pytest.param(*sizes, marks=pytest.mark.slow)
            for sizes in [(2000, 400, 0.2), (1500, 300, 0.6), (4000, 150, 1.0), (600, 500, 0.9)]
        ),
    ],
)
def test_ceaf_equals_a_dense_solver_on_hundreds_of_entities(
    mentions: int, entities: int, noise: float, phi: int
) -> None:
    key, response = random_table(mentions, mentions, entities, noise)
    of_key, of_response = slow.side(key), slow.side(response)
    exact = [[Fraction(slow.similarity(phi, entity, other)) for other in of_response] for entity in of_key]
    rows, columns = linear_sum_assignment(np.array(exact, dtype=float), maximize=True)
    best = sum((exact[i][j] for i, j in zip(rows, columns, strict=True)), Fraction(0))
    ceaf = one(f"ceaf:phi={phi}", key, response)
    assert is_close(ceaf.recall_numerator, float(best))
    assert is_close(ceaf.recall, float(best / (size(key) if phi == 3 else len(key))))
    assert is_close(ceaf.precision, float(best / (size(response) if phi == 3 else len(response))))


@pytest.mark.parametrize("noise", [0.1, 0.5, 1.0])
def test_blanc_counts_are_sizes_of_explicit_sets_of_links(noise: float) -> None:
    key, response = random_table(11, 300, 60, noise)
    of_key, of_response = slow.links([slow.side(key)]), slow.links([slow.side(response)])
    found = one("blanc", key, response).links
    for kind, wanted, predicted in zip(("coreference", "noncoreference"), of_key, of_response, strict=True):
        assert found[f"key_{kind}"] == len(wanted)
        assert found[f"response_{kind}"] == len(predicted)
        assert found[f"common_{kind}"] == found[f"right_{kind}"] == len(wanted & predicted)
        assert found[f"wrong_{kind}"] == len(predicted - wanted)


@often
@given(corpora())
def test_pairwise_is_the_coreference_half_of_blanc(both: Corpora) -> None:
    pairwise, half = one("pairwise", *both), one("blanc", *both).coreference
    assert pairwise.values == half.values
    assert pairwise.undefined == half.undefined


@often
@given(corpora())
def test_ceafm_and_ceafe_are_phi_3_and_phi_4(both: Corpora) -> None:
    for name, phi in (("ceafm", 3), ("ceafe", 4)):
        assert one(name, *both).values == one(f"ceaf:phi={phi}", *both).values


@often
@given(corpora())
def test_conll_is_the_mean_of_three_f1s(both: Corpora) -> None:
    evaluation = corefeval.score(*both, measures=["muc", "bcub", "ceafe", "conll"])
    assert is_close(evaluation["conll"].f1, sum(evaluation[name].f1 for name in ("muc", "bcub", "ceafe")) / 3)


@often
@given(corpora())
def test_inputs_are_not_modified(both: Corpora) -> None:
    before = copy.deepcopy(both)
    corefeval.score(*both, measures=EVERY)
    corefeval.score(*both, measures=EVERY, singletons="drop")
    scorer = corefeval.Scorer(EVERY)
    for name in both[0]:
        scorer.update(both[0][name], both[1][name], document=name)
    scorer.compute()
    assert both == before
    assert [list(corpus) for corpus in both] == [list(corpus) for corpus in before]


@often
@given(pairs())
def test_a_corpus_of_one_document_scores_as_that_document(pair: Pair) -> None:
    key, response = pair
    alone = corefeval.score(key, response, measures=EVERY)
    corpus = corefeval.score({"d": key}, {"d": response}, measures=EVERY)
    assert everything(alone, EVERY) == everything(corpus, EVERY)
    for measure in EVERY:
        assert corpus.documents["d"][measure].values == corpus[measure].values
