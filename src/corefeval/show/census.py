"""The numbers of corpora as text: one column a corpus, or one line a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corefeval.inspection.census import Census, Spread

_ROWS: tuple[tuple[str, Callable[[Census], object]], ...] = (
    ("documents", lambda each: each.documents),
    ("sentences", lambda each: each.sentences),
    ("words", lambda each: each.words),
    ("characters", lambda each: each.characters),
    ("mentions", lambda each: each.mentions),
    ("  nested in another", lambda each: each.nested),
    ("  deepest nesting", lambda each: each.depth),
    ("  discontinuous", lambda each: each.discontinuous),
    ("  zeros", lambda each: each.zeros),
    ("entities", lambda each: each.entities),
    ("  singletons", lambda each: each.singletons),
    ("mentions per entity", lambda each: each.entity_size),
    ("lengths and distances in", lambda each: None if each.unit == "label" else f"{each.unit}s"),
    ("length of mentions", lambda each: each.mention_length),
    ("distance to antecedent", lambda each: each.distance),
    ("  in sentences", lambda each: each.sentence_distance),
)
_SPREADS = ("mean", "median", "ninth decile", "greatest")
_UNKNOWN = "–"


def write(corpora: Sequence[Census]) -> str:
    """A table with a column for every corpus; what is not known of any is left out."""
    rows = [("", *(each.name for each in corpora))]
    for label, value in _ROWS:
        values = [value(each) for each in corpora]
        if all(one is None for one in values):
            continue
        if any(isinstance(one, tuple) for one in values):
            for number, kind in enumerate(_SPREADS):
                name = f"{label}, {kind}" if number == 0 else f"    {kind}"
                rows.append((name, *(_spread(one, number) for one in values)))
        else:
            rows.append((label, *map(_number, values)))
    return _aligned(rows)


def documents(parts: Sequence[Census]) -> str:
    """A table with a line for every document."""
    columns = [(label.strip(), value) for label, value in _ROWS[1:11] if any(value(part) is not None for part in parts)]
    rows = [("document", *(label for label, _ in columns), "mentions per entity")]
    for part in parts:
        values = (value(part) for _, value in columns)
        rows.append((part.name or "-", *map(_number, values),
                     f"{part.entity_size.mean:.2f}"))  # fmt: skip
    return _aligned(rows)


def _number(value: object) -> str:
    if value is None:
        return _UNKNOWN
    return f"{value:,}" if isinstance(value, int) else str(value)


def _spread(spread: object, number: int) -> str:
    if spread is None:
        return _UNKNOWN
    value: Spread = spread  # type: ignore[assignment]
    shown = (f"{value.mean:.2f}", f"{value.median:g}", f"{value.decile:g}", f"{value.most:,}")
    return shown[number]


def _aligned(rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *rest in rows:
        cells = [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
