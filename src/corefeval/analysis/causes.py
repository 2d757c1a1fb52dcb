"""What a decision is about in these data: the mentions, entities and documents on which it makes a difference."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.corpus.mentions import number_mentions

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from corefeval._arrays import Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.scoring.results import Evaluation


class DecisionChange(NamedTuple):
    """Key and response as they were read, and the evaluations before and after one decision was changed."""

    key: Corpus
    response: Corpus
    before: Evaluation
    after: Evaluation

    @property
    def sides(self) -> tuple[tuple[str, Corpus], tuple[str, Corpus]]:
        """Both corpora, with the words for them."""
        return ("key", self.key), ("response", self.response)


def list_causes(decision: str, change: DecisionChange) -> tuple[str, ...]:
    """Sentences that name what is responsible, the most telling first."""
    return tuple(_CAUSES[decision](change))


def _notices(*kinds: str) -> Callable[[DecisionChange], Iterator[str]]:
    def find_messages(change: DecisionChange) -> Iterator[str]:
        for evaluation in (change.after, change.before):
            found = [notice.message for notice in evaluation.notices if notice.kind in kinds]
            if found:
                yield from found
                return

    return find_messages


def _singletons(change: DecisionChange) -> Iterator[str]:
    for side, corpus in change.sides:
        size = np.bincount(corpus.entity, minlength=len(corpus.entity_document))
        rows = np.flatnonzero(size[corpus.entity] == 1)
        if len(rows):
            yield f"the {side} has {_many(len(rows), 'entity of one mention', 'entities of one mention')}"
    for side, corpus in change.sides:
        size = np.bincount(corpus.entity, minlength=len(corpus.entity_document))
        for row in np.flatnonzero(size[corpus.entity] == 1).tolist():
            yield f"{_named(corpus, row, side)} is alone in entity {_entity(corpus, row)}"


def _twins(change: DecisionChange) -> Iterator[str]:
    """Pairs of mentions that are matched now and were not, or were and are not."""
    before, after = _pairs(change.before), _pairs(change.after)
    lost, won = before.keys() - after.keys(), after.keys() - before.keys()
    if won or lost:
        yield f"{_many(len(won), 'pair', 'pairs')} newly matched, {len(lost):,} no longer"
    for pairs, keys, evaluation, what in (
        (after, won, change.after, "is now"),
        (before, lost, change.before, "is no longer"),
    ):
        rows = evaluation.mentions
        for pair in pairs:
            if rows is not None and pair in keys:
                ours, theirs = pairs[pair]
                yield f"{_named(rows.key, ours, 'key')} {what} {_named(rows.response, theirs, 'response')}"


def _pairs(evaluation: Evaluation) -> dict[tuple[Hashable, ...], tuple[int, int]]:
    """The rows of all twins, by what they are: mentions in their own files' words, in documents of one name."""
    rows = evaluation.mentions
    if rows is None:
        return {}
    ours, theirs = _own(rows.key, rows.twin_key), _own(rows.response, rows.twin_response)
    places = zip(rows.twin_key.tolist(), rows.twin_response.tolist(), strict=True)
    return dict(zip(zip(ours, theirs, strict=True), places, strict=True))


def _own(corpus: Corpus, rows: Ints) -> list[Hashable]:
    documents = (corpus.documents[place] for place in corpus.document[rows].tolist())
    entities = (_entity(corpus, row) for row in rows.tolist())
    return list(zip(documents, entities, corpus.mentions.own.take(rows).objects(), strict=True))


def _zeros(change: DecisionChange) -> Iterator[str]:
    counts = [int(np.count_nonzero(corpus.zeros)) for _, corpus in change.sides]
    if any(counts):
        yield f"the key has {_many(counts[0], 'zero', 'zeros')}, the response {counts[1]}"
    yield from _notices("crossed-zeros")(change)
    yield from _twins(change)


def _twinless(change: DecisionChange) -> Iterator[str]:
    key, response = change.key, change.response
    rows = change.before.mentions
    if rows is None:
        return
    alone = []
    for side, corpus, twins in (
        ("key", rows.key, rows.twin_key),
        ("response", rows.response, rows.twin_response),
    ):
        without = np.setdiff1d(_distinct_rows(corpus), twins)
        alone.append((side, corpus, without))
    counts = [len(without) for *_, without in alone]
    of_key, of_response = f"{counts[0]:,} of {len(key):,}", f"{counts[1]:,} of {len(response):,}"
    yield f"{of_key} key mentions and {of_response} response mentions have no twin"
    for side, corpus, without in reversed(alone):
        for row in without.tolist():
            yield f"{_named(corpus, row, side)} of entity {_entity(corpus, row)} is in the {side} only"


def _distinct_rows(corpus: Corpus) -> Ints:
    number, _ = number_mentions(corpus.mentions, corpus.mentions, corpus.document, corpus.document)
    return np.sort(np.unique(number, return_index=True)[1])


def _links(change: DecisionChange) -> Iterator[str]:
    """Where one side has no links of a kind."""
    evaluation = change.after
    whole = evaluation.options.average == "micro"
    places = (
        [("", evaluation)]
        if whole
        else [(f"document {name!r}: ", evaluation.documents[name]) for name in evaluation.document_names]
    )
    for where, scores in places:
        links = scores["blanc"].links
        for kind, word in (("coreference", "coreference"), ("noncoreference", "non-coreference")):
            counts = links[f"key_{kind}"], links[f"response_{kind}"]
            if not all(counts):
                yield f"{where}the key has {counts[0]} {word} links, the response {counts[1]}"


def _average(change: DecisionChange) -> Iterator[str]:
    names, mentions = change.after.document_names, np.atleast_1d(change.after.table.key.mentions)
    if len(names) < 2:
        return
    largest = int(np.argmax(mentions))
    share = mentions[largest] / max(1, int(mentions.sum()))
    yield (
        f"{len(names)} documents, of which the largest, {names[largest]!r}, has {share:.0%} of the key's mentions: "
        "summed counts weigh documents by size"
    )


_CAUSES: dict[str, Callable[[DecisionChange], Iterator[str]]] = {
    "missing": _notices("missing-document"),
    "extra": _notices("extra-document"),
    "split_antecedents": _notices("split-antecedents", "listed-links"),
    "singletons": _singletons,
    "match": _twins,
    "zeros": _zeros,
    "duplicates": _notices("repeated-mention"),
    "twinless": _twinless,
    "boundary": _links,
    "average": _average,
}


def _named(corpus: Corpus, row: int, side: str) -> str:
    return f"{corpus.place(row, side)}: {corpus.describe(row)}"


def _entity(corpus: Corpus, row: int) -> str:
    return str(corpus.entity_name[int(corpus.entity[row])])


def _many(count: int, one: str, several: str) -> str:
    return f"{count:,} {one if count == 1 else several}"
