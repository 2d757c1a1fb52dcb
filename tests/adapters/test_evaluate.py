"""The metric in Hugging Face `evaluate`, loaded from its path without a network."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corefeval
from corefeval import InputError, OptionError
from corefeval.adapters import evaluate_path

if TYPE_CHECKING:
    from collections.abc import Iterator

KEY = [[[[0, 1], [3, 3], [5, 5]], [[7, 7], [9, 9]], [[11, 12]]], [], [[[0, 0], [4, 4]]]]
RESPONSE = [[[[0, 1], [3, 3]], [[5, 5], [7, 7], [9, 9]]], [[[1, 1], [2, 2]]], [[[0, 0], [4, 4]]]]


@pytest.fixture(scope="module")
def evaluate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The library, with a cache of its own and without a network."""

    def refuse(*_: object) -> None:
        raise AssertionError("a metric on this machine was looked for elsewhere")

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HOME", str(tmp_path_factory.mktemp("hugging_face")))
        patch.setattr(socket.socket, "connect", refuse)
        yield pytest.importorskip("evaluate", reason="Hugging Face evaluate is not installed")


@pytest.fixture(scope="module")
def metric(evaluate: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return evaluate.load(evaluate_path(), cache_dir=str(tmp_path_factory.mktemp("metric")))


def scored(key: Any, response: Any, **options: Any) -> dict[str, float]:
    """What corefeval.score says of the same."""

    def hashable(mention: Any) -> Any:
        return tuple(map(hashable, mention)) if isinstance(mention, list | tuple) else mention

    sides = [
        {str(i): [[hashable(m) for m in entity] for entity in document] for i, document in enumerate(side)}
        for side in (key, response)
    ]
    found = corefeval.score(sides[0], sides[1], **options)
    rates = ("recall", "precision", "f1", "score")
    values = {name: found[name].values for name in found}
    return {f"{name}_{rate}": float(values[name][rate]) for name in found for rate in rates if rate in values[name]}


def test_it_is_known_by_its_name(metric: Any) -> None:
    assert metric.name == "corefeval"
    assert "measures" in metric.inputs_description


def test_results_are_a_flat_dict_of_numbers(metric: Any) -> None:
    found = metric.compute(predictions=RESPONSE, references=KEY)
    assert list(found)[:6] == [
        *["mentions_recall", "mentions_precision", "mentions_f1", "muc_recall", "muc_precision", "muc_f1"]
    ]
    assert all(type(value) is float for value in found.values())
    assert found["muc_recall"] == 3 / 4
    assert found["muc_precision"] == 3 / 5
    assert found["conll_f1"] == pytest.approx((found["muc_f1"] + found["bcub_f1"] + found["ceafe_f1"]) / 3)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"measures": "all"},
        {"measures": ["lea", "blanc:alpha=0.2", "rand"]},
        {"measures": "conll", "singletons": "drop"},
        {"macro": True, "measures": ["muc", "bcub"]},
    ],
)
def test_results_are_those_of_score(metric: Any, options: dict[str, Any]) -> None:
    found = metric.compute(predictions=RESPONSE, references=KEY, **options)
    assert found == scored(KEY, RESPONSE, **options)
    assert metric.compute(predictions=KEY, references=RESPONSE, **options) == scored(RESPONSE, KEY, **options)


mentions = st.integers(0, 9).flatmap(lambda first: st.tuples(st.just(first), st.integers(first, 9)))
documents = st.lists(st.lists(st.lists(mentions, min_size=1, max_size=4), max_size=4), min_size=1, max_size=3)


@settings(max_examples=30)
@given(documents, documents)
def test_whatever_the_documents(metric: Any, key: Any, response: Any) -> None:
    shared = min(len(key), len(response))
    found = metric.compute(predictions=response[:shared], references=key[:shared])
    assert found == scored(key[:shared], response[:shared])


def test_documents_may_come_bit_by_bit(metric: Any) -> None:
    whole = metric.compute(predictions=RESPONSE, references=KEY)
    metric.add_batch(predictions=RESPONSE[:1], references=KEY[:1])
    metric.add_batch(predictions=RESPONSE[1:], references=KEY[1:])
    assert metric.compute() == whole
    for prediction, reference in zip(RESPONSE, KEY, strict=True):
        metric.add(prediction=prediction, reference=reference)
    assert metric.compute(measures="conll") == {"conll_f1": whole["conll_f1"]}


def test_it_can_work_in_memory_and_with_others(evaluate: Any, metric: Any) -> None:
    whole = metric.compute(predictions=RESPONSE, references=KEY)
    assert evaluate.load(evaluate_path(), keep_in_memory=True).compute(predictions=RESPONSE, references=KEY) == whole
    assert evaluate.combine([metric]).compute(predictions=RESPONSE, references=KEY) == whole


@pytest.mark.parametrize(
    ("key", "response"),
    [
        ([[], [[[0, 1], [2, 2]]]], [[], [[(0, 1), (2, 2)]]]),
        ([[["Kim", "she"], ["Bo"]]], [[["Kim", "she", "Bo"]]]),
        ([[["Kim", [0, 1]]]], [[["Kim", (0, 1)]]]),
        ([[[[[0, 1], [4, 5]], [7, 7]]]], [[[((0, 1), (4, 5)), (7, 7)]]]),
        ([[[[0, 1], [2, 2]]]], [[np.array([[0, 1], [2, 2]])]]),
        ([[[[0, 1], [2, 2]]]], [[{(0, 1), (2, 2)}]]),
        ([[], []], [[], []]),
        ([], []),
    ],
)
def test_mentions_are_integers_or_strings_in_any_sequence(metric: Any, key: Any, response: Any) -> None:
    plain = [[[m.tolist() if hasattr(m, "tolist") else m for m in e] for e in d] for d in response]
    assert metric.compute(predictions=response, references=key, measures="all") == scored(key, plain, measures="all")


def test_text_that_looks_like_a_span_is_no_span(metric: Any) -> None:
    found = metric.compute(predictions=[[["[0, 1]"]]], references=[[[[0, 1]]]], measures="mentions")
    assert found["mentions_f1"] == 0


@pytest.mark.parametrize(
    ("predictions", "said"),
    [
        ([[[0, 1], [3, 3]]], r"predictions\[0\]: there is 0 \(int\); expected a mention"),
        ([[0, 1]], r"predictions\[0\]: there is 0 \(int\); expected a list of mentions"),
        (["Kim"], r"predictions\[0\]: there is 'Kim' \(str\); expected a list of entities"),
        ([["Kim"]], r"predictions\[0\]: there is 'Kim' \(str\); expected a list of mentions"),
        ([[[[0.5, 1]]]], r"predictions\[0\]: there is 0.5 \(float\); expected an integer of a mention"),
        ("Kim", r"predictions: there is 'Kim' \(str\); expected a list of documents"),
        (None, r"predictions: there is None \(NoneType\); expected a list of documents"),
    ],
)
def test_faults(metric: Any, predictions: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        metric.add_batch(predictions=predictions, references=KEY[:1])


def test_both_sides_have_as_many_documents(evaluate: Any) -> None:
    metric = evaluate.load(evaluate_path(), keep_in_memory=True)
    with pytest.raises(ValueError, match="Mismatch in the number of predictions"):
        metric.compute(predictions=RESPONSE, references=KEY[:2])


def test_unknown_measures_are_said(evaluate: Any) -> None:
    metric = evaluate.load(evaluate_path(), keep_in_memory=True)
    with pytest.raises(OptionError, match="ceafe"):
        metric.compute(predictions=RESPONSE, references=KEY, measures="ceaff")
