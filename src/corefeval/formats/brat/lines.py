"""The lines of a brat file, by kind: `T` marks text, `R` and `*` tie, `E` are events, `A`, `M`, `N` and `#` remark."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from corefeval.formats.shared import lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corefeval.corpus.mentions import Pieces
    from corefeval.formats.base import File
    from corefeval.formats.shared.diagnostics import Diagnostics

NAME_NOTE = "Entity"
"""The type of the note that names an entity; brat has no place for that."""

FLAG = "true"
"""The value of an attribute that has none."""


class TextBound(NamedTuple):
    """A `T` line: a label, and the first and last character of every part."""

    line: int
    label: str
    runs: Pieces


class Link(NamedTuple):
    """An `R` or a `*` line."""

    line: int
    name: str
    members: tuple[str, ...]


class Remark(NamedTuple):
    """An attribute, a normalisation or a note."""

    line: int
    name: str
    target: str
    value: str


class Annotations:
    """What a file says. `events` has the line and the trigger of each, `ids` the line of every id."""

    def __init__(self) -> None:
        self.text_bounds: dict[str, TextBound] = {}
        self.relations: list[Link] = []
        self.equivalences: list[Link] = []
        self.events: dict[str, tuple[int, str]] = {}
        self.remarks: list[Remark] = []
        self.names: list[Remark] = []
        self.ids: dict[str, int] = {}

    def mention(self, name: str) -> str:
        """The `T` that an id means; an event stands for its trigger. "" if there is none."""
        name = self.events[name][1] if name in self.events else name
        return name if name in self.text_bounds else ""


class _Line(NamedTuple):
    """A line's number, its id, and the columns behind it, "" for those that it lacks."""

    number: int
    name: str
    columns: Sequence[str]


class _Reader:
    def __init__(self, text: str | None, findings: Diagnostics) -> None:
        self.text, self.findings, self.found = text, findings, Annotations()

    def text_bound(self, line: _Line) -> None:
        label, offsets, said = line.columns
        runs = self._runs(line, offsets, said)
        if runs:
            self.found.text_bounds[line.name] = TextBound(line.number, label, runs)

    def relation(self, line: _Line) -> None:
        name, *members = line.columns
        self.found.relations.append(Link(line.number, name, tuple(members)))

    def equivalence(self, line: _Line) -> None:
        name, members = line.columns
        self.found.equivalences.append(Link(line.number, name, tuple(members.split())))

    def event(self, line: _Line) -> None:
        self.found.events[line.name] = line.number, line.columns[0]

    def attribute(self, line: _Line) -> None:
        name, target, value = line.columns
        self.found.remarks.append(Remark(line.number, name, target, value.strip() or FLAG))

    def note(self, line: _Line) -> None:
        kind = self.found.names if line.columns[0] == NAME_NOTE else self.found.remarks
        name, target, said = line.columns
        if said.strip():
            kind.append(Remark(line.number, name, target, said.strip()))

    def _runs(self, line: _Line, offsets: str, said: str) -> Pieces:
        """First and last character of every part; () with a fault if that cannot be."""
        parts = sorted((int(start), int(end)) for start, end in (part.split() for part in offsets.split(";")))
        name = line.name
        apart = all(a[1] <= b[0] for a, b in pairwise(parts))
        if not apart or not all(start < end for start, end in parts):
            what = f"{name} at {offsets} is empty or runs backwards"
            self.findings.add_fault(line.number, what, "START before END, and parts that do not overlap")
            return ()
        if self.text is None:
            return _joined(parts, lambda start, end: start == end)
        if parts[-1][1] > len(self.text):
            what = f"{name} at {offsets} is not within the {len(self.text)} characters of the text"
            hint = "is the .txt the one that was annotated?"
            self.findings.add_fault(line.number, what, hint=hint, kind="mention-outside")
            return ()
        marked = "".join("".join(self.text[start:end] for start, end in parts).split())
        # Further columns may follow the text, and the text may have tabs.
        column = said.partition("\t")[0]
        if said and marked not in ("".join(column.split()), "".join(said.split())):
            there = " ".join(self.text[start:end] for start, end in parts)
            message = f"{name} says {column[:60]!r}, but the text has {there[:60]!r} in its place"
            self.findings.add_notice("text-differs", line.number, message)
        text = self.text
        return _joined(parts, lambda start, end: not text[start:end].strip())


