"""Whole entities are added to the response, the smallest first."""

from corefeval.lab.findings import Findings
from corefeval.lab.papers import LEA
from corefeval.lab.partitions import LEA_KEY, ComparedSides, Partitions
from corefeval.lab.studies import lea_figure_4

TITLE = "Resolving entities in increasing order"
SOURCE = f"{LEA}, figure 5 and section 7.2"
PROCEDURE = lea_figure_4.PROCEDURE


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    return {"figure 5": ComparedSides(LEA_KEY, lea_figure_4.resolve_in_order(LEA_KEY[::-1]))}


def run() -> Findings:
    """Return the curves over the number of resolved entities, and what the text reads off both orders."""
    return lea_figure_4.study_order(LEA_KEY[::-1])
