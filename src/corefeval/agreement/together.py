"""Annotators on the same documents, every mention of each once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.errors import InputError
from corefeval.matching import table as matching
from corefeval.matching.documents import names as documents
from corefeval.notices import Notice
from corefeval.scoring import score

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefeval._arrays import Booleans
    from corefeval.corpus.corpus import Corpus
    from corefeval.options import Options


class Together(NamedTuple):
    """The corpora with the documents of all annotators, who (row) has which (column), and what is to be said."""

    corpora: list[Corpus]
    present: Booleans
    notices: list[Notice]


def brought(read: Mapping[str, Corpus], options: Options) -> Together:
    """Bring annotators together; a document that one has under another name gets that of the first who has it."""
    found: list[Corpus] = []
    notices: list[Notice] = []
    for name, corpus in read.items():
        own = corpus if corpus.source else corpus.replaced(source=name)
        for earlier in found:
            same = documents.found(earlier, own)
            notices += [_renamed(name, theirs, each.ours, each.why) for theirs, each in same.items() if each.why]
            own = own.renamed({theirs: each.ours for theirs, each in same.items()})
        settled, said = _settled(score.prepared(own, options), options)
        notices += said
        found.append(settled)
    everything = tuple(dict.fromkeys(name for corpus in found for name in corpus.documents))
    has = [frozenset(corpus.documents) for corpus in found]
    present = np.array([[name in one for name in everything] for one in has], dtype=np.bool_)
    for name, theirs in zip(read, has, strict=True):
        lacking = [each for each in everything if each not in theirs]
        if lacking:
            notices.append(_lacking(name, lacking, len(everything)))
    return Together([corpus.in_documents(everything) for corpus in found], present, notices)


def _settled(corpus: Corpus, options: Options) -> tuple[Corpus, list[Notice]]:
    """An annotator's corpus with every mention once, and what was to be said about it."""
    try:
        table, notices = matching.overlap(corpus, corpus, options._replace(match="exact"))
    except InputError as error:  # told of the key and of the response, which are one here
        hint = "duplicates=first or merge would go on"
        raise InputError(dict.fromkeys(fault._replace(hint=hint) for fault in error.faults)) from None
    said = [notice for notice in notices if notice.details.get("side") != "response"]
    settled = corpus if table.rows is None else table.rows.key.in_own_words()
    return settled.replaced(notices=()), said


def _renamed(name: str, theirs: str, ours: str, why: str) -> Notice:
    return Notice("other-name", f"{name}: document {theirs!r} is taken for {ours!r}: {why}", {"document": ours})


def _lacking(name: str, lacking: list[str], everything: int) -> Notice:
    message = (
        f"{name} lacks {len(lacking)} of {everything} documents, the first {lacking[0]!r}; "
        "annotators are compared on the documents that both have"
    )
    return Notice("missing-document", message, {"annotator": name, "documents": lacking})
