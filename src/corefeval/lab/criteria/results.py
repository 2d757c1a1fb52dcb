"""The verdicts on measures as results: a table of all, or one explained with pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from corefeval.lab.criteria.cases import LARGEST_TRIPLE
from corefeval.lab.criteria.claims import CLAIMS, PaperVerdict
from corefeval.lab.criteria.definitions import CRITERIA, Criterion
from corefeval.lab.criteria.pairs import DRAWN_SIZES, LARGEST
from corefeval.lab.criteria.relations import RELATIONS
from corefeval.lab.criteria.verdicts import Example, JudgedMeasure, Judgement, ScoredResponse, Verdict
from corefeval.notices import Notice
from corefeval.tables.result import Result
from corefeval.tables.table import Table, format_optional
from corefeval.tables.text import Style, wrap_text
from corefeval.tables.writers import NamedColumns, collect_columns

SEARCHED = (
    f"Searched: all pairs of key and response with up to {LARGEST} mentions in both together, up to relabelling (all "
    f"triples of up to {LARGEST_TRIPLE} for distance), and some pairs of {DRAWN_SIZES[0]} to {DRAWN_SIZES[-1]}, "
    "near perfect or drawn by a seed. ✓ is no proof beyond. Cases in which a score is 0/0 are left out."
)
SEARCHED_OF_KEY = (
    f"Searched: responses to {{}} (mentions renamed, a detour's ends aside), with up to {LARGEST} mentions in both "
    "together; to a larger key itself, and some drawn by a seed. Cases in which a score is 0/0 are left out."
)
_MEANINGS = {"✓": "holds in all cases", "=": "never fails, but ties", "✗": "fails", "–": "no case"}
_COUNTS = ("mark", "cases", "drawn", "ties", "failures", "undefined")
_MOST_COLUMNS = 8  # measures whose marks stand beside each other in text


@dataclass(frozen=True, slots=True)
class CriteriaResult(Result):
    """The verdicts on all criteria for some measures. severer: for each measure those that it is never above."""

    judged: tuple[JudgedMeasure, ...]
    severer: dict[str, tuple[str, ...]]
    searched: str = SEARCHED
    notices: ClassVar[tuple[Notice, ...]] = ()

    def __getitem__(self, cell: tuple[str, str]) -> Judgement:
        """Return the judgement on a measure and a criterion."""
        return {judged.measure: judged for judged in self.judged}[cell[0]].judgements[cell[1]]

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the marks mean, and what was searched."""
        marks = "; ".join(f"{mark} {meaning}" for mark, meaning in _MEANINGS.items())
        return (f"{marks}; in brackets: where key and response have the same mentions, if that differs.", self.searched)

    @property
    def disagreements(self) -> list[tuple[PaperVerdict, str]]:
        """What papers claim of these measures and the search does not confirm, and the mark that it finds."""
        if self.searched != SEARCHED:  # no paper speaks of one key
            return []
        found = [
            (claim, judged.judgements[claim.criterion][claim.same_mentions].mark)
            for judged in self.judged
            for claim in CLAIMS
            if claim.measure == judged.measure
        ]
        return [(claim, mark) for claim, mark in found if mark != claim.mark and (claim.mark, mark) != ("✗", "=")]

    def tables(self) -> Iterator[Table]:
        """Yield the marks; how scores lie; which measure is never above which; and claims that are not confirmed."""
        yield Table("criteria", ("measure", *(each.name for each in CRITERIA)), self._list_marks(), names=1)
        yield from self._list_further_tables()

    def text_tables(self) -> Iterator[Table]:
        """Yield the tables of plain text: the marks of many measures below numbers, of few beside the criteria."""
        if len(self.judged) > _MOST_COLUMNS:
            numbers = {str(number): each for number, each in enumerate(CRITERIA, 1)}
            legend = tuple(f"{number:>2} {each.name}: {each.words}" for number, each in numbers.items())
            yield Table("criteria", ("measure", *numbers), self._list_marks(), names=1, notes=legend)
        else:
            names, *columns = zip(("criterion", *(each.name for each in CRITERIA)), *self._list_marks(), strict=True)
            yield Table("criteria", names, columns, names=1)
        yield from self._list_further_tables()

    def _list_marks(self) -> list[tuple[str, ...]]:
        """Return a row for each measure: its name, and the marks of all criteria."""
        return [(own.measure, *(own.judgements[each.name].mark for each in CRITERIA)) for own in self.judged]

    def _list_further_tables(self) -> Iterator[Table]:
        """Yield how scores lie, with which measure is never above which; and claims that are not confirmed."""
        lie = []
        for each in self.judged:
            least, greatest, gap = (
                format_optional(value, "{:.4f}".format)
                for value in (each.spread.least, each.spread.greatest, each.spread.gap)
            )
            others = ", ".join(self.severer.get(each.measure, ())) or "–"
            lie.append((each.measure, others, least, greatest, str(each.spread.values), gap))
        title = "scores where key and response have the same mentions; never above: on any pair searched"
        yield Table(title, ("measure", "never above", "least", "greatest", "values", "largest gap"), lie, names=2)
        if self.disagreements:
            unlike = [(each.measure, each.criterion, each.where, each.mark, mark) for each, mark in self.disagreements]
            yield Table("papers and search disagree", ("measure", "criterion", "where", "paper", "search"), unlike, 3)

    def build_columns(self) -> NamedColumns:
        """Return flat columns: a row for each measure, criterion, and kind of mentions."""
        rows = [
            (judged.measure, name, kind.removesuffix("_mentions"), *(getattr(verdict, count) for count in _COUNTS))
            for judged in self.judged
            for name, judgement in judged.judgements.items()
            for kind, verdict in judgement._asdict().items()
        ]
        return collect_columns(("measure", "criterion", "mentions", *_COUNTS), rows)

    def build_content(self) -> dict[str, object]:
        """Return everything as plain objects for JSON."""
        measures = {
            judged.measure: {
                "criteria": {name: _describe_judgement(each) for name, each in judged.judgements.items()},
                "scores": judged.spread._asdict(),
                "never_above": self.severer.get(judged.measure),
            }
            for judged in self.judged
        }
        criteria = {each.name: {"words": each.words, "source": each.source} for each in CRITERIA}
        unlike = [{**claim._asdict(), "found": mark} for claim, mark in self.disagreements]
        return {"searched": self.searched, "criteria": criteria, "measures": measures, "disagreements": unlike}


