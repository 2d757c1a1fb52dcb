"""Kummerfeld & Klein's error types: counted as by their analyser, and corrected until the response is the key."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest

import corefeval
from corefeval.analysis.errors import types
from corefeval.analysis.errors.types import TYPES
from corefeval.corpus.corpus import Corpus
from tests.analysis.decisions import MEASURES, evaluate_random, under_every_decision
from tests.analysis.test_align import SHARING
from tests.data import golden, public_data
from tests.rounds import few_or_many

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

Numbers = list[list[int]]
BERKELEY = golden("berkeley.json")["cases"]


def corpus(entities: Numbers, pronouns: set[int]) -> Corpus:
    """Mentions numbered in the order of the text, of which some are pronouns."""
    made = Corpus.from_entities({"": [[(number, number) for number in entity] for entity in entities]})
    level = ["PRO" if number in pronouns else "NOM" for entity in entities for number in entity]
    return made.replace(attributes={"level": level})


def analysed(key: Numbers, response: Numbers, pronouns: Iterable[int] = ()) -> corefeval.Analysis:
    return corefeval.analyse(corpus(key, set(pronouns)), corpus(response, set(pronouns)))


def some(counts: dict[str, int]) -> dict[str, int]:
    return {kind: count for kind, count in counts.items() if count}


def test_counts_are_those_of_the_authors_analyser() -> None:
    assert len(BERKELEY) >= 100
    for case in BERKELEY:
        found = analysed(case["key"], case["response"], set(case["pronouns"])).counts
        assert found == {"span error": 0} | case["errors"], case


def write_trees(path: Path, sentences: list[str], entities: list[list[tuple[int, int]]]) -> Path:
    """Write words with parts of speech and bits of parse, and entities of spans that count through the document."""
    lines, place = ["#begin document (d); part 000"], 0
    for sentence in sentences:
        for number, cell in enumerate(sentence.split(" ")):
            word, pos, bit = cell.split("|")
            marks = []
            for entity, spans in enumerate(entities):
                for first, last in spans:
                    begins, ends = "(" * (first == place), ")" * (last == place)
                    marks += [f"{begins}{entity}{ends}"] if begins or ends else []
            lines.append(f"d 0 {number} {word} {pos} {bit} - - - - * {'|'.join(marks) or '-'}")
            place += 1
        lines.append("")
    path.write_text("\n".join([*lines, "#end document", ""]))
    return path


def test_span_errors_and_pronouns_are_those_of_the_authors_analyser(tmp_path: Path) -> None:
    cases = golden("berkeley_trees.json")["cases"]
    assert sum(case["errors"]["span error"] for case in cases) >= 50
    for case in cases:
        key, response = (
            write_trees(tmp_path / f"{side}.conll", case["sentences"], case[side]) for side in ("key", "response")
        )
        assert corefeval.analyse(key, response, measures=["muc"]).counts == case["errors"], case


def test_the_analyser_s_own_example(tmp_path: Path) -> None:
    data = public_data("berkeley-coreference-analyser") / "data"
    key = tmp_path / "key.conll"
    key.write_text("".join(path.read_text() for path in sorted(data.rglob("*.v2_gold_conll"))))
    response = data / "homogenised" / "stanford.homogenised.out"
    found = corefeval.analyse(key, response, singletons="drop", measures=["muc"])
    assert list(found.counts.values()) == [16, 101, 94, 93, 90, 35, 34]  # data/classified/stanford.summary


def drawn(rng: random.Random, mentions: int) -> Numbers:
    entities: dict[int, list[int]] = {}
    for number in range(mentions):
        if rng.random() < 0.8:
            entities.setdefault(rng.randrange(1 + mentions // 3), []).append(number)
    return list(entities.values())


@few_or_many(400, 3000)
def test_corrections_turn_any_response_into_the_key(rounds: int) -> None:
    rng = random.Random(1)
    for _ in range(rounds):
        mentions = rng.randint(1, 12)
        pronouns = {number for number in range(mentions) if rng.random() < 0.4}
        found = analysed(drawn(rng, mentions), drawn(rng, mentions), pronouns)
        rows = found.stages[-1].evaluation.mentions
        assert rows is not None
        assert partition(rows.response) == partition(rows.key)
        assert len(found.errors) == sum(found.counts.values())
        assert bool(found.errors) == (partition(found.rows.response) != partition(found.rows.key))


def partition(side: Corpus) -> set[frozenset[object]]:
    return {frozenset(entity) for entity in side.entities()[""]}


@few_or_many(60, 300)
def test_each_type_is_corrected_in_its_turn(rounds: int) -> None:
    """Of the stages' responses, each has only errors of the types that are still to come, and as many of them."""
    rng = random.Random(2)
    for _ in range(rounds):
        pronouns = {number for number in range(9) if rng.random() < 0.3}
        found = analysed(drawn(rng, 9), drawn(rng, 9), pronouns)
        for place, stage in enumerate(found.stages[1:], 1):
            rows = stage.evaluation.mentions
            assert rows is not None
            left = types.find_errors(rows).counts
            assert [left[kind] for kind in TYPES[:1]] == [0]
            if place >= TYPES.index("extra entity") + 1:
                assert some(left).keys() <= set(TYPES[4:])