_OFFSETS = r"[0-9]{1,15} +[0-9]{1,15}"
_TAIL = r" *(?:\t.*)?"
_ATTRIBUTE = r"(\S+) +(\S+)(?: +([^\t]*))?(?:\t.*)?"
_KINDS: dict[str, tuple[re.Pattern[str], str, Callable[[_Reader, _Line], None]]] = {
    letter: (re.compile(pattern), expected, take)
    for letter, pattern, expected, take in (
        ("T", rf"(\S+) +({_OFFSETS}(?:;{_OFFSETS})*) *(?:\t(.*))?", "TYPE START END, a tab, the text",
         _Reader.text_bound),
        ("R", rf"(\S+) +[^\s:]+:(\S+) +[^\s:]+:(\S+){_TAIL}", "NAME Arg1:ID Arg2:ID", _Reader.relation),
        ("*", rf"(\S+)((?: +\S+)+){_TAIL}", "NAME ID ID ...", _Reader.equivalence),
        ("E", r"(?:[^\s:]+:(\S+))?.*", "TYPE:ID and what takes part in it", _Reader.event),
        ("A", _ATTRIBUTE, "NAME ID VALUE", _Reader.attribute),
        ("M", _ATTRIBUTE, "NAME ID", _Reader.attribute),
        ("N", rf"(\S+) +(\S+) +(\S+){_TAIL}", "Reference ID SOURCE:ENTRY", _Reader.attribute),
        ("#", r"(\S+) +(\S+) *(?:\t(.*))?", "AnnotatorNotes ID, a tab, the note", _Reader.note),
    )
}  # fmt: skip
_ID = re.compile(r"[TREAMN#][0-9]+\S*|\*")


def read(file: File, text: str | None, findings: Diagnostics) -> Annotations:
    """The lines of a file about a text, if that is known."""
    reader = _Reader(text, findings)
    for number, data in enumerate(lines.normalize_text(file.data, file.name).split(b"\n"), 1):
        try:
            line = data.decode("utf-8").rstrip("\r")
        except UnicodeDecodeError:
            findings.add_fault(number, "bytes that are not UTF-8", "UTF-8 text")
            continue
        if line.strip():
            _take(line, number, reader)
    events = reader.found.events
    if events:
        message = f"{len(events)} events are skipped; their triggers are mentions"
        findings.add_notice("skipped-line", min(events.values())[0], message, count=len(events))
    return reader.found


def _take(line: str, number: int, reader: _Reader) -> None:
    first, tab, content = line.partition("\t")
    name = first.strip()
    findings, ids = reader.findings, reader.found.ids
    known = bool(tab) and _ID.fullmatch(name) is not None
    pattern, expected, take = _KINDS[name[0] if known else "#"]
    match = pattern.fullmatch(content) if known else None
    if match is None and name.startswith("#"):
        findings.add_notice("skipped-line", number, f"{line[:40]!r} is skipped as a comment")
    elif match is None:
        what = f"{line[:40]!r} is not {f'written as {name[0]} lines are' if known else 'an annotation'}"
        findings.add_fault(
            number, what, f"{name}, a tab, {expected}" if known else "an id (T1, R1, *) and a tab behind it"
        )
    elif name in ids:
        findings.add_fault(number, f"{name} is there already, on line {ids[name]}", "every id once", kind="id-twice")
    else:
        if name != "*":
            ids[name] = number
        take(reader, _Line(number, name, [part or "" for part in match.groups()]))


def _joined(parts: Sequence[tuple[int, int]], touch: Callable[[int, int], bool]) -> Pieces:
    """Parts, with the ends behind them, as first and last characters; those that touch are one."""
    runs = [(parts[0][0], parts[0][1] - 1)]
    for start, end in parts[1:]:
        if touch(runs[-1][1] + 1, start):
            runs[-1] = runs[-1][0], end - 1
        else:
            runs.append((start, end - 1))
    return tuple(runs)
