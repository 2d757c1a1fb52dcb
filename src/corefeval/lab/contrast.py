"""contrast(): the smallest pairs of responses that two measures rank oppositely."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar

from corefeval._arrays import np
from corefeval.errors import OptionError
from corefeval.lab.criteria.pairs import LARGEST, Pair, Partition, draw_partition, list_pairs
from corefeval.lab.criteria.relations import TOLERANCE
from corefeval.lab.criteria.search import MeasuredPairs, measure_pairs
from corefeval.measures import Measure, get_measure
from corefeval.notices import Notice, count_things
from corefeval.tables.result import Result
from corefeval.tables.table import Table
from corefeval.tables.text import Style
from corefeval.tables.writers import NamedColumns


@dataclass(frozen=True, slots=True)
class OppositeRanks:
    """A key and two responses, as pictures, and for each response its scores by the first and the second measure."""

    key: str
    a: str
    b: str
    scores_of_a: tuple[float, float]
    scores_of_b: tuple[float, float]


@dataclass(frozen=True, slots=True)
class ContrastResult(Result):
    """Responses that the first measure ranks A before B, and the second B before A; those of fewest mentions.

    found: how many there are of `mentions` mentions, of which `examples` are some; mentions is 0 if there are none.
    """

    first: str
    second: str
    same_mentions: bool
    mentions: int
    found: int
    examples: tuple[OppositeRanks, ...]
    notices: ClassVar[tuple[Notice, ...]] = ()

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was searched, and how examples are chosen."""
        kind = "the same mentions" if self.same_mentions else "any mentions"
        searched = f"Searched: all keys and responses with {kind}, up to {LARGEST} of them, up to relabelling"
        return (f"{searched}; scores that are 0/0 aside. First those whose smaller difference is largest.",)

    def describe(self, style: Style) -> list[str]:
        """Return a sentence: whether there are any, how many, of how many mentions."""
        measures = f"{self.first} and {self.second}"
        if not self.mentions:
            return [style("head", f"{measures} rank no two responses to a key oppositely, of up to {LARGEST} mentions")]
        count = f"{self.found:,} with {count_things(self.mentions, 'mention')}, none with fewer"
        return [style("head", f"Pairs of responses that {measures} rank oppositely: {count}")]

    def tables(self) -> Iterator[Table]:
        """Yield a table of pictures and scores for each example."""
        for number, each in enumerate(self.examples, 1):
            rows = [("key", each.key, "", "")]
            scored = (("response A", each.a, each.scores_of_a), ("response B", each.b, each.scores_of_b))
            rows += [(label, drawn, f"{one:.4f}", f"{other:.4f}") for label, drawn, (one, other) in scored]
            yield Table(f"example {number}", ("", "entities", self.first, self.second), rows, names=2)

    def build_columns(self) -> NamedColumns:
        """Return flat columns: a row for each example."""
        return {
            "key": [each.key for each in self.examples],
            "a": [each.a for each in self.examples],
            "b": [each.b for each in self.examples],
            **{
                f"{measure}.{side}": [getattr(each, f"scores_of_{side}")[place] for each in self.examples]
                for place, measure in enumerate((self.first, self.second))
                for side in "ab"
            },
        }

    def build_content(self) -> dict[str, object]:
        """Return everything as plain objects for JSON."""
        return {**asdict(self), "searched_up_to": LARGEST}


def contrast(
    first: str | Measure, second: str | Measure, *, same_mentions: bool = True, examples: int = 3
) -> ContrastResult:
    """Return the smallest pairs of responses that two measures rank oppositely, found by searching all.

    same_mentions: whether responses have the mentions of the key. examples: how many pairs to return.
    """
    measures = get_measure(first), get_measure(second)
    names = str(measures[0]), str(measures[1])
    if names[0] == names[1]:
        raise OptionError(f"{names[0]} cannot be compared with itself: name two measures")
    sizes = {
        pair: size
        for size in range(1, LARGEST + 1)
        for pair in list_pairs(size)
        if pair.has_same_mentions or not same_mentions
    }
    pairs = list(sizes)
    scored = measure_pairs(measures, pairs)
    by_key: dict[Partition, list[int]] = defaultdict(list)
    for number, pair in enumerate(pairs):
        by_key[pair.key].append(number)
    for mentions in range(1, LARGEST + 1):
        found = [
            each
            for numbers in by_key.values()
            for each in _find_opposites([n for n in numbers if sizes[pairs[n]] <= mentions], scored)
        ]
        if found:
            found.sort(key=lambda each: -each[0])
            shown = tuple(_draw_opposites(pairs, scored, a, b) for _, a, b in found[:examples])
            return ContrastResult(*names, same_mentions, mentions, len(found), shown)
    return ContrastResult(*names, same_mentions, 0, 0, ())


def _find_opposites(numbers: Sequence[int], scored: Sequence[MeasuredPairs]) -> Iterator[tuple[float, int, int]]:
    """Yield (margin, A, B) for all responses to a key of which the first measure prefers A, the second B."""
    one, other = scored
    sure = [n for n in numbers if not (one.undefined[one.measure.main][n] or other.undefined[other.measure.main][n])]
    first, second = one.scores[one.measure.main][sure], other.scores[other.measure.main][sure]
    margins = np.minimum(first[:, None] - first, second - second[:, None])
    for a, b in np.argwhere(margins > TOLERANCE).tolist():
        yield round(float(margins[a, b]), 12), sure[a], sure[b]


def _draw_opposites(pairs: Sequence[Pair], scored: Sequence[MeasuredPairs], a: int, b: int) -> OppositeRanks:
    """Return the pictures and scores of two responses to a key, given by number."""

    def get_scores(number: int) -> tuple[float, float]:
        """Return a response's scores by both measures."""
        one, other = (each.measure.sign * float(each.scores[each.measure.main][number]) for each in scored)
        return one, other

    key = draw_partition(pairs[a].key)
    return OppositeRanks(
        key, draw_partition(pairs[a].response), draw_partition(pairs[b].response), get_scores(a), get_scores(b)
    )
