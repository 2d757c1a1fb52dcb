"""Recall against precision for many systems, with lines of equal F1."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefeval import measures as known
from corefeval.errors import OptionError
from corefeval.show.plots.drawing import LINE, axes, legend, legible, plain, short, style

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefeval.scoring.results import Evaluation
    from corefeval.show.plots.drawing import Ax

_STEPS = ((12, 2), (35, 5), (101, 10))
"""How far apart the lines of equal F1 are, by how much of the scale is shown."""


@legible
def recall_precision(evaluations: Mapping[str, Evaluation], *, measure: str = "lea", ax: Ax | None = None) -> Ax:
    """Every system as a point; grey lines have the same F1."""
    chosen = known.one(measure)
    if not {"recall", "precision"} <= set(chosen.shown):
        raise OptionError(f"{measure} has no recall and precision; muc, bcub, ceafe, blanc and lea have")
    ax = axes(ax, height=3.1 + LINE * len(evaluations))
    points = {name: (100 * each[chosen].recall, 100 * each[chosen].precision) for name, each in evaluations.items()}
    low = max(0, min(value for point in points.values() for value in point) - 8)
    high = min(100, max(value for point in points.values() for value in point) + 8)
    for level in range(0, 100, next(step for most, step in _STEPS if high - low <= most))[1:]:
        _line(ax, level, low, high)
    for place, (name, point) in enumerate(points.items()):
        ax.plot(
            *point,
            linestyle="none",
            markersize=6,
            markeredgecolor="white",
            clip_on=False,
            label=short(name),
            **style(place),
        )
    ax.set(
        xlim=(low, high), ylim=(low, high), xlabel=f"{chosen.title} recall (%)", ylabel="precision (%)", aspect="equal"
    )
    ax.set_anchor("S")  # where the square is narrower than the figure is high, the legend has what is left above it
    plain(ax)
    legend(ax)
    return ax


def _line(ax: Ax, level: int, low: float, high: float) -> None:
    """Points of one F1: P = F R / (2 R - F)."""
    least = max(low, level / 2 + 0.01)
    if least > high:
        return
    recall = np.linspace(least, high, 200)
    precision = level * recall / (2 * recall - level)
    inside = (precision >= low) & (precision <= high)
    if np.count_nonzero(inside) < 2:
        return
    ax.plot(recall[inside], precision[inside], color="#bdbdbd", linewidth=0.7, zorder=0)
    if recall[inside][-1] < low + 0.2 * (high - low):
        return  # in the corner there is no room for its name
    ax.annotate(f"F1 {level}", (recall[inside][-1], precision[inside][-1]), color="#757575", fontsize=6,
                ha="right", va="bottom", annotation_clip=True)  # fmt: skip
