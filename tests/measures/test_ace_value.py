"""ACE-value: against NIST's scorer, a slow re-computation over all mappings, sums made by hand, and CEAF."""

from __future__ import annotations

import itertools
import json
import pickle
import random
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest

import corefeval
from corefeval.corpus.corpus import Corpus
from corefeval.errors import OptionError
from corefeval.measures import AceValue
from corefeval.measures.shared.ace_weights import ACE_2003, ACE_2004, ACE_2005, SETS, UNIFORM, Weights
from tests.cli.running import run
from tests.corpus.drafts import draft_corpus
from tests.data import golden

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from corefeval.measures.score import Score

COSTS = {
    "misses": ("missed_entities",),
    "false_alarms": ("false_entities",),
    "mistakes": ("missed_mentions", "mistaken_mentions", "mistaken_entities", "false_mentions"),
}


class Mention(NamedTuple):
    """A mention at a place."""

    place: int
    level: str = "NAM"
    role: str = ""
    metonymic: int = 0


class Entity(NamedTuple):
    """An entity with what APF says of it."""

    type: str
    subtype: str
    category: str
    mentions: tuple[Mention, ...]


def person(*mentions: Mention, type: str = "PER", subtype: str = "Individual", category: str = "SPC") -> Entity:  # noqa: A002
    """An entity, a specific individual unless told otherwise."""
    return Entity(type, subtype, category, mentions)


def apf(path: Path, documents: dict[str, Sequence[Entity]]) -> Path:
    """A directory of APF files."""
    path.mkdir()
    for name, entities in documents.items():
        (path / f"{name}.apf.xml").write_text(
            f'<source_file URI="{name}.sgm" SOURCE="newswire" TYPE="text"><document DOCID="{name}">'
            + "".join(_entity(f"{name}-{number}", entity) for number, entity in enumerate(entities))
            + "</document></source_file>\n",
            encoding="utf-8",
        )
    return path


def _entity(name: str, entity: Entity) -> str:
    mentions = "".join(_mention(f"{name}-{number}", mention) for number, mention in enumerate(entity.mentions))
    attributes = f'ID="{name}" TYPE="{entity.type}" SUBTYPE="{entity.subtype}" CLASS="{entity.category}"'
    return f"<entity {attributes}>{mentions}</entity>\n"


def _mention(name: str, mention: Mention) -> str:
    role = f' ROLE="{mention.role}"' if mention.role else ""
    style = ' METONYMY_MENTION="TRUE"' if mention.metonymic else ""
    start = 10 * mention.place
    words = f'<charseq START="{start}" END="{start + 4}">w{mention.place:04d}</charseq>'
    return (
        f'<entity_mention ID="{name}" TYPE="{mention.level}"{role}{style}>'
        f"<extent>{words}</extent><head>{words}</head></entity_mention>"
    )


def corpus(entities: Sequence[Entity]) -> Corpus:
    """The same without a file."""
    return Corpus.from_entities({"d": [[mention.place for mention in entity.mentions] for entity in entities]}).replace(
        entity_attributes={
            "type": [entity.type for entity in entities],
            "subtype": [entity.subtype for entity in entities],
            "class": [entity.category for entity in entities],
        },
        attributes={
            "level": [mention.level for entity in entities for mention in entity.mentions],
            "role": [mention.role for entity in entities for mention in entity.mentions],
            "metonymy": ["TRUE" if mention.metonymic else "" for entity in entities for mention in entity.mentions],
        },
        source="some.apf.xml",
    )


def value(key: Sequence[Entity], response: Sequence[Entity], weights: object = 2005) -> Score:
    """The score of two sides."""
    measure = AceValue(weights=weights)
    return corefeval.score(corpus(key), corpus(response), measures=measure)[measure]


def costs(score: Score) -> dict[str, float]:
    """The three kinds of costs, as values."""
    return {kind: sum(float(score.values[cost]) for cost in named) for kind, named in COSTS.items()}


