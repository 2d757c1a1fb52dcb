"""`corefeval` against the slow re-implementation, and the slow re-implementation against the papers."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, TypeAlias

import pytest

import corefeval
from corefeval.lab.papers import load_papers
from tests.oracles import measures as slow
from tests.rounds import few_or_many

Entities: TypeAlias = list[list[slow.Mention]]
Corpus: TypeAlias = dict[str, Entities]
Scored: TypeAlias = tuple[slow.Source, slow.Source, corefeval.Evaluation]

PAPERS: dict[str, Any] = load_papers()

PLAIN = tuple(sorted(slow.MEASURES.keys() - {"ceaf"}))
WITH_BETA = tuple(name for name in PLAIN if "recall" in slow.score(name, [], []))
TWINLESS_CEAF = ("keep", "rahman_ng", "cai_strube")
TWINLESS_BCUB = (*TWINLESS_CEAF, "stoyanov_all", "stoyanov0")
FORMULAS = (
    *PLAIN,
    *(f"bcub:weight={weight},twinless={rule}" for weight in ("mention", "entity") for rule in TWINLESS_BCUB),
    *(f"{name}:twinless={rule}" for name in ("ceafm", "ceafe") for rule in TWINLESS_CEAF),
    *(f"ceaf:phi={phi}" for phi in (1, 2, 3, 4)),
    "blanc:alpha=0.2",
    "blanc:boundary=both",
    "blanc:mentions=shared",
    "bcub:weight=key",
    *(f"{name}:mean={mean}" for name in ("nmi", "ami") for mean in ("geometric", "min", "max")),
    "talburt_wang:form=square",
    "merge_distance:cost=pairs",
    "merge_distance:split=2,merge=0.5",
    "merge_distance:cost=pairs,split=0.25",
)
CONVENTIONS = (
    *(f"{name}:undefined={0 if name in slow.UNDEFINED_IS_ONE else 1}" for name in PLAIN),
    *(f"{name}:beta=2" for name in WITH_BETA),
    *(f"blanc:alpha={alpha},boundary={rule}" for alpha in (0.1, 1) for rule in ("key", "both")),
    "blanc:boundary=both,undefined=1,beta=0.5",
    "bcub:twinless=cai_strube,undefined=1,beta=0.5",
    "ceaf:phi=2,undefined=1,beta=0.5",
)
VARIANTS = (*FORMULAS, *CONVENTIONS)
every_formula = pytest.mark.parametrize("variant", FORMULAS)
every_variant = pytest.mark.parametrize("variant", VARIANTS)


def field(score: corefeval.Score, name: str) -> Any:
    """`coreference.recall` is an attribute of an attribute, `links.key_coreference` an item of one."""
    found: Any = score
    for part in name.split("."):
        found = found[part] if isinstance(found, Mapping) else getattr(found, part)
    return found


def assert_same(score: corefeval.Score, variant: str, key: slow.Source, response: slow.Source) -> int:
    """Fractions agree to 1e-12, integer counts, names and directions exactly; how many fields were compared."""
    expected = slow.score(variant, key, response)
    for name, value in expected.items():
        found = field(score, name)
        if isinstance(value, float | Fraction):
            same = math.isclose(found, value, rel_tol=1e-12, abs_tol=1e-12)
        else:
            same = found == value
        assert same, f"{variant}.{name}: found {found}, expected {value} on\n  key {key}\n  response {response}"
    return len(expected)


def random_side(rng: random.Random, mentions: list[slow.Mention]) -> Entities:
    """Anything from one entity to nothing but singletons, in any order."""
    rng.shuffle(mentions)
    most = rng.randint(1, max(1, len(mentions)))
    entities: dict[int, list[slow.Mention]] = {}
    for mention in mentions:
        entities.setdefault(rng.randrange(most), []).append(mention)
    return rng.sample(list(entities.values()), len(entities))


def random_pair(rng: random.Random, most_mentions: int) -> tuple[Entities, Entities]:
    """Two sides that share all, some or no mentions; one or both may be empty; mentions are anything hashable."""
    name = rng.choice((lambda i: i, str, lambda i: (i, i + 1), lambda i: (str(i), i)[i % 2]))
    everything: list[slow.Mention] = [name(i) for i in range(rng.randint(0, most_mentions))]
    in_key, in_response = rng.choice(((1, 1), (0.8, 0.8), (0.5, 0.9), (0.9, 0.5), (1, 0.6), (0.6, 1), (0, 1), (1, 0)))
    key = random_side(rng, [mention for mention in everything if rng.random() < in_key])
    if rng.random() < 0.3:
        # A response that differs from the key in a few mentions only, as a good one does.
        response = [list(entity) for entity in key]
        for mention in rng.sample(everything, min(len(everything), 2)):
            response = [[other for other in entity if other != mention] for entity in response] + [[mention]]
        return key, [entity for entity in response if entity]
    return key, random_side(rng, [mention for mention in everything if rng.random() < in_response])


def random_corpus(rng: random.Random, most_documents: int) -> tuple[Corpus, Corpus]:
    """The response may lack documents of the key (they count as empty) and may have others (they do not count).

    One document on each side would be taken for the same, whatever the names: then the other is left out.
    """
    key: Corpus = {}
    response: Corpus = {}
    for number in range(rng.randint(1, most_documents)):
        key[f"d{number}"], of_response = random_pair(rng, 8)
        if rng.random() < 0.9:
            response[f"d{number}"] = of_response
    if rng.random() < 0.2 and (response or len(key) > 1):
        response["not in the key"] = random_pair(rng, 4)[1]
    return key, response


@cache
def small_pairs(count: int) -> list[Scored]:
    rng = random.Random(20050101)
    sides = [random_pair(rng, 9) for _ in range(count)]
    return [(*pair, corefeval.score(*pair, measures=FORMULAS)) for pair in sides]


@cache
def large_pairs(count: int) -> list[Scored]:
    rng = random.Random(20100101)
    sides = [random_pair(rng, 60) for _ in range(count)]
    return [(*pair, corefeval.score(*pair, measures=FORMULAS)) for pair in sides]


def random_corpora(count: int) -> list[tuple[Corpus, Corpus]]:
    rng = random.Random(20110101)
    return [random_corpus(rng, 5) for _ in range(count)]


@cache
def corpora(count: int) -> list[tuple[Corpus, Corpus, corefeval.Evaluation]]:
    return [(*pair, corefeval.score(*pair, measures=VARIANTS)) for pair in random_corpora(count)]


def partitions(mentions: list[slow.Mention]) -> Iterator[Entities]:
    """Every partition of every subset."""
    if not mentions:
        yield []
        return
    first, rest = mentions[0], mentions[1:]
    for entities in partitions(rest):
        yield entities
        yield [[first], *entities]
        for number, entity in enumerate(entities):
            yield [*entities[:number], [first, *entity], *entities[number + 1 :]]


def without_names(key: Entities, response: Entities) -> slow.Mention:
    """The same for two pairs that differ in the names of their mentions only."""
    homes = {mention: number for number, entity in enumerate(sorted(key, key=len)) for mention in entity}
    profiles = (tuple(sorted(homes.get(mention, -1) for mention in entity)) for entity in response)
    return tuple(sorted(len(entity) for entity in key)), tuple(sorted(profiles))


@cache
def all_tiny_pairs(mentions: str) -> tuple[Corpus, Corpus, corefeval.Evaluation]:
    """All pairs of partitions of any of these mentions (203 × 203 of five) as documents, names aside."""
    pairs = sorted(product(partitions(list(mentions)), repeat=2), key=lambda pair: sum(map(len, map(str, pair))))
    distinct = {without_names(*pair): pair for pair in reversed(pairs)}
    key = {f"d{number}": pair[0] for number, pair in enumerate(reversed(distinct.values()))}
    response = {f"d{number}": pair[1] for number, pair in enumerate(reversed(distinct.values()))}
    return key, response, corefeval.score(key, response, measures=VARIANTS)


def test_every_measure_of_corefeval_is_compared() -> None:
    names = {name.partition(":")[0] for name in corefeval.measures.ALL}
    assert names | {"ceaf"} == slow.MEASURES.keys()
    assert set(corefeval.measures.ALL) <= set(VARIANTS)
    assert len(set(VARIANTS)) == len(VARIANTS)


@pytest.mark.parametrize(("mentions", "pairs"), [("abc", 77), pytest.param("abcde", 1617, marks=pytest.mark.slow)])
@every_variant
def test_tiny_pairs_all_there_are(variant: str, mentions: str, pairs: int) -> None:
    key, response, evaluation = all_tiny_pairs(mentions)
    assert len(key) == pairs
    documents = evaluation.documents
    for name in key:
        assert_same(documents[name][variant], variant, key[name], response[name])


@every_formula
@few_or_many(300, 3000)
def test_small_pairs(rounds: int, variant: str) -> None:
    for key, response, evaluation in small_pairs(rounds):
        assert_same(evaluation[variant], variant, key, response)


@every_formula
@few_or_many(8, 40)
def test_large_pairs(rounds: int, variant: str) -> None:
    for key, response, evaluation in large_pairs(rounds):
        assert_same(evaluation[variant], variant, key, response)


@every_variant
@few_or_many(40, 300)
def test_corpora_and_their_documents(rounds: int, variant: str) -> None:
    for key, response, evaluation in corpora(rounds):
        assert_same(evaluation[variant], variant, key, response)
        documents = evaluation.documents
        for name in key:
            assert_same(documents[name][variant], variant, key[name], response.get(name, []))


def test_singletons_can_be_dropped_before_scoring() -> None:
    for key, response, _ in small_pairs(300):
        assert not isinstance(key, Mapping)
        assert not isinstance(response, Mapping)
        longer = [[entity for entity in entities if len(entity) > 1] for entities in (key, response)]
        evaluation = corefeval.score(key, response, measures=corefeval.measures.ALL, singletons="drop")
        for measure in corefeval.measures.ALL:
            assert_same(evaluation[measure], measure, longer[0], longer[1])


def test_macro_scores_are_means_of_document_scores() -> None:
    for key, response in random_corpora(100):
        evaluation = corefeval.score(key, response, measures=corefeval.measures.ALL, macro=True)
        for measure in corefeval.measures.ALL:
            of_documents = [slow.score(measure, key[name], response.get(name, [])) for name in key]
            for name in {"recall", "precision", "f1", "score"} & of_documents[0].keys():
                mean = sum(slow.number(fields, name) for fields in of_documents) / len(of_documents)
                assert math.isclose(field(evaluation[measure], name), mean, rel_tol=1e-12, abs_tol=1e-12)


def value_in(case: dict[str, Any], name: str) -> Fraction:
    """What `blanc:alpha=0.2.f1` or `blanc.coreference.f1` stands for: dots may be in parameters and in fields."""
    measure, _, last = name.rpartition(".")
    for part in ("coreference", "noncoreference"):
        if measure.endswith(f".{part}"):
            measure, last = measure.removesuffix(f".{part}"), f"{part}.{last}"
    value = slow.score(measure, case["key"], case["response"])[last]
    assert isinstance(value, int | float | Fraction)
    return Fraction(value)


def printed(value: Fraction, digits: int, *, truncated: bool) -> Fraction:
    """As a paper prints it; a half goes up."""
    scaled = value * 10**digits
    # Entropies are floats: one that is a rounding error below a printed digit is that digit.
    return Fraction(math.floor(scaled + (Fraction(1, 10**9) if truncated else Fraction(1, 2))), 10**digits)


every_paper_case = pytest.mark.parametrize("case", PAPERS["cases"], ids=[case["id"] for case in PAPERS["cases"]])


@every_paper_case
def test_slow_measures_reproduce_the_papers(case: dict[str, Any]) -> None:
    expected = dict(case["expected"])
    expected.update({name: erratum["formula"] for name, erratum in case.get("erratum", {}).items()})
    found = {
        name: float(printed(value_in(case, name), case["digits"], truncated=case.get("truncated", False)))
        for name in expected
    }
    assert found == expected


@every_paper_case
def test_slow_links_are_those_of_the_papers(case: dict[str, Any]) -> None:
    fields = slow.score("blanc", case["key"], case["response"])
    wanted = case.get("links", {})
    assert {name: fields[f"links.{name}"] for name in wanted} == wanted


@every_paper_case
def test_slow_measures_are_undefined_where_the_papers_print_a_dash(case: dict[str, Any]) -> None:
    for name in case.get("undefined", ()):
        measure, _, last = name.rpartition(".")
        undefined = slow.score(measure, case["key"], case["response"])["undefined"]
        assert isinstance(undefined, tuple)
        assert last in undefined


@every_paper_case
def test_distributional_errors_lean_to_the_side_that_is_printed(case: dict[str, Any]) -> None:
    if "distributional_error_printed" in case:
        # The printed sizes follow a formula that the paper keeps to itself; only the side can be compared.
        side = {"r": "recall", "p": "precision"}[case["distributional_error_printed"][-1]]
        assert slow.score("distributional_error", case["key"], case["response"])["direction"] == side


@every_paper_case
def test_corefeval_agrees_on_the_cases_of_the_papers(case: dict[str, Any]) -> None:
    evaluation = corefeval.score(case["key"], case["response"], measures=corefeval.measures.ALL)
    for measure in corefeval.measures.ALL:
        assert_same(evaluation[measure], measure, case["key"], case["response"])


@pytest.mark.parametrize("case", PAPERS["entity_similarities"])
def test_slow_similarities_are_luos(case: dict[str, Any]) -> None:
    key_entity, response_entity = frozenset(case["key"]), frozenset(case["response"])
    for phi in (1, 2, 3, 4):
        assert float(slow.similarity(phi, key_entity, response_entity)) == case[f"phi{phi}"]


def test_both_ways_to_find_the_best_alignment_agree() -> None:
    rng = random.Random(7)
    for _ in range(200):
        rows, columns = rng.randint(1, 8), rng.randint(1, 10)
        table: list[list[slow.Exact]] = [[rng.choice((0, 0, 1, 2, 3)) for _ in range(columns)] for _ in range(rows)]
        # Rows that share nothing change no total but push the table past what is tried out.
        wider = [[*row, *([0] * 9)] for row in table] + [[0] * (columns + 9) for _ in range(9)]
        assert slow.best_alignment(table) == slow.best_alignment(wider)
