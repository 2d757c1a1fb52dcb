"""Scoring files that are larger than memory: some documents are read, matched, counted and dropped, then the next.

The documents of both sides are found first (`formats.parts`), and paired by their names. Then parts of the key, with
the same documents of the response, are scored one by one, or by two processes. What comes out is what comes out of all
documents at once: the same scores, the same notices in the same order.
"""

from __future__ import annotations

from collections import Counter as Counts
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import filterfalse, pairwise
from typing import TYPE_CHECKING, Any, TypeVar

from corefeval import measures as known
from corefeval._arrays import np
from corefeval._lazy import NamedTuple
from corefeval.corpus import beyond_identity
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.entity_names import count_beginnings
from corefeval.corpus.mentions import Spans
from corefeval.errors import InputError, WholeCorpusError
from corefeval.formats import registry
from corefeval.formats.parts import (
    CorpusIndex,
    CorpusReader,
    find_repeated_names,
    index_files,
    join_indexes,
    make_reader,
    read_documents,
    select_paths,
)
from corefeval.formats.shared.files import ListedFiles, list_files
from corefeval.formats.shared.segments import IndexedDocument, IndexedDocuments
from corefeval.matching import matching
from corefeval.matching.documents import order_documents
from corefeval.matching.same_documents import find_same_documents
from corefeval.measures import Measure
from corefeval.notices import Notice, report_progress
from corefeval.options import IDENTITY, Options
from corefeval.scoring.counting import Counter, join_counters
from corefeval.scoring.file_sizes import IN_MEMORY, MEMORY_LIMIT, START, is_worth_processes
from corefeval.scoring.processes import receive, send, start_helpers
from corefeval.scoring.results import Evaluation, make_evaluation
from corefeval.scoring.sides import has_place_for_layer, tabulate_sides
from corefeval.scoring.streamed_notices import PairingNotices, ReaderNotices

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Item = TypeVar("Item")

_LARGEST_PART = 8_000_000  # bytes of both sides; larger parts are not faster
_SMALLEST_PART = 500_000


class Way(NamedTuple):
    """One way of scoring: measures, options, and whether split antecedents are left out on purpose."""

    measures: tuple[Measure, ...]
    options: Options
    drop_splits: bool = False


class FileSide(NamedTuple):
    """A side of an evaluation that is a file or a directory; format: None if it is to be recognised.

    address_hint: what is done to hints and messages of its reader, so that they name the options that the user has.
    listed: its files, if they have been listed already.
    """

    path: str
    format: str | None = None
    address_hint: Callable[[str], str] = str
    listed: ListedFiles | None = None


class Part(NamedTuple):
    """Documents that are scored together: of the key, and of the response in the same order but for missing ones.

    missing: the names of documents that the response lacks. is_scored: False for documents that are only read.
    """

    key: IndexedDocuments
    response: IndexedDocuments
    missing: tuple[str, ...] = ()
    is_scored: bool = True


@dataclass
class PartResult:
    """What remains of a part.

    counters, notices: one for each way. readers: notices of both sides. errors: of both sides, None for none.
    first: the first mention of each way and side, if none has a twin. facts: what must be the same in a side's parts.
    """

    counters: list[Counter] = field(default_factory=list)
    notices: list[tuple[Notice, ...]] = field(default_factory=list)
    readers: tuple[tuple[Notice, ...], ...] = ((), ())
    errors: list[InputError | None] = field(default_factory=lambda: [None, None])
    first: list[list[list[object]]] = field(default_factory=list)
    twins: list[int] = field(default_factory=list)
    facts: list[object] = field(default_factory=lambda: [None, None])
    layers: tuple[tuple[str, ...], ...] = ((), ())
    beginnings: list[tuple[int, int] | None] = field(default_factory=lambda: [None, None])


