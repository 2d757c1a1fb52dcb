"""How often tests of random input are repeated: a few times in every run, many times where slow tests run, too."""

from __future__ import annotations

import pytest


def few_or_many(few: int, many: int) -> pytest.MarkDecorator:
    """Give a test the parameter `rounds`: the few, and in a slow test the many."""
    return pytest.mark.parametrize("rounds", [few, pytest.param(many, marks=pytest.mark.slow)])
