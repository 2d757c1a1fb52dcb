"""What measures count on: the table, and where a decision asks for it, other tables in its place.

Without repeated mentions, partial credit and split antecedents, all parts of `Views` are the same table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from corefeval._arrays import Array, Booleans, ByDocument, Ints, np
from corefeval._lazy import Frozen, NamedTuple, Record, cached
from corefeval.errors import OptionError
from corefeval.overlap.cells import PartialCells
from corefeval.overlap.overlap import Links, Overlap, join_overlaps
from corefeval.overlap.twinless import REWRITES

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus
    from corefeval.overlap.split_antecedents import SplitAntecedents

_NONE: Mapping[str, str] = {}
_PARTS = ("recall", "precision", "recall_sets", "precision_sets")


class RepeatCounter(NamedTuple):
    """The numbers of the mentions of both sides, equal for the same mention, and what counts repeated ones.

    recount: makes, of the views of a one-to-one table, those in which repeated mentions are counted as a scorer does.
    """

    key_number: Ints
    response_number: Ints
    recount: Callable[[Views], Views]

    def keep(self, key: Booleans, response: Booleans) -> RepeatCounter:
        """Return the counter of only those mentions for which these booleans are true."""
        return RepeatCounter(self.key_number[key], self.response_number[response], self.recount)


class Rows(NamedTuple):
    """The mentions behind the table: both corpora, document by document alike, and which rows of them are twins.

    `missing` are the documents that the response lacks; it has them, without mentions, in `response`.
    `credit` is what each pair of twins is worth, where some are worth less than a whole mention. `repeated` counts
    mentions that are in several entities, where there are any. `looked` are, where every mention is looked up in the
    other side, the rows of the response in which the key's are found, and the other way round; -1 for none.
    `find_places`, where anaphors are looked up by their places, makes two columns of rows of the response: where every
    mention of the key is found, or -1, and which row stands for all mentions that are the same as one of the response.
    """

    key: Corpus
    response: Corpus
    twin_key: Ints
    twin_response: Ints
    missing: tuple[str, ...] = ()
    credit: Array | None = None
    repeated: RepeatCounter | None = None
    looked: tuple[Ints, Ints] | None = None
    find_places: Callable[[Rows], tuple[Ints, Ints]] | None = None

    @property
    def mirror(self) -> Rows:
        """The same twins with key and response in each other's place; only they count then."""
        return Rows(self.response, self.key, self.twin_response, self.twin_key, credit=self.credit)

    def find_twins(self) -> tuple[Ints, Ints]:
        """Return two columns: for every key mention the row of its twin, or -1, and the same for the response."""
        ours = np.full(len(self.key), -1, dtype=np.int64)
        theirs = np.full(len(self.response), -1, dtype=np.int64)
        ours[self.twin_key] = self.twin_response
        theirs[self.twin_response] = self.twin_key
        return ours, theirs


class DistinctMentions(NamedTuple):
    """How many different mentions each document has: in the key, in the response, in both."""

    key: ByDocument
    response: ByDocument
    common: ByDocument


class Views(Frozen):
    """What one measure counts on.

    table: one to one; a mention has at most one twin.
    recall, precision: the tables for recall and for precision, as a scorer looks mentions up in the other side.
    recall_sets, precision_sets: the same with entities compared as sets of mentions, for CEAF.
    links: BLANC's links. distinct_counts: how many different mentions there are.
    mentions: those behind the table, for the few measures that look at them; None where they are gone.
    of_sets: whether entities of one side share mentions, and all tables but `table` count what two of them share.
    """

    of_sets: bool = False
    table: Overlap
    mentions: Rows | None
    recall: Overlap
    precision: Overlap
    recall_sets: Overlap
    precision_sets: Overlap

    def __init__(
        self,
        table: Overlap,
        mentions: Rows | None = None,
        *,
        recall: Overlap | None = None,
        precision: Overlap | None = None,
        recall_sets: Overlap | None = None,
        precision_sets: Overlap | None = None,
        links: Links | None = None,
        distinct: DistinctMentions | None = None,
        of_sets: bool = False,
    ) -> None:
        recall = recall or table
        recall_sets = recall_sets or table
        self.__dict__.update(
            table=table, mentions=mentions, recall=recall, precision=precision or recall, recall_sets=recall_sets,
            precision_sets=precision_sets or recall_sets, of_sets=of_sets,
        )  # fmt: skip
        if links is not None:
            self.__dict__["links"] = links
        if distinct is not None:
            self.__dict__["distinct_counts"] = distinct

    @cached
    def links(self) -> Links:
        """BLANC's links for each document: those of the table, unless a scorer counts otherwise."""
        return self.table.links

    @cached
    def distinct_counts(self) -> DistinctMentions:
        """How many different mentions each document has: in the key, in the response, in both."""
        return DistinctMentions(self.table.key.mentions, self.table.response.mentions, self.table.shared)

    @property
    def has_repeats(self) -> bool:
        """Whether recall has a table of its own, since some mentions are in several entities."""
        return self.recall is not self.table

    @property
    def has_partial_credit(self) -> bool:
        """Whether some mentions overlap only, and are worth less than a whole one."""
        return isinstance(self.table.cells, PartialCells)

    def get_mentions(self) -> Rows:
        """Return the mentions behind the table; raise an OptionError where they are gone."""
        if self.mentions is None:
            raise OptionError("the mentions behind these scores are gone: score key and response themselves")
        return self.mentions

    def without_mentions(self) -> Views:
        """Return the views without the mentions behind the table, which are large."""
        return self.replace(mentions=None)

    def replace(self, **parts: object) -> Views:
        """Return new views with these parts in place of their own."""
        views = Views.__new__(Views)
        views.__dict__.update(self.__dict__ | parts)
        return views

    def __getstate__(self) -> dict[str, object]:
        # What travels to another process are the tables; mentions stay where they are.
        return self.__dict__ | {"mentions": None}

    def without_names(self) -> Views:
        """Return the views without the names of entities, of which there may be many."""
        tables: dict[int, Overlap] = {}
        for name in ("table", *_PARTS):
            table: Overlap = getattr(self, name)
            tables.setdefault(id(table), table.without_names())
        return self.replace(**{name: tables[id(getattr(self, name))] for name in ("table", *_PARTS)})

    def rewrite_twinless(self, way: str) -> Views:
        """Return the views with the tables of `REWRITES[way]` for recall and precision; unchanged for any other way."""
        if way not in REWRITES:
            return self
        recall, precision = REWRITES[way](self.table)
        if recall is precision:
            return Views(recall)
        return Views(self.table, recall=recall, precision=precision, recall_sets=recall, precision_sets=precision)

    def select(self, key: Booleans, response: Booleans) -> Views:
        """Return the views with only the entities for which these booleans are true, without mentions."""
        table = self.table.select(key, response)
        if not self.has_repeats:
            return Views(table)
        tables = {name: table.with_cells(getattr(self, name).select_cells(key, response)) for name in _PARTS}
        return Views(
            table, None, **tables, links=self.links, distinct=self.distinct_counts, of_sets=self.of_sets
        )  # fmt: skip


