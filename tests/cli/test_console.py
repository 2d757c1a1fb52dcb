"""What commands print, on any console: data as UTF-8, text that a console can show, and nothing that it obeys."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

import corefeval
from corefeval.cli.console import _PATIENCE
from corefeval.notices import listen_to_progress
from tests.cli.running import run
from tests.data import EXAMPLES

KEY, RESPONSE = (str(EXAMPLES / f"{name}.conll") for name in ("key", "response-a"))
CONSOLES = {
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "latin": {"PYTHONIOENCODING": "latin-1:strict"},
    "C": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}
NAME = "Zoë 共指 → “x”"


def run_on_console(console: str, *arguments: object) -> subprocess.CompletedProcess[bytes]:
    """Run `corefeval` in a process whose console has another encoding; both of its outputs are bytes."""
    return subprocess.run(
        [sys.executable, "-X", "utf8=0", "-m", "corefeval", *map(str, arguments)],
        env={**os.environ, **CONSOLES[console]}, capture_output=True, check=False,
    )  # fmt: skip


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """A key and a response with a name of many scripts, as paths."""
    words = "\n".join(f"{NAME.split(maxsplit=1)[0]}\t0\t{i}\tw{i}\t({i % 2})" for i in range(4))
    text = f"#begin document ({NAME}); part 000\n{words}\n\n#end document\n"
    paths = tmp_path / "key.conll", tmp_path / "response.conll"
    for path in paths:
        path.write_text(text, encoding="utf-8")
    return paths


@pytest.mark.parametrize("console", CONSOLES)
@pytest.mark.parametrize("form", ["json", "csv", "csv-safe", "markdown", "latex"])
def test_data_is_utf8_whatever_the_console(console: str, form: str, files: tuple[Path, Path]) -> None:
    arguments = ("score", *map(str, files), "--per-document", "-m", "muc", f"--{form}")
    done = run_on_console(console, *arguments)
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode("utf-8") == run(*arguments).stdout
    assert "Zo" in done.stdout.decode()
    assert ("Zoë" if form == "latex" else NAME) in done.stdout.decode("utf-8")


@pytest.mark.parametrize("form", ["json", "csv", "markdown", "latex"])
@pytest.mark.parametrize("console", CONSOLES)
def test_names_of_files_are_utf8_in_data(console: str, form: str, tmp_path: Path) -> None:
    """In a C locale, Python has halves of characters for the bytes of names; bytes that are no UTF-8 are shown."""
    for name in ("système".encode(), b"caf\xe9", "共指".encode()):
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name + b".conll")).write_bytes(Path(RESPONSE).read_bytes())
    files = sorted(os.fsencode(tmp_path / name) for name in os.listdir(tmp_path))  # noqa: PTH208
    done = subprocess.run(
        [sys.executable, "-X", "utf8=0", "-m", "corefeval", "score", KEY, *files, "-m", "muc", f"--{form}"],
        env={**os.environ, **CONSOLES[console]}, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    shown = done.stdout.decode("utf-8")
    cafe = {"json": r'"caf\\xe9"', "latex": r"caf\textbackslash{}xe9", "markdown": r"caf\\xe9"}.get(form, r"caf\xe9")
    assert "système" in shown
    assert cafe in shown
    assert "udc" not in shown
    if form == "json":
        assert [each["system"] for each in json.loads(shown)["evaluations"]] == [r"caf\xe9", "système", "共指"]


def test_documents_named_after_files_have_their_names_in_every_locale(tmp_path: Path) -> None:
    (tmp_path / "key.conll").write_text(
        "#begin document système\nKim (1)\nherself (1)\n#end document\n", encoding="utf-8"
    )
    (tmp_path / "ann").mkdir()
    corefeval.write(corefeval.read(tmp_path / "key.conll"), tmp_path / "ann", "brat")
    done = run_on_console("C", "score", tmp_path / "key.conll", tmp_path / "ann", "-m", "muc", "-b")
    assert (done.returncode, done.stdout.strip()) == (0, b"100.00"), done.stderr


@pytest.mark.parametrize("console", CONSOLES)
def test_columns_are_aligned_where_letters_are_escaped(console: str, tmp_path: Path) -> None:
    for name in ("Zoë", "plain", "共指"):
        (tmp_path / f"{name}.conll").write_bytes(Path(RESPONSE).read_bytes())
    paths = (tmp_path / "Zoë.conll", tmp_path / "plain.conll", tmp_path / "共指.conll")
    done = subprocess.run(
        [sys.executable, "-X", "utf8=0", "-m", "corefeval", "score", KEY, *map(os.fsencode, paths), "-m", "muc"],
        env={**os.environ, **CONSOLES[console]}, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = done.stdout.decode("latin-1").splitlines()
    zoe = "Zoë" if console == "latin" else r"Zo\xeb"
    for numbers in ("26 mentions", "86.67"):
        rows = [line for line in lines if numbers in line]
        assert [row.replace("response", "").split()[0] for row in rows] == [zoe, "plain", r"\u5171\u6307"]
        assert len({row.index(numbers) for row in rows}) == 1, rows


def test_nothing_is_taken_out_of_data(tmp_path: Path) -> None:
    names = ["\x1b[31mred", "a\rb", "tab\tbed", "line\nfeed", "\x9b31m", "\u202e"]
    path = tmp_path / "a.json"
    path.write_text(json.dumps({name: [[[0, 0], [2, 2]]] for name in names}))
    arguments = ("score", path, path, "-m", "muc", "--per-document")
    rows = csv.DictReader(io.StringIO(run(*arguments, "--csv").stdout, newline=""))
    assert [row["document"] for row in rows if row["document"]] == names
    (found,) = json.loads(run(*arguments, "--json").stdout)["evaluations"]
    assert [name for name in names if name not in found["per_document"]] == []


@pytest.mark.parametrize("console", ["ascii", "C"])
def test_tables_have_rules_of_ascii_where_the_console_knows_no_others(console: str, files: tuple[Path, Path]) -> None:
    done = run_on_console(console, "score", *files, "--per-document", "-m", "muc")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.decode("ascii").splitlines()
    assert any(set(line) == {"-"} for line in lines)
    assert not any("?" in line for line in lines)
    assert any(r"Zo\xeb \u5171\u6307" in line for line in lines)  # nothing is lost


def test_profiles_as_json_are_utf8(files: tuple[Path, Path]) -> None:
    done = run_on_console("ascii", "profiles", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout.decode("utf-8")) == json.loads(run("profiles", "--json").stdout)


def test_cells_like_formulas_are_guarded_for_spreadsheets(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"=HYPERLINK(1)": [[[0, 0], [1, 1]]]}))
    rows = {
        form: list(csv.reader(io.StringIO(run("score", path, path, "--per-document", "-m", "muc", form).stdout)))
        for form in ("--csv", "--csv-safe")
    }
    assert [row for row in rows["--csv"] if "=HYPERLINK(1)" in row]
    assert [row for row in rows["--csv-safe"] if "'=HYPERLINK(1)" in row]
    assert not [row for row in rows["--csv-safe"] if "=HYPERLINK(1)" in row]


ESCAPE = "\x1b]0;owned\x07\u202e"


def test_escapes_in_names_and_words_are_shown_by_every_command(tmp_path: Path) -> None:
    entities = {f"d{ESCAPE}": [[[0, 0], [2, 2]], [[1, 1]]]}, {f"d{ESCAPE}": [[[0, 0], [1, 1]], [[2, 2]]]}
    paths = [tmp_path / f"{name}{ESCAPE}.json" for name in ("key", "one", "two")]
    for path, content in zip(paths, (*entities, entities[0]), strict=True):
        path.write_text(json.dumps(content))
    key, one, two = paths
    missing = tmp_path / f"no{ESCAPE}"
    bad = tmp_path / f"bad{ESCAPE}.json"
    bad.write_text("{")
    for arguments in (
        ("score", key, one, "--per-document", "-v"), ("score", key, one, two, "--fail-under", "conll=99"),
        ("score", key, one, "--markdown", "--per-document"), ("score", key, one, "--latex", "--per-document"),
        ("score", key, one, "--json", "--per-document"), ("score", key, one, "--like", "conll-8.01"),
        ("compare", key, one, two, "--resamples", "100"), ("agree", one, two, "--draws", "2"), ("errors", key, one),
        ("errors", key, one, "--by", "document"), ("errors", key, one, "--worst", "2"), ("diff", key, one, two),
        ("explain", "muc", key, one), ("align", key, one), ("why", key, one, "--to", "coval"), ("validate", *paths, bad), ("stats", *paths),
        ("score", key, missing), ("score", key, bad), (f"sco{ESCAPE}",), ("score", f"--{ESCAPE}"),
        ("score", key, one, "-m", ESCAPE), ("score", key, one, "--profile", ESCAPE), ("convert", key, tmp_path / ESCAPE),
        ("plot", ESCAPE, key, one, "-o", "x.svg"), ("formats", ESCAPE), ("score", key, one, "--format", ESCAPE),
        ("report", key, one, "-o", tmp_path / f"{ESCAPE}.html"), ("baseline", key, "--kind", "random", "-o", missing),
    ):  # fmt: skip
        done = run(*arguments)
        printed = done.stdout + done.stderr
        assert printed, arguments
        assert not [char for char in printed if not char.isprintable() and char not in "\n\t\u200b"], arguments
        assert "Traceback" not in printed


def run_on_terminal(*arguments: object, environment: dict[str, str] | None = None) -> str:
    """Run `corefeval` with a terminal as its standard output and error; return what it shows."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "corefeval", *map(str, arguments)], stdout=theirs, stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", **(environment or {})},
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    while True:
        try:
            more = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not more:
            break
        shown += more
    process.wait()
    os.close(ours)
    return shown.decode("utf-8", errors="replace")


