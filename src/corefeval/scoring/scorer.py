"""Scoring bit by bit: in a training loop, or by workers whose parts are merged."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from corefeval import measures as known
from corefeval.corpus import beyond_identity
from corefeval.errors import Fault, InputError, OptionError
from corefeval.matching import table as matching
from corefeval.options import IDENTITY
from corefeval.profiles.registry import resolve_options
from corefeval.scoring.counting import Counter, join_counters
from corefeval.scoring.score import Source, drops_splits, evaluation, prepared, read, without_splits

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Unpack

    from corefeval.corpus.corpus import Corpus
    from corefeval.notices import Notice
    from corefeval.options import Decisions
    from corefeval.scoring.results import Evaluation
    from corefeval.scoring.score import Measures

_ONCE = frozenset({"no-dependencies"})
"""What is said of a side, and not of one document or mention of it."""


class Scorer:
    """Collects documents with `update`, and evaluates all of them with `compute`.

    Only the table of shared mentions is kept of each document, never the mentions, so a Scorer is small, can be
    pickled, and can be merged with others. The result is that of `corefeval.score` on all documents at once.
    """

    def __init__(
        self,
        measures: Measures | None = None,
        *,
        profile: str | None = None,
        macro: bool = False,
        strict: bool = False,
        **decisions: Unpack[Decisions],
    ) -> None:
        self._options = resolve_options(profile, macro=macro, **decisions)
        self._measures = known.resolve_measures(known.select(measures), self._options)
        self._strict, self._drops_splits = strict, drops_splits(decisions)
        self._counters: list[Counter] = []
        self._names: list[str | None] = []
        self._notices: list[Notice] = []
        self._in_common = False
        self._layers: tuple[dict[str, None], dict[str, None]] = ({}, {})

    def update(self, key: Source, response: Source, *, document: str | None = None) -> None:
        """Add one document, or all documents of two corpora. A document without a name is numbered."""
        sides = read(key), read(response)
        for seen, side in zip(self._layers, sides, strict=True):
            seen.update(dict.fromkeys(side.layers))
        ours, theirs = (prepared(self._layered(side), self._options) for side in sides)
        if document is not None:
            ours, theirs = _named(ours, str(document)), _named(theirs, str(document))
        tables, notices = matching.build_tables(ours, theirs, self._options)
        counter = Counter(tables)
        notices = (*notices, *counter.collect_notices(self._measures))
        self._in_common |= tables.mentions is not None and len(tables.mentions.twin_key) > 0
        unnamed = ours.documents == theirs.documents == ("",)
        names: list[str | None] = [None] if unnamed else list(tables.table.key.document_name or ())
        self._add(names, [counter.without_mentions(self._measures)], notices)

    def _layered(self, side: Corpus) -> Corpus:
        layer = side if self._options.layer == IDENTITY else beyond_identity.select_layer(side, self._options.layer)
        return without_splits(layer) if self._drops_splits else layer

    def merge(self, other: Scorer) -> None:
        """Add the documents of another Scorer, which must have the same options."""
        ours, theirs = ((each._measures, each._options) for each in (self, other))
        if ours != theirs:
            raise OptionError(f"scorers with different options cannot be merged: {ours} and {theirs}")
        self._in_common |= other._in_common
        for seen, more in zip(self._layers, other._layers, strict=True):
            seen.update(more)
        self._add(other._names, other._counters, tuple(other._notices))

    def _add(self, names: list[str | None], counters: list[Counter], notices: tuple[Notice, ...]) -> None:
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
        self._counters.extend(counters)
        self._notices.extend(notices)

    def compute(self) -> Evaluation:
        """Evaluate everything added so far."""
        self._counters = [join_counters(self._counters)]
        return evaluation(
            self._counters[0],
            self._measures,
            self._options,
            strict=self._strict,
            notices=tuple(self._told()),
            names=tuple(self),
        )

    def _told(self) -> Iterator[Notice]:
        """What was said about documents; that they have nothing in common once, and only if none of them has."""
        apart = [notice for notice in self._notices if notice.kind == matching.NOTHING_IN_COMMON]
        yield from _once([notice for notice in self._notices if notice.kind != matching.NOTHING_IN_COMMON])
        if not self._in_common:
            yield from apart[:1]
        if self._options.layer != IDENTITY and self._names:
            yield from beyond_identity.check_layers(self._options.layer, *self._layers)

    def __len__(self) -> int:
        return len(self._names)

    def __iter__(self) -> Iterator[str]:
        """The names of the documents; those without one are numbered, past names that look like numbers."""
        taken = set(self._names)
        numbers = (str(number) for number in count(1) if str(number) not in taken)
        return (next(numbers) if name is None else name for name in self._names)


def _once(notices: list[Notice]) -> Iterator[Notice]:
    """The notices; those about a side in place of the first one, with how many others there are by other names."""
    names: dict[tuple[str, object], dict[str, None]] = {}
    for notice in notices:
        if notice.kind in _ONCE:
            names.setdefault((notice.kind, notice.details["side"]), {})[notice.message] = None
    for notice in notices:
        if notice.kind not in _ONCE:
            yield notice
        elif said := names.pop((notice.kind, notice.details["side"]), None):
            others = f" (and so are those of {len(said) - 1} more)" if len(said) > 1 else ""
            yield notice._replace(message=notice.message + others)


def _named(side: Corpus, document: str) -> Corpus:
    if len(side.documents) != 1:
        raise OptionError(f"document={document!r} names one document, but there are {len(side.documents)}")
    return side.rename_documents({side.documents[0]: document})
