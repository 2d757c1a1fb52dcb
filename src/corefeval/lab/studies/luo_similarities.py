"""How similar are two entities? Four answers, for one example."""

from corefeval.lab.findings import Claim, Findings, PrintedValue, write_numbers
from corefeval.lab.papers import LUO, load_papers
from corefeval.lab.partitions import ComparedSides, Partitions
from corefeval.scoring.score import score

TITLE = "Four similarities of entities"
SOURCE = f"{LUO}, section 2.2"

DIGITS = {1: 0, 2: 0, 3: 0, 4: 1}
"""With how many decimals φ1 to φ4 are printed; φ2 is not."""


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    examples = zip(("S1", "S2"), load_papers()["entity_similarities"], strict=True)
    return {name: ComparedSides([each["key"]], {"response": [each["response"]]}) for name, each in examples}


def run() -> Findings:
    """Return φ1 to φ4 of {a, b, c} with {a, b} and with {a}, and which of them prefer the former."""
    examples = dict(zip(("S1", "S2"), load_papers()["entity_similarities"], strict=True))
    values, claims = [], []
    for phi, digits in DIGITS.items():
        measure = f"ceaf:phi={phi}"
        ours = {
            name: score([each["key"]], [each["response"]], measures=measure)[measure].recall_numerator
            for name, each in examples.items()
        }
        printed = {name: None if phi == 2 else each[f"phi{phi}"] for name, each in examples.items()}
        values += [PrintedValue(name, f"φ{phi}", ours[name], printed[name], digits) for name in examples]
        said = "gives the desired ranking" if phi > 2 else "does not tell S1 from S2"
        claims.append(Claim(f"φ{phi} {said}", (ours["S1"] > ours["S2"]) == (phi > 2), write_numbers(ours, 1)))
    return Findings(values, claims)
