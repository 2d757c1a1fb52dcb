"""The result of a study: its findings as tables, records and JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from corefeval.lab.findings import Figure, Findings, PrintedValue
from corefeval.notices import Notice
from corefeval.tables.result import Result
from corefeval.tables.table import Table
from corefeval.tables.text import Style
from corefeval.tables.writers import NamedColumns

_VERDICTS = {True: "as printed", False: "differs", None: "–"}


@dataclass(frozen=True, slots=True)
class StudyResult(Result):
    """A study that was run. procedure: what was chosen where the paper does not say it."""

    name: str
    title: str
    source: str
    procedure: str
    findings: Findings

    @property
    def notices(self) -> tuple[Notice, ...]:
        """No notices: what a reader should know stands among the findings."""
        return ()

    @property
    def remarks(self) -> tuple[str, ...]:
        """Where the study comes from, and what was chosen that the paper leaves open."""
        chosen = (f"The paper does not say how; chosen here: {self.procedure}",) if self.procedure else ()
        return (f"Source: {self.source}.", *chosen)

    @property
    def holds(self) -> bool:
        """Whether all claims hold, and all values are as printed, misprints aside."""
        values = all(value.agrees is not False or value.misprint for value in self.findings.values)
        return values and all(claim.holds for claim in self.findings.claims)

    def describe(self, style: Style) -> list[str]:  # noqa: ARG002 - nothing here is coloured
        """Return a line: the name and the title."""
        return [f"{self.name}: {self.title}"]

    def tables(self) -> Iterator[Table]:
        """Yield the printed values beside ours, the curves of the figure, and the claims, whatever there is of them."""
        findings = self.findings
        if findings.values:
            rows = [_write_value(value) for value in findings.values]
            yield Table("printed values", ("case", "score", "ours", "printed", ""), rows, names=2)
        if findings.figure is not None:
            yield _build_figure_table(findings.figure)
        if findings.claims:
            claims = [(claim.text, "✓" if claim.holds else "✗", claim.numbers) for claim in findings.claims]
            yield Table("claims of the text", ("claim", "", "numbers"), claims, names=3)

    def build_columns(self) -> NamedColumns:
        """Return flat columns: a row for each printed value, point of a curve, and claim."""
        rows: list[tuple[str, str, str, object, object, object]] = [
            ("value", value.case, value.name, value.ours, value.printed, value.agrees) for value in self.findings.values
        ]
        if (figure := self.findings.figure) is not None:
            rows += [
                ("point", str(place), curve.name, value, None, None)
                for curve in figure.curves
                for place, value in zip(figure.places, curve.values, strict=True)
            ]
        rows += [("claim", claim.text, claim.numbers, None, None, claim.holds) for claim in self.findings.claims]
        names = ("kind", "case", "name", "ours", "printed", "agrees")
        return {name: [row[place] for row in rows] for place, name in enumerate(names)}

    def build_content(self) -> dict[str, object]:
        """Return everything as plain objects for JSON."""
        values = [{**asdict(value), "agrees": value.agrees} for value in self.findings.values]
        figure = None if self.findings.figure is None else asdict(self.findings.figure)
        claims = [asdict(claim) for claim in self.findings.claims]
        about = {"study": self.name, "title": self.title, "source": self.source, "procedure": self.procedure}
        return {**about, "holds": self.holds, "values": values, "figure": figure, "claims": claims}


def _write_value(value: PrintedValue) -> tuple[str, ...]:
    """Return the cells of a printed value's row."""
    printed = "–" if value.printed is None else f"{value.printed:.{value.digits}f}"
    verdict = f"misprint: {value.misprint}" if value.misprint else _VERDICTS[value.agrees]
    return value.case, value.name, f"{value.ours:.{value.digits + 2}f}", printed, verdict


def _build_figure_table(figure: Figure) -> Table:
    """Return the table of a figure: a row for each place on the horizontal axis, a column for each curve."""
    columns = [[f"{value:.2f}" for value in curve.values] for curve in figure.curves]
    rows = [(str(place), *(column[row] for column in columns)) for row, place in enumerate(figure.places)]
    return Table(figure.vertical, (figure.horizontal, *(curve.name for curve in figure.curves)), rows, names=1)
