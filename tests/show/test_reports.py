"""What people see: tables in text, on terminals, in Markdown, LaTeX, HTML and data frames."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from typing import Any

import pytest

import corefeval
from corefeval import Evaluation, OptionError
from corefeval.scoring.layout import Evaluations
from corefeval.tables import text
from corefeval.tables.writers import escape_latex, write_html
from tests.data import EXAMPLES


def together(*evaluations: Evaluation) -> Evaluations:
    return Evaluations(evaluations)


def evaluations() -> list[Evaluation]:
    key = EXAMPLES / "key.conll"
    return [
        corefeval.score(key, EXAMPLES / f"response-{name}.conll", measures=["muc", "rand", "conll"]) for name in "ab"
    ]


def test_text_is_as_it_should_look() -> None:
    one, _ = evaluations()
    assert str(one).replace(str(EXAMPLES), "examples").splitlines()[2:] == [
        "",
        "measure  recall  precision     f1  score",
        "────────────────────────────────────────",
        "muc       86.67      92.86  89.66",
        "rand                               96.00",
        "conll                       88.97",
        "",
        "corefeval:0.1.0|measures:muc+rand+conll|match:exact|zeros:order|singletons:keep|duplicates:conll-8.01|average:micro|documents:2",
    ]


def test_undefined_is_a_dash_with_a_note() -> None:
    shown = str(corefeval.score([["a"]], [["a"]], measures=["muc", "conll"]))
    assert "muc           –          –      –" in shown
    assert "– is undefined: 0/0" in shown
    assert "conll: muc.f1 is undefined (0/0) and counts as 0" in shown
    nothing = str(corefeval.score([], [], measures="conll"))
    assert "conll: muc.f1, bcub.f1, ceafe.f1 are undefined (0/0) and count as 0" in nothing


def test_columns_stay_aligned_with_marks() -> None:
    lines = str(together(*evaluations())).splitlines()
    head = next(line for line in lines if line.startswith("measure"))
    muc = next(line for line in lines if line.startswith("muc"))
    other = lines[lines.index(muc) + 1]
    assert (
        head.index("recall") + len("recall") == muc.index("86.67") + len("86.67") == other.index("80.00") + len("80.00")
    )


def test_no_best_is_marked_where_all_are_alike() -> None:
    one, _ = evaluations()
    assert "*" not in str(together(one, one))


def test_markdown() -> None:
    lines = together(*evaluations()).to_markdown().splitlines()
    assert lines[0] == "| measure | response | recall | precision | f1 | score |"
    assert lines[1] == "|---|---|---:|---:|---:|---:|"
    assert lines[2] == "| muc | response-a | **86.67** | **92.86** | **89.66** |  |"
    assert lines[-1].startswith("`corefeval:")


def test_latex_escapes_names_and_sets_minus_signs() -> None:
    assert escape_latex("a_b & 50% #1 {x} ~^\\") == (
        r"a\_b \& 50\% \#1 \{x\} \textasciitilde{}\textasciicircum{}\textbackslash{}"
    )
    shown = corefeval.score([[1, 2], [3, 4]], [[1, 3], [2, 4]], measures=["kappa", "adjusted_rand"]).to_latex()
    assert r"response 1 & $-$200.00 & $-$50.00 \\" in shown


def test_latex_compiles_to_the_right_number_of_cells() -> None:
    lines = together(*evaluations()).to_latex(per_document=True).splitlines()
    columns = len(lines[1].removeprefix(r"\begin{tabular}{").removesuffix("}"))
    rows = [line for line in lines if line.endswith(r"\\") and "multicolumn" not in line]
    assert {line.count("&") + 1 for line in rows} == {columns}
    assert len(rows) == 1 + 2 * 3


def test_html_keeps_text_that_looks_like_html() -> None:
    key = {"<b>&": [["x", "y"]]}
    shown = write_html(corefeval.score(key, key, measures="muc").tables(per_document=True))
    assert "&lt;b&gt;&amp;" in shown
    assert "<b>&" not in shown
    assert corefeval.score(key, key)._repr_html_().startswith("<table>")


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_frames(backend: str) -> None:
    one, _ = evaluations()
    frame: Any = one.to_frame(backend=backend, per_document=True)
    columns = list(frame.column_names if backend == "pyarrow" else frame.columns)
    assert columns[:8] == ["response", "document", "measure", "recall", "precision", "f1", "score", "direction"]
    assert len(frame) == 9
    f1 = frame["f1"].to_pylist() if backend == "pyarrow" else frame["f1"].to_list()
    assert f1[0] == one["muc"].f1


def test_frames_of_unknown_libraries() -> None:
    with pytest.raises(OptionError, match="pandas, polars, pyarrow"):
        evaluations()[0].to_frame(backend="dask")


def terminal(*arguments: str, **environment: str) -> str:
    """What the command shows on a terminal."""
    leader, follower = pty.openpty()
    clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    process = subprocess.Popen(
        [sys.executable, "-m", "corefeval", *arguments],
        stdout=follower,
        stderr=subprocess.DEVNULL,
        env={**clean, "TERM": "xterm-256color", **environment},
    )
    os.close(follower)
    shown = b""
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    process.wait()
    os.close(leader)
    return shown.decode().replace("\r\n", "\n")


def test_terminals_get_colour_unless_they_refuse_it() -> None:
    arguments = ("score", str(EXAMPLES / "key.conll"), *(str(EXAMPLES / f"response-{name}.conll") for name in "ab"))
    coloured = terminal(*arguments)
    assert "\x1b[1;32m" in coloured
    plain = terminal(*arguments, NO_COLOR="1")
    assert "\x1b" not in plain
    import re  # noqa: PLC0415

    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


HEAD, BODY = ["name", "one", "two", "three"], [["a", "1", "2", "3"], ["b", "10", "20", "30"]]


def test_a_table_that_is_wider_than_its_place_comes_in_blocks_with_the_names_in_each() -> None:
    shown = text.format_grid(HEAD, BODY, text.Style(text.mark_with_star, 16), names=1)
    assert shown == [
        "name  one  two",
        "──────────────",
        "a       1    2",
        "b      10   20",
        "",
        "name  three",
        "───────────",
        "a         3",
        "b        30",
    ]


@pytest.mark.parametrize("width", [None, 21])
def test_a_table_stays_whole_where_it_has_room(width: int | None) -> None:
    shown = text.format_grid(HEAD, BODY, text.Style(text.mark_with_star, width), names=1)
    assert shown[0] == "name  one  two  three"
    assert len(shown) == 4


def test_stars_take_room_too() -> None:
    starred = [["a", "1*", "2", "3"], ["b", "10", "20*", "30"]]
    for width in range(11, 30):
        assert max(map(len, text.format_grid(HEAD, starred, text.Style(text.mark_with_star, width), names=1))) <= width


def test_a_terminal_of_eighty_columns_sees_whole_rows_and_a_pipe_sees_whole_tables() -> None:
    files = [str(EXAMPLES / f"{name}.conll") for name in ("key", "response-b")]
    shown = terminal("errors", *files, "--examples", "0", COLUMNS="80", NO_COLOR="1")
    rows = [line for line in shown.splitlines() if line.startswith(("as it is", "lea ", "measure ", "──"))]
    assert len(rows) > 8
    assert max(map(len, rows)) <= 80
    piped = subprocess.run(
        [sys.executable, "-m", "corefeval", "errors", *files, "--examples", "0"],
        capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "80"},
    ).stdout  # fmt: skip
    assert max(map(len, (line for line in piped.splitlines() if line.startswith("as it is")))) > 80
