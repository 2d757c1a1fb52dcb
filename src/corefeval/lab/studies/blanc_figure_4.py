"""A rag bag, or noise in a clean entity: which is better?"""

from corefeval.lab.findings import Claim, Findings, write_percents
from corefeval.lab.papers import BLANC
from corefeval.lab.partitions import ComparedSides, Partitions
from corefeval.scoring.score import score

TITLE = "A wrong mention in a clean entity, or in a rag bag"
SOURCE = f"{BLANC}, figure 4 and section 3.2"
PROCEDURE = (
    "as printed, S1 leaves the other mentions apart and S2 puts them together, which is more than the text speaks of: "
    "constraint (3) compares where one mention goes. So both are shown: S1 as printed, and S1 with the same rag bag."
)

OBAMA = ["Barack Obama", "the president", "Obama"]
OTHERS = ["Berlin", "the UN", "today"]
EXAMPLES: dict[str, tuple[list[str], list[list[str]]]] = {
    "printed": (OTHERS, [[other] for other in OTHERS]),
    "bagged": (OTHERS, [OTHERS]),
    "larger": ([*OTHERS, "Paris"], [[*OTHERS, "Paris"]]),
}
"""The mentions beside Obama, and how S1 puts them into entities."""
CLAIMS = (
    ("S2 is not better than S1 (BLANC)", "printed", "blanc", (-1, 0)),
    ("S2 is equally preferable to S1, as printed (BLANC)", "printed", "blanc", (0,)),
    ("S2 is equally preferable to S1 with the same rag bag in S1 (BLANC)", "bagged", "blanc", (0,)),
    ("with more mentions in the rag bag, S2 is worse than S1 (BLANC)", "larger", "blanc", (-1,)),
    ("B³ satisfies constraint (3): it prefers S2, with the same rag bag in S1", "bagged", "bcub", (1,)),
    ("B³ prefers S2 to S1 as printed", "printed", "bcub", (1,)),
)
"""What is said of which responses by which measure: that S2 is worse (-1), equal (0) or better (1)."""


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    return {name: _make_sides(*given) for name, given in EXAMPLES.items()}


def run() -> Findings:
    """Return how BLANC and B³ score the figure as printed, with a rag bag on both sides, and with a larger one."""
    scores = {name: _score(sides) for name, sides in list_partitions().items()}
    claims = []
    for text, which, measure, signs in CLAIMS:
        blanc, bcub = scores[which]["blanc"], scores[which]["bcub"]
        gain = scores[which][measure]["S2"] - scores[which][measure]["S1"]
        numbers = f"BLANC: {write_percents(blanc)}; B³: {write_percents(bcub)}"
        claims.append(Claim(text, (gain > 1e-12) - (gain < -1e-12) in signs, numbers))
    return Findings(claims=claims)


def _make_sides(others: list[str], apart: list[list[str]]) -> ComparedSides:
    """Return the key with S1 (Sarkozy with Obama, `apart` beside them) and S2 (Sarkozy with all others)."""
    key = [OBAMA, ["Sarkozy"], *([other] for other in others)]
    return ComparedSides(key, {"S1": [[*OBAMA, "Sarkozy"], *apart], "S2": [OBAMA, ["Sarkozy", *others]]})


def _score(sides: ComparedSides) -> dict[str, dict[str, float]]:
    """Return F1 of both responses, by measure."""
    found = {name: score(sides.key, each, measures="blanc,bcub") for name, each in sides.responses.items()}
    return {measure: {name: each[measure].f1 for name, each in found.items()} for measure in ("blanc", "bcub")}
