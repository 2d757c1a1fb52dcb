"""The Universal Anaphora scorers count BLANC's links with split antecedents along lists, in the order of Python's sets.

The list of a key entity is a set of its mentions and its split antecedent, made a list. Going along it, a scorer takes
a split antecedent for the one of the response that it is aligned with, and counts what comes behind it in part. What
comes before it is linked with the split antecedent itself, and so only where the response has an equal one. An equal
one that the alignment leaves over is found there, too, though the response's is then shared twice. Links between
entities depend on no order, but are shared twice in the same way. LEA of the first of them goes along such a list, too,
and counts in part what only leads across a split antecedent.

Here the sets are real ones, of items that hash as those of the scorers do. Zeros are text there, whose hashes change
from run to run, and so does the order of lists that have them; here it does not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from corefeval._arrays import Booleans, ByDocument, Floats, Ints, np
from corefeval._lazy import NamedTuple, cached
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import parse_runs
from corefeval.matching.numbers import Matching, find_last_rows
from corefeval.matching.places import find_step, list_words
from corefeval.matching.repeats import Lookup, rank_by_listing
from corefeval.measures.base import Measure
from corefeval.measures.shared.split_antecedents import SplitViews
from corefeval.notices import Notice
from corefeval.options import Options
from corefeval.overlap.cells import SplitCells
from corefeval.overlap.overlap import Links
from corefeval.overlap.split_antecedents import AlignedSplits, NamedMeasure, SharedSplits, SplitAntecedents, join_splits
from corefeval.overlap.views import Views, join_columns
from corefeval.profiles import Profile

if TYPE_CHECKING:
    from corefeval.matching.split_antecedents import ListedSplit

    Mentions = tuple[Hashable, ...]

_VARIANTS = MappingProxyType(
    {
        ("singletons", "drop"): {"singletons": "drop_listed"},
        ("split_antecedents", "drop"): {"duplicates": "allennlp"},
    }
)
"""Entities are counted as they are listed, unless split antecedents are scored, for which they become sets."""

PROFILES = (
    Profile(
        "ua-1",
        "the Universal Anaphora scorer 1.0",
        Options(boundary="both", duplicates="ua", missing="skip", split_antecedents="ua-1"),
        ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea"),
        """
        Spans that cross are paired wrongly there: a closing bracket ends the mention that was opened last,
        of whatever entity.

        Zeros are lines like others there, so a zero that one file lacks moves all words behind it in the
        document; here it moves none.

        Its minimum spans are found by CEAF only; match=min is what was meant.

        BLANC and LEA with split antecedents depend on the order of Python's sets, which is copied: see
        split_antecedents=ua-1. Where two alignments of split antecedents are equally good, the last bit of a sum of
        fractions decides there; this is not copied.

        Without singletons it stops at a split antecedent, and so does this profile; without split antecedents
        it counts a mention as often as its entity lists it.

        The last of several documents of one name counts there; here they are refused.
        """,
        _VARIANTS,
    ),
    Profile(
        "ua-2",
        "the Universal Anaphora scorer 2.0",
        Options(
            zeros="alone",
            boundary="both",
            duplicates="ua",
            missing="error",
            extra="error",
            split_antecedents="ua-2",
        ),
        ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea"),
        """
        As the copy in the CorefUD scorer 1.2 computes it with singletons and split antecedents kept; the
        command there only prints a line.

        Spans that cross are paired wrongly unless --allow-boundary-crossing is given there.

        Zeros between two words are numbered one after another there; here those behind the last word of a
        sentence are others than those before the first word of the next.

        BLANC's links with split antecedents depend on the order of Python's sets, which is copied; where an
        entity has zeros, that order changes there from run to run.

        Where two alignments of split antecedents are equally good, the last bit of a sum of fractions decides
        there; this is not copied.

        Without singletons it stops at a split antecedent, and so does this profile; without split antecedents
        it counts a mention as often as its entity lists it. Without zeros it fails at an entity of nothing
        else; with zeros, partial matching fails where they are left among mentions without a twin.
        """,
        _VARIANTS,
    ),
)

DUPLICATES = Lookup(rank_by_listing, once=True)


class _HashedItem(NamedTuple):
    """What stands in a set, with its hash."""

    value: Hashable
    number: int

    def __hash__(self) -> int:
        return self.number


@dataclass(frozen=True, slots=True)
class ListingScorer:
    """One of the scorers: the order in which it lists mentions and antecedents.

    hashes_ends: whether a mention's hash is that of its first and last word, not of all. crosses: whether LEA goes
    along lists, too. duplicates: the policy for antecedents, in which a mention may be repeated.
    """

    hashes_ends: bool
    crosses: bool
    duplicates: str = "allennlp"

    def order_antecedents(self, corpus: Corpus, antecedents: Sequence[Mentions]) -> tuple[Mentions, ...]:
        """Return the antecedents in the scorer's order, each once; in their own order where mentions are no spans."""
        item = self._make_items(antecedents, find_step(corpus))
        if item is None:
            return tuple(dict.fromkeys(antecedents))
        return tuple(tuple(each.value for each in one) for one in {tuple(item[m] for m in one) for one in antecedents})

    def list_entity(self, split: ListedSplit, step: int) -> list[Hashable]:
        """Return the mentions of an entity in the scorer's order, with None in the place of its split antecedent."""
        item = self._make_items((*split.antecedents, *split.entities), step)
        if item is None:
            return [*dict.fromkeys(each for mentions in split.entities for each in (*mentions, None))]
        hashed = hash(frozenset(tuple(item[each] for each in mentions) for mentions in split.antecedents))
        first, *others = (
            [*(item[each] for each in mentions), _HashedItem(None, hashed)] for mentions in split.entities
        )
        whole = set(first)
        for other in others:
            whole.update(other)
        return [each.value for each in whole]

    def _make_items(self, mentions: Iterable[Mentions], step: int) -> dict[Hashable, _HashedItem] | None:
        """Return by mention an item that hashes as in the scorer; None instead of all if a mention is no span."""
        items = {}
        for mention in set(chain(*mentions)):
            runs = parse_runs(mention)
            if runs is None:
                return None
            # Words are numbers from 0, zeros negative ones; places begin with 1.
            first = int(step > 1)
            words = [word // step - first if word % step == 0 else -word for word in list_words(runs, step)]
            hashed = (words[0], words[-1]) if self.hashes_ends else words
            items[mention] = _HashedItem(mention, hash(frozenset(hashed)))
        return items

    def with_links(
        self, splits: SplitAntecedents, matching: Matching, key: Sequence[ListedSplit], response: Sequence[ListedSplit]
    ) -> ListedSplits:
        """Return the split antecedents with links that both sides have, and crossed ones, counted along lists."""
        lists = ListedLinks(splits, matching, key, response, self)
        together, apart = lists.count_common()
        none = np.zeros(len(splits.key), dtype=np.int64), np.zeros(len(splits.response), dtype=np.int64)
        crossed = lists.count_crossed() if self.crosses else none
        return ListedSplits(**_get_fields(splits), together=together, apart=apart, crossed=crossed, same=lists.same)


_ROUNDING = 1e-6  # links: what two ways to add the same fractions may differ in


class ListedSplits(SplitAntecedents):
    """Split antecedents whose links the scorers count along lists.

    together, apart: the coreference and non-coreference links that both sides have, by document.
    crossed: how many links of mentions lead across each split antecedent of key and response, in the list of its
    entity, to a scorer that counts these in part. same: the pairs that are equal to the scorers, which find an equal
    one where the alignment leaves a split antecedent over.
    """

    together: ByDocument
    apart: ByDocument
    crossed: tuple[Ints, Ints]
    same: Booleans

    def align(self, weights: Floats) -> Ints:
        """Return the indices of pairs, one to one, with the greatest sum of weights, equal ones not preferred.

        What has an F1 of 0 is aligned, too: where mentions are repeated, recall or precision may have more.
        """
        return self.align_best(weights, weights >= 0)

    def find_shared_parts(self, measure: NamedMeasure, aligned: AlignedSplits) -> tuple[SharedSplits, SharedSplits]:
        """Return two records of what pairs share, for recall and precision; for LEA also equal pairs left over."""
        if measure.name != "lea":
            return super().find_shared_parts(measure, aligned)
        return (
            self._add_equal_pairs(self.pair_key, self.crossed[0], aligned.pairs, aligned.recall),
            self._add_equal_pairs(self.pair_response, self.crossed[1], aligned.pairs, aligned.precision),
        )

    def _add_equal_pairs(self, side: Ints, crossed: Ints, pairs: Ints, part: Floats) -> SharedSplits:
        """Return aligned pairs that share something, with their part, and unaligned equal pairs, shared in full."""
        kept = part > 0
        pairs, part = pairs[kept], part[kept]
        others = np.flatnonzero(self.same & ~np.isin(side, side[pairs]))
        unlinked = (1 - part) * crossed[side[pairs]]
        return SharedSplits(
            np.concatenate([pairs, others]),
            np.concatenate([part, np.ones(len(others))]),
            np.concatenate([unlinked, np.zeros(len(others))]),
        )

    def adjust_links(self, measure: NamedMeasure, links: Links) -> Links:
        """Return BLANC's links with the common ones counted along lists; those of other measures unchanged."""
        if measure.name != "blanc":
            return links
        return links._replace(common_coreference=self.together, common_noncoreference=self.apart)

    def notices(self, measure: NamedMeasure, views: Views) -> Iterator[Notice]:
        """Yield notices, for LEA and BLANC, of links that these scorers count otherwise than split_antecedents=keep."""
        if measure.name == "lea":
            yield from self._make_crossed_notices(views)
        elif measure.name == "blanc" and getattr(measure, "mentions", "all") == "all":
            yield from self._make_listed_notices(cast("Measure", measure))

    def _make_crossed_notices(self, views: Views) -> Iterator[Notice]:
        """Yield one notice of LEA's links across split antecedents that count in part only; none if there are none."""
        tables = views.recall, views.precision
        lost = [table.cells.unlinked for table in tables if isinstance(table.cells, SplitCells)]
        if not any(each.any() for each in lost):
            return
        key, response = (float(each.sum()) for each in lost)
        message = (
            "LEA's links between mentions that lead across a split antecedent, in the order of Python's sets, count in "
            f"part, as in the Universal Anaphora scorer 1.0: {-key:+.4g} links of the key and {-response:+.4g} of the "
            "response beside split_antecedents=keep"
        )
        yield Notice("crossed-links", message, {"key": -key, "response": -response})

    def _make_listed_notices(self, measure: Measure) -> Iterator[Notice]:
        """Yield one notice of how many more or fewer of BLANC's links lists give than the formula; none if as many."""
        kept = SplitViews(measure, SplitAntecedents(**_get_fields(self))).links
        differ = {
            "coreference": float(np.sum(self.together) - np.sum(kept.common_coreference)),
            "noncoreference": float(np.sum(self.apart) - np.sum(kept.common_noncoreference)),
        }
        if any(abs(each) > _ROUNDING for each in differ.values()):
            message = (
                "links with split antecedents are counted along lists in the order of Python's sets, as the Universal "
                f"Anaphora scorers do: {differ['coreference']:+.4g} common coreference links and "
                f"{differ['noncoreference']:+.4g} non-coreference links beside split_antecedents=keep"
            )
            yield Notice("listed-links", message, differ)

    @classmethod
    def make_empty(cls, mentions: Views) -> ListedSplits:
        """Make the record of a table without split antecedents, whose common links are those of its mentions."""
        numbers, links = np.zeros(0, dtype=np.int64), mentions.links
        return cls(
            **_get_fields(SplitAntecedents.make_empty(mentions)),
            together=links.common_coreference,
            apart=links.common_noncoreference,
            crossed=(numbers, numbers),
            same=numbers > 0,
        )

    @classmethod
    def join(cls, parts: Sequence[SplitAntecedents], mentions: Views) -> ListedSplits:
        """Return one record for the documents of several tables, given the views of all their mentions."""
        listed = [part for part in parts if isinstance(part, ListedSplits)]
        key, response = (np.concatenate([part.crossed[side] for part in listed]) for side in (0, 1))
        return cls(
            **join_splits(parts, mentions),
            together=join_columns([part.together for part in listed]),
            apart=join_columns([part.apart for part in listed]),
            crossed=(key, response),
            same=np.concatenate([part.same for part in listed]),
        )


def _get_fields(splits: SplitAntecedents) -> dict[str, Any]:
    """Return the fields of `SplitAntecedents` by name, without those that a subclass adds."""
    return {name: getattr(splits, name) for name in SplitAntecedents._fields}


LISTS_1 = ListingScorer(hashes_ends=True, crosses=True)
LISTS_2 = ListingScorer(hashes_ends=False, crosses=False)


class _SharedParts(NamedTuple):
    """What each key split antecedent is shared with: the place of the response's, or -1, and how much of it."""

    place: Ints
    part: Floats


class ListedLinks:
    """The links of a table as one of the scorers counts them."""

    def __init__(
        self,
        splits: SplitAntecedents,
        matching: Matching,
        key: Sequence[ListedSplit],
        response: Sequence[ListedSplit],
        scorer: ListingScorer,
    ) -> None:
        self._splits, self._matching, self._key, self._response = splits, matching, key, response
        self._cells = splits.mentions.recall
        self._list_entity = partial(scorer.list_entity, step=find_step(matching.sides.key))
        pairs = zip(splits.pair_key.tolist(), splits.pair_response.tolist(), strict=True)
        same = [set(key[ours].antecedents) == set(response[theirs].antecedents) for ours, theirs in pairs]
        self.same = np.array(same, dtype=np.bool_)
        """Which pairs the scorer takes for equal."""
        self._equal = np.full(len(key), -1)
        self._equal[splits.pair_key[self.same]] = splits.pair_response[self.same]

    def count_common(self) -> tuple[ByDocument, ByDocument]:
        """Return two columns by document: coreference and non-coreference links that both sides have."""
        links = self._splits.mentions.links
        if not len(self._splits.pair_key):
            return links.common_coreference, links.common_noncoreference
        return links.common_coreference + self._count_together(), links.common_noncoreference + self._count_apart()

    def count_crossed(self) -> tuple[Ints, Ints]:
        """Return two columns, by split antecedent of key and of response: how many links lead across it in its list."""
        sides, twin_key, twin_response = self._matching[:3]
        homes = _find_homes(sides.response, sides.response_number, twin_response, sides.key.entity[twin_key])
        return (
            self._count_across(self._key, self._splits.key, sides.key, self._homes),
            self._count_across(self._response, self._splits.response, sides.response, homes),
        )

    def _count_across(self, splits: Sequence[ListedSplit], entities: Ints, corpus: Corpus, homes: Ints) -> Ints:
        """Return, by split antecedent, how many pairs of mentions, one before it, one behind, have the same home."""
        found = []
        for split, entity in zip(splits, entities.tolist(), strict=True):
            before, behind = self._list_homes(split, entity, corpus, homes)
            times = Counter(behind)
            found.append(sum(times[home] for home in before if home >= 0))
        return np.array(found, dtype=np.int64)

    def _list_homes(self, split: ListedSplit, entity: int, corpus: Corpus, homes: Ints) -> tuple[list[int], list[int]]:
        """Return two lists: the other side's entities (or -1) of mentions before a split antecedent, and behind it."""
        rows, bounds = corpus.by_entity
        rows = rows[bounds[entity] : bounds[entity + 1]]
        home = dict(zip(corpus.mentions.take(rows).objects(), homes[rows].tolist(), strict=True))
        listed = self._list_entity(split)
        place = listed.index(None)
        found = [home.get(mention, -1) for mention in listed]
        return found[:place], found[place + 1 :]

    def _count_together(self) -> ByDocument:
        """Return by document the links that split antecedents have in common with mentions of their own entities."""
        aligned = self._align("coreference")
        links = self._count_shared_mentions(self._fill_with_equal(aligned)).astype(np.float64)
        in_part = (aligned.place != self._equal) | (aligned.part < 1)
        for ours in np.flatnonzero((aligned.place >= 0) & in_part).tolist():
            links[ours] = self._count_along_list(ours, int(aligned.place[ours]), float(aligned.part[ours]))
        return self._splits.mentions.table.key.sum_at(self._splits.key, links)

    def _count_apart(self) -> ByDocument:
        """Return by document the common non-coreference links of split antecedents with mentions and each other."""
        found = self._fill_with_equal(self._align("noncoreference"))
        there = np.flatnonzero(found.place >= 0)
        ours, theirs = self._splits.key[there], self._splits.response[found.place[there]]
        document, part = self._splits.mentions.table.key.document[ours], found.part[there]
        others = np.atleast_1d(self._cells.shared)[document] - self._cells.key_shared[ours]
        links = np.zeros(len(self._key))
        links[there] = part * (others - self._cells.response_shared[theirs] + self._count_shared_mentions(found)[there])
        links[there] += part * (_sum_by_group(document, part) - _sum_by_group(theirs, part)) / 2
        return self._splits.mentions.table.key.sum_at(self._splits.key, links)

    def _align(self, kind: str) -> _SharedParts:
        """Return each key split antecedent's partner (or -1) of most F1 in sum by a kind of links, and that F1."""
        splits = self._splits
        links = splits.pairs.links
        sides = ("common", "key", "response")
        common, wanted, given = (np.atleast_1d(getattr(links, f"{each}_{kind}")) for each in sides)
        recall, precision = common / np.maximum(wanted, 1), common / np.maximum(given, 1)
        f1 = 2 * precision * recall / np.where(common > 0, precision + recall, 1)
        best = splits.align_best(f1, f1 > 0)
        found = _SharedParts(np.full(len(self._key), -1), np.zeros(len(self._key)))
        found.place[splits.pair_key[best]], found.part[splits.pair_key[best]] = splits.pair_response[best], f1[best]
        return found

    def _fill_with_equal(self, aligned: _SharedParts) -> _SharedParts:
        """Return the alignment in which a key split antecedent left over is shared in full with its equal, if any."""
        left = aligned.place < 0
        return _SharedParts(np.where(left, self._equal, aligned.place), np.where(left, 1.0, aligned.part))

    def _count_shared_mentions(self, found: _SharedParts) -> Ints:
        """Return by key split antecedent how many mentions its entity shares with its partner's; 0 without one."""
        width = max(1, len(self._cells.response.size))
        cells = self._cells.cells.key * width + self._cells.cells.response
        if not len(self._splits.response):
            return np.zeros(len(self._key), dtype=np.int64)
        place = find_last_rows(cells, self._splits.key * width + self._splits.response[found.place])
        there = (found.place >= 0) & (place >= 0)
        return np.where(there, self._cells.n[place], 0) if len(cells) else np.zeros(len(place), dtype=np.int64)

    def _count_along_list(self, ours: int, theirs: int, part: float) -> float:
        """Return common links of a key split antecedent: in its list before it with its equal, behind it in `part`."""
        response = self._splits.response
        before, behind = self._list_homes(
            self._key[ours], int(self._splits.key[ours]), self._matching.sides.key, self._homes
        )
        count = part * behind.count(int(response[theirs]))
        return count + before.count(int(response[self._equal[ours]])) if self._equal[ours] >= 0 else count

    @cached
    def _homes(self) -> Ints:
        """The response entity in which each mention of the key is found, or -1."""
        sides, twin_key, twin_response = self._matching[:3]
        return _find_homes(sides.key, sides.key_number, twin_key, sides.response.entity[twin_response])


def _find_homes(corpus: Corpus, number: Ints, twin: Ints, entity: Ints) -> Ints:
    """Return an array: the other side's entity in which each mention is found, or -1, given those of rows `twin`.

    Where mentions are numbered, some are repeated, and those without a twin are found with that of another row.
    """
    if len(number):
        return np.append(entity, -1)[find_last_rows(number[twin], number)]
    homes = np.full(len(corpus), -1)
    homes[twin] = entity
    return homes


def _sum_by_group(group: Ints, values: Floats) -> Floats:
    """Return an array: for every value, the sum of all values of its group."""
    total: Floats = np.bincount(group, weights=values).astype(np.float64)
    return total[group]
