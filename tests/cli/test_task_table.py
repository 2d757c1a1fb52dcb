"""`score --table KEYS RESPONSES`: data sets and teams of a shared task. The numbers are the CorefUD scorer's own."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

from tests.cli.running import get_output, run
from tests.cli.test_crac import CONLL, KEY, RESPONSE, written

if TYPE_CHECKING:
    from pathlib import Path

ONE = [float(score) for score in CONLL]  # of RESPONSE; that of KEY is 100
OURS = [(score + 100) / 2 for score in ONE]  # RESPONSE on one data set, KEY on the other
WAYS = ["head", "partial", "exact", "with singletons"]


def write_task(root: Path) -> tuple[Path, Path]:
    """Write two data sets, and teams: gold has both right, two are alike, one lacks a file, one has none."""
    teams = {
        "half": {"cs_pdt": KEY},
        "ours": {"en_gum": RESPONSE, "cs_pdt": KEY},
        "same": {"en_gum": RESPONSE, "cs_pdt": KEY},
        "gold": {"en_gum": KEY, "cs_pdt": KEY},
        "none": {},
    }
    for folder, files in {
        "keys": {"en_gum": KEY, "cs_pdt": KEY},
        **{f"teams/{k}": v for k, v in teams.items()},
    }.items():
        (root / folder).mkdir(parents=True)
        for name, cells in files.items():
            (root / folder / f"{name}.conllu").write_text(written(cells))
    return root / "keys", root / "teams"


@pytest.fixture
def task(tmp_path: Path) -> tuple[Path, Path]:
    return write_task(tmp_path)


def test_teams_are_ranked_by_their_average_over_data_sets(task: tuple[Path, Path]) -> None:
    lines = get_output("score", "--table", *task, "-q").splitlines()
    assert lines[2].split() == ["rank", "team", "head", "partial", "exact", "with", "singletons"]
    rows = [line.replace("*", "").split() for line in lines[4:9]]
    assert [row[:2] for row in rows] == [["1", "gold"], ["2", "ours"], ["2", "same"], ["4", "half"], ["5", "none"]]
    assert [float(value) for value in rows[0][2:]] == [100] * 4
    for row in rows[1:3]:
        assert [float(value) for value in row[2:]] == pytest.approx(OURS, abs=0.011)
    assert [float(value) for value in rows[3][2:]] == [50] * 4
    assert [float(value) for value in rows[4][2:]] == [0] * 4


def test_each_data_set_has_its_scores(task: tuple[Path, Path]) -> None:
    shown = get_output("score", "--table", *task, "-q")
    table = shown[shown.index("By data set") :].splitlines()
    assert table[2].split() == ["team", "cs_pdt", "en_gum", "average"]
    rows = {line.split()[0]: line.replace("*", "").split()[1:] for line in table[4:9]}
    assert rows["ours"][:2] == ["100.00", CONLL[0]]
    assert rows["half"][1] == "–"
    assert "– missing, counted as 0" in shown


def test_missing_files_are_told_and_count_as_zero(task: tuple[Path, Path]) -> None:
    done = run("score", "--table", *task, "-v")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("counts as 0") == 3
    assert f"warning: {task[1] / 'half'}: has no response to data set 'en_gum'; it counts as 0" in done.stderr
    assert run("score", "--table", *task, "--strict").returncode == 65


def test_a_file_for_no_data_set_is_told(task: tuple[Path, Path]) -> None:
    (task[1] / "gold" / "en_gumm.conllu").write_text(written(KEY))
    for folder in (task[0], task[1], task[1] / "ours"):
        (folder / "README.md").write_text("This is no data set.\n")
    done = run("score", "--table", *task)
    assert done.returncode == 0
    assert "en_gumm.conllu: is for no data set of" in done.stderr
    assert "README" not in done.stderr


def test_json_and_csv_have_every_score(task: tuple[Path, Path]) -> None:
    found = json.loads(get_output("score", "--table", *task, "--json", "-q"))
    assert (found["measure"], found["columns"], found["datasets"]) == ("conll", WAYS, ["cs_pdt", "en_gum"])
    ours = found["teams"][1]
    assert (ours["team"], ours["rank"]) == ("ours", 2)
    assert [100 * ours["average"][way] for way in WAYS] == pytest.approx(OURS, abs=0.006)
    assert [100 * ours["datasets"]["en_gum"][way] for way in WAYS] == pytest.approx(ONE, abs=0.006)
    assert found["teams"][3]["missing"] == ["en_gum"]
    rows = list(csv.DictReader(io.StringIO(get_output("score", "--table", *task, "--csv", "-q"))))
    assert list(rows[0]) == ["rank", "team", "dataset", "missing", *WAYS]
    assert len(rows) == 5 * 3
    (average,) = (row for row in rows if row["team"] == "ours" and not row["dataset"])
    assert [100 * float(average[way]) for way in WAYS] == pytest.approx(OURS, abs=0.006)


def test_markdown_and_latex_have_the_same_columns(task: tuple[Path, Path]) -> None:
    markdown = get_output("score", "--table", *task, "--markdown", "-q")
    assert "| rank | team | head | partial | exact | with singletons |" in markdown
    assert "| 1 | gold | **100.00** | **100.00** | **100.00** | **100.00** |" in markdown
    latex = get_output("score", "--table", *task, "--latex", "-q")
    assert r"rank & team & head & partial & exact & with singletons \\" in latex
    assert r"4 & half & 50.00 & 50.00 & 50.00 & 50.00 \\" in latex


def test_teams_may_be_given_one_by_one_and_by_name(task: tuple[Path, Path]) -> None:
    keys, teams = task
    lines = get_output("score", "--table", keys, f"we={teams / 'ours'}", teams / "gold", "-q").splitlines()
    assert [line.split()[1] for line in lines[4:6]] == ["gold", "we"]
    assert [
        line.split()[1] for line in get_output("score", "--table", keys, teams / "ours", "-q").splitlines()[4:5]
    ] == ["ours"]


def test_another_measure(task: tuple[Path, Path]) -> None:
    assert json.loads(get_output("score", "--table", *task, "-m", "LEA", "--json", "-q"))["measure"] == "lea"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-m", "muc,lea"), "one measure"),
        (("-m", "distributional_error"), "more is not better"),
        (("--match", "exact"), "--match"),
        (("--bare",), "--table"),
        (("--fail-under", "conll=3"), "--table"),
        (("--per-document",), "--table"),
        (("--relative-to", "random"), "--table"),
    ],
)
def test_what_a_table_does_not_take(task: tuple[Path, Path], options: tuple[str, ...], message: str) -> None:
    done = run("score", "--table", *task, *options)
    assert (done.returncode, message in done.stderr) == (2, True)


def test_directories_that_are_none(task: tuple[Path, Path], tmp_path: Path) -> None:
    file = task[0] / "en_gum.conllu"
    assert "expected a directory" in run("score", "--table", file, task[1]).stderr
    assert run("score", "--table", tmp_path / "nowhere", task[1]).returncode == 66
    assert run("score", "--table", task[0], tmp_path / "nowhere").returncode == 66
    (tmp_path / "empty").mkdir()
    assert "no data sets" in run("score", "--table", tmp_path / "empty", task[1]).stderr


def test_a_response_that_cannot_be_read_counts_as_zero(task: tuple[Path, Path]) -> None:
    broken = task[1] / "ours" / "en_gum.conllu"
    broken.write_text(written(RESPONSE).replace("\told\t", "\told ").replace("e1)", "e7)", 1))
    done = run("score", "--table", *task, "-v")
    assert done.returncode == 0
    told = next(line for line in done.stderr.splitlines() if str(broken) in line)
    assert told.startswith(f"warning: {broken}:5: ")
    assert "expected ten columns" in told
    assert told.endswith("; the response to data set 'en_gum' counts as 0")
    assert [line.split()[1] for line in done.stdout.splitlines()[4:9]] == ["gold", "same", "half", "ours", "none"]
    assert "– missing or unreadable, counted as 0" in done.stdout
    ours = json.loads(get_output("score", "--table", *task, "--json", "-q"))["teams"][3]
    assert (ours["missing"], ours["average"]["head"]) == (["en_gum"], pytest.approx(0.5))
    strict = run("score", "--table", *task, "--strict")
    assert (strict.returncode, strict.stdout) == (65, "")
    assert f"{broken}:5: " in strict.stderr
    assert "has no response to data set" in strict.stderr


def test_a_response_that_cannot_be_scored_counts_as_zero(task: tuple[Path, Path]) -> None:
    """The CorefUD scorer refuses a response that lacks a document of the key."""
    for folder in (task[0], task[1] / "gold"):
        with (folder / "en_gum.conllu").open("a") as file:
            file.write(written(KEY).replace("newdoc id = d", "newdoc id = e").replace("sent_id = 1", "sent_id = 2"))
    done = run("score", "--table", *task, "-v")
    assert done.returncode == 0
    assert "'e'" in next(line for line in done.stderr.splitlines() if line.endswith("'en_gum' counts as 0"))


def test_faults_of_a_key_are_an_error(task: tuple[Path, Path]) -> None:
    (task[0] / "en_gum.conllu").write_text("x y\n")
    assert run("score", "--table", *task).returncode == 65
