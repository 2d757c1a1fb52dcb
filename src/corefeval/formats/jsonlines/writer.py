"""Writing JSON lines: words by sentence and ends included, or running text and ends excluded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corefeval.formats.shared import json_values

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefeval.corpus.corpus import Corpus
    from corefeval.corpus.objects import Document, Entity

    Fields = dict[str, Any]


def write(corpus: Corpus) -> bytes:
    """The corpus as a file. Words that are not known are not written."""
    return json_values.encode_text("".join(f"{json_values.dump_line(_fields(corpus, each))}\n" for each in corpus))


def _fields(corpus: Corpus, document: Document) -> Fields:
    entities = document.entities
    past = int(corpus.unit == "character")
    fields: Fields = {
        "doc_key": document.name,
        "text": document.text,
        "sentences": document.sentences,
        "clusters": [[_span((each.start, each.end), past) for each in entity] for entity in entities],
        "entity_names": _names(entities),
    }
    if _says(corpus.entity_attributes):
        fields["entity_attributes"] = [entity.attributes for entity in entities]
    if _says(corpus.attributes):
        fields["mention_attributes"] = [[each.attributes for each in entity] for entity in entities]
    if corpus.heads is not None:
        fields["mention_heads"] = [[_span(each.head, past) for each in entity] for entity in entities]
    if corpus.minimums is not None:
        fields["mention_minimums"] = [[_span(each.minimum, past) for each in entity] for entity in entities]
    return {name: value for name, value in fields.items() if value is not None}


def _says(columns: Mapping[str, Sequence[str]]) -> bool:
    return any(any(values) for values in columns.values())


def _span(span: tuple[Any, Any] | None, past: int) -> list[int] | None:
    return None if span is None else [span[0], span[1] + past]


def _names(entities: list[Entity]) -> list[str] | None:
    """The entities' names, where they say more than their places."""
    names = [entity.name for entity in entities]
    return None if names == list(map(str, range(len(names)))) else names
