"""Faults of tables, which may have as many as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval.errors import MOST_FAULTS, InputError
from corefeval.formats.shared.diagnostics import Diagnostics

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefeval._arrays import Ints


class TableFindings(Diagnostics):
    """Findings with a line, or a row where the file has no lines; faults that would not be shown are only counted.

    lines: the lines of the rows that are spoken of.
    """

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.lines: Ints | None = None
        self._more = 0

    def faults_in(
        self, rows: Ints, what: Callable[[int], str], expected: str, hint: str = "", *, kind: str = "syntax"
    ) -> None:
        """A fault for each of these rows."""
        for row in rows[:MOST_FAULTS].tolist():
            line, place = self._place(row)
            self.add_fault(line, f"{place}{what(row)}", expected, hint, kind=kind)
        self._more += max(0, len(rows) - MOST_FAULTS)

    def notice_of(self, rows: Ints, kind: str, message: str) -> None:
        """One notice for some rows, if there are any; the place is that of the first."""
        if len(rows):
            line, place = self._place(int(rows[0]))
            many = "1 row" if len(rows) == 1 else f"{len(rows)} rows"
            self.add_notice(kind, line, f"{place}{message} ({many})", count=len(rows))

    def raise_faults(self) -> None:
        """Raise all faults at once, by line."""
        if self.faults:
            raise InputError(sorted(self.faults, key=lambda fault: fault.line or 0), more=self._more)

    def _place(self, row: int) -> tuple[int | None, str]:
        return (None, f"row {row + 1}: ") if self.lines is None else (int(self.lines[row]), "")
