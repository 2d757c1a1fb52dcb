"""Making one document of all documents of a group, on both sides alike, so that entities reach across them.

Documents are paired before. Their words stand one after another then, so mentions of two documents are never equal; an
entity's name that recurs is one entity (see `entity_names`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from corefeval._arrays import Ints, np
from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.entity_names import are_names_shared, number_entities
from corefeval.corpus.mentions import Carried, Objects, Pieces, Spans, as_spans
from corefeval.corpus.singletons import drop_singletons
from corefeval.corpus.tokens import WORD
from corefeval.formats.shared.spanning import make_spanning_notices
from corefeval.matching.documents import PairedDocuments
from corefeval.matching.levels import DOCUMENT, Groups, group_documents
from corefeval.matching.places import PlacedSpans
from corefeval.matching.split_antecedents import KIND
from corefeval.notices import Notice
from corefeval.options import Options

_ORIGIN = "document"
"""The attribute of mentions that says which document of its group a mention is from."""


_DROPS: dict[str, Callable[[Corpus], Corpus]] = {
    "drop": drop_singletons,
    "drop_listed": lambda corpus: corpus.keep(corpus.sizes[corpus.entity] > 1),
}
"""How a side loses its singletons, by the value of `singletons`."""


class _Offsets(NamedTuple):
    """For each document, what is added to its places when it becomes part of its group.

    common: in the count in which both sides' mentions are compared. key, response: in each side's own words.
    """

    common: Ints
    key: Ints
    response: Ints


def merge_groups(paired: PairedDocuments, options: Options) -> PairedDocuments:
    """Return paired documents with one document for each group of the level, and more notices.

    Unchanged where they are one already. Singletons are dropped, if the options say so.
    """
    if paired.key.level == DOCUMENT:
        paired = _merge_documents(paired, group_documents(paired.key, options.level, options.topics), options)
    drop = _DROPS.get(options.singletons)
    return paired if drop is None else paired._replace(key=drop(paired.key), response=drop(paired.response))


def _merge_documents(paired: PairedDocuments, groups: Groups, options: Options) -> PairedDocuments:
    """Return paired documents with one for each group, and notices of names that are local or recur beyond groups."""
    documents = paired.key.documents
    order = np.argsort(groups.number, kind="stable")
    names = tuple(documents[number] for number in order.tolist())
    groups = groups._replace(number=groups.number[order])
    key, response = _unify_columns(paired.key.select_documents(names), paired.response.select_documents(names))
    offsets = _count_offsets(key, response, groups)
    absent = set(paired.missing)
    by_group: list[list[str]] = [[] for _ in groups.names]
    for name, number in zip(names, groups.number.tolist(), strict=True):
        by_group[number].append(name)
    merged = (
        _merge_side(key, groups, offsets.common, offsets.key, options),
        _merge_side(response, groups, offsets.common, offsets.response, options),
    )
    notices = _make_alone_notices(key, options.level) if groups.alone else []
    notices += [
        notice
        for role, before, after in (("key", key, merged[0]), ("response", response, merged[1]))
        for notice in _make_notices(role, before, after, options)
    ]
    missing = tuple(name for name, mine in zip(groups.names, by_group, strict=True) if absent.issuperset(mine))
    return PairedDocuments(*merged, (*paired.notices, *notices), missing)


def _unify_columns(key: Corpus, response: Corpus) -> tuple[Corpus, Corpus]:
    """Return both sides with mentions as spans, if all of them can be; else as pairs of document and mention."""
    columns = [as_spans(side.mentions) for side in (key, response)]
    if columns[0] is not None and columns[1] is not None:
        return key.replace(mentions=columns[0]), response.replace(mentions=columns[1])
    return _name_documents(key), _name_documents(response)


def _name_documents(corpus: Corpus) -> Corpus:
    """Return the corpus with mentions that are pairs (name of their document, what identified them before)."""
    pairs = zip(corpus.document.tolist(), corpus.mentions.objects(), strict=True)
    return corpus.replace(
        mentions=Objects([(corpus.documents[number], mention) for number, mention in pairs]), heads=None, minimums=None
    )


def _count_offsets(key: Corpus, response: Corpus, groups: Groups) -> _Offsets:
    """Return how far the places of each document move: behind all places of the documents before it in its group."""
    length = np.zeros(len(groups.number), dtype=np.int64)
    for side in (key, response):
        if not isinstance(side.mentions, Carried):
            np.maximum(length, _measure_documents(side), out=length)
        for column in (side.mentions, side.heads, side.minimums):
            if isinstance(column, Spans):
                np.maximum.at(length, side.document, column.end + 1)
    if isinstance(key.mentions, PlacedSpans) or isinstance(response.mentions, PlacedSpans):
        length = (length // WORD + 2) * WORD  # a place of a written word, behind which zeros have room
    common = _accumulate(length, groups)
    own = [
        common if side.tokens is None and side.texts is None else _accumulate(_measure_documents(side), groups)
        for side in (key, response)
    ]
    return _Offsets(common, *own)


def _measure_documents(corpus: Corpus) -> Ints:
    """Return how many words each document has, or characters with one for the line break behind it; 0 if unknown."""
    if corpus.tokens is not None:
        return np.diff(corpus.tokens.bounds)
    if corpus.texts is not None:
        return np.array([len(text) + 1 for text in corpus.texts], dtype=np.int64)
    return np.zeros(len(corpus.documents), dtype=np.int64)


def _accumulate(length: Ints, groups: Groups) -> Ints:
    """Return for each document the lengths of those before it in its group, summed; groups stand one after another."""
    before = np.cumsum(length) - length
    first = np.searchsorted(groups.number, np.arange(len(groups.names)))
    return before - before[first][groups.number]


def _merge_side(corpus: Corpus, groups: Groups, common: Ints, own: Ints, options: Options) -> Corpus:
    """Return one side with a document for each group, less its relations and layers; groups stand one after another."""
    number = number_entities(corpus, groups.number, options.entity_names)
    document = corpus.document
    origin = np.array(corpus.documents, dtype=object)[document].tolist()
    moved = corpus.map_spans(lambda column: _move_spans(column, document, common, own))
    first = np.searchsorted(groups.number, np.arange(len(groups.names)))
    files = [set(map(corpus.file, np.flatnonzero(groups.number == each).tolist())) for each in range(len(first))]
    return moved.replace(
        documents=groups.names,
        entity_document=groups.number[corpus.entity_document],
        tokens=None if corpus.tokens is None else corpus.tokens.join_documents(first),
        texts=None if corpus.texts is None else _join_texts(corpus.texts, groups),
        attributes={_ORIGIN: origin, **corpus.attributes},
        files=tuple(next(iter(each)) if len(each) == 1 else corpus.source for each in files),
        relations=(),
        layers={},
        unnamed=frozenset(),
        level=options.level,
    ).merge_entities(number)


def _join_texts(texts: Sequence[str], groups: Groups) -> tuple[str, ...]:
    """Return the text of each group: those of its documents, each with a line break behind it."""
    joined = [""] * len(groups.names)
    for text, number in zip(texts, groups.number.tolist(), strict=True):
        joined[number] += text + "\n"
    return tuple(joined)


def _move_spans(column: Spans, document: Ints, common: Ints, own: Ints) -> Spans:
    """Return spans moved by what is added to the places of their documents, in both counts if these differ."""
    there = _add_offsets(column, common[document])
    if isinstance(column, Carried):
        return type(column)(there, _add_offsets(column.own, own[document]))
    return there if np.array_equal(common, own) else Carried(there, _add_offsets(column, own[document]))


def _add_offsets(column: Spans, offset: Ints) -> Spans:
    """Return spans with a number added to each; -1, which stands for none, stays."""
    given = column.start >= 0

    def move(runs: Pieces, by: int) -> Pieces:
        """Return runs with a number added to each place."""
        return tuple((first + by, last + by) for first, last in runs)

    pieces = {row: move(runs, int(offset[row])) for row, runs in column.pieces.items()}
    return Spans(column.start + offset * given, column.end + offset * given, pieces)


def _make_alone_notices(key: Corpus, level: str) -> list[Notice]:
    """Return a list of one notice: that documents do not say which group they are in; [] if there is one document."""
    if len(key.documents) < 2:
        return []
    what = f"documents have no {level} in their names, e.g. {key.documents[0]!r}; each is taken for a {level}"
    advice = f"topics=FILE.csv or topics=REGEX says which {level} they are in"
    return [Notice.at("no-groups", key.source or "key", None, f"{what}; {advice}", {"level": level})]


def _make_notices(side: str, before: Corpus, after: Corpus, options: Options) -> list[Notice]:
    """Return notices of one side: what is left out, names that are local, names that recur in several groups."""
    source, level = before.source or side, options.level
    notices = []
    left = sum(relation.kind != KIND for relation in before.relations) + len(before.layers)
    if left:
        message = f"relations and layers ({left:,}) are left out: level={level} scores identity only"
        notices.append(Notice.at("left-out-relations", source, None, message, {"side": side, "count": left}))
    if not are_names_shared(before, options.entity_names):
        if len(before.documents) == len(after.documents):
            return notices
        what = "names of entities count within documents, so none reaches beyond its document"
        message = f"{what} (level={level}); entity_names=shared makes one entity of equal names"
        notices.append(Notice.at("local-names", source, None, message, {"side": side, "level": level}))
        return notices
    advice = f"level={'topic or corpus' if level == 'subtopic' else 'corpus'} scores across them"
    return [*notices, *make_spanning_notices(after.replace(shared_names=True), advice, level)]
