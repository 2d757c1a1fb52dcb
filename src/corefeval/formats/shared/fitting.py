"""Fitting a corpus into a format: what it has no place for is left behind, counted and named.

One step for each thing that a format may lack; each takes a corpus and gives the part of it that fits.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from corefeval.corpus import span_properties, units
from corefeval.corpus.mentions import Objects, as_spans
from corefeval.errors import Fault, InputError
from corefeval.notices import Notice

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping, Sequence

    from corefeval._arrays import Booleans
    from corefeval.corpus.corpus import Corpus
    from corefeval.formats.base import Capacity

_NAMED = 5  # mentions that a message names


def fit_corpus(corpus: Corpus, capacity: Capacity, format: str) -> tuple[Corpus, tuple[Notice, ...]]:  # noqa: A002
    """The part of a corpus that a format can carry, in its unit, and what is left behind."""
    left = _Left(corpus, format)
    for step in _STEPS:
        corpus = step(corpus, capacity, left)
    return corpus, tuple(left.notices)


def in_unit(corpus: Corpus, capacity: Capacity) -> Corpus:
    """A corpus in a format's unit; mentions that are lost on the way are among its notices."""
    left = _Left(corpus, "a corpus of words")
    found = _unit(corpus, capacity, left)
    return found.replaced(notices=(*found.notices, *left.notices))


class _Left:
    """What is left behind, counted and named."""

    def __init__(self, corpus: Corpus, format: str) -> None:  # noqa: A002
        self.source, self.format = corpus.source or "corpus", format
        self.notices: list[Notice] = []

    def mentions(self, kind: str, what: str, corpus: Corpus, lost: Booleans) -> None:
        rows = np.flatnonzero(lost).tolist()
        if rows:
            first = ", ".join(f"{corpus.place(row, self.source)} {corpus.describe(row)}" for row in rows[:_NAMED])
            more = f" and {len(rows) - _NAMED} more" if len(rows) > _NAMED else ""
            self._say(f"lost-{kind}", f"{len(rows)} {what} left out: {first}{more}", len(rows))

    def others(self, what: str, count: int) -> None:
        if count:
            self._say(f"lost-{what.replace(' ', '-')}", f"{count} {what} left out", count)

    def blanks(self, words: list[str]) -> None:
        if words:
            first = ", ".join(repr(word) for word in words[:_NAMED])
            more = f" and {len(words) - _NAMED} more" if len(words) > _NAMED else ""
            many = "1 word is" if len(words) == 1 else f"{len(words)} words are"
            said = f"{self.source}: {many} written without blanks inside: {first}{more}"
            detail = {"count": len(words), "format": self.format}
            self.notices.append(Notice("lost-blanks", f"{said}; {self.format} has no place for them", detail))

    def name(self, old: str, new: str) -> None:
        said = f"{self.source}: document {old!r} is called {new!r}; {self.format} cannot spell it otherwise"
        self.notices.append(Notice("lost-document-name", said, {"count": 1, "format": self.format}))

    def _say(self, kind: str, message: str, count: int) -> None:
        said = f"{self.source}: {message}; {self.format} has no place for them"
        self.notices.append(Notice(kind, said, {"count": count, "format": self.format}))


def _with_spans(corpus: Corpus, capacity: Capacity, left: _Left) -> Corpus:
    if "label" in capacity.units:
        return corpus
    spans = as_spans(corpus.mentions)
    if spans is not None:
        return corpus.replaced(mentions=spans)
    odd = next(entry for entry in corpus.mentions.objects() if as_spans(Objects([entry])) is None)
    what = f"{odd!r} is not a span, and {left.format} has no place for other mentions"
    raise InputError(Fault(corpus.source or "corpus", what, "pairs (first, last)", "json and table have"))


def _zeros(corpus: Corpus, capacity: Capacity, left: _Left) -> Corpus:
    if capacity.zeros or corpus.tokens is None or corpus.tokens.empty is None or corpus.unit == "label":
        return corpus
    found, lost = units.remove_empty_words(corpus)
    left.mentions("zero", "zeros", corpus, lost)
    return found


def _discontinuous(corpus: Corpus, capacity: Capacity, left: _Left) -> Corpus:
    gaps = span_properties.find_discontinuous(corpus)
    if capacity.discontinuous == "any" or not gaps.any():
        return corpus
    if capacity.discontinuous == "apart":
        gaps = span_properties.find_entangled(corpus)
        left.mentions("entangled", "mentions whose parts lie among those of another", corpus, gaps)
    else:
        left.mentions("discontinuous", "mentions with gaps", corpus, gaps)
    return corpus.keep(~gaps) if gaps.any() else corpus


_CROSSING: dict[str, tuple[str, Callable[[Corpus], Booleans]]] = {
    "other": (" of their entity", span_properties.find_crossing_in_entity),
    "none": ("", span_properties.find_crossing_in_document),
}


def _crossing(corpus: Corpus, capacity: Capacity, left: _Left) -> Corpus:
    if capacity.crossing == "any" or corpus.unit == "label":
        return corpus
    which, find = _CROSSING[capacity.crossing]
    crosses = find(corpus)
    left.mentions("crossing", f"mentions that cross another{which}", corpus, crosses)
    return corpus.keep(~crosses) if crosses.any() else corpus


