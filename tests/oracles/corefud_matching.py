"""The matching rules once more: slow, on plain sets of words, with a matrix of all pairs of a document for SciPy.

Nothing here knows spans, places or sorted columns of `corefeval`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
from scipy.optimize import linear_sum_assignment

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Word: TypeAlias = Fraction
"""The number of a written word; a zero's is between those of the words around it."""


class Mention(NamedTuple):
    """The words in order, the head, and what the head depends on if it is a zero: (parent, relation)."""

    words: tuple[Word, ...]
    head: Word
    sentence: int = 0
    dependencies: frozenset[tuple[str, str]] = frozenset()

    @property
    def is_zero(self) -> bool:
        return self.head.denominator > 1

    @property
    def set(self) -> frozenset[Word]:
        return frozenset(self.words)


Pairs: TypeAlias = "set[tuple[Mention, Mention]]"


def pairs(key: Sequence[Mention], response: Sequence[Mention], match: str, *, dependency: bool = False) -> Pairs:
    """Who is matched with whom in a document, if no mention is there twice."""
    found: Pairs = set()
    if dependency:
        found |= assigned(
            [mention for mention in key if mention.is_zero],
            [mention for mention in response if mention.is_zero],
            by_dependency,
        )
    key, response = _alone(key, response, found)
    same = {(one, other) for one in key for other in response if _is_same(one, other, match)}
    found |= same
    key, response = _alone(key, response, same)
    return found | RULES[match](key, response)


def _alone(key: Sequence[Mention], response: Sequence[Mention], found: Pairs) -> tuple[list[Mention], list[Mention]]:
    ours, theirs = {id(one) for one, _ in found}, {id(other) for _, other in found}
    return [one for one in key if id(one) not in ours], [other for other in response if id(other) not in theirs]


def _is_same(one: Mention, other: Mention, match: str) -> bool:
    return one.set == other.set and (match != "head" or one.head == other.head)


def assigned(key: Sequence[Mention], response: Sequence[Mention], score: Callable[[Mention, Mention], float]) -> Pairs:
    ours, theirs = in_order(key), in_order(response)
    if not ours or not theirs:
        return set()
    matrix = np.array([[score(one, other) for other in theirs] for one in ours])
    return {
        (ours[row], theirs[column])
        for row, column in zip(*linear_sum_assignment(-matrix), strict=True)
        if matrix[row, column] > 0
    }


def in_order(mentions: Sequence[Mention]) -> list[Mention]:
    return sorted(mentions, key=lambda mention: _order(mention.words))


def _order(words: Sequence[Word]) -> tuple[Word, Word, int, list[tuple[Word, Word]]]:
    """By first word, last word and size, as in the scorer, which leaves the rest to chance; then by the runs."""
    return words[0], words[-1], len(words), [(run[0], run[-1]) for run in _all_runs(words)]


def by_head(one: Mention, other: Mention) -> float:
    return len(one.set & other.set) / len(one.set) if one.head == other.head else 0.0


def partially(one: Mention, other: Mention) -> float:
    return len(one.set & other.set) / len(one.set) if one.head in other.set and other.set <= one.set else 0.0


def by_dependency(one: Mention, other: Mention) -> float:
    if one.sentence != other.sentence:
        return 0.0
    parents = [{parent for parent, _ in each.dependencies} for each in (one, other)]
    return 10 * _f1(one.dependencies, other.dependencies) + _f1(*parents)


def _f1(one: frozenset[tuple[str, str]] | set[str], other: frozenset[tuple[str, str]] | set[str]) -> float:
    if not one or not other:
        return 0.0
    p, r = len(one & other) / len(one), len(one & other) / len(other)
    return 2 * p * r / (p + r) if p > 0 and r > 0 else 0.0


def craft(key: Sequence[Mention], response: Sequence[Mention]) -> Pairs:
    found: Pairs = set()
    taken: set[int] = set()
    ours, theirs = (
        sorted((each for each in in_order(side) if not each.is_zero), key=lambda each: _order(written(each)))
        for side in (key, response)
    )
    for other in theirs:
        for one in ours:
            if any(set(run) <= set(runs(one)[0]) for run in runs(other)):
                if id(one) not in taken:
                    taken.add(id(one))
                    found.add((one, other))
                break
    return found


def _all_runs(words: Sequence[Word]) -> list[list[Word]]:
    """Written words that follow each other, and every zero by itself."""
    found: list[list[Word]] = []
    for word in words:
        if found and word == found[-1][-1] + 1 and word.denominator == 1:
            found[-1].append(word)
        else:
            found.append([word])
    return found


def written(mention: Mention) -> list[Word]:
    return [word for word in mention.words if word.denominator == 1]


def runs(mention: Mention) -> list[list[Word]]:
    """Written words that follow each other."""
    found: list[list[Word]] = []
    for word in written(mention):
        if found and word == found[-1][-1] + 1:
            found[-1].append(word)
        else:
            found.append([word])
    return found


RULES: dict[str, Callable[[Sequence[Mention], Sequence[Mention]], Pairs]] = {
    "exact": lambda _key, _response: set(),
    "head": lambda key, response: assigned(key, response, by_head),
    "partial": lambda key, response: assigned(key, response, partially),
    "craft": craft,
}
