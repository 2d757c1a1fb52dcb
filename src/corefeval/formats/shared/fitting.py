"""Fitting a corpus into a format: what the format cannot hold is left out, with a notice.

There is one step for each thing that a format may lack; each takes a corpus and returns the part of it that fits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from corefeval._arrays import Booleans
from corefeval.corpus import units
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Objects, Spans, as_spans
from corefeval.errors import Fault, InputError
from corefeval.formats.shared.writing import SEPARATORS
from corefeval.notices import Notice, count_things, make_plural

if TYPE_CHECKING:
    from corefeval.formats.base import Capacity

_NAMED = 5  # mentions that a message names


def fit_corpus(corpus: Corpus, capacity: Capacity, format: str) -> tuple[Corpus, tuple[Notice, ...]]:  # noqa: A002
    """Return the part of a corpus that a format can hold, in its unit, and a notice for everything left out."""
    losses = _Losses(corpus, format)
    for step in _STEPS:
        corpus = step(corpus, capacity, losses)
    return corpus, tuple(losses.notices)


class _Losses:
    """Notices of what is left out of a corpus."""

    def __init__(self, corpus: Corpus, format: str) -> None:  # noqa: A002
        self.source, self.format = corpus.source or "corpus", format
        self.notices: list[Notice] = []

    def add_mentions(
        self,
        kind: str,
        thing: str,
        rest: str | tuple[str, str],
        corpus: Corpus,
        lost: Booleans,
        fate: str = "left out",
    ) -> None:
        """Add one notice that mentions marked in `lost`, if any, are left out (or their `fate`); name the first few.

        thing: what one of them is called. rest: what follows that, or what follows one and what follows several.
        """
        rows = np.flatnonzero(lost).tolist()
        if rows:
            listed = _list_first(
                [f"{corpus.place(row, self.source)} {corpus.describe(row)}" for row in rows[:_NAMED]], len(rows)
            )
            what = count_things(len(rows), thing, *((rest, rest) if isinstance(rest, str) else rest))
            self.add_notice(f"lost-{kind}", f"{what} {fate}: {listed}", len(rows), mentions=len(rows))

    def add_count(self, count: int, thing: str, rest: str = "") -> None:
        """Add a notice that so many things are left out, if any; `rest` says more about them."""
        if count:
            kind = f"{make_plural(thing)} {rest}".strip().replace(" ", "-")
            self.add_notice(f"lost-{kind}", f"{count_things(count, thing, rest, rest)} left out", count)

    def add_notice(self, kind: str, message: str, count: int, why: str = "", **more: object) -> None:
        """Add a notice of `count` things left out, by default because the format has no place for them."""
        why = why or f"{self.format} has no place for {'it' if count == 1 else 'them'}"
        details = {"count": count, "format": self.format, **more}
        self.notices.append(Notice.at(kind, self.source, None, f"{message}; {why}", details))


def _list_first(names: list[str], count: int) -> str:
    """Return names joined for a message, and how many of `count` things these leave out: "a, b and 3 more"."""
    return ", ".join(names) + (f" and {count - len(names)} more" if count > len(names) else "")


def _require_spans(corpus: Corpus, capacity: Capacity, losses: _Losses) -> Corpus:
    """Return the corpus with spans as mentions, unchanged if the format holds labels; InputError if one is no span."""
    if "label" in capacity.units:
        return corpus
    spans = as_spans(corpus.mentions)
    if spans is not None:
        return corpus.replace(mentions=spans)
    odd = next(entry for entry in corpus.mentions.objects() if as_spans(Objects([entry])) is None)
    what = f"{odd!r} is not a span, and {losses.format} has no place for other mentions"
    raise InputError(Fault(corpus.source or "corpus", what, "pairs (first, last)", "json and table have"))


def _drop_zeros(corpus: Corpus, capacity: Capacity, losses: _Losses) -> Corpus:
    """Return the corpus without unwritten words and mentions of only these, if the format lacks them; add notices."""
    if capacity.zeros or corpus.tokens is None or corpus.tokens.empty is None or corpus.unit == "label":
        return corpus
    found, lost = units.remove_empty_words(corpus)
    losses.add_mentions("zero", "zero", "", corpus, lost)
    what = "of written and unwritten words, or with these between"
    rest = f"{what} its parts,", f"{what} their parts,"
    trimmed = units.find_unwritten(corpus) & ~lost
    losses.add_mentions("zero-words", "mention", rest, corpus, trimmed, "kept without the unwritten")
    return found


def _drop_discontinuous(corpus: Corpus, capacity: Capacity, losses: _Losses) -> Corpus:
    """Return the corpus without mentions with gaps, or entangled ones, that the format cannot hold; add a notice."""
    if (
        capacity.discontinuous in ("any", "blanks")
        or not isinstance(corpus.mentions, Spans)
        or not corpus.mentions.pieces
    ):
        return corpus
    gaps = corpus.mentions.find_discontinuous()
    if capacity.discontinuous == "head":
        losses.add_mentions("gaps", "mention", "with gaps", corpus, gaps, "kept as the part with the head")
        return corpus.replace(mentions=_select_parts_with_heads(corpus.mentions, corpus.heads))
    if capacity.discontinuous == "apart":
        gaps = corpus.mentions.find_entangled(corpus.entity)
        losses.add_mentions("entangled", "mention", "whose parts lie among those of another", corpus, gaps)
    else:
        losses.add_mentions("discontinuous", "mention", "with gaps", corpus, gaps)
    return corpus.keep(~gaps) if gaps.any() else corpus


def _select_parts_with_heads(mentions: Spans, heads: Spans | None) -> Spans:
    """Return mentions without gaps: of one with gaps, the part that its head is in, or else the first one."""
    start, end = mentions.start.copy(), mentions.end.copy()
    for row, runs in mentions.pieces.items():
        head = -1 if heads is None else int(heads.start[row])
        start[row], end[row] = next((run for run in runs if run[0] <= head <= run[1]), runs[0])
    return Spans(start, end)


def _report_blank_gaps(corpus: Corpus, capacity: Capacity, losses: _Losses) -> Corpus:
    """Return the corpus as it is; add a notice of mentions with gaps of only blanks if the format cannot hold these."""
    if capacity.discontinuous == "blanks" and corpus.unit == "character":
        rest, blank = "with gaps of nothing but blanks", units.find_blank_gaps(corpus)
        losses.add_mentions("gaps", "mention", rest, corpus, blank, "kept without these gaps")
    return corpus


def _drop_crossing(corpus: Corpus, capacity: Capacity, losses: _Losses) -> Corpus:
    """Return the corpus without mentions that cross others (of their entity) if the format lacks them; add a notice."""
    if capacity.crossing == "any" or not isinstance(corpus.mentions, Spans):
        return corpus
    within = capacity.crossing == "other"
    crosses = corpus.mentions.find_crossing(corpus.entity if within else corpus.document)
    one, many = (" of its entity", " of their entity") if within else ("", "")
    rest = f"that crosses another{one}", f"that cross another{many}"
    losses.add_mentions("crossing", "mention", rest, corpus, crosses)
    return corpus.keep(~crosses) if crosses.any() else corpus


def _convert_unit(corpus: Corpus, capacity: Capacity, losses: _Losses) -> Corpus:
    """Return the corpus in words or characters, as the format needs; add notices; InputError if words are unknown."""
    if corpus.unit in capacity.units:
        return corpus
    if corpus.unit == "character" and "word" in capacity.units:
        found, lost = units.convert_to_words(corpus)
        losses.add_mentions("blank", "mention", "of nothing but blanks", corpus, lost)
        padded = (units.find_padded(corpus) | units.find_blank_gaps(corpus)) & ~lost
        rest = (
            "that begins or ends with blanks, or has gaps of blanks,",
            "that begin or end with blanks, or have gaps of blanks,",
        )
        losses.add_mentions("outer-blanks", "mention", rest, corpus, padded, "kept without them")
        return found
    if corpus.unit == "word" and "character" in capacity.units and corpus.tokens is not None:
        found, lost = units.convert_to_characters(corpus)
        losses.add_mentions("blank", "mention", "of words without letters", corpus, lost)
        words = (word for number in range(len(corpus.documents)) for word in corpus.tokens.words(number))
        blank = np.array([not word.strip() for word in words], dtype=np.bool_)
        if blank.any():
            among = units.find_mentions_over(corpus, blank) & ~lost
            losses.add_mentions(
                "blank-words", "mention", "with words of blanks", corpus, among, "kept with blanks for these"
            )
        return found
    what = f"the words are not known, and {losses.format} is about characters"
    raise InputError(Fault(corpus.source or "corpus", what, "a corpus with words or text"))


def _drop_words(corpus: Corpus, capacity: Capacity, losses: _Losses) -> Corpus:
    """Return the corpus without words and text, or only without sentences, if the format lacks these; add notices."""
    if not capacity.words:
        losses.add_count(len(corpus.tokens or ()), "word")
        losses.add_count(sum(map(len, corpus.texts or ())), "character", "of text")
        # That mentions count characters stays known: texts are empty, not missing.
        return corpus.replace(tokens=None, texts=corpus.texts and ("",) * len(corpus.texts))
    if corpus.tokens is None:
        return corpus
    if not capacity.sentences and corpus.tokens.sentence.any():
        losses.add_count(int(np.count_nonzero(np.diff(corpus.tokens.sentence) > 0)), "sentence boundary")
        return corpus.replace(tokens=corpus.tokens.in_one_sentence())
    return corpus


_UNSPELT = {"none": SEPARATORS, "spaces": r"[\0\t\n\r]", "all but NUL": r"\0"}


def _report_blanks(corpus: Corpus, capacity: Capacity, losses: _Losses) -> Corpus:
    """Return the corpus as it is; add notices of blanks in words, empty words and NULs that the format cannot spell."""
    pattern = _UNSPELT.get(capacity.blanks)
    if pattern is not None and corpus.tokens is not None:
        words = [word for number in range(len(corpus.documents)) for word in corpus.tokens.words(number)]
        changed = np.array([re.search(pattern, word) is not None for word in words], dtype=np.bool_)
        found = list(compress(words, changed))
        if found:
            listed = _list_first(list(map(repr, found[:_NAMED])), len(found))
            message = f"{count_things(len(found), 'word', 'is', 'are')} written without blanks inside: {listed}"
            mentions = int(np.count_nonzero(units.find_mentions_over(corpus, changed)))
            losses.add_notice("lost-blanks", message, len(found), mentions=mentions)
        empty = np.array([word == "" for word in words], dtype=np.bool_) & ~corpus.tokens.unwritten
        if capacity.blanks in ("none", "spaces") and empty.any():
            count = int(np.count_nonzero(empty))
            mentions = int(np.count_nonzero(units.find_mentions_over(corpus, empty)))
            what = count_things(count, "empty word", "is", "are")
            losses.add_notice("lost-empty-words", f"{what} written as _", count, mentions=mentions)
    if capacity.blanks == "no NUL" and corpus.unit == "character":
        count = sum(text.count("\0") for text in corpus.texts or ())
        if count:
            mentions = int(np.count_nonzero(units.find_in_texts_with(corpus, "\0")))
            what = f"{count_things(count, 'NUL character', 'is', 'are')} written as U+FFFD"
            losses.add_notice("lost-blanks", what, count, mentions=mentions)
    return corpus


def _report_labels(corpus: Corpus, capacity: Capacity, losses: _Losses) -> Corpus:
    """Return the corpus as it is; add a notice of labels that the format would read back as other ones."""
    if capacity.labels is not None and isinstance(corpus.mentions, Objects):
        changed = np.array([capacity.labels(label) != label for label in corpus.mentions.objects()], dtype=np.bool_)
        rest = "that is read back as another", "that are read back as others"
        losses.add_mentions("label-types", "label", rest, corpus, changed, "written")
    return corpus


def _respell_document_names(corpus: Corpus, capacity: Capacity, losses: _Losses) -> Corpus:
    """Return the corpus with documents' names as the format can spell them; add a notice for every changed one."""
    if capacity.document_names is None:
        return corpus
    spelt = capacity.document_names(corpus.documents)
    new = {old: name for old, name in zip(corpus.documents, spelt, strict=True) if old != name}
    for old, name in new.items():
        message = f"document {old!r} is called {name!r}"
        why = f"{losses.format} cannot spell it otherwise"
        losses.add_notice("lost-document-name", message, 1, why, document=old, written=name)
    return corpus.rename_documents(new) if new else corpus


