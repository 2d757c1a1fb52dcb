"""Recall and precision of the eight responses."""

from corefeval.lab.findings import Claim, Findings, write_percents
from corefeval.lab.papers import BLANC, compare_cases, compute_fields, group_cases
from corefeval.lab.partitions import Partitions

TITLE = "Recall and precision of the responses A to H"
SOURCE = f"{BLANC}, table 11 and section 5.1"

RESPONSES = {letter: f"blanc-8{letter}" for letter in "ABCDEFGH"}
COLUMNS = tuple(f"{name}.{field}" for name in ("muc", "bcub", "ceafm", "blanc") for field in ("precision", "recall"))


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    return group_cases(RESPONSES)


def run() -> Findings:
    """Return the table, and what BLANC's recall is at the boundaries."""
    recall, precision = (compute_fields(RESPONSES, f"blanc.{field}") for field in ("recall", "precision"))
    ceaf = [compute_fields(RESPONSES, f"ceafm.{field}") for field in ("recall", "precision")]
    claims = [
        Claim("BLANC's recall is 50% for all singletons (G) and for one entity (H)", recall["G"] == recall["H"] == 0.5,
              write_percents({letter: recall[letter] for letter in "GH"})),
        Claim("C has no precision errors but is weak in recall", precision["C"] > 0.99 > recall["C"],
              f"recall {100 * recall['C']:.2f}, precision {100 * precision['C']:.2f}"),
        Claim("CEAF's recall and precision are the same where both sides have the same mentions", ceaf[0] == ceaf[1],
              write_percents(ceaf[0])),
    ]  # fmt: skip
    return Findings(compare_cases(RESPONSES, COLUMNS), claims)
