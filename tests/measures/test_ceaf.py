"""CEAF with a similarity of the user's own, and CEAF that takes long."""

from __future__ import annotations

import random
import re

import pytest

import corefeval
from corefeval import OptionError
from corefeval.measures import Ceaf, Ceafe
from corefeval.notices import print_delays
from corefeval.overlap import alignment

KEY = [["a", "b", "c"], ["d", "e", "f", "g"]]

RESPONSE = [["a", "b"], ["c", "d"], ["f", "g", "h", "i"]]


def test_ceaf_with_a_similarity_of_ones_own() -> None:
    evaluation = corefeval.score(KEY, RESPONSE)
    jaccard = evaluation[Ceaf(phi=lambda n, k, r: n / (k + r - n))]
    assert jaccard.recall == pytest.approx((2 / 3 + 2 / 6) / 2)
    same = evaluation[Ceaf(phi=lambda n, k, r: 2 * n / (k + r))]
    assert same.values == evaluation[Ceafe()].values
    with pytest.raises(OptionError, match="0 for entities that share nothing"):
        evaluation[Ceaf(phi=lambda n, k, r: n + 1)]


def test_an_alignment_that_takes_long_is_announced_with_bounds_of_the_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"_PLAIN_EDGES": 0, "_WIDE": 10**9, "_LONG": 60.0, "_SLOWLY": 1.0}.items():
        monkeypatch.setattr(alignment, name, value)
    rng = random.Random(1)
    sides: list[list[list[int]]] = [[], []]
    for side in sides:
        labels = [rng.randrange(150) for _ in range(900)]
        side += [[record for record, label in enumerate(labels) if label == each] for each in sorted(set(labels))]
    with pytest.warns(corefeval.CorefevalWarning, match=r"ceafe: \d+ key entities and \d+ response entities") as warned:
        evaluation = corefeval.score(*sides, measures="ceafe")
    (message,) = (str(each.message) for each in warned)
    assert re.search(r"hang together by \d+ cells; aligning them exactly may take up to \d+ hours", message)
    for name, score in evaluation["ceafe"].values.items():
        if found := re.search(rf"{name} (0\.\d+) to (0\.\d+)", message):
            lower, upper = map(float, found.groups())
            assert lower <= round(float(score), 4) <= upper
        else:
            assert name.endswith(("_numerator", "_denominator"))
    printed: list[str] = []
    with print_delays(printed.append):
        corefeval.score(*sides, measures="ceafe")
    assert printed == [message]
