"""Tables with titles and notes, as text, Markdown and LaTeX: what reports of several tables are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefeval.show.latex import escape, escape_number
from corefeval.show.markdown import escaped, line
from corefeval.show.text import grid

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corefeval.show.text import Style


class Table(NamedTuple):
    """Columns with a head, the first `left` of them aligned to the left, a title, and notes below."""

    title: str
    head: list[str]
    body: list[list[str]]
    left: int
    notes: tuple[str, ...] = ()


def text(tables: Iterable[Table], style: Style) -> list[str]:
    """Lines of text."""
    lines: list[str] = []
    for each in tables:
        lines += [style("head", each.title), "", *grid(each.head, each.body, style, left=each.left)]
        lines += [style("quiet", note) for note in each.notes] + [""]
    return lines


def markdown(tables: Iterable[Table]) -> list[str]:
    """Lines of Markdown."""
    lines: list[str] = []
    for each in tables:
        rule = "|" + "---|" * each.left + "---:|" * (len(each.head) - each.left)
        rows = [line([escaped(cell) for cell in row]) for row in each.body]
        lines += [
            f"**{escaped(each.title)}**",
            "",
            line([escaped(cell) for cell in each.head]),
            rule,
            *rows,
            *(f"\n{escaped(note)}" for note in each.notes),
            "",
        ]
    return lines


def latex(tables: Iterable[Table]) -> list[str]:
    """Lines of LaTeX: a tabular each (package booktabs), titles and notes as comments."""
    lines: list[str] = []
    for each in tables:
        numbers = len(each.head) - each.left
        body = [[*map(escape, row[: each.left]), *map(_cell, row[each.left :])] for row in each.body]
        lines += [
            f"% {each.title}",
            rf"\begin{{tabular}}{{{'l' * each.left}{'r' * numbers}}}",
            r"\toprule",
            " & ".join(map(escape, each.head)) + r" \\",
            r"\midrule",
            *(" & ".join(row) + r" \\" for row in body),
            r"\bottomrule",
            r"\end{tabular}",
            *(f"% {note}" for note in each.notes),
            "",
        ]
    return lines


def _cell(text: str) -> str:
    return escape_number(escape(text))


def as_markdown(tables: Iterable[Table], signature: str) -> str:
    """A whole report of tables, and how it was made."""
    return "\n".join([*markdown(tables), f"`{signature}`"])


def as_latex(tables: Iterable[Table], signature: str) -> str:
    """The same as LaTeX."""
    return "\n".join([f"% {signature}", *latex(tables)]).rstrip("\n")