def entities(listed: Iterable[Any]) -> list[Entity]:
    """Entities as the golden file has them."""
    return [Entity(type_, subtype, category, tuple(Mention(*m) for m in ms)) for type_, subtype, category, ms in listed]


CASES = golden("ace_value.json")["cases"]


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_values_and_costs_are_those_of_the_scorer_of_nist(case: dict[str, Any], tmp_path: Path) -> None:
    sides = [
        apf(tmp_path / side, {name: entities(listed) for name, listed in case[side].items()})
        for side in ("key", "response")
    ]
    measure = AceValue(weights=ACE_2005._replace(by=case["by"]))
    score = corefeval.score(*sides, measures=measure)[measure]
    # It adds 1e-8 here and there, to break ties.
    assert score.values["key_value"] == pytest.approx(case["value"], abs=1e-6)
    assert costs(score) == pytest.approx({kind: case[kind] for kind in COSTS}, abs=1e-6)
    if case["value"] < 1e-6:
        assert "score" in score.undefined
    else:
        assert score.score == pytest.approx(1 - sum(case[kind] for kind in COSTS) / case["value"], abs=1e-6)


def test_the_golden_cases_say_something() -> None:
    assert len(CASES) == 26
    assert all(any(case[kind] > 0.1 for case in CASES) for kind in COSTS)
    assert any(case["value"] < sum(case[kind] for kind in COSTS) for case in CASES)
    assert {case["by"] for case in CASES} == {"level", "mention"}


# By hand, with the weights of 2005: names 1, nominals 0.5, pronouns 0.1.

NAME, NOMINAL, PRONOUN = Mention(1, "NAM"), Mention(2, "NOM"), Mention(3, "PRO")
WHOLE = person(NAME, NOMINAL, PRONOUN)

BY_HAND: list[tuple[str, list[Entity], list[Entity], dict[str, float]]] = [
    ("nothing is lost", [WHOLE], [WHOLE], {}),
    ("a missed entity", [WHOLE, person(Mention(4, "NOM"))], [WHOLE], {"missed_entities": 0.5}),
    ("a missed mention is a share of the level", [WHOLE], [person(NAME, PRONOUN)], {"missed_mentions": 0.5 / 1.6}),
    # 0.75 for the mention, and 0.75 for the entity
    ("a false entity", [WHOLE], [WHOLE, person(Mention(9, "NOM"))], {"false_entities": 0.75 * 0.75 * 0.5}),
    ("a false mention", [WHOLE], [person(*WHOLE.mentions, Mention(9, "NOM"))], {"false_mentions": 0.75 * 0.5 / 1.6}),
    ("a mistaken subtype", [WHOLE], [person(*WHOLE.mentions, subtype="Group")], {"mistaken_entities": 0.1}),
    # Mentions have the role of their entity's type, so they are mistaken, too.
    (
        "a mistaken type",
        [WHOLE],
        [person(*WHOLE.mentions, type="ORG")],
        {"mistaken_mentions": 0.1, "mistaken_entities": 0.9 * 0.5},
    ),
    ("a generic entity is worth nothing", [WHOLE], [person(*WHOLE.mentions, category="GEN")], {"mistaken_entities": 1}),
    (
        "a mistaken level",
        [WHOLE],
        [person(NAME, Mention(2, "NAM"), PRONOUN)],
        {"mistaken_mentions": (0.5 - 0.9 * 0.5) / 1.6},
    ),
    (
        # The pronoun taken for a nominal is worth a pronoun, less for the mistake; the entity is that of a nominal.
        "an entity of a lower level",
        [person(NAME, Mention(3, "PRO"))],
        [person(Mention(3, "NOM"))],
        {
            "missed_mentions": 1 / 1.1,
            "mistaken_mentions": 0.01 / 1.1,
            "mistaken_entities": 0.5 * 0.09 / 1.1,
        },
    ),
    (
        "a metonymic mention in another role",
        [person(NAME)],
        [person(Mention(1, "NAM", "ORG", 1))],
        {"mistaken_mentions": 1 - 0.81},
    ),
    (
        # The smaller part of what was torn apart costs nothing beyond what is missed: the key has its mentions.
        "a torn entity",
        [WHOLE],
        [person(NAME), person(NOMINAL, PRONOUN)],
        {"missed_mentions": 0.6 / 1.6},
    ),
]


