"""Split antecedents: the published cases, a slow re-computation on sets, and what the option promises."""

from __future__ import annotations

import json
import math
import pickle
import random
from collections import defaultdict
from fractions import Fraction
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

import pytest

import corefeval
from corefeval import Corpus, OptionError, Scorer
from corefeval.corpus.beyond_identity import Relation
from corefeval.options import DECISIONS
from tests.corpus.drafts import draft_corpus
from tests.data import golden, public_data, read_once
from tests.oracles import measures as slow
from tests.rounds import few_or_many

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    Rows = Iterable[tuple[str, tuple[int, int]]]

MEASURES = ("muc", "bcub", "ceafm", "ceafe", "lea", "blanc:boundary=both")
CASES = golden("split_antecedents.json")

Entity = frozenset[Any]
Splits = dict[int, tuple[int, ...]]


def side(entities: list[Any], splits: Mapping[int, tuple[int, ...]], document: str = "") -> Corpus:
    """A corpus in which some entities have others as split antecedents, each by its place."""
    relations = tuple(
        Relation("split", document, str(source), tuple(map(str, targets))) for source, targets in splits.items()
    )
    return Corpus.from_entities({document: [list(entity) for entity in entities]}).replace(relations=relations)


def published(case: dict[str, Any]) -> Corpus:
    names = list(case["entities"])
    splits = {names.index(name): tuple(map(names.index, parts)) for name, parts in case["split"].items()}
    return side(list(case["entities"].values()), splits)


def triple(score: corefeval.Score) -> tuple[float, float, float]:
    return score.recall, score.precision, score.f1


@pytest.mark.parametrize("name", CASES["responses"])
def test_the_published_cases(name: str) -> None:
    """Paun et al.'s fifteen cases with the fractions of the scorer's own tests, to their five digits."""
    key, response = CASES["keys"][name.split("-", maxsplit=1)[0]], CASES["responses"][name]
    evaluation = corefeval.score(published(key), published(response), measures=MEASURES, split_antecedents="keep")
    for measure, expected in response["expected"].items():
        assert triple(evaluation[measure]) == pytest.approx(expected, abs=1e-5), measure


def test_the_rows_of_the_scorer_itself() -> None:
    """All rows of the UA scorer with split antecedents, from its files, to six digits.

    But for BLANC of TC-PB-3, where the order of its sets decides: split_antecedents=ua-2 has that.
    """
    folder = public_data("ua-scorer")
    rows = [row for row in json.loads((folder / "expected.json").read_text()) if row["key"].startswith("plural/")]
    assert len(rows) == 15
    for row in rows:
        found = corefeval.score(
            read_once(folder / row["key"]),
            read_once(folder / row["response"]),
            measures=MEASURES,
            split_antecedents="keep",
        )
        for measure, expected in row["expected"].items():
            name = "blanc:boundary=both" if measure == "blanc" else measure
            if (row["response"], measure) == ("plural/TC-PB-3.sys", "blanc"):
                # By hand: (5 + 2/3) of 6 links, and 34.2 of 39 pairs apart.
                expected = [(17 / 18 + 34.2 / 39) / 2] * 3  # noqa: PLW2901
            assert triple(found[name]) == pytest.approx(expected, abs=1e-6), (row["response"], measure)


@pytest.mark.parametrize("decision", ["keep", "ua-1", "ua-2"])
def test_alignments_that_tie_do_not_depend_on_order(decision: str) -> None:
    """Two alignments have an F1 of 4/3 in sum: 5/6 and 1/2, recall 7/12, or 2/3 twice. The UA scorer has 0.58333."""
    entities = ["abc", "d", "e", "f"], ["c", "f", "g", "abh", "d"]
    splits = {3: (1,), 2: (0, 1)}, {1: (3, 4), 0: (2, 3, 4)}
    for seed in range(10):
        sides = []
        for ours, theirs in zip(entities, splits, strict=True):
            order = random.Random(seed).sample(range(len(ours)), len(ours))
            place = {old: new for new, old in enumerate(order)}
            moved = {place[entity]: tuple(place[each] for each in parts) for entity, parts in theirs.items()}
            sides.append(side([ours[old] for old in order], moved))
        found = corefeval.score(*sides, measures="ceafe", split_antecedents=decision)["ceafe"]
        assert found.recall == pytest.approx(7 / 12, abs=1e-9)


