"""The result of an estimation from sampled entities: its tables, rows and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from corefeval.notices import Notice, count_things
from corefeval.sampling.ratios import SampledRate
from corefeval.tables.result import Result
from corefeval.tables.table import (
    UNDEFINED,
    Digits,
    Table,
    format_interval,
    format_percent,
    make_score_formatter,
)
from corefeval.tables.writers import collect_columns

_HEAD = ("measure", "rate", "value", "uncorrected", "error", "low", "high", "effective")


@dataclass(frozen=True, slots=True)
class Estimation(Result):
    """Scores of a whole response, estimated from a key of sampled entities.

    rates: by measure, recall, precision and f1; None for one that is 0/0 in the sample.
    entities, records: how many the sample has. missing: how many of these records the response lacks.
    weights: how entities were sampled: "uniform", "size", a column, or "given" if weights were given by name.
    """

    rates: Mapping[str, Mapping[str, SampledRate | None]]
    entities: int
    records: int
    missing: int
    response_entities: int
    response_records: int
    weights: str
    confidence: float
    notices: tuple[Notice, ...]
    key: str = ""
    response: str = ""

    def __getitem__(self, measure: str) -> Mapping[str, SampledRate | None]:
        return self.rates[measure]

    @property
    def remarks(self) -> tuple[str, ...]:
        """One sentence that says how many entities were sampled, how they are weighted, and of how large a response."""
        sample = f"{count_things(self.entities, 'sampled entity')} of {count_things(self.records, 'record')}"
        whole = f"{count_things(self.response_records, 'record')} in {count_things(self.response_entities, 'entity')}"
        return (f"estimated from {sample}, weights {self.weights}, for a response of {whole}",)

    def tables(self, *, digits: Digits = "round") -> Iterator[Table]:
        """Yield one table: a row for each measure and rate, with its standard error and interval."""
        write, records = make_score_formatter(digits), []
        for measure, rates in self.rates.items():
            for name, rate in rates.items():
                cells = [UNDEFINED] * 3
                if rate is not None:
                    ends = format_interval((rate.low, rate.high), write)
                    cells = [write(rate.value), format_percent(rate.error), ends]
                head = ("estimate", "standard error", f"{100 * self.confidence:.4g}% interval")
                records.append({"measure": measure, "rate": name, **dict(zip(head, cells, strict=True))})
        yield Table.from_records("Estimated scores", records, 2, blank_repeats=True)

    def build_columns(self) -> dict[str, list[object]]:
        """Return columns with a row for each measure and rate; what is undefined is None."""
        rows = [
            (measure, name, *([None] * (len(_HEAD) - 2) if rate is None else asdict(rate).values()))
            for measure, rates in self.rates.items()
            for name, rate in rates.items()
        ]
        return collect_columns(_HEAD, rows)

    def build_content(self) -> dict[str, object]:
        """Return the estimates by measure and rate, what the sample is, and notices as objects for JSON."""
        return {
            "key": self.key,
            "response": self.response,
            "entities": self.entities,
            "records": self.records,
            "missing": self.missing,
            "response_entities": self.response_entities,
            "response_records": self.response_records,
            "weights": self.weights,
            "confidence": self.confidence,
            "measures": {
                measure: {name: None if rate is None else asdict(rate) for name, rate in rates.items()}
                for measure, rates in self.rates.items()
            },
            "notices": [notice.to_dict() for notice in self.notices],
        }