@pytest.mark.parametrize(("key", "response", "lost"), [case[1:] for case in BY_HAND], ids=[case[0] for case in BY_HAND])
def test_costs_by_hand(key: list[Entity], response: list[Entity], lost: dict[str, float]) -> None:
    score = value(key, response)
    found = {cost: float(score.values[cost]) for named in COSTS.values() for cost in named}
    assert found == pytest.approx({cost: lost.get(cost, 0) for cost in found}, abs=1e-12)
    whole = float(score.values["key_value"])
    assert score.score == pytest.approx(1 - sum(lost.values()) / whole)
    shares = {kind: sum(lost.get(cost, 0) for cost in named) / whole for kind, named in COSTS.items()}
    assert {kind: score.values[kind] for kind in COSTS} == pytest.approx(shares, abs=1e-12)


def test_weights_of_types_and_mentions_that_add_up_by_hand() -> None:
    """2004: an organisation of a name and a nominal is worth 0.5 (1 + 0.2), a place 0.1; the place is missed."""
    key = [person(NAME, NOMINAL, type="ORG"), person(Mention(7), type="LOC")]
    score = value(key, key[:1], 2004)
    assert score.values["key_value"] == pytest.approx(0.7)
    assert score.score == pytest.approx(0.6 / 0.7)


def test_the_weights_of_2005_are_those_that_nist_published() -> None:
    """As in the listing that ace05-eval-v14.pl prints before its results."""
    assert ACE_2005.levels == {"NAM": 1.0, "NOM": 0.5, "PRO": 0.1}
    assert ACE_2005.types == dict.fromkeys(("FAC", "GPE", "LOC", "ORG", "PER", "VEH", "WEA"), 1.0)
    assert ACE_2005.classes == {"SPC": 1.0, "GEN": 0.0, "NEG": 0.0, "USP": 0.0}
    assert (ACE_2005.class_mistake, ACE_2005.subtype_mistake, ACE_2005.type_mistake) == (0.75, 0.9, 0.5)
    assert (ACE_2005.role_mistake, ACE_2005.style_mistake, ACE_2005.level_mistake) == (0.9, 0.9, 0.9)
    assert (ACE_2005.false_alarm, ACE_2005.false_mention, ACE_2005.elsewhere) == (0.75, 0.75, 0.0)
    assert not ACE_2005.unconfirmed


# Once more, slowly: dictionaries, fractions, and every mapping there is.


def exact(number: float) -> Fraction:
    return Fraction(str(number))


