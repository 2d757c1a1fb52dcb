"""Hugging Face `datasets`: rows of coreference corpora, as a `Dataset` or as plain dicts.

A row is a document, named by its `id`, `doc_key` or the like; in OntoNotes every part of a row is one, named as in
CoNLL files: "(bc/cctv/00/cctv_0000); part 000". Each corpus has one layout, known by its fields:

words       entities           a mention                                         as in
sentences   coref_chains       [sentence, first, last]                           coref-data/*_indiscrim, litbank_raw
sentences   mention_clusters   [sentence, first, end]                            PreCo
sentences   coref_entities     {"sent_id", "span": "1-2,4"}                      coref-data/corefud_raw, gum_raw
sentences   (within them)      [entity, first, last] in coref_spans              conll2012_ontonotesv5
sentences   clusters           [first, last] of the document                     jsonlines of e2e-coref and others
tokens      clusters           [first, last] of the document                     training data of fastcoref

A sentence is a list of words, or has `words` or `tokens`; a token has `text` or `form`, and is a zero if its number is
not whole. `end` is the word after the last; everything counts from 0, but tokens in a `span` from 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from corefeval.adapters import find_adapter, shared
from corefeval.errors import Fault, InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefeval.corpus.corpus import Corpus
    from corefeval.corpus.mentions import Pieces
    from corefeval.formats.draft import DocumentDraft, Draft

    Span = tuple[int, int]

Row: TypeAlias = "Mapping[str, object]"
_NAMES = ("document_id", "id", "doc_name", "doc_id", "doc_key")


def read(data: Row | Iterable[Row] | Mapping[str, Row], *, field: str | None = None) -> Corpus:
    """The corpus of a row, of a Dataset or other rows, or of {name: row}; in words.

    field: the column with the entities, where it is not the usual one: "predicted_clusters".
    """

    def add(draft: Draft, name: shared.DocumentName, row: object) -> None:
        _add_row(draft, name, cast("Row", row), field)

    return shared.build_corpus("datasets", "datasets", _list_rows(data), add)


def _list_rows(data: object) -> object:
    """The rows of a Dataset as Python objects, whatever format it is set to."""
    if isinstance(data, Mapping):
        if any(find_adapter(each) == "datasets" and hasattr(each, "features") for each in data.values()):
            what, expected = f"splits {', '.join(map(str, data))}", "one split"
            raise InputError(Fault("datasets", what, expected, f"choose one: data[{next(iter(data))!r}]"))
        return data
    return list(cast("Iterable[Row]", data.with_format(None))) if hasattr(data, "with_format") else data


class RowText(NamedTuple):
    """The words of a document."""

    words: list[str]
    sentence: list[int]
    empty: list[bool]
    starts: list[int]
    """Where each sentence begins, and where the last one ends."""
    numbers: list[dict[float, int]]
    """For each sentence, the place in the document of the tokens that have numbers."""

    def locate(self, sentence: int, first: int, last: int) -> Span | None:
        """Words of a sentence as words of the document."""
        if not 0 <= sentence < len(self.starts) - 1:
            return None
        start, end = self.starts[sentence : sentence + 2]
        return (start + first, start + last) if 0 <= first <= last < end - start else None


def _add_row(draft: Draft, name: shared.DocumentName, row: Row, field: str | None) -> None:
    """Add the documents of a row: one, or one for each part in OntoNotes."""
    named = next((row[each] for each in _NAMES if row.get(each)), None)
    if field is None:
        field = next((each for each in _LAYOUTS if each in row), None)
    if field is None:
        _add_parts(draft, name, named, row["sentences"])
        return
    called = name.choose(named)
    if field not in row:
        draft.add_fault(None, f"document {called!r} has no field {field!r}", "one of " + ", ".join(map(repr, row)))
        return
    sentences = row["sentences"] if row.get("sentences") is not None else [row.get("tokens")]
    text = _read_text(draft, called, sentences)
    if text is not None:
        _LAYOUTS.get(field, _add_by_document)(draft, _add_document(draft, called, text), text, row[field], sentences)


def _add_by_sentence(draft: Draft, document: DocumentDraft, text: RowText, entities: object, _: object) -> None:
    shared.add_entities(draft, document, entities, 3, text.locate)


def _add_half_open(draft: Draft, document: DocumentDraft, text: RowText, entities: object, _: object) -> None:
    shared.add_entities(
        draft, document, entities, 3, lambda sentence, first, end: text.locate(sentence, first, end - 1)
    )


def _add_by_document(draft: Draft, document: DocumentDraft, _text: RowText, entities: object, _: object) -> None:
    shared.add_entities(draft, document, entities, 2, lambda first, last: (first, last))


def _add_universal(draft: Draft, document: DocumentDraft, text: RowText, entities: object, sentences: object) -> None:
    """Mentions as CorefUD writes them: numbers of tokens, with gaps and zeros."""
    found = _read_mappings(draft, document.name, "the sentences are", sentences)
    place = {str(sentence.get("sent_id")): number for number, sentence in enumerate(found)}
    for number, entity in enumerate(_read_list(draft, document.name, "the entities are", entities)):
        mentions = _read_mappings(draft, document.name, f"entity {number} is", entity)
        name, kind = (mentions[0].get("eid"), mentions[0].get("etype")) if mentions else (None, None)
        name = str(name or number)
        document.describe_entity(name, **({"type": str(kind)} if kind else {}))
        for mention in mentions:
            sentence = place.get(str(mention.get("sent_id")))
            runs = None if sentence is None else _parse_runs(str(mention.get("span")), text.numbers[sentence])
            if runs is None:
                what = f"document {document.name!r}: a mention of entity {name} is {shared.quote_object(dict(mention))}"
                draft.add_fault(None, what, "a span of tokens of a sentence, such as 1-2,4", kind="mention-outside")
            else:
                document.add_mention(name, runs if len(runs) > 1 else runs[0])


_LAYOUTS: dict[str, Callable[[Draft, DocumentDraft, RowText, object, object], None]] = {
    "coref_chains": _add_by_sentence,
    "mention_clusters": _add_half_open,
    "coref_entities": _add_universal,
    "clusters": _add_by_document,
}
"""The field of the entities, and how they are read; a field that is not here is read as `clusters` is."""


def _add_parts(draft: Draft, name: shared.DocumentName, own: object, sentences: object) -> None:
    """OntoNotes: entities are numbered anew in every part of a file, so each is a document, named as in CoNLL files."""
    parts: dict[int, list[Row]] = {}
    for sentence in _read_mappings(draft, name.choose(own), "the sentences are", sentences):
        parts.setdefault(shared.read_integer(sentence.get("part_id")) or 0, []).append(sentence)
    for part, found in parts.items():
        alone = len(parts) == 1 and (name.given is not None or own is None)
        called = name.choose(own) if alone else f"({name.choose(own)}); part {part:03d}"
        text = _read_text(draft, called, found)
        if text is None:
            continue
        document = _add_document(draft, called, text)
        for number, sentence in enumerate(found):
            spans = _read_list(draft, called, f"coref_spans of sentence {number} is", sentence.get("coref_spans"))
            for mention in spans:
                numbers = shared.read_integers(mention, 3)
                span = text.locate(number, *numbers[1:]) if numbers else None
                if numbers is None or span is None:
                    what = f"document {called!r}: a mention in sentence {number} is {shared.quote_object(mention)}"
                    expected = "entity, first and last word, counted from 0"
                    draft.add_fault(None, what, expected, kind="mention-outside")
                else:
                    document.add_mention(str(numbers[0]), span)


def _add_document(draft: Draft, name: str, text: RowText) -> DocumentDraft:
    return draft.add_document(name, words=text.words, sentence=text.sentence, empty=text.empty)


def _read_text(draft: Draft, name: str, sentences: object) -> RowText | None:
    text = RowText([], [], [], [0], [])
    sound = True
    for number, sentence in enumerate(_read_list(draft, name, "the sentences are", sentences)):
        tokens = _list_tokens(sentence)
        if tokens is None:
            what = f"document {name!r}: sentence {number} is {shared.quote_object(sentence)}"
            draft.add_fault(None, what, "a list of words, or one with words or tokens", "a row is one document")
            sound = False
            continue
        ids: list[float] = []
        if isinstance(tokens[0] if tokens else None, Mapping):
            ids = [_get_number(token) or place for place, token in enumerate(tokens, 1)]
        text.numbers.append({each: text.starts[-1] + place for place, each in enumerate(ids)})
        text.words.extend(_get_word(token) or "" for token in tokens)
        text.sentence.extend([number] * len(tokens))
        text.empty.extend([each % 1 != 0 for each in ids] or [False] * len(tokens))
        text.starts.append(len(text.words))
    return text if sound else None


def _list_tokens(sentence: object) -> list[object] | None:
    """The tokens of a sentence, or None if it has something else."""
    if isinstance(sentence, Mapping):
        sentence = sentence.get("words") if sentence.get("words") is not None else sentence.get("tokens")
    found: list[object] = list(sentence) if shared.is_list(sentence) else [None]
    return found if all(_get_word(token) is not None for token in found) else None


def _get_word(token: object) -> str | None:
    if type(token) is str:
        return token
    if isinstance(token, Mapping):
        token = token.get("text") if token.get("text") is not None else token.get("form")
    return token if isinstance(token, str) else None


def _get_number(token: object) -> float | None:
    if not isinstance(token, Mapping):
        return None
    number = token.get("id") if token.get("id") is not None else token.get("ord")
    return float(number) if isinstance(number, int | float) else None


def _parse_runs(span: str, places: Mapping[float, int]) -> Pieces | None:
    """First and last word of every run of a span such as 1-2,4; None if it is not within the sentence."""
    try:
        ends = [tuple(places[float(end)] for end in run.split("-")) for run in span.split(",")]
    except (KeyError, ValueError):
        return None
    runs = tuple((run[0], run[-1]) for run in ends)
    in_order = all(first <= last for first, last in runs) and all(a[1] < b[0] for a, b in pairwise(runs))
    return runs if in_order else None


def _read_list(draft: Draft, name: str, said: str, value: object) -> list[object]:
    """A list; anything else is a fault."""
    if shared.is_list(value):
        return list(value)
    draft.add_fault(None, f"document {name!r}: {said} {shared.quote_object(value)}", "a list")
    return []


def _read_mappings(draft: Draft, name: str, said: str, value: object) -> list[Row]:
    """A list of objects with fields; anything else is a fault."""
    found = []
    for each in _read_list(draft, name, said, value):
        if isinstance(each, Mapping):
            found.append(each)
        else:
            draft.add_fault(
                None, f"document {name!r}: {said} {shared.quote_object(value)}", "a list of objects with fields"
            )
    return found
