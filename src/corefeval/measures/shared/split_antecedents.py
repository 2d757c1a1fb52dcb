"""Split antecedents in the measures: what each measure says about the antecedents enters its own formula.

For every pair of split antecedents of key and response, the measure scores their antecedents as if they were all the
entities there are. The pairs are aligned one to one so that their F1 is greatest in sum. An aligned pair is then a
mention that both sides share in part: as much as its recall in the measure's recall, as its precision in the precision,
and as its F1 where both have one numerator. Where equal antecedents give 0/0, as BLANC does, they are shared in full.
"""

from __future__ import annotations

from collections.abc import Mapping

from corefeval._arrays import Columns, Floats, np
from corefeval._lazy import cached
from corefeval.errors import OptionError
from corefeval.measures.base import Measure
from corefeval.measures.rates import compute_recall_precision_f
from corefeval.overlap.overlap import Links, Overlap
from corefeval.overlap.split_antecedents import AlignedSplits, SharedSplits, SplitAntecedents
from corefeval.overlap.views import Views

Fraction = tuple[str, str, str, str]  # the columns of recall's and precision's numerators and denominators


class SplitViews(Views):
    """What a measure counts on where entities have split antecedents; parts are made when it asks for them."""

    def __init__(self, measure: Measure, splits: SplitAntecedents) -> None:
        # What `Views` has as the table itself is made here when it is asked for, so nothing is set in its place.
        mentions = splits.mentions
        self.__dict__.update(table=splits.table, mentions=mentions.mentions, measure=measure, splits=splits)
        self.__dict__["distinct_counts"] = mentions.distinct_counts

    measure: Measure
    splits: SplitAntecedents

    @cached
    def recall(self) -> Overlap:
        """The table for recall: aligned split antecedents are mentions shared as much as their recall."""
        return self._recall_and_precision_tables[0]

    @cached
    def precision(self) -> Overlap:
        """The table for precision: aligned split antecedents are mentions shared as much as their precision."""
        return self._recall_and_precision_tables[1]

    @cached
    def _recall_and_precision_tables(self) -> tuple[Overlap, Overlap]:
        """Two tables, with aligned split antecedents shared as much as their recall, and as their precision."""
        mentions = self.splits.mentions
        recall, precision = self.splits.find_shared_parts(self.measure, self._align(0))
        return (
            self.splits.build_shared_table(mentions.recall, mentions.recall.n, recall),
            self.splits.build_shared_table(mentions.precision, mentions.precision.n, precision),
        )

    @cached
    def recall_sets(self) -> Overlap:
        """The table for entities compared as sets: aligned split antecedents are shared as much as their F1."""
        sets = self.splits.mentions.recall_sets
        return self._tabulate_by_f1(0, sets, sets.cells.worth)

    @cached
    def precision_sets(self) -> Overlap:
        """The same table as `recall_sets`, for F1 is of both."""
        return self.recall_sets

    @cached
    def links(self) -> Links:
        """BLANC's links with split antecedents, counted in part, or in a scorer's own way."""
        return self.splits.adjust_links(self.measure, self.symmetric_links)

    @cached
    def symmetric_links(self) -> Links:
        """BLANC's links, where an aligned split antecedent counts as much as its F1 wherever it is in its entity."""
        recall = self.splits.mentions.recall
        together = self._tabulate_by_f1(0, recall, recall.n)
        links = self.table.links._replace(common_coreference=together.pairs)
        if len(self.measure.antecedents) == 1:
            return links
        return links._replace(common_noncoreference=self._tabulate_by_f1(1, recall, recall.n).pairs_apart)

    def _tabulate_by_f1(self, fraction: int, mentions: Overlap, counts: Floats) -> Overlap:
        """Return a table: `counts` of its mentions, and aligned split antecedents shared as much as their F1."""
        aligned = self._align(fraction)
        return self.splits.build_shared_table(mentions, counts, SharedSplits(aligned.pairs, aligned.f1))

    def _align(self, fraction: int) -> AlignedSplits:
        """Return the one-to-one alignment of split antecedents with most F1, in one of the measure's fractions."""
        return _align_by_f1(self.splits, self._antecedent_counts, self.measure.antecedents[fraction])

    @cached
    def _antecedent_counts(self) -> Mapping[str, Floats]:
        """The measure's counts of the antecedents of every pair: by name, an array with a number for each pair."""
        return _count_antecedents(self.measure, self.splits.pairs)


def count_splits_alone(measure: Measure, splits: SplitAntecedents) -> Columns:
    """Return columns by document, a measure's counts of antecedents alone; an OptionError if it has none defined."""
    if not measure.antecedents or measure.needs_mentions:
        raise OptionError(f"{measure} has no definition for split antecedents alone; muc, bcub and conll, say, have")
    table = splits.table
    counts = _count_antecedents(measure, splits.pairs)
    key, response = (_count_antecedents(measure, each) for each in (splits.key_alone, splits.response_alone))
    found: Columns = {}
    for fraction in measure.antecedents:
        recall, wanted, precision, given = fraction
        pairs = _align_by_f1(splits, counts, fraction).pairs
        owner = splits.key[splits.pair_key[pairs]]
        found[wanted] = table.key.sum_at(splits.key, key[wanted])
        found[given] = table.response.sum_at(splits.response, response[given])
        for name in (recall, precision):
            found[name] = table.key.sum_at(owner, counts[name][pairs])
    return found


def _count_antecedents(measure: Measure, views: Views) -> Mapping[str, Floats]:
    """Return arrays by name, a measure's counts of antecedents for each pair; empty ones if there are no pairs."""
    counts = measure.count_antecedents(views.rewrite_twinless(measure.rewrite)) if views.table.documents else {}
    empty = np.zeros(0)
    names = [name for fraction in measure.antecedents for name in fraction]
    return {name: np.atleast_1d(counts.get(name, empty)) for name in names}


def _align_by_f1(splits: SplitAntecedents, counts: Mapping[str, Floats], fraction: Fraction) -> AlignedSplits:
    """Return pairs of split antecedents, one to one, with most F1 in sum, and the recall, precision and F1 of each."""
    found, wanted, right, given = (counts[name] for name in fraction)
    scores = compute_recall_precision_f(found, wanted, right, given, 0, 1)
    same = splits.equal & (wanted == 0) & (given == 0)
    recall, precision, f1 = (np.where(same, 1.0, score) for score in scores)
    pairs = splits.align(f1)
    return AlignedSplits(pairs, recall[pairs], precision[pairs], f1[pairs])
