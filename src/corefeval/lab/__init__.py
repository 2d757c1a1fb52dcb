"""The laboratory: the studies of the papers behind the measures, run again, and run on the user's own files."""

from corefeval.lab.findings import Claim, Figure, Findings, PrintedValue
from corefeval.lab.links import score_links
from corefeval.lab.registry import list_studies, run_all, study
from corefeval.lab.results import StudyList, StudyResult, StudyResults

__all__ = [
    "Claim",
    "Figure",
    "Findings",
    "PrintedValue",
    "StudyList",
    "StudyResult",
    "StudyResults",
    "list_studies",
    "run_all",
    "score_links",
    "study",
]
