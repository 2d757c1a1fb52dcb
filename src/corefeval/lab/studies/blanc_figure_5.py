"""A small error in a large entity, or many small errors: which is better?"""

from corefeval.lab.findings import Claim, Findings, write_percents
from corefeval.lab.papers import BLANC
from corefeval.lab.partitions import ComparedSides, Partitions
from corefeval.scoring.score import score

TITLE = "A small error in a large entity, or small entities lost"
SOURCE = f"{BLANC}, figure 5 and section 3.2"

OBAMA = ["Barack Obama", "the president", "Obama"]
PAIRS = [["the French capital", "Paris"], ["the Democrats 1", "the Democrats 2"]]
RESPONSES = {
    "S1": [OBAMA, *([mention] for pair in PAIRS for mention in pair)],
    "S2": [OBAMA[:2], OBAMA[2:], *PAIRS],
}


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    return {"figure 5": ComparedSides([OBAMA, *PAIRS], RESPONSES)}


def run() -> Findings:
    """Return whether BLANC calls both responses equal, and B³ prefers the second, as constraint (4) has it."""
    found = {name: score([OBAMA, *PAIRS], response, measures="blanc,bcub") for name, response in RESPONSES.items()}
    blanc, bcub = ({name: each[measure].f1 for name, each in found.items()} for measure in ("blanc", "bcub"))
    links = ", ".join(f"{name} {each['blanc'].links['right_coreference']}" for name, each in found.items())
    claims = [
        Claim("S2 is equally preferable to S1 (BLANC)", abs(blanc["S1"] - blanc["S2"]) < 1e-12,
              f"{write_percents(blanc)}; right links: {links}"),
        Claim("B³ satisfies constraint (4): it prefers S2", bcub["S2"] > bcub["S1"], write_percents(bcub)),
    ]  # fmt: skip
    return Findings(claims=claims)