class Slow:
    """One side, entities as sets of items: mentions, and split antecedents as sets of sets of mentions."""

    def __init__(self, entities: list[list[int]], splits: Splits) -> None:
        self.entities: list[set[Any]] = []
        seen: dict[Entity, set[Any]] = {}
        for place, entity in enumerate(entities):
            items: set[Any] = set(entity)
            if place in splits:
                antecedents = frozenset(frozenset(entities[leaf]) for leaf in self.leaves(place, splits))
                items.add(antecedents)
                if antecedents in seen:
                    seen[antecedents] |= items
                    continue
                seen[antecedents] = items
            self.entities.append(items)
        self.splits = list(seen)
        self.home = {item: place for place, items in enumerate(self.entities) for item in items}

    def leaves(self, place: int, splits: Splits) -> Iterator[int]:
        for part in splits[place]:
            yield from self.leaves(part, splits) if part in splits else (part,)


def inner(measure: str, key: Entity, response: Entity) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """What a measure counts in two sets of antecedents: found and wanted, right and given."""
    sides = [sorted(each) for each in sorted(key, key=sorted)], [sorted(each) for each in sorted(response, key=sorted)]
    name, _, part = measure.partition(".")
    fields = slow.score(name, *sides)
    if part:
        common = fields[f"links.common_{part}"]
        counts = [common, fields[f"links.key_{part}"], common, fields[f"links.response_{part}"]]
    else:
        counts = [fields[f"{rate}_{half}"] for rate in ("recall", "precision") for half in ("numerator", "denominator")]
    found, wanted, right, given = (Fraction(str(each)) for each in counts)
    if name == "muc":
        alone = [{each for each in entities if len(each) == 1} for entities in (key, response)]
        common_alone = len(alone[0] & alone[1])
        return found + common_alone, wanted + len(alone[0]), right + common_alone, given + len(alone[1])
    return found, wanted, right, given


def rates(counts: tuple[Fraction, ...]) -> tuple[Fraction, Fraction, Fraction]:
    found, wanted, right, given = counts
    recall, precision = (a / b if b else Fraction(0) for a, b in ((found, wanted), (right, given)))
    return recall, precision, 2 * recall * precision / (recall + precision) if recall + precision else Fraction(0)


def alignments(measure: str, key: Slow, response: Slow) -> list[dict[Entity, tuple[Entity, tuple[Fraction, ...]]]]:
    """All best alignments of split antecedents; equal ones that have nothing to count are shared in full."""
    score = {(a, b): rates(inner(measure, a, b)) for a in key.splits for b in response.splits}
    for a, b in score:
        if a == b and not any(inner(measure, a, b)):
            score[a, b] = (Fraction(1),) * 3
    longer, shorter = (
        (key.splits, response.splits) if len(key.splits) >= len(response.splits) else (response.splits, key.splits)
    )
    found: list[dict[Entity, tuple[Entity, tuple[Fraction, ...]]]] = []
    for order in permutations(longer, len(shorter)):
        pairs = list(zip(order, shorter, strict=True) if longer is key.splits else zip(shorter, order, strict=True))
        found.append({a: (b, score[a, b]) for a, b in pairs if score[a, b][2]})
    total = [sum(rate[2] for _, rate in each.values()) for each in found]
    return [each for each, gain in zip(found, total, strict=True) if gain == max(total)]


def matched(side: Slow, other: Slow, splits: dict[Any, tuple[Any, Fraction]]) -> list[list[tuple[int, Fraction, bool]]]:
    """For every entity its items that the other side has: in which entity, how much of it, and whether it is split."""
    rows = []
    for items in side.entities:
        row = []
        for item in items:
            if isinstance(item, frozenset):
                if item in splits:
                    row.append((other.home[splits[item][0]], splits[item][1], True))
            elif item in other.home:
                row.append((other.home[item], Fraction(1), False))
        rows.append(row)
    return rows


