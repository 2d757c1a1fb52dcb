"""The verdicts on measures as results: a table of all, or one explained with pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from corefeval._lazy import NamedTuple
from corefeval.lab.criteria.cases import LARGEST_TRIPLE
from corefeval.lab.criteria.claims import CLAIMS, PaperVerdict
from corefeval.lab.criteria.definitions import CRITERIA, Criterion
from corefeval.lab.criteria.pairs import DRAWN_SIZES, LARGEST
from corefeval.lab.criteria.relations import RELATIONS
from corefeval.lab.criteria.verdicts import Example, ScoreSpread, Verdict
from corefeval.notices import Notice
from corefeval.tables.result import Result
from corefeval.tables.table import Table
from corefeval.tables.text import Style
from corefeval.tables.writers import NamedColumns

_SEARCHED = (
    f"Searched: all pairs of key and response with up to {LARGEST} mentions in both together, up to relabelling (all "
    f"triples of up to {LARGEST_TRIPLE} for distance), and some pairs of {DRAWN_SIZES[0]} to {DRAWN_SIZES[-1]}, "
    "near perfect or drawn by a seed. ✓ is no proof beyond. Cases in which a score is 0/0 are left out."
)
_OF_KEY = (
    f"Searched: responses to {{}} (mentions renamed, a detour's ends aside), with up to {LARGEST} mentions in both "
    "together; to a larger key itself, and some drawn by a seed. Cases in which a score is 0/0 are left out."
)
_MEANINGS = {
    "✓": "holds in all cases",
    "=": "never fails, but ties",
    "✗": "fails",
    "–": "no case",
}


def describe_search(key: str = "") -> str:
    """Return a text that says what was searched: all pairs, or responses to one key."""
    return _OF_KEY.format(key) if key else _SEARCHED


class Judgement(NamedTuple):
    """The verdict on all cases, and on those only where key and response have the same mentions."""

    any_mentions: Verdict
    same_mentions: Verdict

    @property
    def mark(self) -> str:
        """The mark for all cases; behind it in brackets that for the same mentions, where that is another one."""
        general, same = self.any_mentions.mark, self.same_mentions.mark
        return general if same in (general, "–") else f"{general} ({same})"

    def find_mark(self, *, same_mentions: bool) -> str:
        """Return the mark for all cases, or for those with the same mentions."""
        return (self.same_mentions if same_mentions else self.any_mentions).mark


class JudgedMeasure(NamedTuple):
    """A measure, the judgements on it by criterion, and how its scores lie."""

    measure: str
    judgements: dict[str, Judgement]
    spread: ScoreSpread


@dataclass(frozen=True, slots=True)
class CriteriaResult(Result):
    """The verdicts on all criteria for some measures. severer: for each measure those that it is never above."""

    judged: tuple[JudgedMeasure, ...]
    severer: dict[str, tuple[str, ...]]
    searched: str = _SEARCHED

    def __getitem__(self, cell: tuple[str, str]) -> Judgement:
        """Return the judgement on a measure and a criterion."""
        return {judged.measure: judged for judged in self.judged}[cell[0]].judgements[cell[1]]

    @property
    def notices(self) -> tuple[Notice, ...]:
        """No notices: what a reader should know stands below the tables."""
        return ()

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the marks mean, and what was searched."""
        marks = "; ".join(f"{mark} {meaning}" for mark, meaning in _MEANINGS.items())
        return (f"{marks}; in brackets: where key and response have the same mentions, if that differs.", self.searched)

    @property
    def disagreements(self) -> list[tuple[PaperVerdict, str]]:
        """What papers claim of these measures and the search does not confirm, and the mark that it finds."""
        found = []
        for judged in self.judged if self.searched == _SEARCHED else ():  # no paper speaks of one key
            for claim in CLAIMS:
                if claim.measure == judged.measure:
                    mark = judged.judgements[claim.criterion].find_mark(same_mentions=claim.same_mentions)
                    if mark != claim.mark and (claim.mark, mark) != ("✗", "="):
                        found.append((claim, mark))
        return found

    def tables(self) -> Iterator[Table]:
        """Yield the marks; how scores lie; which measure is never above which; and claims that are not confirmed."""
        rows = [(judged.measure, *(judged.judgements[each.name].mark for each in CRITERIA)) for judged in self.judged]
        yield Table("criteria", ("measure", *(each.name for each in CRITERIA)), rows, names=1)
        lie = []
        for each in self.judged:
            numbers = ("–" if value is None else f"{value:.4f}" for value in each.spread[:2])
            gap = "–" if each.spread.gap is None else f"{each.spread.gap:.4f}"
            others = ", ".join(self.severer.get(each.measure, ())) or "–"
            lie.append((each.measure, *numbers, str(each.spread.values), gap, others))
        title = "scores where key and response have the same mentions; never above: on any pair searched"
        yield Table(title, ("measure", "least", "greatest", "values", "largest gap", "never above"), lie, names=1)
        if self.disagreements:
            unlike = [(each.measure, each.criterion, each.mark, mark, each.where) for each, mark in self.disagreements]
            yield Table("papers and search disagree", ("measure", "criterion", "paper", "search", "where"), unlike, 2)

    def build_columns(self) -> NamedColumns:
        """Return flat columns: a row for each measure, criterion, and kind of mentions."""
        rows = [
            (judged.measure, name, kind, verdict.mark, verdict.cases, verdict.drawn, verdict.ties, verdict.failures,
             verdict.undefined)
            for judged in self.judged
            for name, judgement in judged.judgements.items()
            for kind, verdict in zip(("any", "same"), judgement, strict=True)
        ]  # fmt: skip
        names = ("measure", "criterion", "mentions", "mark", "cases", "drawn", "ties", "failures", "undefined")
        return {name: [row[place] for row in rows] for place, name in enumerate(names)}

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
    searched: str = _SEARCHED

    @property
    def notices(self) -> tuple[Notice, ...]:
        """No notices: all stands in the text."""
        return ()

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
        lines = [style("head", f"{self.measure}, {self.criterion.name}: {self.judgement.mark}"), self.criterion.words]
        same = self.judgement.same_mentions
        lines += [_word_verdict("any mentions", self.judgement.any_mentions)]
        return [*lines, *([_word_verdict("the same mentions", same)] if same != self.judgement.any_mentions else [])]

    def tables(self) -> Iterator[Table]:
        """Yield the smallest counter-examples, in any mentions and in the same, as pictures with scores."""
        shown = []
        for kind, verdict in zip(("any mentions", "the same mentions"), self.judgement, strict=True):
            if verdict.example is not None and verdict.example not in shown:
                shown.append(verdict.example)
                what = "fails" if verdict.failures else "ties"
                title = f"the smallest case that {what} ({kind}); expected: {RELATIONS[verdict.example.relation].words}"
                yield Table(title, ("", "entities", "score"), _draw_rows(verdict.example), names=2)

    def build_columns(self) -> NamedColumns:
        """Return flat columns: a row for each response of the examples."""
        rows = [
            (kind, *response)
            for kind, verdict in zip(("any", "same"), self.judgement, strict=True)
            if verdict.example is not None
            for response in verdict.example.responses
        ]
        names = ("mentions", "key", "response", "score", "number")
        return {name: [row[place] for row in rows] for place, name in enumerate(names)}

    def build_content(self) -> dict[str, object]:
        """Return everything as plain objects for JSON."""
        about = {"measure": self.measure, "criterion": self.criterion.name, "words": self.criterion.words}
        claims = [claim._asdict() for claim in self.claims]
        verdicts = _describe_judgement(self.judgement)
        return {**about, "source": self.criterion.source, "searched": self.searched, **verdicts, "claims": claims}


def _word_verdict(kind: str, verdict: Verdict) -> str:
    """Return a sentence: how many cases there are, how many of them fail or tie, how many are left out."""
    counts = [f"{verdict.cases:,} cases of up to {LARGEST} mentions, {verdict.drawn:,} larger ones"]
    counts += [f"{verdict.failures:,} fail"] if verdict.failures else []
    counts += [f"{verdict.ties:,} tie"] if verdict.ties else []
    counts += [f"{verdict.undefined:,} left out for 0/0"] if verdict.undefined else []
    return f"{verdict.mark} {_MEANINGS[verdict.mark]} ({kind}): {'; '.join(counts)}."


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
    for kind, verdict in zip(("any_mentions", "same_mentions"), judgement, strict=True):
        example = verdict.example
        picture = None if example is None else {
            "expected": RELATIONS[example.relation].words,
            "mentions": example.mentions,
            "responses": [each._asdict() for each in example.responses],
        }  # fmt: skip
        fields = ("mark", "cases", "drawn", "ties", "failures", "undefined")
        described[kind] = {**{field: getattr(verdict, field) for field in fields}, "example": picture}
    return described
