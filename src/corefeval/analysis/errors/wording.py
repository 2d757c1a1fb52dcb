"""Errors in words, a line each, and as plain objects."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from corefeval.tables.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corefeval.analysis.errors.links import LinkError
    from corefeval.analysis.errors.types import TypedError

EXAMPLES = 3
"""How many errors of each type are shown, unless more are asked for."""

COLUMNS = ("type", "document", "line", "words", "beside")
_MANY = 6  # mentions of an entity that are named before the rest is only counted

_SENTENCES: dict[str, Callable[[str, str], str]] = {
    "span error": lambda words, beside: f"{words} should be {beside}",
    "conflated entities": lambda words, beside: f"{words} together with {beside}",
    "extra mention": lambda words, beside: f"{words} together with {beside}",
    "extra entity": lambda words, _: words,
    "divided entity": lambda words, beside: f"{words} apart from {beside}",
    "missing mention": lambda words, beside: f"{words}, which belongs to {beside}",
    "missing entity": lambda words, _: words,
}


def describe_error(error: TypedError) -> str:
    """Say what is wrong, where the type and the place of the error are known."""
    names = [*error.words[:_MANY], *([f"{len(error.words) - _MANY} more"] if len(error.words) > _MANY else [])]
    return _SENTENCES[error.type](", ".join(names), error.beside)


def list_errors(title: str, errors: Sequence[TypedError], most: int | None) -> Table:
    """Build a list of errors in words, with their places; say how many are left out."""
    rows = [[f"  {_describe_place(error)}{describe_error(error)}"] for error in errors[:most]]
    if most is not None and len(errors) > most:
        rows.append([f"  and {len(errors) - most:,} more"])
    return Table(title, (), rows, 1)


def _describe_place(error: TypedError) -> str:
    place = ", ".join(part for part in (error.document, f"line {error.line}" if error.line else "") if part)
    return f"{place}: " if place else ""


def build_error_record(error: TypedError) -> tuple[object, ...]:
    """Return an error as the row of a file, with the columns `COLUMNS`."""
    return error.type, error.document, error.line, " | ".join(error.words), error.beside


def build_error_content(error: TypedError) -> dict[str, object]:
    """Return an error as plain objects, without the row numbers that only this run knows."""
    return {name: getattr(error, name) for name in COLUMNS}


def build_link_content(link: LinkError) -> dict[str, object]:
    """Return a link as plain objects, without the row numbers that only this run knows."""
    return {name: value for name, value in asdict(link).items() if not name.endswith("_row")}
