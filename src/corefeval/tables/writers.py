"""Tables as Markdown, LaTeX and HTML; records as CSV and data frames; everything as JSON."""

from __future__ import annotations

import importlib
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from corefeval import __version__
from corefeval.errors import OptionError, check_choice
from corefeval.tables.table import UNDEFINED, Cell, Row, Table, get_text

NamedColumns: TypeAlias = "Mapping[str, Sequence[object]]"
"""Columns of equal length, by name. None is a value that a row does not have."""

_MARKDOWN = re.compile(r"[\\|*`<~]|(?<![^\W_])_|_(?![^\W_])")
"""What would start or end something; underscores within a word do not."""

_LATEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
          **{mark: f"\\{mark}" for mark in "&%$#_{}"}}  # fmt: skip
_FRAMES = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}


def write_json(content: Mapping[str, object]) -> str:
    """Return content as JSON text with full precision, with the version of corefeval as its first field."""
    import json  # noqa: PLC0415 - as csv and html below, it takes time to load, and text needs none of them

    return json.dumps({"corefeval": __version__, **content}, indent=1, ensure_ascii=False, allow_nan=False)


def write_csv(records: NamedColumns) -> str:
    """Return columns as comma-separated text with full precision, below a header."""
    import csv  # noqa: PLC0415

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(records)
    writer.writerows(zip(*records.values(), strict=True))
    return out.getvalue().rstrip("\n")


def build_frame(records: NamedColumns, backend: str) -> object:
    """Return columns as a data frame of the backend: pandas, polars or pyarrow; an OptionError if it is not there."""
    check_choice("backend", backend, tuple(_FRAMES))
    try:
        library = importlib.import_module(backend)
    except ImportError:
        raise OptionError(f"to_frame(backend={backend!r}) needs {backend}: pip install {backend}") from None
    frame: object = getattr(library, _FRAMES[backend])(dict(records))
    return frame


def collect_columns(head: Sequence[str], rows: Iterable[Sequence[object]]) -> dict[str, list[object]]:
    """Return rows as columns by name, which `write_csv` and `build_frame` take."""
    columns = list(zip(*rows, strict=True))
    return {name: list(columns[place]) if columns else [] for place, name in enumerate(head)}


def list_lines(table: Table) -> list[str]:
    """Return the cells of a table without a head as lines, then its notes."""
    return [*(get_text(cell) for row in table.rows for cell in row), *table.notes]


def write_markdown(tables: Iterable[Table], footer: Sequence[str] = ()) -> str:
    """Return tables as Markdown text, the best values in bold, and the footer as it stands below them."""
    lines: list[str] = []
    for table in tables:
        lines += [f"**{escape_markdown(table.title)}**", ""] if table.title else []
        if not table.head:
            lines += ["```", *list_lines(table), "```", ""]
            continue
        rule = "|" + "---|" * table.names + "---:|" * (len(table.head) - table.names)
        lines += [_join_markdown(table.head), rule, *map(_join_markdown, table.rows)]
        lines += [*(f"\n{escape_markdown(note)}" for note in table.notes), ""]
    return "\n".join([*lines, *footer])


def _join_markdown(row: Row) -> str:
    """Return a row of a Markdown table as one line; cells that are plain text are escaped."""
    cells = [
        escape_markdown(cell) if isinstance(cell, str) else get_text(cell, lambda text: f"**{text}**") for cell in row
    ]
    return f"| {' | '.join(cells)} |"


def escape_markdown(text: str) -> str:
    """Return a text as one line, with backslashes where Markdown would take it for markup."""
    return _MARKDOWN.sub(r"\\\g<0>", " ".join(text.splitlines()))


