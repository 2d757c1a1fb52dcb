"""What tests ask of a study: values that are not as printed, and claims that do not hold."""

from __future__ import annotations

from functools import cache

from corefeval.lab import Findings, study


@cache
def run(name: str) -> Findings:
    """Return the findings of a study, which is run once for all tests."""
    return study(name).findings


def count_agreeing(name: str) -> int:
    """Return how many values of a study are as printed."""
    return sum(value.agrees is True for value in run(name).values)


def list_misprints(name: str) -> list[str]:
    """Return case and name of the values that are not as printed; all of them must have a reason."""
    different = [value for value in run(name).values if not value.agrees]
    assert all(value.misprint for value in different), different
    return [f"{value.case} {value.name}" for value in different]


def list_failures(name: str) -> list[str]:
    """Return the claims of a study that do not hold."""
    return [claim.text for claim in run(name).claims if not claim.holds]


def find_numbers(name: str, beginning: str) -> str:
    """Return the numbers of the one claim that begins so."""
    (claim,) = (claim for claim in run(name).claims if claim.text.startswith(beginning))
    return claim.numbers
