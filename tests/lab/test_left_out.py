"""Measures that a study cannot show are named."""

from __future__ import annotations

import pytest

import corefeval
from tests.data import EXAMPLES


@pytest.mark.parametrize("name", ["operating-curve", "identification-effect"])
def test_measures_without_recall_and_precision_are_named(name: str) -> None:
    files = EXAMPLES / "key.conll", {"a": EXAMPLES / "response-a.conll"}
    told = "Left out, for they have no recall and precision: mean(muc,lea), vi."
    assert told in corefeval.lab.study(name, *files, measures="lea,mean(muc,lea),vi").findings.sentences
    assert told not in corefeval.lab.study(name, *files, measures="lea").findings.sentences
