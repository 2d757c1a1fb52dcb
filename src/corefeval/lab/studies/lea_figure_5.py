"""Whole entities are added to the response, the smallest first."""

from __future__ import annotations

from corefeval.lab.findings import Findings
from corefeval.lab.studies import lea_figure_4

TITLE = "Resolving entities in increasing order"
SOURCE = "Moosavi & Strube 2016, Which coreference evaluation metric do you trust?, figure 5 and section 7.2"
PROCEDURE = lea_figure_4.PROCEDURE


def run() -> Findings:
    """Return the curves over the number of resolved entities, and what the text reads off both orders."""
    return lea_figure_4.study_order(largest_first=False)
