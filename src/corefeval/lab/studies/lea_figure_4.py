"""Whole entities are added to the response, the largest first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from corefeval.lab.findings import Claim, Curve, Findings, write_numbers
from corefeval.lab.partitions import LEA_KEY, MEASURES, count_links, score_responses

TITLE = "Resolving entities in decreasing order"
SOURCE = "Moosavi & Strube 2016, Which coreference evaluation metric do you trust?, figure 4 and section 7.2"
PROCEDURE = "the horizontal axis counts entities; that of the figure is in per cent, of what is not said."


def run() -> Findings:
    """Return the curves over the number of resolved entities, and what the text reads off both orders."""
    return study_order(largest_first=True)


def study_order(*, largest_first: bool) -> Findings:
    """Return the findings of one order, whose claims are about both."""
    counts = range(len(LEA_KEY) + 1)
    order, other_order = (LEA_KEY, LEA_KEY[::-1]) if largest_first else (LEA_KEY[::-1], LEA_KEY)
    here, there = (
        score_responses({str(count): entities[:count] for count in counts}) for entities in (order, other_order)
    )
    gaps = {name: _find_gap(here.f1[name], there.f1[name]) for name in MEASURES}
    off = {name: _find_gap(here.f1[name], here.f1["bcub"]) for name in MEASURES}
    claims = [
        Claim("CEAFe gives the same F1 whatever the size of the entities that are resolved or missing",
              gaps["ceafe"] < 1e-9, f"largest difference between the two orders: {gaps['ceafe']:.2f}"),
        Claim("B³, CEAFm and LEA give the same F1", max(off["ceafm"], off["lea"]) < 1e-9,
              f"largest difference to B³: {write_numbers({name: off[name] for name in ('ceafm', 'lea')})}"),
        Claim("the caption: F1 of B³, CEAF and LEA are the same, if CEAF means CEAFe, too", off["ceafe"] < 1e-9,
              f"largest difference of CEAFe to B³: {off['ceafe']:.2f}"),
        Claim("BLANC is very sensitive to the total number of links: it differs most between the two orders",
              gaps["blanc"] == max(gaps.values()), f"largest differences: {write_numbers(gaps)}"),
    ]  # fmt: skip
    figure = here.draw("entities resolved", counts)
    share = tuple(100 * count_links(order[:count]) / count_links(LEA_KEY) for count in counts)
    return Findings(claims=claims, figure=replace(figure, curves=(*figure.curves, Curve("% correct links", share))))


def _find_gap(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Return the largest difference between the values of two curves at the same place."""
    return max(abs(one[place] - other[place]) for place in one)
