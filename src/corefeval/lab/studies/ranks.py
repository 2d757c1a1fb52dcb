"""Where measures rank systems differently, and whether that is more than chance."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from corefeval.comparison.comparison import compare
from corefeval.comparison.results import Comparison, Difference
from corefeval.lab.findings import Claim, Figure, Findings
from corefeval.lab.subject import StudySubject

TITLE = "Where do measures rank the systems differently, and is it significant?"
SOURCE = "Moosavi & Strube 2016, LEA, tables 4 and 5; Recasens & Hovy 2011, BLANC, section 5.2"
PROCEDURE = (
    "A rank is 1 + the number of systems that are significantly better (randomisation over documents, 10,000 "
    "swaps or all, Holm's correction, level 0.05), so systems without a significant difference share one."
)
TAKES = (2, None)


def run(subject: StudySubject) -> Findings:
    """Return ranks and scores by measure, and the pairs of systems that measures put in opposite orders."""
    found = compare(subject.key, subject.responses, measures=subject.measures, seed=subject.seed, **subject.decisions)
    names = [str(each) for each in found.measures]
    systems = {each.name: each.measures for each in found.systems}
    ranks = {name: [own[name].rank or 0 for own in systems.values()] for name in names}
    scores = {name: [100 * own[name].score for own in systems.values()] for name in names}
    figures = Figure("system", "rank", list(systems), ranks), Figure("system", "main score", list(systems), scores)
    opposite = [sentence for a, b in combinations(systems, 2) if (sentence := describe_pair(found, a, b))]
    sentences = opposite or ["All measures put the systems in the same order."]
    claims = [_check_orders(found)]
    return Findings(claims=claims, figures=figures, sentences=sentences, notices=found.notices, seed=subject.seed)


def describe_pair(found: Comparison, a: str, b: str) -> str:
    """Return a sentence on two systems that measures put in opposite orders; "" where all agree."""
    signs = {str(each): each.sign for each in found.measures}
    differences = [each for each in found.comparisons if {each.a, each.b} == {a, b}]
    better = [each for each in differences if signs[each.measure] * each.difference > 0]
    worse = [each for each in differences if signs[each.measure] * each.difference < 0]
    if not better or not worse:
        return ""
    sides = [f"{_write_measures(own)} prefer{'s' if len(own) == 1 else ''} {name}"
             for own, name in ((better, better[0].b), (worse, worse[0].a))]  # fmt: skip
    significant = [any(each.significant for each in own) for own in (better, worse)]
    verdict = "significantly so on both sides" if all(significant) else (
        f"significantly so for {(better[0].b, worse[0].a)[significant.index(True)]} only" if any(significant)
        else "neither significantly")  # fmt: skip
    return f"{a}, {b}: {'; '.join(sides)}: {verdict}."


def _write_measures(differences: Sequence[Difference]) -> str:
    """Return measures as a text, each with the points of the difference and its p-value, * if significant."""
    return ", ".join(
        f"{each.measure} ({100 * abs(each.difference):.2f}, p {each.p_corrected:.3g}{'*' if each.significant else ''})"
        for each in differences
    )


def _check_orders(found: Comparison) -> Claim:
    """Return whether no two measures put the systems in the same order, as the paper found for its systems."""
    orders: dict[tuple[str, ...], list[str]] = {}
    for measure in found.measures:
        name = str(measure)
        order = sorted(found.systems, key=lambda each: -measure.sign * each.measures[name].score)
        orders.setdefault(tuple(each.name for each in order), []).append(name)
    numbers = "; ".join(f"{' > '.join(order)}: {', '.join(names)}" for order, names in orders.items())
    return Claim("no two measures produce the same ranking", len(orders) == len(found.measures), numbers)
