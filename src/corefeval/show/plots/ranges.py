"""Systems with the intervals of their scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval.show.plots.drawing import axes, beside, legible, one_of, plain, short, style

if TYPE_CHECKING:
    from corefeval.comparison.results import Comparison
    from corefeval.show.plots.drawing import Ax


@legible
def intervals(comparison: Comparison, *, measure: str | None = None, ax: Ax | None = None) -> Ax:
    """A line for each system, the best at the top; letters as in the tables: who shares one does not differ."""
    name = one_of([str(each) for each in comparison.measures], measure)
    title = next(each.title for each in comparison.measures if str(each) == name)
    width = beside([system.name for system in comparison.systems])
    ax = axes(ax, width=width, height=1.0 + (0.32 if len(comparison.systems) < 10 else 0.2) * len(comparison.systems))
    numbered = list(enumerate(comparison.systems))
    ordered = sorted(numbered, key=lambda item: item[1].measures[name].score)
    for row, (place, system) in enumerate(ordered):
        estimate = system.measures[name]
        low, high = (100 * bound for bound in estimate.interval)
        ax.plot([low, high], [row, row], color=style(place)["color"], linewidth=2, solid_capstyle="butt", alpha=0.6)
        ax.plot(100 * estimate.score, row, markersize=6, markeredgecolor="white", **style(place))
        if len(ordered) > 1:
            ax.annotate(estimate.letters, (1.01, row), xycoords=("axes fraction", "data"), va="center", fontsize=8)
    ax.set_yticks(range(len(ordered)), [short(system.name) for _, system in ordered])
    ax.set(ylim=(-0.6, len(ordered) - 0.4), xlabel=f"{title} (%)\n{comparison.settings.confidence:.0%} intervals")
    plain(ax, grid="x")
    return ax