def muc(side: Slow, row: list[list[tuple[int, Fraction, bool]]]) -> tuple[Fraction, Fraction]:
    kept = Fraction(0)
    for found in row:
        homes = [home for home, _, split in found if not split]
        kept += len(homes) - len(set(homes)) + sum(part for home, part, split in found if split and home in homes)
    return kept, Fraction(sum(len(items) - 1 for items in side.entities))


def bcub(side: Slow, row: list[list[tuple[int, Fraction, bool]]]) -> tuple[Fraction, Fraction]:
    credit = Fraction(0)
    for items, found in zip(side.entities, row, strict=True):
        by_home: dict[int, Fraction] = defaultdict(Fraction)
        for home, part, _ in found:
            by_home[home] += part
        credit += Fraction(sum(part * part for part in by_home.values())) / len(items)
    return credit, Fraction(sum(map(len, side.entities)))


def together(found: list[tuple[int, Fraction, bool]]) -> Fraction:
    return Fraction(sum(a[1] * b[1] for a, b in combinations(found, 2) if a[0] == b[0]))


def lea(side: Slow, other: Slow, row: list[list[tuple[int, Fraction, bool]]]) -> tuple[Fraction, Fraction]:
    resolved = Fraction(0)
    for items, found in zip(side.entities, row, strict=True):
        if len(items) == 1:
            resolved += bool(found) and len(other.entities[found[0][0]]) == 1
        else:
            resolved += len(items) * together(found) / math.comb(len(items), 2)
    return resolved, Fraction(sum(map(len, side.entities)))


def ceaf(phi: int, key: Slow, response: Slow, row: list[list[tuple[int, Fraction, bool]]]) -> Fraction:
    table: list[list[slow.Exact]] = []
    for items, found in zip(key.entities, row, strict=True):
        shared = [sum(part for home, part, _ in found if home == place) for place in range(len(response.entities))]
        if phi == 4:
            sizes = [len(items) + len(other) for other in response.entities]
            shared = [Fraction(2 * n) / size for n, size in zip(shared, sizes, strict=True)]
        table.append(list(shared))
    return Fraction(slow.best_alignment(table))


def links(key: Slow, response: Slow, row: list[list[tuple[int, Fraction, bool]]], part: str) -> tuple[Fraction, ...]:
    own = []
    for side in (key, response):
        linked = sum(math.comb(len(items), 2) for items in side.entities)
        own.append(linked if part == "coreference" else math.comb(sum(map(len, side.entities)), 2) - linked)
    if part == "coreference":
        common = sum(map(together, row))
    else:
        flat = [(place, *each) for place, found in enumerate(row) for each in found]
        common = sum(a[2] * b[2] for a, b in combinations(flat, 2) if a[0] != b[0] and a[1] != b[1])
    return Fraction(common), Fraction(own[0]), Fraction(common), Fraction(own[1])


def expected(measure: str, key: Slow, response: Slow) -> Iterator[tuple[Fraction, ...]]:
    """The counts of a measure with each of the best alignments."""
    for aligned in alignments(measure, key, response):
        tables = []
        for place, (one, other) in enumerate(((key, response), (response, key), (key, response))):
            splits = {
                (b if place == 1 else a): (a if place == 1 else b, rate[place]) for a, (b, rate) in aligned.items()
            }
            tables.append(matched(one, other, splits))
        if measure == "muc":
            yield (*muc(key, tables[0]), *muc(response, tables[1]))
        elif measure == "bcub":
            yield (*bcub(key, tables[0]), *bcub(response, tables[1]))
        elif measure == "lea":
            yield (*lea(key, response, tables[0]), *lea(response, key, tables[1]))
        elif measure.startswith("ceaf"):
            total = ceaf(4 if measure == "ceafe" else 3, key, response, tables[2])
            own = [len(s.entities) if measure == "ceafe" else sum(map(len, s.entities)) for s in (key, response)]
            yield (total, Fraction(own[0]), total, Fraction(own[1]))
        else:
            yield links(key, response, tables[2], measure.partition(".")[2])


