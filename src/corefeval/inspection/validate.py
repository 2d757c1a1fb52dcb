"""What is wrong with a file: faults that keep it from being read, and what a reader would stumble over."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval import formats
from corefeval.corpus import span_properties
from corefeval.corpus.mentions import Spans, number_mentions
from corefeval.errors import InputError, MissingFileError
from corefeval.matching.documents.pairing import pair_documents

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from os import PathLike

    from corefeval._arrays import Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.errors import Fault
    from corefeval.notices import Notice

MISSING = "missing-file"
_NO_PROBLEM = frozenset({"other-name", "two-fields", "names-by-order", "other-elements"})  # how a file was understood
_RARE = 0.01  # singletons that are rarer than this are slips: corpora with them have them by the dozen
_ENOUGH = 50


class Problem(NamedTuple):
    """One thing that is wrong. `kind` is for programs; `message` has everything but the place."""

    kind: str
    file: str
    line: int | None
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.message}"


class Report(NamedTuple):
    """What is wrong with a file; `more` says how many problems are not listed."""

    file: str
    format: str
    problems: tuple[Problem, ...]
    more: int = 0

    @property
    def counts(self) -> dict[str, int]:
        """How many problems there are of each kind, the most frequent first."""
        return dict(Counter(problem.kind for problem in self.problems).most_common())

    def to_dict(self) -> dict[str, object]:
        """As in the JSON output."""
        problems = [problem._asdict() for problem in self.problems]
        return {"file": self.file, "format": self.format, "counts": self.counts, "problems": problems,
                "more": self.more}  # fmt: skip


def validate(
    source: str | PathLike[str],
    *,
    key: Corpus | None = None,
    format: str | None = None,  # noqa: A002
) -> Report:
    """Everything that is wrong with a file; with a key, also what makes it unfit as a response to that."""
    name = str(source)
    try:
        corpus = formats.read(source, format)
    except InputError as error:
        problems = tuple(_of_fault(fault) for fault in error.faults)
        return Report(name, "", problems, error.more)
    except MissingFileError as error:
        return Report(name, "", (Problem(MISSING, name, None, str(error).removeprefix(f"{name}: ")),))
    found = [*_of_notices(corpus.notices, name), *_checked(corpus)]
    if key is not None:
        found += [*_of_notices(pair_documents(key, corpus).notices, name), *_singletons_besides(key, corpus)]
    more = sum(int(str(notice.details.get("more", 0))) for notice in corpus.notices)
    return Report(name, corpus.format, tuple(sorted(set(found), key=lambda each: (each.line or 0, each.kind))), more)


def _of_fault(fault: Fault) -> Problem:
    return Problem(fault.kind, fault.source, fault.line, str(fault._replace(source="", line=None)))


def _of_notices(notices: Iterable[Notice], file: str) -> Iterator[Problem]:
    for notice in notices:
        if notice.kind in _NO_PROBLEM or "more" in notice.details:
            continue
        line = notice.details.get("line")
        place, _, rest = notice.message.partition(": ")
        where, _, number = place.rpartition(":")
        if number.isdigit():
            yield Problem(notice.kind, where, int(number), rest)
        else:
            yield Problem(notice.kind, place or file, line if isinstance(line, int) else None, rest)


def _checked(corpus: Corpus) -> Iterator[Problem]:
    yield from _repeated(corpus)
    if isinstance(corpus.mentions, Spans):
        for row in np.flatnonzero(span_properties.find_crossing_in_entity(corpus)).tolist():
            what = f"{corpus.describe(row)} crosses another mention of entity {_entity(corpus, row)}"
            yield _at(corpus, row, "crossing-mentions", what)
    single = np.flatnonzero(corpus.sizes == 1)
    if len(corpus.sizes) >= _ENOUGH and 0 < len(single) < _RARE * len(corpus.sizes):
        for row in _rows(corpus, single):
            what = f"{corpus.describe(row)} is the only mention of entity {_entity(corpus, row)}"
            share = f"{len(single)} of {len(corpus.sizes)} entities are singletons: the corpus seems to be without them"
            yield _at(corpus, row, "singleton", f"{what}; {share}")


def _repeated(corpus: Corpus) -> Iterator[Problem]:
    """Mentions that stand in two entities, or twice in one."""
    number, _ = number_mentions(corpus.mentions, corpus.mentions, corpus.document, corpus.document)
    order = np.argsort(number, kind="stable")
    again = np.flatnonzero(np.append(False, number[order][1:] == number[order][:-1]))
    for place in again.tolist():
        row, first = int(order[place]), int(order[place - 1])
        here, there = _entity(corpus, row), _entity(corpus, first)
        same = corpus.entity[row] == corpus.entity[first]
        where = f"twice in entity {here}" if same else f"in entities {there} and {here}"
        kind = "mention-twice" if same else "mention-in-two-entities"
        yield _at(corpus, row, kind, f"{corpus.describe(row)} is {where}")


def _singletons_besides(key: Corpus, response: Corpus) -> Iterator[Problem]:
    """Singletons, where the key has none."""
    if not len(key.sizes) or (key.sizes == 1).any():
        return
    for row in _rows(response, np.flatnonzero(response.sizes == 1)):
        what = f"{response.describe(row)} is the only mention of entity {_entity(response, row)}"
        yield _at(response, row, "singleton", f"{what}; the key has no singletons")


def _rows(corpus: Corpus, entities: Ints) -> list[int]:
    order, start = corpus.by_entity
    rows: list[int] = order[start[entities]].tolist()
    return rows


def _entity(corpus: Corpus, row: int) -> str:
    return str(corpus.entity_name[int(corpus.entity[row])])


def _at(corpus: Corpus, row: int, kind: str, message: str) -> Problem:
    document = int(corpus.document[row])
    where = f" (document {corpus.documents[document]!r})" if corpus.line(row) is None else ""
    return Problem(kind, corpus.file(document), corpus.line(row), message + where)
