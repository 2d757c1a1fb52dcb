"""Results of a comparison of systems: by system, by pair and measure, and over all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corefeval.comparison import layout
from corefeval.tables.result import Result

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corefeval.baselines.relative import Relative
    from corefeval.comparison.bootstrap import Interval
    from corefeval.measures import Measure
    from corefeval.notices import Notice
    from corefeval.scoring.results import Evaluation
    from corefeval.tables.table import Digits, Table


@dataclass(frozen=True, slots=True)
class Estimate:
    """A system's score by one measure: its main value, a confidence interval, its rank and its letters.

    There are no ranks and letters where systems were compared with a baseline only, not with each other.
    between_runs, between_documents: standard deviations of the score, from the runs and from the documents alone.
    """

    score: float
    interval: Interval
    rank: int | None
    letters: str
    between_runs: float | None
    between_documents: float


@dataclass(frozen=True, slots=True)
class Standing:
    """A system's estimates by measure, with the evaluations of its runs."""

    name: str
    measures: Mapping[str, Estimate]
    runs: tuple[Evaluation, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """Two systems by one measure: b minus a.

    exact: whether p is from all possible swaps; tried: from how many swaps or resamples.
    wins, ties, losses: on how many documents b is better, as good, worse.
    deciding: the documents that contribute most to the difference, and how much each contributes.
    detectable: the smallest difference found with 80 % power on documents like these; needed: how many documents would
    show this difference; planned: how many would show the difference that was planned for. None where that is unknown.
    """

    a: str
    b: str
    measure: str
    difference: float
    interval: Interval
    p: float
    p_corrected: float
    significant: bool
    wins: int
    ties: int
    losses: int
    exact: bool
    tried: int
    deciding: tuple[tuple[str, float], ...]
    detectable: float | None
    needed: int | None
    planned: int | None = None

    @property
    def resolution(self) -> float:
        """The smallest p possible with as many swaps or resamples as were tried."""
        return min(1.0, 2 / self.tried) if self.exact else 1 / (self.tried + 1)


@dataclass(frozen=True, slots=True)
class Settings:
    """How systems are compared, once their scores are known: the arguments of `compare` of the same names."""

    test: str = "randomisation"
    resamples: int = 10_000
    seed: int = 0
    confidence: float = 0.95
    interval: str = "bca"
    correction: str = "holm"
    baseline: str | None = None
    stratify: str | None = None
    plan: float | None = None


@dataclass(frozen=True, slots=True)
class Comparison(Result):
    """Systems scored against one key, and compared with each other.

    relative_to: the systems' scores relative to a baseline, if that was asked for.
    """

    measures: tuple[Measure, ...]
    document_names: tuple[str, ...]
    systems: tuple[Standing, ...]
    comparisons: tuple[Difference, ...]
    agreement: Mapping[tuple[str, str], float | None]
    settings: Settings
    signature: str
    notices: tuple[Notice, ...]
    relative_to: tuple[Relative, ...] = ()

    def between(self, a: str, b: str, measure: str) -> Difference:
        """Return the difference of two systems by a measure, b minus a."""
        for each in self.comparisons:
            if (each.a, each.b, each.measure) == (a, b, measure):
                return each
        raise KeyError((a, b, measure))

    def worse_than_baseline(self) -> tuple[Difference, ...]:
        """Return the differences of systems that are significantly worse than the baseline (or the first system)."""
        first = self.settings.baseline or self.systems[0].name
        sign = {str(measure): measure.sign for measure in self.measures}
        against = [each for each in self.comparisons if each.a == first and each.significant]
        return tuple(each for each in against if sign[each.measure] * each.difference < 0)

    @property
    def remarks(self) -> tuple[str, ...]:
        """How it was done, in a sentence."""
        return (layout.describe_settings(self),)

    @property
    def signatures(self) -> tuple[str, ...]:
        """How scores were made, in one line."""
        return (self.signature,)

    def tables(self, *, digits: Digits = "round") -> Iterator[Table]:
        """Yield systems, differences, the documents that decide, and how far measures agree."""
        yield from layout.build_tables(self, digits)

    def paper_tables(self, *, digits: Digits = "round") -> Iterator[Table]:
        """Yield a row for each system, a column for each measure, with letters for significance."""
        yield from layout.build_paper_tables(self, digits)

    def build_records(self) -> dict[str, list[object]]:
        """Return a row for each system and measure, then for each difference."""
        return layout.build_records(self)

    def build_content(self) -> dict[str, object]:
        """Return everything as plain objects."""
        return layout.build_content(self)