def random_side(rng: random.Random, mentions: int) -> tuple[list[list[int]], Splits]:
    """Entities in any order, of which some are made of earlier ones."""
    there = rng.sample(range(mentions), rng.randint(2, mentions))
    parts = [[mention for place, mention in enumerate(there) if place % 5 == rest] for rest in rng.sample(range(5), 5)]
    entities = [part for part in parts if part]
    splits = {}
    for place in range(1, len(entities)):
        if rng.random() < 0.5:
            splits[place] = tuple(rng.sample(range(place), rng.randint(1, min(place, 3))))
    return entities, splits


def found_counts(evaluation: corefeval.Evaluation, measure: str) -> tuple[float, ...]:
    name, _, part = measure.partition(".")
    if part:
        of = evaluation[name].links
        common = of[f"right_{part}"]
        return common, of[f"key_{part}"], common, of[f"response_{part}"]
    score = evaluation[name]
    return score.recall_numerator, score.recall_denominator, score.precision_numerator, score.precision_denominator


@few_or_many(100, 400)
def test_random_sides_agree_with_sets(rounds: int) -> None:
    rng = random.Random(2205_12323)
    names = ("muc", "bcub", "ceafm", "ceafe", "lea", "blanc.coreference", "blanc.noncoreference")
    with_splits = 0
    for _ in range(rounds):
        mentions = rng.randint(4, 11)
        key, response = random_side(rng, mentions), random_side(rng, mentions)
        if rng.random() < 0.5:
            response = key[0], {place: parts for place, parts in key[1].items() if rng.random() < 0.7}
        evaluation = corefeval.score(side(*key), side(*response), split_antecedents="keep")
        with_splits += bool(key[1] and response[1])
        for measure in names:
            counts = found_counts(evaluation, measure)
            possible = [[float(each) for each in one] for one in expected(measure, Slow(*key), Slow(*response))]
            assert any(counts == pytest.approx(one, abs=1e-9) for one in possible), (measure, key, response)
    assert with_splits > rounds // 2


def test_split_antecedents_alone_by_hand() -> None:
    """Key they = {a b} + {c}, response they = {a b} + {d}, and a second split antecedent that the key has not.

    B³ of the antecedents: recall (2²/2) of 3, precision (2²/2) of 3; the other one has 2 more mentions to be right.
    """
    key = side(["ab", "c", "d", "t"], {3: (0, 1)})
    response = side(["ab", "c", "d", "t", "u"], {3: (0, 2), 4: (1, 2)})
    score = corefeval.score(key, response, measures=["bcub", "blanc:boundary=none"], split_antecedents="only")
    assert found_counts(score, "bcub") == (2, 3, 2, 5)
    blanc = score["blanc:boundary=none"]
    assert [blanc.coreference.f1, blanc.noncoreference.f1] == [1, 0]
    assert blanc.links["key_noncoreference"] == 2
    assert blanc.links["response_noncoreference"] == 3
    with pytest.raises(OptionError, match="rand has no definition for split antecedents alone"):
        corefeval.score(key, response, measures="rand", split_antecedents="only")


def test_entities_with_the_same_split_antecedents_are_one() -> None:
    key = side(["a", "b", "tu"], {2: (0, 1)})
    response = side(["a", "b", "t", "u"], {2: (0, 1), 3: (1, 0)})
    evaluation = corefeval.score(key, response, split_antecedents="keep")
    assert [triple(evaluation[name]) for name in ("muc", "bcub", "ceafe", "lea")] == [(1, 1, 1)] * 4
    assert [notice.kind for notice in evaluation.notices] == ["same-split-antecedents"]


