"""What the columns of a CoNLL-UA file mean: entities with their minimum spans, relations and layers."""

from __future__ import annotations

import graphlib
import re
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter

import numpy as np

from corefeval._arrays import Ints, number_by_first_occurrence, number_values
from corefeval._lazy import NamedTuple, cached
from corefeval.corpus.beyond_identity import Relation
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Pieces, Spans, to_mention
from corefeval.formats.shared.columns import parse_numbers
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.formats.shared.writing import number_words
from corefeval.formats.ua.columns import NON_REFERRING
from corefeval.formats.ua.features import Features, FeatureTable
from corefeval.formats.ua.markables import Markables
from corefeval.formats.ua.rows import UaWords
from corefeval.notices import count_part

_MINIMUM = re.compile(r"([0-9.]+)(?:[,-]([0-9.]+))?")
_ZERO, _COMMA, _HYPHEN = b"0,-"


def read_content(base: Corpus, markables: Mapping[str, Markables], words: UaWords, diagnostics: Diagnostics) -> Corpus:
    """Return a corpus of the words of `base` with what each column says; add faults and notices."""
    identity, deixis = (
        _read_entities(markables[column], words, base.documents, diagnostics)
        for column in ("IDENTITY", "DISCOURSE_DEIXIS")
    )
    is_apart = np.array([name.endswith(NON_REFERRING) for name in identity.names], dtype=np.bool_)[identity.entity]
    corpus = _build_layer(base, identity, np.flatnonzero(~is_apart))
    layers = {
        "non_referring": _build_layer(base, identity, np.flatnonzero(is_apart)),
        "discourse_deixis": _build_layer(base, deixis, np.arange(len(deixis.entity))),
    }
    relations = _read_splits(identity, (corpus, layers["non_referring"]), diagnostics)
    anchors = _IdentityColumn(identity)
    relations += _read_bridges(markables["BRIDGING"], anchors, base.documents, diagnostics)
    splits = _read_splits(deixis, (layers["discourse_deixis"],), diagnostics)
    layers["discourse_deixis"] = layers["discourse_deixis"].replace(relations=_sort_relations(splits))
    layers["nom_sem"] = _read_descriptions(base, markables["NOM_SEM"], anchors, diagnostics)
    # In the order of the documents, and of these layers in a document.
    present = sorted(
        (each.document[0], number, name) for number, (name, each) in enumerate(layers.items()) if len(each)
    )
    return corpus.replace(relations=_sort_relations(relations), layers={name: layers[name] for *_, name in present})


class _EntityColumn(NamedTuple):
    """A column of entities: which of `names` each markable is of, and its minimum span, -1 for none.

    features: what else is said of it. elements: of which entities, by their names, its own is an element.
    """

    markables: Markables
    names: list[str]
    entity: Ints
    minimum: tuple[Ints, Ints]
    features: FeatureTable
    elements: dict[int, str]


def _read_entities(
    markables: Markables, words: UaWords, documents: Sequence[str], diagnostics: Diagnostics
) -> _EntityColumn:
    """Return the entities of a column; add a notice for each document with minimums that are not within mentions."""
    features = markables.features
    names, entity = number_values(features.read(features.find("EntityID")))
    pair = features.find("Min")
    first, last = _find_minimums(markables, words)
    misplaced = np.flatnonzero((pair >= 0) & (first < 0))
    in_document = np.bincount(markables.document, minlength=len(documents))
    for document, first_row, count in zip(
        *(each.tolist() for each in np.unique(markables.document[misplaced], return_index=True, return_counts=True)),
        strict=True,
    ):
        row = misplaced[first_row]
        some = f"{count_part(count, int(in_document[document]), 'mention')} of document {documents[document]!r}"
        has, it = ("has", "it") if count == 1 else ("have", "them")
        (written,) = features.read(pair[[row]])
        what = f"a Min that is not a span within {it}, and {has} no minimum, first Min={written}"
        message, line = f"{some} {has} {what}", int(markables.line[row])
        diagnostics.add_notice("minimum-outside", line, message, document=documents[document], count=count)
    of_element = features.find("ElementOf")
    has_elements = np.flatnonzero(of_element >= 0)
    elements = dict(zip(has_elements.tolist(), features.read(of_element[has_elements]), strict=True))
    used = [features.find("EntityID"), of_element, np.where(first >= 0, pair, -1)]
    is_left = np.ones(len(features.owner), dtype=np.bool_)
    for rows in used:
        is_left[rows[rows >= 0]] = False
    return _EntityColumn(markables, names, entity, (first, last), features.select(is_left), elements)


