"""Tables as Markdown, LaTeX and HTML; records as CSV and data frames; everything as JSON."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from corefeval import __version__
from corefeval.errors import OptionError, check_choice, decode_escaped_bytes, escape_controls
from corefeval.tables.table import UNDEFINED, Cell, Row, Table, get_text

NamedColumns: TypeAlias = "Mapping[str, Sequence[object]]"
"""Columns of equal length, by name. None is a value that a row does not have."""

_MARKDOWN = r"[\\|*`<~]|(?<![^\W_])_|_(?![^\W_])"
"""What would start or end something; underscores within a word do not."""

_LATEX_MATHS = {
    "α": "alpha", "β": "beta", "φ": "phi", "Φ": "Phi", "κ": "kappa", "σ": "sigma", "Σ": "Sigma", "τ": "tau",
    "Δ": "Delta", "→": "rightarrow", "×": "times", "·": "cdot", "∅": "emptyset", "≤": "leq", "≥": "geq", "−": "-",
    "²": "^2", "³": "^3",
}  # fmt: skip
_LATEX = {
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
    **{sign: f"${name}$" if name[0] in "-^" else rf"$\{name}$" for sign, name in _LATEX_MATHS.items()},
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "`": r"\textasciigrave{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\symbol{34}", "-": "-{}", "'": "'{}",
    "\u00a0": r"\ ",
}  # fmt: skip
"""Marks as LaTeX prints them: dashes and quotes are those that it would join with the next one."""

_LATEX_MARK = r"""[&%$#_{}~^\\`<>|"]|-(?=-)|'(?=')|[^\x00-\x7f]"""
_LATEX_LETTERS = "ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝàáâãäåçèéêëìíîïñòóôõöùúûüýÿßÆæŒœØøŁłČčĎďĚěŇňŘřŠšŤťŽžĆćŃńŚśŹźŻżŐőŰűŮů–—‘’“”…"
"""Letters and signs beyond ASCII that every LaTeX prints with its own fonts."""

_LATEX_CHAR = (
    r"\providecommand{\corefevalchar}[2]{\ifdefined\Umathchar#1\else\ifcsname u8:\detokenize{#1}\endcsname"
    r"{\fontencoding{T1}\selectfont#1}\else\texttt{U+#2}\fi\fi}"
)
"""A character as it is where the program or its packages know it, else its number."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What the cells begin with that spreadsheets compute."""

_JSON_UNSAFE = "[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
"""Control characters that the JSON encoder leaves as they are, and halves of characters."""
_FRAMES = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}


def write_json(content: Mapping[str, object]) -> str:
    """Return content as JSON text with full precision, with the version of corefeval as its first field."""
    return encode_json({"corefeval": __version__, **content})


def encode_json(content: object) -> str:
    """Return content as JSON text: letters of all scripts as they are, control characters as escapes."""
    import json  # noqa: PLC0415 - as csv and html below, it takes time to load, and text needs none of them

    written = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)
    written = decode_escaped_bytes(written, "surrogateescape")  # data stays what it is
    return re.sub(_JSON_UNSAFE, lambda found: f"\\u{ord(found[0]):04x}", written)


def indent_json(content: object, depth: int) -> str:
    """Return content as JSON text that stands at some depth of indentation."""
    return encode_json(content).replace("\n", "\n" + " " * depth)


class StreamedObject:
    """An object of JSON that is too long to be held: `write` yields it in parts, given the depth at which it stands."""

    def __init__(self, write: Callable[[int], Iterable[str]]) -> None:
        self.write = write


def stream_json(content: Mapping[str, object]) -> Iterator[str]:
    """Yield in parts what `write_json` returns of content in which there are StreamedObjects."""
    return _stream_value({"corefeval": __version__, **content}, 0)


