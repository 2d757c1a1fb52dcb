"""Every score that the papers print, at the paper's precision."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest

import corefeval
from corefeval.lab.papers import load_papers

PAPERS = load_papers()
CASES: list[dict[str, Any]] = PAPERS["cases"]
FIELD = re.compile(r"^(?P<measure>.*?)\.(?P<field>(?:(?:non)?coreference\.)?(?:recall|precision|f1|score))$")


def value(case: dict[str, Any], path: str) -> float:
    match = FIELD.match(path)
    assert match is not None, path
    score: Any = corefeval.score(case["key"], case["response"], measures=match["measure"])[match["measure"]]
    for part in match["field"].split("."):
        score = getattr(score, part)
    return float(score)


def printed(number: float, digits: int, *, truncated: bool) -> str:
    if truncated:
        number = math.floor(number * 10**digits + 1e-9) / 10**digits
    return f"{number + math.copysign(1e-12, number):.{digits}f}"


def expectations(kind: str) -> list[Any]:
    return [
        pytest.param(case, path, given, id=f"{case['id']}-{path}")
        for case in CASES
        for path, given in case.get(kind, {}).items()
    ]


@pytest.mark.parametrize(("case", "path", "given"), expectations("expected"))
def test_score_is_as_printed(case: dict[str, Any], path: str, given: float) -> None:
    digits = case["digits"]
    assert printed(value(case, path), digits, truncated=case.get("truncated", False)) == f"{given:.{digits}f}"


@pytest.mark.parametrize(("case", "path", "erratum"), expectations("erratum"))
def test_misprint_is_replaced_by_what_the_formula_gives(
    case: dict[str, Any], path: str, erratum: dict[str, Any]
) -> None:
    digits = min(case["digits"], len(str(erratum["formula"]).partition(".")[2]))
    exact = value(case, path)
    assert printed(exact, digits, truncated=case.get("truncated", False)) == f"{erratum['formula']:.{digits}f}"
    assert printed(exact, digits, truncated=case.get("truncated", False)) != f"{erratum['printed']:.{digits}f}"


@pytest.mark.parametrize("case", [case for case in CASES if "links" in case], ids=lambda case: case["id"])
def test_link_counts_are_the_papers(case: dict[str, Any]) -> None:
    links = corefeval.score(case["key"], case["response"], measures="blanc")["blanc"].links
    assert {name: links[name] for name in case["links"]} == case["links"]


@pytest.mark.parametrize("case", [case for case in CASES if "undefined" in case], ids=lambda case: case["id"])
def test_what_the_paper_leaves_blank_is_undefined(case: dict[str, Any]) -> None:
    for path in case["undefined"]:
        measure, _, field = path.partition(".")
        score = corefeval.score(case["key"], case["response"])[measure]
        assert field in score.undefined
        assert score.values[field] == 0


@pytest.mark.parametrize("example", PAPERS["entity_similarities"])
@pytest.mark.parametrize("phi", [1, 2, 3, 4])
def test_entity_similarities_are_luos(example: dict[str, Any], phi: int) -> None:
    score = corefeval.score([example["key"]], [example["response"]], measures=f"ceaf:phi={phi}")[f"ceaf:phi={phi}"]
    assert score.recall_numerator == pytest.approx(example[f"phi{phi}"], abs=1e-12)


def test_distributional_error_points_where_the_paper_says() -> None:
    directions = {"p": "precision", "r": "recall"}
    for case in CASES:
        if "distributional_error_printed" in case:
            score = corefeval.score(case["key"], case["response"])["distributional_error"]
            assert score.direction == directions[case["distributional_error_printed"][-1]]
            assert 0 < score.score <= 1
