"""Leave-one-out all at once, for measures whose counts are sums of a function of sizes.

Such as pairs of mentions, C(k), C(r), C(n) and C(E): without a mention, one entity of each side, what these two share,
and the document are smaller by one, and all other terms stay. So the counts without each mention, and without each
entity, are known from those with all, and one call scores them all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corefeval.analysis.costs.sides import seen
from corefeval.measures.entropy import Entropy, x_log_x
from corefeval.measures.kappa import Kappa
from corefeval.measures.rand import AdjustedRand, Rand
from corefeval.overlap.cells import pairs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from corefeval._arrays import Array, Floats, Ints
    from corefeval.analysis.costs.sides import Side
    from corefeval.measures import Measure
    from corefeval.scoring.results import Evaluation

    Term = tuple[str, Callable[[Any], Any]]
    """Of which sizes a count is a sum (`all` mentions of a document, `key` and `response` entities, what they have in
    `common`), and of which function of them; 0 of 0."""


class Gains(NamedTuple):
    """What the score is without each entity and each mention, less what it is."""

    key_entities: Floats
    response_entities: Floats
    key_mentions: Floats
    response_mentions: Floats


def _links(size: Any) -> Any:
    return np.maximum(size - 1, 0)


_PAIRS: dict[str, Term] = {
    "all_pairs": ("all", pairs),
    "key_pairs": ("key", pairs),
    "response_pairs": ("response", pairs),
    "common_pairs": ("common", pairs),
}
SEPARABLE: dict[type[Measure], Mapping[str, Term]] = {
    Rand: _PAIRS,
    AdjustedRand: _PAIRS,
    Entropy: {
        "mentions": ("all", lambda size: size),
        "key": ("key", x_log_x),
        "response": ("response", x_log_x),
        "common": ("common", x_log_x),
    },
    Kappa: {
        "common": ("common", _links),
        "key": ("key", _links),
        "response": ("response", _links),
        "possible": ("all", _links),
    },
}
"""Counts that are sums over sizes."""


def gains(evaluation: Evaluation, measure: Measure) -> Gains | None:
    """What is gained by leaving out, if it is known from the counts."""
    terms, table = SEPARABLE.get(type(measure)), evaluation.table
    known = table.repeats is None and table.splits is None and table.before is None and measure.name not in table.views
    if terms is None or not known or evaluation.options.average not in ("micro", "macro"):
        return None
    ours, theirs, _ = seen(evaluation)
    scored = _Scored(evaluation, measure)
    return Gains(
        scored.gained(ours.table.key.document, _without_entities(terms, ours, ("key", "response"))),
        scored.gained(theirs.table.key.document, _without_entities(terms, theirs, ("response", "key"))),
        scored.gained(ours.document, _without_mentions(terms, ours, ("key", "response"))),
        scored.gained(theirs.document, _without_mentions(terms, theirs, ("response", "key"))),
    )


class _Scored:
    """The score, and the scores with other counts of one document."""

    def __init__(self, evaluation: Evaluation, measure: Measure) -> None:
        self.measure, self.micro = measure, evaluation.options.average == "micro"
        self.counts = {name: np.atleast_1d(column) for name, column in evaluation.table.count(measure).items()}
        weights = np.asarray(evaluation.weights["f1"], dtype=np.float64)
        self.share = weights / (weights.sum() or 1.0)

    def gained(self, document: Ints, change: dict[str, Array]) -> Floats:
        """What the score gains by each change of the counts of a document."""
        before = {
            name: np.broadcast_to(column.sum(), len(document)) if self.micro else column[document]
            for name, column in self.counts.items()
        }
        after = self._score({name: before[name] + change[name] for name in before})
        gain = after - self._score(before)
        return gain if self.micro else gain * self.share[document]

    def _score(self, counts: dict[str, Array]) -> Floats:
        return np.asarray(self.measure.score(counts)[self.measure.main], dtype=np.float64)


def _without_mentions(terms: Mapping[str, Term], side: Side, names: tuple[str, str]) -> dict[str, Array]:
    sizes = {
        "all": _mentions(side)[side.document],
        names[0]: side.size,
        names[1]: side.other_size,
        "common": side.fragment,
    }
    return {
        name: function(np.maximum(sizes[which] - 1, 0)) - function(sizes[which])
        for name, (which, function) in terms.items()
    }


def _without_entities(terms: Mapping[str, Term], side: Side, names: tuple[str, str]) -> dict[str, Array]:
    """An entity is gone with all that it shares with others, and these are smaller by that."""
    table = side.table
    size, whole = table.key.size, _mentions(side)[table.key.document]

    def by_entity(cells: Array) -> Array:
        total = np.bincount(table.cell_key, weights=cells, minlength=len(size))
        return total.astype(cells.dtype)

    changes: dict[str, Callable[[Callable[[Any], Any]], Array]] = {
        "all": lambda function: function(whole - size) - function(whole),
        names[0]: lambda function: -function(size),
        names[1]: lambda function: by_entity(function(table.r - table.n) - function(table.r)),
        "common": lambda function: by_entity(-function(table.n)),
    }
    return {name: changes[which](function) for name, (which, function) in terms.items()}


def _mentions(side: Side) -> Ints:
    """How many mentions each document has on both sides together."""
    return np.atleast_1d(np.asarray(side.table.union))
