"""The base of every result: one family of methods that show it, built on its tables, its records and its content."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypedDict, Unpack

from corefeval.errors import escape_controls
from corefeval.notices import Notice, summarise_notices
from corefeval.tables.table import Digits, Table
from corefeval.tables.text import PLAIN, Style, format_tables, wrap_text
from corefeval.tables.writers import (
    NamedColumns,
    build_frame,
    write_csv,
    write_html,
    write_json,
    write_latex,
    write_markdown,
)


class Scope(TypedDict, total=False):
    """What of a result is shown. per_document: also every document by itself, of evaluations and statistics."""

    per_document: bool


class LayoutOptions(Scope, total=False):
    """How a result is shown.

    digits: scores rounded (the default), cut off ("truncate") as the reference scorer does, or in "full".
    summary: of a comparison, the table of systems and measures alone.
    examples: how many errors of each type an analysis or a diff shows, how many causes an explanation, how many rows of
        each table an alignment; None for all.
    """

    digits: Digits
    summary: bool
    examples: int | None


class Result:
    """What a function of this package returns. A result that does not take an option of `LayoutOptions` refuses it.

    A result supplies `tables` (for people), `build_columns` (flat rows, for CSV and data frames) and `build_content`
    (everything, for JSON), each with those of the options that it takes; where they differ, also `text_tables`,
    `paper_tables` (for LaTeX), `describe`, `remarks`, `signatures`.
    """

    __slots__ = ()

    tables: Callable[..., Iterable[Table]]
    build_columns: Callable[..., NamedColumns]
    build_content: Callable[..., dict[str, object]]

    if TYPE_CHECKING:

        @property
        def notices(self) -> tuple[Notice, ...]:
            """All notices: what a user should know about the result."""

    @property
    def text_tables(self) -> Callable[..., Iterable[Table]]:
        """The function that builds the tables of plain text; by default `tables`."""
        return self.tables

    @property
    def paper_tables(self) -> Callable[..., Iterable[Table]]:
        """The function that builds the tables that papers print, for LaTeX; by default `tables`."""
        return self.tables

    def describe(self, style: Style) -> list[str]:  # noqa: ARG002 - the hook of results that have a heading
        """Return a list of lines to stand above the tables: none here; kinds of results with a heading have some."""
        return []

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences below the tables that say how the numbers were made; none by default."""
        return ()

    @property
    def signatures(self) -> tuple[str, ...]:
        """Lines that say how scores were made and can be read back; the result's `signature`, where it has one."""
        signature: str | None = getattr(self, "signature", None)
        return () if signature is None else (signature,)

    def to_dict(self, **scope: Unpack[Scope]) -> dict[str, object]:
        """Return what `to_json` writes as plain objects, without the field that says corefeval's version."""
        return self.build_content(**scope)

    def to_json(self, **scope: Unpack[Scope]) -> str:
        """Return JSON text with full precision and corefeval's version as first field, as the command prints it."""
        return "".join(self.stream_json(**scope))

    def stream_json(self, **scope: Unpack[Scope]) -> Iterator[str]:
        """Yield in parts what `to_json` returns; one part, unless a result is too long for that."""
        yield write_json(self.build_content(**scope))

    def to_csv(self, *, safe: bool = False, **scope: Unpack[Scope]) -> str:
        """Return comma-separated values with full precision, below a header, as text.

        safe: guard text that a spreadsheet would take for a formula with an apostrophe.
        """
        return write_csv(self.build_columns(**scope), safe=safe)

    def to_frame(self, *, backend: str = "pandas", **scope: Unpack[Scope]) -> object:
        """Return a data frame of pandas, polars or pyarrow with the rows of `to_csv`; OptionError if not installed."""
        return build_frame(self.build_columns(**scope), backend)

    def to_markdown(self, **layout: Unpack[LayoutOptions]) -> str:
        """Return Markdown tables as text, by default in per cent, with remarks and signatures below."""
        footer = [*self.remarks, *([""] if self.remarks else []), *(f"`{line}`" for line in self.signatures)]
        return write_markdown(self.tables(**layout), footer).rstrip("\n")

    def to_latex(self, **layout: Unpack[LayoutOptions]) -> str:
        """Return LaTeX tables for the package booktabs as text, by default in per cent; remarks as comments above."""
        return write_latex(self.paper_tables(**layout), (*self.remarks, *self.signatures))

    @property
    def shown_notices(self) -> tuple[Notice, ...]:
        """The notices that text and HTML show below the tables; by default all."""
        return self.notices

    def to_text(self, style: Style = PLAIN, *, notices: bool = True, **layout: Unpack[LayoutOptions]) -> str:
        """Return plain text, in the style of a terminal if one is given: heading, tables, remarks, signatures, notices.

        notices: the first of each kind and how many more there are; False leaves them out.
        """
        heading = self.describe(style)
        lines = [*heading, *([""] if heading else []), *format_tables(self.text_tables(**layout), style)]
        below = [*((remark, " ") for remark in self.remarks), *((signature, "|+,") for signature in self.signatures)]
        wrapped = (line for text, marks in below for line in wrap_text(escape_controls(text), style.width, marks))
        lines += [style("quiet", line) for line in wrapped]
        shown = [f"warning: {line}" for line in summarise_notices(self.shown_notices)] if notices else []
        return "\n".join([*lines, *([""] if shown else []), *shown]).rstrip("\n")

    def _repr_html_(self) -> str:
        return write_html(self.tables(), (*self.remarks, *self.signatures), summarise_notices(self.shown_notices))

    def __str__(self) -> str:
        return self.to_text()
