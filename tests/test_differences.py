"""The search for the smallest keys and responses on which two scorers differ, which pages of measures show."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from corefeval.profiles.registry import PROFILES
from tests.data import DOCS

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def differences() -> Iterator[Any]:
    """The module of docs/."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(DOCS)
        yield importlib.import_module("differences")


def test_examples_score_together_as_they_score_alone(differences: Any) -> None:
    for name in ("conll-8.01", "conll-2012", "corefud-1.2", "ua-1", "scorch", "cattan-2021", "ucdcr"):
        options = PROFILES[name].options
        together = differences.score_examples(options)
        for example in differences.list_examples()[::97]:
            (alone,) = differences.score_together([example], options)
            assert (alone is None) == (together[example] is None), example
            for measure, numbers in (alone or {}).items():
                assert together[example][measure] == pytest.approx(numbers), (example, measure)


def test_a_text_means_words_longer_mentions_zeros_and_split_antecedents(differences: Any) -> None:
    example = differences.Example("ac b | ∅b | d=a+e | e", "a b∅")
    key, response = (differences.build_corpus((example,), side) for side in ("key", "response"))
    assert [key.describe(row).strip('"') for row in range(len(key))] == ["a b c", "b", "_", "d", "e"]
    assert key.zeros.tolist() == [False, False, True, False, False]
    assert [relation.kind for relation in key.relations] == ["split"]
    assert len(key.relations[0].targets) == 2
    assert response.describe(1).strip('"') == "b c d e _"


def test_a_missing_document_is_no_empty_one(differences: Any) -> None:
    assert differences.build_corpus((differences.Example("a // b", "a // –"),), "response").documents == ("1/1/1",)
    assert len(differences.build_corpus((differences.Example("a // b", "a // "),), "response").documents) == 2


def test_the_smallest_example_of_singletons_is_one_singleton(differences: Any) -> None:
    found = differences.find_differences("lea")
    first = next(each for each in found.found if each.decision == "singletons")
    assert first.example == differences.Example("a", "a")  # nothing smaller has a key
    assert first.numbers["coval"] == (1, 1, 1)
    assert first.numbers["corefud-1.2"] == (0, 0, 0)  # without its singletons nothing is left
    assert ("corefud-1.2", "ua") in found.idle["duplicates"]


def test_examples_are_searched_from_the_smallest_on(differences: Any) -> None:
    examples = differences.list_examples()
    assert len(set(examples)) == len(examples) > 2000
    assert [each.size for each in examples] == sorted(each.size for each in examples)


def test_figures_are_of_one_line_for_each_kind_of_error() -> None:
    for path in (DOCS / "measures").glob("*.svg"):
        lines = ET.parse(path).getroot().findall("{http://www.w3.org/2000/svg}polyline[@stroke-width='2']")
        assert len(lines) == 8, path
