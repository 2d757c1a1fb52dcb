"""Links that one side has and the other lacks, half of each to either end: for pairwise links and BLANC.

Links are pairs of occurrences, those of the key looked up in the response. The reference scorer has sets of links
instead, where mentions are in several entities: a pair is one link, wherever it is together, and can be linked and kept
apart at once; a mention that an entity has twice is linked to itself, and one in several is kept apart from itself.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefeval._arrays import Array, Booleans, Floats, Ints
    from corefeval.analysis.costs.sides import Seen, Side

    Lack = tuple[Floats, Floats]


def together(there: Seen) -> tuple[Lack, Lack]:
    """Coreference links."""
    if _as_sets(there):
        return _of_sets(there, _sets_together)
    return _looked_up(there, lambda side: side.size - 1, np.maximum(there.key.fragment, 1) - 1)


def apart(there: Seen) -> tuple[Lack, Lack]:
    """Non-coreference links."""
    if _as_sets(there):
        return _of_sets(there, _sets_apart)
    side, table = there.key, there.table.for_recall
    shared = np.asarray(table.shared).reshape(-1)[side.document]
    both = shared - table.key_shared[side.entity] - np.append(table.response_shared, 0)[side.other] + side.fragment
    return _looked_up(there, _kept_apart, np.where(side.other >= 0, both, 0))


def _kept_apart(side: Side) -> Ints:
    own: Ints = np.asarray(side.table.key.mentions).reshape(-1)[side.document] - side.size
    return own


def _as_sets(there: Seen) -> bool:
    return there.table.repeats is not None and there.table.repeats.recall is None


def _looked_up(there: Seen, own: Callable[[Side], Ints], common: Ints) -> tuple[Lack, Lack]:
    """What every occurrence has, less what it has in common: in the response, with all that are found there."""
    found = there.key.found
    back = np.bincount(found[found >= 0], common[found >= 0], len(there.response.entity))
    lacking = (own(there.key) - common) / 2, (own(there.response) - back) / 2
    key, response = there.key, there.response
    return (key.by_entity(lacking[0]), lacking[0]), (response.by_entity(lacking[1]), lacking[1])


class _Members(NamedTuple):
    """The mentions of a side, each once in every entity that has it, by entity.

    mention: numbered from 0, the same in every entity. several: whether other entities have it, too.
    twice: whether its entity has it more than once. document: of every mention, by its number here.
    """

    entity: Ints
    mention: Ints
    several: Booleans
    twice: Booleans
    document: Ints


class _Sets(NamedTuple):
    """The links of every mention, own and common; `claims`: what each of its occurrences has of those that lack."""

    own: Floats
    common: Floats
    claims: Floats


def _members(side: Side, mention: Ints, mentions: int) -> _Members:
    pairs, times = np.unique(side.entity * mentions + mention, return_counts=True)
    entity, which = pairs // mentions, pairs % mentions
    document = np.zeros(mentions, dtype=np.int64)
    document[mention] = side.document
    return _Members(entity, which, np.bincount(which, minlength=mentions)[which] > 1, times > 1, document)


def _of_sets(there: Seen, links: Callable[..., _Sets]) -> tuple[Lack, Lack]:
    """Both sides' links as sets, and those in common, which a mention has on both sides alike."""
    from corefeval.analysis.costs.sums import apportioned  # noqa: PLC0415 - sums are made of these

    numbers, mention = np.unique(np.concatenate([there.key.number, there.response.number]), return_inverse=True)
    ours, theirs = np.split(mention.reshape(-1), [len(there.key.number)])
    count = max(1, len(numbers))
    home = np.full(count, -1, dtype=np.int64)  # mentions of the key are in one entity of the response at most
    home[theirs] = there.response.entity
    in_key = np.zeros(count, dtype=np.bool_)
    in_key[ours] = True
    home = np.where(in_key, home, -1)
    key = _members(there.key, ours, count)
    found = []
    for side, rows in ((there.key, ours), (there.response, theirs)):
        sets = links(_members(side, rows, count), key, home, len(there.table.response.size))
        here = np.zeros(count, dtype=np.bool_)
        here[rows] = True
        lacking = apportioned(
            rows, np.where(here, sets.own - sets.common, 0.0), _by_row(side, rows, sets.claims, count)
        )
        found.append((side.by_entity(lacking), lacking))
    return found[0], found[1]


