"""How low can MUC be? The bounds of PROP.5, and responses that reach them."""

from __future__ import annotations

from corefeval.lab.findings import Claim, Curve, Figure, Findings
from corefeval.lab.partitions import Entities, make_entities
from corefeval.scoring.score import score

TITLE = "Least recall and precision of MUC, by number of response entities"
SOURCE = "Popescu-Belis 1999, Evaluating reference resolution: a guide to numeric measures, figure 3 and PROP.4 and 5"
PROCEDURE = (
    "a key of 10 entities of 10 mentions each; the worst response with so many entities spreads the mentions of each "
    "key entity over as many of them as it can."
)

ENTITIES, SIZE = 10, 10
MENTIONS = ENTITIES * SIZE
PLACES = (1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 15, 20, 30, 50, 70, 90)


def run() -> Findings:
    """Return both bounds and the worst responses' scores, and where the bounds hold, are reached and are positive."""
    key = make_entities([SIZE] * ENTITIES)
    found = {count: score(key, _spread(key, count), measures="muc")["muc"] for count in PLACES}
    bounds = {count: _bound(count) for count in PLACES}
    gaps = [min(each.recall - bounds[count][0], each.precision - bounds[count][1]) for count, each in found.items()]
    few = [count for count in PLACES if count < SIZE]
    one = found[1]
    reached = {count: abs(found[count].recall - bounds[count][0]) for count in few}
    claims = [
        Claim("PROP.5: recall and precision are never below their bounds", min(gaps) > -1e-12,
              f"least distance {min(gaps) + 0:.4f}"),
        Claim("a response with fewer entities than |E|/|P_K| has a positive score",
              all(min(*bounds[count], found[count].f1) > 0 for count in few),
              ", ".join(f"{count}: {100 * found[count].f1:.2f}" for count in few)),
        Claim("PROP.4: one entity for all has recall 100% and precision (|E| - |P_K|) / (|E| - 1)",
              one.recall == 1 and abs(one.precision - (MENTIONS - ENTITIES) / (MENTIONS - 1)) < 1e-12,
              f"recall {100 * one.recall:.2f}, precision {100 * one.precision:.2f}"),
        Claim("the bounds are reached by responses of up to |E|/|P_K| entities", max(reached.values()) < 1e-12,
              ", ".join(f"{count}: {100 * found[count].recall:.2f}" for count in few)),
    ]  # fmt: skip
    curves = (
        Curve("bound of precision", tuple(100 * max(bounds[count][1], 0) for count in PLACES)),
        Curve("worst precision", tuple(100 * found[count].precision for count in PLACES)),
        Curve("bound of recall", tuple(100 * max(bounds[count][0], 0) for count in PLACES)),
        Curve("worst recall", tuple(100 * found[count].recall for count in PLACES)),
    )
    return Findings(claims=claims, figure=Figure("response entities", "MUC", PLACES, curves))


def _bound(count: int) -> tuple[float, float]:
    """Return the lower bounds of recall and precision for so many response entities, which may be negative."""
    least = MENTIONS - ENTITIES * count
    return least / (MENTIONS - ENTITIES), least / (MENTIONS - count)


def _spread(key: Entities, count: int) -> Entities:
    """Return a response of `count` entities over which the mentions of each key entity are spread, in turn."""
    mentions = [mention for entity in key for mention in entity]
    return [mentions[first::count] for first in range(count)]
