"""The Python interface: what goes in, what comes out, and what is said when something is wrong."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import numpy as np
import pytest

import corefeval
from corefeval import Corpus, InputError, OptionError, Scorer, StrictError
from corefeval.formats.draft import Draft
from corefeval.measures import ALL, CLASSES, DEFAULT, GROUPS, OF_MENTIONS, parse
from tests.data import EXAMPLES
from tests.scoring.dumps import dump

KEY = [["a", "b", "c"], ["d", "e", "f", "g"]]
RESPONSE = [["a", "b"], ["c", "d"], ["f", "g", "h", "i"]]


def test_entities_can_be_any_iterables_of_hashable_mentions() -> None:
    expected = dump(corefeval.score(KEY, RESPONSE, measures="all"))
    sets = [set(entity) for entity in KEY]
    tuples = tuple(frozenset(entity) for entity in RESPONSE)
    assert dump(corefeval.score(sets, tuples, measures="all")) == expected
    assert dump(corefeval.score((iter(e) for e in KEY), (iter(e) for e in RESPONSE), measures="all")) == expected
    assert dump(corefeval.score({"": KEY}, {"": RESPONSE}, measures="all")) == expected
    assert dump(corefeval.score(Corpus.from_entities({"": KEY}), RESPONSE, measures="all")) == expected


def test_spans_and_ids_are_mentions_too() -> None:
    number = {name: place for place, name in enumerate("abcdefghi")}
    expected = dump(corefeval.score(KEY, RESPONSE, measures="all"))
    for kind in (int, lambda i: (i, i + 2), np.int64, lambda i: frozenset({i, -1})):
        key, response = ([[kind(number[m]) for m in e] for e in side] for side in (KEY, RESPONSE))
        assert dump(corefeval.score(key, response, measures="all")) == expected


def test_a_path_and_objects_can_be_compared() -> None:
    path = EXAMPLES / "key.conll"
    objects = corefeval.read(path).entities()
    assert corefeval.score(path, objects)["conll"].f1 == 1
    assert corefeval.score(str(path), path)["conll"].f1 == 1


def test_inputs_are_not_changed() -> None:
    key, response = copy.deepcopy(KEY), copy.deepcopy(RESPONSE)
    corefeval.score(key, response, measures="all", singletons="drop", duplicates="merge")
    assert (key, response) == (KEY, RESPONSE)
    mention, entity = np.array([3, 1, 2]), np.array([9, 9, 7])
    Corpus.from_labels(mention=mention, entity=entity)
    assert (mention.tolist(), entity.tolist()) == ([3, 1, 2], [9, 9, 7])


def test_default_measures_and_all_of_them() -> None:
    assert tuple(corefeval.score(KEY, RESPONSE)) == DEFAULT
    assert DEFAULT == ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "lea", "conll")
    everything = corefeval.score(KEY, RESPONSE, measures="all")
    assert tuple(everything) == ALL
    assert {str(name).partition(":")[0] for name in everything} == set(CLASSES) - set(OF_MENTIONS)
    assert (
        "mor",
        "anaphor",
        "zero",
        "success_rate",
        "pronoun_resolution",
        "nec",
        "gap",
        "ace_value",
        *GROUPS["beyond"],
    ) == OF_MENTIONS


def test_a_measure_that_was_not_asked_for_is_computed_on_demand() -> None:
    evaluation = corefeval.score(KEY, RESPONSE, measures=["muc", "blanc:alpha=0.2"])
    assert evaluation["rand"].score == corefeval.score(KEY, RESPONSE, measures="rand")["rand"].score
    assert evaluation["blanc"].f1 != evaluation["blanc:alpha=0.2"].f1
    assert evaluation.documents[""]["lea"].f1 == evaluation["lea"].f1


def test_the_pieces_of_a_score() -> None:
    evaluation = corefeval.score(KEY, RESPONSE)
    muc, blanc = evaluation["muc"], evaluation["blanc"]
    assert (muc.recall_numerator, muc.recall_denominator, muc.precision_denominator) == (2, 5, 5)
    assert muc.undefined == ()
    assert blanc.noncoreference.precision_denominator == 20
    assert blanc.links["wrong_coreference"] == 6
    with pytest.raises(AttributeError, match="rand has no recall; it has score"):
        _ = evaluation["rand"].recall
    with pytest.raises(AttributeError, match="cannot be changed"):
        muc.recall = 1.0


def test_an_evaluation_is_a_mapping_that_is_equal_by_value() -> None:
    one, same = corefeval.score(KEY, RESPONSE), corefeval.score(KEY, RESPONSE)
    assert one == same
    assert hash(one) == hash(same)
    assert dict(one) == {
        name: one[name] for name in ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "lea", "conll")
    }
    assert [(name, score.main) for name, score in one.items()] == [(name, one[name].main) for name in one]
    assert "rand" not in one
    assert one["rand"] == same["rand"]
    assert one == corefeval.score(KEY, RESPONSE)
    assert one != corefeval.score(KEY, RESPONSE, measures="muc")
    assert one != corefeval.score(KEY, KEY)
    assert one["muc"] != one["bcub"]
    with pytest.raises(AttributeError):
        one.measures = ()  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(one)) == one


def test_score_scores_so_that_printing_computes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = {"a": KEY, "b": RESPONSE}
    made = [corefeval.score(documents, documents, average=average) for average in ("micro", "macro")]
    made.append(corefeval.score(KEY, RESPONSE))
    shown = [str(each) for each in made]

    def fail(*_: object) -> None:
        raise AssertionError("nothing is left to compute")

    for measure in CLASSES.values():
        monkeypatch.setattr(measure, "count", fail)
        monkeypatch.setattr(measure, "score", fail)
    assert [str(each) for each in made] == shown
    for each in made:
        for write in (each.to_json, each.to_markdown, each.to_latex, each.to_csv):
            assert write(per_document=True)


def test_undefined_is_said_and_has_the_value_asked_for() -> None:
    singletons = [["a"], ["b"]]
    muc = corefeval.score(singletons, singletons)["muc"]
    assert (muc.recall, muc.undefined) == (0, ("recall", "precision", "f1"))
    one_sided = corefeval.score([["a", "b"]], singletons)["muc"]
    assert (one_sided.f1, one_sided.undefined) == (0, ("precision",))
    assert corefeval.score(singletons, singletons, measures="muc:undefined=1")["muc:undefined=1"].f1 == 1
    conll = corefeval.score(singletons, singletons)["conll"]
    assert conll.f1 == pytest.approx(2 / 3)
    assert conll.undefined == ("muc.f1",)
    assert corefeval.score(singletons, singletons)["conll:undefined=1"].f1 == 1


@pytest.mark.parametrize("name", ALL)
def test_two_empty_sides_are_undefined_everywhere(name: str) -> None:
    score = corefeval.score([], [])[name]
    assert score.undefined
    assert score.main == parse(name).undefined


def test_beta_weighs_recall() -> None:
    evaluation = corefeval.score(KEY, [["a"], ["b", "c", "d", "e", "f", "g"]])
    recall, precision = evaluation["bcub"].recall, evaluation["bcub"].precision
    assert evaluation["bcub:beta=2"].f1 == pytest.approx(5 * precision * recall / (4 * precision + recall))
    assert evaluation["bcub:beta=0"].f1 == pytest.approx(precision)


def test_singletons_are_dropped_on_each_side_before_matching() -> None:
    kept = corefeval.score([[0], [1, 2]], [[0, 1, 2]])["bcub"]
    dropped = corefeval.score([[0], [1, 2]], [[0, 1, 2]], singletons="drop")["bcub"]
    assert [round(100 * value, 2) for value in (kept.recall, kept.precision, kept.f1)] == [100, 55.56, 71.43]
    assert [round(100 * value, 2) for value in (dropped.recall, dropped.precision, dropped.f1)] == [100, 44.44, 61.54]


def test_documents_add_up_and_macro_averages_them() -> None:
    key = {"one": [[0, 1, 2]], "two": [[0, 1], [2, 3]]}
    response = {"two": [[0, 1, 2, 3]], "one": [[0, 1], [2]]}
    micro, macro = (corefeval.score(key, response, measures="all", macro=macro) for macro in (False, True))
    assert micro["muc"].recall_numerator == 1 + 2
    for measure in macro.measures:
        rows = [macro.documents[name][measure] for name in key]
        for field in ("recall", "precision", "f1", "score"):
            if field in macro[measure].values:
                mean = sum(float(row.values[field]) for row in rows) / 2
                assert macro[measure].values[field] == pytest.approx(mean)
    assert macro["blanc"].coreference.recall == pytest.approx(
        sum(macro.documents[name]["blanc"].coreference.recall for name in key) / 2
    )
    assert "average:macro" in macro.signature


def test_macro_says_what_was_undefined() -> None:
    result = corefeval.score({"a": [[0]], "b": [[0, 1]]}, {"a": [[0]], "b": [[0, 1]]}, measures="muc", macro=True)
    assert result["muc"].f1 == 0.5
    assert {(w.kind, w.details["field"], w.details["count"]) for w in result.notices} == {
        ("undefined-in-average", field, 1) for field in ("recall", "precision", "f1")
    }


def test_missing_documents_count_as_empty_and_extra_ones_are_ignored() -> None:
    result = corefeval.score({"a": [[0, 1, 2]], "b": [[0, 1], [2, 3]]}, {"a": [[0, 1, 2]], "x": [[9]]})
    bcub = result["bcub"]
    assert [bcub.recall, bcub.precision, bcub.f1] == pytest.approx([3 / 7, 1, 0.6])
    assert [(w.kind, w.details["document"]) for w in result.notices] == [
        ("missing-document", "b"),
        ("extra-document", "x"),
    ]


def test_order_of_documents_does_not_matter() -> None:
    key = {"a": [[0, 1, 2]], "b": [[0, 1], [2, 3]], "c": [[5]]}
    response = {"c": [[5]], "b": [[0, 1, 2], [3]], "a": [[0], [1, 2]]}
    one = corefeval.score(key, response, measures="all")
    other = corefeval.score(dict(reversed(key.items())), response, measures="all")
    assert one.to_dict()["measures"] == other.to_dict()["measures"]


def test_strict_makes_warnings_errors() -> None:
    with pytest.raises(StrictError, match="document 'b' is missing"):
        corefeval.score({"a": [[1]], "b": [[1]]}, {"a": [[1]]}, strict=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"singletons": "remove"}, "keep, drop"),
        ({"singletons": "both"}, "two evaluations"),
        ({"duplicates": "fist"}, "did you mean first"),
        ({"measures": []}, "no measure was asked for"),
    ],
)
def test_wrong_options_get_a_helpful_error(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        corefeval.score(KEY, RESPONSE, **options)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        (["ab", "c"], "entity 0 is a str"),
        ([[{"x", 1}]], "cannot be hashed"),
        ({"d": "text"}, "document 'd' is a str"),
        ({"d": {"e1": ["a"]}}, "document 'd' is a dict"),
        (7, "a int"),
        ([3], "entity 0 is a int"),
    ],
)
def test_wrong_objects_get_a_helpful_error(key: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        corefeval.score(key, RESPONSE)


def test_empty_entities_are_left_out_and_named() -> None:
    result = corefeval.score([["a"], []], [["a"]])
    assert result["ceafe"].f1 == 1
    assert [w.kind for w in result.notices] == ["empty-entity"]


def test_evaluations_can_be_pickled() -> None:
    evaluation = corefeval.score(KEY, RESPONSE, measures="all")
    assert dump(pickle.loads(pickle.dumps(evaluation))) == dump(evaluation)


def test_json_round_trips_with_full_precision() -> None:
    evaluation = corefeval.score(KEY, RESPONSE)
    loaded = json.loads(evaluation.to_json(per_document=True))
    assert loaded["evaluations"] == [evaluation.to_dict(per_document=True)]
    assert loaded["evaluations"][0]["measures"]["lea"]["recall"] == evaluation["lea"].recall


def test_documents_whose_names_are_alike_as_text_are_refused() -> None:
    documents: Any = {1: [["a"]], "1": [["b"]]}
    with pytest.raises(InputError, match="same name"):
        corefeval.score(documents, documents)


def test_nothing_in_common_is_said() -> None:
    result = corefeval.score([[1, 2]], [["1", "2"]])
    assert [notice.kind for notice in result.notices] == ["nothing-in-common"]
    assert "1 (int)" in result.notices[0].message
    assert "'1' (str)" in result.notices[0].message


@pytest.mark.parametrize("option", ["match", "profile", "zeros", "layer", "singletons"])
def test_values_that_cannot_be_hashed_are_refused_by_name(option: str) -> None:
    wrong: dict[str, Any] = {option: ["head"]}
    with pytest.raises(OptionError, match=rf"{option}=\['head'\] is not possible"):
        corefeval.score([["a"]], [["a"]], **wrong)
    with pytest.raises(OptionError, match=rf"{option}=\['head'\] is not possible"):
        Scorer(**wrong)


@pytest.mark.parametrize("match", ["head", "lenient", "partial", "craft", "min", "overlap"])
def test_an_empty_list_is_a_response_to_any_key(match: str) -> None:
    draft = Draft("side")
    document = draft.add_document("", words=["a", "b"])
    document.add_mention("A", (0, 1), head=(1, 1), minimum=(1, 1))
    key = draft.build_corpus()
    made = corefeval.score(key, [], match=match)
    assert (made["mentions"].recall, made["mentions"].recall_denominator) == (0, 1)
    assert corefeval.score([], key, match=match)["mentions"].precision == 0
