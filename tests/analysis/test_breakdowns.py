"""Breakdowns, in both ways of Popescu-Belis 1999 (4.4): against plain restriction, and the whole against the whole."""

from __future__ import annotations

import random
from statistics import fmean
from typing import TYPE_CHECKING, Any

import pytest

import corefeval
from corefeval import measures as known
from corefeval.analysis import breakdowns, subsets
from corefeval.analysis.breakdowns import FIELDS
from corefeval.analysis.subsets import select_documents
from tests.analysis.decisions import evaluate_random, under_every_decision
from tests.analysis.drawing import documents, entities, levelled
from tests.data import public_data
from tests.oracles import measures as slow

if TYPE_CHECKING:
    from pathlib import Path


LEVELS = {"PRO": "pronoun", "NAM": "name", "NOM": "nominal"}


def test_restricted_to_everything_is_the_whole() -> None:
    rng = random.Random(1)
    for _ in range(50):
        evaluation = corefeval.score(documents(rng), documents(rng), measures=["all"])
        rows = evaluation.mentions
        assert rows is not None
        whole = breakdowns.group_all(evaluation)
        for name in evaluation:
            assert whole.restricted[name].to_dict() == evaluation[name].to_dict()
        assert whole.average == pytest.approx(
            [evaluation["bcub"].recall, evaluation["bcub"].precision, evaluation["bcub"].f1]
        )


def test_one_document_is_scored_as_by_itself() -> None:
    rng = random.Random(2)
    for _ in range(30):
        key, response = documents(rng), documents(rng)
        evaluation = corefeval.score(key, response, measures=["muc", "bcub", "ceafe", "blanc", "lea"])
        for group in corefeval.Analysis(evaluation).breakdown("document").groups:
            alone = corefeval.score({group.label: key[group.label]}, {group.label: response[group.label]})
            for name in evaluation:
                assert group.restricted[name].main == pytest.approx(alone[name].main)


@pytest.mark.parametrize("measure", ["muc", "bcub", "ceafm", "ceafe", "lea", "blanc"])
def test_by_type_of_mention_against_plain_restriction(measure: str) -> None:
    rng = random.Random(3)
    for _ in range(60):
        levels = [rng.choice(list(LEVELS)) for _ in range(10)]
        key, response = entities(rng, 10), entities(rng, 10)
        analysis = corefeval.analyse(levelled(key, levels), levelled(response, levels), measures=[measure])
        for group in analysis.breakdown("mention-type").groups:
            kept = [
                [chosen for entity in side if (chosen := [m for m in entity if LEVELS[levels[m[0]]] == group.label])]  # type: ignore[index]
                for side in (key, response)
            ]
            expected = slow.score(measure, *kept)["f1"]
            assert group.restricted[measure].f1 == pytest.approx(float(expected))  # type: ignore[arg-type]
            assert group.average == pytest.approx(averaged(key, response, levels, group.label))


def averaged(key, response, levels, label) -> tuple[float, float, float]:  # type: ignore[no-untyped-def]
    """The mean of the mentions' own B³, by sets."""
    means = []
    for own, other in ((key, response), (response, key)):
        of = {m: set(entity) for entity in other for m in entity}
        rates = [
            len(set(entity) & of.get(m, set())) / len(entity)
            for entity in own
            for m in entity
            if LEVELS[levels[m[0]]] == label
        ]
        means.append(fmean(rates) if rates else 0.0)
    recall, precision = means
    return recall, precision, 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def test_twins_have_the_keys_label_and_groups_hold_every_mention_once() -> None:
    folder = public_data("litbank")
    analysis = corefeval.analyse(folder / "key.conllu.gz", folder / "response-20.conllu.gz", measures=["muc"])
    for field in (*FIELDS, "type"):
        groups = analysis.breakdown(field).groups
        assert sum(group.key_mentions for group in groups) == len(analysis.rows.key), field
        assert sum(group.response_mentions for group in groups) == len(analysis.rows.response), field
        if field != "document":  # whose scores are those of the whole evaluation's documents
            twins = [len(subsets.get_rows(group.restricted).twin_key) for group in groups]  # type: ignore[arg-type]
            assert sum(twins) == len(analysis.rows.twin_key), field


def test_sizes_distances_and_nesting_by_hand(tmp_path: Path) -> None:
    """Sentences of two words; entity 0 has mentions in sentences 0, 0 and 2; entity 1 one that lies within another."""
    marks = ["(0)", "(0)", "(2", "(1)|2)", "(0)", "-"]
    lines = ["#begin document (d);"]
    for number, mark in enumerate(marks):
        lines.append(f"d\t0\t{number % 2}\tw{number}\t{mark}")
        lines += [""] if number % 2 else []
    path = tmp_path / "key.conll"
    path.write_text("\n".join([*lines, "#end document"]) + "\n", encoding="utf-8")
    analysis = corefeval.analyse(path, path, measures=["muc"])
    found = {
        field: {g.label: g.key_mentions for g in analysis.breakdown(field).groups}
        for field in FIELDS
        if field != "entity-type"
    }
    assert found["size"] == {"1": 2, "3-5": 3}
    assert found["distance"] == {"first mention": 3, "same sentence": 1, "2 sentences": 1}
    assert found["nesting"] == {"not nested": 4, "in 1 other": 1}


