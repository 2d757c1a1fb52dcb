"""Annotators on the same documents: every mention of each once, and the same number for the same mention."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from corefeval.errors import InputError
from corefeval.matching import documents
from corefeval.matching import table as matching
from corefeval.notices import Notice
from corefeval.scoring import score

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefeval._arrays import Booleans, Ints
    from corefeval.agreement.pairs import PairEvaluation
    from corefeval.corpus.corpus import Corpus
    from corefeval.options import Options


@dataclass(frozen=True, slots=True)
class AlignedAnnotators:
    """The annotators' names and corpora, all with the same documents, and which annotator (row) has which document."""

    names: tuple[str, ...]
    corpora: tuple[Corpus, ...]
    document_names: tuple[str, ...]
    present: Booleans
    notices: tuple[Notice, ...]


def align_annotators(corpora: Mapping[str, Corpus], options: Options) -> AlignedAnnotators:
    """Bring annotators to the same documents; a document is named as the first who has it names it."""
    aligned: list[Corpus] = []
    notices: list[Notice] = []
    for name, corpus in corpora.items():
        own = corpus if corpus.source else corpus.replace(source=name)
        for earlier in aligned:
            same = documents.find_same_documents(earlier, own)
            notices += [
                Notice(
                    "other-name",
                    f"{name}: document {theirs!r} is taken for {each.ours!r}: {each.why}",
                    {"document": each.ours},
                )
                for theirs, each in same.items()
                if each.why
            ]
            own = own.renamed({theirs: each.ours for theirs, each in same.items()})
        distinct, own_notices = _remove_repeats(score.prepared(own, options), options)
        notices += own_notices
        aligned.append(distinct)
    everything = tuple(dict.fromkeys(name for corpus in aligned for name in corpus.documents))
    owned = [frozenset(corpus.documents) for corpus in aligned]
    present = np.array([[name in own_names for name in everything] for own_names in owned], dtype=np.bool_)
    for name, own_names in zip(corpora, owned, strict=True):
        lacking = [each for each in everything if each not in own_names]
        if lacking:
            message = (
                f"{name} lacks {len(lacking)} of {len(everything)} documents, the first {lacking[0]!r}; "
                "annotators are compared on the documents that both have"
            )
            notices.append(Notice("missing-document", message, {"annotator": name, "documents": lacking}))
    widened = tuple(corpus.in_documents(everything) for corpus in aligned)
    return AlignedAnnotators(tuple(corpora), widened, everything, present, tuple(notices))


def _remove_repeats(corpus: Corpus, options: Options) -> tuple[Corpus, list[Notice]]:
    """Return an annotator's corpus with every mention once, and the notices about that."""
    try:
        tables, notices = matching.build_tables(corpus, corpus, options._replace(match="exact"))
    except InputError as error:  # one fault for the key and one for the response, which are the same corpus here
        hint = "duplicates=first or merge would go on"
        raise InputError(dict.fromkeys(fault._replace(hint=hint) for fault in error.faults)) from None
    own_notices = [notice for notice in notices if notice.details.get("side") != "response"]
    distinct = corpus if tables.mentions is None else tables.mentions.key.in_own_words()
    return distinct.replace(notices=()), own_notices


def number_mentions(aligned: AlignedAnnotators, pairs: Sequence[PairEvaluation]) -> list[Ints]:
    """Return, for each annotator, the numbers of mentions: the same for what annotators have marked as the same.

    A mention has the number that the earliest annotator with a twin of it has given; nobody has a number twice.
    """
    numbers = [np.full(len(corpus), -1, dtype=np.int64) for corpus in aligned.corpora]
    unused = 0
    for annotator, own in enumerate(numbers):
        for pair in pairs:
            if pair.b == annotator:
                rows_a, rows_b = pair.twins
                number = numbers[pair.a][rows_a]
                free = (own[rows_b] < 0) & ~np.isin(number, own)
                own[rows_b[free]] = number[free]
        new = np.flatnonzero(own < 0)
        own[new] = unused + np.arange(len(new))
        unused += len(new)
    return numbers
