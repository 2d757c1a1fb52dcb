"""What is wrong with a file: faults that keep it from being read, and what a reader would stumble over."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from os import PathLike

import numpy as np

from corefeval import formats
from corefeval._arrays import Ints
from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Spans, number_mentions
from corefeval.errors import InputError, MissingFileError
from corefeval.matching.documents import pair_documents
from corefeval.notices import Notice, count_part
from corefeval.scoring.score import Source, read
from corefeval.tables.result import Result
from corefeval.tables.table import Table
from corefeval.tables.writers import collect_columns

MOST_LISTED = 10_000
"""How many odd mentions of a kind and file are listed; all are counted."""
EXAMPLES = 20
"""How many problems of a kind are shown, unless more are asked for."""
GRADES = ("error", "warning", "info")
"""Errors keep a file from being used; warnings may be mistakes; infos say how a file was understood."""

_INFO = frozenset(
    {
        "blank-kept",
        "broken-plugin",
        "closure",
        "crossed-sentence",
        "guessed-kind",
        "joined-id",
        "left-out-span",
        "names-by-order",
        "no-declaration",
        "no-dependencies",
        "other-elements",
        "other-field",
        "other-name",
        "paired-by-order",
        "skipped-file",
        "spanning-entities",
        "two-fields",
        "unknown-words",
    }
)
_RARE = 0.01  # singletons that are rarer than this are slips: corpora with them have them by the dozen
_ENOUGH = 50


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong or worth knowing. `kind` is for programs; `message` has everything but the place."""

    grade: str
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
    """What is wrong with a file: problems by file, line, grade, kind and message.

    unlisted: how many problems of a grade and kind are counted and not listed, since there are too many.
    """

    file: str
    format: str
    problems: tuple[Problem, ...]
    unlisted: Mapping[tuple[str, str], int] = field(default_factory=dict)

    @property
    def counts(self) -> dict[str, int]:
        """{kind: number of problems}: errors first, then warnings, then infos; the most frequent first of each."""
        counts: Counter[str] = Counter()
        for (_, kind), times in self._count_by_grade():
            counts[kind] += times
        return dict(counts)

    @property
    def grades(self) -> dict[str, int]:
        """{grade: number of problems} for error, warning and info, 0 included."""
        counts = dict.fromkeys(GRADES, 0)
        for (grade, _), times in self._count_by_grade():
            counts[grade] += times
        return counts

    def _count_by_grade(self) -> list[tuple[tuple[str, str], int]]:
        """Return a list of ((grade, kind), number of problems), by grade, then the most frequent first."""
        counts = Counter((problem.grade, problem.kind) for problem in self.problems) + Counter(self.unlisted)
        return sorted(counts.items(), key=lambda each: (GRADES.index(each[0][0]), -each[1], each[0][1]))

    def group_problems(self, most: int | None = None) -> Iterator[tuple[str, str, int, list[Problem]]]:
        """Yield for each kind: grade, kind, number of problems, list of the first `most` (None: all listed ones)."""
        groups: defaultdict[tuple[str, str], list[Problem]] = defaultdict(list)
        for problem in self.problems:
            groups[problem.grade, problem.kind].append(problem)
        for (grade, kind), times in self._count_by_grade():
            yield grade, kind, times, groups[grade, kind][:most]

    def list_lines(self, most: int | None) -> Iterator[str]:
        """Yield lines of text: how many problems, then kind by kind how many, and the first `most` (None: all)."""
        read = f" (read as {self.format})" if self.format else ""
        shown = [
            f"{times} {grade}{'s' if times > 1 and grade != 'info' else ''}"
            for grade, times in self.grades.items()
            if times
        ]
        yield f"{self.file}: {', '.join(shown) or 'nothing wrong'}{read}"
        for grade, kind, times, problems in self.group_problems(most):
            yield f"  {grade}: {kind}: {times}"
            yield from (f"    {problem}" for problem in problems)
            left = self.unlisted.get((grade, kind), 0)
            hidden = times - left - len(problems)
            if hidden:
                yield f"    and {hidden} more (-v shows them)"
            if left:
                yield f"    and {left} that {'is' if left == 1 else 'are'} not listed"


