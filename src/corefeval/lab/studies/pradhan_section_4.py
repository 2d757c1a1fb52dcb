"""The reference scorer's worked example."""

from __future__ import annotations

from corefeval.lab.findings import Claim, Findings
from corefeval.lab.papers import compare_case, load_case
from corefeval.scoring.score import score

TITLE = "One key and one response through every measure"
SOURCE = "Pradhan et al. 2014, Scoring coreference partitions of predicted mentions, section 4"
PROCEDURE = ""


def run() -> Findings:
    """Return the scores that the paper computes for the example, step by step, and its alignment."""
    case = load_case("pradhan-4")
    key, response = ([set(entity) for entity in case[side]] for side in ("key", "response"))
    aligned = [(key[0], response[0]), (key[1], response[2])]
    common = sum(len(one & other) for one, other in aligned)
    similar = sum(2 * len(one & other) / (len(one) + len(other)) for one, other in aligned)
    best = {name: score(case["key"], case["response"], measures=name)[name].recall_numerator
            for name in ("ceafm", "ceafe")}  # fmt: skip
    claim = "R1 aligns with K1 and R3 with K2, R2 remains unaligned: no alignment shares more"
    claims = [
        Claim(f"{claim} mentions", common == best["ceafm"], f"{common} of these, {best['ceafm']:g} at best"),
        Claim(f"{claim} by φ4", abs(similar - best["ceafe"]) < 1e-12, f"{similar:.4f}, {best['ceafe']:.4f} at best"),
    ]
    return Findings(compare_case("pradhan-4", ("muc", "bcub", "ceaf", "blanc"), label="example"), claims)
