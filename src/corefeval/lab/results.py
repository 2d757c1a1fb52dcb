"""The result of a study, and of several: their findings as tables, records and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from corefeval.lab.findings import Claim, Figure, Findings, PrintedValue
from corefeval.notices import Notice
from corefeval.tables.result import Result
from corefeval.tables.table import Table
from corefeval.tables.text import Style, wrap_text
from corefeval.tables.writers import NamedColumns, collect_columns

MARKS = {True: "✓", False: "✗", None: "–"}
_COLUMNS = ("kind", "case", "name", "ours", "printed", "agrees", "misprint")
_VALUES, _CLAIMS = "values of the paper", "claims of the text"


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
        counts = self.count_findings()
        return not counts["differ"] and not counts["fail"]

    def count_findings(self) -> dict[str, int]:
        """Return how many values are as printed, known misprints, and different; how many claims hold and fail."""
        printed = [value for value in self.findings.values if value.printed is not None]
        return {
            "as printed": sum(value.agrees is True and not value.misprint for value in printed),
            "misprints": sum(bool(value.misprint) for value in printed),
            "differ": sum(value.agrees is False and not value.misprint for value in printed),
            "hold": sum(claim.holds for claim in self.findings.claims),
            "fail": sum(not claim.holds for claim in self.findings.claims),
        }

    def describe(self, style: Style) -> list[str]:
        """Return lines as wide as the place: the name and the title."""
        return wrap_text(f"{self.name}: {self.title}", style.width)

    def number_tables(self) -> Iterator[Table]:
        """Yield the table of the paper's values, with the reasons of misprints below it, and that of the figure."""
        if self.findings.values:
            rows = [_write_value(value) for value in self.findings.values]
            head = ("case", "value", "ours", "printed", "")
            yield Table(_VALUES, head, rows, names=2, notes=_list_notes(self.findings.values))
        if self.findings.figure is not None:
            yield _build_figure_table(self.findings.figure)

    def tables(self) -> Iterator[Table]:
        """Yield the values of the paper beside ours, the curves of the figure, and the claims, whatever there is."""
        yield from self.number_tables()
        if self.findings.claims:
            rows = [(claim.text, MARKS[claim.holds], claim.numbers) for claim in self.findings.claims]
            yield Table(_CLAIMS, ("claim", "", "numbers"), rows, names=3)

    def text_tables(self) -> Iterator[Table]:
        """Yield the tables of plain text, with the claims as lines, since they and their numbers are long."""
        yield from self.number_tables()
        if self.findings.claims:
            yield Table(_CLAIMS, (), [_write_claim(claim) for claim in self.findings.claims], names=1)

    def build_columns(self) -> NamedColumns:
        """Return flat columns: a row for each value of the paper, point of a curve, and claim."""
        return collect_columns(_COLUMNS, self.list_rows())

    def list_rows(self) -> Iterator[tuple[object, ...]]:
        """Yield the rows of `build_columns`."""
        for value in self.findings.values:
            yield "value", value.case, value.name, value.ours, value.printed, value.agrees, value.misprint
        if (figure := self.findings.figure) is not None:
            for curve in figure.curves:
                for place, height in zip(figure.places, curve.values, strict=True):
                    yield "point", str(place), curve.name, height, None, None, ""
        for claim in self.findings.claims:
            yield "claim", claim.text, claim.numbers, None, None, claim.holds, ""

    def build_content(self) -> dict[str, object]:
        """Return everything as plain objects for JSON."""
        values = [{**asdict(value), "agrees": value.agrees} for value in self.findings.values]
        figure = None if self.findings.figure is None else asdict(self.findings.figure)
        claims = [asdict(claim) for claim in self.findings.claims]
        about = {"study": self.name, "title": self.title, "source": self.source, "procedure": self.procedure}
        return {**about, "holds": self.holds, "values": values, "figure": figure, "claims": claims}