class Slow:
    """The value of a response, straight from the definition."""

    def __init__(self, key: Sequence[Entity], response: Sequence[Entity], weights: Weights) -> None:
        self.key, self.response, self.w = key, response, weights
        self.known = {mention.place for entity in key for mention in entity.mentions}

    def weight(self, mention: Mention) -> Fraction:
        return Fraction(1) if self.w.levels is None else exact(self.w.levels[mention.level])

    def kind(self, entity: Entity) -> Fraction:
        by_type = Fraction(1) if self.w.types is None else exact(self.w.types[entity.type])
        return by_type * (Fraction(1) if self.w.classes is None else exact(self.w.classes[entity.category]))

    def scale(self, entity: Entity, other: Entity) -> Fraction:
        """What a unit of mention weight is worth in `entity`, if it is taken for `other`."""
        if self.w.by == "mention":
            return Fraction(1)
        best = min(max(self.weight(mention) for mention in each.mentions) for each in (entity, other))
        total = sum(self.weight(mention) for mention in entity.mentions)
        return best / total if total else Fraction(0)

    def worth(self, entity: Entity) -> Fraction:
        mentions = sum(self.weight(mention) for mention in entity.mentions)
        return self.kind(entity) * self.scale(entity, entity) * mentions

    def cost(self, mention: Mention) -> Fraction:
        elsewhere = exact(self.w.elsewhere) if mention.place in self.known else Fraction(1)
        return self.weight(mention) * exact(self.w.false_mention) * elsewhere

    def false_alarm(self, entity: Entity) -> Fraction:
        mentions = sum(self.cost(mention) for mention in entity.mentions)
        return -exact(self.w.false_alarm) * self.kind(entity) * self.scale(entity, entity) * mentions

    def twins(self, one: Mention, other: Mention, role: str, other_role: str) -> Fraction:
        worth = min(self.weight(one), self.weight(other))
        if self.w.levels is not None and one.level != other.level:
            worth *= exact(self.w.level_mistake)
        if self.w.types is not None and (one.role or role) != (other.role or other_role):
            worth *= exact(self.w.role_mistake)
        return worth * (exact(self.w.style_mistake) if one.metonymic != other.metonymic else 1)

    def mapped(self, one: Entity, other: Entity) -> Fraction:
        here = {mention.place: mention for mention in one.mentions}
        total = Fraction(0)
        for mention in other.mentions:
            if mention.place in here:
                total += self.twins(here[mention.place], mention, one.type, other.type)
            else:
                total -= self.cost(mention)
        worth = min(self.kind(one), self.kind(other))
        if self.w.types is not None and one.type != other.type:
            worth *= exact(self.w.type_mistake)
        worth *= exact(self.w.subtype_mistake) if one.subtype != other.subtype else 1
        worth *= exact(self.w.class_mistake) if one.category != other.category else 1
        return worth * self.scale(one, other) * total

    def share(self, one: Entity, other: Entity) -> bool:
        return not {m.place for m in one.mentions}.isdisjoint(m.place for m in other.mentions)

    def best(self) -> Fraction:
        """The best of all mappings of key entities to different response entities, or to nothing."""
        choices = [*range(len(self.response)), *([None] * len(self.key))]
        found = [self.of(mapping) for mapping in set(itertools.permutations(choices, len(self.key)))]
        return max(worth for worth in found if worth is not None)

    def of(self, mapping: Sequence[int | None]) -> Fraction | None:
        total = Fraction(0)
        for entity, chosen in zip(self.key, mapping, strict=True):
            if chosen is not None:
                if not self.share(entity, self.response[chosen]):
                    return None
                total += self.mapped(entity, self.response[chosen])
        left = (entity for place, entity in enumerate(self.response) if place not in mapping)
        return total + sum(self.false_alarm(entity) for entity in left)

    def value(self) -> Fraction | None:
        whole = sum(self.worth(entity) for entity in self.key)
        return self.best() / whole if whole else None


TYPES = {"PER": ("Individual", "Group"), "ORG": ("Media",), "GPE": ("Nation",), "LOC": ("Address",), "FAC": ("Path",)}
OWN = Weights(
    types={"PER": 2.0, "ORG": 0.5, "GPE": 1.0, "LOC": 0.0, "FAC": 0.25},
    levels={"NAM": 0.5, "NOM": 0.25, "PRO": 1.0},
    type_mistake=0.25,
    false_alarm=0.5,
    elsewhere=0.5,
    by="level",
)


def random_side(rng: random.Random, places: list[int], most: int) -> list[Entity]:
    groups: dict[int, list[Mention]] = {}
    for place in places:
        role, metonymic = rng.choice(("", "", "PER", "ORG")), int(rng.random() < 0.2)
        level = rng.choice(("NAM", "NOM", "PRO"))
        groups.setdefault(rng.randrange(most), []).append(Mention(place, level, role, metonymic))
    made = []
    for mentions in groups.values():
        type_ = rng.choice(list(TYPES))
        category = rng.choice(("SPC", "SPC", "SPC", "GEN", "USP"))
        made.append(Entity(type_, rng.choice(TYPES[type_]), category, tuple(mentions)))
    return made


