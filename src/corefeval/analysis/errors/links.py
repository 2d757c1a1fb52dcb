"""Links that are missed and links that are wrong, as cort extracts them (Martschat & Strube 2014, 2015).

The response splits a key entity into fragments. In a spanning tree of the entity every mention but the first has an
antecedent: within its fragment the closest mention before it; the first mention of a fragment has one in another
fragment, and that link is missed. By `accessibility`, a name or nominal has there the closest name before it, or else
the closest nominal; where there is neither, and for all other mentions, it is the closest mention. By `closest` it is
that always. A response entity that the key splits has wrong links in the same way; cort takes those from the links that
a system has drawn, which files of entities do not tell, so here they are the closest ones.

There are as many missed links as MUC's recall lacks, and as many wrong ones as its precision lacks.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass

import numpy as np

from corefeval._arrays import Ints
from corefeval._lazy import NamedTuple
from corefeval.analysis.pooled_mentions import pool_mentions
from corefeval.corpus.mention_types import MENTION_TYPES, find_types_of_sides
from corefeval.errors import check_choice
from corefeval.overlap.views import Rows

TREES = ("accessibility", "closest")
NAMES = (*MENTION_TYPES, "unknown")
_ZERO, _PRONOUN, _NAME, _NOMINAL = range(len(MENTION_TYPES))


@dataclass(frozen=True, slots=True)
class LinkError:
    """A link that is missed (`kind` "missed": the key has it) or wrong ("wrong": the response has it).

    anaphor_type, antecedent_type: zero, pronoun, name, nominal or unknown.
    anaphor_row, antecedent_row: rows of the key for missed links, of the response for wrong ones.
    """

    kind: str
    document: str
    line: int | None
    anaphor: str
    antecedent: str
    anaphor_type: str
    antecedent_type: str
    anaphor_row: int
    antecedent_row: int

    def to_dict(self) -> dict[str, object]:
        """Return the fields by name, without the row numbers that only this run knows."""
        return {name: value for name, value in asdict(self).items() if not name.endswith("_row")}


def find_link_errors(rows: Rows, tree: str = TREES[0]) -> tuple[LinkError, ...]:
    """Return LinkErrors: all missed links, then all wrong ones; an unknown `tree` raises an OptionError."""
    errors: list[LinkError] = []
    for kind, links in _find_links(rows, tree).items():
        corpus = rows.key if kind == "missed" else rows.response
        columns = (
            [rows.key.documents[document] for document in links.document.tolist()],
            corpus.list_lines(links.anaphor),
            corpus.list_descriptions(links.anaphor),
            corpus.list_descriptions(links.antecedent),
            [NAMES[code] for code in links.anaphor_type.tolist()],
            [NAMES[code] for code in links.antecedent_type.tolist()],
            links.anaphor.tolist(),
            links.antecedent.tolist(),
        )
        errors += [LinkError(kind, *values) for values in zip(*columns, strict=True)]
    return tuple(errors)


def count_link_errors(rows: Rows) -> dict[str, Counter[tuple[str, str]]]:
    """Return for "missed" and "wrong" {(type of anaphor, of antecedent): number of links} as `find_link_errors` has."""
    return {
        kind: Counter(
            (NAMES[anaphor], NAMES[antecedent])
            for anaphor, antecedent in zip(links.anaphor_type.tolist(), links.antecedent_type.tolist(), strict=True)
        )
        for kind, links in _find_links(rows, TREES[0]).items()
    }


class _Links(NamedTuple):
    """Links as columns: documents, rows of anaphors and antecedents on their side, and the codes of their types."""

    document: Ints
    anaphor: Ints
    antecedent: Ints
    anaphor_type: Ints
    antecedent_type: Ints


def _find_links(rows: Rows, tree: str) -> dict[str, _Links]:
    """Return _Links that are "missed" and that are "wrong"; an unknown `tree` raises an OptionError."""
    check_choice("tree", tree, TREES)
    pooled = pool_mentions(rows)
    ours, theirs = find_types_of_sides(rows)
    extra = pooled.key_row < 0
    types = np.append(ours.code, 0)[pooled.key_row]
    types[extra] = theirs.code[pooled.response_row[extra]]
    found = {}
    for kind, row_of, own, other in (
        ("missed", pooled.key_row, pooled.key_entity, pooled.response_entity),
        ("wrong", pooled.response_row, pooled.response_entity, pooled.key_entity),
    ):
        by_type = kind == "missed" and tree == TREES[0]
        one, before = _find_missing_antecedents(pooled.rank, own, other, types, by_type=by_type)
        found[kind] = _Links(pooled.document[one], row_of[one], row_of[before], types[one], types[before])
    return found


def _find_missing_antecedents(rank: Ints, own: Ints, other: Ints, types: Ints, *, by_type: bool) -> tuple[Ints, Ints]:
    """Return two columns of items for fragments but an entity's first: the first mention of each, its antecedent."""
    chosen = np.flatnonzero(own >= 0)
    order = chosen[np.lexsort((rank[chosen], own[chosen]))]
    # Every mention that the other side lacks is a fragment of its own.
    width = int(other.max(initial=0)) + 1
    fragment = np.where(other[order] >= 0, other[order], width + np.arange(len(order)))
    entity = own[order]
    _, first = np.unique(entity * (width + len(order)) + fragment, return_index=True)
    opens = np.zeros(len(order), dtype=np.bool_)
    opens[first] = True
    begins = np.diff(entity, prepend=-1) != 0
    place = np.arange(len(order))
    antecedent = place - 1
    if by_type:
        nouns = np.isin(types[order], (_NAME, _NOMINAL))
        start = np.maximum.accumulate(np.where(begins, place, 0))
        for wanted in (_NOMINAL, _NAME):
            last = np.append(-1, np.maximum.accumulate(np.where(types[order] == wanted, place, -1))[:-1])[: len(order)]
            antecedent = np.where(nouns & (last >= start), last, antecedent)
    anaphors = opens & ~begins
    return order[anaphors], order[antecedent[anaphors]]
