"""Tangles, which engines reduce where they are large."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any

from corefeval.engines import counting, numbered_cells

if TYPE_CHECKING:
    import pytest


def spy_on_reductions(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Let engines reduce every tangle; return a list that grows by whether they took cells of it."""
    taken: list[bool] = []

    def spy_on(module: ModuleType, name: str) -> None:
        """Replace what counts cells, or reduces a tangle."""
        found = getattr(module, name)

        def call(*given: Any, **chosen: Any) -> Any:
            answer = found(*given, **chosen)
            if chosen.get("only_ceaf", True):
                taken.append(bool(answer.taken if name == "count_cells" else answer[1]))
            return answer

        monkeypatch.setattr(module, name, call)

    spy_on(counting, "_reduce_tangle")
    spy_on(counting, "count_cells")
    monkeypatch.setattr(counting, "_LARGE_TANGLE", 0)
    monkeypatch.setattr(numbered_cells, "LARGE", 0)
    return taken
