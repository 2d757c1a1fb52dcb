"""What is resampled: one measure's counts of one system, a row for each document."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval._arrays import Array, Floats, Ints
    from corefeval.measures import Measure
    from corefeval.measures.base import Values
    from corefeval.scoring.results import Evaluation


def in_order(names: Sequence[str]) -> Ints:
    """The places of documents in the order of their names: what is drawn does not depend on how files list them."""
    return np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.int64)


class Sample(NamedTuple):
    """A measure's counts by document, in the order of their names, and how weighted sums of them become scores.

    Under an average of documents the columns are their own scores, weighted, and their weights.
    """

    measure: Measure
    counts: Floats
    names: tuple[str, ...]
    macro: bool

    @classmethod
    def of(cls, evaluation: Evaluation, measure: Measure) -> Sample:
        """The counts of an evaluation."""
        measure = measure.decided(evaluation.options)
        columns = evaluation.table.count(measure)
        documents, order = len(evaluation.document_names), in_order(evaluation.document_names)
        macro = evaluation.options.average != "micro"
        if macro:
            rows = _main(measure, measure.score({name: _column(value) for name, value in columns.items()}))
            weights = _column(evaluation.weights[measure.main])
            found = np.column_stack([np.broadcast_to(rows, documents) * weights, weights])
            return cls(measure, found[order], (), macro)
        stacked = [_column(value).astype(np.float64) for value in columns.values()]
        return cls(measure, np.column_stack(stacked).reshape(documents, -1)[order], tuple(columns), macro)

    def score(self, sums: Floats) -> Floats:
        """The main value for every row of summed counts."""
        return self.scored(sums)[0]

    def scored(self, sums: Floats) -> tuple[Floats, Array]:
        """The main value for every row of summed counts, and whether it is 0/0."""
        if self.macro:
            nothing = sums[..., 1] == 0
            return np.divide(sums[..., 0], sums[..., 1], out=np.zeros(sums.shape[:-1]), where=~nothing), nothing
        values = self.measure.score({name: sums[..., place] for place, name in enumerate(self.names)})
        undefined = np.zeros(sums.shape[:-1], dtype=np.bool_)
        for name, missing in values["undefined"].items():
            if name.rpartition(".")[2] == self.measure.main:
                undefined |= missing
        return _main(self.measure, values), undefined

    @property
    def total(self) -> Floats:
        """The counts of all documents."""
        return self.counts.sum(axis=0)

    @property
    def observed(self) -> float:
        """The score of all documents."""
        return float(self.score(self.total[np.newaxis])[0])

    def by_document(self) -> Floats:
        """The score of every document."""
        return self.score(self.counts)

    def without_each(self) -> Floats:
        """The score without each of the documents in turn."""
        return self.score(self.total - self.counts)

    @property
    def weight(self) -> Floats:
        """How much of the key each document has: what its recall, or its score, is divided by."""
        if self.macro:
            return self.counts[:, 1]
        for place, name in enumerate(self.names):
            if name.endswith("recall_denominator"):
                return self.counts[:, place]
        return np.abs(self.counts).max(axis=1)


def _main(measure: Measure, values: Values) -> Floats:
    return np.asarray(values[measure.main], dtype=np.float64)


def _column(value: object) -> Array:
    """A count by document; that of a single document is a plain number."""
    return np.atleast_1d(np.asarray(value))
