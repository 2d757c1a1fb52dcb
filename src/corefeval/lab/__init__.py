"""The laboratory: the studies of the papers behind the measures, run again."""

from corefeval.lab.findings import Claim, Curve, Figure, Findings, PrintedValue
from corefeval.lab.links import score_links
from corefeval.lab.registry import list_studies, study
from corefeval.lab.results import StudyResult

__all__ = [
    "Claim",
    "Curve",
    "Figure",
    "Findings",
    "PrintedValue",
    "StudyResult",
    "list_studies",
    "score_links",
    "study",
]
