"""Small corpora for tests, made of entities and spans."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval.formats.draft import Draft

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from corefeval import Corpus

    Rows = Iterable[tuple[str, tuple[int, int]]]


def draft_corpus(
    documents: Mapping[str, Rows],
    *,
    words: int = 6,
    splits: dict[str, tuple[str, ...]] | None = None,
    **attributes: str,
) -> Corpus:
    """Entities and spans by document, over words a, b, c …; the last document has the split antecedents."""
    draft = Draft("side")
    for name, rows in documents.items():
        document = draft.add_document(name, words=[chr(97 + number) for number in range(words)])
        for entity, span in rows:
            document.add_mention(entity, span, attributes={"level": "NAM"})
            document.describe_entity(entity, type="PER", **attributes)
    for entity, targets in (splits or {}).items():
        document.add_relation("split", entity, targets)
    return draft.build_corpus()
