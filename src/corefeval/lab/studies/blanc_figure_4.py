"""A rag bag, or noise in a clean entity: which is better?"""

from __future__ import annotations

from corefeval.lab.findings import Claim, Findings
from corefeval.lab.writing import write_percents
from corefeval.scoring.score import score

TITLE = "A wrong mention in a clean entity, or in a rag bag"
SOURCE = "Recasens & Hovy 2011, BLANC: Implementing the Rand index for coreference evaluation, figure 4 and section 3.2"
PROCEDURE = (
    "as printed, S1 leaves the other mentions apart and S2 puts them together, which is more than the text speaks of: "
    "constraint (3) compares where one mention goes. So both are shown: S1 as printed, and S1 with the same rag bag."
)

OBAMA = ["Barack Obama", "the president", "Obama"]
OTHERS = ["Berlin", "the UN", "today"]


def run() -> Findings:
    """Return how BLANC and B³ score the figure as printed, with a rag bag on both sides, and with a larger one."""
    printed = _score(OTHERS, [[other] for other in OTHERS])
    bagged = _score(OTHERS, [OTHERS])
    larger = [*OTHERS, "Paris"]
    more = _score(larger, [larger])
    claims = [
        Claim("S2 is not better than S1 (BLANC)", _compare(printed, "blanc") <= 0, _write(printed)),
        Claim("S2 is equally preferable to S1, as printed (BLANC)", _compare(printed, "blanc") == 0, _write(printed)),
        Claim("S2 is equally preferable to S1 with the same rag bag in S1 (BLANC)", _compare(bagged, "blanc") == 0,
              _write(bagged)),
        Claim("with more mentions in the rag bag, S2 is worse than S1 (BLANC)", _compare(more, "blanc") < 0,
              _write(more)),
        Claim("B³ satisfies constraint (3): it prefers S2, with the same rag bag in S1", _compare(bagged, "bcub") > 0,
              _write(bagged)),
        Claim("B³ prefers S2 to S1 as printed", _compare(printed, "bcub") > 0, _write(printed)),
    ]  # fmt: skip
    return Findings(claims=claims)


def _score(others: list[str], apart: list[list[str]]) -> dict[str, dict[str, float]]:
    """Return F1 of S1 (Sarkozy with Obama, `apart` beside them) and S2 (Sarkozy with all others), by measure."""
    key = [OBAMA, ["Sarkozy"], *([other] for other in others)]
    responses = {"S1": [[*OBAMA, "Sarkozy"], *apart], "S2": [OBAMA, ["Sarkozy", *others]]}
    found = {name: score(key, response, measures="blanc,bcub") for name, response in responses.items()}
    return {measure: {name: each[measure].f1 for name, each in found.items()} for measure in ("blanc", "bcub")}


def _compare(scores: dict[str, dict[str, float]], measure: str) -> int:
    """Return 1 if a measure prefers S2, -1 if it prefers S1, 0 if they are equal to it."""
    first, second = scores[measure]["S1"], scores[measure]["S2"]
    return (second > first + 1e-12) - (second < first - 1e-12)


def _write(scores: dict[str, dict[str, float]]) -> str:
    """Return the scores of both responses under both measures as a text."""
    return f"BLANC: {write_percents(scores['blanc'])}; B³: {write_percents(scores['bcub'])}"
