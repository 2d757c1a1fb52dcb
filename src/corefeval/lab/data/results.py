"""What a study of the user's files finds, in words, figures and claims; and the result that shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from corefeval.lab.findings import Claim, Curve, Figure, Number
from corefeval.measures.score import Score
from corefeval.notices import Notice
from corefeval.tables.result import Result
from corefeval.tables.table import Table
from corefeval.tables.text import Style, wrap_text
from corefeval.tables.writers import NamedColumns, collect_columns

_MARKS = {True: "✓", False: "✗"}


@dataclass(frozen=True, slots=True)
class DataFindings:
    """What a study finds in files. sentences: what the numbers say, each computed. claims: of a paper, on these files.

    seed: of the random numbers; None where there are none.
    """

    figures: Sequence[Figure] = ()
    sentences: Sequence[str] = ()
    claims: Sequence[Claim] = ()
    notices: tuple[Notice, ...] = ()
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class DataStudyResult(Result):
    """A study that was run on the user's files. procedure: how responses were made, and what was chosen."""

    name: str
    title: str
    source: str
    procedure: str
    findings: DataFindings

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What a user should know of the files."""
        return self.findings.notices

    @property
    def remarks(self) -> tuple[str, ...]:
        """Where the study comes from, how it was done, and the seed."""
        seed = () if self.findings.seed is None else (f"Seed: {self.findings.seed}.",)
        return (f"Source: {self.source}.", f"Procedure: {self.procedure}", *seed)

    def describe(self, style: Style) -> list[str]:
        """Return lines as wide as the place: the name and the title."""
        return wrap_text(f"{self.name}: {self.title}", style.width)

    def tables(self) -> Iterator[Table]:
        """Yield what was found in words, then each figure, then the claims."""
        if self.findings.sentences:
            yield Table("", (), [[f"  - {sentence}"] for sentence in self.findings.sentences], names=1)
        for each in self.findings.figures:
            columns = [[_write_number(value) for value in curve.values] for curve in each.curves]
            rows = [(str(place), *(column[row] for column in columns)) for row, place in enumerate(each.places)]
            yield Table(each.vertical, (each.horizontal, *(curve.name for curve in each.curves)), rows, names=1)
        if self.findings.claims:
            claims = [[f"  {_MARKS[each.holds]} {each.text}: {each.numbers}"] for each in self.findings.claims]
            yield Table("claims of the text, on these files", (), claims, names=1)

    def build_columns(self) -> NamedColumns:
        """Return flat columns: a row for each sentence, point of a curve, and claim."""
        rows: list[tuple[object, ...]] = [("sentence", each, "", "", None, None) for each in self.findings.sentences]
        rows += [
            ("point", figure.vertical, str(place), curve.name, value, None)
            for figure in self.findings.figures
            for curve in figure.curves
            for place, value in zip(figure.places, curve.values, strict=True)
        ]
        rows += [("claim", each.text, each.numbers, "", None, each.holds) for each in self.findings.claims]
        return collect_columns(("kind", "text", "place", "name", "value", "holds"), rows)

    def build_content(self) -> dict[str, object]:
        """Return everything as plain objects for JSON."""
        about = {"study": self.name, "title": self.title, "source": self.source, "procedure": self.procedure}
        found = {
            "seed": self.findings.seed,
            "sentences": list(self.findings.sentences),
            "figures": [asdict(each) for each in self.findings.figures],
            "claims": [asdict(each) for each in self.findings.claims],
            "notices": [each.to_dict() for each in self.notices],
        }
        return {**about, **found}


def draw_curves(
    horizontal: str, vertical: str, places: Sequence[Number | str], scores: Mapping[str, Sequence[Score]], field: str
) -> Figure:
    """Return the figure of a field of measures' scores, such as "recall", in per cent, a curve for each measure."""
    curves = tuple(Curve(name, tuple(100 * getattr(each, field) for each in own)) for name, own in scores.items())
    return Figure(horizontal, vertical, tuple(places), curves)


def _write_number(value: Number) -> str:
    """Return a count with commas, any other number with two decimals."""
    return f"{value:,}" if isinstance(value, int) else f"{value:.2f}"
