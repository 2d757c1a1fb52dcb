"""Names of systems: given as `ours=path`, or made from their files, alike in all commands."""

from __future__ import annotations

import gzip
import json
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.cli.running import get_output, run
from tests.data import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

KEY, BETTER, WORSE = (str(EXAMPLES / f"{name}.conll") for name in ("key", "response-a", "response-b"))
NAMED = (f"ours={BETTER}", f"the baseline={WORSE}")


@pytest.mark.parametrize("form", ["--csv", "--markdown", "--latex", "-q"])
def test_a_named_system_has_its_name_in_every_table_of_scores(form: str) -> None:
    out = get_output("score", KEY, *NAMED, "-m", "muc", form)
    assert "ours" in out
    assert "the baseline" in out
    assert "response-a" not in out


def test_json_has_the_name_beside_the_file() -> None:
    found = json.loads(get_output("score", KEY, *NAMED, "--json"))["evaluations"]
    assert [(each["system"], each["response"]) for each in found] == [("ours", BETTER), ("the baseline", WORSE)]
    both = json.loads(get_output("diff", KEY, *NAMED, "--json"))["responses"]
    assert [each["system"] for each in both.values()] == ["ours", "the baseline"]
    one = json.loads(get_output("errors", KEY, f"ours={BETTER}", "--json"))
    assert (one["system"], one["response"]) == ("ours", BETTER)


@pytest.mark.parametrize("form", ["--json", "--csv", "--markdown", "--latex", "-q"])
def test_a_comparison_has_the_names(form: str) -> None:
    out = get_output("compare", KEY, *NAMED, "-m", "muc", "--resamples", "100", form)
    assert "ours" in out
    assert "the baseline" in out


def test_the_baseline_of_a_comparison_is_named_as_the_system_is() -> None:
    shown = [
        get_output("compare", KEY, *NAMED, "-m", "muc", "--resamples", "100", "--baseline", each)
        for each in ("ours", BETTER, NAMED[0])
    ]
    assert "against ours" in shown[0]
    assert shown[0] == shown[1] == shown[2]


def test_commands_on_one_response_show_its_name() -> None:
    assert "response  ours " in get_output("errors", KEY, f"ours={BETTER}")
    assert '"system": "ours"' in get_output("explain", "muc", KEY, f"ours={BETTER}", "--json")
    assert '"system": "ours"' in get_output("align", KEY, f"ours={BETTER}", "--json")


def test_a_diff_of_named_systems_uses_their_names_for_a_and_b() -> None:
    out = get_output("diff", KEY, *NAMED, "-m", "muc")
    assert "the baseline - ours" in out
    assert "fixed by the baseline" in out
    assert "by B" not in out


def test_annotators_have_names() -> None:
    out = get_output("agree", f"ann={BETTER}", f"bob={WORSE}", "--draws", "2", "-m", "muc")
    assert "ann" in out
    assert "bob" in out
    assert "response-a" not in out


def test_pages_and_figures_show_the_names(tmp_path: Path) -> None:
    assert run("report", KEY, *NAMED, "-o", tmp_path / "page.html", "--resamples", "100", "-q").returncode == 0
    assert '"the baseline"' in (tmp_path / "page.html").read_text()
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    assert run("plot", "recall-precision", KEY, *NAMED, "-o", tmp_path / "figure.svg", "-q").returncode == 0
    assert "the baseline" in (tmp_path / "figure.svg").read_text()


def test_scores_relative_to_a_named_response() -> None:
    assert "Relative to old" in get_output("score", KEY, BETTER, "-m", "muc", "--relative-to", f"old={WORSE}")
    shown = get_output("compare", KEY, *NAMED, "-m", "muc", "--resamples", "100", "--relative-to", f"old={WORSE}")
    assert "Relative to old" in shown


