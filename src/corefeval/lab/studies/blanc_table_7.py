"""The example about a summit under four measures."""

from __future__ import annotations

from corefeval.lab.findings import Claim, Findings
from corefeval.lab.papers import compare_case, load_case
from corefeval.lab.writing import write_percents
from corefeval.scoring.score import score

TITLE = "The example of figure 1 under four measures"
SOURCE = "Recasens & Hovy 2011, BLANC: Implementing the Rand index for coreference evaluation, tables 6 and 7"
PROCEDURE = ""


def run() -> Findings:
    """Return the four scores, and how both kinds of links contribute to BLANC."""
    case = load_case("blanc-fig1")
    blanc = score(case["key"], case["response"], measures="blanc")["blanc"]
    halves = {"coreference": blanc.coreference.f1 / 2, "non-coreference": blanc.noncoreference.f1 / 2}
    claims = [
        Claim("both kinds of links contribute to BLANC, neither more than 50%",
              min(halves.values()) > 0 and max(halves.values()) <= 0.5, write_percents(halves)),
        Claim("BLANC is the average of the two F-scores", abs(sum(halves.values()) - blanc.f1) < 1e-12,
              write_percents({**halves, "BLANC": blanc.f1})),
    ]  # fmt: skip
    return Findings(compare_case("blanc-fig1", label="figure 1"), claims)