def random_pairs(seed: int, count: int) -> Iterator[tuple[list[Entity], list[Entity]]]:
    rng = random.Random(seed)
    for _ in range(count):
        places = list(range(rng.randint(1, 8)))
        sides = [[place for place in places if rng.random() < 0.8] or places[:1] for _ in range(2)]
        key, response = (random_side(rng, side, 4) for side in sides)
        yield key, response


@pytest.mark.parametrize("weights", [*SETS.values(), OWN], ids=[*map(str, SETS), "own"])
def test_no_mapping_of_all_is_worth_more_and_the_value_is_that_of_the_definition(weights: Weights) -> None:
    for key, response in random_pairs(7, 60):
        expected = Slow(key, response, weights).value()
        score = value(key, response, weights)
        if expected is None:
            assert score.undefined == ("score", "misses", "false_alarms", "mistakes")
        else:
            assert score.score == pytest.approx(float(expected), abs=1e-7), (key, response)


@pytest.mark.parametrize("weights", list(SETS))
def test_a_perfect_response_is_worth_1_and_an_empty_one_0(weights: object) -> None:
    for key, _ in random_pairs(11, 30):
        if any(entity.category == "SPC" for entity in key):
            assert value(key, key, weights).score == 1
            empty = value(key, [], weights)
            assert (empty.score, empty.values["misses"]) == (0, 1)


def test_costs_and_score_make_the_key_whole() -> None:
    for key, response in random_pairs(13, 60):
        score = value(key, response)
        if not score.undefined:
            assert score.score + sum(float(score.values[kind]) for kind in COSTS) == pytest.approx(1)


def test_false_alarms_can_cost_more_than_there_is() -> None:
    spurious = [person(Mention(place)) for place in range(10, 20)]
    assert value([WHOLE], [WHOLE, *spurious]).score == pytest.approx(1 - 10 * 0.5625)


def test_uniform_weights_are_a_matter_of_ceaf() -> None:
    """Every mention is worth 1 and every false one costs 1: (2 Σ n - R) / K, which is recall (2 - 1 / precision)."""
    rng = random.Random(5)
    for _ in range(50):
        sides = []
        for _ in range(2):
            groups: dict[int, list[int]] = {}
            for place in rng.sample(range(12), rng.randint(1, 12)):
                groups.setdefault(rng.randrange(5), []).append(place)
            sides.append(list(groups.values()))
        scores = corefeval.score(*sides, measures=["ace_value:weights=uniform", "ceafm"])
        recall, precision = scores["ceafm"].recall, scores["ceafm"].precision
        expected = recall * (2 - 1 / precision) if precision else -sum(map(len, sides[1])) / sum(map(len, sides[0]))
        assert scores["ace_value:weights=uniform"].score == pytest.approx(expected)


def test_the_order_of_mentions_and_entities_does_not_matter_to_the_last_bit() -> None:
    rng = random.Random(3)
    for key, response in random_pairs(17, 20):
        shuffled = [
            [entity._replace(mentions=tuple(rng.sample(entity.mentions, len(entity.mentions)))) for entity in side]
            for side in (key[::-1], response[::-1])
        ]
        assert value(key, response).values["key_value"] == value(*shuffled).values["key_value"]
        assert value(key, response).score == pytest.approx(value(*shuffled).score, abs=1e-12)


