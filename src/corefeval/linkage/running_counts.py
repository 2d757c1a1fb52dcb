"""The counts of measures in every state of a sweep: what a merge changes, added up.

A measure is linear here if its counts are sums over cells and entities, so that a merge changes only the terms of two
entities. Counts that are whole numbers are exact, all others exact and rounded once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from corefeval._arrays import Array, Columns, Floats, Ints
from corefeval._lazy import Frozen, NamedTuple, cached
from corefeval.linkage.exact_sums import sum_floats, sum_fractions
from corefeval.linkage.merging import Merges, Segments, find_largest_between
from corefeval.measures import Measure
from corefeval.measures.base import PROFILE, make_counts
from corefeval.measures.entropy import x_log_x
from corefeval.overlap.cells import count_pairs


class RunningCounts(Frozen):
    """What the table adds up to in every state: columns with a number for each."""

    merges: Merges

    def __init__(self, merges: Merges) -> None:
        self.__dict__.update(merges=merges)

    # How sums run

    @cached
    def merges_until(self) -> Ints:
        """How many merges each state has."""
        return self.merges.count_until(self.merges.state)

    @cached
    def joined_until(self) -> Ints:
        """How many cells have been made one with another in each state."""
        return self.merges.count_until(self.merges.state[self.merges.joined.merge])

    def fill(self, number: int) -> Ints:
        """Return a column with the same number for each state."""
        return np.full(self.merges.states, number, dtype=np.int64)

    def sum_merges(self, change: Ints) -> Ints:
        """Return for each state the sum of what each of its merges changes."""
        return np.append(0, np.cumsum(change))[self.merges_until]

    def sum_joined(self, change: Ints) -> Ints:
        """Return for each state the sum of what cells made one change."""
        return np.append(0, np.cumsum(change))[self.joined_until]

    # The sides

    @cached
    def shared_places(self) -> Ints:
        """For every place of the order, 1 if the key has its record, too, else 0."""
        return (self.merges.key[self.merges.order] >= 0).astype(np.int64)

    @cached
    def shared(self) -> int:
        """How many records key and response share."""
        return int(self.shared_places.sum())

    @cached
    def key_mentions(self) -> int:
        """How many records the key has."""
        return int(self.merges.key_size.sum())

    @cached
    def union(self) -> int:
        """How many records key and response have together."""
        return self.key_mentions + len(self.merges.key) - self.shared

    @cached
    def entities(self) -> Ints:
        """How many response entities there are."""
        return len(self.merges.key) - self.merges_until

    @cached
    def key_pairs(self) -> int:
        """How many pairs of records the key links."""
        return int(count_pairs(self.merges.key_size).sum())

    @cached
    def response_pairs(self) -> Ints:
        """How many pairs of records the response links."""
        return self.sum_merges(self.merges.one.size * self.merges.other.size)

    @cached
    def common_pairs(self) -> Ints:
        """How many pairs of records both link."""
        return self.sum_joined(self.merges.joined.n * self.merges.joined.other_n)

    @cached
    def pairs_apart(self) -> Ints:
        """How many pairs of shared records neither links."""
        key = self.merges.key
        in_key = int(count_pairs(np.bincount(key[key >= 0], minlength=1)).sum())
        one, other = (side.sum(self.shared_places) for side in (self.merges.one, self.merges.other))
        return count_pairs(self.shared) - in_key - self.sum_merges(one * other) + self.common_pairs

    @cached
    def spanning_links(self) -> Ints:
        """How many spanning links both have in common: the shared records less the cells."""
        return self.joined_until

    # The terms that merges change

    @cached
    def cell_size(self) -> Ints:
        """For cells made one, the size of their key entity."""
        return self.merges.key_size[self.merges.joined.key]

    @cached
    def squares(self) -> tuple[Ints, Ints, Ints]:
        """Σ n² of the cells of both entities of every merge before it, and of the entity after it."""
        place = self.merges.other.begin
        joined = self.merges.joined
        more = np.zeros(len(place), dtype=np.int64)
        np.add.at(more, joined.merge, 2 * joined.n * joined.other_n)
        at_border = np.zeros(len(self.merges.key), dtype=np.int64)
        at_border[place] = more
        own = self.shared_places + at_border
        # The border before an entity's first record is none of its own.
        one, other = (side.sum(own) - at_border[side.begin] for side in (self.merges.one, self.merges.other))
        return one, other, one + other + more

    @cached
    def matched_singletons(self) -> tuple[Ints, Ints]:
        """For both entities of every merge, 1 if it is a record alone which is alone in the key, too."""
        key, key_size = self.merges.key[self.merges.order], self.merges.key_size
        alone = np.zeros(len(key), dtype=np.int64)
        known = key >= 0
        alone[known] = key_size[key[known]] == 1
        one, other = ((side.size == 1) * alone[side.begin] for side in (self.merges.one, self.merges.other))
        return one, other

    @cached
    def singletons_before(self) -> int:
        """How many records are alone in the key and, without links, in the response."""
        key = self.merges.key[self.merges.key >= 0]
        return int((self.merges.key_size[key] == 1).sum())

    def sum_by_response(self, terms: tuple[Ints, Ints, Ints], sizes: tuple[Ints, Ints, Ints], before: int) -> Floats:
        """Return for each state Σ term / size over response entities.

        terms, sizes: of both entities of every merge, and of the entity after it. before: the sum without links.
        """
        one, other, both = terms
        numerator = np.stack([-one, -other, both], axis=1).reshape(-1)
        denominator = np.stack(sizes, axis=1).reshape(-1)
        return sum_fractions(
            np.append(before, numerator), np.append(1, denominator), 1 + 3 * self.merges_until
        )  # fmt: skip

    @cached
    def response_sizes(self) -> tuple[Ints, Ints, Ints]:
        """How large both entities of every merge were before it, and the entity after it."""
        one, other = self.merges.one.size, self.merges.other.size
        return one, other, one + other


# The counts of each measure


def _count_mentions(run: RunningCounts) -> Columns:
    """Return mention detection's counts: which records there are does not depend on links."""
    shared = run.fill(run.shared)
    return make_counts(shared, run.fill(run.key_mentions), shared, run.fill(len(run.merges.key)))


