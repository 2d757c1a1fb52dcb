"""Scores by the size of entities, and by the distance to the antecedent.

By size: the mean B³ credit of the mentions of key entities of a size (recall), and of response entities (precision).
By distance: of the links from each key mention to the one of its entity before it, the share that the response has in
one entity, too (recall); of those of the response, the share that the key has (precision).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.errors import OptionError
from corefeval.mentions import Spans
from corefeval.pages.errors import mentions_of
from corefeval.plots.drawing import axes, legend, legible, plain, style

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefeval.arrays import Floats, Ints
    from corefeval.cells import Rows
    from corefeval.corpus import Corpus
    from corefeval.plots.drawing import Ax
    from corefeval.results import Evaluation

SIZES = (1, 2, 3, 5, 9, 17, 33)
SENTENCES = (0, 1, 2, 3, 5, 9)
PLACES = (0, 10, 25, 50, 100, 200)
"""The lower ends of bins of sizes, of distances in sentences, and of distances in words (or characters)."""


class Bins(NamedTuple):
    """The mean of what falls between the ends of bins (nan where nothing does), and how much does."""

    mean: Floats
    many: Ints


def binned(value: Ints, credit: Floats, ends: tuple[int, ...]) -> Bins:
    """Credits by bins of values."""
    place = np.searchsorted(np.array(ends), value, side="right") - 1
    count = np.bincount(place, minlength=len(ends))
    total = np.bincount(place, weights=credit, minlength=len(ends))
    return Bins(np.divide(total, count, out=np.full(len(ends), np.nan), where=count > 0), count)


@legible
def by_size(evaluations: Mapping[str, Evaluation], *, ax: Ax | None = None) -> Ax:
    """Mean B³ credit by the number of mentions of the entity."""
    found = {}
    for name, each in evaluations.items():
        table = each.table
        found[name] = [
            _size_bins(table.key.size, table.cell_key, table.n),
            _size_bins(table.response.size, table.cell_response, table.n),
        ]
    return _drawn(found, SIZES, "mentions in the entity", "mean B³ credit (%)", ax)


def _size_bins(size: Ints, entity: Ints, n: Ints) -> Bins:
    """Of k mentions of an entity, those of a part of n have a credit of n/k each: n²/k in all."""
    credit = np.bincount(entity, weights=n.astype(np.float64) ** 2, minlength=len(size)) / np.maximum(size, 1) ** 2
    return binned(np.repeat(size, size), np.repeat(credit, size), SIZES)


@legible
def by_distance(evaluations: Mapping[str, Evaluation], *, ax: Ax | None = None) -> Ax:
    """Links to the nearest antecedent that are right, by how far it is."""
    found, unit, ends = {}, "words", SENTENCES
    for name, each in evaluations.items():
        rows = mentions_of(each)
        in_sentences = rows.key.tokens is not None and rows.response.tokens is not None
        unit, ends = ("sentences", SENTENCES) if in_sentences else (f"{rows.key.unit}s", PLACES)
        found[name] = [
            binned(*_links(rows.key, rows.response, *_twins(rows)), ends),
            binned(*_links(rows.response, rows.key, *_twins(rows)[::-1]), ends),
        ]
    return _drawn(found, ends, f"distance to the antecedent, in {unit}", "links right (%)", ax)


def _twins(rows: Rows) -> tuple[Ints, Ints]:
    return rows.twin_key, rows.twin_response


def _links(corpus: Corpus, other: Corpus, twin: Ints, twin_there: Ints) -> tuple[Ints, Floats]:
    """For every mention with one before it in its entity: how far that is, and whether the other side has the link."""
    own = corpus.in_own_words()
    if not isinstance(own.mentions, Spans):
        raise OptionError("distances need mentions with places; those of labels are not known")
    order = np.lexsort((own.mentions.end, own.mentions.start, corpus.entity))
    linked = np.flatnonzero(np.diff(corpus.entity[order]) == 0)
    before, after = order[linked], order[linked + 1]
    there = np.full(len(corpus), -1, dtype=np.int64)
    there[twin] = other.entity[twin_there]
    right = (there[before] >= 0) & (there[before] == there[after])
    place = own.mentions.start
    if own.tokens is not None:
        place = own.tokens.sentence[own.tokens.bounds[corpus.document] + own.mentions.start]
    return place[after] - place[before], right.astype(np.float64)


def _drawn(found: Mapping[str, list[Bins]], ends: tuple[int, ...], across: str, up: str, ax: Ax | None) -> Ax:
    ax = axes(ax, height=2.5 + 0.3 * len(found))
    for place, (name, bins) in enumerate(found.items()):
        for side, line, each in zip(("recall", "precision"), ("-", "--"), bins, strict=True):
            label = side if len(found) == 1 else f"{name}, {side}"
            ax.plot(100 * each.mean, linestyle=line, linewidth=1.4, markersize=4.5, label=label,
                    markerfacecolor=None if line == "-" else "white", **style(place))  # fmt: skip
    ax.set_xticks(range(len(ends)), [_named(ends, at) for at in range(len(ends))])
    ax.set(xlabel=across, ylabel=up, ylim=(0, 103))
    plain(ax, grid="y")
    legend(ax, columns=1 if len(found) > 1 else 2)
    return ax


def _named(ends: tuple[int, ...], at: int) -> str:
    if at == len(ends) - 1:
        return f"{ends[at]}+"
    last = ends[at + 1] - 1
    return str(ends[at]) if last == ends[at] else f"{ends[at]}–{last}"
