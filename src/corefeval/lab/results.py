"""The result of a study, and of several: their findings as tables, records and JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import ClassVar

from corefeval.lab.findings import Figure, Findings, Number, PrintedValue
from corefeval.lab.papers import PAPERS
from corefeval.notices import Notice
from corefeval.tables.result import Result
from corefeval.tables.table import Row, Table, format_optional
from corefeval.tables.text import Style, wrap_text
from corefeval.tables.writers import NamedColumns, collect_columns

MARKS = {True: "✓", False: "✗", None: "–"}
_COLUMNS = ("kind", "text", "place", "name", "value", "printed", "holds", "note")


@dataclass(frozen=True, slots=True)
class StudyResult(Result):
    """A study that was run, on a paper's data or on the user's files.

    procedure: what was chosen where the paper does not say it; "" if nothing was.
    files: that of the key, then those of responses; none for a paper's data.
    """

    name: str
    title: str
    source: str
    procedure: str
    findings: Findings
    files: tuple[str, ...] = ()

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What a user should know of the files."""
        return self.findings.notices

    @property
    def remarks(self) -> tuple[str, ...]:
        """Where the study comes from, what was chosen, and the seed."""
        procedure = (f"Procedure: {self.procedure}",) if self.procedure else ()
        seed = () if self.findings.seed is None else (f"Seed: {self.findings.seed}.",)
        return (f"Source: {self.source}.", *procedure, *seed)

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
        """Yield the table of the paper's values, with the reasons of misprints below it, and that of each figure."""
        if self.findings.values:
            rows = [_write_value(value) for value in self.findings.values]
            head = ("case", "value", "ours", "printed", "agrees")
            yield Table("values of the paper", head, rows, names=2, notes=_list_notes(self.findings.values))
        for figure in self.findings.figures:
            rows = [
                (str(place), *(_write_number(values[row]) for values in figure.curves.values()))
                for row, place in enumerate(figure.places)
            ]
            yield Table(figure.vertical, (figure.horizontal, *figure.curves), rows, names=1)

    def tables(self) -> Iterator[Table]:
        """Yield what was found in words, the values of the paper beside ours, the figures, and the claims."""
        yield from self._build_tables(("claim", "", "numbers"), self._list_claims())

    def text_tables(self) -> Iterator[Table]:
        """Yield the tables of plain text, with the claims as lines, since they and their numbers are long."""
        claims = ((f"  {mark} {text}", f"      {numbers}") for text, mark, numbers in self._list_claims())
        yield from self._build_tables((), claims)

    def _list_claims(self) -> Iterator[tuple[str, str, str]]:
        """Yield the text of each claim, whether it holds, and its numbers."""
        return ((claim.text, MARKS[claim.holds], claim.numbers) for claim in self.findings.claims)

    def _build_tables(self, head: Row, claims: Iterable[Row]) -> Iterator[Table]:
        """Yield all tables, whichever there are, that of the claims with this head and these rows."""
        if self.findings.sentences:
            yield Table("", (), [[f"  - {sentence}"] for sentence in self.findings.sentences], names=1)
        yield from self.number_tables()
        if self.findings.claims:
            yield Table("claims of the text", head, list(claims), names=3)

    def build_columns(self) -> NamedColumns:
        """Return flat columns: a row for each sentence, value of the paper, point of a curve, and claim."""
        return collect_columns(_COLUMNS, self.list_rows())

    def list_rows(self) -> Iterator[tuple[object, ...]]:
        """Yield the rows of `build_columns`."""
        for sentence in self.findings.sentences:
            yield "sentence", sentence, "", "", None, None, None, ""
        for value in self.findings.values:
            yield "value", "", value.case, value.name, value.ours, value.printed, value.agrees, value.misprint
        for figure in self.findings.figures:
            for name, values in figure.curves.items():
                for place, height in zip(figure.places, values, strict=True):
                    yield "point", figure.vertical, str(place), name, height, None, None, ""
        for claim in self.findings.claims:
            yield "claim", claim.text, "", "", None, None, claim.holds, claim.numbers

    def build_content(self) -> dict[str, object]:
        """Return everything as plain objects for JSON."""
        found = self.findings
        return {
            "study": self.name,
            "files": list(self.files),
            "title": self.title,
            "source": self.source,
            "procedure": self.procedure,
            "seed": found.seed,
            "holds": self.holds,
            "sentences": list(found.sentences),
            "values": [{**asdict(value), "agrees": value.agrees} for value in found.values],
            "figures": [_describe_figure(figure) for figure in found.figures],
            "claims": [asdict(claim) for claim in found.claims],
            "notices": [notice.to_dict() for notice in found.notices],
        }


