"""The result of a comparison of systems: by system, by pair and measure, and over all; its tables, records and JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from corefeval.baselines.relative import Relative, build_relative_paper_table, build_relative_tables
from corefeval.measures import Measure
from corefeval.notices import Notice, count_things
from corefeval.scoring.layout import MANY, write_latex_name
from corefeval.scoring.results import Evaluation
from corefeval.tables.result import Result
from corefeval.tables.table import (
    Cell,
    Digits,
    Row,
    Table,
    format_count,
    format_interval,
    format_optional,
    format_percent,
    format_points,
    make_score_formatter,
)

if TYPE_CHECKING:
    from corefeval.comparison.bootstrap import Interval


_ON_LETTERS = "systems that share a letter do not differ significantly"
_ON_RANKS = "the rank is 1 + how many are significantly better"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A system's score by one measure: its main value, a confidence interval, its rank and its letters.

    There are no ranks and letters of one system alone, nor where systems were compared with a baseline only.
    between_runs, between_documents: standard deviations of the score, from the runs and from the documents alone.
    """

    score: float
    interval: Interval
    rank: int | None
    letters: str
    between_runs: float | None
    between_documents: float

    def make_lettered_cell(self, write: Callable[[float], str], *, best: bool) -> Cell:
        """Return the score as a cell with its letters, if it has any, raised behind it."""
        return Cell(write(self.score), best=best, raised=self.letters)


