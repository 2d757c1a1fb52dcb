"""The reference scorer's worked example."""

from corefeval.lab.findings import Claim, Findings
from corefeval.lab.papers import PRADHAN, compare_cases, group_cases, load_case, score_case
from corefeval.lab.partitions import Partitions

TITLE = "One key and one response through every measure"
SOURCE = f"{PRADHAN}, section 4"


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    return group_cases({"example": "pradhan-4"})


def run() -> Findings:
    """Return the scores that the paper computes for the example, step by step, and its alignment."""
    key, response = ([set(entity) for entity in load_case("pradhan-4")[side]] for side in ("key", "response"))
    aligned = [(key[0], response[0]), (key[1], response[2])]
    common = sum(len(one & other) for one, other in aligned)
    similar = sum(2 * len(one & other) / (len(one) + len(other)) for one, other in aligned)
    found = score_case("pradhan-4", "ceafm,ceafe")
    best_common, best_similar = found["ceafm"].recall_numerator, found["ceafe"].recall_numerator
    claim = "R1 aligns with K1 and R3 with K2, R2 remains unaligned: no alignment shares more"
    claims = [
        Claim(f"{claim} mentions", common == best_common, f"{common} of these, {best_common:g} at best"),
        Claim(f"{claim} by φ4", abs(similar - best_similar) < 1e-12, f"{similar:.4f}, {best_similar:.4f} at best"),
    ]
    return Findings(compare_cases({"example": "pradhan-4"}, ("muc", "bcub", "ceaf", "blanc")), claims)
