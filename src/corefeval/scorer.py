"""Scoring bit by bit: in a training loop, or by workers whose parts are merged."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from corefeval import layers, matching
from corefeval import measures as known
from corefeval.errors import Fault, InputError, OptionError
from corefeval.evaluate import Source, check_options, evaluation, prepared, read
from corefeval.joining import joined
from corefeval.options import DUPLICATES, IDENTITY, SINGLETONS, SPLIT_ANTECEDENTS

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
        split_antecedents: str = SPLIT_ANTECEDENTS[0],
        layer: str = IDENTITY,
        macro: bool = False,
        strict: bool = False,
    ) -> None:
        check_options(singletons, duplicates, split_antecedents)
        self._measures = known.select(measures)
        self._singletons, self._duplicates, self._macro, self._strict = singletons, duplicates, macro, strict
        self._split_antecedents, self._layer = split_antecedents, layer
        self._tables: list[Overlap] = []
        self._names: list[str | None] = []
        self._notices: list[Notice] = []

    def update(self, key: Source, response: Source, *, document: str | None = None) -> None:
        """Add one document, or all documents of two corpora. A document without a name is numbered."""
        sides = [prepared(self._layered(read(side)), self._singletons) for side in (key, response)]
        if document is not None:
            sides = [_named(side, document) for side in sides]
        table, notices = matching.overlap(
            *sides, duplicates=self._duplicates, split_antecedents=self._split_antecedents
        )
        unnamed = all(side.documents == ("",) for side in sides)
        self._add([None] if unnamed else list(sides[0].documents), [table.without_rows(self._measures)], notices)

    def _layered(self, side: Corpus) -> Corpus:
        return side if self._layer == IDENTITY else layers.of(side, self._layer)

    def merge(self, other: Scorer) -> None:
        """Add the documents of another Scorer, which must have the same options."""
        ours, theirs = (each._options() for each in (self, other))
        if ours != theirs:
            raise OptionError(f"scorers with different options cannot be merged: {ours} and {theirs}")
        self._add(other._names, other._tables, tuple(other._notices))

    def _options(self) -> tuple[object, ...]:
        return (
            self._measures, self._singletons, self._duplicates, self._macro, self._split_antecedents, self._layer
        )  # fmt: skip

    def _add(self, names: list[str | None], tables: list[Overlap], notices: tuple[Notice, ...]) -> None:
        there = {name for name in self._names if name is not None}
        hint = "use a new Scorer to start over"
        twice = [
            Fault("scorer", f"document {name!r} is there already", "every document once", hint)
            for name in names
            if name in there
        ]
        if twice:
            raise InputError(twice)
        self._names.extend(names)
        self._tables.extend(tables)
        self._notices.extend(notices)

    def compute(self) -> Evaluation:
        """Evaluate everything added so far."""
        self._tables = [joined(self._tables)]
        return evaluation(
            self._tables[0],
            tuple(self),
            self._measures,
            singletons=self._singletons,
            duplicates=self._duplicates,
            split_antecedents=self._split_antecedents,
            layer=self._layer,
            macro=self._macro,
            strict=self._strict,
            notices=tuple(self._notices),
        )

    def __len__(self) -> int:
        return len(self._names)

    def __iter__(self) -> Iterator[str]:
        """The names of the documents; those without one are numbered, past names that look like numbers."""
        taken = set(self._names)
        numbers = (str(number) for number in count(1) if str(number) not in taken)
        return (next(numbers) if name is None else name for name in self._names)


def _named(side: Corpus, document: str) -> Corpus:
    if len(side.documents) != 1:
        raise OptionError(f"document={document!r} names one document, but there are {len(side.documents)}")
    return side.renamed({side.documents[0]: document})
