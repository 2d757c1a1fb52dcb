"""Resampling within one table: its connected components take the place of documents.

Entities of the key and of all responses that share mentions, directly or by way of others, form a component. Nothing
that any measure here counts reaches from one component into another, so counts add up over components as they do over
documents, for precision, too, and for alignments. Components that count the same in all respects are one row of counts,
which says how many it stands for: there are few different ones, even of millions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from corefeval._arrays import Array, Floats, Ints, invert_permutation
from corefeval.comparison.systems import COMPONENT, Sample, SystemSamples, Units
from corefeval.errors import OptionError
from corefeval.measures import Measure, resolve_measures
from corefeval.notices import Notice
from corefeval.overlap.components import Components, find_components
from corefeval.overlap.overlap import Overlap, Side
from corefeval.overlap.views import Tables, Views
from corefeval.scoring.counting import Counter
from corefeval.scoring.results import Evaluation, sum_counts

_ROUNDING = 1e-9  # of sums of floating-point counts in another order, as a share of them
_NO_SUM = "no sum over components, as mentions of different ones count together"
_MIXED = np.uint64(0x9E3779B97F4A7C15)


def sample_components(
    evaluations: Mapping[str, tuple[Evaluation, ...]], measures: tuple[Measure, ...], *, may_drop: bool
) -> tuple[list[SystemSamples], Units, tuple[Notice, ...]]:
    """Return the samples of systems by components, these, and notices of measures left out as no sums over these.

    An OptionError for those measures unless `may_drop`, and where mentions are in several entities or shared in part.
    """
    runs = [run for each in evaluations.values() for run in each]
    tables = [_get_table(run) for run in runs]
    components = find_components(tables)
    counted = [
        _ComponentCounter(run, regroup_table(table, components.key, own, components.total))
        for run, table, own in zip(runs, tables, components.responses, strict=True)
    ]
    kept = tuple(measure for measure in measures if all(each.adds_up(measure) for each in counted))
    left_out = ", ".join(str(measure) for measure in measures if measure not in kept)
    if left_out and (not may_drop or not kept):
        raise OptionError(f"{left_out}: {_NO_SUM}; compare by other measures, or resample=documents")
    columns = [column for each in counted for measure in kept for column in each.count(measure).values()]
    first, rows = number_equal_rows(columns)
    systems, left = [], iter(counted)
    for name, each in evaluations.items():
        own = [next(left) for _ in each]
        samples = {measure: tuple(one.sample(measure, first, rows) for one in own) for measure in kept}
        systems.append(SystemSamples(name, tuple(one.select(kept) for one in own), samples))
    notices = (Notice("no-components", f"{left_out}: {_NO_SUM}; left out"),) if left_out else ()
    return systems, Units(COMPONENT, components.total, _make_namer(tables[0], components), rows), notices


class _ComponentCounter:
    """Counts with any measure on the table of a run, in which components have taken the place of documents."""

    def __init__(self, run: Evaluation, table: Overlap) -> None:
        self.run = run
        skipped = run.overlaps.skipped_singletons
        self._counter = Counter(Tables(Views(table), skipped_singletons=skipped))

    def select(self, measures: tuple[Measure, ...]) -> Evaluation:
        """Return the evaluation of the run by these measures only."""
        return replace(self.run, measures=resolve_measures(measures, self.run.options))

    def count(self, measure: Measure) -> dict[str, Floats]:
        """Return the counts of a measure by component."""
        counts = self._counter.count(measure.apply_options(self.run.options))
        return {name: np.atleast_1d(np.asarray(column)).astype(np.float64) for name, column in counts.items()}

    def adds_up(self, measure: Measure) -> bool:
        """Return whether a measure's counts by component add up to those of the whole table."""
        if measure.needs_mentions:
            return False
        whole, own = sum_counts(self.run.count(measure.apply_options(self.run.options))), self.count(measure)
        return all(
            abs(float(own[name].sum()) - total) <= _ROUNDING * max(1.0, abs(total)) for name, total in whole.items()
        )

    def sample(self, measure: Measure, first: Ints, rows: Ints) -> Sample:
        """Return the sample of a measure: the counts of the component in each row `first`; `rows` of all components."""
        columns = {name: column[first] for name, column in self.count(measure).items()}
        own = measure.apply_options(self.run.options)
        return Sample(own, np.column_stack(list(columns.values())), tuple(columns), macro=False, rows=rows)


def _get_table(run: Evaluation) -> Overlap:
    """Return the table of an evaluation; OptionError if scores are averaged, or it is not one plain table."""
    views = run.overlaps.views
    if run.options.average != "micro":
        raise OptionError("resample=components takes scores of the whole table: average=micro")
    plain = run.overlaps.splits is None and run.overlaps.before is None
    if not plain or views.has_repeats or views.has_partial_credit or views.recall_sets is not views.table:
        raise OptionError(
            "resample=components takes mentions that are in one entity each and match or do not; "
            "here some are in several entities, shared in part, or split antecedents"
        )
    return views.table


def regroup_table(table: Overlap, key: Ints, response: Ints, components: int) -> Overlap:
    """Return the table with components in place of documents, given those of its key and response entities."""
    orders = [np.argsort(each, kind="stable") for each in (key, response)]
    sides = [
        Side(side.size[order], component[order], components)
        for side, order, component in zip((table.key, table.response), orders, (key, response), strict=True)
    ]
    new_key, new_response = (
        invert_permutation(order)[entity]
        for order, entity in zip(orders, (table.cells.key, table.cells.response), strict=True)
    )
    order = np.argsort(new_key, kind="stable")
    columns = vars(table.cells) | {"key": new_key, "response": new_response}
    cells = type(table.cells)(**{name: column[order] for name, column in columns.items()})
    return Overlap(sides[0], sides[1], cells)


def number_equal_rows(columns: Sequence[Array]) -> tuple[Ints, Ints]:
    """Return two arrays for columns side by side: the first row of each kind, and for every row the number of its kind.

    >>> number_equal_rows([np.array([1.0, 2, 1]), np.array([5.0, 5, 5])])
    (array([0, 1]), array([0, 1, 0]))
    """
    mixed = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        mixed = (mixed ^ np.ascontiguousarray(column, dtype=np.float64).view(np.uint64)) * _MIXED
        mixed ^= mixed >> np.uint64(29)
    _, first, rows = np.unique(mixed, return_index=True, return_inverse=True)
    if not all(np.array_equal(column[first][rows], column) for column in columns):  # two kinds with one number
        _, first, rows = np.unique(np.column_stack(columns), axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return first[order], invert_permutation(order)[rows.reshape(-1)]


def _make_namer(table: Overlap, components: Components) -> Callable[[int], str]:
    """Return a function that names a component by its largest key entity; "" for one without any."""
    names = table.key.name
    largest = np.full(components.total, -1, dtype=np.int64)
    order = np.argsort(table.key.size, kind="stable")
    largest[components.key[order]] = order  # of several, the last one stays: the largest

    def name_component(component: int) -> str:
        entity = int(largest[component])
        return "" if entity < 0 or names is None else str(names[entity])

    return name_component