@dataclass(frozen=True)
class StreamPlan:
    """All that a process needs to score any part; `parts` are in the key's order."""

    key: CorpusIndex
    response: CorpusIndex
    ways: tuple[Way, ...]
    parts: list[Part]
    notices: tuple[Notice, ...]
    names: tuple[str, ...]


def score_in_parts(
    key: FileSide,
    response: FileSide,
    ways: Sequence[Way],
    *,
    memory_limit: int = MEMORY_LIMIT,
    part_size: int | None = None,
    processes: int = 1,
    is_large: Callable[[], bool] | None = None,
    strict: bool = False,
    name: str = "",
) -> list[Evaluation]:
    """Return an evaluation for each way, as `score_corpora` of both corpora does, with a bounded amount of memory.

    part_size: how many bytes of files are scored together; by default what the memory limit allows.
    processes: how many may be at work at the same time. name: what the user calls the response.
    is_large: tells whether this is done for memory; for speed alone it is done only where files can be read together.
    Raises WholeCorpusError where this cannot be done, and InputError for faults of the files: the key's, or else the
    response's.
    """
    counted = count_in_parts(
        key, response, ways, memory_limit, part_size=part_size, processes=processes, is_large=is_large
    )
    return [
        make_evaluation(
            counter, way.measures, way.options, strict=strict, notices=notices, names=counted.names,
            key=counted.key, response=counted.response, name=name,
        )
        for way, counter, notices in zip(counted.ways, counted.counters, counted.notices, strict=True)
    ]  # fmt: skip


class CountedParts(NamedTuple):
    """The documents' names, the paths of both sides, and for each way its measures, counts and notices."""

    names: tuple[str, ...]
    key: str
    response: str
    ways: tuple[Way, ...]
    counters: list[Counter]
    notices: list[tuple[Notice, ...]]
    in_common: bool
    layers: tuple[tuple[str, ...], tuple[str, ...]]


def count_in_parts(
    key: FileSide,
    response: FileSide,
    ways: Sequence[Way],
    memory_limit: int = MEMORY_LIMIT,
    *,
    part_size: int | None = None,
    processes: int = 1,
    is_large: Callable[[], bool] | None = None,
) -> CountedParts:
    """Return the counts and notices of two files, scored part by part; see `score_in_parts`."""
    try:
        return _count_in_parts(key, response, ways, memory_limit, part_size, processes, is_large)
    except WholeCorpusError as error:
        hint = f"scoring in parts takes at most {memory_limit:,} bytes; raise the memory limit to score all at once"
        raise WholeCorpusError(f"{error} ({hint})") from None