@pytest.mark.parametrize(
    ("key", "response", "pronouns", "expected"),
    [
        ([[0, 1]], [[0, 1]], (), {}),
        ([[0, 1, 2]], [[0, 1]], (), {"missing mention": 1}),
        ([[0, 1]], [[0, 1, 2]], (), {"extra mention": 1}),
        ([[0, 1]], [], (), {"missing entity": 1}),
        ([], [[0, 1]], (), {"extra entity": 1}),
        ([[0, 1, 2, 3]], [[0, 1], [2, 3]], (), {"divided entity": 1}),
        ([[0, 1], [2, 3]], [[0, 1, 2, 3]], (), {"conflated entities": 1}),
        # only a pronoun of the entity is there: it is missing all the same, and the pronoun is apart from it
        ([[0, 1, 2]], [[2, 3]], (2,), {"missing entity": 1, "divided entity": 1, "conflated entities": 1}),
        # an entity of one mention that the other side has not
        ([[0], [1, 2]], [[1, 2]], (), {"missing entity": 1}),
        ([[1, 2]], [[0], [1, 2]], (), {"extra entity": 1}),
        # the earliest mention is extra: the others are conflated with it
        ([[1, 2]], [[0, 1, 2]], (), {"conflated entities": 1}),
        # the earliest mention is missing: the others are divided from it
        ([[0, 1, 2]], [[1, 2]], (), {"divided entity": 1}),
        # a pronoun is never what the others are judged by while there is a noun
        ([[0, 1, 2]], [[0], [1, 2]], (0,), {"divided entity": 1}),
    ],
)
def test_hand_made_cases(key: Numbers, response: Numbers, pronouns: tuple[int, ...], expected: dict[str, int]) -> None:
    assert some(analysed(key, response, set(pronouns)).counts) == expected


KEY = """#begin document (d);
d 0 0 The DT (0
d 0 1 old JJ -
d 0 2 man NN 0)
d 0 3 saw VBD -
d 0 4 the DT (1
d 0 5 house NN 1)
d 0 6 of IN -
d 0 7 Mary NNP (2)
d 0 8 . . -

d 0 0 He PRP (0)
d 0 1 liked VBD -
d 0 2 it PRP (1)
d 0 3 and CC -
d 0 4 her PRP (2)
d 0 5 . . -

#end document
"""


def written(folder: Path, name: str, marks: dict[int, str]) -> str:
    """The text above with other marks, by line."""
    lines = KEY.splitlines()
    for number, line in enumerate(lines, 1):
        cells = line.split(" ")
        if len(cells) == 6:
            lines[number - 1] = "\t".join([cells[0], cells[1], cells[2], cells[3], marks.get(number, "-")])
    path = folder / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