def _stream_value(value: object, depth: int) -> Iterator[str]:
    """Yield a value as JSON text, as it stands at a depth of indentation."""
    if isinstance(value, StreamedObject):
        yield from value.write(depth)
    elif not _has_streamed_object(value):
        yield indent_json(value, depth)
    else:
        names = [f"{encode_json(name)}: " for name in value] if isinstance(value, Mapping) else None
        listed = list(value.values() if isinstance(value, Mapping) else value)  # type: ignore[call-overload]
        margin = "\n" + " " * (depth + 1)
        for place, each in enumerate(listed):
            begin = "," if place else "[" if names is None else "{"
            yield f"{begin}{margin}{'' if names is None else names[place]}"
            yield from _stream_value(each, depth + 1)
        yield f"\n{' ' * depth}{']' if names is None else '}'}"


def _has_streamed_object(value: object) -> bool:
    """Return whether there is a StreamedObject somewhere in a value."""
    if isinstance(value, Mapping):
        return any(map(_has_streamed_object, value.values()))
    if isinstance(value, list | tuple):
        return any(map(_has_streamed_object, value))
    return isinstance(value, StreamedObject)


def write_csv(records: NamedColumns, *, safe: bool = False) -> str:
    """Return columns as comma-separated text with full precision, below a header.

    safe: with an apostrophe before text that a spreadsheet would compute: it begins with =, +, -, @ and is no number.
    """
    import csv  # noqa: PLC0415

    out = _CsvLines()
    writer = csv.writer(out, lineterminator=out.END)
    rows = [records, *zip(*records.values(), strict=True)]
    writer.writerows([map(_guard_formula, row) for row in rows] if safe else rows)
    return decode_escaped_bytes("\n".join(out))


class _CsvLines(list[str]):
    """The lines that a csv.writer writes, without ends. Cells with "\\r" are quoted if it is part of a line's end."""

    END = "\r\n"

    def write(self, line: str) -> None:
        """Append a line to this list, without its line end."""
        self.append(line.removesuffix(self.END))


def _guard_formula(cell: object) -> object:
    """Return a cell, with an apostrophe before it if it is text, no number, that a spreadsheet would compute."""
    if not isinstance(cell, str) or not cell.startswith(_FORMULA):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell


def build_frame(records: NamedColumns, backend: str) -> object:
    """Return columns as a data frame of pandas, polars or pyarrow (`backend`); OptionError if it is not installed."""
    check_choice("backend", backend, tuple(_FRAMES))
    try:
        library = importlib.import_module(backend)
    except ImportError:
        raise OptionError(f"to_frame(backend={backend!r}) needs {backend}: pip install {backend}") from None
    frame: object = getattr(library, _FRAMES[backend])(dict(records))
    return frame


def collect_columns(head: Sequence[str], rows: Iterable[Sequence[object]]) -> dict[str, list[object]]:
    """Return {name: column as a list} of rows, by the names in `head`; empty columns without rows."""
    columns = list(zip(*rows, strict=True))
    return {name: list(columns[place]) if columns else [] for place, name in enumerate(head)}


def list_lines(table: Table) -> list[str]:
    """Return a list of lines for a table without a head: the text of each cell, then its notes."""
    return [*(get_text(cell) for row in table.rows for cell in row), *table.notes]


def write_markdown(tables: Iterable[Table], footer: Sequence[str] = ()) -> str:
    """Return tables as Markdown text, the best in bold, those without a head as code; then the footer, unescaped."""
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
    cells = [escape_markdown(cell) if isinstance(cell, str) else _format_markdown_cell(cell) for cell in row]
    return f"| {' | '.join(cells)} |"


def _format_markdown_cell(cell: Cell) -> str:
    """Return a Cell in Markdown, without escapes: the best in bold, letters raised behind it."""
    raised = f"<sup>{cell.raised}</sup>" if cell.raised else ""
    return get_text(cell, lambda text: f"**{text}**") + raised


def escape_markdown(text: str) -> str:
    """Return a text as one line, with backslashes where Markdown would take it for markup."""
    return re.sub(_MARKDOWN, r"\\\g<0>", " ".join(text.splitlines()))


