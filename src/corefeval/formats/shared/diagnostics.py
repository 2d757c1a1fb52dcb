"""The faults and notices of a reader, with their lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from corefeval.errors import Fault, InputError
from corefeval.formats.shared.segments import LineMap
from corefeval.notices import Notice, make_notices


class Diagnostics:
    """Faults and notices of one file, in the order in which they were found.

    lines: where the lines come from, if they are not those of the file `source` from its first one on.
    by_line: whether notices are returned by their lines, in whatever order they are found.
    """

    def __init__(self, source: str, lines: LineMap | None = None, *, by_line: bool = False) -> None:
        self.source = source
        self._lines, self._by_line = lines, by_line
        self.faults: list[Fault] = []
        self.notices: list[Notice] = []
        self.unlisted_faults: Counter[str] = Counter()  # that are counted only, by kind

    def add_fault(
        self, line: int | None, what: str, expected: str = "", hint: str = "", *, kind: str = "syntax"
    ) -> None:
        """Add a fault to the list, something wrong for which the file cannot be used; nothing is raised yet."""
        source, line = self._find_place(line)
        self.faults.append(Fault(source, what, expected, hint, line, kind))

    def add_notice(self, kind: str, line: int | None, message: str, **details: object) -> None:
        """Add a notice, something that a user should know of; `message` comes without the place."""
        source, line = self._find_place(line)
        self.notices.append(Notice.at(kind, source, line or None, message, details))

    def _find_place(self, line: int | None) -> tuple[str, int | None]:
        """Return the file and the line, in it, of a line that was read."""
        return (self.source, line) if self._lines is None or not line else self._lines.locate(line)

    def refuse_repeated_documents(self, documents: Iterable[tuple[str, int]], hint: str = "") -> None:
        """Add a fault for every document, given by its name and line, whose name an earlier one has."""
        first: dict[str, int] = {}
        for name, line in documents:
            if name in first:
                what = f"document {name!r} already begins at line {self._find_place(first[name])[1]}"
                self.add_fault(line, what, "every document once", hint, kind="document-twice")
            first.setdefault(name, line)

    def raise_faults(self) -> None:
        """Raise one InputError of all faults, by line; do nothing if there are none."""
        if self.faults:
            raise InputError(sorted(self.faults, key=lambda fault: fault.line or 0), unlisted=self.unlisted_faults)

    def limit_notices(self) -> tuple[Notice, ...]:
        """Return the notices, kind by kind; of more than a thousand of a kind, one notice counts those left out."""
        return limit_by_line(self.notices) if self._by_line else _limit_kinds(self.notices)


def limit_by_line(notices: Iterable[Notice]) -> tuple[Notice, ...]:
    """Return notices of a file, the kind of the first line first, each kind by line, at most a thousand and a count.

    So it does not matter in which order they were found, nor whether the file was read at once or in parts.
    """
    listed = sorted(notices, key=lambda each: (each.line or 0, each.kind))
    return _limit_kinds(listed)


def _limit_kinds(notices: Iterable[Notice]) -> tuple[Notice, ...]:
    """Return notices, kind by kind in the order of their first ones, at most a thousand of each and one that counts."""
    kinds: dict[str, list[Notice]] = {}
    for notice in notices:
        kinds.setdefault(notice.kind, []).append(notice)
    return tuple(
        notice
        for kind, found in kinds.items()
        for notice in make_notices(kind, len(found), lambda i, f=found: f[i])  # type: ignore[misc]
    )