def _drop_empty_documents(corpus: Corpus, capacity: Capacity, losses: _Losses) -> Corpus:
    """Return the corpus without documents that have no mentions, if the format cannot hold these; add a notice."""
    marked = set(corpus.entity_document.tolist())
    if capacity.empty or len(marked) == len(corpus.documents):
        return corpus
    losses.add_count(len(corpus.documents) - len(marked), "document", "without mentions")
    return corpus.select_documents(tuple(name for number, name in enumerate(corpus.documents) if number in marked))


def _number_entities(corpus: Corpus, capacity: Capacity, losses: _Losses) -> Corpus:
    """Return the corpus with entities numbered from 0 in each document, if the format has no names; add a notice."""
    if capacity.names:
        return corpus
    first = np.searchsorted(corpus.entity_document, corpus.entity_document)
    numbers = [str(number) for number in (np.arange(len(first)) - first).tolist()]
    others = sum(str(old) != new for old, new in zip(corpus.entity_name, numbers, strict=True))
    losses.add_count(others, "entity name")
    return corpus.replace(entity_name=numbers)


def _drop_parts(corpus: Corpus, capacity: Capacity, losses: _Losses) -> Corpus:
    """Return the corpus without heads and minimum spans, each where the format cannot hold them; add notices."""
    for field, what in (("heads", "head"), ("minimums", "minimum span")):
        parts: Spans | None = getattr(corpus, field)
        if parts is not None and not getattr(capacity, field):
            losses.add_count(int(np.count_nonzero(parts.start >= 0)), what)
            corpus = corpus.replace(**{field: None})
    return corpus