def _find_minimums(markables: Markables, words: UaWords) -> tuple[Ints, Ints]:
    """Return first and last word of each markable's Min, which must be within one part of the mention; else -1."""
    features = markables.features
    pair = features.find("Min")
    first, last = np.full(len(pair), -1, dtype=np.int64), np.full(len(pair), -1, dtype=np.int64)
    rows = np.flatnonzero(pair >= 0)
    begin, end, code = features.begin[pair[rows]], features.end[pair[rows]], features.code
    marks = np.append(np.flatnonzero((code == _COMMA) | (code == _HYPHEN)), len(code))
    middle = np.minimum(marks[np.searchsorted(marks, begin)], end)
    second = np.where(middle < end, middle + 1, begin)
    document = markables.document[rows]
    numbers = [parse_numbers(code, *place) for place in ((begin, middle), (second, end))]
    usual = (numbers[0] > 0) & (numbers[1] > 0) & (code[begin] != _ZERO) & (code[second] != _ZERO)
    first[rows], last[rows] = (_find_written_words(number, document, words) for number in numbers)
    places: dict[str, int] = {}
    here = -1
    for place in np.flatnonzero(~usual).tolist():  # zeros, such as 7.1, and what makes no sense
        if here != document[place]:
            here = document[place]
            is_zero = words.is_zero[words.bounds[here] : words.bounds[here + 1]]
            places = {number: word for word, number in enumerate(number_words(is_zero))}
        match = _MINIMUM.fullmatch(code[begin[place] : end[place]].tobytes().decode())
        found = (match[1], match[2] or match[1]) if match else ("", "")
        first[rows[place]], last[rows[place]] = (places.get(number, -1) for number in found)
    fits = (first >= markables.first) & (first <= last) & (last <= markables.last) & (first >= 0)
    for row, runs in markables.pieces.items():
        fits[row] = any(begin <= first[row] <= last[row] <= end for begin, end in runs)
    return np.where(fits, first, -1), np.where(fits, last, -1)


def _find_written_words(number: Ints, document: Ints, words: UaWords) -> Ints:
    """Return the words with these numbers among those of their documents that are no zeros; -1 for none."""
    written = np.flatnonzero(~words.is_zero)
    bounds = np.searchsorted(written, words.bounds)
    place = bounds[document] + number - 1
    there = (number > 0) & (place < bounds[document + 1])
    found = np.full(len(number), -1, dtype=np.int64)
    found[there] = written[place[there]] - words.bounds[document[there]]
    return found


def _build_layer(base: Corpus, column: _EntityColumn, rows: Ints) -> Corpus:
    """Return a corpus of the words of `base` with the mentions in some rows of a column."""
    markables, width = column.markables, max(1, len(column.names))
    labels, entity = number_by_first_occurrence(markables.document[rows] * width + column.entity[rows])
    number = np.full(len(column.entity), -1, dtype=np.int64)
    number[rows] = np.arange(len(rows))
    pieces = {int(number[row]): runs for row, runs in markables.pieces.items() if number[row] >= 0}
    minimum = Spans(column.minimum[0][rows], column.minimum[1][rows])
    return base.replace(
        entity_document=labels // width,
        entity_name=[column.names[name] for name in (labels % width).tolist()],
        entity=entity,
        mentions=Spans(markables.first[rows], markables.last[rows], pieces),
        minimums=minimum if (minimum.start >= 0).any() else None,
        attributes=column.features.renumber(number, len(rows)).make_attributes(),
    )


def _sort_relations(relations: Sequence[tuple[int, Relation]]) -> tuple[Relation, ...]:
    """Return relations, given with the numbers of their documents, in the order of these."""
    return tuple(relation for _, relation in sorted(relations, key=itemgetter(0)))


def _read_splits(
    column: _EntityColumn, layers: Sequence[Corpus], diagnostics: Diagnostics
) -> list[tuple[int, Relation]]:
    """Return the documents' numbers, and relations from each plural entity to its elements; add faults and notices.

    They come in the order of the entities, which the layers have.
    """
    elements: dict[int, dict[tuple[str, str], int]] = {}
    for row, written in column.elements.items():
        listed = elements.setdefault(int(column.markables.document[row]), {})
        for plural in filter(None, map(str.strip, written.split(","))):
            listed.setdefault((plural, column.names[column.entity[row]]), int(column.markables.line[row]))
    return [
        (document, relation)
        for document, listed in elements.items()
        for relation in _relate_elements(document, listed, layers, diagnostics)
    ]


def _relate_elements(
    document: int, elements: Mapping[tuple[str, str], int], layers: Sequence[Corpus], diagnostics: Diagnostics
) -> list[Relation]:
    """Return the relations from each plural entity of a document to its elements; add faults and notices.

    elements: the line of every pair of a plural entity and one of its elements.
    """
    order: dict[str, int] = {}
    for layer in layers:
        for place in range(*np.searchsorted(layer.entity_document, [document, document + 1])):
            order.setdefault(str(layer.entity_name[place]), len(order))
    plurals: dict[str, list[str]] = {}
    for (plural, element), line in elements.items():
        if plural == element:
            message = f"entity {plural!r} is an element of itself, which is left out"
            diagnostics.add_notice("self-link", line, message)
        elif plural not in order:
            message = f"{element!r} is an element of {plural!r}, which has no mentions; that is left out"
            diagnostics.add_notice("dangling-reference", line, message)
        else:
            plurals.setdefault(plural, []).append(element)
    try:
        graphlib.TopologicalSorter(plurals).prepare()
    except graphlib.CycleError as error:
        cycle: list[str] = error.args[1]  # each is an element of the next one, and the last one is the first again
        what = f"entities that are elements of each other: {' of '.join(cycle)[:200]}"
        line = elements[cycle[1], cycle[0]]
        diagnostics.add_fault(line, what, "plural entities of others than themselves", kind="reference-cycle")
    name = layers[0].documents[document]
    return [
        Relation("split", name, plural, tuple(sorted(plurals[plural], key=order.__getitem__)), "", {})
        for plural in sorted(plurals, key=order.__getitem__)
    ]