def _count_in_parts(
    key: FileSide,
    response: FileSide,
    ways: Sequence[Way],
    memory_limit: int,
    part_size: int | None,
    processes: int,
    is_large: Callable[[], bool] | None,
) -> CountedParts:
    """Return what `count_in_parts` returns; a WholeCorpusError that says only why."""
    listed = [side.listed or list_files(side.path) for side in (key, response)]
    if processes > 1 and not is_worth_processes(*listed):
        processes = 1
    if part_size is None:
        part_size = (memory_limit - processes * START) // (IN_MEMORY * processes)
        part_size = max(_SMALLEST_PART, min(_LARGEST_PART, part_size))
    room = max(0, memory_limit // 8 // (2 * processes))
    resolved = tuple(way._replace(measures=known.resolve_measures(way.measures, way.options)) for way in ways)
    with start_helpers(processes - 1, _help) as helpers:
        plan = _make_plan(*_index_sides((key, response), listed, room, helpers, is_large), resolved, part_size)
        collected = _Collected(plan, (key.address_hint, response.address_hint))
        for result in _score_parts(plan, helpers):
            collected.add(result)
        return collected.finish()


def _index_sides(
    sides: Sequence[FileSide],
    listed: Sequence[ListedFiles],
    room: int,
    helpers: Sequence[Connection],
    is_large: Callable[[], bool] | None,
) -> tuple[CorpusIndex, CorpusIndex]:
    """Return the documents of the key and of the response; every process looks for them in some files of both."""
    processes = 1 + len(helpers)
    shares = []
    # A key that is one file is for the first process, a response that is one for the last.
    for side, files, name, spare in zip(sides, listed, ("key", "response"), (processes - 1, 0), strict=True):
        reader = make_reader(side.path, side.format, name)
        paths = _cut_evenly(select_paths(reader, files), processes, spare)
        shares.append([(reader, some, room, is_large) for some in paths])
    own, *others = zip(*shares, strict=True)
    for helper, share in zip(helpers, others, strict=True):
        send(helper, share)
    found = [[index_files(*files) for files in own], *map(receive, helpers)]
    indexes, errors = [], []
    for shares_of_side, files in zip(zip(*found, strict=True), listed, strict=True):
        try:
            indexes.append(join_indexes(shares_of_side, files.passed_over))
        except InputError as error:
            errors.append(error)
    _raise_faults(errors)
    of_key, of_response = indexes
    return of_key, of_response


def _cut_evenly(items: Sequence[Item], count: int, spare: int) -> list[Sequence[Item]]:
    """Return `count` slices of almost equal lengths; `spare`: 0 if later ones are longer, `count` - 1 if earlier ones.

    >>> _cut_evenly("abc", 2, 0), _cut_evenly("abc", 2, 1)
    (['a', 'bc'], ['ab', 'c'])
    """
    bounds = [(len(items) * number + spare) // count for number in range(count + 1)]
    return [items[begin:end] for begin, end in pairwise(bounds)]


def _make_plan(key: CorpusIndex, response: CorpusIndex, ways: tuple[Way, ...], part_size: int) -> StreamPlan:
    """Return which documents are scored together, and notices of those that only one side has; errors as `score`'s."""
    if any(index.faults or index.has_repeats for index in (key, response)):  # the rest is read for further faults only
        parts = _list_unpaired_parts(key.documents, response.documents, part_size)
        return StreamPlan(key, response, ways, parts, (), ())
    first = ways[0].options
    if any(way.options.level != "document" or way.options.where for way in ways):
        raise WholeCorpusError("documents of a group, or mentions chosen by an attribute, are scored together")
    if any((way.options.missing, way.options.extra) != (first.missing, first.extra) for way in ways):
        raise WholeCorpusError("ways of scoring that treat missing documents differently")
    ours, theirs = _make_skeleton(key), _make_skeleton(response)
    same = {} if ours.documents == theirs.documents else find_same_documents(ours, theirs)
    scored, _, missing, notices = order_documents(ours, theirs, first)
    absent = frozenset(missing)
    of_key = {document.name: document for document in key.documents}
    of_response = {same[d.name].ours if d.name in same else d.name: d for d in response.documents}
    names = scored.documents
    wanted = set(names)
    parts = [
        Part(
            IndexedDocuments(of_key[name] for name in some),
            IndexedDocuments(of_response[name] for name in some if name not in absent),
            tuple(name for name in some if name in absent),
        )
        for some in _cut_names(names, of_key, of_response, part_size)
    ]
    left = [document for document in key.documents if document.name not in wanted]
    extra = [document for name, document in of_response.items() if name not in wanted]
    parts += _list_unpaired_parts(left, extra, part_size)
    return StreamPlan(key, response, ways, parts, notices, names)


def _list_unpaired_parts(
    key: Sequence[IndexedDocument], response: Sequence[IndexedDocument], part_size: int
) -> list[Part]:
    """Return parts of documents that are only read."""
    none = IndexedDocuments()
    ours = [Part(some, none, is_scored=False) for some in _cut_documents(key, part_size)]
    return ours + [Part(none, some, is_scored=False) for some in _cut_documents(response, part_size)]


def _make_skeleton(index: CorpusIndex) -> Corpus:
    """Return a corpus with the names and files of an index, and nothing in them: what pairing by names needs."""
    none = np.zeros(0, dtype=np.int64)
    paths = tuple(document.path for document in index.documents) if index.reader.is_folder else ()
    names = tuple(document.name for document in index.documents)
    return Corpus(names, none, [], none, Spans(none, none), source=index.source, files=paths)


def _cut_names(
    names: Sequence[str], key: dict[str, IndexedDocument], response: dict[str, IndexedDocument], part_size: int
) -> Iterator[list[str]]:
    """Yield the names of documents in order, as many at a time as have at most `part_size` bytes on both sides."""
    some: list[str] = []
    size = 0
    for name in names:
        more = key[name].size + (response[name].size if name in response else 0)
        if some and size + more > part_size:
            yield some
            some, size = [], 0
        some.append(name)
        size += more
    if some:
        yield some


def _cut_documents(documents: Sequence[IndexedDocument], part_size: int) -> Iterator[IndexedDocuments]:
    """Yield documents, as many at a time as have at most `part_size` bytes; alone if an earlier one has their name."""
    by_name: dict[str, IndexedDocument] = {}
    others = [document for document in documents if by_name.setdefault(document.name, document) is not document]
    for names in _cut_names(list(by_name), by_name, {}, part_size):
        yield IndexedDocuments(by_name[name] for name in names)
    yield from (IndexedDocuments([document]) for document in others)


def _score_parts(plan: StreamPlan, helpers: Sequence[Connection]) -> Iterator[PartResult]:
    """Yield the results of all parts in order; every process scores some that follow each other."""
    ours, theirs = plan.key.reader, plan.response.reader
    own, *others = _cut_evenly(plan.parts, 1 + len(helpers), len(helpers))
    for helper, parts in zip(helpers, others, strict=True):
        send(helper, (ours, theirs, plan.ways, parts))
    for number, part in enumerate(own):
        report_progress("scoring parts", number, len(own))
        yield score_part(ours, theirs, plan.ways, part)
    for helper in helpers:
        yield from receive(helper)


def _help(first_process: Connection) -> None:
    """Find documents in some files of both sides, then score some parts, as the first process sends them."""
    indexes = [index_files(*files) for files in first_process.recv()]
    first_process.send(indexes)
    ours, theirs, ways, parts = first_process.recv()
    ours.cache, theirs.cache = (index.reader.cache for index in indexes)
    first_process.send([score_part(ours, theirs, ways, part) for part in parts])


def score_part(key_reader: CorpusReader, response_reader: CorpusReader, ways: Sequence[Way], part: Part) -> PartResult:
    """Return what remains of a part when its documents are read, matched and counted in all ways."""
    result = PartResult()
    sides: list[Corpus | None] = []
    readers = []
    for number, (reader, documents) in enumerate(((key_reader, part.key), (response_reader, part.response))):
        try:
            corpus = read_documents(reader, documents) if documents else None
        except InputError as error:
            result.errors[number], corpus = error, None
        readers.append(() if corpus is None else corpus.notices)
        if corpus is not None:
            result.facts[number] = _describe_content(corpus)
            result.beginnings[number] = count_beginnings(corpus, list(corpus.entity_name))
        sides.append(corpus)
    result.readers = tuple(readers)
    key, response = sides
    if key is None or not part.is_scored or any(result.errors):
        return result
    names = tuple(document.name for document in part.key)
    if response is None:
        response = key.without_mentions().replace(source=response_reader.source, format=response_reader.format)
    else:
        there = filterfalse(frozenset(part.missing).__contains__, names)
        ours = {d.name: name for name, d in zip(there, part.response, strict=True) if d.name != name}
        response = (response.rename_documents(ours) if ours else response).select_documents(names)
    result.layers = tuple(key.layers), tuple(response.layers)
    for way in ways:
        _score_way(key, response, way, part.missing, result)
    return result


def _score_way(key: Corpus, response: Corpus, way: Way, missing: tuple[str, ...], result: PartResult) -> None:
    """Add to the result of a part what remains of it in one way of scoring."""
    if way.options.layer != IDENTITY:
        key, response = (beyond_identity.select_layer(side, way.options.layer) for side in (key, response))
    tables, notices = tabulate_sides(key, response, way.options, drop_splits=way.drop_splits, missing=missing)
    counter = Counter(tables)
    rows = tables.mentions
    assert rows is not None  # noqa: S101 - they have just been matched
    of_readers = len(key.notices) + len(response.notices)
    result.notices.append((*notices[of_readers:], *counter.collect_notices(way.measures)))
    result.counters.append(counter.keep_counts(way.measures))
    twins = len(rows.twin_key)
    result.twins.append(twins)
    firsts = ([matching.get_first_mention(side, rows.key)] if len(side) and not twins else [] for side in rows[:2])
    result.first.append(list(firsts))


def _describe_content(corpus: Corpus) -> object:
    """Return what must be alike in all parts of a side, for scoring to be the same as of all of it at once."""
    columns = (corpus.heads is None, corpus.minimums is None, tuple(sorted(corpus.attributes))) if len(corpus) else None
    return (corpus.unit, corpus.tokens is None, corpus.texts is None), columns


class _Collected:
    """The results of parts, put together."""

    def __init__(self, plan: StreamPlan, address_hints: tuple[Callable[[str], str], Callable[[str], str]]) -> None:
        self._plan, self._address_hints = plan, address_hints
        self._readers = _make_reader_notices(plan.key), _make_reader_notices(plan.response)
        self._pairing = [PairingNotices() for _ in plan.ways]
        self._counters: list[list[Counter]] = [[] for _ in plan.ways]
        self._errors = [
            [InputError(index.faults, unlisted=index.unlisted)] if index.faults else []
            for index in (plan.key, plan.response)
        ]
        self._first: list[tuple[list[object], list[object]]] = [([], []) for _ in plan.ways]
        self._twins = [0] * len(plan.ways)
        self._facts: list[tuple[object, object]] = [(None, None), (None, None)]
        self._layers: tuple[dict[str, None], dict[str, None]] = ({}, {})
        self._beginnings: list[list[int] | None] = [[0, 0], [0, 0]]
        self._exact = all(
            way.options.match == "exact" and not any(each.needs_mentions for each in way.measures) for way in plan.ways
        )

    def add(self, result: PartResult) -> None:
        """Add the result of the next part; a WholeCorpusError if it does not go with the others."""
        for side in (0, 1):
            if (error := result.errors[side]) is not None:
                self._errors[side].append(error)
            self._readers[side].add(result.readers[side])
            self._layers[side].update(dict.fromkeys(result.layers[side]))
            self._compare_facts(side, result.facts[side])
            total, more = self._beginnings[side], result.beginnings[side]
            if result.facts[side] is not None:
                self._beginnings[side] = None if total is None or more is None else [a + b for a, b in zip(total, more)]  # noqa: B905
        for number, counter in enumerate(result.counters):
            self._counters[number].append(counter)
            self._pairing[number].add(result.notices[number])
            self._twins[number] += result.twins[number]
            for held, new in zip(self._first[number], result.first[number], strict=True):
                if not held:
                    held.extend(new)

    def _compare_facts(self, side: int, facts: Any) -> None:
        """Raise a WholeCorpusError if a part of a side has another kind of text, or other columns, than others."""
        if facts is None:
            return
        content, columns = self._facts[side]
        source = (self._plan.key, self._plan.response)[side].source
        if (content or facts[0]) != facts[0] or (not self._exact and facts[1] and (columns or facts[1]) != facts[1]):
            raise WholeCorpusError(f"{source}: what is known of mentions and words differs between documents")
        self._facts[side] = facts[0], facts[1] or columns

    def finish(self) -> CountedParts:
        """Return everything that was counted; InputError of the faults of a side, OptionError for a missing layer."""
        plan = self._plan
        _raise_faults(map(_join_errors, self._errors, (plan.key, plan.response)))
        sides = zip((plan.key, plan.response), self._readers, self._address_hints, strict=True)
        files = tuple(
            notice._replace(message=address_hint(notice.message))
            for index, readers, address_hint in sides
            for notice in (*_list_file_notices(index, readers), *index.notices)
        )
        for index, beginnings in zip((plan.key, plan.response), self._beginnings, strict=True):
            _check_no_spanning(index, beginnings)
        notices = [self._list_notices(number, way, files) for number, way in enumerate(plan.ways)]
        counters = [join_counters(parts) for parts in self._counters]
        sources, layers = (plan.key.source, plan.response.source), (tuple(self._layers[0]), tuple(self._layers[1]))
        return CountedParts(plan.names, *sources, plan.ways, counters, notices, any(self._twins), layers)

    def _list_notices(self, number: int, way: Way, files: tuple[Notice, ...]) -> tuple[Notice, ...]:
        """Return all notices of one way of scoring, in the order of `score`."""
        plan = self._plan
        layers: tuple[Notice, ...] = ()
        if way.options.layer != IDENTITY:
            sources = plan.key.source, plan.response.source
            skeletons = (_make_skeleton(index).replace(format=index.format) for index in (plan.key, plan.response))
            may_be_empty = any(has_place_for_layer(side, way.options.layer) for side in skeletons)
            layers = beyond_identity.check_layers(way.options.layer, *self._layers, sources, may_be_empty=may_be_empty)
        ours, theirs = self._first[number]
        apart = not self._twins[number] and ours and theirs
        nothing = matching.make_nothing_in_common_notice(ours[0], theirs[0]) if apart else None
        return (*layers, *files, *plan.notices, *self._pairing[number].list_notices(nothing))


def _make_reader_notices(index: CorpusIndex) -> ReaderNotices:
    """Return what collects the notices of a side's reader."""
    return ReaderNotices(getattr(registry.load_format(index.format), "NOTICE_JOINERS", {}))


def _list_file_notices(index: CorpusIndex, readers: ReaderNotices) -> Iterator[Notice]:
    """Yield what readers say about the files of an index, file by file."""
    about = index.file_notices.keys() | readers.sources
    for path in dict.fromkeys(document.path for document in index.documents) if about else ():
        if path in about:  # there may be many files that nothing is said about
            yield from index.file_notices.get(path, ())
            yield from readers.list_notices(path)


def _check_no_spanning(index: CorpusIndex, beginnings: list[int] | None) -> None:
    """Raise a WholeCorpusError if names of entities may recur across documents, which all names together tell."""
    advise = getattr(registry.load_format(index.format), "advise_across_documents", None)
    if advise is None or len(index.documents) < 2 or not advise(_make_skeleton(index)):
        return
    if beginnings is None or 2 * beginnings[0] <= beginnings[1]:
        raise WholeCorpusError(f"{index.source}: whether entities span documents is seen from all of them together")


def _join_errors(errors: Sequence[InputError], index: CorpusIndex) -> InputError | None:
    """Return one error with the faults of all by file and line, and those of repeated names; None if there are none."""
    listed = (fault for error in errors for fault in error.faults)
    faults = sorted(listed, key=lambda fault: (fault.source, fault.line or 0))
    if index.has_repeats:
        repeats = find_repeated_names(index, {fault.source for fault in faults})
        faults = sorted({*faults, *repeats}, key=lambda fault: (fault.source, fault.line or 0))
    return InputError(faults, unlisted=sum((error.unlisted for error in errors), Counts[str]())) if faults else None


def _raise_faults(errors: Iterable[InputError | None]) -> None:
    """Raise the first of these errors, which also has the others in `others`; do nothing if there are none."""
    found = [error for error in errors if error is not None]
    if found:
        found[0].others = tuple(found[1:])
        raise found[0]
