"""Errors of each kind in the key at growing rates: how fast does each measure fall?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corefeval.lab.corruption import KINDS, corrupt_key, has_errors
from corefeval.lab.findings import Findings
from corefeval.lab.sides import MatchedSides, Scores, draw_scores, number_sides
from corefeval.lab.subject import StudySubject

TITLE = "How fast does each measure fall as errors of one kind grow?"
SOURCE = "the kinds of errors of Kummerfeld & Klein 2013, made one at a time; moved mentions besides"
PROCEDURE = (
    "The response is the key with errors in a share of its mentions, or of its entities for missing, extra, "
    "divided and conflated ones, drawn with a seed; a higher rate has the errors of a lower one and more. An "
    "extra mention joins the entity of a mention drawn at random; a divided entity, of two mentions or more, has "
    "two parts of random sizes; mentions move to, and entities merge with, another entity of their document, "
    "where there is one."
)
TAKES = (0, 0)
RATES = (0, 5, 10, 20, 30, 50)
SHOWN = 10
"""The rate, in per cent, that sentences are about."""


def run(subject: StudySubject) -> Findings:
    """Return a figure for each kind of error: every measure's score over the rates; and which falls most and least."""
    sides = number_sides(subject, subject.key)
    scores = {kind: score_errors(sides, kind, RATES, subject.seed) for kind in KINDS}
    figures = [draw_scores("rate, %", f"{kind}: main score", RATES, own) for kind, own in scores.items()]
    falls = {kind: find_falls(scores[kind], RATES.index(SHOWN)) for kind in find_drawn(sides, subject.seed)}
    return Findings(figures=figures, sentences=describe_falls(falls), notices=sides.notices, seed=subject.seed)


def find_drawn(sides: MatchedSides, seed: int) -> list[str]:
    """Return the kinds of errors of which some are made at the rate SHOWN; of so few mentions it may be none."""
    return [kind for kind in KINDS if has_errors(sides.key, kind, SHOWN / 100, seed)]


def describe_falls(falls: Mapping[str, Mapping[str, float]]) -> list[str]:
    """Return a sentence for each kind of error, of which the points lost are given, and one on those not drawn."""
    sentences = [f"{kind}, {SHOWN} %: {compare_falls(own)}." for kind, own in falls.items()]
    none = [kind for kind in KINDS if kind not in falls]
    return sentences + ([f"{SHOWN} % of so few is not one error: {', '.join(none)}."] if none else [])


def score_errors(sides: MatchedSides, kind: str, rates: Sequence[int], seed: int) -> Scores:
    """Return the scores by measure of the key with errors of a kind, at rates in per cent."""
    return sides.score(corrupt_key(sides.key, kind, rate / 100, seed) for rate in rates)


def find_falls(scores: Scores, place: int) -> dict[str, float]:
    """Return by measure how many points worse the score at a place, of a rate, is than the first one."""
    return {name: 100 * own[0].measure.sign * (own[0].main - own[place].main) for name, own in scores.items()}


def compare_falls(falls: Mapping[str, float]) -> str:
    """Return a text: which measure falls most, and which least, and by how much.

    >>> compare_falls({"muc": 12.0, "lea": 20.0, "mentions": 0.0})
    'lea falls most (20.00 points), mentions least (0.00)'
    """
    most, least = max(falls, key=falls.__getitem__), min(falls, key=falls.__getitem__)
    if most == least or falls[most] - falls[least] < 1e-9:
        return f"all fall by {falls[most]:.2f} points"
    return f"{most} falls most ({falls[most]:.2f} points), {least} least ({falls[least]:.2f})"
