"""Scores by the size of entities, and by the distance to the antecedent, in the bins of `corefeval.analysis.fields`.

By size: the mean B³ credit of the mentions of a size (recall of the key's, precision of the response's), as in
`Analysis.breakdown("size")`. By distance: of the links from each key mention to the one of its entity before it, the
share that the response has in one entity, too (recall); of those of the response, the share that the key has
(precision). A breakdown by distance has the credit of mentions, which depends on all links of their entity, not on
that one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.analysis.breakdowns.fields import SIZES, distances, labels
from corefeval.analysis.costs.sides import seen
from corefeval.analysis.subject import subject
from corefeval.analysis.subsets import rows_of
from corefeval.errors import OptionError
from corefeval.measures.shared.mentions import twins
from corefeval.show.plots.drawing import LINE, axes, legend, legible, plain, short, style

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefeval._arrays import Floats, Ints
    from corefeval.analysis.breakdowns.fields import Distances
    from corefeval.overlap.cells import Rows
    from corefeval.scoring.results import Evaluation
    from corefeval.show.plots.drawing import Ax


class Bins(NamedTuple):
    """The mean of what falls into bins (nan where nothing does), and how much does."""

    mean: Floats
    many: Ints


def binned(place: Ints, credit: Floats, count: int) -> Bins:
    """Credits by the number of their bin."""
    many = np.bincount(place, minlength=count)
    total = np.bincount(place, weights=credit, minlength=count)
    return Bins(np.divide(total, many, out=np.full(count, np.nan), where=many > 0), many)


@legible
def by_size(evaluations: Mapping[str, Evaluation], *, ax: Ax | None = None) -> Ax:
    """Mean B³ credit by the number of mentions of the entity."""
    found = {name: credit_by_size(each) for name, each in evaluations.items()}
    return _drawn(found, [0, *(bound for bound, _ in SIZES)], "mentions in the entity", "mean B³ credit (%)", ax)


def credit_by_size(evaluation: Evaluation) -> list[Bins]:
    """Of the key's mentions and of the response's; twins are where the key's entity is."""
    evaluation = subject(evaluation).evaluation
    sizes = labels(evaluation, rows_of(evaluation), "size")
    number = {label: place for place, label in enumerate(sizes.order)}
    return [
        binned(np.array([number[label] for label in own], dtype=np.int64), side.credit / side.size, len(number))
        for own, side in zip((sizes.key, sizes.response), seen(evaluation)[:2], strict=True)
    ]


@legible
def by_distance(evaluations: Mapping[str, Evaluation], *, ax: Ax | None = None) -> Ax:
    """Links to the nearest antecedent that are right, by how far it is."""
    rows = {name: rows_of(subject(each).evaluation) for name, each in evaluations.items()}
    far = {name: distances(each) for name, each in rows.items()}
    units = {each.unit: each.bins for each in far.values()}
    if len(units) != 1:
        raise OptionError("some responses have sentences and others have not: draw their distances one by one")
    ((unit, bins),) = units.items()
    bounds = [bound for bound, _ in bins]
    found = {
        name: [
            binned(np.searchsorted(bounds, much) - 1, right, len(bins) - 1) for much, right in links(rows[name], each)
        ]
        for name, each in far.items()
    }
    return _drawn(found, bounds, f"distance to the antecedent, in {unit}s", "links right (%)", ax)


def links(rows: Rows, found: Distances) -> list[tuple[Ints, Floats]]:
    """For both sides, of every mention with one before it: how far that is, and whether the other side has the link."""
    listed = []
    for before, far, twin, other in zip(found.before, found.far, twins(rows), (rows.response, rows.key), strict=True):
        after = np.flatnonzero(before >= 0)
        there = np.where(twin >= 0, np.append(other.entity, -1)[twin], -1)
        right = (there[after] >= 0) & (there[after] == there[before[after]])
        listed.append((far[after], right.astype(np.float64)))
    return listed


def _drawn(found: Mapping[str, list[Bins]], bounds: Sequence[int], across: str, up: str, ax: Ax | None) -> Ax:
    several = len(found) > 1
    ax = axes(ax, height=2.5 + LINE * (len(found) + 1 if several else 0))
    handles = []
    for place, (name, bins) in enumerate(found.items()):
        for side, line, each in zip(("recall", "precision"), ("-", "--"), bins, strict=True):
            label = short(name) if several else side
            (drawn,) = ax.plot(100 * each.mean, linestyle=line, linewidth=1.4, markersize=4.5, label=label,
                               markerfacecolor=None if line == "-" else "white", **style(place))  # fmt: skip
            handles += [drawn] if line == "-" or not several else []
    named = list(map(_named, bounds[:-2], bounds[1:-1]))
    ax.set_xticks(range(len(named) + 1), [*named, f"{bounds[-2] + 1}+"])
    ax.set(xlabel=f"{across}\n(solid: recall, dashed: precision)" if several else across, ylabel=up, ylim=(0, 103))
    plain(ax, grid="y")
    legend(ax, columns=1 if several else 2, handles=handles)
    return ax


def _named(below: int, last: int) -> str:
    return str(last) if last == below + 1 else f"{below + 1}–{last}"