def write_latex(tables: Iterable[Table], header: Sequence[str] = ()) -> str:
    """Return tables as LaTeX text for the package booktabs; header (on top), titles and notes become comments."""
    lines = [f"% {escape_controls(line)}" for line in header]
    for table in tables:
        lines += [f"% {table.title}"] if table.title else []
        if not table.head:
            lines += _write_latex_lines(list_lines(table))
            continue
        rows = [
            _join_latex([_format_latex_cell(cell, is_name=place < table.names) for place, cell in enumerate(row)])
            for row in table.rows
        ]
        head = _join_latex([_format_latex_cell(cell, is_name=True) for cell in table.head])
        columns = "l" * table.names + "r" * (len(table.head) - table.names)
        lines += [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", *_write_latex_groups(table), head, r"\midrule"]
        lines += [*rows, r"\bottomrule", r"\end{tabular}", *(f"% {note}" for note in table.notes), ""]
    written = "\n".join(lines).rstrip("\n")
    return f"{_LATEX_CHAR}\n{written}" if r"\corefevalchar" in written else written


def _write_latex_lines(lines: Sequence[str]) -> list[str]:
    """Return lines of text as lines of LaTeX, in a font of equal widths, with all blanks; one empty line for none."""
    if not lines:
        return [""]
    blanks = re.compile(" (?= )|^ ")
    shown = [rf"\strut {blanks.sub('~', escape_latex(line))} \\" for line in lines]
    return [r"\begin{flushleft}\ttfamily", *shown, r"\end{flushleft}", ""]


def _write_latex_groups(table: Table) -> list[str]:
    """Return lines above the head: titles of groups of columns, then rules below wide ones; [] without groups."""
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
    """Return a cell in LaTeX: its own `latex`, or its escaped text, the best bold, letters raised, minus signs real."""
    if not isinstance(cell, str) and cell.latex:
        return cell.latex
    text = escape_latex(get_text(cell))
    if not is_name:
        text = f"$-${text[1:]}" if text.startswith("-") else text
        text = text.replace(UNDEFINED, "--")
    if isinstance(cell, str):
        return text
    raised = f"$^{{{cell.raised}}}$" if cell.raised else ""
    return (rf"\textbf{{{text}}}" if cell.best else text) + raised


def _join_latex(cells: Sequence[str]) -> str:
    """Return cells as a row of a LaTeX table, with {} in front if it would read as an option of the row above."""
    row = " & ".join(cells) + r" \\"
    return f"{{}}{row}" if row.startswith(("[", "*")) else row


def escape_latex(text: str) -> str:
    """Return a text with its special characters escaped, so that LaTeX prints it as it stands."""
    return re.sub(_LATEX_MARK, _escape_latex_mark, escape_controls(text))


def _escape_latex_mark(found: re.Match[str]) -> str:
    """Return a matched character in LaTeX: escaped, as it is or, if LaTeX may lack it, in a command with its number."""
    mark = found[0]
    if mark in _LATEX or mark in _LATEX_LETTERS:
        return _LATEX.get(mark, mark)
    return rf"\corefevalchar{{{mark}}}{{{ord(mark):04X}}}"


def write_html(tables: Iterable[Table], footer: Sequence[str] = (), warnings: Sequence[str] = ()) -> str:
    """Return tables as HTML text for notebooks: titles above them, notes and the footer as captions, then warnings."""
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
    out += [f"<p><b>warning:</b> {escape_html(line)}</p>" for line in warnings]
    return "".join(out)


def escape_html(text: str) -> str:
    """Return a text escaped so that HTML shows it as it stands."""
    from html import escape  # noqa: PLC0415

    return escape(text)


def _write_html_row(row: Row, table: Table) -> str:
    """Return a row of an HTML table as text: names and the head in <th>, names to the left."""
    cells = []
    for place, cell in enumerate(row):
        is_name, is_head = place < table.names, row is table.head
        tag, scope = "th" if is_name or is_head else "td", ' scope="row"' if is_name and not is_head else ""
        text = escape_html(get_text(cell))
        if isinstance(cell, Cell):
            raised = f"<sup>{escape_html(cell.raised)}</sup>" if cell.raised else ""
            text = (f"<b>{text}</b>" if cell.best else text) + raised
        cells.append(f'<{tag}{scope} style="text-align:{"left" if is_name else "right"}">{text}</{tag}>')
    return f"<tr>{''.join(cells)}</tr>"