@dataclass(frozen=True, slots=True)
class StudyResults(Result):
    """Several studies: a row for each says how much of it is as the paper has it."""

    studies: tuple[StudyResult, ...]

    @property
    def notices(self) -> tuple[Notice, ...]:
        """No notices: what a reader should know stands among the findings."""
        return ()

    @property
    def remarks(self) -> tuple[str, ...]:
        """How to see one of them."""
        return ("`corefeval lab STUDY` shows one with its numbers; `corefeval lab all -o FOLDER` writes a page.",)

    def count_findings(self) -> dict[str, int]:
        """Return the counts of all studies together, as `StudyResult.count_findings` has them for one."""
        counts = [each.count_findings() for each in self.studies]
        return {name: sum(each[name] for each in counts) for name in counts[0]} if counts else {}

    def tables(self) -> Iterator[Table]:
        """Yield the table of all studies, with their sum."""
        total = self.count_findings()
        rows = [(each.name, *map(str, each.count_findings().values())) for each in self.studies]
        notes = ("values: as printed, known misprints, different; claims of the text: hold, fail",)
        yield Table("", ("study", *total), [*rows, ("all", *map(str, total.values()))], names=1, notes=notes)

    def build_columns(self) -> NamedColumns:
        """Return the columns of each study below each other, with its name before them."""
        return collect_columns(
            ("study", *_COLUMNS), [(each.name, *row) for each in self.studies for row in each.list_rows()]
        )

    def build_content(self) -> dict[str, object]:
        """Return everything as plain objects for JSON."""
        return {"counts": self.count_findings(), "studies": [each.build_content() for each in self.studies]}


@dataclass(frozen=True, slots=True)
class StudyList(Result):
    """Which studies there are: their names, titles and sources."""

    studies: tuple[tuple[str, str, str], ...]

    @property
    def notices(self) -> tuple[Notice, ...]:
        """No notices."""
        return ()

    def tables(self) -> Iterator[Table]:
        """Yield the table of names, titles and sources."""
        yield Table("", ("study", "title", "source"), self.studies, names=3)

    def text_tables(self) -> Iterator[Table]:
        """Yield a line for each study, with its name and title."""
        wide = max(len(name) for name, _, _ in self.studies)
        lines = [[f"  {name:<{wide}}  {title}"] for name, title, _ in self.studies]
        yield Table("", (), lines, names=1, notes=("`corefeval lab STUDY` runs one, `corefeval lab all` all of them.",))

    def build_columns(self) -> NamedColumns:
        """Return flat columns: a row for each study."""
        return collect_columns(("study", "title", "source"), self.studies)

    def build_content(self) -> dict[str, object]:
        """Return everything as plain objects for JSON."""
        return {"studies": [{"study": name, "title": title, "source": source} for name, title, source in self.studies]}


def _write_value(value: PrintedValue) -> tuple[str, ...]:
    """Return the cells of a printed value's row."""
    printed = "–" if value.printed is None else f"{value.printed:.{value.digits}f}"
    more = 0 if value.digits == 0 else 2
    return (
        value.case,
        value.name,
        f"{value.ours:.{value.digits + more}f}",
        printed,
        "misprint" if value.misprint else MARKS[value.agrees],
    )


def _list_notes(values: Sequence[PrintedValue]) -> tuple[str, ...]:
    """Return a line for each reason of misprints, with the values; and one if some follow from rounded numbers."""
    reasons: dict[str, list[str]] = {}
    for value in values:
        if value.misprint:
            reasons.setdefault(value.misprint, []).append(f"{value.case} {value.name}")
    rounded = ["ours follows from printed numbers: ✓ is within what their rounding leaves open"]
    misprints = [f"misprint: {', '.join(cases)}: {why}" for why, cases in reasons.items()]
    return (*misprints, *(rounded if any(value.slack for value in values) else []))


def _write_claim(claim: Claim) -> tuple[str, ...]:
    """Return the lines of a claim: whether it holds and what it says; its numbers."""
    return f"  {MARKS[claim.holds]} {claim.text}", f"      {claim.numbers}"


def _build_figure_table(figure: Figure) -> Table:
    """Return the table of a figure: a row for each place on the horizontal axis, a column for each curve."""
    columns = [[f"{value:.2f}" for value in curve.values] for curve in figure.curves]
    rows = [(str(place), *(column[row] for column in columns)) for row, place in enumerate(figure.places)]
    return Table(figure.vertical, (figure.horizontal, *(curve.name for curve in figure.curves)), rows, names=1)
