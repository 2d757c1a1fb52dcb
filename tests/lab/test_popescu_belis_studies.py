"""The studies of Popescu-Belis's guide: its printed values, and which sentences of its text hold."""

from __future__ import annotations

import pytest

from corefeval.lab.studies.popescu_belis_examples import make_examples
from tests.lab.studies import count_agreeing, find_numbers, list_failures, list_misprints, run

AGREEING = {"popescu-belis-table-3": 33, "popescu-belis-table-4": 18, "popescu-belis-table-7": 21}
FAILURES = {
    "popescu-belis-table-3": [
        "the partition chosen for example 6 gives the printed values",
        "D-err has the printed magnitude in examples 1 to 3",
    ],
    "popescu-belis-table-4": ["scores are covariant: between two examples they all rise or all fall"],
    "popescu-belis-table-7": ["C is more indulgent with more mentions (VA to LPG)"],
}
"""The claims that do not hold with exact numbers; all others do."""


@pytest.mark.parametrize(("name", "count"), AGREEING.items())
def test_values_are_as_printed(name: str, count: int) -> None:
    assert count_agreeing(name) == count
    assert list_misprints(name) == []


@pytest.mark.parametrize("name", [*AGREEING, "popescu-belis-figure-3"])
def test_claims_hold_but_for_these(name: str) -> None:
    assert run(name).claims
    assert list_failures(name) == FAILURES.get(name, [])


def test_chosen_examples_have_the_numbers_that_the_paper_prints() -> None:
    examples = make_examples()
    key = examples["4"]["key"]
    assert (sum(map(len, key)), len(key)) == (147, 15)
    assert [len(examples[number]["response"]) for number in "456"] == [147, 1, 16]
    pronouns = set(examples["6"]["response"][-1])
    assert len(pronouns) == 50
    assert sum(not pronouns.isdisjoint(entity) for entity in key) == 5
    assert sorted(mention for entity in examples["6"]["response"] for mention in entity) == list(range(147))


def test_the_magnitude_of_the_distributional_error_is_ours() -> None:
    assert find_numbers("popescu-belis-table-3", "D-err has").endswith(
        "the paper gives no formula, this magnitude is ours"
    )


def test_bounds_are_those_of_the_paper() -> None:
    (figure,) = run("popescu-belis-figure-3").figures
    curves = {name: dict(zip(figure.places, values, strict=True)) for name, values in figure.curves.items()}
    assert curves["bound of recall"][4] == pytest.approx(100 * (100 - 10 * 4) / (100 - 10))
    assert curves["bound of precision"][4] == pytest.approx(100 * (100 - 10 * 4) / (100 - 4))
    assert curves["bound of recall"][11] == 0
