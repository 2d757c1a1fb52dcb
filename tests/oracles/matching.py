"""Matching rules once more: mentions are sets of words, every pair is looked at, every assignment is by brute force.

>>> lenient({0, 1, 2}, {1}, {1, 2})
Fraction(2, 3)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from corefeval.formats.draft import Draft
from corefeval.matching import documents
from corefeval.matching.rules.base import number_by_rule
from corefeval.options import load_behaviour

if TYPE_CHECKING:
    import random

    from corefeval import Corpus

Words: TypeAlias = frozenset[int]
Runs: TypeAlias = tuple[tuple[int, int], ...]
Credit: TypeAlias = Callable[[int, int], Fraction]


def lenient(key: set[int] | Words, core: set[int] | Words, response: set[int] | Words) -> Fraction:
    """The share of the key mention that the response mention has; 0 unless it has the core and nothing else."""
    return Fraction(len(response), len(key)) if core and core <= response <= key else Fraction(0)


def best_total(ours: Sequence[int], theirs: Sequence[int], credit: Credit) -> Fraction:
    """The greatest sum of credits of a one-to-one assignment; every one of them is tried."""

    @cache
    def best(place: int, taken: frozenset[int]) -> Fraction:
        if place == len(ours):
            return Fraction(0)
        gains = {other: credit(ours[place], other) for other in theirs if other not in taken}
        tried = [gain + best(place + 1, taken | {other}) for other, gain in gains.items() if gain]
        return max(best(place + 1, taken), *tried) if tried else best(place + 1, taken)

    return best(0, frozenset())


def random_runs(rng: random.Random, words: int) -> Runs:
    """The runs of a mention, now and then with a gap."""
    first = rng.randrange(words)
    last = min(words - 1, first + rng.choice((0, 0, 1, 2, 3, 5)))
    if last - first > 1 and rng.random() < 0.3:
        gap = rng.randrange(first + 1, last)
        return ((first, gap - 1), (gap + 1, last))
    return ((first, last),)


def words_of(runs: Runs) -> Words:
    """The words of some runs."""
    return frozenset(word for first, last in runs for word in range(first, last + 1))


Mention: TypeAlias = tuple[Runs, tuple[int, int] | None]
"""A mention, and its head or minimum."""


def corpus(sides: Sequence[Sequence[Sequence[Mention]]], words: int) -> Corpus:
    """Documents of entities of mentions, over words that are numbers; what comes with a mention is head and minimum."""
    draft = Draft("made up")
    for number, entities in enumerate(sides):
        document = draft.add_document(f"d{number}", words=[str(word) for word in range(words)])
        for name, entity in enumerate(entities):
            for runs, core in entity:
                document.add_mention(str(name), runs if len(runs) > 1 else runs[0], head=core, minimum=core)
    return draft.build_corpus()


def matched(key: Corpus, response: Corpus, rule: str) -> list[tuple[int, int]]:
    """The rows of key and response that a rule has given one number; every number once on each side."""
    paired = documents.pair_documents(key, response)
    numbers = number_by_rule(paired.key, paired.response, load_behaviour("match", rule), None)
    ours = {number: row for row, number in enumerate(numbers.key.tolist())}
    theirs = {number: row for row, number in enumerate(numbers.response.tolist())}
    assert (len(ours), len(theirs)) == (len(key), len(response)), "mentions here are all different"
    return sorted((ours[number], theirs[number]) for number in ours.keys() & theirs.keys())


def random_side(rng: random.Random, words: int, documents: int) -> list[list[list[Mention]]]:
    """Documents with an entity of a few different mentions, most of which have a core."""
    return [
        [
            [
                (runs, None if rng.random() < 0.1 else _core(rng, runs))
                for runs in dict.fromkeys(random_runs(rng, words) for _ in range(rng.randint(0, 7)))
            ]
        ]
        for _ in range(documents)
    ]


def _core(rng: random.Random, runs: Runs) -> tuple[int, int]:
    first, last = rng.choice(runs)
    begin = rng.randint(first, last)
    return begin, rng.randint(begin, min(last, begin + 1))
