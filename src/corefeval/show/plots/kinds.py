"""How many errors of each type systems make."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from corefeval.show.pages import errors as analysed
from corefeval.show.plots.drawing import COLOURS, LINE, axes, beside, hatch, legend, legible, plain, short

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefeval.scoring.results import Evaluation
    from corefeval.show.plots.drawing import Ax

    Counts = Mapping[str, Counter[str]]

_FEW = 5  # systems whose bars can be told apart beside each other


@legible
def errors(evaluations: Mapping[str, Evaluation], *, ax: Ax | None = None) -> Ax:
    """Bars by type, a hatching for each system; a table in shades where there are many systems."""
    counted = {name: Counter(error.kind for error in analysed.found(each)) for name, each in evaluations.items()}
    return _bars(counted, ax) if len(counted) <= _FEW else _shades(counted, ax)


def _bars(counted: Counts, ax: Ax | None) -> Ax:
    kinds = analysed.KINDS
    ax = axes(ax, height=0.8 + LINE * len(counted) + 0.17 * len(kinds) * (len(counted) + 0.6))
    height = 0.8 / max(1, len(counted))
    rows = np.arange(len(kinds))[::-1]
    for place, (name, counts) in enumerate(counted.items()):
        values = [counts[kind.name] for kind in kinds]
        at = rows + 0.4 - height * (place + 0.5)
        bars = ax.barh(at, values, height=height * 0.92, color=COLOURS[place % len(COLOURS)], label=short(name),
                       hatch=hatch(place), edgecolor="white", linewidth=0)  # fmt: skip
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


def _shades(counted: Counts, ax: Ax | None) -> Ax:
    """A row for each system, a column for each type, the darker the more errors."""
    kinds = analysed.KINDS
    values = np.array([[counts[kind.name] for kind in kinds] for counts in counted.values()])
    ax = axes(ax, width=beside(list(counted)) + 1.2, height=1.5 + 0.22 * len(counted))
    ax.imshow(values, cmap="Blues", vmin=0, vmax=max(1, int(values.max())), aspect="auto")
    for (row, column), value in np.ndenumerate(values):
        ax.annotate(f"{value:,}", (column, row), ha="center", va="center", fontsize=7,
                    color="white" if value > values.max() / 2 else "black")  # fmt: skip
    ax.set_xticks(range(len(kinds)), [kind.title for kind in kinds], rotation=45, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(len(counted)), [short(name) for name in counted])
    ax.tick_params(length=0)
    for side in ax.spines.values():
        side.set_visible(False)
    ax.set_title("errors by type")
    return ax
