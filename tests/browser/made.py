"""Corpora for pages: with everything that is hard to show, and as large as need be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval.formats.draft import Draft

if TYPE_CHECKING:
    from corefeval import Corpus
    from corefeval.formats.draft import DocumentDraft

Runs = tuple[tuple[int, int], ...]

SENTENCES = [
    ["Mara", "Lind", "runs", "the", "shop", ",", "and", "<b>", "she", "&amp;", "</script>", "likes", "it", "."],
    ["_", "Ha", "comprado", "un", "libro", "de", "cuentos", "."],
    ["دخلت", "مريم", "المكتبة", "ثم", "اشترت", "كتابا", "لها", "."],
    ["She", "picked", "the", "book", "up", "again", "."],
]
ZERO = 14
KEY: dict[str, list[Runs]] = {
    "mara": [((0, 1),), ((8, 8),), ((30, 30),)],
    "shop": [((3, 4),), ((12, 12),)],
    "zero": [((ZERO, ZERO),), ((16, 16), (18, 18)), ((17, 20),)],
    "maryam": [((23, 23),), ((28, 28),)],
}
RESPONSE: dict[str, list[Runs]] = {
    "1": [((0, 1),), ((8, 8),)],
    "2": [((3, 4),), ((30, 30),)],
    "3": [((ZERO, ZERO),), ((16, 16), (18, 18)), ((18, 19),)],
    "4": [((23, 23),), ((28, 28),), ((12, 12),)],
    "5": [((33, 34),), ((31, 33),)],
}


def hard(entities: dict[str, list[Runs]], source: str) -> Corpus:
    """Tags as words, a zero, right-to-left text, gaps, nested and crossing mentions; and a plain second document."""
    draft = Draft(source)
    words = [word for sentence in SENTENCES for word in sentence]
    numbers = [number for number, sentence in enumerate(SENTENCES) for _ in sentence]
    empty = [place == ZERO for place in range(len(words))]
    document = draft.add_document("hard <i>", words=words, sentence=numbers, empty=empty)
    _fill(document, entities)
    second = draft.add_document("plain", words=["Ann", "met", "Bo", "."], sentence=[0, 0, 0, 0])
    _fill(second, {"x": [((0, 0),)], "y": [((2, 2),)]})
    return draft.build_corpus()


def _fill(document: DocumentDraft, entities: dict[str, list[Runs]]) -> None:
    for name, mentions in entities.items():
        for runs in mentions:
            document.add_mention(name, runs)
