"""How low can MUC be? The bounds of PROP.5, and responses that reach them."""

from itertools import chain

from corefeval.lab.findings import Claim, Figure, Findings
from corefeval.lab.papers import POPESCU_BELIS
from corefeval.lab.partitions import ComparedSides, Partitions, make_entities
from corefeval.scoring.score import score

TITLE = "Least recall and precision of MUC, by number of response entities"
SOURCE = f"{POPESCU_BELIS}, figure 3 and PROP.4 and 5"
PROCEDURE = (
    "a key of 10 entities of 10 mentions each; the worst response with so many entities spreads the mentions of each "
    "key entity over as many of them as it can."
)

ENTITIES, SIZE = 10, 10
MENTIONS = ENTITIES * SIZE
PLACES = (1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 15, 20, 30, 50, 70, 90)


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    key = make_entities([SIZE] * ENTITIES)
    # The mentions of each key entity are spread over the response's entities in turn.
    responses = {str(count): [[*chain(*key)][first::count] for first in range(count)] for count in PLACES}
    return {"figure 3": ComparedSides(key, responses)}


def run() -> Findings:
    """Return both bounds and the worst responses' scores, and where the bounds hold, are reached and are positive."""
    (sides,) = list_partitions().values()
    found = {int(name): score(sides.key, each, measures="muc")["muc"] for name, each in sides.responses.items()}
    least = {count: MENTIONS - ENTITIES * count for count in PLACES}  # the bounds' numerator, which may be negative
    recall = {count: least[count] / (MENTIONS - ENTITIES) for count in PLACES}
    precision = {count: least[count] / (MENTIONS - count) for count in PLACES}
    gap = min(min(each.recall - recall[count], each.precision - precision[count]) for count, each in found.items())
    few = [count for count in PLACES if count < SIZE]
    one = found[1]
    claims = [
        Claim("PROP.5: recall and precision are never below their bounds", gap > -1e-12,
              f"least distance {gap + 0:.4f}"),
        Claim("a response with fewer entities than |E|/|P_K| has a positive score",
              all(min(recall[count], precision[count], found[count].f1) > 0 for count in few),
              ", ".join(f"{count}: {100 * found[count].f1:.2f}" for count in few)),
        Claim("PROP.4: one entity for all has recall 100% and precision (|E| - |P_K|) / (|E| - 1)",
              one.recall == 1 and abs(one.precision - (MENTIONS - ENTITIES) / (MENTIONS - 1)) < 1e-12,
              f"recall {100 * one.recall:.2f}, precision {100 * one.precision:.2f}"),
        Claim("the bounds are reached by responses of up to |E|/|P_K| entities",
              all(abs(found[count].recall - recall[count]) < 1e-12 for count in few),
              ", ".join(f"{count}: {100 * found[count].recall:.2f}" for count in few)),
    ]  # fmt: skip
    curves = {
        "bound of precision": [100 * max(bound, 0.0) for bound in precision.values()],
        "worst precision": [100 * each.precision for each in found.values()],
        "bound of recall": [100 * max(bound, 0.0) for bound in recall.values()],
        "worst recall": [100 * each.recall for each in found.values()],
    }
    return Findings(claims=claims, figures=[Figure("response entities", "MUC", PLACES, curves)])
