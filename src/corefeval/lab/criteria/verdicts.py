"""What a search finds for a measure and a criterion, as plain values that are written to JSON and read back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from corefeval._lazy import NamedTuple


class ScoredResponse(NamedTuple):
    """The pictures of a key and a response, and the score; of a group, how many it has, and its mean or least score."""

    key: str
    response: str
    score: float
    number: int = 1


class Example(NamedTuple):
    """A case in which a criterion fails or ties: what was expected, how many mentions it has, and its responses."""

    relation: str
    mentions: int
    responses: tuple[ScoredResponse, ...]


class ScoreSpread(NamedTuple):
    """How scores lie: the least, the greatest, how many different ones, the largest gap of two; None without any."""

    least: float | None
    greatest: float | None
    values: int
    gap: float | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """How often a criterion was looked at, and how often it ties or fails.

    cases, drawn: how many of up to six mentions (all), and larger ones (some). undefined: left out, as a score is 0/0.
    example: the smallest case in which it fails, or else ties.
    """

    cases: int = 0
    drawn: int = 0
    ties: int = 0
    failures: int = 0
    undefined: int = 0
    example: Example | None = None

    @property
    def mark(self) -> str:
        """✓: it holds in all cases; =: it ties in some and fails in none; ✗: it fails; –: there are no cases."""
        if not self.cases + self.drawn:
            return "–"
        return "✗" if self.failures else "=" if self.ties else "✓"

    def join(self, other: Verdict) -> Verdict:
        """Return the verdict on the cases of both; the example of the smaller failure."""
        examples = [
            (not each.failures, each.example.mentions, place, each.example)
            for place, each in enumerate((self, other))
            if each.example is not None
        ]
        return Verdict(
            self.cases + other.cases,
            self.drawn + other.drawn,
            self.ties + other.ties,
            self.failures + other.failures,
            self.undefined + other.undefined,
            min(examples)[-1] if examples else None,
        )

    @classmethod
    def from_content(cls, content: Sequence[Any]) -> Verdict:
        """Return the verdict that `dataclasses.astuple` made a list of, read back from JSON."""
        cases, drawn, ties, failures, undefined, example = content
        if example is not None:
            relation, mentions, responses = example
            example = Example(relation, mentions, tuple(ScoredResponse(*each) for each in responses))
        return cls(cases, drawn, ties, failures, undefined, example)


class Judgement(NamedTuple):
    """The verdict on all cases, and on those only where key and response have the same mentions."""

    any_mentions: Verdict
    same_mentions: Verdict

    @property
    def mark(self) -> str:
        """The mark for all cases; behind it in brackets that for the same mentions, where that is another one."""
        general, same = self.any_mentions.mark, self.same_mentions.mark
        return general if same in (general, "–") else f"{general} ({same})"


class JudgedMeasure(NamedTuple):
    """A measure, the judgements on it by criterion, and how its scores lie."""

    measure: str
    judgements: dict[str, Judgement]
    spread: ScoreSpread
