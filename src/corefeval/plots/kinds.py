"""How many errors of each type systems make."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from corefeval.pages import errors as analysed
from corefeval.plots.drawing import COLOURS, HATCHES, axes, legend, legible, plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefeval.plots.drawing import Ax
    from corefeval.results import Evaluation


@legible
def errors(evaluations: Mapping[str, Evaluation], *, ax: Ax | None = None) -> Ax:
    """Bars by type, a hatching for each system."""
    counted = {name: Counter(error.kind for error in analysed.found(each)) for name, each in evaluations.items()}
    kinds = analysed.KINDS
    ax = axes(ax, height=0.8 + 0.16 * len(counted) + 0.17 * len(kinds) * (len(counted) + 0.6))
    height = 0.8 / max(1, len(counted))
    rows = np.arange(len(kinds))[::-1]
    for place, (name, counts) in enumerate(counted.items()):
        values = [counts[kind.name] for kind in kinds]
        at = rows + 0.4 - height * (place + 0.5)
        bars = ax.barh(at, values, height=height * 0.92, color=COLOURS[place % len(COLOURS)], label=name,
                       hatch=HATCHES[place % len(HATCHES)], edgecolor="white", linewidth=0)  # fmt: skip
        ax.bar_label(bars, fmt="{:,.0f}", padding=2, fontsize=7)
    ax.set_yticks(rows, [kind.title for kind in kinds])
    ax.set_xlabel("errors")
    ax.margins(x=0.12)
    ax.locator_params(axis="x", integer=True)
    ax.set_xlim(left=0, right=None if any(sum(each.values()) for each in counted.values()) else 1)
    plain(ax, grid="x")
    if len(counted) > 1:
        legend(ax)
    return ax
