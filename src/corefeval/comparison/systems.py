"""What is resampled: a system's counts by document or component, for each measure and run; groups of documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from corefeval._arrays import Booleans, Floats, Ints
from corefeval.comparison.bootstrap import Distributions
from corefeval.comparison.results import Settings
from corefeval.comparison.significance import PValues, SystemPair
from corefeval.corpus.document_names import find_genre
from corefeval.errors import OptionError
from corefeval.measures import Measure
from corefeval.scoring.results import Evaluation


def sort_documents(names: Sequence[str]) -> Ints:
    """Return the indices that sort documents by name, so that resamples do not depend on file order."""
    return np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.int64)


DOCUMENT, COMPONENT = "document", "component"


@dataclass(frozen=True, slots=True)
class Units:
    """What is drawn: "document" or "component", how many there are, and a function that names one, given its number.

    rows: the row of counts of each, where one row stands for several; None if every unit has its own.
    """

    noun: str
    count: int
    name_unit: Callable[[int], str]
    rows: Ints | None = None

    @property
    def times(self) -> Ints | None:
        """For every row of counts, how many units it stands for; None if one each."""
        return None if self.rows is None else np.bincount(self.rows)


@dataclass(frozen=True, slots=True)
class Sample:
    """One measure's counts of one run: a row per document in the order of their names, a column per count.

    Where documents' scores are averaged (`macro`), the columns are each document's weighted score and its weight.
    rows: for every unit its row, where one row stands for several units; None if every unit has its own.
    """

    measure: Measure
    counts: Floats
    columns: tuple[str, ...]
    macro: bool
    rows: Ints | None = None

    @classmethod
    def from_evaluation(cls, evaluation: Evaluation, measure: Measure) -> Sample:
        """Return a Sample by document name: a measure's counts; if scores are averaged, weighted scores and weights."""
        measure = measure.apply_options(evaluation.options)
        # The counts of a single document are plain numbers.
        columns = {name: np.atleast_1d(np.asarray(value)) for name, value in evaluation.count(measure).items()}
        documents, order = len(evaluation.document_names), sort_documents(evaluation.document_names)
        if evaluation.options.average != "micro":
            scores = np.broadcast_to(np.asarray(measure.score(columns)[measure.main], dtype=np.float64), documents)
            weights = np.atleast_1d(np.asarray(evaluation.weights[measure.main]))
            weighted = np.column_stack([scores * weights, weights])
            return cls(measure, weighted[order], (), macro=True)
        counts = np.column_stack([column.astype(np.float64) for column in columns.values()])
        return cls(measure, counts.reshape(documents, -1)[order], tuple(columns), macro=False)

    def score(self, sums: Floats) -> Floats:
        """Return an array: the main score for every row of summed counts."""
        return self.score_and_check(sums)[0]

    def score_and_check(self, sums: Floats) -> tuple[Floats, Booleans]:
        """Return two arrays: the main score for every row of summed counts, and whether it is undefined (0/0)."""
        if self.macro:
            undefined: Booleans = sums[..., 1] == 0
            return np.divide(sums[..., 0], sums[..., 1], out=np.zeros(sums.shape[:-1]), where=~undefined), undefined
        values = self.measure.score({name: sums[..., place] for place, name in enumerate(self.columns)})
        undefined = np.zeros(sums.shape[:-1], dtype=np.bool_)
        for name, missing in values["undefined"].items():
            if name.rpartition(".")[2] == self.measure.main:
                undefined |= missing
        return np.asarray(values[self.measure.main], dtype=np.float64), undefined

    @property
    def total(self) -> Floats:
        """The counts of all documents, added up."""
        return self.counts.sum(axis=0) if self.rows is None else np.bincount(self.rows) @ self.counts

    @property
    def size(self) -> int:
        """How many documents, or components, there are."""
        return len(self.counts if self.rows is None else self.rows)

    def spread(self, values: Floats) -> Floats:
        """Return an array with a value for every unit, from values of rows."""
        return values if self.rows is None else values[self.rows]

    @property
    def observed(self) -> float:
        """The main score on all documents together."""
        return float(self.score(self.total[np.newaxis])[0])

    def score_without_each(self) -> Floats:
        """Return an array: for every document, the main score of all others together (the jackknife)."""
        return self.spread(self.score(self.total - self.counts))

    @property
    def weight(self) -> Floats:
        """The weight of each document: in an average; else the denominator of its recall, or its largest count."""
        if self.macro:
            return self.counts[:, 1]
        for place, name in enumerate(self.columns):
            if name.endswith("recall_denominator"):
                return self.spread(self.counts[:, place])
        return self.spread(np.abs(self.counts).max(axis=1))