def test_csv_on_a_terminal_shows_control_characters(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({f"d{ESCAPE}": [[[0, 0], [2, 2]]]}))
    assert ESCAPE in run("score", path, path, "-m", "muc", "--csv", "--per-document").stdout
    shown = run_on_terminal("score", path, path, "-m", "muc", "--csv", "--per-document")
    assert "\x1b]0;" not in shown
    assert r"d\x1b]0;owned\x07\u202e" in shown


def make_slow(folder: Path, patience: float) -> dict[str, str]:
    """An environment in which reading a file takes longer than the patience: until the line is drawn, if it ever is."""
    (folder / "sitecustomize.py").write_text(f"""
import time
import corefeval.cli.console as console
import corefeval.formats.shared.files as files

console._PATIENCE = {patience}
read_quickly = files.read_bytes

def read_bytes(name):
    time.sleep(1.2 * {patience})
    line, end = console.ProgressLine.shown, time.monotonic() + 20
    while line and not line._drawn and time.monotonic() < end:
        time.sleep(0.01)
    return read_quickly(name)

files.read_bytes = read_bytes
""")
    here = Path(corefeval.__file__).parent.parent
    return {"PYTHONPATH": f"{folder}:{here}"}


@pytest.mark.parametrize(
    ("command", "patience"),
    [
        (("score", KEY, RESPONSE), 0.1),
        (("stats", KEY), _PATIENCE),
        (("errors", KEY, RESPONSE), 0.1),
        (("explain", "muc", KEY, RESPONSE), 0.1),
    ],
    ids=lambda given: given[0] if isinstance(given, tuple) else "",
)
def test_what_takes_long_is_shown_on_a_terminal(command: tuple[str, ...], patience: float, tmp_path: Path) -> None:
    assert _PATIENCE == 1  # as `update` says
    shown = run_on_terminal(*command, environment=make_slow(tmp_path, patience))
    assert f"reading {KEY}"[:60] in shown
    last = shown.rpartition("\x1b[2K")[2]
    assert not last or last.endswith("\n")
    assert "reading " not in last  # the line is gone at the end
    quiet = run_on_terminal(command[0], *command[1:], "-q", environment=make_slow(tmp_path, patience))
    assert "reading " not in quiet


def test_files_of_a_directory_are_counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        text = Path(KEY).read_text(encoding="utf-8")
        for known in ("bookshop", "council"):
            text = text.replace(f"({known})", f"({known} {name})")
        (tmp_path / f"{name}.conll").write_text(text, encoding="utf-8")
    steps: list[tuple[str, int, int]] = []
    with listen_to_progress(lambda *step: steps.append(step)):
        corpus = corefeval.read(tmp_path)
        corefeval.score(corpus, corpus, measures=["muc", "lea"])
        corefeval.compare(corpus, {"a": corpus, "b": corpus}, resamples=100, measures=["muc"])
    assert [step for step in steps if step[0].startswith("reading")] == [
        (f"reading {tmp_path}", i, 3) for i in range(3)
    ]
    assert ("matching documents", 0, len(corpus.documents)) in steps
    assert ("counting by measures", 1, 2) in steps
    assert ("intervals", 100, 100) in steps
