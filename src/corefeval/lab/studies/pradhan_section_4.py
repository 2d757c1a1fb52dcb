"""The reference scorer's worked example."""

from __future__ import annotations

from corefeval.lab.findings import Findings
from corefeval.lab.papers import compare_case

TITLE = "One key and one response through every measure"
SOURCE = "Pradhan et al. 2014, Scoring coreference partitions of predicted mentions, section 4; Moosavi & Strube 2016, 5"
PROCEDURE = ""


def run() -> Findings:
    """Return the scores that both papers compute for the example, step by step."""
    return Findings(compare_case("pradhan-4"))
