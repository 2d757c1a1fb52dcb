"""Plain text: what `print(evaluation)` and the command show."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from corefeval.show import table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from corefeval.overlap.side import Side
    from corefeval.scoring.results import Evaluation

_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")

_MOST_NAMES = 2 / 3  # of the width: where names take more, blocks of columns would be single numbers


class Style(NamedTuple):
    """Puts a style ("head", "best", "quiet") on a piece of text, and knows how wide the place is where it is shown."""

    paint: Callable[[str, str], str]
    width: int | None = None

    def __call__(self, name: str, text: str) -> str:
        """The text in that style."""
        return self.paint(name, text)


def starred(name: str, text: str) -> str:
    """No style but a star behind the best values."""
    return f"{text}*" if name == "best" else text


plain = Style(starred)
"""What is no terminal: of any width."""


def write(evaluations: Sequence[Evaluation], *, per_document: bool = False, style: Style = plain) -> str:
    """A table of the scores in per cent, with what it was made from."""
    lines = [*summary(evaluations, style), "", *_scores(evaluations, style)]
    if per_document:
        lines += ["", *_documents(evaluations, style)]
    lines += [style("quiet", note) for note in _notes(evaluations)]
    lines += ["", *(style("quiet", signature) for signature in table.signatures(evaluations))]
    return "\n".join(lines)


def summary(evaluations: Sequence[Evaluation], style: Style) -> list[str]:
    """What was compared with what, and how large it is."""
    first = evaluations[0]
    key = first.table.of_mentions.key
    documents = f"{len(first.document_names)} document{'' if len(first.document_names) == 1 else 's'}"
    lines = [("key", first.key, f"{documents}, {_size(key)}")]
    for label, each in zip(table.labels(evaluations), evaluations, strict=True):
        side = each.table.of_mentions.response
        name = label if len(evaluations) > 1 else each.response
        lines.append(("response", name, _size(side)))
    width = max(len(name) for _, name, _ in lines)
    gap = "  " if width else ""
    return [f"{style('head', f'{what:<8}')}  {name:<{width}}{gap}{style('quiet', size)}" for what, name, size in lines]


def _size(side: Side) -> str:
    return f"{side.size.sum():,} mentions in {len(side.size):,} entities"


def _scores(evaluations: Sequence[Evaluation], style: Style) -> list[str]:
    fields = table.fields(evaluations)
    several = len(evaluations) > 1
    head = ["measure", *(["response"] if several else []), *fields]
    body = []
    previous = None
    for row in table.rows(evaluations):
        name = "" if several and row.measure == previous else str(row.measure)
        previous = row.measure
        body.append([name, *([row.response] if several else []), *_cells(row, fields, style)])
    return grid(head, body, style, left=1 + several)


def _cells(row: table.Row, fields: list[str], style: Style) -> list[str]:
    return [row.text(field, lambda text: style("best", text)) for field in fields]


def _documents(evaluations: Sequence[Evaluation], style: Style) -> list[str]:
    """A row for each document and response, with each measure's main value."""
    several = len(evaluations) > 1
    head = ["document", *(["response"] if several else []), *(str(measure) for measure in evaluations[0].measures)]
    rows = [row for row in table.rows(evaluations, per_document=True) if row.document is not None]
    named = table.labels(evaluations)
    body = []
    per_document = len(evaluations) * len(evaluations[0].measures)
    for start in range(0, len(rows), per_document):
        block = rows[start : start + per_document]
        for place, label in enumerate(named):
            mine = block[place :: len(named)]
            name = (block[0].document or "") if place == 0 else ""
            values = [row.text(row.measure.main, lambda text: style("best", text)) for row in mine]
            body.append([name, *([label] if several else []), *values])
    return grid(head, body, style, left=1 + several)


def grid(head: list[str], body: list[list[str]], style: Style, *, left: int) -> list[str]:
    """Align columns: the first `left` to the left, numbers to the right with room for a mark behind them.

    What is wider than the place where it is shown comes in blocks, each with the first columns.
    """
    widths = [max(_width(row[place]) for row in [head, *body]) for place in range(len(head))]
    marked = any(cell.endswith("*") for row in body for cell in row)

    def line(cells: list[str], places: Sequence[int]) -> str:
        out = []
        for place in places:
            cell = cells[place]
            room = " " * (widths[place] - _width(cell))
            star = "" if cell.endswith("*") or not marked or place < left else " "
            out.append(f"{cell}{room}" if place < left else f"{room}{cell}{star}")
        return "  ".join(out).rstrip()

    lines: list[str] = []
    for places in _blocks([width + marked * (place >= left) for place, width in enumerate(widths)], left, style.width):
        shown = line(head, places)
        rows = [line(row, places) for row in body]
        lines += [*([""] if lines else []), style("head", shown), style("quiet", "─" * len(shown)), *rows]
    return lines


def _blocks(widths: Sequence[int], left: int, room: int | None) -> Iterator[list[int]]:
    """Columns that fit beside each other, the first `left` in every block; all in one where that would not help."""
    names = list(range(left))
    taken = sum(widths[:left]) + 2 * (left - 1)
    if room is None or taken > _MOST_NAMES * room:
        yield list(range(len(widths)))
        return
    block, used = list(names), taken
    for place in range(left, len(widths)):
        wide = 2 + widths[place]
        if used + wide > room and len(block) > left:
            yield block
            block, used = list(names), taken
        block.append(place)
        used += wide
    yield block


def _width(cell: str) -> int:
    """How many places a cell takes, its style and its star aside."""
    return len((_ESCAPE.sub("", cell) if "\x1b" in cell else cell).removesuffix("*"))


def _notes(evaluations: Sequence[Evaluation]) -> list[str]:
    rows = table.rows(evaluations)
    notes = []
    if any(field in row.score.undefined for row in rows for field in row.measure.shown):
        notes.append(f"{table.UNDEFINED} is undefined: 0/0")
    notes += _remarks(rows, several=len(evaluations) > 1)
    for row in rows:
        parts = [name for name in row.score.undefined if "." in name]
        if parts:
            convention = row.measure.undefined
            notes.append(f"{row.measure}: {', '.join(parts)} is undefined (0/0) and counts as {convention}")
    if any(row.best for row in rows):
        notes.append("* best")
    return ["", *dict.fromkeys(notes)] if notes else []


def _remarks(rows: Sequence[table.Row], *, several: bool) -> list[str]:
    """What measures have to add to their numbers."""
    remarks = [(row, row.measure.remark(row.score)) for row in rows]
    return [f"{row.measure}{f' ({row.response})' if several else ''}: {text}" for row, text in remarks if text]
