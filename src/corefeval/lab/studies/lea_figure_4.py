"""Whole entities are added to the response, the largest first."""

from __future__ import annotations

from corefeval.lab.findings import Claim, Curve, Figure, Findings, write_numbers
from corefeval.lab.partitions import (
    LEA_SIZES,
    MEASURES,
    count_links,
    draw_scores,
    make_entities,
    score_responses,
    tabulate_scores,
)

TITLE = "Resolving entities in decreasing order"
SOURCE = "Moosavi & Strube 2016, Which coreference evaluation metric do you trust?, figure 4 and section 7.2"
PROCEDURE = "the horizontal axis counts entities; that of the figure is in per cent, of what is not said."


def run() -> Findings:
    """Return the curves over the number of resolved entities, and what the text reads off both orders."""
    return study_order(largest_first=True)


def study_order(*, largest_first: bool) -> Findings:
    """Return the findings of one order, whose claims are about both."""
    key = make_entities(LEA_SIZES)
    counts = range(len(key) + 1)
    orders = {True: key, False: key[::-1]}
    scores = {
        order: score_responses(key, {str(count): entities[:count] for count in counts}, MEASURES)
        for order, entities in orders.items()
    }
    f1 = {order: tabulate_scores(map(str, counts), each) for order, each in scores.items()}
    gaps = {name: max(abs(f1[True][name][str(n)] - f1[False][name][str(n)]) for n in counts) for name in MEASURES}
    here = f1[largest_first]
    off = {name: max(abs(here[name][str(n)] - here["bcub"][str(n)]) for n in counts) for name in MEASURES[2:]}
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
    figure = draw_scores("entities resolved", list(counts), scores[largest_first])
    share = [100 * count_links(orders[largest_first][:count]) / count_links(key) for count in counts]
    curves = (*figure.curves, Curve("% correct links", tuple(share)))
    return Findings(claims=claims, figure=Figure(figure.horizontal, figure.vertical, figure.places, curves))