@dataclass(frozen=True, slots=True)
class ExplainedVerdict(Result):
    """One measure and one criterion: the verdict, and its smallest counter-example in pictures."""

    measure: str
    criterion: Criterion
    judgement: Judgement
    searched: str = SEARCHED
    notices: ClassVar[tuple[Notice, ...]] = ()

    @property
    def claims(self) -> list[PaperVerdict]:
        """What papers say about this."""
        return [each for each in CLAIMS if (each.measure, each.criterion) == (self.measure, self.criterion.name)]

    @property
    def remarks(self) -> tuple[str, ...]:
        """What papers say, and what was searched."""
        claimed = [
            f"{each.where}: {each.mark} {_MEANINGS[each.mark].partition(' in ')[0]}"
            f"{', for the same mentions' if each.same_mentions else ''}."
            for each in self.claims
        ]
        return (*claimed, f"Source of the criterion: {self.criterion.source}.", self.searched)

    def describe(self, style: Style) -> list[str]:
        """Return the names, the criterion in words, and the verdicts."""
        first, second = (_word_verdict(*each) for each in self._list_verdicts())
        alike = self.judgement.any_mentions == self.judgement.same_mentions
        texts = [self.criterion.words, first, *([] if alike else [second])]
        heading = style("head", f"{self.measure}, {self.criterion.name}: {self.judgement.mark}")
        return [heading, *(line for text in texts for line in wrap_text(text, style.width))]

    def _list_verdicts(self) -> list[tuple[str, Verdict]]:
        """Return both verdicts, on any mentions and on the same, with these words."""
        return list(zip(("any mentions", "the same mentions"), self.judgement, strict=True))

    def tables(self) -> Iterator[Table]:
        """Yield the smallest counter-examples, in any mentions and in the same, as pictures with scores."""
        shown = []
        for kind, verdict in self._list_verdicts():
            if verdict.example is not None and verdict.example not in shown:
                shown.append(verdict.example)
                what = "fails" if verdict.failures else "ties"
                title = f"the smallest case that {what} ({kind}); expected: {RELATIONS[verdict.example.relation].words}"
                yield Table(title, ("", "entities", "score"), _draw_rows(verdict.example), names=2)

    def build_columns(self) -> NamedColumns:
        """Return flat columns: a row for each response of the examples."""
        rows = [
            (kind.removesuffix("_mentions"), *response)
            for kind, verdict in self.judgement._asdict().items()
            if verdict.example is not None
            for response in verdict.example.responses
        ]
        return collect_columns(("mentions", *ScoredResponse._fields), rows)

    def build_content(self) -> dict[str, object]:
        """Return everything as plain objects for JSON."""
        about = {"measure": self.measure, "criterion": self.criterion.name, "words": self.criterion.words}
        claims = [claim._asdict() for claim in self.claims]
        verdicts = _describe_judgement(self.judgement)
        return {**about, "source": self.criterion.source, "searched": self.searched, **verdicts, "claims": claims}


def _word_verdict(kind: str, verdict: Verdict) -> str:
    """Return a sentence: how many cases there are, how many of them fail or tie, how many are left out."""
    counts = {"fail": verdict.failures, "tie": verdict.ties, "left out for 0/0": verdict.undefined}
    some = [f"{count:,} {what}" for what, count in counts.items() if count]
    cases = f"{verdict.cases:,} cases of up to {LARGEST} mentions, {verdict.drawn:,} larger ones"
    return f"{verdict.mark} {_MEANINGS[verdict.mark]} ({kind}): {'; '.join([cases, *some])}."


def _draw_rows(example: Example) -> list[tuple[str, str, str]]:
    """Return rows with pictures: the key, then each response with its score; a key before each where these differ."""
    rows = []
    before = ""
    for label, each in zip(RELATIONS[example.relation].labels, example.responses, strict=True):
        if each.key != before:
            rows.append(("key", each.key, ""))
        before = each.key
        many = "" if each.number == 1 else f"  and {each.number - 1} more"
        rows.append((label, each.response + many, f"{each.score:.4f}"))
    return rows


def _describe_judgement(judgement: Judgement) -> dict[str, object]:
    """Return a judgement as plain objects."""
    described: dict[str, object] = {"mark": judgement.mark}
    for kind, verdict in judgement._asdict().items():
        example = verdict.example and {
            "expected": RELATIONS[verdict.example.relation].words,
            "mentions": verdict.example.mentions,
            "responses": [each._asdict() for each in verdict.example.responses],
        }
        described[kind] = {**{count: getattr(verdict, count) for count in _COUNTS}, "example": example}
    return described
