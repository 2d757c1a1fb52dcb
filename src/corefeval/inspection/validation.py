"""What is wrong with a file: faults that keep it from being read, and what a reader would stumble over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from os import PathLike

import numpy as np

from corefeval import formats
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Spans, number_mentions
from corefeval.errors import InputError, MissingFileError
from corefeval.matching.documents import pair_documents
from corefeval.notices import Notice
from corefeval.scoring.score import Source, read
from corefeval.tables.result import Result
from corefeval.tables.table import Table
from corefeval.tables.writers import collect_columns

EXAMPLES = 20
"""How many problems of a kind are shown, unless more are asked for."""
_NO_PROBLEM = frozenset({"other-name", "two-fields", "names-by-order", "other-elements"})  # how a file was understood
_RARE = 0.01  # singletons that are rarer than this are slips: corpora with them have them by the dozen
_ENOUGH = 50


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong. `kind` is for programs; `message` has everything but the place."""

    kind: str
    file: str
    line: int | None
    message: str

    def __str__(self) -> str:
        """Return "FILE:LINE: message", or "FILE: message" if the line is not known."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.message}"


@dataclass(frozen=True, slots=True)
class FileProblems:
    """What is wrong with a file; `more` says how many problems are not listed."""

    file: str
    format: str
    problems: tuple[Problem, ...]
    more: int = 0

    @property
    def counts(self) -> dict[str, int]:
        """How many problems there are of each kind, the most frequent first."""
        return dict(Counter(problem.kind for problem in self.problems).most_common())

    def list_lines(self, most: int | None) -> Iterator[str]:
        """Yield lines: how many problems, then kind by kind how many, and `most` of them (None: all)."""
        read = f" (read as {self.format})" if self.format else ""
        if not self.problems:
            yield f"{self.file}: nothing wrong{read}"
            return
        count = len(self.problems) + self.more
        yield f"{self.file}: {count} problem{'s' if count > 1 else ''}{read}"
        for kind, times in self.counts.items():
            yield f"  {kind}: {times}"
            shown = [problem for problem in self.problems if problem.kind == kind][:most]
            yield from (f"    {problem}" for problem in shown)
            if len(shown) < times:
                yield f"    and {times - len(shown)} more (-v shows them)"
        if self.more:
            yield f"  and {self.more} more that are not listed"


@dataclass(frozen=True, slots=True)
class Validation(Result):
    """What is wrong with files, file by file."""

    files: tuple[FileProblems, ...]

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The problems of all files."""
        return tuple(problem for each in self.files for problem in each.problems)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The problems of all files as notices."""
        return tuple(Notice(each.kind, str(each), source=each.file, line=each.line) for each in self.problems)

    def tables(self, *, examples: int | None = None) -> Iterator[Table]:
        """Yield one table with a row for each problem, `examples` at most of a kind and file (None: all)."""
        body = [
            [each.file, str(each.line or ""), each.kind, each.message]
            for file in self.files
            for kind in file.counts
            for each in [problem for problem in file.problems if problem.kind == kind][:examples]
        ]
        yield Table("", ["file", "line", "kind", "problem"], body, 4)

    def text_tables(self, *, examples: int | None = EXAMPLES) -> Iterator[Table]:
        """Yield one table without columns: the lines of all files, `examples` problems of each kind (None: all)."""
        yield Table("", (), [[line] for file in self.files for line in file.list_lines(examples)], 1)

    def build_columns(self) -> dict[str, list[object]]:
        """Return columns with a row for each problem."""
        rows = [(each.file, each.line, each.kind, each.message) for each in self.problems]
        return collect_columns(("file", "line", "kind", "message"), rows)

    def build_content(self) -> dict[str, object]:
        """Return every file's format and problems as plain objects for JSON."""
        return {
            "files": [
                {
                    "file": each.file,
                    "format": each.format,
                    "counts": each.counts,
                    "problems": [asdict(problem) for problem in each.problems],
                    "more": each.more,
                }
                for each in self.files
            ]
        }


def validate(
    *sources: str | PathLike[str],
    key: Source | None = None,
    format: str | None = None,  # noqa: A002 - the name that users expect
    key_format: str | None = None,
) -> Validation:
    """Return everything that is wrong with files; with a key, also what makes them unfit as responses to it.

    format, key_format: of the files and of the key, where they are not recognised.
    """
    corpus = None if key is None else read(key, key_format)
    return Validation(tuple(_find_file_problems(str(source), corpus, format) for source in sources))


