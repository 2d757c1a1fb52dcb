"""`corefeval compare`, as a user calls it."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

import corefeval
from corefeval.tables.table import DIGITS, Digits
from tests.cli.running import Finished, run
from tests.comparison import worlds
from tests.comparison.worlds import first_documents

if TYPE_CHECKING:
    from pathlib import Path

KEY = worlds.key(40, 11)

A, B, C = (worlds.disturbed(KEY, noise, seed) for noise, seed in ((0.3, 1), (0.35, 2), (0.6, 3)))

AWKWARD = r"a_b & 50% $x^2$ #1 {y} ~|`*z*\.json"


GOOD, FAIR, POOR = (worlds.disturbed(KEY, noise, seed) for noise, seed in ((0.1, 1), (0.12, 2), (0.7, 3)))
SYSTEMS = {"good": GOOD, "fair": FAIR, "poor": POOR}


@pytest.fixture
def awkward_files(tmp_path: Path) -> dict[str, str]:
    """Files with names that mean something to LaTeX and Markdown."""
    worlds_ = {"key.json": KEY, AWKWARD: A, "b.json": B, "c.json": C, "part.json": first_documents(KEY, 30)}
    for name, world in worlds_.items():
        (tmp_path / name).write_text(json.dumps(world))
    return {name: str(tmp_path / name) for name in worlds_}


def compare(*arguments: str) -> Finished:
    return run("compare", *arguments, "--resamples", "300")


def test_names_are_shown_as_they_stand(awkward_files: dict[str, str]) -> None:
    given = (
        awkward_files["key.json"],
        awkward_files[AWKWARD],
        awkward_files["c.json"],
        "-m",
        "lea",
        "-m",
        "kappa",
        "-m",
        "mentions",
    )
    latex = compare(*given, "--latex", "--relative-to", awkward_files["b.json"]).stdout
    name = r"a\_b \& 50\% \$x\textasciicircum{}2\$ \#1 \{y\} \textasciitilde{}\textbar{}\textasciigrave{}*z*\textbackslash{}"
    assert latex.count(name) == 2
    assert " -" not in latex.replace(" --", "")  # a minus that LaTeX would set as a hyphen
    assert "$-$" in latex
    markdown = compare(*given, "--markdown").stdout
    assert r"a_b & 50% $x^2$ #1 {y} \~\|\`\*z\*\\ " in markdown
    assert "\n* " not in markdown  # a list, where a note was meant
    rows = list(csv.DictReader(io.StringIO(compare(*given, "--csv", "--relative-to", awkward_files["b.json"]).stdout)))
    assert rows[0]["a"] == AWKWARD.removesuffix(".json")
    assert float(rows[0]["relative"]) == pytest.approx(
        (float(rows[0]["value"]) - float(rows[0]["baseline"])) / (1 - float(rows[0]["baseline"]))
    )


@pytest.mark.parametrize("digits", DIGITS)
def test_scores_are_written_as_score_writes_them(awkward_files: dict[str, str], digits: Digits) -> None:
    """The same number in two tables of one program should look the same."""
    given = ("-m", "lea", "--digits", digits, "-q")
    compared = compare(
        awkward_files["key.json"],
        awkward_files["b.json"],
        awkward_files["c.json"],
        *given,
        "--relative-to",
        awkward_files[AWKWARD],
    ).stdout
    for name, world in (("b", B), ("c", C)):
        plain = corefeval.score(KEY, world, measures="lea").to_text(digits=digits)
        shown = next(line for line in plain.splitlines() if line.startswith("lea")).split()[-1]
        rows = [line.split() for line in compared.splitlines() if f" {name} " in line and " - " not in line]
        assert [row[row.index(name) + 1] for row in rows] == [shown, shown]


def test_a_baseline_that_is_perfect_leaves_nothing_to_be_relative_to(awkward_files: dict[str, str]) -> None:
    done = compare(
        awkward_files["key.json"],
        awkward_files["b.json"],
        awkward_files["c.json"],
        "-m",
        "lea",
        "--relative-to",
        awkward_files["key.json"],
    )
    assert done.returncode == 0
    assert "– where the baseline is perfect" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message", "code"),
    [
        (("b.json", "c.json", "--missing", "skip"), "", 0),
        (("b.json", "part.json", "--missing", "skip"), "lacks 10 of 40 documents", 2),
        (("b.json", "b.json"), "a response is given twice", 2),
        (("b.json", "--runs", "x=c.json,c.json"), "a run is given twice", 2),
        (("b.json", "c.json", "--stratify", "nothing"), "it takes genre, file or a regular expression", 2),
        (("b.json", "c.json", "--confidence", "0.9999999999999999"), "confidence", 2),
        (("b.json", "c.json", "--baseline", "nobody"), "known: b, c", 2),
        (("b.json", "part.json", "--strict"), "missing", 65),
        (("b.json", "c.json", "--strict", "--fail-if-worse", "-m", "lea", "-m", "muc"), "worse than b by muc", 1),
    ],
)
def test_exit_codes_and_messages(
    awkward_files: dict[str, str], arguments: tuple[str, ...], message: str, code: int
) -> None:
    paths = [awkward_files.get(each, each) for each in arguments]
    done = compare(
        awkward_files["key.json"],
        *(each.replace("c.json", awkward_files["c.json"]) if "=" in each else each for each in paths),
    )
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """A key and three responses as JSON files."""
    paths = []
    for name, world in {"key": KEY, **SYSTEMS}.items():
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(world))
        paths.append(str(path))
    return paths


def test_the_command_prints_json_of_the_promised_shape(files: list[str]) -> None:
    done = run("compare", *files, "-m", "lea", "--resamples", "200", "--json", "-q")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert {"systems", "comparisons", "seed", "resamples", "notices"} <= set(found)
    system = found["systems"][0]
    assert system["name"] == "good"
    assert set(system["measures"]["lea"]) >= {"f1", "interval"}
    assert system["rank"] == {"lea": 1}
    first = found["comparisons"][0]
    assert {
        "a",
        "b",
        "measure",
        "difference",
        "interval",
        "p",
        "p_corrected",
        "wins",
        "ties",
        "losses",
        "exact",
    } <= set(first)
    assert first["difference"] == pytest.approx(
        found["systems"][1]["measures"]["lea"]["f1"] - system["measures"]["lea"]["f1"]
    )


def test_the_gate_fails_where_a_response_is_significantly_worse(files: list[str]) -> None:
    key, good, fair, poor = files
    worse = run("compare", key, good, poor, "-m", "lea", "--resamples", "200", "--fail-if-worse")
    assert worse.returncode == 1
    assert "poor is significantly worse than good by lea" in worse.stderr
    assert run("compare", key, poor, good, "-m", "lea", "--resamples", "200", "--fail-if-worse").returncode == 0
    assert (
        run(
            "compare", key, poor, good, "-m", "lea", "--resamples", "200", "--fail-if-worse", "--baseline", good
        ).returncode
        == 1
    )
    assert (
        run("compare", key, fair, fair.replace("fair", "good"), "--resamples", "200", "--fail-if-worse").returncode == 0
    )


@pytest.mark.parametrize("output", ["--markdown", "--latex", "--csv"])
def test_other_outputs(files: list[str], output: str) -> None:
    done = run("compare", *files, "-m", "lea", "--resamples", "200", output, "-q")
    assert done.returncode == 0, done.stderr
    assert {"--markdown": "| measure | system |", "--latex": r"\begin{tabular}{lr}", "--csv": "measure,a,b,"}[
        output
    ] in done.stdout


def test_runs_on_the_command_line(files: list[str]) -> None:
    key, good, fair, poor = files
    done = run("compare", key, poor, "--runs", f"ours={good},{fair}", "-m", "lea", "--resamples", "200")
    assert done.returncode == 0, done.stderr
    assert "between runs" in done.stdout
    assert run("compare", key, poor, "--runs", "ours").returncode == 2


def test_three_systems_are_rows_with_letters_best_first(awkward_files: dict[str, str]) -> None:
    given = [awkward_files["key.json"], *(f"{name}={awkward_files[file]}" for name, file in
             (("poor", "c.json"), ("same", "c.json"), ("good", "b.json"))), "-m", "lea,muc", "--resamples", "100", "-q"]  # fmt: skip
    estimates = json.loads(compare(*given, "--json").stdout)["systems"]
    order = sorted(estimates, key=lambda each: -each["measures"]["lea"]["f1"])
    lines = compare(*given).stdout.splitlines()
    assert lines[0] == "Systems"
    assert lines[2].split() == ["system", "lea", "muc"]
    assert [line.split()[0] for line in lines[4:7]] == [each["name"] for each in order]
    best = order[0]
    shown = lines[4].split()
    assert shown[1] == f"{100 * best['measures']['lea']['f1']:.2f}*"
    assert shown[2] == best["letters"]["lea"]
    latex = compare(*given, "--latex").stdout
    assert rf"\textbf{{{shown[1][:-1]}}}$^{{{best['letters']['lea']}}}$" in latex
    markdown = compare(*given, "--markdown").stdout
    assert f"**{shown[1][:-1]}**<sup>{best['letters']['lea']}</sup>" in markdown
    assert [line.split()[0] for line in latex.splitlines() if "&" in line][1:4] == [each["name"] for each in order]


def test_a_summary_is_the_table_of_systems_alone(awkward_files: dict[str, str]) -> None:
    given = (awkward_files["key.json"], awkward_files["c.json"], awkward_files["b.json"], "-m", "lea,muc", "-q",
             "--resamples", "100", "--summary")  # fmt: skip
    shown = compare(*given).stdout
    assert "Differences" not in shown
    assert shown.splitlines()[2].split() == ["system", "lea", "muc"]
    assert "randomisation test" in shown
    assert "Differences" not in compare(*given, "--markdown").stdout


def test_one_system_has_its_intervals(files: list[str]) -> None:
    key, good, fair, _ = files
    alone = json.loads(run("compare", key, good, "-m", "lea", "--resamples", "200", "--json").stdout)
    both = json.loads(run("compare", key, good, fair, "-m", "lea", "--resamples", "200", "--json").stdout)
    assert alone["systems"][0]["measures"] == both["systems"][0]["measures"]  # the same resamples
    assert (alone["comparisons"], alone["systems"][0]["rank"]) == ([], {"lea": None})
    done = run("compare", key, good, "-m", "lea", "--resamples", "200")
    assert done.returncode == 0, done.stderr
    assert "95% interval" in done.stdout
    assert not any(word in done.stdout for word in ("Differences", "rank", "test", "correction"))
    for output in ("--csv", "--markdown", "--latex"):
        assert run("compare", key, good, "-m", "lea", "--resamples", "200", output).returncode == 0


def test_what_is_about_differences_takes_two_systems(files: list[str]) -> None:
    key, good, *_ = files
    for option in (("--fail-if-worse",), ("--plan", "1"), ("--baseline", good)):
        done = run("compare", key, good, "--resamples", "200", *option)
        assert (done.returncode, "two" in done.stderr) == (2, True), done.stderr
    assert run("compare", key).returncode == 2
