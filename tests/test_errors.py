"""Errors keep their messages wherever they are raised."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import corefeval
from corefeval import InputError


def test_errors_travel_between_processes() -> None:
    unhashable: Any = [[{1}]]
    with pytest.raises(InputError) as caught:
        corefeval.score(unhashable, [[1]])
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
