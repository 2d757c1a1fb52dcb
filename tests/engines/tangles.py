"""Tangles, which engines reduce where they are large."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corefeval.engines import counting

if TYPE_CHECKING:
    import pytest


def spy_on_reductions(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Let engines reduce every tangle; return a list that grows by whether they took cells of it."""
    taken: list[bool] = []

    def reduce_tangle(*given: Any) -> Any:
        answer = found(*given)
        taken.append(bool(answer[1]))
        return answer

    found = counting._reduce_tangle
    monkeypatch.setattr(counting, "_reduce_tangle", reduce_tangle)
    monkeypatch.setattr(counting, "_LARGE_TANGLE", 0)
    return taken
