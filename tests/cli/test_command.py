"""The command line, run as users run it."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

import corefeval
from tests.cli.running import get_output, run, run_process
from tests.data import EXAMPLES

KEY, BETTER, WORSE = (str(EXAMPLES / f"{name}.conll") for name in ("key", "response-a", "response-b"))


def document(*cells: str, name: str = "d", word: str = "w") -> str:
    lines = [f"{name}\t0\t{i}\t{word}{i}\t{cell}" for i, cell in enumerate(cells)]
    return "\n".join([f"#begin document {name}", *lines, "#end document", ""])


def test_the_table_of_one_response() -> None:
    done = run("score", KEY, BETTER)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["key", KEY, "2", "documents,", "27", "mentions", "in", "12", "entities"]
    assert lines[3].split() == ["measure", "recall", "precision", "f1"]
    assert [line.split()[0] for line in lines[5:13]] == list(corefeval.measures.DEFAULT)
    assert lines[-1] == corefeval.score(KEY, BETTER).signature


def test_several_responses_make_one_table_with_the_best_marked() -> None:
    lines = run("score", KEY, BETTER, WORSE).stdout.splitlines()
    rows = [line.split() for line in lines if line.startswith(("conll", "muc"))]
    assert [row[1] for row in rows] == ["response-a", "response-a"]
    assert all(cell.endswith("*") for row in rows for cell in row[2:])
    assert not any("*" in line for line in lines if line.strip().startswith("response-b"))


def test_json_has_the_promised_shape() -> None:
    done = run("score", KEY, BETTER, "--json", "--per-document", "-m", "all")
    found = json.loads(done.stdout)
    assert found["corefeval"] == corefeval.__version__
    (one,) = found["evaluations"]
    assert set(one) == {"key", "system", "response", "signature", "documents", "measures", "per_document", "notices"}
    assert (one["key"], one["response"], one["documents"], one["notices"]) == (KEY, BETTER, 2, [])
    counts = {f"{side}_{part}" for side in ("recall", "precision") for part in ("numerator", "denominator")}
    fraction = {"recall", "precision", "f1", "undefined"} | counts
    assert set(one["measures"]["muc"]) == fraction
    assert set(one["measures"]["rand"]) == {"score", "undefined"}
    assert set(one["measures"]["blanc"]) == fraction | {"coreference", "noncoreference", "links"}
    assert set(one["measures"]["blanc"]["coreference"]) == fraction
    assert one["measures"]["conll"]["f1"] == corefeval.score(KEY, BETTER)["conll"].f1
    assert list(one["per_document"]) == ["(bookshop); part 000", "(council); part 000"]
    assert set(one["per_document"]["(council); part 000"]["measures"]) == set(one["measures"])
    assert "per_document" not in json.loads(run("score", KEY, BETTER, "--json").stdout)["evaluations"][0]


def test_json_of_several_responses_has_the_same_shape() -> None:
    found = json.loads(run("score", KEY, BETTER, WORSE, "--json", "--singletons", "both").stdout)
    assert [Path(each["response"]).name for each in found["evaluations"]] == ["response-a.conll"] * 2 + [
        "response-b.conll"
    ] * 2
    assert ["singletons:drop" in each["signature"] for each in found["evaluations"]] == [False, True] * 2


def test_csv_markdown_and_latex() -> None:
    rows = list(csv.DictReader(io.StringIO(run("score", KEY, BETTER, WORSE, "--csv", "--per-document").stdout)))
    assert len(rows) == 8 * 2 * 3
    assert float(rows[2]["f1"]) == corefeval.score(KEY, BETTER)["muc"].f1
    assert rows[0]["document"] == ""
    assert all(row["signature"].startswith("corefeval:") for row in rows)
    markdown = run("score", KEY, BETTER, WORSE, "--markdown").stdout
    assert "| muc | response-a | **86.67** | **92.86** | **89.66** |" in markdown
    latex = run("score", KEY, BETTER, WORSE, "--latex").stdout
    assert latex.startswith("% corefeval:")
    assert r"\multicolumn{3}{c}{B$^3$}" in latex
    assert latex.count(r"\\") == 4


@pytest.mark.parametrize(
    ("command", "columns"),
    [
        (("validate", KEY, "--format", "json"), ["file", "line", "grade", "kind", "message"]),
        (("stats", KEY, BETTER), ["corpus", "document", "documents"]),
        (("why", KEY, BETTER, "--to", "coval"), ["decision", "from", "to", "measure"]),
    ],
)
def test_whatever_is_printed_comes_in_all_forms(command: tuple[str, ...], columns: list[str]) -> None:
    rows = list(csv.reader(io.StringIO(run(*command, "--csv").stdout)))
    assert rows[0][: len(columns)] == columns
    assert {len(row) for row in rows} == {len(rows[0])}
    assert json.loads(run(*command, "--json").stdout)["corefeval"] == corefeval.__version__
    assert run(*command, "--markdown").stdout.startswith("|")
    assert r"\toprule" in run(*command, "--latex").stdout
    assert "are two outputs" in run(*command, "--latex", "--csv").stderr


def test_measures_are_chosen_with_their_parameters() -> None:
    done = run("score", KEY, BETTER, "-m", "lea", "-m", "blanc:alpha=0.2")
    assert [line.split()[0] for line in done.stdout.splitlines()[5:7]] == ["lea", "blanc:alpha=0.2"]


def test_standard_input_gzip_and_directories(tmp_path: Path) -> None:
    for way in (run, run_process):
        assert way("score", KEY, "-", stdin=Path(KEY).read_bytes()).stdout.count("100.00") == 22
    assert run("score", "-", "-").returncode == 2
    (tmp_path / "response").mkdir()
    for name in ("a", "b"):
        (tmp_path / "response" / name).write_text(document("(1)", "(1)", name=name))
    (tmp_path / "key").write_text(document("(1)", "(1)", name="b") + document("(7)", "(7)", name="a"))
    assert "100.00" in run("score", str(tmp_path / "key"), str(tmp_path / "response")).stdout


def test_warnings_go_to_standard_error_and_can_be_silenced_or_made_errors(tmp_path: Path) -> None:
    key, response = tmp_path / "key", tmp_path / "response"
    key.write_text(document("(1)", "(1)", "-") + document("(1)", name="e"))
    response.write_text(document("(1)", "(1)|(2)", "(2)", word="v") + document("-", name="x"))
    done = run("score", str(key), str(response))
    assert done.returncode == 0
    assert "warning:" not in done.stdout
    assert done.stderr.splitlines() == [
        f"warning: {response}: document 'e' is missing; it counts as empty",
        f"warning: {response}: document 'x' is not in the key; it is ignored",
        f"warning: {response}:2: document 'd': 3 words differ from the key, first 'v0' for 'w0' (key line 2); "
        "its mentions stay in their positions",
        f"warning: {response}:3: \"v1\" is in entities 1 and 2 of document 'd'; it stays in the first",
    ]
    assert run("score", str(key), str(response), "-q").stderr == ""
    strict = run("score", str(key), str(response), "--strict")
    assert (strict.returncode, strict.stdout) == (65, "")
    assert "document 'e' is missing" in strict.stderr


def test_documents_of_different_length_are_named_with_the_place(tmp_path: Path) -> None:
    key, response = tmp_path / "key", tmp_path / "response"
    key.write_text(document("(1)", "-", "-"))
    response.write_text(document("(1)", "-"))
    assert "has 2 words, in the key 3; they part at word 2 (key line 4)" in run("score", str(key), str(response)).stderr


def test_many_warnings_are_summed_up_unless_verbose(tmp_path: Path) -> None:
    path = tmp_path / "response"
    path.write_text(document(*["(1)|(2)"] * 30))
    short = run("score", str(path), str(path)).stderr.splitlines()
    assert short[0].startswith("warning: repeated-mention  60 times  (first: ")
    assert short[1:] == ["(-v shows all 60 warnings)"]
    everything = run("score", str(path), str(path), "-v").stderr
    assert everything.count("warning: ") == 60
    assert f"{path}: read as conll" in everything


def test_bad_files_are_told_line_by_line_with_exit_code_65(tmp_path: Path) -> None:
    key, response = tmp_path / "key", tmp_path / "response"
    key.write_text(document("(1", "x"))
    response.write_text("nothing here\n")
    done = run("score", str(key), str(response))
    assert (done.returncode, done.stdout) == (65, "")
    assert [line.split(": ")[0] for line in done.stderr.splitlines()] == [f"{key}:2", f"{key}:3", f"{response}:1"]
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("score", KEY, "nowhere.conll"), 66, "nowhere.conll: no such file"),
        (("score", KEY), 2, "Missing argument 'RESPONSE...'"),
        (("score", KEY, BETTER, "-m", "mucc"), 2, "did you mean muc"),
        (("score", KEY, BETTER, "--duplicates", "all"), 2, "Invalid value for '--duplicates'"),
        (("score", KEY, BETTER, "--fail-under", "conll"), 2, "expected MEASURE=PERCENT"),
        (("score", KEY, BETTER, "--fail-under", "conll.recall=3"), 2, "conll has no recall"),
        (("scroe",), 2, "there is no command 'scroe'; did you mean score"),
        (("score", KEY, BETTER, "--relative-to", "randm"), 2, "did you mean random"),
        (("score", KEY, BETTER, "--json", "--csv"), 2, "--json and --csv are two outputs"),
        (("agree", KEY, BETTER, "--latex", "--csv"), 2, "--latex and --csv are two outputs"),
        *(
            ((command, KEY, BETTER, "--singletons", "both"), 2, "once with keep and once with drop")
            for command in ("agree", "errors", "compare")
        ),
    ],
)
def test_exit_codes(arguments: tuple[str, ...], code: int, message: str) -> None:
    done = run(*arguments)
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("score", KEY, BETTER), 0),
        (("score", KEY, WORSE, "--fail-under", "conll=70"), 1),
        (("score", KEY), 2),
        (("validate", str(EXAMPLES / "key.conll"), "--format", "json"), 65),
        (("score", KEY, "nowhere.conll"), 66),
    ],
)
def test_a_process_ends_with_the_code_of_its_command(arguments: tuple[str, ...], code: int) -> None:
    inside, outside = run(*arguments), run_process(*arguments)
    assert inside == outside
    assert outside.returncode == code


def test_thresholds() -> None:
    assert run("score", KEY, BETTER, "--fail-under", "conll=88", "--fail-under", "lea.precision=88").returncode == 0
    missed = run("score", KEY, BETTER, WORSE, "--fail-under", "conll=70")
    assert missed.returncode == 1
    assert missed.stderr == f"{WORSE}: conll.f1 is 66.60, below 70\n"


@pytest.mark.parametrize(("digits", "shown"), [("truncate", "84.82"), ("round", "84.83"), ("full", "84.83")])
def test_a_missed_threshold_shows_the_number_of_the_table(digits: str, shown: str) -> None:
    """LEA of the example is 84.828...: 22/27 and 23/26."""
    missed = run("score", KEY, BETTER, "-m", "lea", "--digits", digits, "--fail-under", "lea=90")
    assert missed.stderr == f"{BETTER}: lea.f1 is {shown}, below 90\n"


def test_only_commands_that_show_both_offer_it() -> None:
    offers = {command: "|both]" in run(command, "--help").stdout for command in ("score", "compare", "agree", "report")}
    assert offers == {"score": True, "compare": False, "agree": False, "report": False}


def test_macro_and_per_document() -> None:
    shown = run("score", KEY, BETTER, "--macro", "--per-document").stdout
    assert "average:macro" in shown
    assert [line.split()[0] for line in shown.splitlines() if line.startswith("(")] == ["(bookshop);", "(council);"]


def test_singletons_both_shows_them_side_by_side() -> None:
    shown = run("score", KEY, BETTER, "--singletons", "both").stdout
    assert "response-a (with singletons)" in shown
    assert "response-a (without singletons)" in shown
    assert shown.count("\ncorefeval:") == 2


def test_measures_are_listed_and_explained() -> None:
    listed = run("measures").stdout
    for name, measure in corefeval.measures.CLASSES.items():
        assert name in listed
        assert measure.citation in listed
    explained = run("measures", "lea").stdout
    assert "Moosavi & Strube 2016" in explained
    assert "beta=NUMBER" in explained
    assert run("measures", "leaa").returncode == 2


def test_version() -> None:
    assert run("--version").stdout.strip() == f"corefeval, version {corefeval.__version__}"


@pytest.mark.parametrize(
    ("arguments", "unloaded"),
    [
        (("--help",), {"numpy", "scipy", "rich"}),
        (("measures",), {"numpy", "scipy", "rich"}),
        (("profiles",), {"numpy", "scipy", "rich"}),
        (("why", "--help"), {"numpy", "scipy", "rich"}),
        (("score", "--help"), {"numpy", "scipy", "rich"}),
        (("score", KEY, BETTER, "-m", "all"), {"scipy", "rich"}),
    ],
)
def test_commands_load_only_what_they_need(arguments: tuple[str, ...], unloaded: set[str]) -> None:
    code = (
        "import sys, corefeval.cli.main\n"
        f"try: corefeval.cli.main.main({list(arguments)!r})\n"
        "except SystemExit: pass\n"
        f"assert not {unloaded!r} & set(sys.modules), sorted(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr


def test_a_reader_that_leaves_early_is_no_error() -> None:
    command = f"{sys.executable} -m corefeval score {KEY} {BETTER} --json --per-document -m all | head -n 1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, check=False, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_all_bad_and_missing_files_are_named_at_once(tmp_path: Path) -> None:
    (tmp_path / "junk").write_text("x y\n")
    done = run("score", str(tmp_path / "junk"), str(tmp_path / "nothing"))
    assert done.returncode == 65
    assert [line.split(":")[0] for line in done.stderr.splitlines()] == [
        str(tmp_path / "junk"),
        str(tmp_path / "nothing"),
    ]
    assert run("score", KEY, "").returncode == 66
    assert run("score", KEY, "x" * 5000).returncode == 65


def test_terminals_that_know_few_letters_get_an_answer() -> None:
    for arguments in (("score", KEY, KEY), ("measures",), ("measures", "lea")):
        done = run_process(*arguments, environment={"PYTHONIOENCODING": "cp1252"})
        assert (done.returncode, done.stderr) == (0, "")


def test_output_that_cannot_be_written_is_said() -> None:
    command = f"{sys.executable} -m corefeval score {KEY} {KEY} > /dev/full"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False, text=True)
    assert done.returncode == 74
    assert done.stderr.startswith("standard output: cannot be written")
    done = subprocess.run(
        ["bash", "-c", command.replace("> /dev/full", ">&-")], capture_output=True, check=False, text=True
    )
    assert (done.returncode, done.stderr) == (74, "standard output: it is closed\n")


def test_thresholds_are_read_strictly() -> None:
    assert run("score", KEY, KEY, "--fail-under", "conll=nan").returncode == 2
    assert run("score", KEY, KEY, "--fail-under", "distributional_error=10").returncode == 2
    missed = run("score", KEY, str(EXAMPLES / "response-b.conll"), "--fail-under", "conll=66.602")
    assert "is 66.60" in missed.stderr


@pytest.mark.parametrize(("limit", "percent"), [("0.7", "70"), ("1", "100"), ("0.055", "5.5")])
def test_a_threshold_that_may_be_a_share_is_refused_with_a_question(limit: str, percent: str) -> None:
    done = run("score", KEY, KEY, "--fail-under", f"conll={limit}")
    assert done.returncode == 2
    assert done.stderr == (
        f"--fail-under conll={limit}: do you mean {percent} % (conll={percent}) or {limit} % (conll={limit}%)?\n"
    )
    assert run("score", KEY, KEY, "--fail-under", f"conll={limit}%").returncode == 0


def test_a_threshold_may_be_written_with_a_per_cent_sign_and_zero_is_no_question() -> None:
    assert run("score", KEY, BETTER, "--fail-under", "conll=88%").returncode == 0
    assert run("score", KEY, BETTER, "--fail-under", "conll=99%").returncode == 1
    assert run("score", KEY, BETTER, "--fail-under", "conll=0").returncode == 0


def test_counts_of_warnings_are_the_number_of_events(tmp_path: Path) -> None:
    key, path = tmp_path / "key", tmp_path / "file.conll"
    key.write_text(document(*["(1)"] * 3000))
    path.write_text(document(*["(1)|(2)"] * 3000))
    shown = run("score", str(key), str(path), "-m", "muc").stderr.splitlines()
    assert shown[0].startswith("warning: repeated-mention  3,000 times  (first: ")


def test_stars_compare_like_with_like() -> None:
    shown = run("score", KEY, str(EXAMPLES / "response-a.conll"), "--singletons", "both").stdout
    assert "*" not in shown


def test_names_of_measures_are_suggested_whatever_their_case() -> None:
    assert "did you mean muc" in run("score", KEY, KEY, "-m", "MUCC").stderr


def test_measures_are_known_by_other_spellings_and_shown_by_their_names() -> None:
    lines = get_output("score", KEY, BETTER, "-m", "MUC,B3", "-m", "ceaf_e").splitlines()
    assert [line.split()[0] for line in lines[5:8]] == ["muc", "bcub", "ceafe"]
    assert run("score", KEY, BETTER, "--fail-under", "CoNLL-F1=88", "--fail-under", "B3.R=85").returncode == 0
    missed = run("score", KEY, BETTER, "--fail-under", "B-cubed.Precision=95")
    assert (missed.returncode, "bcub.precision is 94.87, below 95" in missed.stderr) == (1, True)
    assert run("measures", "lea:foo=1").returncode == 2


@pytest.mark.parametrize(
    ("command", "meant"),
    [
        (["score", "KEY", "KEY", "--match", "heda"], "did you mean head"),
        (["score", "KEY", "KEY", "--profile", "covall"], "did you mean coval"),
        (["score", "KEY", "KEY", "--singletons", "bth"], "did you mean both"),
        (["why", "KEY", "KEY", "--to", "corefud"], "did you mean corefud-1.2"),
        (["compare", "KEY", "KEY", "KEY", "--correction", "hlm"], "did you mean holm"),
        (["score", "KEY", "KEY", "--match", "xyz"], "known: exact, head"),
    ],
)
def test_wrong_words_on_the_command_line_are_told_the_near_ones(command: list[str], meant: str) -> None:
    made = run(*command)
    assert made.returncode == 2
    assert f"{command[-1]!r} is not possible; {meant}" in " ".join(made.stderr.split())


THREE = (f"ours={BETTER}", f"theirs={WORSE}", f"gold={KEY}")


def test_from_three_systems_on_systems_are_rows_and_measures_columns() -> None:
    lines = get_output("score", KEY, *THREE, "-m", "muc,bcub,conll").splitlines()
    assert lines[5].split() == ["system", "muc", "bcub", "conll"]
    assert [line.split() for line in lines[7:10]] == [
        ["ours", "89.66", "90.11", "88.97"],
        ["theirs", "80.00", "70.06", "66.60"],
        ["gold", "100.00*", "100.00*", "100.00*"],
    ]


def test_a_single_measure_of_three_systems_has_its_fields_as_columns() -> None:
    lines = get_output("score", KEY, *THREE, "-m", "muc").splitlines()
    assert lines[5].split() == ["system", "recall", "precision", "f1"]
    assert lines[7].split() == ["ours", "86.67", "92.86", "89.66"]


def test_markdown_and_latex_of_three_systems_have_the_same_columns() -> None:
    markdown = get_output("score", KEY, *THREE, "-m", "muc,conll", "--markdown").splitlines()
    assert markdown[0] == "| system | muc recall | muc precision | muc f1 | conll f1 |"
    assert markdown[2] == "| ours | 86.67 | 92.86 | 89.66 | 88.97 |"
    assert markdown[4] == "| gold | **100.00** | **100.00** | **100.00** | **100.00** |"
    latex = get_output("score", KEY, *THREE, "-m", "muc,conll", "--latex")
    assert r"ours & 86.67 & 92.86 & 89.66 & 88.97 \\" in latex


def test_one_is_singular(tmp_path: Path) -> None:
    one = str(tmp_path / "one.json")
    Path(one).write_text('{"d": [[[0, 1], [3, 4]]]}', encoding="utf-8")
    shown = run("score", one, one).stdout + run("stats", one, "-v").stderr
    assert "1 document, 2 mentions in 1 entity" in shown
    assert "1 documents" not in shown
    assert "1 entities" not in shown


def test_tables_have_no_escaped_line_breaks() -> None:
    assert "\\n" not in run("errors", KEY, BETTER).stdout
    assert "\\t" not in run("why", KEY, BETTER).stderr
