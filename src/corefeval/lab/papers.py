"""The papers, and the partitions, scores and tables that they print, with their misprints: `papers.json`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from corefeval.lab.findings import PrintedValue
from corefeval.lab.partitions import ComparedSides, Partitions
from corefeval.scoring.results import Evaluation
from corefeval.scoring.score import Measures, score

LUO = "Luo 2005, On coreference resolution performance metrics"
PRADHAN = "Pradhan et al. 2014, Scoring coreference partitions of predicted mentions"
LEA = "Moosavi & Strube 2016, Which coreference evaluation metric do you trust?"
BLANC = "Recasens & Hovy 2011, BLANC: Implementing the Rand index for coreference evaluation"
POPESCU_BELIS = "Popescu-Belis 1999, Evaluating reference resolution: a guide to numeric measures"

PAPERS = (LUO, PRADHAN, LEA, BLANC, POPESCU_BELIS)

_PATH = re.compile(r"(?P<measure>.*?)\.(?P<fields>(?:(?:non)?coreference\.)?(?:recall|precision|f1|score))")


@cache
def load_papers() -> dict[str, Any]:
    """Return the content of papers.json: cases with a key, a response and printed scores; similarities; tables."""
    return json.loads(files("corefeval.lab").joinpath("papers.json").read_text(encoding="utf-8"))


def load_table(name: str) -> dict[str, dict[str, Any]]:
    """Return a printed table by column and row, {"muc.f1": {"Base": 72.6}}, without the values that it lacks."""
    table = load_papers()["tables"][name]
    columns = zip(table["columns"], zip(*table["rows"].values(), strict=True), strict=True)
    return {
        column: {row: value for row, value in zip(table["rows"], values, strict=True) if value is not None}
        for column, values in columns
    }


def load_case(name: str) -> dict[str, Any]:
    """Return the case of this id."""
    return next(case for case in load_papers()["cases"] if case["id"] == name)


def group_cases(cases: Mapping[str, str]) -> Partitions:
    """Return the partitions of some cases, which are given by what they shall be called; those of one key together."""
    by_key: dict[str, tuple[str, ComparedSides]] = {}
    for label, name in cases.items():
        case = load_case(name)
        first, known = by_key.get(str(case["key"]), (label, ComparedSides(case["key"], {})))
        by_key[str(case["key"])] = first, ComparedSides(known.key, {**known.responses, label: case["response"]})
    found = list(by_key.values())
    return dict(found) if len(found) > 1 else {"key": found[0][1]}


def score_case(name: str, measures: Measures) -> Evaluation:
    """Return the evaluation of the response of a case, by measures."""
    return score(load_case(name)["key"], load_case(name)["response"], measures=measures)


def compute_field(case: Mapping[str, Any], path: str) -> float:
    """Return our value of a score such as "blanc.coreference.f1" or "bcub:weight=entity.recall" for a case."""
    measure, fields = _divide_path(path)
    value: Any = score(case["key"], case["response"], measures=measure)[measure]
    for field in fields:
        value = getattr(value, field)
    return float(value)


def _divide_path(path: str) -> tuple[str, list[str]]:
    """Return the measure and the fields of a path.

    >>> _divide_path("blanc:alpha=0.2.coreference.f1")
    ('blanc:alpha=0.2', ['coreference', 'f1'])
    """
    found = _PATH.fullmatch(path)
    if found is None:
        raise ValueError(path)
    return found["measure"], found["fields"].split(".")


def compute_fields(cases: Mapping[str, str], path: str) -> dict[str, float]:
    """Return our values of a score for some cases, which are given by what they shall be called here."""
    return {label: compute_field(load_case(name), path) for label, name in cases.items()}


def compare_cases(cases: Mapping[str, str], paths: str | tuple[str, ...] = "") -> list[PrintedValue]:
    """Return the values that papers print for cases, and ours; only those that begin with (one of) `paths`."""
    found = []
    for label, name in cases.items():
        case = load_case(name)
        printed = {path: (value, "") for path, value in case["expected"].items()}
        printed |= {path: (each["printed"], each["why"]) for path, each in case.get("erratum", {}).items()}
        digits, truncated = case["digits"], case.get("truncated", False)
        found += [
            PrintedValue(label, path, compute_field(case, path), value, digits, why, truncated)
            for path, (value, why) in printed.items()
            if path.startswith(paths)
        ]
    return found


def compare_links(cases: Mapping[str, str]) -> list[PrintedValue]:
    """Return the numbers of links that the papers print for some cases, and ours."""
    ours = {label: score_case(name, "blanc")["blanc"].links for label, name in cases.items()}
    return [
        PrintedValue(label, kind, ours[label][kind], printed, digits=0)
        for label, name in cases.items()
        for kind, printed in load_case(name)["links"].items()
    ]
