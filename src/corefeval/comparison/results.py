"""What a comparison of systems has found: frozen, by system, by pair and measure, and over all."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefeval.baselines.relative import Relative
    from corefeval.comparison.intervals import Interval
    from corefeval.measures import Measure
    from corefeval.notices import Notice
    from corefeval.scoring.results import Evaluation


class Estimate(NamedTuple):
    """A system's score by one measure: its main value, an interval around it, its rank and its letters.

    There are no ranks and letters where systems were compared with a baseline only, and not with each other.
    between_runs, between_documents: standard deviations of the score, from the runs and from the documents alone.
    """

    score: float
    interval: Interval
    rank: int | None
    letters: str
    between_runs: float | None
    between_documents: float


class Standing(NamedTuple):
    """A system of a comparison, with the evaluations of its runs."""

    name: str
    measures: Mapping[str, Estimate]
    runs: tuple[Evaluation, ...]


class Difference(NamedTuple):
    """Two systems by one measure: b minus a.

    exact: whether p is from all possible swaps; tried: from how many.
    wins, ties, losses: on how many documents b is better, as good, worse.
    deciding: the documents without which the difference would change most, and by how much each adds to it.
    detectable: the smallest difference that documents like these show in 80 of 100 cases; needed: how many it would
    take to show this one; planned: how many for the difference that was planned for. None where that cannot be said.
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
        """What p cannot be less than, from as many swaps or resamples as were tried."""
        return min(1.0, 2 / self.tried) if self.exact else 1 / (self.tried + 1)


class Settings(NamedTuple):
    """How it was done, beside what decides the scores."""

    test: str
    resamples: int
    seed: int
    confidence: float
    interval: str
    correction: str
    baseline: str | None
    stratify: str | None
    plan: float | None = None


class Comparison(NamedTuple):
    """Systems judged against one key, and against each other.

    relative_to: the systems' scores relative to a baseline, if that was asked for.
    """

    measures: tuple[Measure, ...]
    documents: int
    systems: tuple[Standing, ...]
    comparisons: tuple[Difference, ...]
    agreement: Mapping[tuple[str, str], float | None]
    settings: Settings
    signature: str
    notices: tuple[Notice, ...]
    relative_to: tuple[Relative, ...] = ()

    def between(self, a: str, b: str, measure: str) -> Difference:
        """The difference of two systems by a measure, b minus a."""
        for each in self.comparisons:
            if (each.a, each.b, each.measure) == (a, b, measure):
                return each
        raise KeyError((a, b, measure))

    def worse_than_baseline(self) -> tuple[Difference, ...]:
        """Where a system is significantly worse than the one it is compared with first (or the baseline)."""
        first = self.settings.baseline or self.systems[0].name
        sign = {str(measure): 1 if measure.more_is_better else -1 for measure in self.measures}
        against = [each for each in self.comparisons if each.a == first and each.significant]
        return tuple(each for each in against if sign[each.measure] * each.difference < 0)

    def to_dict(self) -> dict[str, object]:
        """As in the JSON output."""
        from corefeval.show import compared_json  # noqa: PLC0415 - reports are loaded when one is asked for

        return compared_json.as_dict(self)

    def to_json(self) -> str:
        """JSON with full precision, as the command prints it."""
        from corefeval.show import compared_json  # noqa: PLC0415

        return compared_json.write(self)

    def to_markdown(self) -> str:
        """Markdown tables, in per cent."""
        from corefeval.show import compared  # noqa: PLC0415

        return compared.markdown(self)

    def to_latex(self) -> str:
        """A LaTeX table for booktabs, in per cent, with letters for significance."""
        from corefeval.show import compared  # noqa: PLC0415

        return compared.latex(self)

    def to_csv(self) -> str:
        """Comma-separated values with full precision: a row for each system, then for each difference."""
        from corefeval.show import compared  # noqa: PLC0415

        return compared.csv(self)

    def __str__(self) -> str:
        from corefeval.show import compared  # noqa: PLC0415

        return compared.text(self)