def test_documents_add_up(tmp_path: Path) -> None:
    pairs = list(random_pairs(19, 5))
    sides = [
        apf(tmp_path / name, {f"d{n}": pair[side] for n, pair in enumerate(pairs)}) for side, name in enumerate("kr")
    ]
    together = corefeval.score(*sides, measures="ace_value")
    counts = ("key_value", *itertools.chain.from_iterable(COSTS.values()))
    alone = [value(*pair).values for pair in pairs]
    for count in counts:
        assert together["ace_value"].values[count] == pytest.approx(sum(float(each[count]) for each in alone))
    for n, each in enumerate(alone):
        assert together.documents[f"d{n}"]["ace_value"].values["score"] == pytest.approx(each["score"])
    mean = corefeval.score(*sides, measures="ace_value:undefined=1", macro=True)["ace_value:undefined=1"].values
    if not any(each["key_value"] == 0 for each in alone):
        assert mean["misses"] == pytest.approx(np.mean([float(each["misses"]) for each in alone]))
        assert mean["score"] == pytest.approx(1 - sum(float(mean[kind]) for kind in COSTS))


def test_a_scorer_gives_the_same() -> None:
    scorer = corefeval.Scorer(measures="ace_value")
    for n, (key, response) in enumerate(random_pairs(23, 4)):
        scorer.update(corpus(key), corpus(response), document=str(n))
    pairs = list(random_pairs(23, 4))
    lost = [sum(costs(value(*pair)).values()) for pair in pairs]
    whole = [float(value(*pair).values["key_value"]) for pair in pairs]
    found = pickle.loads(pickle.dumps(scorer)).compute()["ace_value"]
    assert found.score == pytest.approx(1 - sum(lost) / sum(whole))


# What data and users may lack.


def test_data_without_types_is_refused_unless_the_weights_need_none() -> None:
    with pytest.raises(OptionError, match=r"entity 0 of the input has no type; .*weights=uniform"):
        corefeval.score([["a", "b"]], [["a", "b"]], measures="ace_value")
    assert corefeval.score([["a", "b"]], [["a", "b"]], measures="ace_value:weights=uniform").to_dict()


def test_data_without_levels_is_refused_with_its_name() -> None:
    typed = corpus([WHOLE]).replace(attributes={})
    with pytest.raises(
        OptionError, match=r"mention 1 of some.apf.xml has no level; weights there are for NAM, NOM, PRO"
    ):
        corefeval.score(typed, typed, measures="ace_value")
    by_type = ACE_2005._replace(levels=None)
    assert corefeval.score(typed, typed, measures=AceValue(weights=by_type))[AceValue(weights=by_type)].score == 1


def test_a_type_without_a_weight_is_named() -> None:
    with pytest.raises(OptionError, match="has the type 'VEH', which the weights lack; weights there are for PER, ORG"):
        value([person(NAME, type="VEH")], [], 2004)


def test_words_of_other_formats_mean_the_same() -> None:
    """The files of 2002 and 2003 write PERSON and NAME, LitBank writes PROP and PRON, and types are its mentions'."""
    key = corpus([WHOLE])
    words = {"NAM": "NAME", "NOM": "nominal", "PRO": "PRON"}
    levels = [words[level] for level in key.attributes["level"]]
    other = key.replace(
        entity_attributes={name: value for name, value in key.entity_attributes.items() if name != "type"},
        attributes={"level": levels, "type": ["person", "", "PER"]},
    )
    measure = "ace_value"
    with_majority = other.replace(attributes={"level": levels, "type": ["person", "person", "ORG"]})
    for response in (other, with_majority):
        assert corefeval.score(key, response, measures=measure)[measure].score == 1


def test_entities_without_a_class_count_fully() -> None:
    key = corpus([WHOLE])
    bare = key.replace(entity_attributes={"type": ["PER"]})
    assert corefeval.score(bare, bare, measures="ace_value")["ace_value"].values["key_value"] == 1


@pytest.mark.parametrize("weights", [2003, 2004])
def test_weights_that_could_not_be_checked_are_never_silent(weights: int) -> None:
    found = corefeval.score(corpus([WHOLE]), corpus([WHOLE]), measures=f"ace_value:weights={weights}")
    assert [notice.kind for notice in found.notices] == ["caveat"]
    assert "be checked against NIST's plan or scorer" in str(found.notices[0])
    assert ACE_2003.unconfirmed != ACE_2004.unconfirmed != ""


