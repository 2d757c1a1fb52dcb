"""Tables as text: as wide as the place allows, whatever the script of names."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

import corefeval
from corefeval import Signature
from corefeval.tables.table import Cell, Row, Table
from corefeval.tables.text import Style, format_tables, mark_with_star, measure_width, wrap_text
from corefeval.tables.writers import write_html, write_latex, write_markdown
from tests.data import EXAMPLES

NAMES = ["ours", "基线系统", "the/long/path/of/a/very/long/name/of/a/response/that/is/wider/than/all/else.conll"]
HEAD = ["system", *(f"measure-{number}" for number in range(12))]


def draw(names: list[str], width: int | None, columns: int = 12) -> list[str]:
    """The lines of a table of numbers, one row for each name."""
    rows: list[Row] = [[name, *[Cell("84.83", best=name == names[0])] * columns] for name in names]
    return format_tables(
        [Table("Systems", HEAD[: columns + 1], rows, 1, ("a note " * 20,))], Style(mark_with_star, width)
    )


@pytest.mark.parametrize("width", [40, 60, 80, 132])
@pytest.mark.parametrize("names", [NAMES[:1], NAMES[:2], NAMES])
def test_no_line_is_wider_than_the_terminal(width: int, names: list[str]) -> None:
    lines = draw(names, width)
    assert max(map(cell_len, lines)) <= width
    assert sum(line.count("84.83") for line in lines) == 12 * len(names)
    assert sum(line.count("measure-") for line in lines) == 12


def test_columns_stand_below_each_other_whatever_the_script() -> None:
    lines = [line for line in draw(NAMES[:2], None, 2) if "84.83" in line]
    assert [cell_len(line.partition("84.83")[0]) for line in lines] == [cell_len(lines[0].partition("84.83")[0])] * 2


def test_a_long_name_keeps_its_beginning_and_its_end() -> None:
    line, *_ = (line for line in draw(NAMES, 60, 2) if "…" in line)
    assert line.startswith("the/long")
    assert "else.conll" in line


@pytest.mark.parametrize("text", ["", "abc", "σ – ∅", "基线", "é", "e\u0301", "👍", "한국어"])
def test_widths_are_those_of_the_terminal(text: str) -> None:
    assert measure_width(text) == cell_len(text)


def test_letters_are_raised_behind_the_number_and_the_mark_of_the_best() -> None:
    cells = [Cell("84.83", best=True, raised="a"), Cell("-1.20", raised="bc")]
    table = Table("", ["system", "muc"], [["x", cells[0]], ["y", cells[1]]], 1)
    assert format_tables([table], Style(mark_with_star))[2:4] == ["x       84.83* a", "y       -1.20  bc"]
    assert "| x | **84.83**<sup>a</sup> |" in write_markdown([table])
    assert r"x & \textbf{84.83}$^{a}$ \\" in write_latex([table])
    assert r"y & $-$1.20$^{bc}$ \\" in write_latex([table])
    assert "<b>84.83</b><sup>a</sup>" in write_html([table])


@pytest.mark.parametrize("width", [10, 30, 80])
@pytest.mark.parametrize(
    "text", ["  d, line 3: the man who left, and she", "基线系统 " * 30, "x" * 200, "a " + "한" * 90]
)
def test_text_is_wrapped_whatever_its_words_are(text: str, width: int) -> None:
    lines = wrap_text(text, width)
    assert max(map(cell_len, lines)) <= width
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert wrap_text(text, None) == [text]


def test_lines_without_columns_are_wrapped_below_their_beginning() -> None:
    lines = format_tables([Table("Missed mentions of all", (), [["  d: one two three"]], 1)], Style(mark_with_star, 14))
    assert lines == ["Missed", "mentions of", "all", "  d: one two", "    three", ""]


@pytest.mark.parametrize("width", [60, 80])
def test_signatures_and_examples_of_errors_are_wrapped_on_narrow_terminals(width: int) -> None:
    files = EXAMPLES / "key.conll", EXAMPLES / "response-b.conll"
    evaluation = corefeval.score(*files, measures=["muc", "lea", "conll"])
    style = Style(mark_with_star, width)
    for result in (evaluation, corefeval.analyse(*files, measures=["muc", "lea", "conll"])):
        lines = result.to_text(style, notices=False).splitlines()
        assert max(map(cell_len, lines)) <= width
        start = next(place for place, line in enumerate(lines) if line.startswith("corefeval:"))
        assert str(Signature.parse("\n".join(lines[start:]))) == evaluation.signature


def test_columns_of_text_go_on_below_on_narrow_terminals() -> None:
    text = "key: the shop, the place; response: nothing at all"
    table = Table("", ("mention", "is with"), [("the old bookshop on the corner", text), ("it", "-")], names=1)
    lines = format_tables([table], Style(mark_with_star, 60))
    assert max(map(len, lines)) <= 60
    assert lines[2].startswith("the old bo")
    assert lines[3].startswith(" " * 20)
    shown = " ".join(" ".join(line[line.index("  ") :].split()) for line in lines[2:4])
    assert shown.endswith(text[-20:])
    wide = format_tables([table], Style(mark_with_star, 120))
    assert text in wide[2]
