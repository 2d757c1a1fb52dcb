"""Every result has the same family of methods, is frozen, and calls what it tells the user notices."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import warnings
from typing import TYPE_CHECKING

import pytest

import corefeval
from corefeval.formats.draft import Draft
from tests.cli.running import run
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
    "EntityDiff": lambda: corefeval.diff_entities(A, B),
    "Estimation": lambda: corefeval.estimate(KEY, A),
    "Explanation": lambda: corefeval.why(KEY, A, to="coval"),
    "Derivation": lambda: corefeval.explain("muc", KEY, A),
    "Alignment": lambda: corefeval.align(KEY, B),
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


MISSING = {"a": [["x", "y"]], "b": [["x", "z"]]}, {"a": [["x", "y"]]}
TOLD = "response: document 'b' is missing"
TELLING: dict[str, Callable[[], object]] = {
    "score": lambda: corefeval.score(*MISSING),
    "Scorer": lambda: make_scorer().compute(),
    "compare": lambda: corefeval.compare(
        MISSING[0], {"a": MISSING[1], "b": MISSING[1]}, resamples=100, measures=["muc"]
    ),
    "agree": lambda: corefeval.agree({"a": {"a": [[]], "b": [["x"]]}, "b": {"b": [["x", "y"]]}}, draws=2, measures=["muc"]),
    "analyse": lambda: corefeval.analyse(*MISSING),
    "diff": lambda: corefeval.diff(*MISSING, MISSING[1]),
    "explain": lambda: corefeval.explain("muc", *MISSING),
    "align": lambda: corefeval.align(*MISSING),
    "why": lambda: corefeval.why(*MISSING, to="coval"),
    "stats": lambda: corefeval.stats({"a": [[], [1]]}),
    "from_entities": lambda: corefeval.Corpus.from_entities({"a": [[], [1]]}),
    "baseline": lambda: corefeval.baseline({"a": [[], [1, 2]]}, "singletons"),
}  # fmt: skip


def make_scorer() -> corefeval.Scorer:
    scorer = corefeval.Scorer()
    scorer.update(*MISSING)
    return scorer


@pytest.mark.parametrize("name", TELLING)
def test_notices_are_one_warning_at_the_line_of_the_caller(name: str) -> None:
    with pytest.warns(corefeval.CorefevalWarning) as caught:
        result = TELLING[name]()
    (warning,) = caught
    assert warning.filename == __file__
    notices = result.notices  # type: ignore[attr-defined]
    assert notices
    assert str(notices[0]) in str(warning.message)


def test_what_arguments_carry_was_announced_when_they_were_made(tmp_path: Path) -> None:
    with pytest.warns(corefeval.CorefevalWarning, match="has no mentions"):
        corpus = corefeval.Corpus.from_entities({"a": [[], ["x", "y"]]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluation = corefeval.score(corpus, corpus)
        assert evaluation.notices
        corefeval.relative(evaluation, "singletons")
        corefeval.stats(corpus)


def test_files_that_are_read_and_written_are_not_silent_either(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_text("#begin document (d); part 000\nd 0 0 one (1)|(2)\nd 0 1 two (2)\nd 0 2 three (1)\n#end document\n")
    draft = Draft("a.conllu")
    document = draft.add_document("d", words=["one", "two", "three"], sentence=[0, 0, 0], lines=[4, 5, 6])
    document.add_mention("e", ((0, 0), (2, 2)))
    with pytest.warns(corefeval.CorefevalWarning) as caught:
        lost = corefeval.write(draft.build_corpus(), tmp_path / "b.conll")
    assert [each.filename for each in caught] == [__file__]
    assert str(lost[0]) in str(caught[0].message)
    with pytest.warns(corefeval.CorefevalWarning, match="two|both|several") as caught:
        corefeval.score(path, path)
    assert len(caught) == 1


def test_notices_are_printed_and_in_html() -> None:
    evaluation = corefeval.score(*MISSING)
    assert str(evaluation).splitlines()[-1].startswith(f"warning: {TOLD}")
    assert "warning" not in evaluation.to_text(notices=False)
    assert "<b>warning:</b> response: document &#x27;b&#x27; is missing" in evaluation._repr_html_()
    many = corefeval.score({"a": [["x", "y"]], **{f"b{i}": [["x", "z"]] for i in range(30)}}, MISSING[1])
    assert str(many).splitlines()[-1].endswith("(and 29 more of kind missing-document)")
    assert str(many).count("warning:") == 1


def test_commands_print_notices_once_and_make_no_python_warnings(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("key.json", "response.json")]
    for path, content in zip(
        paths, ({"a": [[[0, 0], [1, 1]]], "b": [[[0, 0], [1, 1]]]}, {"a": [[[0, 0], [1, 1]]]}), strict=True
    ):
        path.write_text(json.dumps(content))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        done = run("score", *paths)
    assert "is missing" not in done.stdout
    assert done.stderr.count("is missing") == 1


def test_problems_of_files_are_listed_once(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_text("#begin document (d); part 000\nd 0 0 one (1\n#end document\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = corefeval.validate(path)
    assert str(found).count("never closed") <= 1
    assert "warning:" not in str(found)