def _count_muc(run: RunningCounts) -> Columns:
    """Return MUC's counts."""
    key_links = run.fill(run.key_mentions - len(run.merges.key_size))
    return make_counts(run.spanning_links, key_links, run.spanning_links, run.merges_until)


def _count_bcub(run: RunningCounts) -> Columns:
    """Return B³'s counts."""
    joined = run.merges.joined
    # Without links, each shared record has 1/k of its key entity.
    key = run.merges.key[run.merges.key >= 0]
    sizes, times = np.unique(run.merges.key_size[key], return_counts=True)
    recall = sum_fractions(
        np.append(times, 2 * joined.n * joined.other_n),
        np.append(sizes, run.cell_size),
        len(sizes) + run.joined_until,
    )
    precision = run.sum_by_response(run.squares, run.response_sizes, run.shared)
    return make_counts(recall, run.fill(run.key_mentions), precision, run.fill(len(run.merges.key)))


def _count_lea(run: RunningCounts) -> Columns:
    """Return LEA's counts, importance being size: Σ n (n - 1) / (k - 1), and 1 for equal singletons."""
    joined = run.merges.joined
    alone = run.matched_singletons
    split = run.singletons_before - run.sum_merges(alone[0] + alone[1])
    recall = sum_fractions(2 * joined.n * joined.other_n, run.cell_size - 1, run.joined_until, split)
    shared = [side.sum(run.shared_places) for side in (run.merges.one, run.merges.other)]
    one, other, both = run.squares
    terms = one - shared[0] + alone[0], other - shared[1] + alone[1], both - shared[0] - shared[1]
    sizes = tuple(np.maximum(size - 1, 1) for size in run.response_sizes)
    precision = run.sum_by_response(terms, (sizes[0], sizes[1], sizes[2]), run.singletons_before)
    return make_counts(recall, run.fill(run.key_mentions), precision, run.fill(len(run.merges.key)))


def _count_pairwise(run: RunningCounts) -> Columns:
    """Return the counts of pairs that are linked."""
    return make_counts(run.common_pairs, run.fill(run.key_pairs), run.common_pairs, run.response_pairs)


def _count_blanc(run: RunningCounts) -> Columns:
    """Return BLANC's six counts of links."""
    return {
        "key_coreference": run.fill(run.key_pairs),
        "response_coreference": run.response_pairs,
        "common_coreference": run.common_pairs,
        "key_noncoreference": run.fill(count_pairs(run.key_mentions) - run.key_pairs),
        "response_noncoreference": count_pairs(len(run.merges.key)) - run.response_pairs,
        "common_noncoreference": run.pairs_apart,
    }


def _count_rand(run: RunningCounts) -> Columns:
    """Return the counts of pairs for the Rand indices and correlations."""
    return {"all_pairs": run.fill(count_pairs(run.union)), **_count_linked_pairs(run)}


def _count_linked_pairs(run: RunningCounts) -> Columns:
    """Return the counts of linked pairs for the indices of Fowlkes and Mallows, and of Jaccard."""
    return {
        "key_pairs": run.fill(run.key_pairs),
        "response_pairs": run.response_pairs,
        "common_pairs": run.common_pairs,
    }


def _count_operations(run: RunningCounts) -> Columns:
    """Return the counts of spanning links for the merge distance."""
    return {
        "common": run.spanning_links,
        "key": run.fill(run.key_mentions - len(run.merges.key_size)),
        "response": run.merges_until,
    }


def _count_kappa(run: RunningCounts) -> Columns:
    """Return kappa's counts of spanning links."""
    return {**_count_operations(run), "possible": run.fill(max(run.union - 1, 0))}


