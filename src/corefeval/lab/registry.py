"""Which studies there are: each a module of the folder `studies`, loaded when it is run.

A study has these names: TITLE, SOURCE (paper and place), PROCEDURE (what was chosen where the paper does not say it; ""
where it says all), and `run()`, which returns Findings.
"""

from __future__ import annotations

from importlib import import_module
from typing import Protocol, cast

from corefeval.errors import OptionError, suggest_names
from corefeval.lab.findings import Findings
from corefeval.lab.results import StudyResult

STUDIES = (
    "luo-table-1",
    "pradhan-section-4",
    "lea-figure-6",
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


class Study(Protocol):
    """What a module of `studies` has."""

    TITLE: str
    SOURCE: str
    PROCEDURE: str

    def run(self) -> Findings:
        """Return what the study finds."""
        ...


def load_study(name: str) -> Study:
    """Return the module of a study; an OptionError, with the names most like it, if there is none."""
    if name not in STUDIES:
        raise OptionError(f"no study is called {name!r}{suggest_names(name, STUDIES)}; `corefeval lab` lists them")
    return cast("Study", import_module(f"corefeval.lab.studies.{name.replace('-', '_')}"))


def list_studies() -> dict[str, str]:
    """Return the titles of all studies by their names."""
    return {name: load_study(name).TITLE for name in STUDIES}


def study(name: str) -> StudyResult:
    """Run a study of a paper, such as "lea-figure-6", and return its data: values, claims, figure."""
    module = load_study(name)
    return StudyResult(name, module.TITLE, module.SOURCE, module.PROCEDURE, module.run())
