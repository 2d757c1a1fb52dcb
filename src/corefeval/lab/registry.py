"""Which studies there are: each a module of the folder `studies`, loaded when it is run.

A study has these names: TITLE, SOURCE (paper and place), PROCEDURE (what was chosen where the paper does not say it; ""
where it says all), and `run()`, which returns Findings.
"""

from __future__ import annotations

from importlib import import_module
from typing import Protocol, cast

from corefeval.errors import OptionError, suggest_names
from corefeval.lab.findings import Findings
from corefeval.lab.results import StudyList, StudyResult, StudyResults

STUDIES = (
    "luo-similarities",
    "luo-table-1",
    "luo-table-3",
    "luo-table-4",
    "pradhan-section-2",
    "pradhan-section-4",
    "lea-table-1",
    "lea-section-3-1",
    "lea-table-3",
    "lea-section-4",
    "lea-section-5",
    "lea-table-4",
    "lea-table-5",
    "lea-figure-2",
    "lea-figure-3",
    "lea-figure-4",
    "lea-figure-5",
    "lea-figure-6",
    "lea-figure-7",
    "lea-figure-8",
    "blanc-table-1",
    "blanc-table-2",
    "blanc-table-3",
    "blanc-section-3-2",
    "blanc-figure-4",
    "blanc-figure-5",
    "blanc-section-4-1-2",
    "blanc-table-5",
    "blanc-table-7",
    "blanc-table-9",
    "blanc-table-10",
    "blanc-table-11",
    "blanc-table-13",
    "blanc-table-14",
    "blanc-table-16",
    "blanc-figure-6",
    "blanc-figure-7",
    "popescu-belis-figure-3",
    "popescu-belis-table-3",
    "popescu-belis-table-4",
    "popescu-belis-table-7",
)
"""The names of all studies, by paper and place."""


class StudyModule(Protocol):
    """What a module of `studies` has."""

    TITLE: str
    SOURCE: str
    PROCEDURE: str

    def run(self) -> Findings:
        """Return what the study finds."""
        ...


def load_study(name: str) -> StudyModule:
    """Return the module of a study; an OptionError, with the names most like it, if there is none."""
    if name not in STUDIES:
        raise OptionError(f"there is no study {name!r}; {suggest_names(name, STUDIES)}")
    return cast("StudyModule", import_module(f"corefeval.lab.studies.{name.replace('-', '_')}"))


def list_studies() -> StudyList:
    """Return the names of all studies, their titles and sources."""
    return StudyList(tuple((name, load_study(name).TITLE, load_study(name).SOURCE) for name in STUDIES))


def study(name: str) -> StudyResult:
    """Run a study of a paper, such as "lea-figure-6", and return its data: values, claims, figure."""
    module = load_study(name)
    return StudyResult(name, module.TITLE, module.SOURCE, module.PROCEDURE, module.run())


def run_all() -> StudyResults:
    """Run all studies and return their results, with what they have in sum."""
    return StudyResults(tuple(map(study, STUDIES)))
