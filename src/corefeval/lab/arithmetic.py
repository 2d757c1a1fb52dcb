"""Values that follow from other values of a printed table: f1 from recall and precision, means, ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from corefeval.comparison.ranking import rank_systems
from corefeval.lab.findings import PrintedValue

PrintedTable: TypeAlias = Mapping[str, Mapping[str, float]]
"""By column and row."""

_HALF = 0.005  # a number that is printed with two decimals may be off by this much


def check_f1(table: PrintedTable, row: str, measure: str) -> PrintedValue:
    """Return the printed f1 of a measure, in per cent, beside the harmonic mean of its printed recall and precision."""
    recall, precision, printed = (table[f"{measure}.{field}"][row] for field in ("recall", "precision", "f1"))
    ours = compute_f1(recall, precision)
    ends = (compute_f1(max(0.0, recall + off), max(0.0, precision + off)) for off in (-_HALF, _HALF))
    return PrintedValue(row, f"{measure}.f1", ours, printed, slack=max(abs(ours - end) for end in ends))


def compute_f1(recall: float, precision: float) -> float:
    """Return the harmonic mean, 0 for two zeros."""
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def check_mean(table: PrintedTable, row: str, column: str, parts: Sequence[str]) -> PrintedValue:
    """Return the printed mean of some columns beside the mean of their printed values."""
    ours = sum(table[part][row] for part in parts) / len(parts)
    return PrintedValue(row, column, ours, table[column][row], slack=_HALF)


def check_ranks(table: PrintedTable, column: str, misprints: Mapping[str, str], *, shared: bool) -> list[PrintedValue]:
    """Return each row's printed rank by a column beside 1 + how many are better.

    misprints: why the printed rank of a row is wrong. shared: whether systems that do not differ significantly share a
    rank; those are taken to be the ones whose printed ranks are equal.
    """
    printed = list(table[f"{column} rank"].values())
    different = {(a, b): not shared or printed[a] != printed[b] for a in range(len(printed)) for b in range(a)}
    ranks = rank_systems(list(table[column].values()), different)
    return [
        PrintedValue(row, f"{column} rank", ours, theirs, digits=0, misprint=misprints.get(row, ""))
        for row, ours, theirs in zip(table[column], ranks, printed, strict=True)
    ]


def rank_names(scores: Mapping[str, float]) -> list[str]:
    """Return the names of scores, that of the highest first."""
    return sorted(scores, key=scores.__getitem__, reverse=True)