def _find_file_problems(name: str, key: Corpus | None, format_: str | None) -> FileProblems:
    """Return the problems of a file, or why it cannot be read; with a key, also what makes it unfit as a response."""
    try:
        corpus = formats.read(name, format_)
    except InputError as error:
        faults = [(fault, str(fault._replace(source="", line=None))) for fault in error.faults]
        problems = tuple(Problem(fault.kind, fault.source, fault.line, message) for fault, message in faults)
        return FileProblems(name, "", problems, error.more)
    except MissingFileError as error:
        return FileProblems(name, "", (Problem("missing-file", name, None, str(error).removeprefix(f"{name}: ")),))
    listed = [*_convert_notices(corpus.notices, name), *_find_repeats(corpus), *_find_crossing(corpus)]
    single = int(np.count_nonzero(corpus.sizes == 1))
    if len(corpus.sizes) >= _ENOUGH and single < _RARE * len(corpus.sizes):
        share = f"{single} of {len(corpus.sizes)} entities are singletons: the corpus seems to be without them"
        listed += _find_singletons(corpus, share)
    if key is not None:
        listed += _convert_notices(pair_documents(key, corpus).notices, name)
        if len(key.sizes) and not (key.sizes == 1).any():
            listed += _find_singletons(corpus, "the key has no singletons")
    more = sum(int(str(notice.details.get("more", 0))) for notice in corpus.notices)
    ordered = sorted(dict.fromkeys(listed), key=lambda each: (each.line or 0, each.kind))
    return FileProblems(name, corpus.format, tuple(ordered), more)


def _convert_notices(notices: Iterable[Notice], file: str) -> Iterator[Problem]:
    """Yield a problem for each notice, but for those that only say how a file was understood."""
    for notice in notices:
        if notice.kind in _NO_PROBLEM or "more" in notice.details:
            continue
        place = notice.source if notice.line is None else f"{notice.source}:{notice.line}"
        yield Problem(notice.kind, notice.source or file, notice.line, notice.message.removeprefix(f"{place}: "))


def _find_repeats(corpus: Corpus) -> Iterator[Problem]:
    """Yield a problem for each mention that is in two entities, or twice in one."""
    number, _ = number_mentions(corpus.mentions, corpus.mentions, corpus.document, corpus.document)
    order = np.argsort(number, kind="stable")
    again = np.flatnonzero(np.append(False, number[order][1:] == number[order][:-1]))
    for place in again.tolist():
        row, first = int(order[place]), int(order[place - 1])
        here, there = corpus.get_entity_name(row), corpus.get_entity_name(first)
        if corpus.entity[row] == corpus.entity[first]:
            yield _make_problem(corpus, row, "mention-twice", f"is twice in entity {here}")
        else:
            yield _make_problem(corpus, row, "mention-in-two-entities", f"is in entities {there} and {here}")


def _find_crossing(corpus: Corpus) -> Iterator[Problem]:
    """Yield a problem for each mention that crosses another of its entity; nothing where mentions are labels."""
    if isinstance(corpus.mentions, Spans):
        for row in np.flatnonzero(corpus.mentions.find_crossing(corpus.entity)).tolist():
            what = f"crosses another mention of entity {corpus.get_entity_name(row)}"
            yield _make_problem(corpus, row, "crossing-mentions", what)


def _find_singletons(corpus: Corpus, why: str) -> Iterator[Problem]:
    """Yield a problem for each singleton, with this reason why it is one."""
    order, start = corpus.by_entity
    for row in order[start[np.flatnonzero(corpus.sizes == 1)]].tolist():
        what = f"is the only mention of entity {corpus.get_entity_name(row)}; {why}"
        yield _make_problem(corpus, row, "singleton", what)


def _make_problem(corpus: Corpus, row: int, kind: str, what: str) -> Problem:
    """Return a problem with the place of a mention and, in its message, the mention's words before `what`."""
    document = int(corpus.document[row])
    where = f" (document {corpus.documents[document]!r})" if corpus.line(row) is None else ""
    return Problem(kind, corpus.file(document), corpus.line(row), f"{corpus.describe(row)} {what}{where}")
