"""`diff`, and the commands `errors`, `explain` and `diff` as a user calls them."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

import corefeval
from corefeval.analysis.errors.types import TYPES
from tests.cli.running import run
from tests.data import public_data

if TYPE_CHECKING:
    from pathlib import Path

KEY = [["a", "b", "c"], ["d", "e"]]
A = [["a", "b"], ["d", "e", "x"]]
B = [["a", "b", "c"], ["d"], ["y"]]


def test_what_b_fixed_and_what_it_broke() -> None:
    found = corefeval.diff(KEY, A, B)
    shown = {
        change.type: ([e.words for e in change.fixed], [e.words for e in change.broken], change.both)
        for change in found.changes
        if change.fixed or change.broken or change.both
    }
    assert shown == {
        "extra mention": ([("'x'",)], [], 0),
        "extra entity": ([], [("'y'",)], 0),
        "missing mention": ([("'c'",)], [("'e'",)], 0),
    }


def test_a_response_against_itself_fixes_and_breaks_nothing() -> None:
    found = corefeval.diff(KEY, A, A)
    assert not any(change.fixed or change.broken for change in found.changes)
    assert sum(change.both for change in found.changes) == len(found.a.errors)


@pytest.mark.slow
def test_fixed_and_broken_are_the_difference_in_counts() -> None:
    folder = public_data("litbank")
    found = corefeval.diff(*(folder / f"{name}.conll.gz" for name in ("key", "response-20", "response-50")))
    for change in found.changes:
        assert change.both + len(change.fixed) == found.a.counts[change.type]
        assert change.both + len(change.broken) == found.b.counts[change.type]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    paths = []
    for name, entities in (("key", KEY), ("a", A), ("b", B)):
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps({"d": entities}), encoding="utf-8")
        paths.append(str(path))
    return paths


def test_errors_in_all_outputs(files: list[str]) -> None:
    done = run("errors", files[0], files[1])
    code, out = done.returncode, done.stdout
    assert code == 0
    assert [kind for kind in TYPES if kind not in out] == ["span error"]  # mentions are labels: they have no spans
    assert "d: 'x' together with 'd'" in out
    assert "d: 'c', which belongs to 'a'" in out
    out = run("errors", files[0], files[1], "--json").stdout
    read = json.loads(out)
    assert [error["type"] for error in read["errors"]] == ["extra mention", "missing mention"]
    assert read["stages"][-1]["measures"]["muc"]["f1"] == 1
    out = run("errors", files[0], files[1], "--csv").stdout
    assert [row["type"] for row in csv.DictReader(io.StringIO(out))] == ["extra mention", "missing mention"]


def test_by_and_worst_in_all_outputs(files: list[str]) -> None:
    for output in ([], ["--json"], ["--csv"]):
        done = run("errors", files[0], files[1], "--by", "size", "--by", "document", *output)
        code, out = done.returncode, done.stdout
        assert (code, "3-5" in out) == (0, True)
        done = run("errors", files[0], files[1], "--worst", "2", "-m", "bcub", "-m", "rand", *output)
        code, out = done.returncode, done.stdout
        assert (code, "'c'" in out) == (0, True)
    out = run("errors", files[0], files[1], "--by", "size", "--csv", "-m", "muc").stdout
    rows = list(csv.DictReader(io.StringIO(out)))
    assert {row["measure"] for row in rows} == {"muc", "bcub of mentions"}


def test_diff_and_explain(files: list[str]) -> None:
    done = run("diff", *files)
    code, out = done.returncode, done.stdout
    assert code == 0
    assert "missing mention, fixed by B (1)\n  d: 'c', which belongs to 'a'" in out
    out = run("diff", *files, "--json").stdout
    assert json.loads(out)["types"][2]["fixed"][0]["words"] == ["'x'"]
    done = run("explain", "muc", files[0], files[1])
    code, out = done.returncode, done.stdout
    assert code == 0
    assert "Recall = ((3 - 2) + (2 - 1)) / ((3 - 1) + (2 - 1)) = 2 / 3 = 0.6667" in out


VIEWS = (
    ("errors", "KEY", "A"),
    ("errors", "KEY", "A", "--by", "size"),
    ("errors", "KEY", "A", "--worst", "2"),
    ("diff", "KEY", "A", "B"),
    ("explain", "muc", "KEY", "A"),
    ("explain", "conll", "KEY", "A", "--document", "d"),
    ("explain", "entropy", "KEY", "A"),
)


@pytest.mark.parametrize("view", VIEWS, ids=" ".join)
def test_every_command_has_every_output(files: list[str], view: tuple[str, ...]) -> None:
    given = dict(zip(("KEY", "A", "B"), files, strict=True))
    arguments = [given.get(argument, argument) for argument in view]
    done = run(*arguments)
    code, plain = done.returncode, done.stdout
    assert code == 0
    assert "corefeval:" in plain.splitlines()[-1]
    out = run(*arguments, "--json").stdout
    assert json.loads(out)["corefeval"] == corefeval.__version__
    out = run(*arguments, "--csv").stdout
    widths = {len(row) for row in csv.reader(io.StringIO(out))}
    assert len(widths) == 1
    out = run(*arguments, "--markdown").stdout
    assert out.rstrip().splitlines()[-1].startswith("`corefeval:")
    rows = [line for line in out.splitlines() if line.startswith("|")]
    assert rows or "```" in out
    out = run(*arguments, "--latex").stdout
    assert "% corefeval:" in out
    assert out.count(r"\begin{") == out.count(r"\end{") > 0


def test_scores_are_written_as_by_score(files: list[str]) -> None:
    """2/3 is 66.66 where the reference scorer cuts digits off, and 66.67 where they are rounded."""
    for digits, shown in (("truncate", "66.66"), ("round", "66.67")):
        for command in (["score"], ["errors"], ["errors", "--by", "document"]):
            out = run(*command, files[0], files[1], "-m", "muc", "--digits", digits).stdout
            assert shown in out, (command, digits)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["errors", "KEY", "A", "--by", "colour"], 2, "no field 'colour'"),
        (["errors", "KEY", "A", "--by", "size", "--worst", "3"], 2, "ask for one of them"),
        (["errors", "KEY", "A", "--singletons", "both"], 2, "once with keep and once with drop"),
        (["errors", "KEY", "nowhere.json"], 66, "nowhere.json"),
        (["explain", "mcu", "KEY", "A"], 2, "muc"),
        (["explain", "muc", "KEY", "A", "--document", "e"], 2, "there is no document 'e'"),
    ],
)
def test_wrong_use_is_told_in_one_line(files: list[str], arguments: list[str], code: int, message: str) -> None:
    given = {"KEY": files[0], "A": files[1]}
    found = run(*(given.get(argument, argument) for argument in arguments))
    assert found.returncode == code
    assert message in found.stderr
    assert "Traceback" not in found.stderr


def test_breakdowns_have_the_whole_in_every_output(files: list[str]) -> None:
    given = (files[0], files[1], "-m", "muc")
    whole = json.loads(run("score", *given, "--json").stdout)["evaluations"][0]["measures"]["muc"]
    found = json.loads(run("errors", *given, "--by", "size", "--by", "document", "--json").stdout)
    assert found["all"]["measures"]["muc"] == whole
    rows = list(csv.DictReader(io.StringIO(run("errors", *given, "--by", "size", "--csv").stdout)))
    (row,) = [row for row in rows if (row["field"], row["measure"]) == ("", "muc")]
    assert (row["label"], float(row["f1"])) == ("all", whole["f1"])