class _IdentityColumn:
    """The mentions of the column IDENTITY, by name and by their first words, for columns that refer to them."""

    def __init__(self, column: _EntityColumn) -> None:
        self._column = column
        self._document = -1
        self.by_name: dict[str, int] = {}
        self.by_word: dict[int, int] = {}
        self.entities: set[str] = set()

    def enter_document(self, document: int) -> None:
        """Look only at the mentions of one document from now on."""
        if document == self._document:
            return
        self._document = document
        markables = self._column.markables
        rows = range(*np.searchsorted(markables.document, [document, document + 1]).tolist())
        self.by_name = {self._names[row]: row for row in rows if self._names[row]}
        self.by_word = {int(markables.word[row]): row for row in reversed(rows)}
        self.entities = {self.get_entity(row) for row in rows}

    @cached
    def _names(self) -> list[str]:
        """The MarkableID of every mention, "" for none."""
        features = self._column.markables.features
        return features.read(features.find("MarkableID"))

    def get_entity(self, row: int) -> str:
        """Return the name of the entity of a mention."""
        return self._column.names[self._column.entity[row]]

    def find_places(
        self, markables: Markables, column: str, diagnostics: Diagnostics
    ) -> Iterator[tuple[int, Features, Pieces]]:
        """Yield another column's markables with their features and runs, by brackets, name or first word; add notices.

        Those that are of no mention are left out.
        """
        columns = markables.document.tolist(), markables.features.list_features()
        for row, (document, features) in enumerate(zip(*columns, strict=True)):
            self.enter_document(document)
            name = features.get("MarkableID")
            mention = self.by_name.get(name) if name else self.by_word.get(int(markables.word[row]))
            runs = markables.get_runs(row) or (() if mention is None else self._column.markables.get_runs(mention))
            if runs:
                yield row, features, runs
            else:
                message = f"{column} names {name or 'a mention'!r}, which is not in IDENTITY; it is left out"
                diagnostics.add_notice("dangling-reference", int(markables.line[row]), message)


def _read_bridges(
    markables: Markables, identity: _IdentityColumn, documents: Sequence[str], diagnostics: Diagnostics
) -> list[tuple[int, Relation]]:
    """Return a document's number and a relation for each markable of BRIDGING; add notices of missing anchors."""
    relations = []
    for row, features, runs in identity.find_places(markables, "BRIDGING", diagnostics):
        label, entity = features.pop("Rel", ""), features.pop("EntityAnchor", "")
        name = features.get("MentionAnchor", "")
        anchor = identity.by_name.get(name)
        if anchor is not None and not entity:
            entity = identity.get_entity(anchor)
        missing = name if name and anchor is None else entity
        if (name and anchor is None) or not {entity, entity + NON_REFERRING} & identity.entities:
            message = f"the anchor {missing!r} in BRIDGING is not in IDENTITY"
            message = message if missing else "no anchor is given in BRIDGING"
            diagnostics.add_notice("dangling-reference", int(markables.line[row]), message)
        document = int(markables.document[row])
        targets = (entity,) if entity else ()
        relation = Relation("bridge", documents[document], to_mention(runs), targets, label, features)
        relations.append((document, relation))
    return relations


def _read_descriptions(
    base: Corpus, markables: Markables, identity: _IdentityColumn, diagnostics: Diagnostics
) -> Corpus:
    """Return the layer of NOM_SEM: every markable is an entity by itself, with its features."""
    rows, names, places = [], [], []
    number, here = 0, -1
    for row, features, runs in identity.find_places(markables, "NOM_SEM", diagnostics):
        number, here = (number + 1 if here == markables.document[row] else 1), markables.document[row]
        rows.append(row)
        names.append(features.get("MarkableID") or f"#{number}")
        places.append(runs)
    distinct, name = number_values(names)
    width = max(1, len(distinct))
    chosen = np.array(rows, dtype=np.int64)
    labels, entity = number_by_first_occurrence(markables.document[chosen] * width + name)
    owner = np.full(len(markables.word), -1, dtype=np.int64)
    owner[chosen] = np.arange(len(chosen))
    return base.replace(
        entity_document=labels // width,
        entity_name=[distinct[each] for each in (labels % width).tolist()],
        entity=entity,
        mentions=Spans.from_runs(places),
        attributes=markables.features.renumber(owner, len(rows)).make_attributes(),
    )
