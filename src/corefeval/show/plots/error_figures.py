"""Figures of errors: by type, by the size of entities, and by the distance to the antecedent.

By size: the mean B³ credit of the mentions of a size (recall of the key's, precision of the response's), as in
`Analysis.breakdown("size")`. By distance: of the links from each key mention to the one of its entity before it, the
share that the response has in one entity, too (recall); of those of the response, the share that the key has
(precision). A breakdown by distance has the credit of mentions, which depends on all links of their entity, not on
that one.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.analysis.breakdowns.fields import SIZES, label_mentions, measure_distances_before
from corefeval.analysis.costs.sides import view_sides
from corefeval.analysis.subsets import get_rows, prepare_subject
from corefeval.errors import OptionError
from corefeval.measures.shared.mentions import twins
from corefeval.show.pages import errors as analysed
from corefeval.show.plots.drawing import (
    COLOURS,
    LINE,
    add_legend,
    choose_hatch,
    choose_style,
    fit_width,
    make_axes,
    remove_box,
    shorten_name,
    with_type_sizes,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefeval._arrays import Floats, Ints
    from corefeval.analysis.breakdowns.fields import Distances
    from corefeval.overlap.views import Rows
    from corefeval.scoring.results import Evaluation
    from corefeval.show.plots.drawing import Ax

    Counts = Mapping[str, Counter[str]]

_FEW_SYSTEMS = 5  # systems whose bars can be told apart beside each other


@with_type_sizes
def errors(evaluations: Mapping[str, Evaluation], *, ax: Ax | None = None) -> Ax:
    """Draw how many errors of each type systems make: bars, or a shaded table of many systems."""
    counted = {name: Counter(error.kind for error in analysed.list_errors(each)) for name, each in evaluations.items()}
    return _draw_bars(counted, ax) if len(counted) <= _FEW_SYSTEMS else _draw_shades(counted, ax)


def _draw_bars(counted: Counts, ax: Ax | None) -> Ax:
    kinds = analysed.KINDS
    ax = make_axes(ax, height=0.8 + LINE * len(counted) + 0.17 * len(kinds) * (len(counted) + 0.6))
    height = 0.8 / max(1, len(counted))
    rows = np.arange(len(kinds))[::-1]
    for place, (name, counts) in enumerate(counted.items()):
        values = [counts[kind.name] for kind in kinds]
        at = rows + 0.4 - height * (place + 0.5)
        bars = ax.barh(at, values, height=height * 0.92, color=COLOURS[place % len(COLOURS)], label=shorten_name(name),
                       hatch=choose_hatch(place), edgecolor="white", linewidth=0)  # fmt: skip
        ax.bar_label(bars, fmt="{:,.0f}", padding=2, fontsize=7)
    ax.set_yticks(rows, [kind.title for kind in kinds])
    ax.set_xlabel("errors")
    ax.margins(x=0.12)
    ax.locator_params(axis="x", integer=True)
    ax.set_xlim(left=0, right=None if any(sum(each.values()) for each in counted.values()) else 1)
    remove_box(ax, grid="x")
    if len(counted) > 1:
        add_legend(ax)
    return ax


def _draw_shades(counted: Counts, ax: Ax | None) -> Ax:
    """Draw a row for each system, a column for each type, the darker the more errors."""
    kinds = analysed.KINDS
    values = np.array([[counts[kind.name] for kind in kinds] for counts in counted.values()])
    ax = make_axes(ax, width=fit_width(list(counted)) + 1.2, height=1.5 + 0.22 * len(counted))
    ax.imshow(values, cmap="Blues", vmin=0, vmax=max(1, int(values.max())), aspect="auto")
    for (row, column), value in np.ndenumerate(values):
        ax.annotate(f"{value:,}", (column, row), ha="center", va="center", fontsize=7,
                    color="white" if value > values.max() / 2 else "black")  # fmt: skip
    ax.set_xticks(range(len(kinds)), [kind.title for kind in kinds], rotation=45, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(len(counted)), [shorten_name(name) for name in counted])
    ax.tick_params(length=0)
    for side in ax.spines.values():
        side.set_visible(False)
    ax.set_title("errors by type")
    return ax


class Bins(NamedTuple):
    """The mean of what falls into each bin (nan for an empty one), and how much does."""

    mean: Floats
    many: Ints


def average_bins(place: Ints, credit: Floats, count: int) -> Bins:
    """Return the mean credit in each of `count` bins, and how many credits fall into it."""
    many = np.bincount(place, minlength=count)
    total = np.bincount(place, weights=credit, minlength=count)
    return Bins(np.divide(total, many, out=np.full(count, np.nan), where=many > 0), many)


@with_type_sizes
def by_size(evaluations: Mapping[str, Evaluation], *, ax: Ax | None = None) -> Ax:
    """Draw the mean B³ credit by the number of mentions of the entity."""
    found = {name: average_credit_by_size(each) for name, each in evaluations.items()}
    return _draw_curves(found, [0, *(bound for bound, _ in SIZES)], "mentions in the entity", "mean B³ credit (%)", ax)


def average_credit_by_size(evaluation: Evaluation) -> list[Bins]:
    """Return the mean B³ credit of the key's and of the response's mentions, by the size of the key's entity."""
    evaluation = prepare_subject(evaluation).evaluation
    sizes = label_mentions(evaluation, get_rows(evaluation), "size")
    number = {label: place for place, label in enumerate(sizes.order)}
    return [
        average_bins(np.array([number[label] for label in own], dtype=np.int64), side.credit / side.size, len(number))
        for own, side in zip((sizes.key, sizes.response), view_sides(evaluation)[:2], strict=True)
    ]


