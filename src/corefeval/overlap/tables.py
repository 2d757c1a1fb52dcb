"""What matching makes of two corpora: all tables that measures may count on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval._arrays import np
from corefeval._lazy import Frozen, cached
from corefeval.overlap.views import Views, join_views

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefeval.overlap.split_antecedents import SplitAntecedents
    from corefeval.overlap.table import Overlap
    from corefeval.overlap.views import Rows


class Tables(Frozen):
    """The views that measures count on, and what makes those of some measures differ.

    views: those of most measures; with split antecedents, of mentions alone.
    splits: split antecedents that are to be scored.
    skipped_singletons: by measure, whose singletons it does not see: those of the "response", or of "both".
    before: where spurious mentions were added to the key, the views without them, for measures that look at mentions.
    """

    views: Views
    splits: SplitAntecedents | None
    skipped_singletons: Mapping[str, str]
    before: Views | None

    def __init__(
        self,
        views: Views,
        splits: SplitAntecedents | None = None,
        skipped_singletons: Mapping[str, str] | None = None,
        before: Views | None = None,
    ) -> None:
        self.__dict__.update(views=views, splits=splits, skipped_singletons=skipped_singletons or {}, before=before)

    @property
    def mentions(self) -> Rows | None:
        """The mentions that were matched; None where they are gone."""
        return (self.before or self.views).mentions

    @cached
    def table(self) -> Overlap:
        """The one-to-one table, with split antecedents as mentions."""
        return self.views.table if self.splits is None else self.splits.table

    def without_mentions(self) -> Tables:
        """The same without the mentions behind the tables, which are large."""
        before = None if self.before is None else self.before.without_mentions()
        return Tables(self.views.without_mentions(), self.splits, self.skipped_singletons, before)

    def skip_singletons(self, measure: str) -> Views:
        """What a measure counts on that does not see all singletons."""
        return self._without_response if self.skipped_singletons[measure] == "response" else self._without_both

    @cached
    def _without_response(self) -> Views:
        table = self.views.table
        return self.views.select(np.ones(len(table.key.size), dtype=np.bool_), table.response.size > 1)

    @cached
    def _without_both(self) -> Views:
        table = self.views.table
        return self.views.select(table.key.size > 1, table.response.size > 1)


def join_tables(parts: Sequence[Tables]) -> Tables:
    """The tables of the documents of several, in their order."""
    if len(parts) == 1:
        return parts[0]
    views = join_views([part.views for part in parts])
    splits = None
    if any(part.splits is not None for part in parts):
        splits = _join_splits(parts, views)
    before = None
    if any(part.before is not None for part in parts):
        before = join_views([part.before or part.views for part in parts])
    return Tables(views, splits, next((part.skipped_singletons for part in parts), None), before)


def _join_splits(parts: Sequence[Tables], views: Views) -> SplitAntecedents:
    kind = next(type(part.splits) for part in parts if part.splits is not None)
    splits = [part.splits or kind.none(part.views) for part in parts]
    return kind.join(splits, views)
