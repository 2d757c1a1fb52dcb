"""What tables, records and content become: names with any characters are shown, never executed, and compile."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefeval
from corefeval.tables.table import Cell, Table
from corefeval.tables.text import PLAIN, format_tables
from corefeval.tables.writers import escape_latex, write_csv, write_html, write_json, write_latex, write_markdown

ESCAPES = "\x1b]0;owned\x07\x1b[31m\x9b31m\u202eabc\u2066\u200f\x85\u2028\udc80\r\n\t\x7f"
SHOWN = r"\x1b]0;owned\x07\x1b[31m\x9b31m\u202eabc\u2066\u200f\x85\u2028\udc80\r\n\t\x7f"  # as Python writes them
TABLES = [
    Table(ESCAPES, [ESCAPES, "n"], [[ESCAPES, Cell(ESCAPES, best=True)]], 1, (ESCAPES,)),
    Table(ESCAPES, (), [[ESCAPES]], 1, (ESCAPES,)),
]
NASTY = [
    "[1]", "*", "[", "a[b]", r"\end{tabular}", r"\\", "{", "}}", "%", "#1", "^^5c", "~", "$x$", "a & b", "`", "''", "--", "---",
    '"a', "<<a>>", "|", "!`", "?`", "\\", "ﬁ", "é", "Łódź", "ąę", "ðþđ", "„a“", "«a»", "€", "ß", "Ωμέγα", "слово", "שלום", "سلام",
    "共指", "한국어", "😀", "e\u0301", "\u0301", "α", "→", "³", "∅", "\u00a0", "\u200d", "\ufeff", "\uffff", "\U0010ffff", "…", "'a'", "@", "-1",
    "", " ", "  two", "\x00", "\x0c", ESCAPES, r"\item[", "a\\\\[1]", "\\begin{verbatim}", r"\end{verbatim}", r"\end{flushleft}",
]  # fmt: skip


@pytest.mark.parametrize("write", [write_latex, write_markdown, write_html])
def test_control_characters_are_shown_by_every_writer_of_tables(write: object) -> None:
    text = write(TABLES)  # type: ignore[operator]
    assert all(char == "\n" or char.isprintable() for char in text)
    assert text.count("x1b") == 2 * text.count("owned") > 0


def test_control_characters_are_shown_in_text() -> None:
    lines = format_tables(TABLES, PLAIN)
    assert all(line.isprintable() for line in lines)
    assert lines[0] == SHOWN
    assert lines[2].split("  ")[0] == SHOWN
    assert len(lines) == len(format_tables([Table("a", ["a", "n"], [["a", Cell("a", best=True)]], 1, ("a",)),
                                            Table("a", (), [["a"]], 1, ("a",))], PLAIN))  # fmt: skip


def test_joiners_and_letters_of_all_scripts_stay() -> None:
    kept = "نمی\u200cخواهم 👩\u200d🔬 e\u0301 \u00ad共指"
    assert format_tables([Table("", (), [[kept]], 1)], PLAIN)[0] == kept


def test_json_is_whole_and_yet_free_of_controls() -> None:
    written = write_json({"name": ESCAPES + "共指é"})
    assert json.loads(written)["name"] == ESCAPES + "共指é"
    assert all(char == "\n" or char.isprintable() for char in written)
    assert "共指é" in written


def test_names_of_files_are_shown_above_the_table() -> None:
    corpus = corefeval.read("examples/key.conll").replace(source="a\x1b[2Jb.conll")
    printed = str(corefeval.score(corpus, corpus))
    assert "\x1b" not in printed
    assert printed.count(r"a\x1b[2Jb.conll") == 2


def test_cells_that_begin_like_formulas_are_guarded_in_safe_csv() -> None:
    columns: dict[str, list[object]] = {"@name": ["=1+1", "+a", "-b", "@SUM(A1)", "\tx", "\rx", "plain", "a=b", "-5", "+1.5e3", "＝1"], "n": [-1.5, -2, 0, None, 1, 2, 3, 4, 5, 6, 7]}  # fmt: skip
    rows = list(csv.reader(io.StringIO(write_csv(columns, safe=True), newline="")))
    assert rows[0] == ["'@name", "n"]
    assert [row[0] for row in rows[1:]] == [
        "'=1+1", "'+a", "'-b", "'@SUM(A1)", "'\tx", "'\rx", "plain", "a=b", "-5", "+1.5e3", "'＝1",
    ]  # fmt: skip
    assert [row[1] for row in rows[1:4]] == ["-1.5", "-2", "0"]
    unguarded = list(csv.reader(io.StringIO(write_csv(columns), newline="")))
    assert unguarded[0] == ["@name", "n"]
    assert unguarded[1][0] == "=1+1"


def test_safe_csv_of_a_result() -> None:
    evaluation = corefeval.score({"=cmd": [[1, 2]]}, {"=cmd": [[1, 2]]})
    assert ",=cmd," in evaluation.to_csv(per_document=True)
    assert ",'=cmd," in evaluation.to_csv(per_document=True, safe=True)


def test_latex_prints_what_stands_there() -> None:
    assert escape_latex("a < b | c > d") == r"a \textless{} b \textbar{} c \textgreater{} d"
    assert escape_latex("a--b ''c'' `d") == r"a-{}-b '{}'c'{}' \textasciigrave{}d"
    assert escape_latex("α → 3") == r"$\alpha$ $\rightarrow$ 3"
    assert escape_latex("Köln") == "Köln"
    assert escape_latex("共") == r"\corefevalchar{共}{5171}"


def compile_latex(body: str, folder: Path) -> None:
    """Compile LaTeX within an article that has booktabs and nothing else; a failure shows the end of TeX's log."""
    if shutil.which("pdflatex") is None:
        pytest.skip("there is no pdflatex (Debian: texlive-latex-recommended): LaTeX output is not compiled")
    document = "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n" + body + "\n\\end{document}\n"
    (folder / "table.tex").write_bytes(document.encode())
    done = subprocess.run(
        ["pdflatex", "-draftmode", "-halt-on-error", "-interaction=nonstopmode", "table.tex"],
        cwd=folder, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-1500:]


def make_tables(names: list[str]) -> list[Table]:
    """Tables that have each name as the first cell of a row and of a head, as a title, a note and a line of text."""
    return [
        *(Table(name, [name, name], [[name, name], [name, Cell(name, best=True)], ["", name]], 1, (name,), ((name, 1),))
          for name in names),
        *(Table(name, [name, name], [[name, name]], 1, (name,), ((Cell(name), 1),)) for name in names[:3]),
        Table("lines", (), [[name] for name in names], 1, tuple(names)),
        Table("no lines", (), [], 1),
        Table("one", ["one"], [[name] for name in names], 1),
    ]  # fmt: skip


def test_latex_compiles_for_names_with_any_characters(tmp_path: Path) -> None:
    compile_latex(write_latex(make_tables(NASTY), NASTY), tmp_path)


@given(names=st.lists(st.text(min_size=1), min_size=20, max_size=40))
def test_random_names_in_latex_are_printable_lines(names: list[str]) -> None:
    written = write_latex(make_tables(names), names)
    assert all(char == "\n" or char.isprintable() or ord(char) > 127 for char in written)
    assert not [line for line in written.splitlines() if line.startswith(("[", "*"))]


@pytest.mark.slow
@given(names=st.lists(st.text(min_size=1), min_size=40, max_size=40))
def test_latex_compiles_for_random_names(names: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    compile_latex(write_latex(make_tables(names), names), tmp_path_factory.mktemp("tex"))
