"""Links that one side has and the other lacks, half of each to either end: for pairwise links and BLANC.

Links are pairs of occurrences, those of the key looked up in the response. The reference scorer has sets of links
instead, where mentions are in several entities: a pair is one link, wherever it is together, and can be linked and kept
apart at once; a mention that an entity has twice is linked to itself, and one in several is kept apart from itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

import numpy as np

from corefeval._arrays import Array, Booleans, Floats, Ints
from corefeval._lazy import NamedTuple
from corefeval.analysis.costs.sides import BothSides, MentionSide
from corefeval.overlap.cells import CreditedCells

Lack = tuple[Floats, Floats]
"""What the entities of a side lack of their full credit, and what its mentions lack."""

LinkCounts = tuple[Floats, Floats, Floats]
"""How many links every mention has, how many in common, and the claim of each membership to the rest."""


def share_by_claims(group: Ints, total: Array, claims: Array) -> Floats:
    """Return an array: each member's part of its group's total, by its claim above 0; equal parts if none has one."""
    claim = np.maximum(np.asarray(claims, dtype=np.float64), 0)
    claim = np.where(np.bincount(group, claim, len(total))[group] > 0, claim, 1.0)
    return np.asarray(total[group] * claim / np.bincount(group, claim, len(total))[group], dtype=np.float64)


def find_missing_links(both: BothSides) -> tuple[Lack, Lack]:
    """Return for key and response two arrays: coreference links that entities lack, and mentions (half each end)."""
    if isinstance(both.views.recall.cells, CreditedCells):
        return _count_missing_by_sets(both, _count_links)
    own = [side.size - 1 for side in both[:2]]
    return _count_missing_by_occurrence(both, own, np.maximum(both.key.fragment, 1) - 1)


def find_missing_nonlinks(both: BothSides) -> tuple[Lack, Lack]:
    """Return for key and response two arrays: non-coreference links entities lack, and mentions (half each end)."""
    if isinstance(both.views.recall.cells, CreditedCells):
        return _count_missing_by_sets(both, _count_nonlinks)
    side, table = both.key, both.views.recall
    shared = np.asarray(table.shared).reshape(-1)[side.document]
    # Shared mentions of the document that are neither in this key entity nor in this response entity.
    common = shared - table.key_shared[side.entity] - np.append(table.response_shared, 0)[side.other] + side.fragment
    own = [np.asarray(side.table.key.mentions).reshape(-1)[side.document] - side.size for side in both[:2]]
    return _count_missing_by_occurrence(both, own, np.where(side.other >= 0, common, 0))


def _count_missing_by_occurrence(both: BothSides, own: list[Ints], common: Ints) -> tuple[Lack, Lack]:
    """Return for key and for response two arrays: half of own less common links, by entity and by mention.

    own: those of every mention of each side. common: those of every mention of the key; a mention of the response has
    those of all that are found in it.
    """
    key, response = both.key, both.response
    found = key.found
    common_response = np.bincount(found[found >= 0], common[found >= 0], len(response.entity))
    lack_key, lack_response = (own[0] - common) / 2, (own[1] - common_response) / 2
    return key.sum_by_entity(lack_key), response.sum_by_entity(lack_response)


class _Memberships(NamedTuple):
    """The mentions of a side, once for every entity that has them, by entity."""

    place: Ints  # the membership of every row of the side
    entity: Ints
    mention: Ints  # numbered from 0, the same in every entity
    several: Booleans  # whether other entities have it, too
    twice: Booleans  # whether its entity has it more than once
    document: Ints  # of every mention, by its number here


def _list_memberships(side: MentionSide, mention: Ints, mentions: int) -> _Memberships:
    """Return _Memberships: one row for each pair of an entity and a mention that it has, once or more, by entity."""
    fused = side.entity * mentions + mention
    pairs, place, times = np.unique(fused, return_inverse=True, return_counts=True)
    entity, which = pairs // mentions, pairs % mentions
    document = np.zeros(mentions, dtype=np.int64)
    document[mention] = side.document
    several = np.bincount(which, minlength=mentions)[which] > 1
    return _Memberships(place.reshape(-1), entity, which, several, times > 1, document)


def _count_missing_by_sets(both: BothSides, count: Callable[..., LinkCounts]) -> tuple[Lack, Lack]:
    """Return for key and response two arrays: links (as sets, by `count`) that entities lack, and mentions lack."""
    numbers, mention = np.unique(np.concatenate([both.key.number, both.response.number]), return_inverse=True)
    ours, theirs = np.split(mention.reshape(-1), [len(both.key.number)])
    total = max(1, len(numbers))
    home = np.full(total, -1, dtype=np.int64)  # mentions of the key are in one entity of the response at most
    home[theirs] = both.response.entity
    in_key = np.zeros(total, dtype=np.bool_)
    in_key[ours] = True
    home = np.where(in_key, home, -1)
    key, response = _list_memberships(both.key, ours, total), _list_memberships(both.response, theirs, total)
    found = []
    for side, rows, members in ((both.key, ours, key), (both.response, theirs, response)):
        own, common, claims = count(members, key, home, len(both.views.table.response.size))
        lacking = share_by_claims(rows, own - common, claims[members.place])
        found.append(side.sum_by_entity(lacking))
    return found[0], found[1]


def _count_links(own: _Memberships, key: _Memberships, home: Ints, width: int) -> LinkCounts:
    """Return three arrays: half of mentions' coreference links, of common ones, and memberships' claims to the rest."""
    size = np.bincount(own.entity)
    mentions = len(home)
    links = _count_neighbours(own.entity, own.mention, mentions) / 2
    np.add.at(links, np.unique(own.mention[own.twice]), 1.0)
    matched = home[key.mention] >= 0
    cell = key.entity[matched] * width + home[key.mention[matched]]
    common = _count_neighbours(np.unique(cell, return_inverse=True)[1].reshape(-1), key.mention[matched], mentions) / 2
    # What an occurrence has in its entity, less what it has in common at most: where the missing links are.
    shared = np.unique(own.entity * (width + 1) + home[own.mention], return_inverse=True, return_counts=True)
    there = np.where(home[own.mention] >= 0, shared[2][shared[1].reshape(-1)] - 1, 0)
    return links, common, size[own.entity] - 1 - there + 2.0 * own.twice


def _count_nonlinks(own: _Memberships, key: _Memberships, home: Ints, width: int) -> LinkCounts:
    """Return three arrays: half of mentions' non-coreference links, of common ones, and memberships' claims, all 1."""
    links = (_count_mentions_of_document(own) - _count_mentions_of_only_entity(own)) / 2
    np.add.at(links, np.unique(own.mention[own.several]), 0.5)  # from itself, less the half that stands for it above
    both = home >= 0
    matched = both[key.mention]
    left = key._replace(
        entity=key.entity[matched], mention=key.mention[matched], several=key.several[matched], twice=key.twice[matched]
    )
    in_response = np.append(np.bincount(home[both], minlength=width), 0)  # home -1 (not found) reads the 0
    cell = np.unique(left.entity * width + home[left.mention], return_inverse=True)[1].reshape(-1)
    only_in_key = _count_mentions_of_only_entity(left) - _count_mentions_of_only_entity(left._replace(entity=cell))
    common = np.where(both, _count_mentions_of_document(left) - in_response[home] - only_in_key, 0) / 2
    return links, common, np.ones(len(own.mention))


def _count_mentions_of_document(members: _Memberships) -> Ints:
    """Return an array: for every mention, how many listed mentions its document has; 0 if it is not listed itself."""
    there = np.unique(members.mention)
    return _find_group_sizes(members.document[there], there, len(members.document))


def _count_mentions_of_only_entity(members: _Memberships) -> Ints:
    """Return an array: for a mention of only one entity, how many such mentions that entity has; 0 for others."""
    only = ~members.several
    return _find_group_sizes(members.entity[only], members.mention[only], len(members.document))


def _find_group_sizes(group: Ints, mention: Ints, mentions: int) -> Ints:
    """Return an array of length `mentions`: the size of each listed mention's group; 0 for those not listed."""
    sizes = np.zeros(mentions, dtype=np.int64)
    sizes[mention] = np.bincount(group)[group]
    return sizes


def _count_neighbours(group: Ints, mention: Ints, mentions: int) -> Floats:
    """Return an array: for every mention, with how many different others it shares at least one group."""
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
