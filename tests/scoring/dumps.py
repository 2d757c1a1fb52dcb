"""Evaluations as plain values, to be compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import corefeval


def dump(evaluation: corefeval.Evaluation) -> Any:
    """Return all numbers of an evaluation, in all and by document."""
    found = evaluation.to_dict(per_document=True)
    return found["measures"], found["per_document"]