def test_other_measures_share_equal_split_antecedents_only() -> None:
    """With one more mention on each side, shared in the first case and not in the second."""
    key, equal, other = ["ab", "c", "d", "t"], {3: (0, 1)}, {3: (0, 2)}
    for splits, members in ((equal, ["t", "x"]), (other, ["t", "y"])):
        mine = corefeval.score(side(key, equal), side(key, splits), split_antecedents="keep", measures="all")
        plain = [list(entity) for entity in key[:3]]
        same = corefeval.score([*plain, ["t", "x"]], [*plain, members], measures="all")
        for name in (
            "rand",
            "adjusted_rand",
            "entropy",
            "core",
            "exclusive_core",
            "kappa",
            "dmt",
            "exact_entities",
            "purity",
            "nmi",
            "ami",
            "vi",
            "jaccard",
            "matthews",
            "talburt_wang",
            "van_dongen",
            "merge_distance",
            "bcub:twinless=cai_strube",
        ):
            assert mine[name].values == same[name].values, name
        assert mine["mentions"].recall_denominator == 5


def test_they_are_not_scored_unless_asked_for() -> None:
    key, response = side(["ab", "c", "t"], {2: (0, 1)}), side(["ab", "c", "t"], {})
    evaluation = corefeval.score(key, response)
    assert evaluation["conll"].f1 == corefeval.score([["a", "b"], ["c"], ["t"]], [["a", "b"], ["c"], ["t"]])["conll"].f1
    assert [notice.kind for notice in evaluation.notices] == ["split-antecedents"]
    assert "split_antecedents" not in evaluation.signature
    decided = corefeval.score(key, response, split_antecedents="drop", strict=True)
    assert decided["conll"].f1 == evaluation["conll"].f1
    scorer = Scorer(split_antecedents="drop", strict=True)
    scorer.update(key, response)
    assert not scorer.compute().notices
    kept = corefeval.score(key, response, split_antecedents="keep")
    assert kept["bcub"].recall_denominator == 5
    assert not kept.notices
    assert kept.signature.endswith("|split_antecedents:keep|documents:1")
    again: dict[str, Any] = corefeval.Signature.parse(kept.signature).options()
    assert corefeval.score(key, response, **again)["bcub"].values == kept["bcub"].values


def test_options_that_cannot_be() -> None:
    key = side(["ab", "c", "t"], {2: (0, 1)})
    with pytest.raises(OptionError, match="needs singletons='keep'"):
        corefeval.score(key, key, singletons="drop", split_antecedents="keep")
    with pytest.raises(OptionError, match="split_antecedents"):
        corefeval.score(key, key, split_antecedents="both")


def test_relations_to_what_is_not_there_do_no_harm() -> None:
    """Circles, and antecedents that are dropped with their documents or as repeated mentions."""
    circle = side(["a", "b", "t"], {0: (1,), 1: (0,), 2: (7,)})
    assert corefeval.score(circle, circle, split_antecedents="keep")["bcub"].f1 == 1
    repeated = side(["ab", "ab", "t"], {2: (0, 1)})
    for duplicates in ("first", "merge", "keep", "conll-8.01"):
        found = corefeval.score(repeated, repeated, duplicates=duplicates, split_antecedents="keep", measures="all")
        assert found["muc"].recall <= 1


def test_bit_by_bit_and_pickled_it_is_the_same() -> None:
    rng = random.Random(3)
    pairs = [(random_side(rng, 9), random_side(rng, 9)) for _ in range(12)]
    for option in ("keep", "only"):
        scorer, other = (Scorer(split_antecedents=option) for _ in range(2))
        for number, (key, response) in enumerate(pairs):
            part = scorer if number % 2 else other
            part.update(side(*key), side(*response), document=f"d{number:02}")
        scorer.merge(pickle.loads(pickle.dumps(other)))
        whole = scorer.compute()
        assert "split_antecedents" in whole.signature
        for measure in whole:
            alone = [corefeval.score(side(*k), side(*r), split_antecedents=option)[measure] for k, r in pairs]
            if measure not in {"conll", "blanc"}:
                total = math.fsum(each.recall_numerator for each in alone)
                assert whole[measure].recall_numerator == pytest.approx(total, abs=1e-9)


