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
from functools import partial
from itertools import pairwise
from typing import TypeAlias, cast

from corefeval._lazy import NamedTuple
from corefeval.adapters import find_adapter, shared
from corefeval.adapters.shared import DocumentReader
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.from_python import is_list
from corefeval.corpus.mentions import Pieces, to_mention
from corefeval.errors import Fault, InputError
from corefeval.notices import announce_notices

Span = tuple[int, int]

Row: TypeAlias = "Mapping[str, object]"
_NAMES = ("document_id", "id", "doc_name", "doc_id", "doc_key")
_PREDICTED = "predicted_clusters"
_ENTITIES = ("coref_chains", "mention_clusters", "coref_entities", "clusters")


@announce_notices
def read(data: Row | Iterable[Row] | Mapping[str, Row], *, field: str | None = None, side: str = "") -> Corpus:
    """Return the corpus, in words, of a row, of a Dataset or other rows, or of {name: row}; InputError with all faults.

    field: the column with the entities, where it is not the usual one: "predicted_clusters".
    side: "response" reads that column first, if there is one.
    """
    return shared.build_corpus("datasets", "datasets", _list_rows(data), partial(_add_row, field=field, side=side))


def _list_rows(data: object) -> object:
    """Return the rows of a Dataset as a list of Python objects; other data as it is; raise an InputError for splits."""
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
        """Return (first, last) word in the document, given those within a sentence; None if they are not in it."""
        if not 0 <= sentence < len(self.starts) - 1:
            return None
        start, end = self.starts[sentence : sentence + 2]
        return (start + first, start + last) if 0 <= first <= last < end - start else None


def _add_row(reader: DocumentReader, row: Row, field: str | None, side: str) -> None:
    """Add the documents of a row to the reader's draft, one or (in OntoNotes) one for each part, with their faults."""
    own_name = next((row[name] for name in _NAMES if row.get(name)), None)
    reader.suggest_name(own_name)
    if field is None:
        field = _choose_field(reader, row, side)
    if field is None and row.get("sentences") is None:
        what = f"document {reader.name!r} has no entities"
        reader.draft.add_fault(None, what, "one of " + ", ".join(map(repr, (*_ENTITIES, _PREDICTED))))
        return
    if field is None:
        _add_parts(reader, row["sentences"], named=reader.given is not None or own_name is None)
        return
    if field not in row:
        what = f"document {reader.name!r} has no field {field!r}"
        reader.draft.add_fault(None, what, "one of " + ", ".join(map(repr, row)))
        return
    sentences = row["sentences"] if row.get("sentences") is not None else [row.get("tokens")]
    text = _add_text(reader, sentences)
    if text is None:
        return
    if field == "coref_chains":
        reader.add_entities(row[field], 3, text.locate)
    elif field == "mention_clusters":
        reader.add_entities(row[field], 3, lambda sentence, first, end: text.locate(sentence, first, end - 1))
    elif field == "coref_entities":
        _add_corefud_entities(reader, text, row[field], sentences)
    else:
        reader.add_entities(row[field], 2, lambda first, last: (first, last))


def _choose_field(reader: DocumentReader, row: Row, side: str) -> str | None:
    """Return the name of a row's column of entities, or None; add a notice if two, or an unexpected one, are there.

    None stands for entities within the sentences.
    """
    there = [name for name in (*_ENTITIES, _PREDICTED) if row.get(name) is not None]
    if side == "response" and _PREDICTED in there:
        there.sort(key=lambda name: name != _PREDICTED)
    if _PREDICTED in there and len(there) > 1:
        field, other = there[0], there[-1] if there[0] != _PREDICTED else there[1]
        message = f"document {reader.name!r} has both {field!r}, which is read, and {other!r}, which is not"
        reader.draft.add_notice("two-fields", None, message, read=field, passed=other)
    elif side == "key" and there == [_PREDICTED]:
        message = f"document {reader.name!r} of the key has only {_PREDICTED!r}, which is read"
        reader.draft.add_notice("other-field", None, message, read=_PREDICTED)
    return next(iter(there), None)