def write_latex(tables: Iterable[Table], header: Sequence[str] = ()) -> str:
    """Return tables as LaTeX text for the package booktabs; header, titles and notes become comments."""
    lines = [f"% {' '.join(line.split())}" for line in header]
    for table in tables:
        lines += [f"% {table.title}"] if table.title else []
        if not table.head:
            lines += [r"\begin{verbatim}", *list_lines(table), r"\end{verbatim}", ""]
            continue
        rows = [
            _join_latex([_format_latex_cell(cell, is_name=place < table.names) for place, cell in enumerate(row)])
            for row in table.rows
        ]
        head = _join_latex([_format_latex_cell(cell, is_name=True) for cell in table.head])
        columns = "l" * table.names + "r" * (len(table.head) - table.names)
        lines += [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", *_write_latex_groups(table), head, r"\midrule"]
        lines += [*rows, r"\bottomrule", r"\end{tabular}", *(f"% {note}" for note in table.notes), ""]
    return "\n".join(lines).rstrip("\n")


def _write_latex_groups(table: Table) -> list[str]:
    """Return lines above the head: titles of groups of columns, then rules below wide ones; none without groups."""
    if not table.groups:
        return []
    cells, rules, end = [""] * table.names, [], table.names
    for title, width in table.groups:
        shown = _format_latex_cell(title, is_name=True)
        cells.append(rf"\multicolumn{{{width}}}{{c}}{{{shown}}}" if width > 1 else shown)
        rules += [rf"\cmidrule(lr){{{end + 1}-{end + width}}}"] if width > 1 else []
        end += width
    return [_join_latex(cells), *(["".join(rules)] if rules else [])]


def _format_latex_cell(cell: str | Cell, *, is_name: bool) -> str:
    """Return a cell in LaTeX: the best in bold, numbers with real minus signs and dashes."""
    if not isinstance(cell, str) and cell.latex:
        return cell.latex
    text = escape_latex(get_text(cell))
    if not is_name:
        text = f"$-${text[1:]}" if text.startswith("-") else text
        text = text.replace(UNDEFINED, "--")
    return text if isinstance(cell, str) or not cell.best else rf"\textbf{{{text}}}"


def _join_latex(cells: Sequence[str]) -> str:
    """Return a row of a LaTeX table as one line."""
    return " & ".join(cells) + r" \\"


def escape_latex(text: str) -> str:
    """Return a text with its special characters escaped, so that LaTeX prints it as it stands."""
    return "".join(_LATEX.get(mark, mark) for mark in text)


def write_html(tables: Iterable[Table], footer: Sequence[str] = ()) -> str:
    """Return tables as HTML text for notebooks: titles above them, notes and the footer as captions."""
    listed, out = list(tables), []
    for number, table in enumerate(listed, 1):
        last = footer if number == len(listed) else ()
        if table.title:
            out.append(f"<p><b>{escape_html(table.title)}</b></p>")
        if not table.head:
            text = "\n".join((*list_lines(table), *last))
            out.append(f"<pre>{escape_html(text)}</pre>")
            continue
        head, *body = (_write_html_row(row, table) for row in (table.head, *table.rows))
        caption = "<br>".join(escape_html(line) for line in (*table.notes, *last))
        out.append(
            f"<table><thead>{head}</thead><tbody>{''.join(body)}</tbody>"
            f'<caption style="caption-side:bottom;text-align:left;font-size:smaller">{caption}</caption></table>'
        )
    return "".join(out)


def escape_html(text: str) -> str:
    """Escape a text so that HTML shows it as it stands."""
    from html import escape  # noqa: PLC0415

    return escape(text)


def _write_html_row(row: Row, table: Table) -> str:
    """Return a row of an HTML table as text: names and the head in <th>, names to the left."""
    cells = []
    for place, cell in enumerate(row):
        is_name, is_head = place < table.names, row is table.head
        tag, scope = "th" if is_name or is_head else "td", ' scope="row"' if is_name and not is_head else ""
        text = escape_html(get_text(cell))
        text = f"<b>{text}</b>" if not isinstance(cell, str) and cell.best else text
        cells.append(f'<{tag}{scope} style="text-align:{"left" if is_name else "right"}">{text}</{tag}>')
    return f"<tr>{''.join(cells)}</tr>"