def test_checked_weights_give_no_warning() -> None:
    assert not corefeval.score(corpus([WHOLE]), corpus([WHOLE]), measures="ace_value").notices


def test_own_weights_are_values() -> None:
    one, same = (AceValue(weights=ACE_2005._replace(false_alarm=1.0)) for _ in range(2))
    assert one == same
    assert hash(one) == hash(same)
    assert pickle.loads(pickle.dumps(one)) == one
    assert one != AceValue()
    assert str(one) == "ace_value:weights=custom"


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        (UNIFORM._replace(false_alarm=-1.0), "false_alarm is -1.0"),
        (UNIFORM._replace(levels={"NAM": float("nan")}), r"levels\['NAM'\] is nan"),
        (UNIFORM._replace(by="entity"), "by='entity' is not possible; it takes level or mention"),
    ],
)
def test_impossible_weights_are_refused(weights: Weights, said: str) -> None:
    with pytest.raises(OptionError, match=said):
        value([WHOLE], [WHOLE], weights)


@pytest.mark.parametrize("weights", [1999, "2005", {"PER": 1}])
def test_unknown_sets_are_refused(weights: object) -> None:
    with pytest.raises(OptionError, match="it takes 2003 or 2004 or 2005 or uniform"):
        AceValue(weights=weights)


def test_reports_show_the_three_kinds_apart(tmp_path: Path) -> None:
    key = apf(tmp_path / "key", {"d": [WHOLE, person(Mention(7, "NOM"))]})
    response = apf(tmp_path / "response", {"d": [person(NAME, NOMINAL), person(Mention(9, "NOM"))]})
    found = corefeval.score(key, response, measures=["ace_value", "muc"])
    assert "misses  false_alarms  mistakes" in str(found)
    row = next(line for line in str(found).splitlines() if line.startswith("ace_value"))
    # 1.5 is the value of the key: a nominal missed, a false one, and of the name's entity a pronoun of 0.1 / 1.6.
    assert row.split()[1:] == [f"{100 * (1.5 - 0.5 - 0.28125 - 0.0625) / 1.5:.2f}", "33.33", "18.75", "4.17"]
    assert "| misses | false_alarms | mistakes |" in found.to_markdown()
    said = json.loads(found.to_json())["evaluations"][0]["measures"]["ace_value"]
    assert said["missed_entities"] == 0.5
    assert said["missed_mentions"] == pytest.approx(0.0625)
    head, first, second = found.to_csv().splitlines()[:3]
    assert head.endswith("misses,false_alarms,mistakes")
    assert "ace_value" in first
    assert second.endswith(",,,")
    assert "FA" in found.to_latex()
    assert "misses" not in corefeval.score(key, response).to_csv()


def test_the_best_response_has_the_smallest_costs_marked(tmp_path: Path) -> None:
    key = apf(tmp_path / "key", {"d": [WHOLE, person(Mention(7, "NOM"))]})
    better = apf(tmp_path / "better", {"d": [WHOLE]})
    worse = apf(tmp_path / "worse", {"d": [person(NAME)]})
    shown = run("score", key, better, worse, "-m", "ace_value").stdout
    line = next(line for line in shown.splitlines() if line.startswith("ace_value"))
    assert line.split()[2:] == ["66.67*", "33.33", "0.00", "0.00*"]


@pytest.mark.parametrize("average", ["macro", "scorch"])
def test_what_ace_value_lost_can_be_averaged_in_every_way(average: str) -> None:
    key = draft_corpus({"d1": [("A", (0, 0))], "d2": [("A", (0, 0)), ("A", (1, 1)), ("A", (2, 2))]})
    response = draft_corpus({"d1": [("A", (0, 0))], "d2": []})
    found = corefeval.score(key, response, measures="ace_value", average=average)["ace_value"]
    # One of two documents is missed; by mentions it is 3 of 4 in the key, 0 of 1 in the response: 3 of 5.
    assert found.values["misses"] == pytest.approx({"macro": 1 / 2, "scorch": 3 / 5}[average])