def _count_core(run: RunningCounts) -> Columns:
    """Return the counts of core classes."""
    joined, place = run.merges.joined, run.merges.other.begin
    key = run.sum_joined(_find_growth(joined.key, joined.n + joined.other_n))
    made = np.ones(len(place), dtype=np.int64)
    np.maximum.at(made, joined.merge, joined.n + joined.other_n)
    at_border = np.ones(len(run.merges.key) + 1, dtype=np.int64)
    at_border[place] = made
    one, other = (_find_largest(at_border, side) for side in (run.merges.one, run.merges.other))
    response = run.sum_merges(np.maximum(np.maximum(one, other), made) - one - other + 1)
    return make_counts(
        key, run.fill(run.key_mentions - len(run.merges.key_size)), response, run.merges_until
    )  # fmt: skip


def _find_largest(at_border: Ints, side: Segments) -> Ints:
    """Return for each segment the largest value at the borders within it; 1 where there are none."""
    largest = np.ones(len(side.begin), dtype=np.int64)
    several = side.size > 1
    largest[several] = find_largest_between(at_border, side.begin[several] + 1, side.end[several])
    return largest


def _find_growth(group: Ints, values: Ints) -> Ints:
    """Return by how much each value exceeds the largest one before it in its group, which is 1 at first; at least 0."""
    order = np.argsort(group, kind="stable")
    width = int(values.max(initial=1)) + 1
    # Groups lie one above the other, so that the largest value so far is that of the own group.
    level = group[order] * width
    reached = np.maximum.accumulate(level + np.maximum(values[order], 1)) - level
    begins = np.ones(len(order), dtype=np.bool_)
    begins[1:] = group[order[1:]] != group[order[:-1]]
    before = np.where(begins, 1, np.append(1, reached[:-1]))
    growth = np.empty(len(order), dtype=np.int64)
    growth[order] = reached - before
    return growth


def _count_entropy(run: RunningCounts) -> Columns:
    """Return Σ x log x of key entities, response entities and cells."""
    joined, one, other = run.merges.joined, run.merges.one.size, run.merges.other.size
    sizes = run.merges.key_size
    key = sum_floats(x_log_x(sizes), np.array([len(sizes)]))
    return {
        "mentions": run.fill(run.union),
        "key": np.full(run.merges.states, key[0]),
        "response": _sum_changes(one, other, run.merges_until),
        "common": _sum_changes(joined.n, joined.other_n, run.joined_until),
    }


def _sum_changes(one: Ints, other: Ints, until: Ints) -> Floats:
    """Return the sums of the changes of Σ x log x, where x and y become x + y."""
    gained = x_log_x(one + other)
    lost = np.stack([x_log_x(one), x_log_x(other)], axis=1).reshape(-1)
    return sum_floats(np.stack([gained, -lost[::2], -lost[1::2]], axis=1).reshape(-1), 3 * until)


class LinearMeasure(NamedTuple):
    """How a measure is counted in every state, and which values of parameters it may have other than the defaults."""

    count_run: Callable[[RunningCounts], Columns]
    free: Mapping[str, tuple[object, ...] | None]


_ANY = {"undefined": None, "beta": None, "twinless": None}

LINEAR: Mapping[str, LinearMeasure] = {
    "mentions": LinearMeasure(_count_mentions, _ANY),
    "muc": LinearMeasure(_count_muc, _ANY),
    "bcub": LinearMeasure(_count_bcub, _ANY),
    "blanc": LinearMeasure(_count_blanc, {**_ANY, "alpha": None, "boundary": (PROFILE, "key", "both", "none")}),
    "lea": LinearMeasure(_count_lea, _ANY),
    "pairwise": LinearMeasure(_count_pairwise, _ANY),
    "rand": LinearMeasure(_count_rand, _ANY),
    "adjusted_rand": LinearMeasure(_count_rand, _ANY),
    "matthews": LinearMeasure(_count_rand, _ANY),
    "correlation_distance": LinearMeasure(_count_rand, _ANY),
    "fowlkes_mallows": LinearMeasure(_count_linked_pairs, _ANY),
    "jaccard": LinearMeasure(_count_linked_pairs, _ANY),
    "entropy": LinearMeasure(_count_entropy, _ANY),
    "nmi": LinearMeasure(_count_entropy, {**_ANY, "mean": None}),
    "vi": LinearMeasure(_count_entropy, _ANY),
    "core": LinearMeasure(_count_core, _ANY),
    "kappa": LinearMeasure(_count_kappa, _ANY),
    "merge_distance": LinearMeasure(_count_operations, {**_ANY, "split": None, "merge": None}),
}
"""The linear measures by name. A parameter that is free may have any of these values, None: any value at all."""


def is_linear(measure: Measure) -> bool:
    """Return whether a measure, with its parameters, can be counted in every state at once."""
    known = LINEAR.get(measure.name)
    if known is None or measure.rewrite:
        return False
    for name, parameter in measure.parameters.items():
        value = getattr(measure, name)
        allowed = known.free.get(name, ())
        if not parameter.is_default(value) and allowed is not None and value not in allowed:
            return False
    return True


def count_states(measure: Measure, run: RunningCounts) -> dict[str, Array]:
    """Return the columns of a linear measure's counts: a number for each state."""
    return dict(LINEAR[measure.name].count_run(run))