def test_a_file_whose_path_has_an_equals_sign_is_that_file(tmp_path: Path) -> None:
    path = tmp_path / "lr=0.1.conll"
    shutil.copy(BETTER, path)
    assert f"response  {path} " in get_output("score", KEY, path)
    assert "lr=0.1" in get_output("score", KEY, path, WORSE)
    assert "response  tuned " in get_output("score", KEY, f"tuned={path}")
    missing = run("score", KEY, tmp_path / "lr=0.2.conll")
    assert (missing.returncode, f"{tmp_path / 'lr=0.2.conll'}: no such file" in missing.stderr) == (66, True)


@pytest.mark.parametrize(
    ("responses", "message"),
    [
        ((f"x={BETTER}", f"x={WORSE}"), "two responses are named 'x'"),
        ((f"={BETTER}",), "no such file"),
        (("ours=",), "expected NAME=FILE"),
        (("ours=nowhere.conll",), "nowhere.conll: no such file"),
    ],
)
def test_names_that_cannot_be(responses: tuple[str, ...], message: str) -> None:
    for command in ("score", "compare"):
        given = responses if command == "score" or len(responses) > 1 else (*responses, WORSE)
        done = run(command, KEY, *given)
        assert done.returncode in (2, 66)
        assert message in done.stderr


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (("a.conll", "b.conll.gz"), ["a", "b"]),
        (("model-0.5", "model-0.6"), ["model-0.5", "model-0.6"]),
        (("a.conll", "a.v4_auto_conll"), ["a.conll", "a.v4_auto_conll"]),
        (("one/a.conll", "two/a.conll"), ["one/a.conll", "two/a.conll"]),
        (("b=a.conll", "b.conll"), ["b", "b.conll"]),
    ],
)
def test_endings_are_dropped_alike_in_all_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: tuple[str, ...], names: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for file in files:
        path = tmp_path / file.rpartition("b=")[2]
        path.parent.mkdir(exist_ok=True)
        if path.suffix == ".gz":
            path.write_bytes(gzip.compress((EXAMPLES / "response-a.conll").read_bytes()))
        else:
            shutil.copy(BETTER, path)
    given = ("-m", "muc", "--json", "-q")
    scored = json.loads(get_output("score", KEY, *files, *given))["evaluations"]
    assert [each["system"] for each in scored] == names
    compared = json.loads(get_output("compare", KEY, *files, *given, "--resamples", "100"))
    assert [each["name"] for each in compared["systems"]] == names
    assert f'"{names[1]}"' in get_output("agree", *files, "--draws", "2", *given)
    assert run("report", KEY, *files, "-o", "page.html", "--resamples", "100", "-q").returncode == 0
    assert f'"{names[1]}"' in (tmp_path / "page.html").read_text()


def test_files_beyond_the_memory_limit_are_scored_in_parts_with_the_same_output(tmp_path: Path) -> None:
    """One by one, as a directory of many files, and within a limit: what is printed is the same."""
    document = "#begin document d{}\nx 0 0 a (0)\nx 0 1 b (0\nx 0 2 c 0)\n#end document\n"
    for side, word in (("key", "b"), ("response", "other")):
        (tmp_path / side).mkdir()
        contents = [document.format(number).replace(" b ", f" {word} ") for number in range(200)]
        (tmp_path / f"{side}.conll").write_text("".join(contents))
        for number, content in enumerate(contents):
            (tmp_path / side / f"{number:03}.conll").write_text(content)
    files = [str(tmp_path / name) for name in ("key.conll", "response.conll")]
    whole, parts = run("score", *files, "-v"), run("score", *files, "-v", "--memory-limit", "1MB")
    assert (parts.stdout, parts.returncode) == (whole.stdout, 0)
    assert parts.stderr.splitlines() == [line for line in whole.stderr.splitlines() if "read as" not in line]
    folders = get_output("score", str(tmp_path / "key"), str(tmp_path / "response"), "--json")
    (of_folders,), (of_files,) = (
        json.loads(text)["evaluations"] for text in (folders, get_output("score", *files, "--json"))
    )
    assert of_folders["measures"] == of_files["measures"]
    assert len(of_folders["notices"]) == len(of_files["notices"]) == 200
    assert run("score", *files, "--memory-limit", "1MB", "--relative-to", "random").returncode == 2