def _unit(corpus: Corpus, capacity: Capacity, left: _Left) -> Corpus:
    if corpus.unit in capacity.units:
        return corpus
    if corpus.unit == "character" and "word" in capacity.units:
        found, lost = units.convert_to_words(corpus)
        left.mentions("blank", "mentions of nothing but blanks", corpus, lost)
        return found
    if corpus.unit == "word" and "character" in capacity.units and corpus.tokens is not None:
        found, lost = units.convert_to_characters(corpus)
        left.mentions("blank", "mentions of words without letters", corpus, lost)
        return found
    what = f"the words are not known, and {left.format} is about characters"
    raise InputError(Fault(corpus.source or "corpus", what, "a corpus with words or text"))


def _words(corpus: Corpus, capacity: Capacity, left: _Left) -> Corpus:
    if not capacity.words:
        left.others("words", len(corpus.tokens or ()))
        left.others("characters of text", sum(map(len, corpus.texts or ())))
        return corpus.replaced(tokens=None, texts=None)
    if corpus.tokens is None:
        return corpus
    if not capacity.sentences and corpus.tokens.sentence.any():
        left.others("sentence boundaries", int(np.count_nonzero(np.diff(corpus.tokens.sentence) > 0)))
        return corpus.replaced(tokens=corpus.tokens.in_one_sentence())
    return corpus


_UNSPELT = {"none": re.compile(r"[\s\0]"), "spaces": re.compile(r"[\0\t\n\r]")}


def _blanks(corpus: Corpus, capacity: Capacity, left: _Left) -> Corpus:
    """Words stay; the writer puts something else for the blanks in them."""
    pattern = _UNSPELT.get(capacity.blanks)
    if pattern is not None and corpus.tokens is not None:
        words = (word for number in range(len(corpus.documents)) for word in corpus.tokens.words(number))
        left.blanks([word for word in words if pattern.search(word)])
    return corpus


def _document_names(corpus: Corpus, capacity: Capacity, left: _Left) -> Corpus:
    if capacity.document_names is None:
        return corpus
    spelt = capacity.document_names(corpus.documents)
    new = {old: name for old, name in zip(corpus.documents, spelt, strict=True) if old != name}
    for old, name in new.items():
        left.name(old, name)
    return corpus.renamed(new) if new else corpus


def _documents(corpus: Corpus, capacity: Capacity, left: _Left) -> Corpus:
    marked = set(corpus.entity_document.tolist())
    if capacity.empty or len(marked) == len(corpus.documents):
        return corpus
    left.others("documents without mentions", len(corpus.documents) - len(marked))
    return corpus.in_documents(tuple(name for number, name in enumerate(corpus.documents) if number in marked))


def _names(corpus: Corpus, capacity: Capacity, left: _Left) -> Corpus:
    if capacity.names:
        return corpus
    first = np.searchsorted(corpus.entity_document, corpus.entity_document)
    numbers = [str(number) for number in (np.arange(len(first)) - first).tolist()]
    left.others("entity names", sum(str(old) != new for old, new in zip(corpus.entity_name, numbers, strict=True)))
    return corpus.replaced(entity_name=numbers)


def _heads(corpus: Corpus, capacity: Capacity, left: _Left) -> Corpus:
    if capacity.heads or corpus.heads is None:
        return corpus
    left.others("heads", int(np.count_nonzero(corpus.heads.start >= 0)))
    return corpus.replaced(heads=None)


def _minimums(corpus: Corpus, capacity: Capacity, left: _Left) -> Corpus:
    if capacity.minimums or corpus.minimums is None:
        return corpus
    left.others("minimum spans", int(np.count_nonzero(corpus.minimums.start >= 0)))
    return corpus.replaced(minimums=None)


def _attributes(corpus: Corpus, capacity: Capacity, left: _Left) -> Corpus:
    return corpus.replaced(
        attributes=_columns(corpus.attributes, capacity.attributes, "of mentions", left),
        entity_attributes=_columns(corpus.entity_attributes, capacity.entity_attributes, "of entities", left),
    )


def _columns(
    columns: Mapping[str, Sequence[str]], carried: Container[str], of: str, left: _Left
) -> dict[str, Sequence[str]]:
    for name, values in columns.items():
        if name not in carried:
            left.others(f"values of {name} {of}", sum(1 for value in values if value))
    return {name: values for name, values in columns.items() if name in carried}


def _relations(corpus: Corpus, capacity: Capacity, left: _Left) -> Corpus:
    for kind in dict.fromkeys(each.kind for each in corpus.relations):
        if kind not in capacity.relations:
            left.others(f"{kind} relations", sum(each.kind == kind for each in corpus.relations))
    return corpus.replaced(relations=tuple(each for each in corpus.relations if each.kind in capacity.relations))


def _layers(corpus: Corpus, capacity: Capacity, left: _Left) -> Corpus:
    layers = {}
    for name, layer in corpus.layers.items():
        if name in capacity.layers:
            # Its words are those of the corpus, and have been looked at.
            layers[name], more = fit_corpus(layer, capacity._replace(blanks="any"), left.format)
            left.notices.extend(more)
        else:
            left.others(f"mentions of the layer {name}", len(layer))
    return corpus.replaced(layers=layers)


_STEPS: tuple[Callable[[Corpus, Capacity, _Left], Corpus], ...] = (
    _with_spans, _zeros, _discontinuous, _crossing, _unit, _words, _blanks, _document_names, _documents, _names, _heads,
    _minimums, _attributes, _relations, _layers,
)  # fmt: skip
