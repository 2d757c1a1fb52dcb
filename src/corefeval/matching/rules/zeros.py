"""Zeros are the same if they depend on the same words in the same way.

Before all others, zeros of one sentence are assigned to each other so that their scores have the greatest sum: ten
times the F1 of their heads' enhanced dependencies (parents with relations), and the F1 of the parents alone. Zeros that
are left go with the other mentions.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING

from corefeval._arrays import Ints, np
from corefeval.matching.rules.assignment import assign_twins
from corefeval.matching.rules.base import TwinPairs, Unmatched, ZeroRule
from corefeval.matching.rules.candidates import Candidates
from corefeval.notices import Notice

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus

_WITH_RELATIONS = 10


def match_zeros(left: Unmatched) -> TwinPairs:
    """Return twins among the zeros of each sentence by dependencies; none, and a notice, if a side lacks these."""
    key = left.key_rows[left.key.zeros[left.key_rows]]
    response = left.response_rows[left.response.zeros[left.response_rows]]
    if len(key) == 0 or len(response) == 0:
        return TwinPairs(key[:0], response[:0])
    ours, theirs = _group_by_sentence(left.key, key), _group_by_sentence(left.response, response)
    for found, side, corpus in ((ours, "key", left.key), (theirs, "response", left.response)):
        if not any(dependencies for sentence in found.values() for _, dependencies in sentence):
            what = "has no enhanced dependencies of zeros (column DEPS of CoNLL-U): they are matched by their order"
            notice = Notice("no-dependencies", f"{corpus.source or f'the {side}'} {what}", {"side": side})
            return TwinPairs(key[:0], response[:0], (notice,))
    pairs = [(one, other) for place, here in ours.items() for one in here for other in theirs.get(place, ())]
    scored = lru_cache(maxsize=1 << 16)(_score_dependencies)
    score = np.array([scored(one[1], other[1]) for one, other in pairs])
    rows = np.array([(one[0], other[0]) for one, other in pairs], dtype=np.int64).reshape(-1, 2)[score > 0]
    zeros = left._replace(key_rows=key, response_rows=response)
    return assign_twins(zeros, Candidates(rows[:, 0], rows[:, 1], score[score > 0]))


def _group_by_sentence(corpus: Corpus, rows: Ints) -> dict[tuple[int, int], list[tuple[int, str]]]:
    """Return {(document, sentence): [(row, dependencies), ...]} of these zeros, dependencies as `4:nsubj|7:obj`."""
    assert corpus.tokens is not None  # noqa: S101 - there are words that are not written
    document = corpus.document[rows]
    word = corpus.head_words[rows]
    column = corpus.tokens.attributes.get("deps")
    dependencies = [""] * len(rows) if column is None else [column[place] for place in word.tolist()]
    places = zip(document.tolist(), corpus.tokens.sentence[word].tolist(), strict=True)
    found: dict[tuple[int, int], list[tuple[int, str]]] = defaultdict(list)
    for place, row, depends in zip(places, rows.tolist(), dependencies, strict=True):
        found[place].append((row, depends))
    return found


def _score_dependencies(one: str, other: str) -> float:
    """Return how alike two zeros' dependencies are: 10 times the F1 of parents with relations, plus that of parents."""
    ours, theirs = (frozenset(filter(None, text.split("|"))) for text in (one, other))
    our_parents, their_parents = (frozenset(each.partition(":")[0] for each in side) for side in (ours, theirs))
    return _WITH_RELATIONS * _compute_f1(ours, theirs) + _compute_f1(our_parents, their_parents)


def _compute_f1(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the F1 of two sets, 0 if they have nothing in common."""
    common = len(one & other)
    if common == 0:
        return 0.0
    precision, recall = common / len(one), common / len(other)
    return 2 * precision * recall / (precision + recall)


DEPENDENCY = ZeroRule(match_zeros)
