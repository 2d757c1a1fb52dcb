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

    def spy_on(module: ModuleType) -> None:
        """Replace what reduces a tangle: by SQL, or by NumPy."""
        found = module._reduce_tangle

        def reduce_tangle(*given: Any) -> Any:
            answer = found(*given)
            taken.append(bool(answer[1]))
            return answer

        monkeypatch.setattr(module, "_reduce_tangle", reduce_tangle)

    spy_on(counting)
    spy_on(numbered_cells)
    monkeypatch.setattr(counting, "_LARGE_TANGLE", 0)
    return taken
