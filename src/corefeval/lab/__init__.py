"""The laboratory: the studies of the papers behind the measures, run again, and run on the user's own files."""

from corefeval.lab.data.advice import advise
from corefeval.lab.data.registry import list_data_studies, load_data_study, study_data
from corefeval.lab.data.results import DataFindings, DataStudyResult
from corefeval.lab.findings import Claim, Curve, Figure, Findings, PrintedValue
from corefeval.lab.links import score_links
from corefeval.lab.registry import list_studies, run_all, study
from corefeval.lab.results import StudyList, StudyResult, StudyResults

__all__ = [
    "Claim",
    "Curve",
    "DataFindings",
    "DataStudyResult",
    "Figure",
    "Findings",
    "PrintedValue",
    "StudyList",
    "StudyResult",
    "StudyResults",
    "advise",
    "list_data_studies",
    "list_studies",
    "load_data_study",
    "run_all",
    "score_links",
    "study",
    "study_data",
]