def _add_corefud_entities(reader: DocumentReader, text: RowText, entities: object, sentences: object) -> None:
    """Add entities as CorefUD writes them, with mentions as numbers of tokens of a sentence; add faults."""
    listed = _read_mappings(reader, "the sentences are", sentences)
    place = {str(sentence.get("sent_id")): number for number, sentence in enumerate(listed)}

    def locate_mention(mention: Row) -> Span | Pieces | None:
        """Return a mention as a span of the document, with its gaps; None if there is no such sentence or word."""
        sentence = place.get(str(mention.get("sent_id")))
        return None if sentence is None else _parse_span(str(mention.get("span")), text.numbers[sentence])

    for number, entity in enumerate(reader.read_list("the entities are", entities)):
        mentions = _read_mappings(reader, f"entity {number} is", entity)
        first = mentions[0] if mentions else {}
        name = str(first.get("eid") or number)
        reader.add_entity(name, mentions, locate_mention, "a span of tokens of a sentence, such as 1-2,4")
        if first.get("etype"):
            reader.document.describe_entity(name, type=str(first["etype"]))


def _add_parts(reader: DocumentReader, sentences: object, *, named: bool) -> None:
    """Add every part of an OntoNotes file as a document of its own, named as in CoNLL files; also add faults.

    A single part is named as the row is, where that has a name from the caller, or none (`named`).
    """
    parts: dict[int, list[Row]] = {}
    for sentence in _read_mappings(reader, "the sentences are", sentences):
        parts.setdefault(shared.read_integer(sentence.get("part_id")) or 0, []).append(sentence)
    name = reader.name
    for part, within in parts.items():
        reader.name = name if named and len(parts) == 1 else f"({name}); part {part:03d}"
        text = _add_text(reader, within)
        if text is None:
            continue
        for number, sentence in enumerate(within):
            for mention in reader.read_list(f"coref_spans of sentence {number} is", sentence.get("coref_spans")):
                numbers = shared.read_integers(mention, 3)
                span = text.locate(number, *numbers[1:]) if numbers else None
                if numbers is None or span is None:
                    what = f"a mention in sentence {number} is {shared.quote_object(mention)}"
                    reader.add_fault(what, "entity, first and last word, counted from 0", kind="mention-outside")
                else:
                    reader.document.add_mention(str(numbers[0]), span)


def _add_text(reader: DocumentReader, sentences: object) -> RowText | None:
    """Add a document of these sentences' words, and return the words; None, with faults, if some are no words."""
    text = RowText([], [], [], [0], [])
    sound = True
    for number, sentence in enumerate(reader.read_list("the sentences are", sentences)):
        given = _get_field(sentence, "words", "tokens")
        tokens = list(given) if is_list(given) else [None]
        words = [_get_field(token, "text", "form") for token in tokens]
        if not all(isinstance(word, str) for word in words):
            what = f"sentence {number} is {shared.quote_object(sentence)}"
            reader.add_fault(what, "a list of words, or one with words or tokens", "a row is one document")
            sound = False
            continue
        ids: list[float] = []
        if isinstance(tokens[0] if tokens else None, Mapping):
            given_ids = [_get_field(token, "id", "ord") for token in tokens]
            ids = [float(n) if isinstance(n, int | float) and n else place for place, n in enumerate(given_ids, 1)]
        text.numbers.append({each: text.starts[-1] + place for place, each in enumerate(ids)})
        text.words.extend(cast("list[str]", words))
        text.sentence.extend([number] * len(tokens))
        text.empty.extend([each % 1 != 0 for each in ids] or [False] * len(tokens))
        text.starts.append(len(text.words))
    if sound:
        reader.add_document(words=text.words, sentence=text.sentence, empty=text.empty)
    return text if sound else None


def _get_field(value: object, *names: str) -> object:
    """Return the first value, not None, of these fields of a mapping, or None; anything but a mapping as it is."""
    if not isinstance(value, Mapping):
        return value
    return next((value[name] for name in names if value.get(name) is not None), None)


def _parse_span(span: str, places: Mapping[float, int]) -> Span | Pieces | None:
    """Return a span such as 1-2,4 of a sentence as a mention in words of the document; None if it is not possible."""
    try:
        ends = [tuple(places[float(end)] for end in run.split("-")) for run in span.split(",")]
    except (KeyError, ValueError):
        return None
    runs = tuple((run[0], run[-1]) for run in ends)
    in_order = all(first <= last for first, last in runs) and all(a[1] < b[0] for a, b in pairwise(runs))
    return to_mention(runs) if in_order else None


def _read_mappings(reader: DocumentReader, what: str, value: object) -> list[Row]:
    """Return a list of those members of a list that are mappings; add a fault if there are others, or no list."""
    entries = reader.read_list(what, value)
    found = [each for each in entries if isinstance(each, Mapping)]
    if len(found) < len(entries):
        reader.add_fault(f"{what} {shared.quote_object(value)}", "a list of objects with fields")
    return found
