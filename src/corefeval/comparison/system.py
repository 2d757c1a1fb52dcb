"""A system to be compared: one run, or several whose scores are averaged."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.comparison.sample import Sample, in_order

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefeval._arrays import Floats
    from corefeval.measures import Measure
    from corefeval.scoring.results import Evaluation


class System(NamedTuple):
    """A name, the evaluations of its runs, and for each measure the samples of its runs."""

    name: str
    runs: tuple[Evaluation, ...]
    samples: Mapping[Measure, tuple[Sample, ...]]

    @classmethod
    def of(cls, name: str, runs: tuple[Evaluation, ...], measures: tuple[Measure, ...]) -> System:
        """Take the counts out of the evaluations."""
        return cls(name, runs, {each: tuple(Sample.of(run, each) for run in runs) for each in measures})

    @property
    def documents(self) -> tuple[str, ...]:
        """The names of the documents, in the order of the samples' rows."""
        names = self.runs[0].document_names
        return tuple(names[place] for place in in_order(names).tolist())

    def observed(self, measure: Measure) -> float:
        """The mean of the runs' scores."""
        return float(np.mean([sample.observed for sample in self.samples[measure]]))

    def by_document(self, measure: Measure) -> Floats:
        """The mean of the runs' scores, for every document."""
        return np.mean([sample.by_document() for sample in self.samples[measure]], axis=0)

    def without_each(self, measure: Measure) -> Floats:
        """The mean of the runs' scores without each document in turn."""
        return np.mean([sample.without_each() for sample in self.samples[measure]], axis=0)
