"""The example about a summit under four measures."""

from corefeval.lab.findings import Claim, Findings, write_percents
from corefeval.lab.papers import BLANC, compare_cases, group_cases, score_case
from corefeval.lab.partitions import Partitions

TITLE = "The example of figure 1 under four measures"
SOURCE = f"{BLANC}, tables 6 and 7"


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    return group_cases({"figure 1": "blanc-fig1"})


def run() -> Findings:
    """Return the four scores, and how both kinds of links contribute to BLANC."""
    blanc = score_case("blanc-fig1", "blanc")["blanc"]
    halves = {"coreference": blanc.coreference.f1 / 2, "non-coreference": blanc.noncoreference.f1 / 2}
    claims = [
        Claim("both kinds of links contribute to BLANC, neither more than 50%",
              min(halves.values()) > 0 and max(halves.values()) <= 0.5, write_percents(halves)),
        Claim("BLANC is the average of the two F-scores", abs(sum(halves.values()) - blanc.f1) < 1e-12,
              write_percents({**halves, "BLANC": blanc.f1})),
    ]  # fmt: skip
    return Findings(compare_cases({"figure 1": "blanc-fig1"}), claims)
