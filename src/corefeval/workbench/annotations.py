"""What the workbench holds of a document: its text, and for each side its mentions and entities under stable ids."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from corefeval._lazy import NamedTuple, Record, cached
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Objects, Pieces, Spans, to_mention
from corefeval.corpus.objects import Document
from corefeval.corpus.tokens import Tokens
from corefeval.formats.draft import transpose_attributes
from corefeval.notices import Notice, count_things
from corefeval.workbench.relations import RelationState, bind_relations, dump_relation, load_relation, write_relation

Span = tuple[int, int]

_NONE: Mapping[str, str] = MappingProxyType({})
_MISSING = (-1, -1)


class MentionState(NamedTuple):
    """A mention: its runs (first and last word or character of each), its entity's id, and what else is known of it."""

    runs: Pieces
    entity: str
    head: Span | None = None
    minimum: Span | None = None
    attributes: Mapping[str, str] = _NONE


class EntityState(NamedTuple):
    """An entity: its name in files, and what else is known of it."""

    name: str
    attributes: Mapping[str, str] = _NONE


class Annotation(NamedTuple):
    """One side of one document: mentions ("m1" …) and entities ("e1" …) by id; `next` is the first number not used.

    relations, layers: what the file has beyond identity. It is shown and saved, and not edited.
    """

    mentions: Mapping[str, MentionState] = MappingProxyType({})
    entities: Mapping[str, EntityState] = MappingProxyType({})
    next: int = 1
    relations: tuple[RelationState, ...] = ()
    layers: Mapping[str, Annotation] = MappingProxyType({})


class Content(Record):
    """The text of one document, the same for all sides: words, or characters, or labels that stand for mentions.

    words, text: its words; its running text, where it has no words. sentence: the number of every word's sentence.
    empty: the places of words that are not written. labels: where mentions are no spans, the label of each word.
    made_up: whether the words only stand for places of a text that is not known.
    """

    name: str
    words: tuple[str, ...] | None = None
    text: str | None = None
    sentence: tuple[int, ...] = ()
    empty: frozenset[int] = frozenset()
    word_attributes: Mapping[str, Sequence[str]] = _NONE
    labels: tuple[Hashable, ...] | None = None
    made_up: bool = False

    @property
    def length(self) -> int:
        """How many words it has, or characters where it has no words."""
        return len(self.text or "") if self.words is None else len(self.words)

    @cached
    def tokens(self) -> Tokens | None:
        """The words as a corpus holds them; None where there are none that the file knows."""
        if self.words is None or self.labels is not None or self.made_up:
            return None
        return Tokens.from_words(
            [self.words],
            numbers=np.array(self.sentence or [0] * len(self.words), dtype=np.int64),
            empty=np.array([place in self.empty for place in range(len(self.words))], dtype=np.bool_),
            attributes=self.word_attributes,
        )

    def write_runs(self, runs: Pieces) -> str:
        """Return the text of a mention, with " ... " for gaps."""
        if self.words is None:
            return " ... ".join((self.text or "")[first : last + 1] for first, last in runs)
        return " ... ".join(" ".join(self.words[first : last + 1]) for first, last in runs)


def build_corpus(content: Content, annotation: Annotation, source: str = "", *, by_id: bool = False) -> Corpus:
    """Return one side of a document as a corpus of one document; `by_id`: entities have their ids for names.

    Relations of what was edited away are left out, with a notice.
    """
    mentions, ids = list(annotation.mentions.values()), list(annotation.entities)
    place = {entity: number for number, entity in enumerate(ids)}
    entities = list(annotation.entities.values())
    labels = content.labels

    def identify(runs: Pieces) -> Hashable:
        """Return the object that stands for a mention in a corpus."""
        return to_mention(runs) if labels is None else labels[runs[0][0]]

    names = {key: key if by_id else entity.name for key, entity in annotation.entities.items()}
    relations = [
        write_relation(each, content.name, annotation.mentions, names, identify) for each in annotation.relations
    ]
    return Corpus(
        (content.name,),
        np.zeros(len(ids), dtype=np.int64),
        list(names.values()),
        np.array([place[mention.entity] for mention in mentions], dtype=np.int64),
        Spans.from_runs([mention.runs for mention in mentions])
        if labels is None
        else Objects([identify(mention.runs) for mention in mentions]),
        content.tokens,
        texts=(content.text,) if content.tokens is None and content.text is not None else None,
        heads=_join_spans([mention.head for mention in mentions]) if labels is None else None,
        minimums=_join_spans([mention.minimum for mention in mentions]) if labels is None else None,
        attributes=transpose_attributes([mention.attributes for mention in mentions]),
        entity_attributes=transpose_attributes([entity.attributes for entity in entities]),
        relations=tuple(each for each in relations if each is not None),
        layers={name: build_corpus(content, layer, source) for name, layer in annotation.layers.items()},
        source=source,
        notices=_note_lost_relations(content, relations.count(None)),
    )