@pytest.fixture
def key(tmp_path: Path) -> str:
    return written(
        tmp_path,
        "key",
        {2: "(0", 4: "0)", 6: "(1", 7: "1)", 9: "(2)", 12: "(0)", 14: "(1)", 16: "(2)"},
    )


def test_an_error_has_a_place_and_words(tmp_path: Path, key: str) -> None:
    response = written(tmp_path, "response", {3: "(0", 4: "0)", 7: "(1)", 12: "(0)", 14: "(1)", 16: "(1)"})
    found = corefeval.analyse(key, response)
    shown = [(error.type, error.document, error.line, error.words, error.beside) for error in found.errors]
    # "old man" ends in the same word as "The old man"; "house" is "the house" without its article
    assert shown == [
        ("span error", "(d);", 3, ('"old man"',), '"The old man"'),
        ("span error", "(d);", 7, ('"house"',), '"the house"'),
        ("conflated entities", "(d);", 16, ('"her"',), '"the house"'),
        ("divided entity", "(d);", 16, ('"her"',), '"Mary"'),
    ]
    for error in found.errors:
        assert [found.rows.response.describe(row) for row in error.response_rows] == list(error.words)


def test_two_mentions_of_one_head_are_no_span_error(tmp_path: Path, key: str) -> None:
    response = written(tmp_path, "response", {4: "(0)", 12: "(0)"})
    assert corefeval.analyse(key, response).counts["span error"] == 1
    two = written(tmp_path, "two", {2: "(0", 3: "(3", 4: "0)|3)", 12: "(0)", 14: "(3)"})
    assert corefeval.analyse(two, response).counts["span error"] == 0


def test_without_parts_of_speech_a_head_ends_before_a_preposition(tmp_path: Path) -> None:
    """ "the house" is "the house of Mary", as the head is the house."""
    longer = written(tmp_path, "longer", {6: "(1", 9: "1)", 14: "(1)"})
    response = written(tmp_path, "response", {6: "(1", 7: "1)", 14: "(1)"})
    found = corefeval.analyse(longer, response)
    assert [(error.type, error.words, error.beside) for error in found.errors] == [
        ("span error", ('"the house"',), '"the house of Mary"')
    ]


def test_the_first_stage_is_the_evaluation_and_the_last_is_perfect(tmp_path: Path, key: str) -> None:
    response = written(tmp_path, "response", {3: "(0", 4: "0)", 7: "(1)", 12: "(0)", 14: "(1)", 16: "(1)"})
    evaluation = corefeval.score(key, response)
    stages = corefeval.analyse(key, response).stages
    assert [stage.type for stage in stages] == ["", *TYPES]
    assert all(stages[0].evaluation[name].main == evaluation[name].main for name in evaluation)
    assert all(stages[-1].evaluation[name].main == 1 for name in evaluation)


def test_measures_that_look_at_mentions_are_scored_on_the_way(tmp_path: Path, key: str) -> None:
    response = written(tmp_path, "response", {3: "(0", 4: "0)", 7: "(1)", 12: "(0)", 14: "(1)", 16: "(1)"})
    stages = corefeval.analyse(key, response, measures=["mor", "anaphor", "success_rate", "pronoun_resolution"]).stages
    assert all(
        stages[-1].evaluation[name].main == 1 for name in ("mor", "anaphor", "success_rate", "pronoun_resolution")
    )


def test_every_file_of_the_reference_scorer_is_corrected_to_its_key() -> None:
    folder = public_data("conll-scorer")
    for response in sorted(folder.glob("*.response")):
        name = response.name.rsplit("-", 1)[0]
        found = corefeval.analyse(folder / f"{name}.key", response, measures=["muc", "bcub", "ceafe", "lea"])
        last = found.stages[-1].evaluation
        assert all(last[measure].main in (0, 1) for measure in last), response
        assert last["bcub"].main == 1 or not len(found.rows.key)


