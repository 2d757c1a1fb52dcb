"""Stanza: a `StanzaDocument` after the `coref` processor.

`document.coref` is a list of chains; a mention has the number of its sentence and of its first word there, both from 0,
and of the word after its last. A zero, a word that is not written, is one of the sentence's empty words: first and end
are then both its id, a pair such as (3, 1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias, cast

from corefeval.adapters import shared

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from corefeval.corpus.corpus import Corpus
    from corefeval.formats.draft import Draft

    Span = tuple[int, int]

_Id: TypeAlias = "int | tuple[int, ...]"


class _StanzaWord(Protocol):
    @property
    def id(self) -> _Id: ...
    @property
    def text(self) -> str: ...


class _Sentence(Protocol):
    @property
    def words(self) -> Sequence[_StanzaWord]: ...


class _StanzaMention(Protocol):
    @property
    def sentence(self) -> int: ...
    @property
    def start_word(self) -> _Id: ...
    @property
    def end_word(self) -> _Id: ...


class _Chain(Protocol):
    @property
    def index(self) -> int: ...
    @property
    def mentions(self) -> Sequence[_StanzaMention]: ...


class StanzaDocument(Protocol):
    """What is used of a document."""

    @property
    def sentences(self) -> Sequence[_Sentence]:
        """Its sentences."""
        ...

    @property
    def coref(self) -> Sequence[_Chain]:
        """Its entities."""
        ...


def read(documents: StanzaDocument | Iterable[StanzaDocument] | Mapping[str, StanzaDocument]) -> Corpus:
    """The corpus of a document, of several, or of {name: document}; in words, with zeros."""
    return shared.build_corpus("stanza", "Stanza", documents, _add_document)


def _add_document(draft: Draft, name: shared.DocumentName, given: object) -> None:
    document = cast("StanzaDocument", given)
    called = name.choose(getattr(document.sentences[0], "doc_id", None) if document.sentences else None)
    if not hasattr(document, "coref"):
        what, hint = f"document {called!r} knows no coreference", "Stanza 1.7 or later is needed"
        draft.add_fault(None, what, "a document after the processors tokenize and coref", hint)
        return
    words = [_list_words(sentence) for sentence in document.sentences]
    found = draft.add_document(
        called,
        words=[word.text for sentence in words for word in sentence],
        sentence=[number for number, sentence in enumerate(words) for _ in sentence],
        empty=[_is_zero(word) for sentence in words for word in sentence],
    )
    places = _locate_words(words)
    for chain in document.coref:
        entity = str(chain.index)
        found.describe_entity(entity)
        for mention in chain.mentions:
            span = _locate_mention(mention, places)
            if span is None:
                said = (mention.sentence, mention.start_word, mention.end_word)
                what = f"document {called!r}: a mention of entity {entity} is {said}, which is not within its sentence"
                expected = "sentence, first word, and the word after the last, counted from 0"
                draft.add_fault(None, what, expected, kind="mention-outside")
            else:
                found.add_mention(entity, span)


def _list_words(sentence: _Sentence) -> Sequence[_StanzaWord]:
    """The words with the empty ones among them, which older versions do not have."""
    return cast("Sequence[_StanzaWord]", getattr(sentence, "all_words", sentence.words))


def _is_zero(word: _StanzaWord) -> bool:
    return not isinstance(word.id, int)


def _locate_words(sentences: Sequence[Sequence[_StanzaWord]]) -> list[dict[_Id, int]]:
    """Where each word of each sentence is in the document: by its number from 0, or by its id if it is empty."""
    places: list[dict[_Id, int]] = []
    place = 0
    for words in sentences:
        here: dict[_Id, int] = {}
        written = 0
        for word in words:
            here[word.id if _is_zero(word) else written] = place
            written += not _is_zero(word)
            place += 1
        places.append(here)
    return places


def _locate_mention(mention: _StanzaMention, places: Sequence[Mapping[_Id, int]]) -> Span | None:
    if not 0 <= mention.sentence < len(places):
        return None
    here, last = places[mention.sentence], mention.end_word
    if isinstance(last, int):
        last -= 1
    ends = here.get(mention.start_word), here.get(last)
    return None if ends[0] is None or ends[1] is None or ends[0] > ends[1] else (ends[0], ends[1])
