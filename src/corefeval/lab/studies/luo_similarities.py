"""How similar are two entities? Four answers, for one example."""

from __future__ import annotations

from corefeval.lab.findings import Claim, Findings, PrintedValue, write_numbers
from corefeval.lab.papers import load_papers
from corefeval.scoring.score import score

TITLE = "Four similarities of entities"
SOURCE = "Luo 2005, On coreference resolution performance metrics, section 2.2"
PROCEDURE = ""


def run() -> Findings:
    """Return φ1 to φ4 of {a, b, c} with {a, b} and with {a}, and which of them prefer the former."""
    examples = dict(zip(("S1", "S2"), load_papers()["entity_similarities"], strict=True))
    values, claims = [], []
    for phi in (1, 2, 3, 4):
        measure = f"ceaf:phi={phi}"
        ours = {
            name: score([each["key"]], [each["response"]], measures=measure)[measure].recall_numerator
            for name, each in examples.items()
        }
        values += [
            # Of φ2 the paper prints no value.
            PrintedValue(
                name, f"φ{phi}", ours[name], None if phi == 2 else each[f"phi{phi}"], digits=1 if phi == 4 else 0
            )
            for name, each in examples.items()
        ]
        prefers = ours["S1"] > ours["S2"]
        said = f"φ{phi} gives the desired ranking" if phi > 2 else f"φ{phi} does not tell S1 from S2"
        claims.append(Claim(said, prefers == (phi > 2), write_numbers(ours, 1)))
    return Findings(values, claims)