def test_json_has_every_error_and_is_read_back(tmp_path: Path, key: str) -> None:
    response = written(tmp_path, "response", {3: "(0", 4: "0)", 7: "(1)"})
    found = corefeval.analyse(key, response)
    read = json.loads(found.to_json())
    assert len(read["errors"]) == len(found.errors)
    assert {each["type"]: each["count"] for each in read["types"]} == found.counts
    assert len(found.to_csv().splitlines()) == 1 + len(found.errors)


@pytest.mark.parametrize(("key", "response"), [([], []), ([], [["a"]]), ([["a", "b"]], []), ({}, {}), ({"d": []}, {})])
def test_nothing_to_analyse_is_no_error(key: Any, response: Any) -> None:
    found = corefeval.analyse(key, response)
    assert str(found)
    assert json.loads(found.to_json())
    assert len(found.errors) == len(key or response) - (key == {"d": []})
    for measure in ("muc", "bcub", "ceafe", "blanc", "lea", "conll", "entropy"):
        assert corefeval.explain(measure, key, response).text
        assert found.costs(measure).key_mentions.sum() <= 1 or not found.costs(measure).exact
    assert not any(change.fixed for change in corefeval.diff(key, response, response).changes)


def test_mentions_in_several_entities_are_said_to_be_counted_once_on_the_way() -> None:
    found = corefeval.analyse([["a", "b"], ["b", "c"]], [["a", "b", "c"]])
    assert "counted-once" in [notice.kind for notice in found.notices]
    assert found.stages[0].evaluation is found.evaluation
    assert "counted-once" not in [notice.kind for notice in corefeval.analyse([["a", "b"]], [["a"]]).notices]


@under_every_decision
def test_corrections_end_at_the_key(options: dict[str, Any]) -> None:
    """The last stage is the key against itself, and its mentions are the key's, entity by entity."""
    for seed in range(6):
        analysis = corefeval.Analysis(evaluate_random(seed, options))
        rows = analysis.stages[-1].evaluation.mentions
        assert rows is not None
        own, last = (sorted(sorted(map(str, e)) for d in side.entities().values() for e in d) for side in rows[:2])
        assert own == last
        itself = corefeval.score(rows.key, rows.key, measures=MEASURES, **options)
        for measure in MEASURES:
            assert analysis.stages[-1].evaluation[measure].main == pytest.approx(itself[measure].main)


@pytest.mark.slow
def test_zeros_of_two_files_are_zeros_on_the_way_to_the_key() -> None:
    """Places of zeros are no places of words: kinds of mentions must be told before words are lost."""
    folder = public_data("corefud-scorer") / "zeros"
    for response in sorted(folder.glob("TC-Z*.response")):
        key = folder / f"{response.name.rsplit('-', 1)[0]}.key"
        for name in ("success_rate", "pronoun_resolution", "anaphor", "mor", "nec"):
            found = corefeval.analyse(key, response, measures=[name], zeros="order")
            last = found.stages[-1].evaluation[name]
            assert last.main == 1 or last.undefined


TREES = (
    "#begin document (d); part 000\n"
    "d 0 0 the DT (TOP(S(NP(NP* - - - - * {0}\nd 0 1 man NN *) - - - - * {1}\nd 0 2 who WP (SBAR(WHNP*) - - - - * -\n"
    "d 0 3 left VBD (S(VP*)))) - - - - * {2}\nd 0 4 saw VBD (VP* - - - - * -\nd 0 5 him PRP (NP*))) - - - - * {3}\n\n"
    "#end document\n"
)


