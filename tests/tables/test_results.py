"""Every result has the same family of methods, is frozen, and calls what it tells the user notices."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from typing import TYPE_CHECKING

import pytest

import corefeval
from corefeval.formats.draft import Draft
from tests.data import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from corefeval.tables.result import Result

KEY, A, B = (EXAMPLES / f"{name}.conll" for name in ("key", "response-a", "response-b"))

RESULTS: dict[str, Callable[[], Result]] = {
    "Evaluation": lambda: corefeval.score(KEY, A),
    "Comparison": lambda: corefeval.compare(KEY, {"a": A, "b": B}, resamples=100, measures=["muc", "lea"]),
    "Agreement": lambda: corefeval.agree({"key": KEY, "a": A, "b": B}, draws=2, measures=["muc"]),
    "Analysis": lambda: corefeval.analyse(KEY, B),
    "Diff": lambda: corefeval.diff(KEY, A, B),
    "Explanation": lambda: corefeval.why(KEY, A, to="coval"),
    "Derivation": lambda: corefeval.explain("muc", KEY, A),
    "Relative": lambda: corefeval.relative(corefeval.score(KEY, A), "singletons"),
    "Stats": lambda: corefeval.stats(KEY, A, per_document=True),
    "Validation": lambda: corefeval.validate(KEY, A),
}


@pytest.mark.parametrize("name", RESULTS)
def test_the_family(name: str) -> None:
    result = RESULTS[name]()
    assert type(result).__name__ == name
    assert isinstance(result, getattr(corefeval, name))
    envelope = json.loads(result.to_json())
    assert envelope.pop("corefeval") == corefeval.__version__
    content = json.loads(json.dumps(result.to_dict()))
    assert envelope == ({"evaluations": [content]} if name == "Evaluation" else content)
    rows = list(csv.reader(io.StringIO(result.to_csv())))
    assert {len(row) for row in rows} == {len(rows[0])}
    frame = pytest.importorskip("pandas", reason="frames need pandas") and result.to_frame()
    assert list(frame.columns) == rows[0]
    assert len(frame) == len(rows) - 1
    assert "|" in result.to_markdown() or "```" in result.to_markdown()
    assert result.to_latex().count(r"\begin{") == result.to_latex().count(r"\end{") > 0
    assert result._repr_html_().count("<table>") == result._repr_html_().count("</table>")
    assert str(result) == result.to_text()


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_frozen_and_have_notices(name: str) -> None:
    result = RESULTS[name]()
    assert isinstance(result.notices, tuple)
    first = dataclasses.fields(result)[0].name  # type: ignore[arg-type]
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(result, first, ())


def test_an_option_that_a_result_does_not_have_is_refused() -> None:
    with pytest.raises(TypeError, match="examples"):
        corefeval.score(KEY, A).to_markdown(examples=3)


def test_a_notice_says_where_it_is_from() -> None:
    (notice,) = corefeval.score({"a": [["x", "y"]], "b": [["x"]]}, {"a": [["x", "y"]]}).notices
    assert (notice.kind, notice.source, notice.line) == ("missing-document", "response", None)
    assert notice.to_dict()["source"] == "response"
    assert notice.message.startswith("response: document 'b' is missing")


def test_notices_about_mentions_and_conversions_name_their_place(tmp_path: Path) -> None:
    draft = Draft("a.conllu")
    document = draft.add_document("d", words=["one", "two", "three"], sentence=[0, 0, 0], lines=[4, 5, 6])
    document.add_mention("e", ((0, 0), (2, 2)), head=(0, 0))
    document.add_mention("e", (1, 1))
    corpus = draft.build_corpus()
    (headless,) = corefeval.score(corpus, corpus, match="lenient").notices
    assert (headless.kind, headless.source, headless.line) == ("no-head", "a.conllu", 5)
    assert headless.message.startswith('a.conllu:5: "two" has no head')
    lost = corefeval.write(corpus, tmp_path / "a.conll", "conll")
    assert {(notice.source, notice.line) for notice in lost} == {("a.conllu", None)}
