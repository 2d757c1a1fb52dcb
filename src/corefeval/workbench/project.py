"""A project: one SQLite file with the texts, every side as it was at the start, and a log with every edit since.

What is there now is the start with all changes of the log applied in turn. An edit is confirmed when its row is on the
disk. Several processes may work on one file: each reads the rows of the others before it writes its own.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from corefeval import __version__
from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.errors import Fault, InputError, OptionError, OutputError, suggest_names
from corefeval.workbench.annotations import (
    Annotation,
    Content,
    dump_annotation,
    dump_content,
    join_documents,
    load_annotation,
    load_content,
)
from corefeval.workbench.edits import (
    Change,
    Edit,
    EditConflictError,
    EditError,
    apply_change,
    dump_change,
    load_change,
    plan_edit,
)

SUFFIX = ".corefeval"
VERSION = 2
_APPLICATION = 0x636F7265  # "core", by which SQLite files can be told apart
_SCHEMA = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE contents (place INTEGER PRIMARY KEY, content TEXT NOT NULL) STRICT;
CREATE TABLE sides (place INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, source TEXT NOT NULL,
                    annotations TEXT NOT NULL) STRICT;
CREATE TABLE log (revision INTEGER PRIMARY KEY, author TEXT NOT NULL, time TEXT NOT NULL, side TEXT NOT NULL,
                  document INTEGER NOT NULL, kind TEXT NOT NULL, edit TEXT NOT NULL, change TEXT NOT NULL,
                  undoes INTEGER) STRICT;
"""
LONGEST_SIDE_NAME = 80


class StartingSide(NamedTuple):
    """A side as it comes from a file: an annotation for each document."""

    annotations: Sequence[Annotation]
    source: str = ""


class LogEntry(NamedTuple):
    """One row of the log. `undoes`: the revision that it takes back, where it is an undo or a redo."""

    revision: int
    author: str
    time: str
    side: str
    document: int
    kind: str
    edit: Mapping[str, Any]
    change: Change
    undoes: int | None = None

    def describe(self) -> dict[str, Any]:
        """Return the entry as plain objects for JSON."""
        return self._asdict() | {"change": dump_change(self.change)}


@dataclass(slots=True)
class _AuthorStacks:
    """What an author can take back and do again, the latest last."""

    undo: list[LogEntry] = field(default_factory=list)
    redo: list[LogEntry] = field(default_factory=list)


