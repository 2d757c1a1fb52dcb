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

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, chain
from types import MappingProxyType

import numpy as np

from corefeval._lazy import NamedTuple
from corefeval.corpus.beyond_identity import Relation
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Objects, Pieces, Spans, get_runs
from corefeval.corpus.tokens import Tokens
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.formats.shared.segments import LineMap
from corefeval.notices import count_things

Span = tuple[int, int]

_NONE = (-1, -1)


class SentenceWords:
    """The words of a document, the number of the sentence of each, and where sentences begin and the last one ends."""

    def __init__(self, sentences: Sequence[Sequence[str]]) -> None:
        self.words = list(chain.from_iterable(sentences))
        self.sentence = [number for number, words in enumerate(sentences) for _ in words]
        self.begin = list(accumulate(map(len, sentences), initial=0))

    def find_word(self, sentence: int, word: int) -> int | None:
        """Return a word's number in the document, given its sentence and place in it, all from 0; None if outside."""
        if not 0 <= sentence < len(self.begin) - 1 or self.begin[sentence] + word >= self.begin[sentence + 1]:
            return None
        return self.begin[sentence] + word


class MentionDraft(NamedTuple):
    """One mention."""

    entity: str
    mention: Hashable
    head: Span
    minimum: Span
    line: int
    attributes: Mapping[str, str]


@dataclass(slots=True)
class DocumentDraft:
    """One document."""

    name: str
    words: Sequence[str] | None
    text: str | None
    sentence: Sequence[int] | None
    empty: Sequence[bool] | None
    lines: Sequence[int] | None
    word_attributes: Mapping[str, Sequence[str]]
    entities: dict[str, dict[str, str]] = field(default_factory=dict)
    mentions: list[MentionDraft] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)
    layers: dict[str, DocumentDraft] = field(default_factory=dict)

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
        """Add a mention to an entity, which is made if it is not there yet."""
        self.entities.setdefault(entity, {})
        self.mentions.append(MentionDraft(entity, mention, head or _NONE, minimum or _NONE, line, attributes))

    def describe_entity(self, name: str, /, **attributes: str) -> None:
        """Add attributes to an entity, which is made if it is not there yet; values of the same name are replaced."""
        self.entities.setdefault(name, {}).update(attributes)

    def add_relation(
        self,
        kind: str,
        source: Hashable,
        targets: Iterable[str],
        label: str = "",
        attributes: Mapping[str, str] | None = None,
    ) -> None:
        """Add a relation beyond identity, from `source`, a mention or entity name, to `targets`, names of entities."""
        self.relations.append(Relation(kind, self.name, source, tuple(targets), label, attributes or {}))

    def get_layer(self, name: str) -> DocumentDraft:
        """Return the draft of a further layer of mentions over the same words, by name; an empty one if it is new."""
        if name not in self.layers:
            self.layers[name] = replace(self, entities={}, mentions=[], relations=[], layers={})
        return self.layers[name]


class Draft(Diagnostics):
    """A file's documents."""

    def __init__(self, source: str, lines: LineMap | None = None, *, by_line: bool = False) -> None:
        super().__init__(source, lines, by_line=by_line)
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
        """Add a document with its words or running text, if known, and return its draft; a fault if its name is taken.

        For every word: the number of its sentence, whether it is not written in the text (a zero), and its line.
        """
        if name in self._names:
            self.add_fault(line, f"document {name!r} is there already", "every document once", kind="document-twice")
        self._names.add(name)
        self.documents.append(DocumentDraft(name, words, text, sentence, empty, lines, word_attributes or {}))
        return self.documents[-1]

    def build_corpus(self) -> Corpus:
        """Return the corpus with its layers, without entities that are empty; an InputError of all faults, if any."""
        for document in self.documents:
            self._check_spans(document)
            self._drop_empty_entities(document)
        self.raise_faults()
        corpus = _build_corpus(self.documents, self.source)
        layers = dict.fromkeys(name for document in self.documents for name in document.layers)
        return corpus.replace(
            notices=self.limit_notices(),
            layers={
                name: _build_corpus([each.get_layer(name) for each in self.documents], self.source) for name in layers
            },
        )

    def _check_spans(self, document: DocumentDraft) -> None:
        """Add a fault for every mention that is not within its document's words or text, where known."""
        content, unit = (document.words, "word") if document.words is not None else (document.text, "character")
        if content is None:
            return
        length = len(content)
        for each in document.mentions:
            if not _lie_within(get_runs(each.mention), length):
                size = count_things(length, unit)
                what = f"{each.mention!r} is not within the {size} of document {document.name!r}"
                expected = f"first and last {unit}, counted from 0"
                self.add_fault(each.line or None, what, expected, kind="mention-outside")

    def _drop_empty_entities(self, document: DocumentDraft) -> None:
        """Take entities without mentions out of a document's draft, with a notice for each."""
        used = {each.entity for each in document.mentions}
        for entity in [name for name in document.entities if name not in used]:
            message = f"entity {entity!r} of document {document.name!r} has no mentions and is left out"
            self.add_notice("empty-entity", None, message, document=document.name, entity=entity)
            del document.entities[entity]


