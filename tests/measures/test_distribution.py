"""Distributional error says wherever it is shown that its magnitude is not its paper's."""

from __future__ import annotations

import corefeval
from corefeval.measures import DistributionalError

KEY = [["a", "b", "c"], ["d", "e"]]
RESPONSE = [["a", "b", "c", "d", "e"]]


def test_tables_say_that_its_magnitude_is_ours() -> None:
    shown = str(corefeval.score(KEY, RESPONSE, measures="dmt,distributional_error"))
    (note,) = (line for line in shown.splitlines() if line.startswith("distributional_error: "))
    assert note.endswith("the direction is as in its paper, which has no formula; the magnitude is ours")
    assert "magnitude" not in str(corefeval.score(KEY, RESPONSE, measures="dmt"))


def test_derivations_and_descriptions_say_it_too() -> None:
    derivation = str(corefeval.explain("distributional_error", KEY, RESPONSE))
    assert "the magnitude is ours" in derivation
    assert "The magnitude is ours" in (DistributionalError.__doc__ or "")
