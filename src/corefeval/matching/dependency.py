"""Zeros are the same if they depend on the same words in the same way."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corefeval.matching.rules import Left, Pairs


def twins(left: Left) -> Pairs:
    """Who is matched with whom among the zeros."""
    raise NotImplementedError
