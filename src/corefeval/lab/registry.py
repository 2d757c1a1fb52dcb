"""Which studies there are: each a module of the folder `studies`, loaded when it is run.

A study has TITLE, SOURCE (paper and place), if need be PROCEDURE (what was chosen where the paper does not say it), and
`run()`, which returns Findings; and `list_partitions()`, if it is one of partitions. A study of the user's files also
has TAKES, the least and the most responses that it takes (None: any number), and its `run` takes a `StudySubject`; and,
if it has no use for measures, SCORES = False.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Unpack

from corefeval.errors import OptionError, suggest_names
from corefeval.lab.partitions import Partitions
from corefeval.lab.results import StudyList, StudyResult, StudyResults
from corefeval.lab.subject import read_subject
from corefeval.notices import announce_notices, check_strict, count_things
from corefeval.options import ScoringOptions
from corefeval.scoring.score import Measures, Source

STUDIES = (
    "luo-similarities", "luo-table-1", "luo-table-3", "luo-table-4",
    "pradhan-section-2", "pradhan-section-4",
    "lea-table-1", "lea-section-3-1", "lea-table-3", "lea-section-4", "lea-section-5", "lea-table-4", "lea-table-5",
    "lea-figure-2", "lea-figure-3", "lea-figure-4", "lea-figure-5", "lea-figure-6", "lea-figure-7", "lea-figure-8",
    "blanc-table-1", "blanc-table-2", "blanc-table-3", "blanc-section-3-2", "blanc-figure-4", "blanc-figure-5",
    "blanc-section-4-1-2", "blanc-table-5", "blanc-table-7", "blanc-table-9", "blanc-table-10", "blanc-table-11",
    "blanc-table-13", "blanc-table-14", "blanc-table-16", "blanc-figure-6", "blanc-figure-7",
    "popescu-belis-figure-3", "popescu-belis-table-3", "popescu-belis-table-4", "popescu-belis-table-7",
    "identification-effect", "operating-curve", "sensitivity", "boundaries", "sizes", "ranks", "advice",
)  # fmt: skip
"""The names of all studies: those of papers by paper and place, then those of the user's files."""


def load_study(name: str) -> ModuleType:
    """Return the module of a study; an OptionError, with the names most like it, if there is none."""
    if name not in STUDIES:
        raise OptionError(f"there is no study {name!r}; {suggest_names(name, STUDIES)}")
    return import_module(f"corefeval.lab.studies.{name.replace('-', '_')}")


def takes_files(name: str) -> bool:
    """Return whether a study is one of the user's files, and not of a paper's data."""
    return hasattr(load_study(name), "TAKES")


def load_partitions(name: str) -> Partitions:
    """Return the keys and responses that a study compares; an empty mapping if it is one of printed numbers."""
    partitions: Partitions = load_study(name).list_partitions() if has_partitions(name) else {}
    return partitions


def has_partitions(name: str) -> bool:
    """Return whether a study compares partitions, and not only printed numbers."""
    return hasattr(load_study(name), "list_partitions")


def list_studies() -> StudyList:
    """Return the names of all studies, their titles and sources, and what they take."""
    modules = {name: load_study(name) for name in STUDIES}
    return StudyList(tuple((name, each.TITLE, each.SOURCE, _write_usage(each)) for name, each in modules.items()))


def _write_usage(module: ModuleType) -> str:
    """Return what a study takes on the command line: "" for none, "KEY RESPONSE [RESPONSE]..."."""
    if not hasattr(module, "TAKES"):
        return ""
    least, most = module.TAKES
    return " ".join(["KEY", *["RESPONSE"] * least, *(["[RESPONSE]..."] if most is None else [])])


@announce_notices
def study(
    name: str,
    key: Source | None = None,
    responses: Mapping[str, Source] | None = None,
    *,
    measures: Measures | None = None,
    seed: int = 0,
    **options: Unpack[ScoringOptions],
) -> StudyResult:
    """Run a study, and return its data: values, figures, claims, sentences.

    A study of a paper, such as "lea-figure-6", needs its name only. One of the user's files, such as "sensitivity",
    takes a key and, if it is about these, responses by name. measures, options: as in `score`. seed: the start of
    random numbers; the same seed gives the same result.
    """
    module, given, strict = load_study(name), responses or {}, options.pop("strict", False)
    about = name, module.TITLE, module.SOURCE, getattr(module, "PROCEDURE", "")
    if not takes_files(name):
        if key is not None or given or measures is not None or any(options.values()):
            raise OptionError(f"{name} is the study of a paper: it takes no files, measures or decisions")
        return StudyResult(*about, module.run())
    least, most = module.TAKES
    if key is None or not least <= len(given) <= (len(given) if most is None else most):
        here = f"a key and {count_things(len(given), 'response')}" if key is not None else "no key"
        raise OptionError(f"{name} takes {_write_usage(module)}; here it has {here}")
    subject = read_subject(key, given, measures, seed, options)
    useless = [*(["measures"] if measures is not None else []), *subject.decisions]
    if useless and not getattr(module, "SCORES", True):
        raise OptionError(f"{name} scores nothing, so that it has no use for: {', '.join(useless)}")
    findings = module.run(subject)
    check_strict(findings.notices, strict=strict)
    files = (side.source for side in (subject.key, *subject.responses.values()))
    return StudyResult(*about, findings, tuple(filter(None, files)))


@announce_notices
def advise(
    key: Source,
    responses: Mapping[str, Source] | None = None,
    *,
    measures: Measures | None = None,
    seed: int = 0,
    **options: Unpack[ScoringOptions],
) -> StudyResult:
    """Return what speaks for and against measures on a corpus: the study "advice" of a key, with reasons, no verdict.

    responses: two or more by name, on which power is then computed.
    measures, options: as in `score`.
    """
    return study("advice", key, responses, measures=measures, seed=seed, **options)


def run_all() -> StudyResults:
    """Run all studies of papers and return their results, with what they have in sum."""
    return StudyResults(tuple(study(name) for name in STUDIES if not takes_files(name)))