def _drop_attributes(corpus: Corpus, capacity: Capacity, losses: _Losses) -> Corpus:
    """Return the corpus without attributes that the format has no place for; add a notice for each that has values."""
    for field, owners in (("attributes", "mentions"), ("entity_attributes", "entities")):
        columns: Mapping[str, Sequence[str]] = getattr(corpus, field)
        lost = {name: values for name, values in columns.items() if name not in getattr(capacity, field)}
        for name, values in lost.items():
            losses.add_count(sum(1 for value in values if value), "value", f"of {name} of {owners}")
        corpus = corpus.replace(**{field: {name: columns[name] for name in columns if name not in lost}})
    return corpus


def _drop_relations(corpus: Corpus, capacity: Capacity, losses: _Losses) -> Corpus:
    """Return the corpus without relations that the format has no place for; add a notice for each kind."""
    for kind in dict.fromkeys(each.kind for each in corpus.relations):
        if kind not in capacity.relations:
            losses.add_count(sum(each.kind == kind for each in corpus.relations), f"{kind} relation")
    return corpus.replace(relations=tuple(each for each in corpus.relations if each.kind in capacity.relations))


def _fit_layers(corpus: Corpus, capacity: Capacity, losses: _Losses) -> Corpus:
    """Return the corpus with only the layers that the format holds, each fitted into it; add notices of all losses."""
    layers = {}
    for name, layer in corpus.layers.items():
        if name in capacity.layers:
            # Its words are those of the corpus, whose blanks have been reported.
            layers[name], more = fit_corpus(layer, capacity._replace(blanks="any"), losses.format)
            losses.notices.extend(more)
        else:
            losses.add_count(len(layer), "mention", f"of the layer {name}")
    return corpus.replace(layers=layers)


_STEPS: tuple[Callable[[Corpus, Capacity, _Losses], Corpus], ...] = (
    _require_spans, _drop_zeros, _drop_discontinuous, _drop_crossing, _convert_unit, _report_blank_gaps, _drop_words,
    _report_blanks, _report_labels, _respell_document_names, _drop_empty_documents, _number_entities, _drop_parts,
    _drop_attributes, _drop_relations, _fit_layers,
)  # fmt: skip