def _by_row(side: Side, mention: Ints, claims: Floats, mentions: int) -> Floats:
    """From mentions, each once in an entity, to its rows."""
    _, place = np.unique(side.entity * mentions + mention, return_inverse=True)
    return claims[place.reshape(-1)]


def _sets_together(own: _Members, key: _Members, home: Ints, width: int) -> _Sets:
    size = np.bincount(own.entity)
    mentions = len(home)
    links = _neighbours(own.entity, own.mention, mentions) / 2
    np.add.at(links, np.unique(own.mention[own.twice]), 1.0)
    matched = home[key.mention] >= 0
    cell = key.entity[matched] * width + home[key.mention[matched]]
    common = _neighbours(np.unique(cell, return_inverse=True)[1].reshape(-1), key.mention[matched], mentions) / 2
    # What an occurrence has in its entity, less what it has in common at most: where the missing links are.
    shared = np.unique(own.entity * (width + 1) + home[own.mention], return_inverse=True, return_counts=True)
    there = np.where(home[own.mention] >= 0, shared[2][shared[1].reshape(-1)] - 1, 0)
    return _Sets(links, common, size[own.entity] - 1 - there + 2.0 * own.twice)


def _sets_apart(own: _Members, key: _Members, home: Ints, width: int) -> _Sets:
    links = (_in_document(own) - _alike(own)) / 2
    np.add.at(links, np.unique(own.mention[own.several]), 0.5)  # from itself, less the half that stands for it above
    both = home >= 0
    matched = both[key.mention]
    left = _Members(key.entity[matched], key.mention[matched], key.several[matched], key.twice[matched], key.document)
    in_response = np.bincount(home[both], minlength=width)
    cells = left._replace(
        entity=np.unique(left.entity * width + home[left.mention], return_inverse=True)[1].reshape(-1)
    )
    common = np.where(both, _in_document(left) - in_response[home] - (_alike(left) - _alike(cells)), 0) / 2
    return _Sets(links, common, np.ones(len(own.mention)))


def _in_document(members: _Members) -> Ints:
    """For every mention how many there are in its document."""
    there = np.unique(members.mention)
    count = np.bincount(members.document[there], minlength=int(members.document.max(initial=0)) + 1)
    everywhere = np.zeros(len(members.document), dtype=np.int64)
    everywhere[there] = count[members.document[there]]
    return everywhere


def _alike(members: _Members) -> Ints:
    """For every mention that one entity only has how many such the entity has; 0 for others."""
    only = ~members.several
    count = np.bincount(members.entity[only], minlength=int(members.entity.max(initial=0)) + 1)
    alike = np.zeros(len(members.document), dtype=np.int64)
    alike[members.mention[only]] = count[members.entity[only]]
    return alike


def _neighbours(group: Ints, mention: Ints, mentions: int) -> Floats:
    """For every mention with how many others it is in a group, each counted once."""
    size = np.bincount(group)
    times = np.bincount(mention, minlength=mentions)
    found = np.zeros(mentions)
    found[mention] = size[group] - 1
    order = np.argsort(group, kind="stable")
    start = np.concatenate([[0], np.cumsum(size)])
    groups_of: dict[int, list[int]] = defaultdict(list)
    several = times[mention] > 1
    for one, where in zip(mention[several].tolist(), group[several].tolist(), strict=True):
        groups_of[one].append(where)
    counted: dict[tuple[int, ...], int] = {}
    for one, groups in groups_of.items():
        kind = tuple(groups)
        if kind not in counted:
            parts: list[Array] = [mention[order[start[each] : start[each + 1]]] for each in kind]
            counted[kind] = len(np.unique(np.concatenate(parts))) - 1
        found[one] = counted[kind]
    return found
