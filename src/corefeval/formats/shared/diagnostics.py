"""The faults and notices of a reader, with their lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from corefeval.errors import Fault, InputError
from corefeval.notices import Notice, make_notices


class Diagnostics:
    """Faults and notices of one file, in the order in which they were found."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.faults: list[Fault] = []
        self.notices: list[Notice] = []
        self.unlisted_faults: Counter[str] = Counter()  # that are counted only, by kind

    def add_fault(
        self, line: int | None, what: str, expected: str = "", hint: str = "", *, kind: str = "syntax"
    ) -> None:
        """Add a fault to the list, something wrong for which the file cannot be used; nothing is raised yet."""
        self.faults.append(Fault(self.source, what, expected, hint, line, kind))

    def add_notice(self, kind: str, line: int | None, message: str, **details: object) -> None:
        """Add a notice, something that a user should know of; `message` comes without the place."""
        self.notices.append(Notice.at(kind, self.source, line or None, message, details))

    def refuse_repeated_documents(self, documents: Iterable[tuple[str, int]], hint: str = "") -> None:
        """Add a fault for every document, given by its name and line, whose name an earlier one has."""
        first: dict[str, int] = {}
        for name, line in documents:
            if name in first:
                what = f"document {name!r} already begins at line {first[name]}"
                self.add_fault(line, what, "every document once", hint, kind="document-twice")
            first.setdefault(name, line)

    def raise_faults(self) -> None:
        """Raise one InputError of all faults, by line; do nothing if there are none."""
        if self.faults:
            raise InputError(sorted(self.faults, key=lambda fault: fault.line or 0), unlisted=self.unlisted_faults)

    def limit_notices(self) -> tuple[Notice, ...]:
        """Return the notices, kind by kind; of more than a thousand of a kind, one notice counts those left out."""
        kinds: dict[str, list[Notice]] = {}
        for notice in self.notices:
            kinds.setdefault(notice.kind, []).append(notice)
        return tuple(
            notice
            for kind, found in kinds.items()
            for notice in make_notices(kind, len(found), lambda i, f=found: f[i])  # type: ignore[misc]
        )