def _note_lost_relations(content: Content, lost: int) -> tuple[Notice, ...]:
    """Return a notice of how many relations of a document are lost, if any."""
    what = f"{content.name}: {count_things(lost, 'relation')} of mentions or entities that were edited away left out"
    return (Notice("lost-relation", what, {"document": content.name, "count": lost}),) if lost else ()


def join_documents(contents: Sequence[Content], annotations: Sequence[Annotation], source: str) -> Corpus:
    """Return one side of some documents as one corpus."""
    return join_corpora([build_corpus(*each) for each in zip(contents, annotations, strict=True)], source)


def join_corpora(parts: Sequence[Corpus], source: str) -> Corpus:
    """Return corpora of one document each as one of all, which come from no files."""
    return parts[0].replace(source=source) if len(parts) == 1 else Corpus.join(parts, source=source).replace(files=())


def _join_spans(spans: Sequence[Span | None]) -> Spans | None:
    """Return optional spans as a column, with (-1, -1) for missing ones; None if all are missing."""
    if all(span is None for span in spans):
        return None
    return Spans.from_runs([(span or _MISSING,) for span in spans])


def read_contents(corpus: Corpus, others: Sequence[Corpus] = ()) -> list[Content]:
    """Return the text of each document of a corpus; where it has none, its labels and the others' stand for words."""
    if isinstance(corpus.mentions, Spans):
        return [_read_content(corpus, number, others) for number in range(len(corpus.documents))]
    listed: list[dict[Hashable, None]] = [{} for _ in corpus.documents]
    for each in (corpus, *others):
        for document, label in sorted(
            zip(each.document.tolist(), each.mentions.objects(), strict=True), key=lambda pair: pair[0]
        ):
            listed[document].setdefault(label)
    return [
        Content(name, tuple(_write_label(label) for label in labels), labels=tuple(labels))
        for name, labels in zip(corpus.documents, map(_sort_labels, listed), strict=True)
    ]


def _sort_labels(labels: Mapping[Hashable, None]) -> list[Hashable]:
    """Return labels in their natural order if all are numbers or all are strings, else as they come."""
    kinds = {type(label) for label in labels}
    return sorted(labels) if kinds in ({int}, {str}) else list(labels)  # type: ignore[type-var]


def _write_label(label: Hashable) -> str:
    """Return a label as a word: strings as they are, the rest as Python writes it."""
    return label if isinstance(label, str) else repr(label)


def _read_content(corpus: Corpus, number: int, others: Sequence[Corpus]) -> Content:
    """Return the text of one document of a corpus of spans; if it has none, as many places as all sides' spans need."""
    name, tokens = corpus.documents[number], corpus.tokens
    if tokens is None and corpus.texts is not None:
        return Content(name, text=corpus.texts[number])
    if tokens is None:
        ends = [int(each.own_spans.end[each.document == number].max(initial=-1)) for each in (corpus, *others)]
        return Content(name, tuple(f"[{place}]" for place in range(max(ends) + 1)), made_up=True)
    rows = tokens.rows(number)
    return Content(
        name,
        tuple(tokens.words(number)),
        sentence=tuple(tokens.sentence[rows].tolist()),
        empty=frozenset(np.flatnonzero(tokens.unwritten[rows]).tolist()),
        word_attributes={key: list(values[rows]) for key, values in tokens.attributes.items()},
    )


def read_annotations(corpus: Corpus, contents: Sequence[Content]) -> tuple[list[Annotation], list[str]]:
    """Return the annotation of each document, in the corpus's order, and the texts of mentions that lie outside."""
    found: list[Annotation] = []
    outside: list[str] = []
    layers = {name: list(layer) for name, layer in corpus.layers.items()}
    for number, (document, content) in enumerate(zip(corpus, contents, strict=True)):
        place = None if content.labels is None else {label: n for n, label in enumerate(content.labels)}
        annotation, lost = _read_annotation(document, content, place)
        outside += lost
        of_layers = {name: _read_annotation(parts[number], content, place) for name, parts in layers.items()}
        outside += [f"{text} ({name})" for name, (_, texts) in of_layers.items() for text in texts]
        marked = {name: layer for name, (layer, _) in of_layers.items() if layer.mentions}
        found.append(annotation._replace(layers=marked) if marked else annotation)
    return found, outside


