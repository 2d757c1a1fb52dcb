"""The reference scorer of the CoNLL shared tasks. Its decisions are the defaults.

How it counts mentions that are in several entities, in closed form: MUC sees the one-to-one table. B³ credits a mention
with all mentions of its response entity that its key entity has; CEAF compares entities as sets; BLANC compares sets of
links, in which a pair can be linked and kept apart at once, and a repeated mention is kept apart from itself.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations, pairwise

from corefeval._arrays import Booleans, ByDocument, Ints, np
from corefeval.matching.numbers import Matching, NumberedSides, find_last_rows, find_twins, has_repeats
from corefeval.matching.repeats import (
    STAYS_IN_FIRST,
    TWICE,
    RepeatOutcome,
    count_distinct,
    find_repeats,
    make_repeat_notices,
    select_first_in_entity,
)
from corefeval.options import Options
from corefeval.overlap.cells import CreditedCells, count_pairs
from corefeval.overlap.overlap import Links, Overlap, Side
from corefeval.overlap.views import DistinctMentions, Views
from corefeval.profiles import Profile

PROFILES = (
    Profile(
        "conll-8.01",
        "the reference scorer of the CoNLL shared tasks, version 8.01",
        Options(),
        ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc"),
        """
        The scorer stops after ten repeated mentions, counted over all documents and measures of a run; this
        is not copied.

        It scores only the last of several documents of one name; here they are refused.

        B³ and CEAFe are sums of fractions, which it adds in no fixed order: where such a sum lies on the
        edge of two truncated values, its own runs differ in the last digit.
        """,
    ),
    Profile(
        "conll-2012",
        "version 4 of that scorer, with the rewrite of Cai & Strube 2010, as used in the shared tasks of 2011 and 2012",
        Options(twinless="cai_strube"),
        ("mentions", "muc", "bcub", "ceafm", "ceafe"),
        """
        As far as the literature defines it: B³ and CEAF are rewritten as Cai & Strube 2010 describe;
        everything else is version 8.01. Version 4 itself has bugs that Pradhan et al. 2014 removed and that
        are not copied.

        BLANC of version 4 is defined for the key's mentions only, and is that of version 8.01 here.
        """,
    ),
)

_STAYS_IN_BOTH = RepeatOutcome("it stays in both", TWICE)
_SPURIOUS = RepeatOutcome("the key lacks it, and it stays in both", TWICE)


def keep_first_in_response(sides: NumberedSides) -> Matching:
    """Return a Matching, with notices: a repeated response mention that the key has stays in its first entity only.

    The last of its key entities gets the twin.
    """
    in_key = find_last_rows(sides.key_number, sides.response_number) >= 0
    repeats = find_repeats(sides.response, sides.response_number)
    kept = np.ones(len(in_key), dtype=np.bool_)
    kept[[repeat.row for repeat in repeats if in_key[repeat.row]]] = False
    left = NumberedSides(sides.key, sides.response.keep(kept), sides.key_number, sides.response_number[kept])
    in_order = np.argsort(sides.key.entity, kind="stable")
    place, rows = find_twins(sides.key_number[in_order], left.response_number)
    key_repeats = find_repeats(sides.key, sides.key_number)
    notices = make_repeat_notices(sides.key, "key", key_repeats, lambda _: _STAYS_IN_BOTH)
    notices += make_repeat_notices(
        sides.response, "response", repeats, lambda row: _SPURIOUS if kept[row] else STAYS_IN_FIRST
    )
    return Matching(left, in_order[place], rows, notices, recount_repeats)


def recount_repeats(views: Views) -> Views:
    """Return views in which repeated mentions count as in the reference scorer; the same views if there are none."""
    sides, table = NumberedSides.from_views(views), views.table
    if not (has_repeats(sides.key_number) or has_repeats(sides.response_number)):
        return views
    key = _EntityMembers(table.key, sides.key.entity, sides.key_number)
    response = _EntityMembers(table.response, sides.response.entity, sides.response_number)
    home = _find_response_entities(sides, key.number)
    common = _tabulate_members(table, key.entity, home)
    width = len(table.response.size)
    place = np.searchsorted(
        common.cells.key * width + common.cells.response, table.cells.key * width + table.cells.response
    )
    return Views(
        table,
        views.mentions,
        recall=table.with_cells(CreditedCells(table.cells.key, table.cells.response, table.n, credit=common.n[place])),
        recall_sets=_tabulate_members(table, sides.key.entity, _find_response_entities(sides, sides.key_number)),
        links=Links(
            key_coreference=key.count_coreference(),
            response_coreference=response.count_coreference(),
            common_coreference=_count_common_coreference(common, key, home),
            key_noncoreference=key.count_noncoreference(),
            response_noncoreference=response.count_noncoreference(),
            common_noncoreference=_count_common_noncoreference(common, key, home),
        ),
        distinct=DistinctMentions(key.distinct, response.distinct, table.shared),
    )


class _EntityMembers:
    """Which mentions, by their numbers, are in which entities of a side, each once in an entity.

    several: which of these are in several entities. distinct: how many mentions there are by document.
    """

    def __init__(self, side: Side, entity: Ints, number: Ints) -> None:
        once = select_first_in_entity(entity, number)
        self.side, self.entity, self.number = side, entity[once], number[once]
        _, which, times = np.unique(self.number, return_inverse=True, return_counts=True)
        self.several: Booleans = times[which.reshape(-1)] > 1
        self.distinct = self._count_mentions(self.entity, self.number)
        self._twice_in_entity = self._count_mentions(entity[~once], number[~once])

    def _count_mentions(self, entity: Ints, number: Ints) -> Ints:
        """Return an array by document: how many different numbers these rows of entities and numbers have."""
        return count_distinct(number, self.side.document[entity], self.side.documents)

    def count_coreference(self) -> ByDocument:
        """Return by document how many pairs are together in some entity, plus mentions that are twice in an entity."""
        per_entity = count_pairs(np.bincount(self.entity, minlength=len(self.side.size)))
        entity, number = self.entity[self.several], self.number[self.several]
        again = _count_repeated_pairs(self.side, entity, number, entity)
        return self.side.sum(per_entity) - again + self._twice_in_entity

    def count_noncoreference(self) -> ByDocument:
        """Return by document how many pairs are in different entities, plus mentions that are in several entities."""
        only = np.bincount(self.entity[~self.several], minlength=len(self.side.size))
        in_several = self._count_mentions(self.entity[self.several], self.number[self.several])
        return count_pairs(self.distinct) - self.side.sum(count_pairs(only)) + in_several


def _find_response_entities(sides: NumberedSides, number: Ints) -> Ints:
    """Return an array: the response entity that has the mention of each of these numbers, or -1."""
    row = find_last_rows(sides.response_number, number)
    return np.append(sides.response.entity, -1)[row]


def _tabulate_members(table: Overlap, entity: Ints, home: Ints) -> Overlap:
    """Return an Overlap of these members, given the key entity and the response entity of each; -1 is not counted."""
    found = home >= 0
    return Overlap.from_twins(table.key, table.response, entity[found], home[found])


def _count_common_coreference(common: Overlap, key: _EntityMembers, home: Ints) -> ByDocument:
    """Return by document how many pairs of mentions both sides link, each once even if two key entities have it."""
    chosen = key.several & (home >= 0)
    cell = key.entity[chosen] * len(common.response.size) + home[chosen]
    return common.pairs - _count_repeated_pairs(common.key, key.entity[chosen], key.number[chosen], cell)


def _count_common_noncoreference(common: Overlap, key: _EntityMembers, home: Ints) -> ByDocument:
    """Return by document how many pairs both sides keep apart, even those that another key entity has together."""
    _, first = np.unique(key.number, return_index=True)
    once = _tabulate_members(common, key.entity[first], home[first]).response_shared
    apart = count_pairs(common.response.sum(once)) - common.response.sum(count_pairs(once))
    in_one = _tabulate_members(common, key.entity[~key.several], home[~key.several])
    return apart - common.key.sum(count_pairs(in_one.key_shared)) + in_one.pairs


def _count_repeated_pairs(side: Side, entity: Ints, number: Ints, group: Ints) -> Ints:
    """Return an array by document: how often pairs of mentions are together in a group again, after the first time.

    Mentions that are in the same groups are alike, so pairs of such kinds are counted, not pairs of mentions.
    """
    order = np.lexsort((group, number))
    bounds = np.flatnonzero(np.diff(number[order], prepend=-1, append=-1)).tolist()
    groups = group[order].tolist()
    document_of = dict(zip(group.tolist(), side.document[entity].tolist(), strict=True))
    kinds = Counter(tuple(groups[begin:end]) for begin, end in pairwise(bounds))
    again = np.zeros(side.documents, dtype=np.int64)
    for places, count in kinds.items():
        again[document_of[places[0]]] += count * (count - 1) // 2 * (len(places) - 1)
    counts = list(kinds.values())
    met = set()
    for place, alike in _find_meetings(list(kinds)).items():
        for pair in combinations(alike, 2):
            if pair in met:
                again[document_of[place]] += counts[pair[0]] * counts[pair[1]]
            met.add(pair)
    return again


def _find_meetings(kinds: Sequence[tuple[int, ...]]) -> dict[int, list[int]]:
    """Return by group the sorted indices in `kinds` of its kinds, without those that can meet no other in two groups.

    kinds: the groups of each. A group with one kind goes, and then a kind that has one group left, and so on: what
    is left has to be compared pair by pair.

    >>> _find_meetings([(0, 1, 2), (0, 1), (0, 3)])
    {0: [0, 1], 1: [0, 1]}
    """
    kinds_in: defaultdict[int, set[int]] = defaultdict(set)
    for kind, groups in enumerate(kinds):
        for group in groups:
            kinds_in[group].add(kind)
    left = list(map(len, kinds))  # how many groups a kind still has
    waiting = [group for group, found in kinds_in.items() if len(found) < 2]
    while waiting:
        for kind in kinds_in.pop(waiting.pop(), ()):
            left[kind] -= 1
            if left[kind] == 1:
                last = next(group for group in kinds[kind] if kind in kinds_in.get(group, ()))
                kinds_in[last].discard(kind)
                if len(kinds_in[last]) < 2:
                    waiting.append(last)
    return {group: sorted(found) for group, found in kinds_in.items()}