class Project:
    """An open project. Its methods may be called from several threads."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._connection = _connect(path)
        try:
            facts = dict(self._connection.execute("SELECT name, value FROM facts"))
            rows = self._connection.execute("SELECT content FROM contents ORDER BY place")
            self.contents: list[Content] = [load_content(json.loads(content)) for (content,) in rows]
            if int(facts["version"]) != VERSION:
                raise InputError(Fault(path, f"a project of version {facts['version']}", f"version {VERSION}"))
        except (sqlite3.DatabaseError, KeyError, ValueError) as error:
            self._connection.close()
            if isinstance(error, InputError):
                raise
            raise InputError(Fault(path, f"not a project of the workbench ({error})", f"a file of *{SUFFIX}")) from None
        self.title: str = facts["title"]
        self.notices: list[str] = json.loads(facts["notices"])
        self.sides: dict[str, StartingSide] = {}
        self.annotations: dict[tuple[str, int], Annotation] = {}
        self.before: dict[tuple[str, int], tuple[int, Annotation]] = {}
        self.entries: list[LogEntry] = []
        self._stacks: dict[str, _AuthorStacks] = {}
        self.refresh()

    @classmethod
    def create(
        cls,
        path: str,
        title: str,
        contents: Sequence[Content],
        sides: Mapping[str, StartingSide],
        notices: Sequence[str] = (),
    ) -> Project:
        """Make a project file, whole or not at all, and return it open; OutputError if a project is there already."""
        try:
            connection = _connect(path, create=True)
        except sqlite3.Error as error:
            raise OutputError(f"{path}: cannot be written ({error})") from None
        with contextlib.closing(connection), _transaction(connection):
            if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                raise OutputError(f"{path}: is there already")
            for statement in _SCHEMA.split(";\n"):
                connection.execute(statement)
            facts = {"version": str(VERSION), "corefeval": __version__, "title": title, "made": _tell_time()}
            facts["notices"] = json.dumps(list(notices))
            connection.executemany("INSERT INTO facts VALUES (?, ?)", facts.items())
            texts = [(place, _write_json(dump_content(content))) for place, content in enumerate(contents)]
            connection.executemany("INSERT INTO contents VALUES (?, ?)", texts)
            for name, side in sides.items():
                _insert_side(connection, name, side)
        return cls(path)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    @property
    def revision(self) -> int:
        """The number of the last edit; 0 at the start."""
        return self.entries[-1].revision if self.entries else 0

    def refresh(self) -> None:
        """Read what other processes have written since."""
        with self._lock:
            rows = self._connection.execute(
                "SELECT name, source, annotations FROM sides WHERE place >= ? ORDER BY place",
                (len(self.sides),),
            )
            for name, source, annotations in rows.fetchall():
                side = StartingSide([load_annotation(each) for each in json.loads(annotations)], source)
                self.sides[name] = side
                for document, annotation in enumerate(side.annotations):
                    self.annotations[name, document] = annotation
            found = self._connection.execute("SELECT * FROM log WHERE revision > ? ORDER BY revision", (self.revision,))
            for row in found.fetchall():
                entry = _load_entry(row)
                self._add_entry(entry, apply_change(self.annotations[entry.side, entry.document], entry.change))

    def get_annotation(self, side: str, document: int) -> Annotation:
        """Return one side of a document as it is now; EditError if there is no such side or document."""
        if (side, document) not in self.annotations:
            if side not in self.sides:
                raise EditError(
                    f"there is no side {side[:LONGEST_SIDE_NAME]!r}; {suggest_names(side[:80], list(self.sides))}"
                )
            raise EditError(f"there is no document number {document}; there are {len(self.contents)}")
        return self.annotations[side, document]

    def get_annotation_before(self, sides: Sequence[str], document: int) -> list[Annotation]:
        """Return sides of a document as they were before the last edit of one of them; as they are if there is none."""
        latest = max(sides, key=lambda side: self.before.get((side, document), (0,))[0])
        return [
            self.before[side, document][1]
            if side == latest and (side, document) in self.before
            else self.get_annotation(side, document)
            for side in sides
        ]

    def plan(self, side: str, document: int, edit: Edit) -> Change:
        """Return what an edit would change now."""
        annotation = self.get_annotation(side, document)
        return plan_edit(self.contents[document], annotation, edit)

    def make_edit(self, author: str, side: str, document: int, edit: Edit, revision: int | None = None) -> LogEntry:
        """Make an edit, write it to the log, and return its row.

        revision: the last one that its author has seen. EditConflictError if an edit since then has touched any of the
        mentions and entities that this one touches.
        """
        with self._writing():
            change = self.plan(side, document, edit)
            self._check_conflicts(side, document, change, revision)
            return self._write_entry(author, side, document, str(edit["kind"]), edit, change)

    def make_change(
        self, author: str, side: str, document: int, kind: str, edit: Edit, change: Change, revision: int | None = None
    ) -> LogEntry:
        """Write a change that was planned elsewhere, such as a resolver's answer, to the log, and return its row."""
        with self._writing():
            self.get_annotation(side, document)
            self._check_conflicts(side, document, change, revision)
            return self._write_entry(author, side, document, kind, edit, change)

    def undo(self, author: str, *, skip: bool = False) -> LogEntry | None:
        """Take back the author's last edit and return the new row; None if there is none.

        EditConflictError if what it touched has been edited since; `skip` passes over it then, and changes nothing.
        """
        return self._turn_back(author, "undo", skip=skip)

    def redo(self, author: str, *, skip: bool = False) -> LogEntry | None:
        """Make the edit again that the author has taken back last, and return the new row; None if there is none."""
        return self._turn_back(author, "redo", skip=skip)

    def count_turns(self, author: str) -> tuple[int, int]:
        """Return how many edits an author can undo, and how many redo."""
        stacks = self._stacks.get(author, _AuthorStacks())
        return len(stacks.undo), len(stacks.redo)

    def add_side(self, name: str, side: StartingSide | None = None) -> None:
        """Add a side, by default without mentions; EditError if the name is taken or not possible."""
        if not 0 < len(name.strip()) <= LONGEST_SIDE_NAME or not name.isprintable():
            raise EditError(f"name: expected printable text of 1 to {LONGEST_SIDE_NAME} characters")
        with self._writing():
            if name in self.sides:
                raise EditConflictError(f"there is a side {name!r} already", [])
            _insert_side(self._connection, name, side or StartingSide([Annotation()] * len(self.contents)))
        self.refresh()

    def build_corpus(self, side: str) -> Corpus:
        """Return a side of all documents as a corpus that can be written."""
        self.get_annotation(side, 0)
        annotations = [self.annotations[side, document] for document in range(len(self.contents))]
        return join_documents(self.contents, annotations, self.sides[side].source or side)

    def export_start(self) -> dict[str, Any]:
        """Return all sides as they were at the start, the document that `export_patch` patches."""
        return {
            "sides": {
                name: {
                    content.name: dump_annotation(annotation)
                    for content, annotation in zip(self.contents, side.annotations, strict=True)
                }
                for name, side in self.sides.items()
            }
        }

    def export_patch(self, since: int = 0) -> list[dict[str, Any]]:
        """Return the log from a revision on as one JSON patch (RFC 6902)."""
        return [
            operation for entry in self.entries if entry.revision > since for operation in self._list_operations(entry)
        ]

    def _list_operations(self, entry: LogEntry) -> Iterator[dict[str, Any]]:
        """Yield the operations of a JSON patch that do what an entry did."""
        steps = entry.side, self.contents[entry.document].name
        path = "/".join(("/sides", *map(escape_pointer, steps)))
        for part, states in dump_change(entry.change).items():
            for key, (before, after) in states.items():
                name = "remove" if after is None else "add" if before is None else "replace"
                value = {} if after is None else {"value": after}
                yield {"op": name, "path": f"{path}/{part}/{key}"} | value

    def _turn_back(self, author: str, kind: str, *, skip: bool) -> LogEntry | None:
        """Apply the inverse of the last entry of one of an author's stacks, write it, and return it; None if empty."""
        with self._writing():
            stack: list[LogEntry] = getattr(self._stacks.get(author, _AuthorStacks()), kind)
            if not stack:
                return None
            last = stack[-1]
            change = Change() if skip else last.change.invert()
            return self._write_entry(author, last.side, last.document, kind, {"kind": kind}, change, last.revision)

    def _check_conflicts(self, side: str, document: int, change: Change, revision: int | None) -> None:
        """Raise an EditConflictError if an entry after a revision touches what a change touches."""
        if revision is None or revision >= self.revision:
            return
        touched = change.list_touched()
        for entry in reversed(self.entries):
            if entry.revision <= revision:
                break
            common = touched & entry.change.list_touched()
            if (entry.side, entry.document) == (side, document) and common:
                raise EditConflictError(f"{entry.author} has edited these since (revision {entry.revision})", common)

    def _write_entry(
        self, author: str, side: str, document: int, kind: str, edit: Edit, change: Change, undoes: int | None = None
    ) -> LogEntry:
        """Append a row to the log, within a transaction, and apply it once that is done."""
        after = apply_change(self.annotations[side, document], change)
        entry = LogEntry(self.revision + 1, author, _tell_time(), side, document, kind, dict(edit), change, undoes)
        row = entry._replace(edit=_write_json(entry.edit), change=_write_json(dump_change(change)))  # type: ignore[arg-type]
        self._connection.execute("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        self._connection.execute("COMMIT")  # from here on it is confirmed
        self._add_entry(entry, after)
        return entry

    def _add_entry(self, entry: LogEntry, after: Annotation) -> None:
        """Take an entry that is in the file into memory: the log, what is there now, and its author's stacks."""
        place = entry.side, entry.document
        self.before[place] = entry.revision, self.annotations[place]  # for the change since the last edit
        self.annotations[place] = after
        self.entries.append(entry)
        stacks = self._stacks.setdefault(entry.author, _AuthorStacks())
        if entry.kind == "undo":
            stacks.undo.pop()
            stacks.redo.append(entry)
        elif entry.kind == "redo":
            stacks.redo.pop()
            stacks.undo.append(entry)
        else:
            stacks.undo.append(entry)
            stacks.redo.clear()

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """Hold the file for writing, with all that others have written read before."""
        with self._lock, _transaction(self._connection):
            self.refresh()
            yield


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Begin a transaction, and commit it at the end, unless that is done; roll it back after an error."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        if connection.in_transaction:
            connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _connect(path: str, *, create: bool = False) -> sqlite3.Connection:
    """Return a connection that writes ahead (WAL) and waits for the disk before it confirms; InputError if none is."""
    if not create and not Path(path).is_file():
        raise InputError(Fault(path, "no such project"))
    connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        if create:
            connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    except sqlite3.DatabaseError as error:
        connection.close()
        raise InputError(Fault(path, f"not a project of the workbench ({error})", f"a file of *{SUFFIX}")) from None
    return connection


def _insert_side(connection: sqlite3.Connection, name: str, side: StartingSide) -> None:
    """Write a side as it is at the start, behind those that are there."""
    place = connection.execute("SELECT count(*) FROM sides").fetchone()[0]
    annotations = [dump_annotation(annotation) for annotation in side.annotations]
    row = (place, name, side.source, _write_json(annotations))
    connection.execute("INSERT INTO sides VALUES (?, ?, ?, ?)", row)


def _load_entry(row: tuple[Any, ...]) -> LogEntry:
    """Return the entry of a row of the log."""
    entry = LogEntry(*row)
    return entry._replace(edit=json.loads(row[6]), change=load_change(json.loads(row[7])))


def _write_json(value: object) -> str:
    """Return a value as JSON text without needless blanks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace").decode()


def _tell_time() -> str:
    """Return the time now, in UTC, as ISO 8601 has it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def escape_pointer(name: str) -> str:
    """Return a name as a step of a JSON pointer (RFC 6901).

    >>> escape_pointer("a/b~c")
    'a~1b~0c'
    """
    return name.replace("~", "~0").replace("/", "~1")


def choose_path(folder: str, name: str) -> str:
    """Return the path of the project of a name in a folder; OptionError if the name is no plain file name."""
    plain = name.removesuffix(SUFFIX)
    if not plain or len(plain) > 100 or not plain.isprintable() or set(plain) & set('/\\:*?"<>|') or plain[0] == ".":
        raise OptionError("a project's name is a plain file name of at most 100 characters")
    return str(Path(folder) / (plain + SUFFIX))
