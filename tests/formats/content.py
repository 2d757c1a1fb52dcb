"""What tests look at in a corpus that was read: its entities, their words, and the notices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corefeval import Corpus


def only_document(corpus: Corpus) -> list[Any]:
    """Return the entities of a corpus of one document, as lists of mentions."""
    (found,) = corpus.entities().values()
    return found


def entity_texts(corpus: Corpus) -> dict[str, list[Any]]:
    """Return the texts of the mentions by entity, of a corpus of one document."""
    (document,) = corpus
    return {entity.name: [mention.text for mention in entity] for entity in document}


def sort_entities(entities: Iterable[Iterable[Any]]) -> list[Any]:
    """Return entities and their mentions in order, to be compared."""
    return sorted(sorted(entity) for entity in entities)


def notice_kinds(corpus: Corpus) -> list[str]:
    """Return the kind of each notice."""
    return [notice.kind for notice in corpus.notices]


def notice_lines(corpus: Corpus) -> list[tuple[str, object]]:
    """Return the kind and the line of each notice."""
    return [(notice.kind, notice.line) for notice in corpus.notices]
