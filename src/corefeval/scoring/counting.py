"""Counting: a measure's counts on the tables of two corpora, by document, each counted once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from corefeval._arrays import Columns
from corefeval._lazy import Frozen
from corefeval.errors import OptionError
from corefeval.measures.base import Measure
from corefeval.measures.registry import blame_if_plugin
from corefeval.measures.shared.split_antecedents import SplitViews, count_splits_alone
from corefeval.notices import Notice, join_notices
from corefeval.overlap.views import Tables, Views, join_columns, join_tables

_PLAIN = frozenset({int, float})
_NO_SETS = (
    "{} has no formula for entities that share mentions, as some do here, and duplicates=sets asks for it; mentions, "
    "bcub, ceafm, ceafe, ceaf and lea have one"
)


class Counter(Frozen):
    """Counts with any measure, and remembers what it has counted."""

    tables: Tables
    _counted: dict[Measure, Columns]

    def __init__(self, tables: Tables, counted: dict[Measure, Columns] | None = None) -> None:
        self.__dict__.update(tables=tables, _counted={} if counted is None else counted)

    def count(self, measure: Measure) -> Columns:
        """Return a measure's counts, remembered: columns with a number for each document; of one, plain numbers."""
        counts = self._counted.get(measure)
        if counts is None:
            try:
                counts = self._count_parts(measure) if measure.parts else self._count_tables(measure)
            except BaseException:
                with blame_if_plugin(measure):
                    raise
            if self.tables.views.table.key.documents == 1 and not _PLAIN.issuperset(map(type, counts.values())):
                counts = {name: np.asarray(value).item() for name, value in counts.items()}
            self._counted[measure] = counts
        return counts

    def find_views(self, measure: Measure) -> Views:
        """Return a measure's Views: with split antecedents, without added mentions or skipped singletons, or all."""
        tables = self.tables
        if tables.splits is not None:
            return SplitViews(measure, tables.splits)
        if tables.before is not None and measure.needs_mentions:
            return tables.before
        if measure.name in tables.skipped_singletons and not measure.needs_mentions:
            return tables.skip_singletons(measure.name)
        return tables.views

    def _count_parts(self, measure: Measure) -> Columns:
        """Return the counts of all parts of a measure in one dict, each named PART.COUNT."""
        parts = measure.named_parts.items()
        return {f"{part}.{name}": column for part, each in parts for name, column in self.count(each).items()}

    def _count_tables(self, measure: Measure) -> Columns:
        """Return the counts of a measure without parts; an OptionError without the mentions or definition it needs."""
        if measure.needs_mentions and self.tables.mentions is None:
            raise OptionError(f"{measure} looks at mentions, which are gone: ask for it when they are scored")
        if self.tables.views.of_sets and (measure.rewrite or not measure.takes_sets):
            raise OptionError(_NO_SETS.format(measure))
        splits = self.tables.splits
        if splits is None:
            return measure.count_rewritten(self.find_views(measure))
        if splits.only:
            return count_splits_alone(measure, splits)
        measure.check_split_antecedents()
        counts = measure.count_rewritten(self.find_views(measure))
        if not splits.mentions.has_repeats and not splits.mentions.has_partial_credit:
            return counts
        # Where repeated mentions are counted in their own way, documents without split antecedents count as if no
        # document had any.
        without = measure.count_rewritten(splits.mentions)
        return {name: np.where(splits.documents_with_splits, value, without[name]) for name, value in counts.items()}

    def collect_notices(self, measures: tuple[Measure, ...]) -> Iterable[Notice]:
        """Return the notices, each once, of measures that look at mentions; of all, if there are split antecedents."""
        splits = self.tables.splits
        asked = [measure for measure in measures if measure.needs_mentions or splits is not None]
        if not asked:
            return ()
        found = [notice for measure in asked for notice in measure.notices(self.find_views(measure))]
        if splits is not None:
            found += [notice for measure in asked for notice in splits.notices(measure, self.find_views(measure))]
        return join_notices([found])

    def without_mentions(self, measures: Iterable[Measure]) -> Counter:
        """Return a counter without mentions, which has already counted with those `measures` that need them."""
        counted = {measure: self.count(measure) for measure in measures if measure.needs_mentions}
        return Counter(self.tables.without_mentions(), counted)

    def keep_counts(self, measures: Iterable[Measure]) -> Counter:
        """Return a counter without mentions and names, which has already counted with these `measures`."""
        counted = {each: self.count(each) for measure in measures for each in (*measure.parts, measure)}
        return Counter(self.tables.without_mentions().without_names(), counted)

    def __getstate__(self) -> dict[str, object]:
        return self.__dict__ | {"tables": self.tables.without_mentions()}


def join_counters(parts: Sequence[Counter]) -> Counter:
    """Return one counter for the documents of several, with the counts of measures that all have counted with."""
    if len(parts) == 1:
        return parts[0]
    shared = [
        measure for measure in (parts[0]._counted if parts else ()) if all(measure in part._counted for part in parts)
    ]
    counted = {
        measure: {
            name: join_columns([part._counted[measure][name] for part in parts]) for name in parts[0]._counted[measure]
        }
        for measure in shared
    }
    return Counter(join_tables([part.tables for part in parts]), counted)
