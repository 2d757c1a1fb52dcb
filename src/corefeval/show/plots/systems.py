"""Figures of systems: recall against precision, intervals, differences, and how far measures agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefeval import measures as known
from corefeval.errors import OptionError
from corefeval.show.pages.overview import score_documents as scores_of
from corefeval.show.plots.drawing import (
    COLOURS,
    LINE,
    add_legend,
    choose_measure,
    choose_style,
    fit_width,
    make_axes,
    remove_box,
    shorten_name,
    with_type_sizes,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefeval._arrays import Floats
    from corefeval.comparison.results import Comparison, Standing
    from corefeval.measures import Measure
    from corefeval.scoring.results import Evaluation
    from corefeval.show.plots.drawing import Ax

_STEPS = ((12, 2), (35, 5), (101, 10))
"""How far apart the lines of equal F1 are, by how much of the scale is shown."""


@with_type_sizes
def recall_precision(evaluations: Mapping[str, Evaluation], *, measure: str = "lea", ax: Ax | None = None) -> Ax:
    """Draw every system as a point, with grey lines of equal F1."""
    chosen = known.one(measure)
    if not {"recall", "precision"} <= set(chosen.shown):
        raise OptionError(f"{measure} has no recall and precision; muc, bcub, ceafe, blanc and lea have")
    ax = make_axes(ax, height=3.1 + LINE * len(evaluations))
    points = {name: (100 * each[chosen].recall, 100 * each[chosen].precision) for name, each in evaluations.items()}
    low = max(0, min(value for point in points.values() for value in point) - 8)
    high = min(100, max(value for point in points.values() for value in point) + 8)
    for level in range(0, 100, next(step for most, step in _STEPS if high - low <= most))[1:]:
        _draw_f1_line(ax, level, low, high)
    for place, (name, point) in enumerate(points.items()):
        ax.plot(
            *point,
            linestyle="none",
            markersize=6,
            markeredgecolor="white",
            clip_on=False,
            label=shorten_name(name),
            **choose_style(place),
        )
    ax.set(
        xlim=(low, high), ylim=(low, high), xlabel=f"{chosen.title} recall (%)", ylabel="precision (%)", aspect="equal"
    )
    ax.set_anchor("S")  # where the square is narrower than the figure is high, the legend has what is left above it
    remove_box(ax)
    add_legend(ax)
    return ax


def _draw_f1_line(ax: Ax, level: int, low: float, high: float) -> None:
    """Draw the points of one F1: P = F R / (2 R - F)."""
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


@with_type_sizes
def intervals(comparison: Comparison, *, measure: str | None = None, ax: Ax | None = None) -> Ax:
    """Draw a line for each system, the best at the top; systems that share a letter do not differ significantly."""
    name = choose_measure([str(each) for each in comparison.measures], measure)
    title = next(each.title for each in comparison.measures if str(each) == name)
    width = fit_width([system.name for system in comparison.systems])
    ax = make_axes(
        ax, width=width, height=1.0 + (0.32 if len(comparison.systems) < 10 else 0.2) * len(comparison.systems)
    )
    numbered = list(enumerate(comparison.systems))
    ordered = sorted(numbered, key=lambda item: item[1].measures[name].score)
    for row, (place, system) in enumerate(ordered):
        estimate = system.measures[name]
        low, high = (100 * bound for bound in estimate.interval)
        ax.plot(
            [low, high], [row, row], color=choose_style(place)["color"], linewidth=2, solid_capstyle="butt", alpha=0.6
        )
        ax.plot(100 * estimate.score, row, markersize=6, markeredgecolor="white", **choose_style(place))
        if len(ordered) > 1:
            ax.annotate(estimate.letters, (1.01, row), xycoords=("axes fraction", "data"), va="center", fontsize=8)
    ax.set_yticks(range(len(ordered)), [shorten_name(system.name) for _, system in ordered])
    ax.set(ylim=(-0.6, len(ordered) - 0.4), xlabel=f"{title} (%)\n{comparison.settings.confidence:.0%} intervals")
    remove_box(ax, grid="x")
    return ax


_WIDE = 44  # letters of a title that a column has room for


@with_type_sizes
def differences(comparison: Comparison, *, a: str | None = None, b: str | None = None, ax: Ax | None = None) -> Ax:
    """Draw system b minus system a by every measure; a hollow dot is not significant."""
    one, other = _choose_two(comparison, a, b)
    found = [_find_difference(comparison, one.name, other.name, str(measure)) for measure in comparison.measures]
    ax = make_axes(ax, height=0.9 + 0.28 * len(found))
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
    ax.set(ylim=(-0.6, len(found) - 0.4), xlabel=f"points of {shorten_name(other.name)}\nover {shorten_name(one.name)}")
    remove_box(ax, grid="x")
    return ax


@with_type_sizes
def by_document(
    comparison: Comparison,
    *,
    measure: str | None = None,
    a: str | None = None,
    b: str | None = None,
    ax: Ax | None = None,
) -> Ax:
    """Draw what system b gains or loses against system a on each document, sorted."""
    one, other = _choose_two(comparison, a, b)
    name = choose_measure([str(each) for each in comparison.measures], measure)
    chosen = next(each for each in comparison.measures if str(each) == name)
    gains = 100 * np.sort(scores_of(other.runs[0], chosen)[0] - scores_of(one.runs[0], chosen)[0])[::-1]
    ax = make_axes(ax, height=2.55)
    colours = [COLOURS[0] if gain >= 0 else COLOURS[1] for gain in gains]
    ax.bar(np.arange(len(gains)), gains, width=0.9 if len(gains) < 80 else 1.0, color=colours)
    ax.axhline(0, color="black", linewidth=0.8)
    better, worse = int((gains > 0).sum()), int((gains < 0).sum())
    ax.set(xlabel=f"{len(gains)} documents: {better} better,\n{len(gains) - better - worse} the same, {worse} worse",
           ylabel=f"{chosen.title}, points")  # fmt: skip
    title = f"{shorten_name(other.name)} over {shorten_name(one.name)}"
    ax.set_title(title if len(title) <= _WIDE else title.replace(" over ", "\nover "))
    ax.set_xticks([])
    remove_box(ax, grid="y")
    return ax


def _choose_two(comparison: Comparison, a: str | None, b: str | None) -> tuple[Standing, Standing]:
    """Return the two systems with these names; without names, the first two."""
    named = {system.name: system for system in comparison.systems}
    if len(named) < 2:
        raise OptionError("a difference needs two systems")
    for name in (a, b):
        if name is not None and name not in named:
            raise OptionError(f"there is no system {name!r}; there are {', '.join(named)}")
    first = named[a] if a is not None else next(system for name, system in named.items() if name != b)
    second = named[b] if b is not None else next(system for name, system in named.items() if name != first.name)
    return first, second


def _find_difference(comparison: Comparison, a: str, b: str, measure: str) -> tuple[float, float, float, bool]:
    """Return points, interval and significance of b over a, whichever way they were compared."""
    for each in comparison.comparisons:
        if each.measure == measure and {each.a, each.b} == {a, b}:
            sign = 100 if (each.a, each.b) == (a, b) else -100
            low, high = sorted(sign * bound for bound in each.interval)
            return sign * each.difference, low, high, each.significant
    raise OptionError(f"{a} and {b} were not compared with each other")


_FEW_SYSTEMS = 3


@with_type_sizes
def agreement(comparison: Comparison, *, ax: Ax | None = None) -> Ax:
    """Draw Kendall's τ for each two measures: on three systems or more, else on the documents of all systems."""
    measures = comparison.measures
    if len(measures) < 2:
        raise OptionError("agreement needs two measures or more")
    on_systems = len(comparison.systems) >= _FEW_SYSTEMS
    scores = [
        _score_systems(comparison, each) if on_systems else _score_documents(comparison, each) for each in measures
    ]
    orders = [_compare_pairs(each) for each in scores]
    tau = np.array([[_compute_tau(one, other) for other in orders] for one in orders])
    size = 1.3 + 0.36 * len(measures)
    ax = make_axes(ax, width=size + 0.05 * max(len(str(measure)) for measure in measures), height=size)
    ax.imshow(np.ma.masked_invalid(tau), cmap="Blues", vmin=-1, vmax=1)
    for row, column in np.ndindex(*tau.shape):
        if not np.isnan(tau[row, column]):
            dark = tau[row, column] > 0.3
            ax.annotate(f"{tau[row, column]:.2f}", (column, row), ha="center", va="center", fontsize=6.5,
                        color="white" if dark else "black")  # fmt: skip
    titles = [str(measure) for measure in measures]
    ax.set_xticks(range(len(titles)), titles, rotation=45, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(len(titles)), titles)
    ax.tick_params(length=0)
    for side in ax.spines.values():
        side.set_visible(False)
    what = f"{len(comparison.systems)} systems" if on_systems else f"{len(scores[0])} documents"
    ax.set_title(f"Kendall's τ on {what}")
    return ax


def _score_systems(comparison: Comparison, measure: Measure) -> Floats:
    return _get_sign(measure) * np.array([system.measures[str(measure)].score for system in comparison.systems])


def _score_documents(comparison: Comparison, measure: Measure) -> Floats:
    scores = [scores_of(system.runs[0], measure)[0] for system in comparison.systems]
    return _get_sign(measure) * np.concatenate(scores)


def _get_sign(measure: Measure) -> int:
    return 1 if measure.more_is_better else -1


def _compare_pairs(scores: Floats) -> Floats:
    """Return for each two scores 1, -1 or 0: the first is higher, lower, or the same."""
    return np.sign(scores[:, np.newaxis] - scores).reshape(-1)


def _compute_tau(one: Floats, other: Floats) -> float:
    """Return τ-b of two orders from their signs; nan if all scores of one are the same."""
    scale = float(np.sqrt((one @ one) * (other @ other)))
    return float(one @ other) / scale if scale else np.nan
