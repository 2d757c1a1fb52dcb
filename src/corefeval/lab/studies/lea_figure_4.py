"""Whole entities are added to the response, the largest first."""

from collections.abc import Mapping
from dataclasses import replace

from corefeval.lab.findings import Claim, Findings, write_numbers
from corefeval.lab.papers import LEA
from corefeval.lab.partitions import LEA_KEY, ComparedSides, Entities, Partitions, count_links, draw_f1, score_responses

TITLE = "Resolving entities in decreasing order"
SOURCE = f"{LEA}, figure 4 and section 7.2"
PROCEDURE = "the horizontal axis counts entities; that of the figure is in per cent, of what is not said."

COUNTS = range(len(LEA_KEY) + 1)


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    return {"figure 4": ComparedSides(LEA_KEY, resolve_in_order(LEA_KEY))}


def run() -> Findings:
    """Return the curves over the number of resolved entities, and what the text reads off both orders."""
    return study_order(LEA_KEY)


def resolve_in_order(order: Entities) -> dict[str, Entities]:
    """Return the responses that have the first entities of an order, by how many these are."""
    return {str(count): order[:count] for count in COUNTS}


def study_order(order: Entities) -> Findings:
    """Return the findings for the key's entities in an order; claims are about this one and its reverse."""
    here, there = (score_responses(resolve_in_order(each)) for each in (order, order[::-1]))
    gaps = {name: _find_gap(here[name], there[name]) for name in here}
    off = {name: _find_gap(here[name], here["bcub"]) for name in here}
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
    figure = draw_f1(here, "entities resolved", COUNTS)
    share = [100 * count_links(order[:count]) / count_links(LEA_KEY) for count in COUNTS]
    return Findings(claims=claims, figures=[replace(figure, curves={**figure.curves, "% correct links": share})])


def _find_gap(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Return the largest difference between the values of two curves at the same place."""
    return max(abs(one[place] - other[place]) for place in one)
