"""Scoring bit by bit: in a training loop, or by workers whose parts are merged."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from corefeval import matching
from corefeval import measures as known
from corefeval.errors import Fault, InputError, OptionError
from corefeval.evaluate import Source, check_options, evaluation, prepared, read
from corefeval.joining import joined
from corefeval.options import DUPLICATES, SINGLETONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefeval.corpus import Corpus
    from corefeval.evaluate import Measures
    from corefeval.notices import Notice
    from corefeval.overlap import Overlap
    from corefeval.results import Evaluation


class Scorer:
    """Collects documents with `update`, and evaluates all of them with `compute`.

    Only the table of shared mentions is kept of each document, never the mentions, so a Scorer is small, can be
    pickled, and can be merged with others. The result is that of `corefeval.score` on all documents at once.
    """

    def __init__(
        self,
        measures: Measures | None = None,
        *,
        singletons: str = SINGLETONS[0],
        duplicates: str = DUPLICATES[0],
        macro: bool = False,
        strict: bool = False,
    ) -> None:
        check_options(singletons, duplicates)
        self._measures = known.select(measures)
        self._singletons, self._duplicates, self._macro, self._strict = singletons, duplicates, macro, strict
        self._tables: list[Overlap] = []
        self._names: dict[str, None] = {}
        self._notices: list[Notice] = []

    def update(self, key: Source, response: Source, *, document: str | None = None) -> None:
        """Add one document, or all documents of two corpora. A document without a name is numbered."""
        sides = [prepared(read(side), self._singletons) for side in (key, response)]
        if document is None and all(side.documents == ("",) for side in sides):
            document = str(len(self._names) + 1)
        if document is not None:
            sides = [_named(side, document) for side in sides]
        table, notices = matching.overlap(*sides, duplicates=self._duplicates)
        self._add(sides[0].documents, [table], notices)

    def merge(self, other: Scorer) -> None:
        """Add the documents of another Scorer, which must have the same options."""
        ours, theirs = ((each._measures, each._singletons, each._duplicates, each._macro) for each in (self, other))
        if ours != theirs:
            raise OptionError(f"scorers with different options cannot be merged: {ours} and {theirs}")
        self._add(tuple(other._names), other._tables, tuple(other._notices))

    def _add(self, names: tuple[str, ...], tables: list[Overlap], notices: tuple[Notice, ...]) -> None:
        twice = [name for name in names if name in self._names]
        if twice:
            hint = "use a new Scorer to start over"
            raise InputError(
                Fault("scorer", f"document {name!r} is there already", "every document once", hint) for name in twice
            )
        self._names.update(dict.fromkeys(names))
        self._tables.extend(tables)
        self._notices.extend(notices)

    def compute(self) -> Evaluation:
        """Evaluate everything added so far."""
        self._tables = [joined(self._tables)]
        return evaluation(
            self._tables[0],
            tuple(self._names),
            self._measures,
            singletons=self._singletons,
            duplicates=self._duplicates,
            macro=self._macro,
            strict=self._strict,
            notices=tuple(self._notices),
        )

    def __len__(self) -> int:
        return len(self._names)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)


def _named(side: Corpus, document: str) -> Corpus:
    if len(side.documents) != 1:
        raise OptionError(f"document={document!r} names one document, but there are {len(side.documents)}")
    return replace(side, documents=(document,))
