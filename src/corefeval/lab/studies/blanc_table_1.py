"""Luo's four responses, with the measures that count pairs and information."""

from corefeval.lab.findings import Claim, Findings, write_percents
from corefeval.lab.papers import BLANC, compare_cases, compute_fields, group_cases, score_case
from corefeval.lab.partitions import Partitions

TITLE = "Luo's responses under six measures: leniency for merging, and for doing nothing"
SOURCE = f"{BLANC}, table 1 and section 3.1"

RESPONSES = {f"({letter})": f"luo-1{letter}" for letter in "abcd"}
COLUMNS = ("muc.f1", "bcub.f1", "ceafm.f1", "pairwise.f1", "entropy.f1", "rand.score")


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    return group_cases(RESPONSES)


def run() -> Findings:
    """Return the table, and what section 3.1 says of MUC, B³ and the Rand index."""
    muc, rand, recall, precision = (
        compute_fields(RESPONSES, path) for path in ("muc.f1", "rand.score", "bcub.recall", "bcub.precision")
    )
    undefined = score_case("luo-1d", "muc")["muc"].undefined
    claims = [
        Claim("MUC is too lenient with the merged responses (b) and (c): both get 90 or more",
              min(muc["(b)"], muc["(c)"]) >= 0.9 - 1e-9, write_percents(muc)),
        Claim("MUC has no value for (d), which links nothing", "precision" in undefined,
              f"undefined: {', '.join(undefined)}"),
        Claim("B³ recall is 100% for (c)", recall["(c)"] == 1, write_percents(recall)),
        Claim("B³ precision is 100% for (d)", precision["(d)"] == 1, write_percents(precision)),
        Claim("the Rand index is high for (d): higher than for (b) and (c)",
              rand["(d)"] > max(rand["(b)"], rand["(c)"]), write_percents(rand)),
    ]  # fmt: skip
    return Findings(compare_cases(RESPONSES, COLUMNS), claims)