def _read_annotation(
    document: Document, content: Content, place: Mapping[Hashable, int] | None
) -> tuple[Annotation, list[str]]:
    """Return the annotation of a document, or of a layer of it, and the texts of mentions that lie outside.

    place: the number of each label, where mentions are labels.
    """
    mentions: dict[str, MentionState] = {}
    entities: dict[str, EntityState] = {}
    outside: list[str] = []
    by_object: dict[Hashable, str] = {}
    by_name: dict[str, tuple[str, tuple[str, ...]]] = {}
    number = 1
    for entity in document.entities:
        entity_id = f"e{number}"
        number += 1
        before = number
        for mention in entity.mentions:
            runs = mention.runs if place is None else ((place[mention.id],) * 2,)
            if not 0 <= runs[0][0] <= runs[-1][1] < content.length:
                outside.append(f"{content.name}: {mention.text or mention.id}")
                continue
            mentions[f"m{number}"] = MentionState(runs, entity_id, mention.head, mention.minimum, mention.attributes)
            by_object[to_mention(runs) if place is None else mention.id] = f"m{number}"
            number += 1
        if number > before:
            entities[entity_id] = EntityState(entity.name, entity.attributes)
            by_name[entity.name] = entity_id, tuple(f"m{each}" for each in range(before, number))
    return Annotation(mentions, entities, number, bind_relations(document.relations, by_object, by_name)), outside


def dump_annotation(annotation: Annotation) -> dict[str, Any]:
    """Return an annotation as plain objects for JSON, without what it does not have."""
    listed: dict[str, Any] = {
        "mentions": {key: dump_mention(mention) for key, mention in annotation.mentions.items()},
        "entities": {key: dump_entity(entity) for key, entity in annotation.entities.items()},
    }
    optional = {
        "relations": [dump_relation(each) for each in annotation.relations],
        "layers": {name: dump_annotation(layer) for name, layer in annotation.layers.items()},
    }
    return listed | {name: value for name, value in optional.items() if value}


def dump_mention(mention: MentionState) -> dict[str, Any]:
    """Return a mention as plain objects for JSON, without what it does not have."""
    listed = {"runs": [list(run) for run in mention.runs], "entity": mention.entity}
    optional = {"head": mention.head, "minimum": mention.minimum, "attributes": dict(mention.attributes)}
    return listed | {
        name: list(value) if isinstance(value, tuple) else value for name, value in optional.items() if value
    }


def dump_entity(entity: EntityState) -> dict[str, Any]:
    """Return an entity as plain objects for JSON, without what it does not have."""
    return {"name": entity.name} | ({"attributes": dict(entity.attributes)} if entity.attributes else {})


def load_annotation(content: Mapping[str, Any]) -> Annotation:
    """Return the annotation that `dump_annotation` made plain objects of."""
    mentions = {key: load_mention(each) for key, each in content["mentions"].items()}
    entities = {key: load_entity(each) for key, each in content["entities"].items()}
    return Annotation(
        mentions,
        entities,
        find_next((*mentions, *entities)),
        tuple(map(load_relation, content.get("relations", ()))),
        {name: load_annotation(layer) for name, layer in content.get("layers", {}).items()},
    )


def load_mention(content: Mapping[str, Any]) -> MentionState:
    """Return the mention that `dump_mention` made plain objects of."""
    head, minimum = content.get("head"), content.get("minimum")
    return MentionState(
        tuple((first, last) for first, last in content["runs"]),
        content["entity"],
        None if head is None else (head[0], head[1]),
        None if minimum is None else (minimum[0], minimum[1]),
        content.get("attributes", _NONE),
    )


def load_entity(content: Mapping[str, Any]) -> EntityState:
    """Return the entity that `dump_entity` made plain objects of."""
    return EntityState(content["name"], content.get("attributes", _NONE))


def find_next(ids: Sequence[str]) -> int:
    """Return the first number after those of all ids.

    >>> find_next(["m1", "e12"])
    13
    """
    return 1 + max((int(each[1:]) for each in ids), default=0)


def dump_content(content: Content) -> dict[str, Any]:
    """Return the text of a document as plain objects for JSON, without what it does not have."""
    texts = {"words": content.words, "text": content.text, "labels": content.labels}
    optional: dict[str, Any] = {
        "sentence": content.sentence,
        "empty": sorted(content.empty),
        "word_attributes": dict(content.word_attributes),
        "made_up": content.made_up,
    }
    known = {name: value for name, value in texts.items() if value is not None}
    return {"name": content.name} | known | {name: value for name, value in optional.items() if value}


def load_content(content: Mapping[str, Any]) -> Content:
    """Return the text that `dump_content` made plain objects of; lists among labels are tuples."""
    words, labels = content.get("words"), content.get("labels")
    return Content(
        content["name"],
        None if words is None else tuple(words),
        content.get("text"),
        tuple(content.get("sentence", ())),
        frozenset(content.get("empty", ())),
        content.get("word_attributes", _NONE),
        None if labels is None else tuple(map(_freeze_label, labels)),
        content.get("made_up", False),
    )


def _freeze_label(label: Any) -> Hashable:
    """Return a label of JSON as a hashable value: lists as tuples."""
    return tuple(map(_freeze_label, label)) if isinstance(label, list) else label


def list_members(annotation: Annotation, entity: str) -> Iterator[str]:
    """Yield the ids of an entity's mentions."""
    return (key for key, mention in annotation.mentions.items() if mention.entity == entity)