@dataclass(frozen=True, slots=True)
class Validation(Result):
    """What is wrong with files, file by file."""

    files: tuple[FileProblems, ...]

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The listed problems of all files, file by file."""
        return tuple(problem for each in self.files for problem in each.problems)

    @property
    def grades(self) -> dict[str, int]:
        """{grade: number of problems of all files} for error, warning and info."""
        return {grade: sum(each.grades[grade] for each in self.files) for grade in GRADES}

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The problems of all files as notices."""
        return tuple(
            Notice(each.kind, str(each), {"grade": each.grade}, source=each.file, line=each.line)
            for each in self.problems
        )

    @property
    def shown_notices(self) -> tuple[Notice, ...]:
        """An empty tuple, since the tables list the problems."""
        return ()

    def tables(self, *, examples: int | None = None) -> Iterator[Table]:
        """Yield one table with a row for each problem, `examples` at most of a kind and file (None: all)."""
        body = [
            [each.file, str(each.line or ""), each.grade, each.kind, each.message]
            for file in self.files
            for _, _, _, problems in file.group_problems(examples)
            for each in problems
        ]
        yield Table("", ["file", "line", "grade", "kind", "problem"], body, 5)

    def text_tables(self, *, examples: int | None = EXAMPLES) -> Iterator[Table]:
        """Yield one table without columns: the lines of all files, `examples` problems of each kind (None: all)."""
        yield Table("", (), [[line] for file in self.files for line in file.list_lines(examples)], 1)

    def build_columns(self) -> dict[str, list[object]]:
        """Return {name: column} with a row for each problem: file, line, grade, kind, message."""
        rows = [(each.file, each.line, each.grade, each.kind, each.message) for each in self.problems]
        return collect_columns(("file", "line", "grade", "kind", "message"), rows)

    def build_content(self) -> dict[str, object]:
        """Return every file's format, counts and problems as plain objects for JSON."""
        return {
            "files": [
                {
                    "file": each.file,
                    "format": each.format,
                    "grades": each.grades,
                    "counts": each.counts,
                    "problems": [asdict(problem) for problem in each.problems],
                    "unlisted": [
                        {"grade": grade, "kind": kind, "count": count}
                        for (grade, kind), count in sorted(each.unlisted.items())
                    ],
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
    """Return a Validation: what is wrong with each file, or keeps it from being read; with a key, as responses, too.

    format, key_format: of the files and of the key, where they are not recognised.
    """
    corpus = None if key is None else read(key, key_format, side="key")
    return Validation(tuple(_find_file_problems(str(source), corpus, format) for source in sources))


def _find_file_problems(name: str, key: Corpus | None, format_: str | None) -> FileProblems:
    """Return the FileProblems of a file, or the faults that keep it from being read; with a key, as a response, too."""
    read_as = ""
    unlisted: Counter[tuple[str, str]] = Counter()
    try:
        corpus = formats.read(name, format_, side="" if key is None else "response")
        read_as = corpus.format
        listed = []
        for odd in _find_odd_mentions(corpus, key):
            listed += [
                _make_problem(corpus, row, odd.kind, odd.describe(row)) for row in odd.rows[:MOST_LISTED].tolist()
            ]
            unlisted[_grade_kind(odd.kind), odd.kind] += max(0, len(odd.rows) - MOST_LISTED)
        notices = corpus.notices if key is None else (*corpus.notices, *pair_documents(key, corpus).notices)
        listed += _convert_notices(notices, name)
        for notice in notices:
            unlisted[_grade_kind(notice.kind), notice.kind] += int(str(notice.details.get("more", 0)))
    except InputError as error:
        listed = [
            Problem("error", each.kind, each.source or name, each.line, str(each._replace(source="", line=None)))
            for each in error.faults
        ]
        unlisted = Counter({("error", kind): times for kind, times in error.unlisted.items()})
    except MissingFileError as error:
        listed = [Problem("error", "missing-file", name, None, str(error).removeprefix(f"{name}: "))]
    ordered = sorted(
        listed, key=lambda each: (each.file, each.line or 0, GRADES.index(each.grade), each.kind, each.message)
    )
    return FileProblems(name, read_as, tuple(ordered), +unlisted)


class _OddMentions(NamedTuple):
    """Mentions of one kind of problem: their rows, and what to say of the one in a row."""

    kind: str
    rows: Ints
    describe: Callable[[int], str]


def _find_odd_mentions(corpus: Corpus, key: Corpus | None) -> Iterator[_OddMentions]:
    """Yield groups of odd mentions: repeated, crossing and, if singletons are rare, or the key has none, singletons."""
    yield from _find_repeats(corpus)
    yield from _find_crossing(corpus)
    single = int(np.count_nonzero(corpus.sizes == 1))
    if key is not None and len(key.sizes) and not (key.sizes == 1).any():
        yield _find_singletons(corpus, "the key has no singletons")
    elif len(corpus.sizes) >= _ENOUGH and single < _RARE * len(corpus.sizes):
        some = count_part(single, len(corpus.sizes), "entity", "is a singleton", "are singletons")
        yield _find_singletons(corpus, f"{some}: the corpus seems to be without them")


def _grade_kind(kind: str) -> str:
    """Return "info" or "warning" for a kind of notice or odd mention; errors are faults of reading, graded there."""
    return "info" if kind in _INFO else "warning"


def _convert_notices(notices: Iterable[Notice], file: str) -> Iterator[Problem]:
    """Yield a Problem for each notice, but for those that only say how many more there are; `file` if it names none."""
    for notice in notices:
        if "more" in notice.details:
            continue
        place = notice.source if notice.line is None else f"{notice.source}:{notice.line}"
        message = notice.message.removeprefix(f"{place}: ")
        yield Problem(_grade_kind(notice.kind), notice.kind, notice.source or file, notice.line, message)


def _find_repeats(corpus: Corpus) -> Iterator[_OddMentions]:
    """Yield two groups, maybe empty: mentions that their entity has already, and those that another one has already."""
    number, _ = number_mentions(corpus.mentions, corpus.mentions, corpus.document, corpus.document)
    order = np.argsort(number, kind="stable")
    again = np.flatnonzero(number[order][1:] == number[order][:-1]) + 1
    before = np.full(len(number), -1, dtype=np.int64)
    before[order[again]] = order[again - 1]  # the row before that has the same mention
    in_one = corpus.entity == corpus.entity[before]
    yield _OddMentions(
        "mention-twice",
        np.flatnonzero((before >= 0) & in_one),
        lambda row: f"is twice in entity {corpus.get_entity_name(row)}",
    )
    yield _OddMentions(
        "mention-in-two-entities",
        np.flatnonzero((before >= 0) & ~in_one),
        lambda row: f"is in entities {corpus.get_entity_name(int(before[row]))} and {corpus.get_entity_name(row)}",
    )


def _find_crossing(corpus: Corpus) -> Iterator[_OddMentions]:
    """Yield one group, maybe empty: mentions that cross an earlier one of their entity; no group for labels."""
    if isinstance(corpus.mentions, Spans):
        yield _OddMentions(
            "crossing-mentions",
            np.flatnonzero(corpus.mentions.find_crossing(corpus.entity)),
            lambda row: f"crosses another mention of entity {corpus.get_entity_name(row)}",
        )


def _find_singletons(corpus: Corpus, why: str) -> _OddMentions:
    """Return the group of mentions that are alone in their entity; `why` ends the sentence about each."""
    order, start = corpus.by_entity
    return _OddMentions(
        "singleton",
        order[start[np.flatnonzero(corpus.sizes == 1)]],
        lambda row: f"is the only mention of entity {corpus.get_entity_name(row)}; {why}",
    )


def _make_problem(corpus: Corpus, row: int, kind: str, what: str) -> Problem:
    """Return the Problem of the mention in a row: its place, and as message its words, then `what` is wrong."""
    document = int(corpus.document[row])
    where = f" (document {corpus.documents[document]!r})" if corpus.line(row) is None else ""
    message = f"{corpus.describe(row)} {what}{where}"
    return Problem(_grade_kind(kind), kind, corpus.file(document), corpus.line(row), message)
