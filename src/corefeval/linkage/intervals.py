"""How sure a best threshold is: key entities are drawn anew, and the best threshold is looked for each time.

An entity is drawn with its records, and these keep their response entities as they are. So what one draw counts is the
sum of what its key entities count: of a response entity each record has an equal share. Large truths are divided into
groups at random, which are drawn instead of entities: the spread is the same, up to the number of groups.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np

from corefeval._arrays import Array, Booleans, Floats, Ints
from corefeval._lazy import NamedTuple
from corefeval.measures import Measure
from corefeval.measures.base import COUNTS
from corefeval.notices import report_progress

GROUPS = 1000
"""Into how many groups the entities are divided where there are more."""


class Clusterings(Protocol):
    """Responses to one key, each a state."""

    @property
    def ordered_key(self) -> Ints:
        """The key entity of every record, -1 for none, in an order of its own."""

    @property
    def key_size(self) -> Ints:
        """Of every key entity."""

    def find_ordered_entities(self, state: int) -> Ints:
        """Return the response entity of every record in a state, in the order of `ordered_key`, in any numbering."""


class _Cells(NamedTuple):
    """The cells of a state, and how large their entities are."""

    n: Ints
    k: Ints
    r: Ints


def _share_muc(cells: _Cells) -> tuple[Array, Array]:
    """Return what each cell adds to MUC's recall and precision."""
    return cells.n - 1, cells.n - 1


def _share_bcub(cells: _Cells) -> tuple[Array, Array]:
    """Return what each cell adds to B³'s recall and precision."""
    return cells.n**2 / cells.k, cells.n**2 / cells.r


def _share_lea(cells: _Cells) -> tuple[Array, Array]:
    """Return what each cell adds to LEA's recall and precision."""
    links = cells.n * (cells.n - 1) + (cells.k + cells.r == 2)
    return links / np.maximum(cells.k - 1, 1), links / np.maximum(cells.r - 1, 1)


def _share_pairwise(cells: _Cells) -> tuple[Array, Array]:
    """Return what each cell adds to pairwise recall and precision."""
    pairs = cells.n * (cells.n - 1) / 2
    return pairs, pairs


SHARED_OUT: Mapping[str, tuple[Callable[[_Cells], tuple[Array, Array]], Callable[[Ints], Array]]] = {
    "muc": (_share_muc, lambda size: size - 1),
    "bcub": (_share_bcub, lambda size: size),
    "lea": (_share_lea, lambda size: size),
    "pairwise": (_share_pairwise, lambda size: size * (size - 1) / 2),
}
"""The measures whose counts are sums over entities alone: what each cell adds, and the whole of an entity by size."""


def find_threshold_intervals(
    clusterings: Clusterings,
    states: Sequence[int],
    measures: Sequence[Measure],
    *,
    resamples: int,
    confidence: float,
    seed: int,
) -> dict[str, tuple[int, int]]:
    """Return for each measure the states between which the best one lies in most draws; {} without resamples.

    states: those among which the best is looked for, in order. Measures that cannot be shared out are left out.
    """
    chosen = [measure for measure in measures if measure.name in SHARED_OUT]
    if not chosen or not resamples or len(states) < 2:
        return {}
    random = np.random.default_rng(seed)
    units = len(clusterings.key_size)
    groups = min(GROUPS, units)
    group = random.permutation(units) % groups
    counts = _count_by_group(clusterings, states, chosen, group, groups, random)
    weights = random.multinomial(groups, np.full(groups, 1 / groups), size=resamples).astype(np.float64)
    tail = (1 - confidence) / 2
    found = {}
    for measure in chosen:
        drawn = {name: weights @ columns for name, columns in counts[str(measure)].items()}
        best = np.argmax(measure.score(drawn)[measure.main], axis=1)
        low, high = np.quantile(best, [tail, 1 - tail], method="inverted_cdf").tolist()
        found[str(measure)] = states[low], states[high]
    return found


def _count_by_group(
    clusterings: Clusterings,
    states: Sequence[int],
    measures: Sequence[Measure],
    group: Ints,
    groups: int,
    random: np.random.Generator,
) -> Mapping[str, Mapping[str, Floats]]:
    """Return for each measure its four counts, each a table with a row for each group and a column for each state."""
    counts = {str(measure): {name: np.zeros((groups, len(states))) for name in COUNTS} for measure in measures}
    key, size = clusterings.ordered_key, clusterings.key_size
    known = key >= 0
    every_one_known = bool(known.all())
    # A record that the key lacks is drawn on its own.
    record_group = group[key] if every_one_known else np.where(known, group[key], random.integers(0, groups, len(key)))
    for measure in measures:
        whole = SHARED_OUT[measure.name][1]
        of_key = np.bincount(group, weights=whole(size), minlength=groups)
        counts[str(measure)][COUNTS[1]][:] = of_key[:, None]
    for place, state in enumerate(states):
        report_progress("drawing entities", place, len(states))
        entity = clusterings.find_ordered_entities(state)
        response_size = np.bincount(entity)
        pair = key * len(response_size) + entity
        pair, n = np.unique(pair if every_one_known else pair[known], return_counts=True)
        cell_key = pair // len(response_size)
        cells = _Cells(n, size[cell_key], response_size[pair - cell_key * len(response_size)])
        cell_group, own = group[cell_key], response_size[entity]
        for measure in measures:
            share, whole = SHARED_OUT[measure.name]
            columns = counts[str(measure)]
            for name, values in zip((COUNTS[0], COUNTS[2]), share(cells), strict=True):
                columns[name][:, place] = np.bincount(cell_group, weights=values, minlength=groups)
            columns[COUNTS[3]][:, place] = np.bincount(record_group, weights=whole(own) / own, minlength=groups)
    return counts


def choose_grid(entities: Ints, curves: Mapping[str, Floats], most: int) -> list[int]:
    """Return at most about `most` states, in order: spread over the merges, and closer where a curve is near its best.

    entities: of every state. curves: of each measure, its score in every state.
    """
    count = len(entities)
    if count <= most:
        return list(range(count))
    chosen = set(_spread(entities, np.ones(count, dtype=np.bool_), most // 2))
    for curve in curves.values():
        best = int(np.argmax(curve))
        near = curve >= curve[best] - 0.05 * abs(curve[best])
        chosen |= {best, *_spread(entities, near, most // (2 * len(curves)))}
    return sorted(chosen)


def _spread(entities: Ints, among: Booleans, count: int) -> list[int]:
    """Return about `count` of these states, between which about as many entities have been merged."""
    states = np.flatnonzero(among)
    wanted = np.linspace(entities[states[0]], entities[states[-1]], max(count, 2))
    place = np.searchsorted(-entities[states], -wanted)
    return np.unique(states[np.minimum(place, len(states) - 1)]).tolist()