@dataclass(frozen=True, slots=True)
class SystemSamples:
    """A system, the evaluations of its runs, and their samples by measure; its score is the mean of its runs'."""

    name: str
    runs: tuple[Evaluation, ...]
    samples: Mapping[Measure, tuple[Sample, ...]]

    @classmethod
    def from_runs(cls, name: str, runs: tuple[Evaluation, ...], measures: tuple[Measure, ...]) -> SystemSamples:
        """Return a system's samples: the counts of every measure in the evaluations of its runs, by document."""
        return cls(name, runs, {each: tuple(Sample.from_evaluation(run, each) for run in runs) for each in measures})

    def observed(self, measure: Measure) -> float:
        """Return the main score on all documents together, averaged over runs."""
        return float(np.mean([sample.observed for sample in self.samples[measure]]))

    def score_documents(self, measure: Measure) -> Floats:
        """Return an array: the main score of every document by itself, averaged over runs."""
        return np.mean([sample.spread(sample.score(sample.counts)) for sample in self.samples[measure]], axis=0)

    def score_without_each(self, measure: Measure) -> Floats:
        """Return an array: for every document, the main score of all others together, averaged over runs."""
        return np.mean([sample.score_without_each() for sample in self.samples[measure]], axis=0)


def list_documents(evaluation: Evaluation) -> Units:
    """Return the documents of an evaluation as units, in the order of their names."""
    names = sorted(evaluation.document_names)
    return Units(DOCUMENT, len(names), names.__getitem__)


def number_strata(evaluation: Evaluation, by: str | None) -> Ints | None:
    """Return each document's stratum (documents by name); None if `by` is None; an OptionError if each is alone."""
    if by is None:
        return None
    if by == "genre":
        labels = list(map(find_genre, evaluation.document_names))
    elif by == "file":
        rows, documents = evaluation.mentions, range(len(evaluation.document_names))
        labels = ["" if rows is None else rows.key.file(number) for number in documents]
    else:
        labels = _match_pattern(evaluation.document_names, by)
    if len(set(labels)) == len(labels) > 1:
        raise OptionError(f"stratify={by} puts every document into a group of its own: there is nothing to draw from")
    numbers = np.unique(np.array(labels, dtype=np.str_), return_inverse=True)[1].reshape(-1).astype(np.int64)
    return numbers[sort_documents(evaluation.document_names)]


def _match_pattern(names: Sequence[str], pattern: str) -> list[str]:
    """Return the part of each name that a pattern matches, its groups joined by |; OptionError if a name has none."""
    takes = "it takes genre, file or a regular expression on the documents' names"
    try:
        matches = [re.search(pattern, name) for name in names]
    except re.error as error:
        raise OptionError(f"stratify={pattern!r} is not possible ({error}); {takes}") from None
    labels = []
    for name, match in zip(names, matches, strict=True):
        if match is None:
            raise OptionError(f"stratify={pattern!r} finds nothing in the name of document {name!r}; {takes}")
        labels.append("|".join(group or "" for group in match.groups()) or match[0])
    return labels


@dataclass(frozen=True, slots=True)
class Study:
    """Systems that are compared, and what resampling their documents says about them."""

    systems: Sequence[SystemSamples]
    measures: tuple[Measure, ...]
    pairs: Sequence[SystemPair]  # the numbers of the systems that are compared with each other
    settings: Settings
    strata: Ints | None  # the stratum of each document, if any
    distributions: Distributions  # resampled scores by system and measure
    p_values: PValues  # uncorrected, by pair and measure
    units: Units  # what is drawn, the same for all systems
