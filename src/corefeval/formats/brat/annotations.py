"""The lines of an .ann file by kind: text-bound annotations, relations, events, attributes and notes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from corefeval._lazy import NamedTuple
from corefeval.corpus.mentions import Pieces, join_runs
from corefeval.formats.base import File
from corefeval.formats.shared import lines
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.notices import count_things

NAME_NOTE = "Entity"
"""The type of the note that names an entity; brat has no place for that."""

FLAG = "true"
"""The value of an attribute that has none."""

_NUMBERED_ID = r"[0-9]+\S*"
_ID = re.compile(rf"[TREAMN#]{_NUMBERED_ID}|\*")
_OFFSETS = r"[0-9]{1,15} +[0-9]{1,15}"
_TAIL = r" *(?:\t.*)?"
_ATTRIBUTE = r"(\S+) +(\S+)(?: +([^\t]*))?(?:\t.*)?"
_KINDS = {
    letter: (re.compile(rf"({re.escape(letter)}{'' if letter == '*' else _NUMBERED_ID})\t(?:{pattern})"), expected)
    for letter, pattern, expected in (
        ("T", rf"(\S+) +({_OFFSETS}(?:;{_OFFSETS})*) *(?:\t(.*))?", "TYPE START END, a tab, the text"),
        ("R", rf"(\S+) +[^\s:]+:(\S+) +[^\s:]+:(\S+){_TAIL}", "NAME Arg1:ID Arg2:ID"),
        ("*", rf"(\S+)((?: +\S+)+){_TAIL}", "NAME ID ID ..."),
        ("E", r"(?:[^\s:]+:(\S+))?.*", "TYPE:ID and its arguments"),
        ("A", _ATTRIBUTE, "NAME ID VALUE"),
        ("M", _ATTRIBUTE, "NAME ID"),
        ("N", rf"(\S+) +(\S+) +(\S+){_TAIL}", "Reference ID SOURCE:ENTRY"),
        ("#", r"(\S+) +(\S+) *(?:\t(.*))?", "AnnotatorNotes ID, a tab, the note"),
    )
}
"""For every kind of line, by its first letter: a pattern of all of it, and for messages what follows the id."""


class TextBound(NamedTuple):
    """A `T` line: a label, and the first and last character of every part."""

    line: int
    label: str
    runs: Pieces


class BratLink(NamedTuple):
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


class BratAnnotations:
    """The lines of a file by kind.

    text_bounds: the `T` lines by id.
    events: the line and the trigger of every event.
    remarks, names: attributes, normalisations and notes; and the notes that name entities.
    ids: the line of every id.
    """

    def __init__(self, text: str | None, diagnostics: Diagnostics) -> None:
        self.text, self.diagnostics = text, diagnostics
        self.text_bounds: dict[str, TextBound] = {}
        self.relations: list[BratLink] = []
        self.equivalences: list[BratLink] = []
        self.events: dict[str, tuple[int, str]] = {}
        self.remarks: list[Remark] = []
        self.names: list[Remark] = []
        self.ids: dict[str, int] = {}

    def find_mention(self, id: str) -> str:  # noqa: A002 - what brat calls it
        """Return the id of the `T` line that an id means; an event stands for its trigger. "" if there is none."""
        trigger = self.events[id][1] if id in self.events else id
        return trigger if trigger in self.text_bounds else ""

    def add_line(self, line: int, id: str, columns: Sequence[str]) -> None:  # noqa: A002 - what brat calls it
        """Add a line to those of its kind, by its id; columns: what follows, "" if missing; add faults and notices."""
        match id[0], columns:
            case "T", (label, offsets, text):
                if runs := self._parse_offsets(line, id, offsets, text):
                    self.text_bounds[id] = TextBound(line, label, runs)
            case "R", (name, *members):
                self.relations.append(BratLink(line, name, tuple(members)))
            case "*", (name, listed):
                self.equivalences.append(BratLink(line, name, tuple(listed.split())))
            case "E", (trigger,):
                self.events[id] = line, trigger
            case "#", (name, target, text):
                if text.strip():
                    notes = self.names if name == NAME_NOTE else self.remarks
                    notes.append(Remark(line, name, target, text.strip()))
            case _, (name, target, value):
                self.remarks.append(Remark(line, name, target, value.strip() or FLAG))

    def _parse_offsets(self, line: int, id: str, offsets: str, written: str) -> Pieces:  # noqa: A002
        """Return first and last character of every part; () with a fault if the offsets are impossible; add notices."""
        parts = [(int(start), int(end)) for start, end in map(str.split, offsets.split(";"))]
        parts.sort()
        before = 0
        for start, end in parts:
            if not before <= start < end:
                what = f"{id} at {offsets} is empty or runs backwards"
                self.diagnostics.add_fault(line, what, "START before END, and parts that do not overlap")
                return ()
            before = end
        text = self.text
        if text is not None and before > len(text):
            what = f"{id} at {offsets} is not within the {count_things(len(text), 'character')} of the text"
            hint = "is the .txt the one that was annotated?"
            self.diagnostics.add_fault(line, what, hint=hint, kind="mention-outside")
            return ()
        there = "" if text is None else " ".join([text[start:end] for start, end in parts])
        if text is not None and written and written != there:
            # Further columns may follow the text, and the text may have tabs.
            column = written.partition("\t")[0]
            if "".join(there.split()) not in ("".join(column.split()), "".join(written.split())):
                message = f"{id} is {column[:60]!r}, but the text has {there[:60]!r} in its place"
                self.diagnostics.add_notice("text-differs", line, message)
        runs = [(start, end - 1) for start, end in parts]
        if len(runs) == 1:
            return tuple(runs)
        return join_runs(runs) if text is None else join_runs(runs, lambda a, b: bool(text[a + 1 : b].strip()))


def read_annotations(file: File, text: str | None, diagnostics: Diagnostics) -> BratAnnotations:
    """Return the lines of a file by kind; text: what they are about, None if not known; add faults and notices."""
    annotations = BratAnnotations(text, diagnostics)
    ids = annotations.ids
    for number, line in enumerate(lines.decode_strictly(file.data, diagnostics).split("\n"), 1):
        pattern, _ = _KINDS.get(line[:1], _KINDS["#"])
        match = pattern.fullmatch(line) or _read_odd_line(line, number, diagnostics)
        if match is None:
            continue
        name, *columns = match.groups("")
        if name in ids:
            diagnostics.add_fault(number, f"{name} is already on line {ids[name]}", "every id once", kind="id-twice")
            continue
        if name != "*":
            ids[name] = number
        annotations.add_line(number, name, columns)
    if annotations.events:
        fate = "is skipped; its trigger is a mention", "are skipped; their triggers are mentions"
        message = count_things(len(annotations.events), "event", *fate)
        line_of_first = min(annotations.events.values())[0]
        diagnostics.add_notice("skipped-line", line_of_first, message, count=len(annotations.events))
    return annotations


def _read_odd_line(line: str, number: int, diagnostics: Diagnostics) -> re.Match[str] | None:
    """Return the match of a line with blanks around its id; None for others, with a fault or a notice if not blank."""
    first, tab, content = line.partition("\t")
    name = first.strip()
    known = bool(tab) and _ID.fullmatch(name) is not None
    pattern, expected = _KINDS[name[0] if known else "#"]
    match = pattern.fullmatch(f"{name}\t{content}") if known else None
    if match is None and name.startswith("#"):
        diagnostics.add_notice("skipped-line", number, f"{line[:40]!r} is skipped as a comment")
    elif match is None and line.strip():
        what = f"{line[:40]!r} is not {f'written as {name[0]} lines are' if known else 'an annotation'}"
        expected = f"{name}, a tab, {expected}" if known else "an id (T1, R1, *) and a tab after it"
        diagnostics.add_fault(number, what, expected)
    return match