def test_split_antecedents_are_refused_where_they_would_be_lost() -> None:
    key = draft_corpus({"d": [("A", (0, 0)), ("B", (1, 1)), ("C", (2, 2)), ("C", (3, 3))]}, splits={"C": ("A", "B")})
    with pytest.raises(OptionError, match="split_antecedents='keep' needs twinless='keep' or 'cai_strube'"):
        corefeval.score(key, key, profile="scorch-cli", split_antecedents="keep")
    for measure in ("mentions:match=lenient", corefeval.measures.Ceafm(mention_weights={"NAM": 0.5})):
        with pytest.raises(OptionError, match="no definition for split antecedents alone"):
            corefeval.score(key, key, measures=[measure], split_antecedents="only")
    assert corefeval.score(key, key, measures="blanc", boundary="scorch", split_antecedents="only")["blanc"].f1 >= 0


def test_weights_and_split_antecedents_are_refused_together() -> None:
    mentions = [("A", (0, 0)), ("B", (1, 1)), ("C", (2, 2)), ("C", (3, 3))]
    split, plain = draft_corpus({"d": mentions}, splits={"C": ("A", "B")}), draft_corpus({"d": mentions})
    for weights in ({"mention_weights": {"NAM": 0.5}}, {"entity_weights": {"PER": 2}}):
        for kind in (corefeval.measures.Ceafm, corefeval.measures.Ceafe):
            measure = kind(**weights)
            for sides in ((split, split), (split, plain), (plain, split)):
                with pytest.raises(OptionError, match="weights have no definition for split antecedents"):
                    corefeval.score(*sides, measures=[measure], split_antecedents="keep")
            assert corefeval.score(plain, plain, measures=[measure], split_antecedents="keep")[measure].f1 == 1
            assert corefeval.score(split, split, measures=[measure], split_antecedents="drop")[measure].f1 == 1


_REPEATED = [("A", (0, 0)), ("A", (1, 1)), ("B", (1, 1)), ("B", (2, 2)), ("B", (2, 2)), ("C", (3, 4))]

_TURNED = [("A", (0, 0)), ("A", (2, 2)), ("B", (1, 1)), ("B", (3, 3)), ("C", (1, 1)), ("C", (5, 5)), ("D", (5, 5))]


def numbers(score: Any) -> dict[str, float]:
    return {name: value for name, value in score.to_dict().items() if isinstance(value, int | float)}


@pytest.mark.parametrize("match", ["exact", "overlap"])
@pytest.mark.parametrize("duplicates", [word for word in DECISIONS["duplicates"].values if word != "error"])
@pytest.mark.parametrize("split_antecedents", ["keep", "ua-1", "ua-2"])
def test_split_antecedents_of_one_document_do_not_change_another(
    match: str, duplicates: str, split_antecedents: str
) -> None:
    measures = ["all"]
    options: dict[str, Any] = {"match": match, "duplicates": duplicates, "split_antecedents": split_antecedents}
    split = [("A", (0, 0)), ("B", (1, 1)), ("C", (2, 2)), ("C", (3, 3)), ("D", (4, 4)), ("D", (4, 4))]
    documents: dict[str, tuple[Rows, Rows]] = {
        "1": (_REPEATED, _TURNED),
        "2": (_TURNED, _REPEATED),
        "3": (split, split[1:]),
    }

    def sides(names: Iterable[str]) -> tuple[Corpus, Corpus]:
        splits: dict[str, tuple[str, ...]] = {"C": ("A", "B")} if "3" in names else {}
        key, response = ({name: documents[name][side] for name in names} for side in (0, 1))
        return draft_corpus(key, splits=splits), draft_corpus(response, splits=splits)

    together, bits = corefeval.score(*sides("123"), measures=measures, **options), Scorer(measures, **options)
    for name in documents:
        alone = corefeval.score(*sides(name), measures=measures, **options)
        bits.update(*sides(name))
        for measure in alone:
            assert numbers(together.documents[name][measure]) == pytest.approx(numbers(alone[measure])), measure
    joined = bits.compute()
    for measure in together:
        assert numbers(joined[measure]) == pytest.approx(numbers(together[measure])), measure
    without = corefeval.score(*sides("12"), measures=measures, **options | {"split_antecedents": "drop"})
    for name in "12":
        for measure in without:
            found, wanted = (each.documents[name][measure] for each in (together, without))
            assert numbers(found) == pytest.approx(numbers(wanted)), measure
