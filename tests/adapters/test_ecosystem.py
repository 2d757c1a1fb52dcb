"""The examples of docs/ecosystem.md run, and score takes what they show."""

from __future__ import annotations

import ast
import re
import sys
from typing import TYPE_CHECKING, Any

import pytest

import corefeval
from tests.data import DOCS

if TYPE_CHECKING:
    from pathlib import Path

PAGE = DOCS / "ecosystem.md"
EXAMPLES = re.findall(r"^## (.+?)$|^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def titled() -> list[Any]:
    found, title = [], ""
    for heading, code in EXAMPLES:
        title = heading or title
        if code:
            found.append(pytest.param(code, id=title))
    return found


def libraries(code: str) -> set[str]:
    """The top-level names that a piece of code imports."""
    names = {
        name
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names])
    }
    return {name.partition(".")[0] for name in names} - set(sys.stdlib_module_names) - {"corefeval"}


@pytest.mark.parametrize("code", titled())
def test_examples_run(code: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    for name in libraries(code):
        pytest.importorskip(name, reason=f"{name} is not installed")
    exec(compile(code, str(PAGE), "exec"), {})


def test_there_is_an_example_for_each() -> None:
    assert {parameters.id for parameters in titled()} == {
        *["spaCy", "Stanza", "fastcoref", "Maverick", "datasets", "evaluate"]
    }


def test_score_takes_objects_on_either_side() -> None:
    row = {"doc_key": "0", "sentences": [["a", "b", "c"]], "clusters": [[[0, 0], [1, 1], [2, 2]]]}
    prediction = {"tokens": ["a", "b", "c"], "clusters_token_offsets": [((0, 0), (2, 2))]}
    assert corefeval.score([row], [prediction])["muc"].recall == 1 / 2
    assert corefeval.score({"x": row}, {"x": prediction})["muc"].recall == 1 / 2
    assert corefeval.score([[(0, 0), (2, 2)]], prediction)["muc"].f1 == 1


def test_a_scorer_takes_them_too() -> None:
    prediction = {"tokens": ["a", "b", "c"], "clusters_token_offsets": [((0, 0), (2, 2))]}
    scorer = corefeval.Scorer("muc")
    scorer.update(prediction, prediction)
    scorer.update(prediction, [[(0, 0), (2, 2)]])
    assert scorer.compute()["muc"].recall_denominator == 2