@dataclass(frozen=True, slots=True)
class Standing:
    """A system's estimates by measure, with the evaluations of its runs."""

    name: str
    measures: Mapping[str, Estimate]
    runs: tuple[Evaluation, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """Two systems by one measure: b minus a.

    exact: whether p is from all possible swaps; tried: from how many swaps or resamples.
    wins, ties, losses: on how many documents b is better, as good, worse.
    deciding: the documents that contribute most to the difference, and how much each contributes.
    detectable: the smallest difference found with 80 % power on documents like these; needed: how many documents would
    show this difference; planned: how many would show the difference that was planned for. None where that is unknown.
    """

    a: str
    b: str
    measure: str
    difference: float
    interval: Interval
    p: float
    p_corrected: float
    significant: bool
    wins: int
    ties: int
    losses: int
    exact: bool
    tried: int
    deciding: tuple[tuple[str, float], ...]
    detectable: float | None
    needed: int | None
    planned: int | None = None

    @property
    def resolution(self) -> float:
        """The smallest p possible with as many swaps or resamples as were tried."""
        return min(1.0, 2 / self.tried) if self.exact else 1 / (self.tried + 1)


@dataclass(frozen=True, slots=True)
class Settings:
    """How systems are compared, once their scores are known: the arguments of `compare` of the same names."""

    test: str = "randomisation"
    resamples: int = 10_000
    seed: int = 0
    confidence: float = 0.95
    interval: str = "calibrated"
    correction: str = "holm"
    baseline: str | None = None
    stratify: str | None = None
    plan: float | None = None
    resample: str = "documents"

    @property
    def unit(self) -> str:
        """What is drawn, in the singular: "document" or "component"."""
        return self.resample.removesuffix("s")


@dataclass(frozen=True, slots=True)
class Comparison(Result):
    """Systems scored against one key and compared; relative_to: their scores relative to a baseline, if asked for.

    units: how many documents, or components of the table, were resampled.
    """

    measures: tuple[Measure, ...]
    document_names: tuple[str, ...]
    systems: tuple[Standing, ...]
    comparisons: tuple[Difference, ...]
    agreement: Mapping[tuple[str, str], float | None]
    settings: Settings
    signature: str
    notices: tuple[Notice, ...]
    relative_to: tuple[Relative, ...] = ()
    units: int = 0

    def between(self, a: str, b: str, measure: str) -> Difference:
        """Return the difference of two systems by a measure, b minus a; a KeyError if that pair was not compared."""
        for each in self.comparisons:
            if (each.a, each.b, each.measure) == (a, b, measure):
                return each
        raise KeyError((a, b, measure))

    def worse_than_baseline(self) -> tuple[Difference, ...]:
        """Return the differences of systems that are significantly worse than the baseline (or the first system)."""
        first = self.settings.baseline or self.systems[0].name
        sign = {str(measure): measure.sign for measure in self.measures}
        against = [each for each in self.comparisons if each.a == first and each.significant]
        return tuple(each for each in against if sign[each.measure] * each.difference < 0)

    @property
    def remarks(self) -> tuple[str, ...]:
        """A tuple of one sentence: the test (of several systems), resamples, what of, seed, interval, correction."""
        settings = self.settings
        against = f", against {settings.baseline}" if settings.baseline else ""
        within = f", within {settings.stratify}" if settings.stratify else ""
        test = f"{settings.test} test{against}, " if self.comparisons else ""
        correction = f", correction {settings.correction}" if self.comparisons else ""
        what = f"{count_things(settings.resamples, 'resample')} of {count_things(self.units, settings.unit)}{within}"
        how = f"seed {settings.seed}, {settings.interval} intervals{correction}"
        return (f"{test}{what}, {how}",)

    def tables(self, *, digits: Digits = "round", summary: bool = False) -> Iterator[Table]:
        """Yield tables of systems; unless `summary`, also of differences, deciding documents, measures, baselines.

        From three systems on, the first one has a row for each.
        """
        if summary or len(self.systems) >= MANY:
            yield self._build_summary_table("Systems", make_score_formatter(digits))
        if summary:
            return
        yield self._build_system_table(make_score_formatter(digits))
        if self.comparisons:
            yield self._build_difference_table()
        yield from self._build_deciding_table()
        if len(self.systems) > 2 and self.agreement:
            yield self._build_measure_table()
        if self.relative_to:
            yield from build_relative_tables(self.relative_to, [system.name for system in self.systems], digits)

    def paper_tables(self, *, digits: Digits = "round", summary: bool = False) -> Iterator[Table]:
        """Yield a table of systems by measures, with letters of significance; unless `summary`, of relative scores."""
        yield self._build_summary_table("", make_score_formatter(digits))
        if self.relative_to and not summary:
            yield build_relative_paper_table(self.relative_to, [system.name for system in self.systems], digits)

    def _build_summary_table(self, title: str, write: Callable[[float], str]) -> Table:
        """Build a table with a row for each system, the best first by conll or else the first measure, and letters."""
        head: Row = ["system", *(Cell(str(measure), latex=write_latex_name(str(measure))) for measure in self.measures)]
        scores = {str(by): [by.sign * each.measures[str(by)].score for each in self.systems] for by in self.measures}
        best = {name: max(own) if len(set(own)) > 1 else None for name, own in scores.items()}
        order = sorted(range(len(self.systems)), key=lambda place: -scores[self._main_measure][place])
        body: list[Row] = [
            [
                self.systems[place].name,
                *(
                    estimate.make_lettered_cell(write, best=scores[name][place] == best[name])
                    for name, estimate in self.systems[place].measures.items()
                ),
            ]
            for place in order
        ]
        lettered = any(each.letters for system in self.systems for each in system.measures.values())
        return Table(title, head, body, 1, (_ON_LETTERS,) if lettered else ())

    @property
    def _main_measure(self) -> str:
        """The measure by which systems are sorted, and documents decide: conll, or else the first."""
        names = [str(measure) for measure in self.measures]
        return "conll" if "conll" in names else names[0]

    def _build_system_table(self, write: Callable[[float], str]) -> Table:
        """Build the table of scores with intervals: a row for each measure and system, the best first."""
        settings, several = self.settings, any(len(system.runs) > 1 for system in self.systems)
        ranked = all(each.rank is not None for each in self.systems[0].measures.values())
        records = []
        for measure in self.measures:
            standings = [(system.measures[str(measure)], system.name) for system in self.systems]
            for each, name in sorted(standings, key=lambda pair: (pair[0].rank or 0, -measure.sign * pair[0].score)):
                record = {"measure": str(measure), "system": name, "score": write(each.score)}
                record[f"{self.settings.confidence:.0%} interval"] = format_interval(each.interval, write)
                if several:
                    record["between runs"] = "" if each.between_runs is None else format_percent(each.between_runs)
                    record[f"between {settings.resample}"] = format_percent(each.between_documents)
                if ranked:
                    record |= {"rank": str(each.rank), "letters": each.letters}
                records.append(record)
        many = len(self.systems) >= MANY
        note = _ON_RANKS if many else f"{_ON_LETTERS}; {_ON_RANKS}"
        title = "Scores with intervals" if many else "Systems"
        return Table.from_records(title, records, 2, (note,) if ranked else (), blank_repeats=True)

    def _build_difference_table(self) -> Table:
        """Build the table of differences: a row for each measure and pair, with interval, p-values and power."""
        settings = self.settings
        records = []
        for each in self.comparisons:
            record = {
                "measure": each.measure,
                "difference": f"{each.b} - {each.a}",
                "points": format_points(each.difference),
                f"{settings.confidence:.0%} interval": format_interval(each.interval),
                "p": _format_p(each.p) + ("" if each.exact else "~"),
                "p corrected": _format_p(each.p_corrected) + ("*" if each.significant else ""),
                "win/tie/loss": f"{each.wins}/{each.ties}/{each.losses}",
                "detectable": format_optional(each.detectable, format_percent),
                f"{settings.resample} needed": format_count(each.needed),
            }
            if settings.plan is not None:
                record[f"for {100 * settings.plan:g} points"] = format_count(each.planned)
            records.append(record)
        origin, exact = "from all possible swaps", [each.exact for each in self.comparisons]
        if not all(exact):
            random = f"~ from {settings.resamples:,} random resamples, so {1 / (settings.resamples + 1):.2g} or more"
            origin = f"{random}; the others {origin}" if any(exact) else random
        power = "detectable: smallest difference found with 80 % power"
        notes = (
            f"* significant at {1 - settings.confidence:.2g}; p {origin}",
            f"{power}; {settings.resample} needed: to show this difference as surely",
        )
        return Table.from_records("Differences", records, 2, notes, blank_repeats=True)

    def _build_deciding_table(self) -> Iterator[Table]:
        """Yield a table of the documents that decide, by conll or else the first measure; none if no document does."""
        measure, unit = self._main_measure, self.settings.unit
        records = [
            {"difference": f"{pair.b} - {pair.a}", unit: name, "adds": format_points(adds)}
            for pair in self.comparisons
            if pair.measure == measure
            for name, adds in pair.deciding
        ]
        if records:
            note = f"points that the difference would lose (or gain, if negative) without the {unit}"
            title = f"{self.settings.resample.capitalize()} that decide ({measure})"
            yield Table.from_records(title, records, 2, (note,), blank_repeats=True)

    def _build_measure_table(self) -> Table:
        """Build a square table of Kendall's τ between how every two measures rank the systems."""
        names = [str(measure) for measure in self.measures]
        tau = dict(self.agreement) | {(b, a): value for (a, b), value in self.agreement.items()}
        body = [
            [one, *("" if one == other else format_optional(tau[one, other], "{:.2f}".format) for other in names)]
            for one in names
        ]
        return Table("How far measures rank the systems alike (Kendall's τ)", ["", *names], body, 1)

    def build_columns(self) -> dict[str, list[object]]:
        """Return columns with a row for each system and measure, then for each difference; what a row lacks is None."""
        head = ["measure", "a", "b", "value", "low", "high", "p", "p_corrected", "wins", "ties", "losses", "rank"]
        head += ["baseline", "relative"] if self.relative_to else []
        rows: list[dict[str, object]] = []
        for system, placed in zip_longest(self.systems, self.relative_to):
            for name, each in system.measures.items():
                ends = dict(zip(("low", "high"), each.interval, strict=True))
                row = {"measure": name, "a": system.name, "value": each.score, **ends, "rank": each.rank}
                rows.append(row if placed is None else row | asdict(placed.measures[name]))
        for pair in self.comparisons:
            ends = dict(zip(("low", "high"), pair.interval, strict=True))
            rows.append(asdict(pair) | {"value": pair.difference, **ends})
        return {name: [row.get(name) for row in rows] for name in head}

    def build_content(self) -> dict[str, object]:
        """Return a dict of plain objects: systems, comparisons, settings, relative scores if any, notices."""
        content = {
            "signature": self.signature,
            "documents": len(self.document_names),
            **({} if self.settings.resample == "documents" else {self.settings.resample: self.units}),
            "systems": [self._build_system_content(each) for each in self.systems],
            "comparisons": [
                asdict(each)
                | {"interval": list(each.interval), "resolution": each.resolution}
                | {"deciding": [{self.settings.unit: name, "adds": value} for name, value in each.deciding]}
                for each in self.comparisons
            ],
            "agreement": [{"measures": list(pair), "tau": value} for pair, value in self.agreement.items()],
            **asdict(self.settings),
        }
        if self.relative_to:
            listed = {system.name: each.to_dict() for system, each in zip(self.systems, self.relative_to, strict=True)}
            scores = {name: each.pop("measures") for name, each in listed.items()}
            content["relative_to"] = {**listed[self.systems[0].name], "systems": scores}
        return content | {"notices": [notice.to_dict() for notice in self.notices]}

    def _build_system_content(self, system: Standing) -> dict[str, object]:
        """Return a dict of plain objects: a system's name, responses, and by measure scores, ranks and letters."""
        estimates = {}
        for measure in self.measures:
            each = system.measures[str(measure)]
            spread = {} if each.between_runs is None else {"between_runs": each.between_runs}
            estimate = {measure.main: each.score, "interval": list(each.interval)}
            estimates[str(measure)] = estimate | {"between_documents": each.between_documents, **spread}
        return {
            "name": system.name,
            "responses": [run.response for run in system.runs],
            "measures": estimates,
            "rank": {name: each.rank for name, each in system.measures.items()},
            "letters": {name: each.letters for name, each in system.measures.items()},
        }


def _format_p(value: float) -> str:
    """Return a p-value as text with four decimals, one below 0.00005 as a power of ten."""
    return f"{value:.4f}" if value >= 0.00005 else f"{value:.0e}"
