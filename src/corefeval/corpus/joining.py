"""Several corpora as one, and one with other documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefeval.corpus import mentions, tokens, units
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Spans
from corefeval.errors import Fault, InputError
from corefeval.notices import Notice, named

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def joined(parts: Sequence[Corpus], source: str) -> Corpus:
    """The documents of several corpora one after another, in words if any is; what some lack is empty there."""
    parts = _in_one_unit(parts, source)
    entities = np.cumsum([0, *(len(part.entity_document) for part in parts)])[:-1]
    before = np.cumsum([0, *(len(part.documents) for part in parts)])[:-1]
    known = [part.tokens for part in parts if part.tokens is not None]
    texts = [part.texts for part in parts if part.texts is not None]
    lines = [part.lines for part in parts if part.lines is not None]
    return Corpus(
        tuple(name for part in parts for name in part.documents),
        np.concatenate([part.entity_document + b for part, b in zip(parts, before, strict=True)]),
        [name for part in parts for name in part.entity_name],
        np.concatenate([part.entity + e for part, e in zip(parts, entities, strict=True)]),
        mentions.join_columns([part.mentions for part in parts]),
        tokens=tokens.join_tokens(known) if len(known) == len(parts) else None,
        texts=tuple(text for each in texts for text in each) if len(texts) == len(parts) else None,
        source=source,
        notices=tuple(notice for part in parts for notice in part.notices),
        files=tuple(part.file(number) for part in parts for number in range(len(part.documents))),
        heads=_spans([part.heads for part in parts], parts),
        minimums=_spans([part.minimums for part in parts], parts),
        lines=np.concatenate(lines) if len(lines) == len(parts) else None,
        attributes=_columns([part.attributes for part in parts], [len(part) for part in parts]),
        entity_attributes=_columns(
            [part.entity_attributes for part in parts], [len(part.entity_document) for part in parts]
        ),
        relations=tuple(relation for part in parts for relation in part.relations),
        layers=_layers(parts, source),
        format="+".join(dict.fromkeys(part.format for part in parts)),
        recognised=f"{len(parts)} files",
    )


def _in_one_unit(parts: Sequence[Corpus], source: str) -> Sequence[Corpus]:
    """Characters become words where other files have words; words that are not known cannot be mixed with others."""
    kinds = {_kind(part) for part in parts}
    if len(kinds) == 1:
        return parts
    if kinds == {"words", "text"}:
        return [part if part.unit == "word" else _convert_to_words(part) for part in parts]
    examples = {kind: next(part.source for part in parts if _kind(part) == kind) for kind in sorted(kinds)}
    what = "; ".join(f"{file} has {kind}" for kind, file in examples.items())
    raise InputError(Fault(source, f"files that cannot be counted alike: {what}", "words or text in all, or in none",
                           "read them one by one", kind="units"))  # fmt: skip


def _convert_to_words(part: Corpus) -> Corpus:
    """Return a corpus of characters in words; mentions that are lost on the way are in its notices."""
    found, lost = units.convert_to_words(part)
    rows = np.flatnonzero(lost).tolist()
    source = part.source or "corpus"
    what = "is nothing but blanks; left out"
    notices = named(
        "lost-blank",
        len(rows),
        lambda i: Notice("lost-blank", f"{part.place(rows[i], source)}: {part.describe(rows[i])} {what}"),
    )
    return found.replaced(notices=(*found.notices, *notices))


def _kind(part: Corpus) -> str:
    return "words" if part.tokens is not None else "text" if part.texts is not None else "neither words nor text"


def _spans(columns: Sequence[Spans | None], parts: Sequence[Corpus]) -> Spans | None:
    if all(column is None for column in columns):
        return None
    none = [np.full(len(part), -1, dtype=np.int64) for part in parts]
    return mentions.join_spans([column or Spans(n, n) for column, n in zip(columns, none, strict=True)])


def _columns(tables: Sequence[Mapping[str, Sequence[str]]], lengths: Sequence[int]) -> dict[str, list[str]]:
    names = dict.fromkeys(name for table in tables for name in table)
    return {
        name: [value for table, n in zip(tables, lengths, strict=True) for value in table.get(name) or [""] * n]
        for name in names
    }


def _layers(parts: Sequence[Corpus], source: str) -> dict[str, Corpus]:
    names = dict.fromkeys(name for part in parts for name in part.layers)
    return {name: joined([part.layers.get(name) or _nothing(part) for part in parts], source) for name in names}


def _nothing(part: Corpus) -> Corpus:
    """The documents of a corpus without anything marked in them."""
    none = np.zeros(0, dtype=np.int64)
    return Corpus(part.documents, none, [], none, Spans(none, none), part.tokens, texts=part.texts, source=part.source)


def reordered(corpus: Corpus, names: tuple[str, ...]) -> Corpus:
    """The corpus with these documents in this order: those it lacks are empty, others go."""
    place = {name: number for number, name in enumerate(names)}
    moved = np.array([place.get(name, -1) for name in corpus.documents], dtype=np.int64)
    if len(moved) == 0:
        return corpus.replaced(documents=names, tokens=None, texts=None)
    entity_document = moved[corpus.entity_document]
    order = np.argsort(entity_document, kind="stable")
    order = order[np.searchsorted(entity_document[order], 0) :]
    rank = np.full(len(entity_document), -1, dtype=np.int64)
    rank[order] = np.arange(len(order))
    rows = np.flatnonzero(rank[corpus.entity] >= 0)
    here = {name: number for number, name in enumerate(corpus.documents)}
    return corpus.replaced(
        **corpus.mention_columns(rows),
        **corpus.entity_columns(order) | {"entity_document": entity_document[order]},
        documents=names,
        entity=rank[corpus.entity[rows]],
        tokens=None if corpus.tokens is None else corpus.tokens.of_documents([here.get(name, -1) for name in names]),
        texts=None if corpus.texts is None else tuple(corpus.texts[here[n]] if n in here else "" for n in names),
        files=tuple(corpus.file(here[name]) if name in here else corpus.source for name in names),
        relations=tuple(relation for relation in corpus.relations if relation.document in place),
        layers={name: layer.in_documents(names) for name, layer in corpus.layers.items()},
    )
