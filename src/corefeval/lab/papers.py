"""The partitions and scores that papers print, with their misprints: `papers.json`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from corefeval.lab.findings import PrintedValue
from corefeval.scoring.score import score

_PATH = re.compile(r"(?P<measure>.*?)\.(?P<fields>(?:(?:non)?coreference\.)?(?:recall|precision|f1|score))")


@cache
def load_papers() -> dict[str, Any]:
    """Return the content of papers.json: cases with a key, a response and printed scores; and similarities."""
    return json.loads(files("corefeval.lab").joinpath("papers.json").read_text(encoding="utf-8"))


def load_case(name: str) -> dict[str, Any]:
    """Return the case of this id."""
    return next(case for case in load_papers()["cases"] if case["id"] == name)


def compute_field(case: dict[str, Any], path: str) -> float:
    """Return our value of a score such as "blanc.coreference.f1" or "bcub:weight=entity.recall" for a case."""
    measure, fields = _divide_path(path)
    value: Any = score(case["key"], case["response"], measures=measure)[measure]
    for field in fields:
        value = getattr(value, field)
    return float(value)


def compute_fields(cases: Mapping[str, str], path: str) -> dict[str, float]:
    """Return our values of a score for some cases, which are given by what they shall be called here."""
    return {label: compute_field(load_case(name), path) for label, name in cases.items()}


def _divide_path(path: str) -> tuple[str, list[str]]:
    """Return the measure and the fields of a path.

    >>> _divide_path("blanc:alpha=0.2.coreference.f1")
    ('blanc:alpha=0.2', ['coreference', 'f1'])
    """
    found = _PATH.fullmatch(path)
    if found is None:
        raise ValueError(path)
    return found["measure"], found["fields"].split(".")


def compare_case(name: str, paths: str | tuple[str, ...] = "", label: str = "") -> list[PrintedValue]:
    """Return the values that the papers print for a case, and ours; only those that begin with (one of) `paths`."""
    case = load_case(name)
    digits, truncated = case["digits"], case.get("truncated", False)
    printed = {path: (value, "") for path, value in case["expected"].items()}
    printed |= {path: (each["printed"], each["why"]) for path, each in case.get("erratum", {}).items()}
    return [
        PrintedValue(label or name, path, compute_field(case, path), value, digits, why, truncated)
        for path, (value, why) in printed.items()
        if path.startswith(paths)
    ]


def compare_cases(cases: Mapping[str, str], paths: str | tuple[str, ...] = "") -> list[PrintedValue]:
    """Return `compare_case` of some cases, which are given by what they shall be called here."""
    return [value for label, name in cases.items() for value in compare_case(name, paths, label)]


def compare_links(cases: Mapping[str, str]) -> list[PrintedValue]:
    """Return the numbers of links that the papers print for some cases, and ours."""
    found = []
    for label, name in cases.items():
        case = load_case(name)
        ours = score(case["key"], case["response"], measures="blanc")["blanc"].links
        found += [PrintedValue(label, kind, ours[kind], printed, digits=0) for kind, printed in case["links"].items()]
    return found
