"""Figures for papers: functions that take and return the axes of Matplotlib.

>>> import corefeval
>>> evaluation = corefeval.score([["a", "b", "c"], ["d", "e"]], [["a", "b"], ["d", "e", "c"]])
>>> ax = corefeval.plots.recall_precision({"ours": evaluation}, measure="muc")
>>> corefeval.plots.save(ax, "figure.pdf")

Without an `ax` they make a figure of their own. Matplotlib is an extra: pip install "corefeval[plots]".

By size: the mean B³ credit of the mentions of a size (recall of the key's, precision of the response's), as in
`Analysis.breakdown("size")`. By distance: of the links from each key mention to the one of its entity before it, the
share that the response has in one entity, too (recall); of those of the response, the share that the key has
(precision). A breakdown by distance has the credit of mentions, which depends on all links of their entity, not on
that one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from os import PathLike
from typing import TYPE_CHECKING, cast

import numpy as np

from corefeval import measures as known
from corefeval._arrays import Array, Floats, Ints
from corefeval._lazy import NamedTuple
from corefeval.analysis.analyse import Analysis
from corefeval.analysis.breakdowns import SIZES, Distances, label_mentions, measure_distances_before
from corefeval.analysis.costs.sides import view_sides
from corefeval.analysis.errors.types import TYPES
from corefeval.analysis.subsets import get_rows, prepare_subject
from corefeval.comparison.results import Comparison, Standing
from corefeval.errors import OptionError
from corefeval.inspection.stats import CorpusStats, Spread
from corefeval.lab.findings import Figure as StudyFigure
from corefeval.linkage.results import Sweep
from corefeval.measures import Measure
from corefeval.notices import count_things
from corefeval.overlap.views import Rows
from corefeval.scoring.results import Evaluation
from corefeval.show import drawing
from corefeval.show.drawing import COLOURS, LINE, shorten_name, with_type_sizes
from corefeval.show.pages.content.overview import score_documents

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    Counts = Mapping[str, Mapping[str, int]]

__all__ = [
    "agreement",
    "by_distance",
    "by_document",
    "by_size",
    "curves",
    "differences",
    "draw_distributions",
    "draw_figures",
    "errors",
    "intervals",
    "recall_precision",
    "save",
    "thresholds",
]

_STEPS = ((12, 2), (35, 5), (101, 10))
"""How far apart the lines of equal F1 are, by how much of the scale is shown."""

_WIDE_TITLE = 44  # letters of a title that a column has room for
_SQUARE = 2.6  # inches: the side of square axes in a column
_FEWEST_RANKED = 3  # systems, of which an order can be compared
_MOST_BARS = 3  # systems whose bars can be told apart beside each other
_MOST_POINTS = 2000  # of a curve, which has a step for every score there is
_PANELS = {
    "entity_size": "mentions per entity",
    "mention_length": "length of mentions",
    "distance": "distance to the antecedent",
    "sentence_distance": "… in sentences",
}


@with_type_sizes
def recall_precision(evaluations: Mapping[str, Evaluation], *, measure: str = "lea", ax: Axes | None = None) -> Axes:
    """Draw every system as a point of recall and precision, with grey lines of equal F1, and return the axes.

    Names stand beside their points, or in a legend where they have no room there.
    """
    chosen = known.get_measure(measure)
    if not {"recall", "precision"} <= set(chosen.shown):
        raise OptionError(f"{measure} has no recall and precision; muc, bcub, ceafe, blanc and lea have")
    points = {name: (100 * each[chosen].recall, 100 * each[chosen].precision) for name, each in evaluations.items()}
    low = max(0, min(value for point in points.values() for value in point) - 8)
    high = min(100, max(value for point in points.values() for value in point) + 8)
    places = place_names({shorten_name(name): point for name, point in points.items()}, low, high)
    ax = drawing.make_axes(ax, height=3.1 + (0 if places else LINE * len(evaluations)))
    for level in range(0, 100, next(step for most, step in _STEPS if high - low <= most))[1:]:
        _draw_f1_line(ax, level, low, high)
    for place, (name, point) in enumerate(points.items()):
        ax.plot(*point, linestyle="none", markersize=6, markeredgecolor="white", clip_on=False,
                label=shorten_name(name), **drawing.choose_style(place))  # fmt: skip
    ax.set(
        xlim=(low, high), ylim=(low, high), xlabel=f"{chosen.title} recall (%)", ylabel="precision (%)", aspect="equal"
    )
    ax.set_anchor("S")  # where the square is narrower than the figure is high, the legend has what is left above it
    drawing.remove_box(ax)
    if not places:
        drawing.add_legend(ax)
    for name, (x, y) in places.items():
        ax.annotate(name, (x, y), fontsize=8, va="center", annotation_clip=False, bbox=drawing.BARE)
    return ax


def place_names(points: Mapping[str, tuple[float, float]], low: float, high: float) -> dict[str, tuple[float, float]]:
    """Return where each point's name begins, beside the point and clear of all others; {} if one has no room.

    Points are on square axes from `low` to `high`, as wide as a column of a paper has room for.

    >>> place_names({"a": (50, 50), "b": (52, 50)}, 40, 60)["b"]
    (52.62, 50)
    >>> place_names({"a name that is wider than the axes are, even so": (50, 50), "b": (52, 50)}, 40, 60)
    {}
    """
    inch = (high - low) / _SQUARE
    gap, tall, dot = 0.08 * inch, 0.13 * inch, 0.06 * inch
    taken = [(x - dot, x + dot, y - dot, y + dot) for x, y in points.values()]
    placed: dict[str, tuple[float, float]] = {}
    for name, (x, y) in points.items():
        wide = 0.066 * inch * len(name)
        beside = [(x + gap, y), (x - gap - wide, y)]
        # Above and below in the middle, or ending or beginning where the point does.
        over = [(left, y + side) for left in (x - wide / 2, x + dot - wide, x - dot) for side in (tall, -tall)]
        for left, middle in (*beside, *over):
            box = (left, left + wide, middle - tall / 2, middle + tall / 2)
            clear = all(box[1] < a or b < box[0] or box[3] < c or d < box[2] for a, b, c, d in taken)
            if clear and box[0] >= low and box[1] <= high and box[2] >= low and box[3] <= high:
                placed[name] = (round(left, 2), middle)
                taken.append(box)
                break
        else:
            return {}
    return placed


def _draw_f1_line(ax: Axes, level: int, low: float, high: float) -> None:
    """Draw the line of points with one F1 that lies within the bounds, if any, and its name where there is room."""
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
                ha="right", va="center", annotation_clip=True, bbox=drawing.BARE)  # fmt: skip


@with_type_sizes
def intervals(comparison: Comparison, *, measure: str | None = None, ax: Axes | None = None) -> Axes:
    """Draw scores with intervals, the best system on top, a letter in common if not significant; return the axes."""
    chosen = _choose_measure(comparison, measure)
    ordered = sorted(enumerate(comparison.systems), key=lambda item: item[1].measures[str(chosen)].score)
    names = [system.name for _, system in ordered]
    ax = drawing.make_axes(
        ax, width=drawing.fit_width(names), height=1.0 + (0.32 if len(names) < 10 else 0.2) * len(names)
    )
    for row, (place, system) in enumerate(ordered):
        estimate, style = system.measures[str(chosen)], drawing.choose_style(place)
        _draw_interval(ax, row, [100 * bound for bound in estimate.interval], style["color"])
        ax.plot(100 * estimate.score, row, markersize=6, markeredgecolor="white", **style)
        if len(names) > 1:
            ax.annotate(estimate.letters, (1.01, row), xycoords=("axes fraction", "data"), va="center", fontsize=8)
    _label_rows(ax, names, f"{chosen.title} (%)\n{comparison.settings.confidence:.0%} intervals")
    return ax


@with_type_sizes
def differences(comparison: Comparison, *, a: str | None = None, b: str | None = None, ax: Axes | None = None) -> Axes:
    """Draw the points of b over a, with intervals, by every measure, hollow if not significant; return the axes."""
    one, other = _choose_systems(comparison, a, b)
    found = [_find_difference(comparison, one.name, other.name, str(measure)) for measure in comparison.measures]
    ax = drawing.make_axes(ax, height=0.9 + 0.28 * len(found))
    for row, (points, low, high, significant) in enumerate(reversed(found)):
        _draw_interval(ax, row, [low, high], COLOURS[0])
        filled = COLOURS[0] if significant else "white"
        ax.plot(points, row, marker="o", markersize=6, color=COLOURS[0], markerfacecolor=filled)
    ax.axvline(0, color="black", linewidth=0.8)
    titles = [measure.title for measure in reversed(comparison.measures)]
    _label_rows(ax, titles, f"points of {shorten_name(other.name)}\nover {shorten_name(one.name)}")
    return ax


def _draw_interval(ax: Axes, row: int, bounds: list[float], colour: str) -> None:
    """Draw an interval as a line along a row of the axes, with ends that are higher than the dot of a score."""
    ax.plot(bounds, [row, row], color=colour, linewidth=1.4, marker="|", markersize=10, markeredgewidth=1.4)


def _label_rows(ax: Axes, names: Sequence[str], across: str) -> None:
    """Write rows' names beside the axes, the first at the bottom, and `across` below; open the box, add a grid."""
    ax.set_yticks(range(len(names)), [shorten_name(name) for name in names])
    ax.set(ylim=(-0.6, len(names) - 0.4), xlabel=across)
    drawing.remove_box(ax, grid="x")


