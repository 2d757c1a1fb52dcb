"""One-to-one pairs of mentions with the greatest sum of scores, document by document, as the CorefUD scorer finds them.

Most mentions have one candidate, or one that is clearly the best. Only where that leaves a choice, the document is
assigned as a whole, so that ties fall as they do in the CorefUD scorer: `augmenting.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefeval._arrays import np
from corefeval.matching.rules import containment, scipy_ties
from corefeval.matching.rules.base import Pairs

if TYPE_CHECKING:
    from corefeval._arrays import Booleans, Floats, Ints
    from corefeval.corpus.mentions import Spans
    from corefeval.matching.rules.base import Left
    from corefeval.matching.rules.candidates import Candidates

_ROUNDS = 5  # what is not clear by then waits for many others in turn
_CLEARLY = 1e-9  # sums of a few fractions of small numbers are equal, or differ by more


def pairs(left: Left, candidates: Candidates) -> Pairs:
    """Who is matched with whom."""
    if len(candidates.key) == 0:
        return Pairs(candidates.key, candidates.response)
    # From here on mentions are numbers: their places in the order of the text, document by document.
    key_order = in_order(containment.spans(left.key), left.key.document, left.key_rows, left.step)
    response_order = in_order(containment.spans(left.response), left.response.document, left.response_rows, left.step)
    key, response = _places(key_order, candidates.key), _places(response_order, candidates.response)
    edges = _Edges(left.key.document[candidates.key], key, response, candidates.score)
    taken, unclear = _clear(edges)
    if unclear.any():
        contested = np.unique(edges.document[unclear])
        taken &= ~np.isin(edges.document, contested)
        key_documents, response_documents = left.key.document[key_order], left.response.document[response_order]
        for document in contested.tolist():
            taken[_chosen(edges, document, key_documents, response_documents)] = True
    return Pairs(candidates.key[taken], candidates.response[taken])


class _Edges(NamedTuple):
    document: Ints
    key: Ints
    response: Ints
    score: Floats


def _chosen(edges: _Edges, document: int, key_documents: Ints, response_documents: Ints) -> list[int]:
    """The edges of a document that are taken if all its mentions are assigned at once."""
    first_key, past_key = np.searchsorted(key_documents, [document, document + 1]).tolist()
    first_response, past_response = np.searchsorted(response_documents, [document, document + 1]).tolist()
    here = np.flatnonzero(edges.document == document)
    scores: list[dict[int, float]] = [{} for _ in range(past_key - first_key)]
    number = {}
    columns = edges.key[here] - first_key, edges.response[here] - first_response, edges.score[here], here
    for row, column, score, edge in zip(*(values.tolist() for values in columns), strict=True):
        scores[row][column] = score
        number[row, column] = edge
    return [number[pair] for pair in scipy_ties.assigned(scores, past_response - first_response)]


def in_order(spans: Spans, document: Ints, rows: Ints, step: int) -> Ints:
    """Rows by document, first word, last word and number of words; those that differ by their gaps only, by these."""
    return rows[spans.take(rows).text_order(document[rows], step=step)]


def _places(order: Ints, rows: Ints) -> Ints:
    """Where rows are in an order."""
    place = np.zeros(int(order.max()) + 1, dtype=np.int64)
    place[order] = np.arange(len(order))
    return place[rows]


def _clear(edges: _Edges) -> tuple[Booleans, Booleans]:
    """Pairs that are matched in every best assignment, and pairs about which that does not say anything.

    A pair whose score is more than those of the best others at its two ends together is matched; then these others are
    not, and so on.
    """
    key, response, score = edges[1:]
    taken = np.zeros(len(key), dtype=np.bool_)
    left = np.arange(len(key))
    for _ in range(_ROUNDS):
        if len(left) == 0:
            break
        others = _best_other(key[left], score[left]) + _best_other(response[left], score[left])
        sure = left[score[left] > others + _CLEARLY]
        if len(sure) == 0:
            break
        taken[sure] = True
        left = left[~np.isin(key[left], key[sure]) & ~np.isin(response[left], response[sure])]
    unclear = np.zeros(len(key), dtype=np.bool_)
    unclear[left] = True
    return taken, unclear


def _best_other(node: Ints, score: Floats) -> Floats:
    """For every pair the best score of another pair with the same node; 0 where there is none."""
    order = np.lexsort((score, node))
    ordered, scores = node[order], score[order]
    last = np.append(ordered[1:] != ordered[:-1], True)
    best = np.flatnonzero(last)[np.cumsum(np.append(0, last[:-1]))]
    second = np.where((best > 0) & (ordered[best - 1] == ordered), scores[best - 1], 0.0)
    other = np.empty(len(node), dtype=np.float64)
    other[order] = np.where(last, second, scores[best])
    return other