def test_without_words_distance_counts_mentions() -> None:
    key = [[(0, 0), (1, 1), (5, 5)], [(3, 3)]]
    groups = corefeval.analyse(key, key).breakdown("distance").groups
    assert {g.label: g.key_mentions for g in groups} == {"first mention": 2, "next mention": 1, "2 mentions": 1}


def test_genres_are_what_names_begin_with() -> None:
    key = {"nw/wsj/1": [["a", "b"]], "nw/wsj/2": [["a", "b"]], "bc/cnn/1": [["a", "b"]]}
    response = {name: [["a", "b"]] if name.startswith("nw") else [["a"], ["b"]] for name in key}
    groups = corefeval.analyse(key, response, measures=["bcub"]).breakdown("genre").groups
    assert [(group.label, group.restricted["bcub"].recall) for group in groups] == [("nw", 1), ("bc", 0.5)]


def test_a_name_without_a_genre_is_its_own_without_brackets_and_part() -> None:
    key = {"(bookshop); part 000": [["a", "b"]], "(nw/wsj/1); part 001": [["a", "b"]]}
    groups = corefeval.analyse(key, key, measures=["bcub"]).breakdown("genre").groups
    assert [group.label for group in groups] == ["bookshop", "nw"]


@pytest.mark.parametrize("average", ["macro", "scorch"])
def test_averages_are_over_documents_that_have_mentions_of_the_group(average: str) -> None:
    """A document without pronouns has no score of pronouns, not a score of 0."""
    key = {"one": [[(0, 0), (1, 1)]], "two": [[(0, 0), (1, 1), (2, 2)]]}
    groups = corefeval.analyse(key, key, measures=["bcub"], average=average).breakdown("size").groups
    assert {group.label: group.restricted["bcub"].f1 for group in groups} == {"2": 1, "3-5": 1}


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("colour", "no field 'colour'.*known: document, genre, size.*no attributes"),
        ("entity-type", "has no types of entities"),
        ("distance", "do not say where they stand"),
        ("nesting", "do not say where they stand"),
    ],
)
def test_what_the_data_cannot_serve_is_said(field: str, message: str) -> None:
    with pytest.raises(corefeval.OptionError, match=message):
        corefeval.analyse([["a", "b"]], [["a", "b"]]).breakdown(field)


def test_every_measure_can_be_broken_down() -> None:
    levels = ["NAM", "PRO", "NOM", "PRO"]
    key, response = [[(0, 0), (1, 1)], [(2, 2), (3, 3)]], [[(0, 0), (1, 1), (3, 3)], [(2, 2)]]
    names = [name for name in known.list_names() if name not in ("ceaf", "gap", "ace_value", "zero", "mor", "nec")]
    analysis = corefeval.analyse(levelled(key, levels), levelled(response, levels), measures=names)  # type: ignore[arg-type]
    for group in analysis.breakdown("mention-type").groups:
        assert all(group.restricted[name].values for name in names)


def test_credit_in_parts_is_kept(tmp_path: Path) -> None:
    """With match=overlap CEAF credits parts of mentions; a document by itself has the same credit as among others."""
    texts = {}
    for name, marks in (("key", ["(0", "0)", "(0)", "-"]), ("response", ["(0)", "-", "(0)", "-"])):
        lines = []
        for document in ("one", "two"):
            lines += [f"#begin document ({document});"]
            lines += [f"{document}\t0\t{number}\tw{number}\t{mark}" for number, mark in enumerate(marks)]
            lines += ["", "#end document"]
        texts[name] = tmp_path / f"{name}.conll"
        texts[name].write_text("\n".join(lines) + "\n", encoding="utf-8")
    evaluation = corefeval.score(texts["key"], texts["response"], measures=["ceafm"], match="overlap")
    groups = corefeval.Analysis(evaluation).breakdown("document").groups
    assert [group.restricted["ceafm"].f1 for group in groups] == pytest.approx([evaluation["ceafm"].f1] * 2)
    assert 0 < evaluation["ceafm"].f1 < 1


@under_every_decision
def test_documents_of_a_breakdown_have_the_scores_of_the_documents(options: dict[str, Any]) -> None:
    """Where mentions stand in several entities, too."""
    for seed in range(6):
        evaluation = evaluate_random(seed, options, again=0.2)
        analysis = corefeval.Analysis(evaluation)
        for group in analysis.breakdown("document").groups:
            for measure in evaluation:
                expected = evaluation.documents[group.label][measure]
                shown = [group.restricted[measure], select_documents(analysis.evaluation, (group.label,))[measure]]
                for found in shown:
                    values = [found.values.get(name) for name in ("recall", "precision", "f1", "score")]
                    assert values == pytest.approx(
                        [expected.values.get(n) for n in ("recall", "precision", "f1", "score")]
                    )


@pytest.mark.parametrize("again", [0, 0.2])
@under_every_decision
def test_the_average_of_all_mentions_is_bcub(options: dict[str, Any], again: float) -> None:
    evaluation = evaluate_random(1, options, again=again, twice=True)
    groups = corefeval.Analysis(evaluation).breakdown("document").groups
    bcub = known.resolve_measure("bcub", evaluation.options)
    if bcub != known.get_measure("bcub"):
        return
    for group in groups:
        scores = evaluation.documents[group.label]["bcub"]
        assert group.average == pytest.approx((scores.recall, scores.precision, scores.f1))