def _lie_within(runs: Pieces, length: int) -> bool:
    """Return whether all runs (first, last) are within a text of this length, in order and without overlap."""
    reach = -1
    for first, last in runs:
        if not reach < first <= last < length:
            return False
        reach = last
    return True


def _build_corpus(documents: Sequence[DocumentDraft], source: str) -> Corpus:
    """Return the corpus of drafted documents, without their layers."""
    entity_document = np.repeat(np.arange(len(documents)), [len(document.entities) for document in documents])
    names = [name for document in documents for name in document.entities]
    rows = {key: row for row, key in enumerate(zip(entity_document.tolist(), names, strict=True))}
    mentions = [each for document in documents for each in document.mentions]
    entity = [rows[number, each.entity] for number, document in enumerate(documents) for each in document.mentions]
    identities = [each.mention for each in mentions]
    have_content = all(document.words is not None or document.text is not None for document in documents)
    has_texts = bool(documents) and all(document.text is not None for document in documents)
    has_lines = any(each.line for each in mentions)
    return Corpus(
        tuple(document.name for document in documents),
        entity_document,
        names,
        np.array(entity, dtype=np.int64),
        Spans.from_runs(list(map(get_runs, identities))) if have_content else Objects(identities),
        _build_tokens(documents),
        texts=tuple(document.text or "" for document in documents) if has_texts else None,
        source=source,
        heads=_build_optional_spans([each.head for each in mentions]),
        minimums=_build_optional_spans([each.minimum for each in mentions]),
        lines=np.array([each.line for each in mentions], dtype=np.int64) if has_lines else None,
        attributes=transpose_attributes([each.attributes for each in mentions]),
        entity_attributes=transpose_attributes(
            [values for document in documents for values in document.entities.values()]
        ),
        relations=tuple(relation for document in documents for relation in document.relations),
    )


def _build_tokens(documents: Sequence[DocumentDraft]) -> Tokens | None:
    """Return the words of all documents; None if any document came without words, or there is none."""
    if any(document.words is None for document in documents) or not documents:
        return None
    names = dict.fromkeys(name for document in documents for name in document.word_attributes)
    return Tokens.from_words(
        [document.words or () for document in documents],
        line=np.array([line for d in documents for line in d.lines or [0] * len(d.words or ())], dtype=np.int64),
        numbers=np.array([n for d in documents for n in d.sentence or [0] * len(d.words or ())], dtype=np.int64),
        empty=np.array([e for d in documents for e in d.empty or [False] * len(d.words or ())], dtype=np.bool_),
        attributes={
            name: [v for d in documents for v in d.word_attributes.get(name) or [""] * len(d.words or ())]
            for name in names
        },
    )


def _build_optional_spans(spans: Sequence[Span]) -> Spans | None:
    """Return the spans as a column, in which (-1, -1) is a missing one; None if all are missing."""
    return None if all(span == _NONE for span in spans) else Spans.from_runs([(span,) for span in spans])


def transpose_attributes(rows: Sequence[Mapping[str, str]]) -> dict[str, list[str]]:
    """Return a column for every attribute that some rows have, "" where a row does not have it."""
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name, "") for row in rows] for name in names}
