"""Values that follow from other values of a printed table: f1 from recall and precision, means, ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corefeval.comparison.ranking import rank_systems
from corefeval.lab.findings import PrintedValue

_HALF = 0.005  # a number that is printed with two decimals may be off by this much


def check_f1(case: str, name: str, recall: float, precision: float, printed: float) -> PrintedValue:
    """Return the printed f1, in per cent, beside the harmonic mean of the printed recall and precision."""
    ours = compute_f1(recall, precision)
    ends = (compute_f1(max(0.0, recall + off), max(0.0, precision + off)) for off in (-_HALF, _HALF))
    return PrintedValue(case, name, ours, printed, slack=max(abs(ours - end) for end in ends))


def compute_f1(recall: float, precision: float) -> float:
    """Return the harmonic mean, 0 for two zeros."""
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def check_mean(case: str, name: str, parts: Sequence[float], printed: float) -> PrintedValue:
    """Return the printed mean beside the mean of the printed parts."""
    return PrintedValue(case, name, sum(parts) / len(parts), printed, slack=_HALF)


def check_ranks(
    name: str, scores: Mapping[str, float], printed: Mapping[str, float], misprints: Mapping[str, str], *, shared: bool
) -> list[PrintedValue]:
    """Return each system's printed rank beside 1 + how many are better.

    misprints: why the printed rank of a system is wrong. shared: whether systems that do not differ significantly
    share a rank; those are taken to be the ones whose printed ranks are equal.
    """
    given = list(printed.values())
    different = {(a, b): not shared or given[a] != given[b] for a in range(len(given)) for b in range(a)}
    ranks = zip(scores, rank_systems(list(scores.values()), different), strict=True)
    return [
        PrintedValue(system, name, rank, printed[system], digits=0, misprint=misprints.get(system, ""))
        for system, rank in ranks
    ]


def rank_names(scores: Mapping[str, float]) -> list[str]:
    """Return the names of scores, that of the highest first."""
    return sorted(scores, key=scores.__getitem__, reverse=True)
