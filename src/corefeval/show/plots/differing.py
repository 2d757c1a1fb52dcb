"""Differences of systems: with intervals for every measure, and document by document."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefeval.errors import OptionError
from corefeval.show.pages.overview import by_document as scores_of
from corefeval.show.plots.drawing import COLOURS, axes, legible, one_of, plain, short

if TYPE_CHECKING:
    from corefeval.comparison.results import Comparison, Standing
    from corefeval.show.plots.drawing import Ax

_WIDE = 44  # letters of a title that a column has room for


@legible
def differences(comparison: Comparison, *, a: str | None = None, b: str | None = None, ax: Ax | None = None) -> Ax:
    """System b minus system a by every measure; hollow where it is not significant."""
    one, other = _two(comparison, a, b)
    found = [_between(comparison, one.name, other.name, str(measure)) for measure in comparison.measures]
    ax = axes(ax, height=0.9 + 0.28 * len(found))
    for row, (points, low, high, significant) in enumerate(reversed(found)):
        ax.plot([low, high], [row, row], color=COLOURS[0], linewidth=2, solid_capstyle="butt", alpha=0.6)
        ax.plot(
            points,
            row,
            marker="o",
            markersize=6,
            color=COLOURS[0],
            markerfacecolor=COLOURS[0] if significant else "white",
        )
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set_yticks(range(len(found)), [measure.title for measure in reversed(comparison.measures)])
    ax.set(ylim=(-0.6, len(found) - 0.4), xlabel=f"points of {short(other.name)}\nover {short(one.name)}")
    plain(ax, grid="x")
    return ax


@legible
def by_document(
    comparison: Comparison,
    *,
    measure: str | None = None,
    a: str | None = None,
    b: str | None = None,
    ax: Ax | None = None,
) -> Ax:
    """What system b gains or loses against system a on each document, in order."""
    one, other = _two(comparison, a, b)
    name = one_of([str(each) for each in comparison.measures], measure)
    chosen = next(each for each in comparison.measures if str(each) == name)
    gains = 100 * np.sort(scores_of(other.runs[0], chosen)[0] - scores_of(one.runs[0], chosen)[0])[::-1]
    ax = axes(ax, height=2.55)
    colours = [COLOURS[0] if gain >= 0 else COLOURS[1] for gain in gains]
    ax.bar(np.arange(len(gains)), gains, width=0.9 if len(gains) < 80 else 1.0, color=colours)
    ax.axhline(0, color="black", linewidth=0.8)
    better, worse = int((gains > 0).sum()), int((gains < 0).sum())
    ax.set(xlabel=f"{len(gains)} documents: {better} better,\n{len(gains) - better - worse} the same, {worse} worse",
           ylabel=f"{chosen.title}, points")  # fmt: skip
    title = f"{short(other.name)} over {short(one.name)}"
    ax.set_title(title if len(title) <= _WIDE else title.replace(" over ", "\nover "))
    ax.set_xticks([])
    plain(ax, grid="y")
    return ax


def _two(comparison: Comparison, a: str | None, b: str | None) -> tuple[Standing, Standing]:
    named = {system.name: system for system in comparison.systems}
    if len(named) < 2:
        raise OptionError("a difference needs two systems")
    for name in (a, b):
        if name is not None and name not in named:
            raise OptionError(f"there is no system {name!r}; there are {', '.join(named)}")
    first = named[a] if a is not None else next(system for name, system in named.items() if name != b)
    second = named[b] if b is not None else next(system for name, system in named.items() if name != first.name)
    return first, second


def _between(comparison: Comparison, a: str, b: str, measure: str) -> tuple[float, float, float, bool]:
    """Points, interval and significance of b over a, whichever way they were compared."""
    for each in comparison.comparisons:
        if each.measure == measure and {each.a, each.b} == {a, b}:
            sign = 100 if (each.a, each.b) == (a, b) else -100
            low, high = sorted(sign * bound for bound in each.interval)
            return sign * each.difference, low, high, each.significant
    raise OptionError(f"{a} and {b} were not compared with each other")