@with_type_sizes
def by_document(
    comparison: Comparison,
    *,
    measure: str | None = None,
    a: str | None = None,
    b: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a bar for each document, sorted: the points that system b gains or loses over a; return the axes."""
    one, other = _choose_systems(comparison, a, b)
    chosen = _choose_measure(comparison, measure)
    gains = 100 * np.sort(score_documents(other.runs[0], chosen)[0] - score_documents(one.runs[0], chosen)[0])[::-1]
    ax = drawing.make_axes(ax, height=2.55)
    colours = [COLOURS[0] if gain >= 0 else COLOURS[1] for gain in gains]
    ax.bar(np.arange(len(gains)), gains, width=0.9 if len(gains) < 80 else 1.0, color=colours)
    ax.axhline(0, color="black", linewidth=0.8)
    better, worse = int((gains > 0).sum()), int((gains < 0).sum())
    documents = count_things(len(gains), "document")
    ax.set(xlabel=f"{documents}: {better} better,\n{len(gains) - better - worse} the same, {worse} worse",
           ylabel=f"{chosen.title}, points")  # fmt: skip
    title = f"{shorten_name(other.name)} over {shorten_name(one.name)}"
    ax.set_title(title if len(title) <= _WIDE_TITLE else title.replace(" over ", "\nover "))
    ax.set_xticks([])
    drawing.remove_box(ax, grid="y")
    return ax


def _choose_measure(comparison: Comparison, name: str | None) -> Measure:
    """Return the measure to draw: the one named, else CoNLL's, else the first; OptionError if the name is unknown."""
    named = {str(measure): measure for measure in comparison.measures}
    if name is None:
        return named.get("conll", comparison.measures[0])
    if name not in named:
        raise OptionError(f"{name} is not among the measures: {', '.join(named)}")
    return named[name]


def _choose_systems(comparison: Comparison, a: str | None, b: str | None) -> tuple[Standing, Standing]:
    """Return two different systems, by name or (None) the first others; OptionError if there are no such two."""
    named = {system.name: system for system in comparison.systems}
    if len(named) < 2 or (a is not None and a == b):
        raise OptionError("a difference needs two systems")
    for name in (a, b):
        if name is not None and name not in named:
            raise OptionError(f"there is no system {name!r}; there are {', '.join(named)}")
    first = a or next(name for name in named if name != b)
    return named[first], named[b or next(name for name in named if name != first)]


def _find_difference(comparison: Comparison, a: str, b: str, measure: str) -> tuple[float, float, float, bool]:
    """Return four values of b over a: points, their bounds, whether it is significant; OptionError if not compared."""
    for each in comparison.comparisons:
        if each.measure == measure and {each.a, each.b} == {a, b}:
            sign = 100 if (each.a, each.b) == (a, b) else -100
            low, high = sorted(sign * bound for bound in each.interval)
            return sign * each.difference, low, high, each.significant
    raise OptionError(f"{a} and {b} were not compared with each other")


@with_type_sizes
def agreement(comparison: Comparison, *, ax: Axes | None = None) -> Axes:
    """Draw a table of Kendall's τ of each two measures, on three systems or more, else documents; return the axes.

    On documents it is the mean of every system's own τ: one document under two systems is not two documents.
    """
    measures = comparison.measures
    if len(measures) < 2:
        raise OptionError("agreement needs two measures or more")
    on_systems = len(comparison.systems) >= _FEWEST_RANKED
    if on_systems:
        scores = ([system.measures[str(each)].score for system in comparison.systems] for each in measures)
        tau = _correlate_orders(measures, [np.array(each) for each in scores])
    else:
        found = ([score_documents(system.runs[0], each)[0] for each in measures] for system in comparison.systems)
        tau = np.mean([_correlate_orders(measures, each) for each in found], axis=0)
    size = 0.8 + 0.275 * len(measures)  # the usual eight have room in a column
    ax = drawing.make_axes(ax, width=size + 0.05 * max(len(str(measure)) for measure in measures), height=size)
    titles = [str(measure) for measure in measures]
    _draw_shaded_table(ax, tau, (-1, 1), "{:.2f}", titles, titles)
    systems, documents = len(comparison.systems), len(comparison.document_names)
    what = count_things(systems, "system") if on_systems else count_things(documents, "document")
    mean = "" if on_systems or systems == 1 else f",\nmean of {systems} systems"
    ax.set_title(f"Kendall's τ on {what}{mean}")
    return ax


def _correlate_orders(measures: Sequence[Measure], scores: Sequence[Floats]) -> Floats:
    """Return a table of Kendall's τ-b of each two measures, from the scores that each gives to the same things."""
    from scipy.stats import kendalltau  # noqa: PLC0415 - loaded when needed

    better = [measure.sign * each for measure, each in zip(measures, scores, strict=True)]
    if len(better[0]) < 2:  # there is no order of one thing
        return np.full((len(better), len(better)), np.nan)
    return np.array([[kendalltau(one, other).statistic for other in better] for one in better])


@with_type_sizes
def errors(evaluations: Mapping[str, Evaluation], *, ax: Axes | None = None) -> Axes:
    """Draw how many errors of each type systems make, as bars or, for more than three, a table; return the axes."""
    counted = {name: Analysis(each).counts for name, each in evaluations.items()}
    return _draw_error_bars(counted, ax) if len(counted) <= _MOST_BARS else _draw_error_table(counted, ax)


def _draw_error_bars(counted: Counts, ax: Axes | None) -> Axes:
    """Draw a bar for each type of errors and each system, those of a type beside each other; return the axes."""
    ax = drawing.make_axes(ax, height=0.8 + LINE * len(counted) + 0.17 * len(TYPES) * (len(counted) + 0.6))
    height = 0.8 / max(1, len(counted))
    rows = np.arange(len(TYPES))[::-1]
    for place, (name, counts) in enumerate(counted.items()):
        at = rows + 0.4 - height * (place + 0.5)
        bars = ax.barh(at, list(counts.values()), height=height * 0.92, label=shorten_name(name), edgecolor="white",
                       linewidth=0, **drawing.choose_style(place, "hatch"))  # fmt: skip
        ax.bar_label(bars, fmt="{:,.0f}", padding=2, fontsize=7)
    ax.set_yticks(rows, TYPES)
    ax.set_xlabel("errors")
    ax.margins(x=0.12, y=0.02)
    ax.locator_params(axis="x", integer=True)
    ax.set_xlim(left=0, right=None if any(sum(each.values()) for each in counted.values()) else 1)
    drawing.remove_box(ax, grid="x")
    if len(counted) > 1:
        drawing.add_legend(ax)
    return ax


def _draw_error_table(counted: Counts, ax: Axes | None) -> Axes:
    """Draw a table of errors, systems in rows, types in columns, the darker the more; return the axes."""
    values = np.array([list(counts.values()) for counts in counted.values()])
    ax = drawing.make_axes(ax, width=drawing.fit_width(list(counted)), height=1.3 + 0.2 * len(counted))
    names = [shorten_name(name) for name in counted]
    _draw_shaded_table(ax, values, (0, max(1, int(values.max()))), "{:,}", names, TYPES)
    ax.set_aspect("auto")
    ax.set_title("errors by type")
    return ax


def _draw_shaded_table(
    ax: Axes, values: Array, scale: tuple[float, float], number: str, rows: Sequence[str], columns: Sequence[str]
) -> None:
    """Draw numbers as a table on the axes, darker the further from 0; below 0 red, above it blue.

    scale: its ends, of which the lower one is 0 or below. number: the format of numbers.
    """
    low, high = scale
    ax.imshow(np.ma.masked_invalid(values), cmap="RdBu" if low < 0 else "Blues", vmin=low, vmax=high)
    for (row, column), value in np.ndenumerate(values):
        if not np.isnan(value):
            dark = abs(value) > 0.65 * high
            ax.annotate(number.format(value), (column, row), ha="center", va="center", fontsize=6.5,
                        color="white" if dark else "black")  # fmt: skip
    ax.set_xticks(range(len(columns)), columns, rotation=45, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(len(rows)), rows)
    ax.tick_params(length=0)
    for side in ax.spines.values():
        side.set_visible(False)


class Bins(NamedTuple):
    """The mean of what falls into each bin (nan for an empty one), and how much does."""

    mean: Floats
    many: Ints


def average_bins(place: Ints, credit: Floats, count: int) -> Bins:
    """Return Bins: for each of `count` bins the mean of credits placed there, nan for none, and their number."""
    many = np.bincount(place, minlength=count)
    total = np.bincount(place, weights=credit, minlength=count)
    return Bins(np.divide(total, many, out=np.full(count, np.nan), where=many > 0), many)


@with_type_sizes
def by_size(evaluations: Mapping[str, Evaluation], *, ax: Axes | None = None) -> Axes:
    """Draw mentions' mean B³ credit (recall and precision) by the size of their entity, and return the axes."""
    found = {name: average_credit_by_size(each) for name, each in evaluations.items()}
    return _draw_curves(found, [0, *(bound for bound, _ in SIZES)], "mentions in the entity", "mean B³ credit", ax)


def average_credit_by_size(evaluation: Evaluation) -> list[Bins]:
    """Return a list of two Bins, of key and of response mentions: their mean B³ credit by the size of their entity."""
    evaluation = prepare_subject(evaluation).evaluation
    sizes = label_mentions(evaluation, get_rows(evaluation), "size")
    return [
        average_bins(own, side.credit / side.size, len(sizes.order))
        for own, side in zip((sizes.key, sizes.response), view_sides(evaluation)[:2], strict=True)
    ]


@with_type_sizes
def by_distance(evaluations: Mapping[str, Evaluation], *, ax: Axes | None = None) -> Axes:
    """Draw the share of links to the nearest antecedent that are right, by its distance, and return the axes."""
    rows = {name: get_rows(prepare_subject(each).evaluation) for name, each in evaluations.items()}
    far = {name: measure_distances_before(each) for name, each in rows.items()}
    units = {each.unit: each.bins for each in far.values()}
    if len(units) != 1:
        raise OptionError("some responses have sentences and others have not: draw their distances one by one")
    ((unit, bins),) = units.items()
    bounds = [bound for bound, _ in bins]
    found = {
        name: [
            average_bins(np.searchsorted(bounds, much) - 1, right, len(bins) - 1)
            for much, right in judge_links(rows[name], each)
        ]
        for name, each in far.items()
    }
    return _draw_curves(found, bounds, f"distance to the antecedent, in {unit}s", "links right", ax)


def judge_links(rows: Rows, found: Distances) -> list[tuple[Ints, Floats]]:
    """Return for each side two arrays over its links to the mention before: the distance, and 1.0 if right, or 0.0."""
    listed = []
    others = rows.response, rows.key
    for before, far, twin, other in zip(found.before, found.far, rows.find_twins(), others, strict=True):
        after = np.flatnonzero(before >= 0)
        there = np.where(twin >= 0, np.append(other.entity, -1)[twin], -1)
        right = (there[after] >= 0) & (there[after] == there[before[after]])
        listed.append((far[after], right.astype(np.float64)))
    return listed


def _draw_curves(found: Mapping[str, list[Bins]], bounds: Sequence[int], across: str, up: str, ax: Axes | None) -> Axes:
    """Draw recall and precision over bins, which lie between `bounds`, and return the axes.

    One system's are two lines; those of several are in two panels, recall above precision, of which the upper is
    returned.
    """
    several = len(found) > 1
    ax = drawing.make_axes(ax, height=3.6 + LINE * len(found) if several else 2.5)
    panels = (ax, drawing.split_axes(ax)) if several else (ax, ax)
    for place, (name, bins) in enumerate(found.items()):
        for panel, side, line, each in zip(panels, ("recall", "precision"), ("-", "--"), bins, strict=True):
            panel.plot(100 * each.mean, linestyle="-" if several else line, linewidth=1.4, markersize=4.5,
                       markerfacecolor=None if several or line == "-" else "white",
                       label=shorten_name(name) if several else side, **drawing.choose_style(place))  # fmt: skip
    named = [str(b) if b == a + 1 else f"{a + 1}–{b}" for a, b in pairwise(bounds[:-1])]
    for panel, side in zip(panels, ("recall", "precision"), strict=True):
        panel.set_xticks(range(len(named) + 1), [*named, f"{bounds[-2] + 1}+"])
        panel.set(ylim=(0, 103), ylabel=f"{side} (%)" if several else f"{up} (%)")
        drawing.remove_box(panel, grid="y")
    panels[1].set_xlabel(f"{across}\n({up})" if several else across)
    if several:
        ax.tick_params(labelbottom=False)
    drawing.add_legend(ax, columns=1 if several else 2)
    return ax


@with_type_sizes
def thresholds(sweep: Sweep, *, measure: str | None = None, ax: Axes | None = None) -> Axes:
    """Draw scores over the threshold, with the best one and its interval for each measure, and return the axes.

    measure: of this one recall, precision and f1; by default of all, or of the only one.
    """
    names = list(sweep.values) if measure is None else [measure]
    finite = np.isfinite(sweep.thresholds)
    if len(names) == 1:
        fields = sweep.get_curve(names[0])
        curves = {field: fields[field] for field in fields if fields[field].dtype.kind == "f"}
    else:
        named = {str(each): each for each in sweep.measures}
        curves = {name: sweep.get_curve(name)[named[name].main] for name in names}
    if not curves or not finite.any():
        raise OptionError("there is no curve to draw: no pairs, or no measure that has a score at every threshold")
    ax = drawing.make_axes(ax, height=2.6 + LINE * ((len(curves) + 1) // 2))
    across = sweep.thresholds[finite]
    shown = _thin_out(across)
    found = {each.measure: each for each in sweep.best}
    low = 100.0
    for place, (name, curve) in enumerate(curves.items()):
        style = drawing.choose_style(place)
        ax.plot(across[shown], 100 * curve[finite][shown], drawstyle="steps-post", linewidth=1.4, label=name,
                color=style["color"])  # fmt: skip
        low = min(low, 100 * float(curve[finite].min()))
        best = found.get(names[0] if len(names) == 1 else name)
        if best is None or not np.isfinite(best.threshold) or (len(names) == 1 and name not in ("f1", "score")):
            continue
        top = 100 * float(curve[sweep.find_state(best.threshold)])
        if best.interval is not None:
            ends = [min(each, float(across[0])) for each in best.interval]
            ax.plot(ends, [top, top], color=style["color"], linewidth=3, alpha=0.35, solid_capstyle="butt", zorder=1)
        ax.plot(best.threshold, top, markersize=6, markeredgecolor="white", clip_on=False, zorder=3, **style)
    title = f"{names[0]} (%)" if len(names) == 1 else "score (%)"
    ax.set(xlabel="threshold", ylabel=title, ylim=(min(0.0, low), 103))
    drawing.remove_box(ax, grid="y")
    drawing.add_legend(ax, columns=min(3, len(curves)))
    return ax


@with_type_sizes
def curves(figure: StudyFigure, *, ax: Axes | None = None) -> Axes:
    """Draw the figure of a study of `corefeval.lab`, with the names of its curves beside them; return the axes.

    Curves that are the same are one, with all of their names.
    """
    are_numbers = all(isinstance(place, int | float) for place in figure.places)
    across = [float(place) for place in figure.places] if are_numbers else list(range(len(figure.places)))
    labels = _label_curves(figure)
    ax = drawing.make_axes(ax, width=drawing.fit_width(list(labels.values())), height=2.8)
    for place, label in labels.items():
        style = drawing.choose_style(place)
        ax.plot(across, list(figure.curves.values())[place], linewidth=1.2, markersize=4, label=label, **style)
    if not are_numbers:
        ax.set_xticks(across, [shorten_name(str(place)) for place in figure.places], rotation=45, ha="right",
                      rotation_mode="anchor")  # fmt: skip
    if all(isinstance(value, int) for values in figure.curves.values() for value in values):
        ax.locator_params(axis="y", integer=True, min_n_ticks=1)
    ax.set(xlabel=figure.horizontal, ylabel=figure.vertical)
    drawing.remove_box(ax, grid="y")
    _name_curves(ax)
    return ax


def _label_curves(figure: StudyFigure) -> dict[int, str]:
    """Return the labels of a figure's different curves, by the place of the first one: "bcub = lea" for two alike."""
    same: dict[tuple[float, ...], dict[int, str]] = {}
    for place, (name, values) in enumerate(figure.curves.items()):
        same.setdefault(tuple(round(value, 9) for value in values), {})[place] = name
    labels = {}
    for alike in same.values():
        names = list(alike.values())
        labels[next(iter(alike))] = " = ".join(names if len(names) < 5 else [*names[:3], f"{len(names) - 3} more"])
    return labels


def _name_curves(ax: Axes) -> None:
    """Write each curve's name beside its right end, where it hides no other, behind its marker and a thin line."""
    low, high = ax.get_ylim()
    ends: list[tuple[float, float, float, Line2D]] = []  # height and place of a curve's end, mean height, the curve
    for line in ax.get_lines():
        points = sorted(zip(np.asarray(line.get_xdata()), np.asarray(line.get_ydata()), strict=True))
        place, height = map(float, points[-1])
        ends.append((height, place, float(np.mean([each for _, each in points])), line))
    ends.sort(key=lambda each: (each[0], each[2]))
    sideways = ("axes fraction", "data")
    arrow = {"arrowstyle": "-", "linewidth": 0.5, "shrinkA": 0, "shrinkB": 2}
    beside = spread_heights([height for height, *_ in ends], (high - low) * 0.085, high)
    for (height, end, _, line), place in zip(ends, beside, strict=True):
        colour = line.get_color()
        ax.annotate("", (end, height), (1.05, place), textcoords=sideways, annotation_clip=False,
                    arrowprops={**arrow, "color": colour})  # fmt: skip
        ax.plot(1.05, place, marker=line.get_marker(), markersize=4, color=colour, clip_on=False,
                transform=ax.get_yaxis_transform())  # fmt: skip
        ax.annotate(str(line.get_label()), (1.08, place), xycoords=sideways, fontsize=8, va="center",
                    annotation_clip=False)  # fmt: skip
    ax.set_ylim(low, high)


def spread_heights(heights: Sequence[float], step: float, top: float) -> list[float]:
    """Return heights, given in rising order, moved as little apart as leaves a step between them, none over the top.

    >>> spread_heights([1, 5, 5], 2, 6)
    [1, 4, 6]
    """
    spread: list[float] = []
    for height in heights:
        spread.append(max(height, spread[-1] + step) if spread else height)
    for place in reversed(range(len(spread))):
        spread[place] = min(spread[place], spread[place + 1] - step if place + 1 < len(spread) else top)
    return spread


def _thin_out(across: Floats) -> Ints:
    """Return which points of a curve are drawn, given where they lie, in order: no more than a figure can show."""
    bins = np.round((across - across[-1]) / ((across[0] - across[-1]) or 1.0) * _MOST_POINTS)
    first = np.ones(len(across), dtype=np.bool_)
    first[1:] = bins[1:] != bins[:-1]
    first[-1] = True
    return np.flatnonzero(first)


def draw_distributions(corpora: Sequence[CorpusStats], path: str) -> None:
    """Write a figure file: for sizes, lengths and distances, the share of each corpus that has at least as much."""
    shown = [(field, title) for field, title in _PANELS.items() if any(getattr(each, field) for each in corpora)]
    figure = drawing.load_figure_class()(figsize=(3.4 * len(shown), 3.2), layout="constrained")
    for place, (field, title) in enumerate(shown):
        axes = figure.add_subplot(1, len(shown), place + 1)
        for each in corpora:
            spread: Spread | None = getattr(each, field)
            if spread is not None and spread.times:
                values, total = sorted(spread.times), sum(spread.times.values())
                below = accumulate((spread.times[value] for value in values[:-1]), initial=0)
                shares = [(total - count) / total for count in below]
                axes.plot(values, shares, drawstyle="steps-pre", marker=".", markersize=3, label=each.name)
        axes.set_xlabel(title)
        axes.set_xscale("symlog", linthresh=10)
        axes.set_yscale("log")
        axes.xaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_major_formatter(lambda share, _: f"{100 * share:g}%")
        axes.grid(visible=True, alpha=0.3)
        if place == 0:
            axes.set_ylabel("at least as many")
            if len(corpora) > 1 and axes.lines:
                axes.legend(fontsize="small", frameon=False)
    drawing.write_figure(figure, path)


def draw_figures(figures: Sequence[StudyFigure], path: str | PathLike[str]) -> None:
    """Write the figures of a study to a file, as `curves` draws them: several in two columns."""
    if len(figures) == 1:
        save(curves(figures[0]), path)
        return
    page_class = drawing.load_figure_class()
    from matplotlib import rc_context  # noqa: PLC0415 - an extra

    rows = (len(figures) + 1) // 2
    width = 0.6 + max(drawing.fit_width(list(_label_curves(figure).values())) for figure in figures)
    with rc_context(drawing.TYPE_SIZES):
        page = page_class(figsize=(2 * width, 2.8 * rows), layout="constrained")
        for place, figure in enumerate(figures, 1):
            curves(figure, ax=page.add_subplot(rows, 2, place))
        drawing.write_figure(page, path, dpi=300)


def save(ax: Axes, path: str | PathLike[str]) -> None:
    """Write the figure of the axes as SVG, PDF or PNG; errors as in `drawing.write_figure`."""
    from matplotlib import rc_context  # noqa: PLC0415 - an extra

    with rc_context(drawing.TYPE_SIZES):
        drawing.write_figure(cast("Figure", ax.figure), path, dpi=300)