@with_type_sizes
def by_distance(evaluations: Mapping[str, Evaluation], *, ax: Ax | None = None) -> Ax:
    """Draw how many links to the nearest antecedent are right, by its distance."""
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
    return _draw_curves(found, bounds, f"distance to the antecedent, in {unit}s", "links right (%)", ax)


def judge_links(rows: Rows, found: Distances) -> list[tuple[Ints, Floats]]:
    """Return for both sides, of every mention with an antecedent: its distance, and whether the link is right."""
    listed = []
    for before, far, twin, other in zip(found.before, found.far, twins(rows), (rows.response, rows.key), strict=True):
        after = np.flatnonzero(before >= 0)
        there = np.where(twin >= 0, np.append(other.entity, -1)[twin], -1)
        right = (there[after] >= 0) & (there[after] == there[before[after]])
        listed.append((far[after], right.astype(np.float64)))
    return listed


def _draw_curves(found: Mapping[str, list[Bins]], bounds: Sequence[int], across: str, up: str, ax: Ax | None) -> Ax:
    """Draw recall and precision of every system by bin."""
    several = len(found) > 1
    ax = make_axes(ax, height=2.5 + LINE * (len(found) + 1 if several else 0))
    handles = []
    for place, (name, bins) in enumerate(found.items()):
        for side, line, each in zip(("recall", "precision"), ("-", "--"), bins, strict=True):
            label = shorten_name(name) if several else side
            (drawn,) = ax.plot(100 * each.mean, linestyle=line, linewidth=1.4, markersize=4.5, label=label,
                               markerfacecolor=None if line == "-" else "white", **choose_style(place))  # fmt: skip
            handles += [drawn] if line == "-" or not several else []
    named = list(map(_name_bin, bounds[:-2], bounds[1:-1]))
    ax.set_xticks(range(len(named) + 1), [*named, f"{bounds[-2] + 1}+"])
    ax.set(xlabel=f"{across}\n(solid: recall, dashed: precision)" if several else across, ylabel=up, ylim=(0, 103))
    remove_box(ax, grid="y")
    add_legend(ax, columns=1 if several else 2, handles=handles)
    return ax


def _name_bin(below: int, last: int) -> str:
    return str(last) if last == below + 1 else f"{below + 1}–{last}"