def test_minimum_spans_of_parse_trees_are_twins_in_an_analysis(tmp_path: Path) -> None:
    """ "the man" is "the man who left" by its minimum span: no span error then, and one by exact match."""
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_text(TREES.format("(0", "-", "0)", "(0)"), encoding="utf-8")
    response.write_text(TREES.format("(0", "0)", "-", "(0)"), encoding="utf-8")
    by_trees = corefeval.analyse(key, response, match="minspan")
    assert not by_trees.errors
    assert all(by_trees.costs(measure).loss == 0 for measure in ("muc", "lea", "conll"))
    exact = corefeval.analyse(key, response)
    assert exact.counts["span error"] == 1
    assert exact.stages[1].evaluation["conll"].f1 == 1


def test_the_costliest_errors_are_shown_first() -> None:
    """By B³ recall is 1/2, precision 1: a mention that lacks half of its entity costs 2/3 · 1/2 / 8."""
    key = {"a": [[1, 2]], "b": [[1, 2, 3, 4, 5, 6]]}
    analysis = corefeval.analyse(key, {"a": [[1], [2]], "b": [[1, 2, 3], [4, 5, 6]]}, measures="bcub")
    assert [error.document for error in analysis.errors] == ["a", "b"]  # in the order of the text
    assert [error.cost for error in analysis.errors] == pytest.approx([1 / 24, 3 / 24])
    shown = str(analysis)
    assert "the costliest first: how many points of bcub their mentions cost" in shown
    assert -1 < shown.index("b: 4, 5, 6 apart from 1 (12.50)") < shown.index("a: 2 apart from 1 (4.17)")
    body = [row for table in analysis.tables(examples=1) for row in table.rows if row[0] == "divided entity"]
    assert body[-1][1:4] == ["b", "", "12.50"]


def test_errors_stay_in_the_order_of_the_text_where_costs_are_not_known() -> None:
    key = {"a": [[1, 2]], "b": [[1, 2, 3]]}
    analysis = corefeval.analyse(key, {"a": [[1], [2]], "b": [[1], [2, 3]]}, measures="exclusive_core")
    assert {error.cost for error in analysis.errors} == {None}
    assert "in the order of the text" in str(analysis)


@under_every_decision
def test_points_add_up_where_mentions_are_in_several_entities(options: dict[str, Any]) -> None:
    """From the score as it is to that of all corrected; and a type without errors adds nothing."""
    for seed in range(6):
        analysis = corefeval.Analysis(evaluate_random(seed, options, again=0.3))
        table = next(iter(analysis.tables()))
        for column in range(2, len(table.head)):
            first, *gains, last = (float(str(row[column]).rstrip("*")) for row in table.rows)
            assert first + sum(gains) == pytest.approx(last, abs=0.05)
            assert all(float(str(row[column])) == 0 for row in table.rows[1:-1] if row[1] == "0")


def test_counting_repeated_mentions_once_is_a_stage_of_its_own() -> None:
    """B³ of sets is 6/7; with one twin each, a is right once: R 5/9, P 1/2 (as duplicates="keep" has it), F 10/19."""
    found = corefeval.analyse(*SHARING, measures="bcub", duplicates="sets")
    assert [stage.type for stage in found.stages][:3] == ["", "counted once", TYPES[0]]
    assert found.stages[0].evaluation["bcub"].f1 == pytest.approx(6 / 7)
    kept = corefeval.score(*SHARING, measures="bcub", duplicates="keep")
    assert found.stages[1].evaluation["bcub"].f1 == pytest.approx(kept["bcub"].f1)
    assert ["counted once", ""] in [list(row[:2]) for row in next(iter(found.tables())).rows]


def test_mentions_of_sets_have_right_links_with_any_entity_that_has_them() -> None:
    """c is with a in the second response entity, although a's twin is in the first."""
    assert len(corefeval.analyse(*SHARING, measures="lea", duplicates="sets").identification.key_rows) == 0
    found = corefeval.analyse([["a", "b"], ["b", "c"]], [["a", "c"]], measures="lea", duplicates="sets")
    assert len(found.identification.key_rows) == 2