@dataclass(frozen=True, slots=True)
class StudyResults(Result):
    """Several studies: a row for each says how much of it is as the paper has it."""

    studies: tuple[StudyResult, ...]
    notices: ClassVar[tuple[Notice, ...]] = ()
    remarks: ClassVar[tuple[str, ...]] = (
        "`corefeval lab STUDY` shows one with its numbers; `corefeval lab all -o FOLDER` writes a page.",
    )

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
        rows = [(each.name, *row) for each in self.studies for row in each.list_rows()]
        return collect_columns(("study", *_COLUMNS), rows)

    def build_content(self) -> dict[str, object]:
        """Return everything as plain objects for JSON."""
        return {"counts": self.count_findings(), "studies": [each.build_content() for each in self.studies]}


@dataclass(frozen=True, slots=True)
class StudyList(Result):
    """Which studies there are: for each its name, title and source, and what it takes: "" or "KEY RESPONSE"."""

    studies: tuple[tuple[str, str, str, str], ...]
    notices: ClassVar[tuple[Notice, ...]] = ()
    columns: ClassVar = ("study", "title", "source", "takes")

    def tables(self) -> Iterator[Table]:
        """Yield the table of names, titles, sources and what is taken."""
        yield Table("", self.columns, self.studies, names=4)

    def text_tables(self) -> Iterator[Table]:
        """Yield for each paper, and for the user's files, a line for each study, with its name and title."""
        for heading, group in groupby(self.studies, key=_find_heading):
            titles = {f"{name} {takes}".rstrip(): title for name, title, _, takes in group}
            wide = max(map(len, titles))
            yield Table(heading, (), [[f"  {usage:<{wide}}  {title}"] for usage, title in titles.items()], names=1)
        yield Table("", (), [["`corefeval lab STUDY` runs one, `corefeval lab all` all of the papers."]], names=1)

    def build_columns(self) -> NamedColumns:
        """Return flat columns: a row for each study."""
        return collect_columns(self.columns, self.studies)

    def build_content(self) -> dict[str, object]:
        """Return everything as plain objects for JSON."""
        return {"studies": [dict(zip(self.columns, each, strict=True)) for each in self.studies]}


def _find_heading(listed: tuple[str, str, str, str]) -> str:
    """Return what a listed study stands below: its paper, or the user's files."""
    _, _, source, takes = listed
    return "Your own files" if takes else next((paper for paper in PAPERS if source.startswith(paper)), "Other papers")


def _write_value(value: PrintedValue) -> tuple[str, ...]:
    """Return the cells of a printed value's row."""
    printed = format_optional(value.printed, lambda number: f"{number:.{value.digits}f}")
    ours = f"{value.ours:.{value.digits + 2 if value.digits else 0}f}"
    return value.case, value.name, ours, printed, "misprint" if value.misprint else MARKS[value.agrees]


def _list_notes(values: Sequence[PrintedValue]) -> tuple[str, ...]:
    """Return a line for each reason of misprints, with the values; and one if some follow from rounded numbers."""
    reasons: dict[str, list[str]] = {}
    for value in values:
        if value.misprint:
            reasons.setdefault(value.misprint, []).append(f"{value.case} {value.name}")
    rounded = ["ours follows from printed numbers: ✓ is within what their rounding leaves open"]
    misprints = [f"misprint: {', '.join(cases)}: {why}" for why, cases in reasons.items()]
    return (*misprints, *(rounded if any(value.slack for value in values) else []))


def _write_number(value: Number) -> str:
    """Return a count with commas, any other number with two decimals."""
    return f"{value:,}" if isinstance(value, int) else f"{value:.2f}"


def _describe_figure(figure: Figure) -> dict[str, object]:
    """Return a figure as plain objects."""
    curves = [{"name": name, "values": list(values)} for name, values in figure.curves.items()]
    places = list(figure.places)
    return {"horizontal": figure.horizontal, "vertical": figure.vertical, "places": places, "curves": curves}
