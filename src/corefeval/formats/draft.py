"""A corpus in the making: what a reader finds, document by document, and what is wrong with it.

    draft = Draft("file.xml")
    document = draft.add_document("story", words=["Kim", "saw", "herself"])
    document.add_mention("1", (0, 0), attributes={"level": "NAM"})
    document.add_mention("1", (2, 2), attributes={"level": "PRO"})
    document.describe_entity("1", type="PER")
    corpus = draft.build_corpus()

Mentions are pairs of first and last word (of first and last character, where the document is given as `text`), both
counted from 0 over the document and both included; a mention with gaps is a tuple of such pairs.
"""

from __future__ import annotations

import itertools
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from corefeval.corpus.beyond_identity import Relation
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Objects, Spans, get_runs
from corefeval.corpus.tokens import Tokens
from corefeval.formats.shared.diagnostics import Diagnostics

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from corefeval.corpus.mentions import MentionColumn, Pieces

    Span = tuple[int, int]

_NONE = (-1, -1)


class DocumentDraft:
    """One document."""

    def __init__(
        self,
        name: str,
        words: Sequence[str] | None,
        text: str | None,
        sentence: Sequence[int] | None,
        empty: Sequence[bool] | None,
        lines: Sequence[int] | None,
        word_attributes: Mapping[str, Sequence[str]] | None,
    ) -> None:
        self.name, self.words, self.text = name, words, text
        self.sentence, self.empty, self.lines = sentence, empty, lines
        self.word_attributes = word_attributes or {}
        self.entities: dict[str, dict[str, str]] = {}
        self.rows: list[tuple[str, Hashable, Span, Span, int, Mapping[str, str]]] = []
        self.relations: list[Relation] = []
        self.layers: dict[str, DocumentDraft] = {}

    def add_mention(
        self,
        entity: str,
        mention: Span | Pieces | Hashable,
        /,
        *,
        head: Span | None = None,
        minimum: Span | None = None,
        line: int = 0,
        attributes: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """A mention of an entity, which is made if it is not there yet."""
        self.entities.setdefault(entity, {})
        self.rows.append((entity, mention, head or _NONE, minimum or _NONE, line, attributes))

    def describe_entity(self, name: str, /, **attributes: str) -> None:
        """What is known about an entity; its order is that in which entities are first spoken of."""
        self.entities.setdefault(name, {}).update(attributes)

    def add_relation(
        self,
        kind: str,
        source: Hashable,
        targets: Iterable[str],
        label: str = "",
        attributes: Mapping[str, str] | None = None,
    ) -> None:
        """What the file says beyond identity: `source` is a mention or an entity's name, `targets` are entities."""
        self.relations.append(Relation(kind, self.name, source, tuple(targets), label, attributes or {}))

    def get_layer(self, name: str) -> DocumentDraft:
        """What is marked besides entities, over the same words."""
        if name not in self.layers:
            self.layers[name] = DocumentDraft(
                self.name, self.words, self.text, self.sentence, self.empty, self.lines, self.word_attributes
            )
        return self.layers[name]


class Draft(Diagnostics):
    """A file's documents."""

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.documents: list[DocumentDraft] = []
        self._names: set[str] = set()

    def add_document(
        self,
        name: str,
        *,
        words: Sequence[str] | None = None,
        text: str | None = None,
        sentence: Sequence[int] | None = None,
        empty: Sequence[bool] | None = None,
        lines: Sequence[int] | None = None,
        word_attributes: Mapping[str, Sequence[str]] | None = None,
        line: int | None = None,
    ) -> DocumentDraft:
        """A new document: its words or its running text, if known.

        For every word: the number of its sentence, whether it is not written in the text (a zero), and its line.
        """
        if name in self._names:
            self.add_fault(line, f"document {name!r} is there already", "every document once", kind="document-twice")
        self._names.add(name)
        self.documents.append(DocumentDraft(name, words, text, sentence, empty, lines, word_attributes))
        return self.documents[-1]

    def build_corpus(self) -> Corpus:
        """The finished corpus; raises an error if anything is wrong."""
        for document in self.documents:
            self._check(document)
        self.raise_faults()
        corpus = _build_corpus(self.documents, self.source)
        layers = dict.fromkeys(name for document in self.documents for name in document.layers)
        return corpus.replace(
            notices=self.limit_notices(),
            layers={
                name: _build_corpus([each.get_layer(name) for each in self.documents], self.source) for name in layers
            },
        )

    def _check(self, document: DocumentDraft) -> None:
        content, unit = (document.words, "word") if document.words is not None else (document.text, "character")
        length = None if content is None else len(content)
        used = set()
        for entity, mention, _, _, line, _ in document.rows:
            used.add(entity)
            if length is None:
                continue
            runs = get_runs(mention)
            outside = not all(0 <= first <= last < length for first, last in runs)
            if outside or any(a[1] >= b[0] for a, b in itertools.pairwise(runs)):
                what = f"{mention!r} is not within the {length} {unit}s of document {document.name!r}"
                self.add_fault(line or None, what, f"first and last {unit}, counted from 0", kind="mention-outside")
        for entity in [name for name in document.entities if name not in used]:
            self.add_notice("empty-entity", None, f"entity {entity!r} of document {document.name!r} has no mentions "
                        "and is left out", document=document.name, entity=entity)  # fmt: skip
            del document.entities[entity]


def _build_corpus(documents: Sequence[DocumentDraft], source: str) -> Corpus:
    rows = [(number, *row) for number, document in enumerate(documents) for row in document.rows]
    names = [name for document in documents for name in document.entities]
    entity_document = np.repeat(np.arange(len(documents)), [len(document.entities) for document in documents])
    place = {(int(number), name): row for row, (number, name) in enumerate(zip(entity_document, names, strict=True))}
    entity = np.array([place[number, name] for number, name, *_ in rows], dtype=np.int64)
    attributes = [row[6] for row in rows]
    entity_attributes = [values for document in documents for values in document.entities.values()]
    return Corpus(
        tuple(document.name for document in documents),
        entity_document,
        names,
        entity,
        _build_mentions([row[2] for row in rows], documents),
        _build_tokens(documents),
        texts=_list_texts(documents),
        source=source,
        heads=_build_optional_spans([row[3] for row in rows]),
        minimums=_build_optional_spans([row[4] for row in rows]),
        lines=np.array([row[5] for row in rows], dtype=np.int64) if any(row[5] for row in rows) else None,
        attributes=_transpose(attributes),
        entity_attributes=_transpose(entity_attributes),
        relations=tuple(relation for document in documents for relation in document.relations),
    )


def _build_mentions(mentions: Sequence[Hashable], documents: Sequence[DocumentDraft]) -> MentionColumn:
    if any(document.words is None and document.text is None for document in documents):
        return Objects(mentions)
    return Spans.from_runs([get_runs(mention) for mention in mentions])


def _build_tokens(documents: Sequence[DocumentDraft]) -> Tokens | None:
    if any(document.words is None for document in documents) or not documents:
        return None
    words = [document.words or () for document in documents]
    names = dict.fromkeys(name for document in documents for name in document.word_attributes)
    return Tokens.from_words(
        words,
        line=np.array([line for d in documents for line in d.lines or [0] * len(d.words or ())], dtype=np.int64),
        numbers=np.array([n for d in documents for n in d.sentence or [0] * len(d.words or ())], dtype=np.int64),
        empty=np.array([e for d in documents for e in d.empty or [False] * len(d.words or ())], dtype=np.bool_),
        attributes={
            name: [v for d in documents for v in d.word_attributes.get(name) or [""] * len(d.words or ())]
            for name in names
        },
    )


def _list_texts(documents: Sequence[DocumentDraft]) -> tuple[str, ...] | None:
    if any(document.text is None for document in documents) or not documents:
        return None
    return tuple(document.text or "" for document in documents)


def _build_optional_spans(spans: Sequence[Span]) -> Spans | None:
    if all(span == _NONE for span in spans):
        return None
    start, end = zip(*spans, strict=True)
    return Spans(np.array(start, dtype=np.int64), np.array(end, dtype=np.int64))


def _transpose(rows: Sequence[Mapping[str, str]]) -> dict[str, list[str]]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name, "") for row in rows] for name in names}
