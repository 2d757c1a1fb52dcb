"""Stanza: a `Document` after the `coref` processor.

`document.coref` is a list of chains; a mention has the number of its sentence and of its first word there, both from 0,
and of the word after its last. A zero, a word that is not written, is one of the sentence's empty words: first and end
are then both its id, a pair such as (3, 1).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, TypeAlias

from corefeval.adapters import shared
from corefeval.corpus.corpus import Corpus
from corefeval.notices import announce_notices

if TYPE_CHECKING:
    from stanza.models.common.doc import Document, Word


WordId: TypeAlias = "int | tuple[int, ...]"


@announce_notices
def read(documents: Document | Iterable[Document] | Mapping[str, Document]) -> Corpus:
    """Return the corpus, in words and zeros, of a document, several, or {name: document}; InputError for all faults."""
    return shared.build_corpus("stanza", "Stanza", documents, _add_document)


def _add_document(reader: shared.DocumentReader, document: Document) -> None:
    """Add a Stanza document with its words, zeros and entities; add a fault if it has no coreference."""
    reader.suggest_name(getattr(document.sentences[0], "doc_id", None) if document.sentences else None)
    if not hasattr(document, "coref"):
        hint = "Stanza 1.7 or later is needed"
        reader.add_fault("it has no coreference", "a document after the processors tokenize and coref", hint)
        return
    # Older versions have no empty words.
    words: list[list[Word]] = [list(getattr(sentence, "all_words", sentence.words)) for sentence in document.sentences]
    reader.add_document(
        words=[word.text for sentence in words for word in sentence],
        sentence=[number for number, sentence in enumerate(words) for _ in sentence],
        empty=[_is_zero(word) for sentence in words for word in sentence],
    )
    places = _locate_words(words)

    def locate_mention(mention: tuple[int, WordId, WordId]) -> tuple[int, int] | None:
        """Return (first, last) of (sentence, first, end) in words of the document; None if they are not there."""
        number, first, end = mention
        sentence = places[number] if 0 <= number < len(places) else {}
        start, last = sentence.get(first), sentence.get(end - 1 if isinstance(end, int) else end)
        return None if start is None or last is None or start > last else (start, last)

    for chain in document.coref:
        mentions = [(mention.sentence, mention.start_word, mention.end_word) for mention in chain.mentions]
        expected = "sentence, first word, and the word after the last, counted from 0, within the sentence"
        reader.add_entity(str(chain.index), mentions, locate_mention, expected)


def _is_zero(word: Word) -> bool:
    """Return whether a word is empty: its id is a pair, such as (3, 1)."""
    return not isinstance(word.id, int)


def _locate_words(sentences: Sequence[Sequence[Word]]) -> list[dict[WordId, int]]:
    """Return for each sentence a dict from its words' numbers (ids of empty ones) to their places in the document."""
    places: list[dict[WordId, int]] = []
    place = count()
    for words in sentences:
        written = count()
        places.append({(word.id if _is_zero(word) else next(written)): next(place) for word in words})
    return places
