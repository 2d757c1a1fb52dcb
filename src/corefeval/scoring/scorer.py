"""Scoring bit by bit: in a training loop, or by workers whose parts are merged."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from os import PathLike, fspath
from typing import Unpack

from corefeval import measures as known
from corefeval.corpus import beyond_identity
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.limits import parse_size
from corefeval.errors import Fault, InputError, OptionError
from corefeval.matching import matching
from corefeval.notices import Notice, announce_notices
from corefeval.options import IDENTITY, Decisions
from corefeval.profiles.registry import resolve_options
from corefeval.scoring.counting import Counter, join_counters
from corefeval.scoring.file_sizes import MEMORY_LIMIT
from corefeval.scoring.results import Evaluation, make_evaluation
from corefeval.scoring.score import Measures, Source, read
from corefeval.scoring.sides import drop_split_antecedents, has_place_for_layer, prepare_corpus
from corefeval.scoring.streaming import FileSide, Way, count_in_parts

_NOTICES_OF_SIDES = frozenset({"no-dependencies"})
"""The kinds of notices that are about a whole side, and not about one document or mention of it."""

_BATCH = 256
"""Updates whose counters become one: so many small objects would take the garbage collector ever longer."""


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
        self._measures = known.resolve_measures(known.select_measures(measures), self._options)
        self._strict, self._drops_splits = strict, decisions.get("split_antecedents") == "drop"
        self._counters: list[Counter] = []
        self._joined = 0  # how many of these, the first, are of many updates
        self._names: list[str | None] = []
        self._known: set[str | None] = set()  # all of these names
        self._notices: list[Notice] = []
        self._in_common = False
        self._layers: tuple[dict[str, None], dict[str, None]] = ({}, {})
        self._may_lack_layer = False

    def update(self, key: Source, response: Source, *, document: str | None = None) -> None:
        """Add one document, or all of two corpora, numbered if unnamed; an InputError if one is there already."""
        ours = self._prepare_side(read(key, side="key"), self._layers[0], document)
        theirs = self._prepare_side(read(response, side="response"), self._layers[1], document)
        tables, notices = matching.build_tables(ours, theirs, self._options)
        counter = Counter(tables)
        notices = (*notices, *counter.collect_notices(self._measures))
        self._in_common |= tables.mentions is not None and len(tables.mentions.twin_key) > 0
        unnamed = ours.documents == theirs.documents == ("",)
        names: list[str | None] = [None] if unnamed else list(tables.table.key.document_name or ())
        self._add_documents(names, [counter.without_mentions(self._measures)], notices)

    def update_from_files(
        self,
        key: str | PathLike[str],
        response: str | PathLike[str],
        *,
        key_format: str | None = None,
        response_format: str | None = None,
        memory_limit: str | int = MEMORY_LIMIT,
        processes: int = 1,
    ) -> None:
        """Add all documents of two files or directories, some at a time, within a limit of memory.

        Documents are read, scored and dropped, whatever the size of the files; pairs of documents are found by name. A
        WholeCorpusError if that is not possible. processes: how many may be at work at the same time.
        """
        limit = parse_size(memory_limit, "memory_limit")
        sides = FileSide(fspath(key), key_format), FileSide(fspath(response), response_format)
        way = Way(self._measures, self._options, self._drops_splits)
        counted = count_in_parts(*sides, [way], limit, processes=processes)
        self._in_common |= counted.in_common
        for seen, more in zip(self._layers, counted.layers, strict=True):
            seen.update(dict.fromkeys(more))
        self._may_lack_layer = self._may_lack_layer or self._options.layer != IDENTITY
        notices = tuple(each for each in counted.notices[0] if each.kind != "empty-layer")  # which all documents tell
        self._add_documents(list(counted.names), counted.counters, notices)

    def _prepare_side(self, side: Corpus, seen_layers: dict[str, None], document: str | None) -> Corpus:
        """Return what is scored of a side, its document renamed if asked for; note its layers in `seen_layers`."""
        seen_layers.update(dict.fromkeys(side.layers))
        self._may_lack_layer |= self._options.layer != IDENTITY and has_place_for_layer(side, self._options.layer)
        if self._options.layer != IDENTITY:
            side = beyond_identity.select_layer(side, self._options.layer)
        if self._drops_splits:
            side = drop_split_antecedents(side)
        if document is not None and len(side.documents) != 1:
            raise OptionError(f"document={document!r} names one document, but there are {len(side.documents)}")
        side = prepare_corpus(side, self._options)
        return side if document is None else side.rename_documents({side.documents[0]: str(document)})

    def merge(self, other: Scorer) -> None:
        """Add the documents of another Scorer; an error if its options differ or one is there already."""
        ours, theirs = ((each._measures, each._options) for each in (self, other))
        if ours != theirs:
            raise OptionError(f"scorers with different options cannot be merged: {ours} and {theirs}")
        self._in_common |= other._in_common
        self._may_lack_layer |= other._may_lack_layer
        for seen, more in zip(self._layers, other._layers, strict=True):
            seen.update(more)
        self._add_documents(other._names, other._counters, tuple(other._notices))

    def _add_documents(self, names: list[str | None], counters: list[Counter], notices: tuple[Notice, ...]) -> None:
        """Store the names, counters and notices of documents; an InputError if a name was added before."""
        twice = self._known.intersection(names) - {None}
        if twice:
            hint = "use a new Scorer to start over"
            if self._options.level != "document":
                hint = f"give all documents of a {self._options.level} in one update"
            raise InputError(
                Fault("scorer", f"document {name!r} is there already", "every document once", hint)
                for name in names
                if name in twice
            )
        self._names.extend(names)
        self._known.update(names)
        self._counters.extend(counters)
        self._notices.extend(notices)
        if len(self._counters) - self._joined > _BATCH:
            self._counters[self._joined :] = [join_counters(self._counters[self._joined :])]
            self._joined += 1

    @announce_notices
    def compute(self) -> Evaluation:
        """Return the evaluation of all documents added so far; a StrictError if `strict` and there are notices."""
        self._counters = [join_counters(self._counters)]
        self._joined = 1
        notices = tuple(self._collect_notices())
        return make_evaluation(
            self._counters[0], self._measures, self._options, strict=self._strict, notices=notices, names=tuple(self)
        )

    def _collect_notices(self) -> Iterator[Notice]:
        """Yield all notices; "nothing in common" once, if no document has anything; those of lacking layers."""
        apart = [notice for notice in self._notices if notice.kind == matching.NOTHING_IN_COMMON]
        yield from _join_notices_of_sides([each for each in self._notices if each.kind != matching.NOTHING_IN_COMMON])
        if not self._in_common:
            yield from apart[:1]
        if self._options.layer != IDENTITY and self._names:
            layer, may_be_empty = self._options.layer, self._may_lack_layer
            yield from beyond_identity.check_layers(layer, *self._layers, may_be_empty=may_be_empty)

    def __len__(self) -> int:
        return len(self._names)

    def __iter__(self) -> Iterator[str]:
        """Return an iterator over the documents' names; those without one are numbered, past names that are numbers."""
        taken = set(self._names)
        numbers = (str(number) for number in count(1) if str(number) not in taken)
        return (next(numbers) if name is None else name for name in self._names)


def _join_notices_of_sides(notices: list[Notice]) -> Iterator[Notice]:
    """Yield the notices; of those of one kind about a side, only the first, with the number of different others."""
    messages: dict[tuple[str, object], set[str]] = {}
    for notice in notices:
        if notice.kind in _NOTICES_OF_SIDES:
            messages.setdefault((notice.kind, notice.details["side"]), set()).add(notice.message)
    for notice in notices:
        if notice.kind not in _NOTICES_OF_SIDES:
            yield notice
        elif same := messages.pop((notice.kind, notice.details["side"]), None):
            others = f" (and so are those of {len(same) - 1} more)" if len(same) > 1 else ""
            yield notice._replace(message=notice.message + others)