def join_views(parts: Sequence[Views]) -> Views:
    """Return one Views of the documents of several, one after another, without mentions; of one, that one."""
    if len(parts) == 1:
        return parts[0]
    table = join_overlaps([part.table for part in parts])
    if not any(part.has_repeats or part.recall_sets is not part.table for part in parts):
        return Views(table)
    tables = {name: join_overlaps([getattr(part, name) for part in parts]) for name in _PARTS}
    links = Links(*map(join_columns, zip(*(part.links for part in parts), strict=True)))
    distinct = DistinctMentions(*map(join_columns, zip(*(part.distinct_counts for part in parts), strict=True)))
    of_sets = any(part.of_sets for part in parts)
    return Views(table, None, **tables, links=links, distinct=distinct, of_sets=of_sets)


def join_columns(parts: Sequence[ByDocument]) -> ByDocument:
    """Return one array of the counts by document of several tables; a plain number is that of a single document."""
    return np.concatenate([np.atleast_1d(part) for part in parts])


class Tables(Record):
    """What matching makes of two corpora: the views that measures count on, and what makes those of some differ.

    views: those of most measures; with split antecedents, of mentions alone.
    splits: split antecedents that are to be scored.
    skipped_singletons: by measure, whose singletons it does not see: those of the "response", or of "both".
    before: where spurious mentions were added to the key, the views without them, for measures that look at mentions.
    """

    views: Views
    splits: SplitAntecedents | None = None
    skipped_singletons: Mapping[str, str] = _NONE
    before: Views | None = None

    @property
    def mentions(self) -> Rows | None:
        """The mentions that were matched; None where they are gone."""
        return (self.before or self.views).mentions

    @cached
    def table(self) -> Overlap:
        """The one-to-one table; where split antecedents are scored, each is one mention more."""
        return self.views.table if self.splits is None else self.splits.table

    def without_mentions(self) -> Tables:
        """Return the tables without the mentions behind them, which are large."""
        before = None if self.before is None else self.before.without_mentions()
        return Tables(self.views.without_mentions(), self.splits, self.skipped_singletons, before)

    def without_names(self) -> Tables:
        """Return the tables without the names of entities; those with split antecedents as they are."""
        if self.splits is not None:
            return self
        before = None if self.before is None else self.before.without_names()
        return Tables(self.views.without_names(), None, self.skipped_singletons, before)

    def skip_singletons(self, measure: str) -> Views:
        """Return views without the response's, or both sides', singletons; KeyError if the measure skips none."""
        key, response = (side.size > 1 for side in (self.views.table.key, self.views.table.response))
        if self.skipped_singletons[measure] == "response":
            key = np.ones_like(key)
        return self.views.select(key, response)


def join_tables(parts: Sequence[Tables]) -> Tables:
    """Return one Tables of the documents of several, one after another, without mentions; of one, that one."""
    if len(parts) == 1:
        return parts[0]
    views = join_views([part.views for part in parts])
    kinds = [type(part.splits) for part in parts if part.splits is not None]
    splits = kinds[0].join([part.splits or kinds[0].make_empty(part.views) for part in parts], views) if kinds else None
    before = None
    if any(part.before is not None for part in parts):
        before = join_views([part.before or part.views for part in parts])
    return Tables(views, splits, parts[0].skipped_singletons if parts else {}, before)
