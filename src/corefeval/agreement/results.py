"""The result of a comparison of annotators: by pair, over all pairs, and mention by mention; its tables and JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from corefeval.notices import Notice
from corefeval.options import Options
from corefeval.tables.result import Result
from corefeval.tables.table import (
    UNDEFINED,
    Digits,
    Table,
    format_interval,
    format_optional,
    format_percent,
    make_score_formatter,
    shorten_text,
)
from corefeval.tables.writers import collect_columns

if TYPE_CHECKING:
    from corefeval.agreement.alpha import Annotations
    from corefeval.baselines.chance import Chance
    from corefeval.measures import Measure

_TITLES = {"passonneau": "Passonneau 2004", "masi": "MASI"}
_WIDTH = 60
_MEMBERS = 3
_UNITS = "mentions that two annotators or more have marked"
_CHANCE = "chance: two values of the same document"
_OFF_OF_ENTITIES = (
    "off: the MASI distances of its mentions from what others say, added up; 1 for one that is not marked there"
)
_OFF_OF_MENTIONS = "off: the mean MASI distance of the entities that it is put into"
_ALIKE = 1e-12


@dataclass(frozen=True, slots=True)
class Annotator:
    """One annotator: how much he or she has marked."""

    name: str
    source: str
    documents: int
    mentions: int
    entities: int


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Two annotators on the documents that both have: their agreement by each measure, and that of chance."""

    a: str
    b: str
    documents: int
    measures: Mapping[str, float]
    chance: Mapping[str, Chance]
    undefined: tuple[str, ...]  # measures that are 0/0 there, whose value is a convention


@dataclass(frozen=True, slots=True)
class PairSummary:
    """A measure over all pairs: mean, standard deviation (None for one pair), least, most, and the mean of chance.

    above_chance: the mean with chance at 0 and full agreement at 1; None where chance agrees fully, or changes nothing.
    units: what is counted.
    """

    mean: float
    spread: float | None
    least: float
    most: float
    chance: Chance
    above_chance: float | None
    units: str

    @property
    def fixed(self) -> bool:
        """Whether random partitions all agree just as the annotators do, so that chance cannot change the agreement."""
        return self.chance.spread < _ALIKE and abs(self.chance.mean - self.mean) < _ALIKE


@dataclass(frozen=True, slots=True)
class Alpha:
    """Krippendorff's α, with the observed disagreement and that expected by chance; None where chance allows none."""

    value: float | None
    observed: float
    expected: float
    units: int


@dataclass(frozen=True, slots=True)
class Coefficient:
    """Krippendorff's α of all annotators with one distance. `itself`: whether a mention is in its own set."""

    distance: str
    itself: bool
    alpha: Alpha

    @property
    def units(self) -> str:
        """One sentence: how many mentions are compared, what the value of one is, and what chance is."""
        sets = "all mentions of its entity" if self.itself else "the other mentions of its entity"
        return f"{self.alpha.units:,} {_UNITS}; the value of one is {sets}; {_CHANCE}"


@dataclass(frozen=True, slots=True)
class MarkCounts:
    """How many mentions there are, how many all annotators of their document have marked, and how many only one has."""

    mentions: int
    by_all: int
    by_one: int
    by: Mapping[int, int]  # how many were marked by one annotator, by two ...


@dataclass(frozen=True, slots=True)
class MentionPlace:
    """Where a mention stands: its document, its line in the file of the first annotator who has it, and its words."""

    document: str
    line: int | None
    words: str

    def build_record(self, what: str) -> dict[str, str]:
        """Return a table row's first cells by column: document, line, and shortened words in the column `what`."""
        line = "" if self.line is None else str(self.line)
        return {"document": self.document, "line": line, what: shorten_text(self.words, _WIDTH)}


@dataclass(frozen=True, slots=True)
class SplitMention:
    """A mention in different entities: how far apart these are (MASI), and the other mentions in each."""

    place: MentionPlace
    disagreement: float
    entities: Mapping[str, tuple[str, ...]]

    def build_record(self) -> dict[str, str]:
        """Return a table row's cells by column: where the mention is, how far off, and with what for each annotator."""
        entities = []
        for name, others in self.entities.items():
            shown = [shorten_text(words, 24) for words in others[:_MEMBERS]] + ["..."] * (len(others) > _MEMBERS)
            entities.append(f"{name}: {', '.join(shown) or 'nothing'}")
        off = f"{self.disagreement:.2f}"
        return self.place.build_record("mention") | {"off": off, "is with": "; ".join(entities)}

    def to_dict(self) -> dict[str, object]:
        """Return document, line, words, disagreement and, as "with", others in its entity by annotator, for JSON."""
        return {**asdict(self.place), "disagreement": self.disagreement, "with": dict(self.entities)}


@dataclass(frozen=True, slots=True)
class SplitEntity:
    """An entity of one annotator that others split, merge or miss: the distance of its mentions in all and on average.

    others: for every other annotator the sizes of the parts in which it is found there, and how much of it is missing.
    """

    annotator: str
    place: MentionPlace
    size: int
    total: float
    disagreement: float
    others: Mapping[str, tuple[tuple[int, ...], int]]

    def build_record(self) -> dict[str, str]:
        """Return a table row's cells by column: first mention, annotator, size, how far off, others' parts of it."""
        others = []
        for name, (parts, missing) in self.others.items():
            sizes = [" + ".join(map(str, parts))] if parts else []
            others.append(f"{name}: {', '.join(sizes + [f'{missing} not marked'] * (missing > 0))}")
        own = {"annotator": self.annotator, "size": f"{self.size:,}", "off": f"{self.total:.2f}"}
        return self.place.build_record("first mention") | own | {"in the eyes of others": "; ".join(others)}

    def to_dict(self) -> dict[str, object]:
        """Return annotator, document, line, words, size, total, disagreement and others' parts as a dict for JSON."""
        others = {name: {"parts": list(parts), "missing": missing} for name, (parts, missing) in self.others.items()}
        size = {"size": self.size, "total": self.total, "disagreement": self.disagreement}
        return {"annotator": self.annotator, **asdict(self.place), **size, "others": others}


@dataclass(frozen=True, slots=True)
class OneSidedMention:
    """A mention that some annotators of its document have marked and others not."""

    place: MentionPlace
    marked: tuple[str, ...]
    not_marked: tuple[str, ...]

    def build_record(self) -> dict[str, str]:
        """Return a table row's cells by column: where the mention is, who has marked it and who has not."""
        who = {"marked by": ", ".join(self.marked), "not by": ", ".join(self.not_marked)}
        return self.place.build_record("mention") | who

    def to_dict(self) -> dict[str, object]:
        """Return document, line, words, who has marked the mention and who has not as a dict for JSON."""
        return {**asdict(self.place), "marked": list(self.marked), "not_marked": list(self.not_marked)}


@dataclass(frozen=True, slots=True)
class Disagreements:
    """What annotators disagree on, the worst first. shown: how many of each kind the tables show.

    There may be very many, so each is made when it is looked at.
    """

    mentions: Sequence[SplitMention]
    entities: Sequence[SplitEntity]
    one_sided: Sequence[OneSidedMention]
    shown: int

    def tables(self) -> Iterator[Table]:
        """Yield tables of the first `shown` entities, split mentions, and mentions not marked by all; no empty one."""
        kinds: tuple[tuple[str, Sequence[SplitEntity | SplitMention | OneSidedMention], int, tuple[str, ...]], ...] = (
            ("Entities", self.entities, 4, (_OFF_OF_ENTITIES,)),
            ("Mentions that are put into different entities", self.mentions, 3, (_OFF_OF_MENTIONS,)),
            ("Mentions that not all have marked", self.one_sided, 5, ()),
        )
        for title, listed, names, notes in kinds:
            records = [each.build_record() for each in listed[: self.shown]]
            if records:
                whole = f"{title}: the worst {len(records):,} of {len(listed):,}" if self.shown < len(listed) else title
                yield Table.from_records(whole, _pad_last_field(records) if notes else records, names, notes)

    def to_dict(self) -> dict[str, object]:
        """Return {kind: list of all disagreements as dicts} for three kinds, and "counts" of each kind, for JSON."""
        kinds = ("mentions", "entities", "one_sided")
        listed = {kind: [each.to_dict() for each in getattr(self, kind)] for kind in kinds}
        return {**listed, "counts": {kind: len(found) for kind, found in listed.items()}}


def _pad_last_field(records: list[dict[str, str]]) -> list[dict[str, str]]:
    """Pad the last field of every record and its name with blanks to one width; return the same records."""
    last = list(records[0])[-1]
    width = max(len(last), *(len(record[last]) for record in records))
    for record in records:
        record[last.ljust(width)] = record.pop(last).ljust(width)
    return records


@dataclass(frozen=True, slots=True)
class Agreement(Result):
    """Annotators compared with each other; none of them is the key. annotations: all marks, mention by mention."""

    annotators: tuple[Annotator, ...]
    measures: tuple[Measure, ...]
    document_names: tuple[str, ...]
    pairs: tuple[PairAgreement, ...]
    summary: Mapping[str, PairSummary]
    alpha: tuple[Coefficient, ...]
    marks: MarkCounts
    splits: Disagreements
    options: Options
    draws: int
    seed: int
    signature: str
    notices: tuple[Notice, ...]
    annotations: Annotations = field(repr=False, compare=False)

    def tables(self, *, digits: Digits = "round") -> Iterator[Table]:
        """Yield tables of annotators, agreement, what is counted, pairs (if several), α, marks and disagreements."""
        write = make_score_formatter(digits)
        counts = [
            {"": each.name, **{name: f"{getattr(each, name):,}" for name in ("documents", "mentions", "entities")}}
            for each in self.annotators
        ]
        yield Table.from_records("Annotators", counts, 1)
        yield self._build_measure_table(write)
        units = [{"measure": name, "units": each.units} for name, each in self.summary.items()]
        yield Table.from_records("What is counted", units, 2)
        if len(self.pairs) > 1:
            pairs = [
                {"": f"{pair.a} – {pair.b}", "documents": f"{pair.documents:,}"}
                | {name: UNDEFINED if name in pair.undefined else write(pair.measures[name]) for name in self.summary}
                for pair in self.pairs
            ]
            yield Table.from_records("Pairs", pairs, 1)
        yield self._build_alpha_table()
        yield self._build_mark_table()
        yield from self.splits.tables()

    def _build_measure_table(self, write: Callable[[float], str]) -> Table:
        """Build the table of agreement by measure, beside chance: the mean of all pairs; of one pair, its agreement."""
        several = len(self.pairs) > 1
        records = []
        for name, each in self.summary.items():
            undefined = all(name in pair.undefined for pair in self.pairs)
            record = {"measure": name, "agreement": UNDEFINED if undefined else write(each.mean)}
            if several:
                record["spread"] = format_optional(each.spread, format_percent)
                record |= {"least": write(each.least), "most": write(each.most)}
            chance = write(each.chance.mean), format_interval(each.chance.interval, write)
            above = format_optional(each.above_chance, write)
            shown = (UNDEFINED,) * 3 if each.fixed else (*chance, above)
            records.append(record | dict(zip(("by chance", "interval", "above chance"), shown, strict=True)))
        first = self.pairs[0]
        of = f"{len(self.pairs)} pairs of annotators: mean" if several else f"{first.a} and {first.b}"
        by = f"the mean of {self.draws:,} random partitions for a pair, with both annotators' sizes of entities"
        notes = [
            f"by chance: {by} (seed {self.seed}), with a 95% interval",
            "above chance: chance is 0, full agreement 100; each number is F1, or the measure's single score",
        ]
        if several:
            notes.append("spread: the standard deviation of the pairs")
        if any(each.fixed for each in self.summary.values()):
            notes.append(f"{UNDEFINED}: random partitions of the same mentions change nothing")
        notes.append(f"a mention in several entities of one annotator: duplicates {self.options.duplicates}")
        return Table.from_records(f"Agreement of {of}", records, 1, tuple(notes))

    def _build_alpha_table(self) -> Table:
        """Build the table of Krippendorff's α by each distance, with the mention itself in its set and without it."""
        records = [
            {
                "distance of sets": _TITLES[each.distance],
                "the mention itself": "with it" if each.itself else "without it",
                "α": format_optional(each.alpha.value, "{:.4f}".format),
                "observed": f"{each.alpha.observed:.4f}",
                "expected": f"{each.alpha.expected:.4f}",
            }
            for each in self.alpha
        ]
        notes = (
            f"units: {self.alpha[0].alpha.units:,} {_UNITS}",
            "the value of one is the set of mentions of its entity, with the mention itself or without it",
            f"{_CHANCE}; a mention that one annotator alone has marked is no unit (see below)",
        )
        return Table.from_records("Krippendorff's α of all annotators", records, 2, notes)

    def _build_mark_table(self) -> Table:
        """Build the table of how many mentions, and what per cent, were marked by how many annotators."""
        marks = self.marks
        counts = {f"by {number}": count for number, count in sorted(marks.by.items(), reverse=True)}
        counts |= {"by all who have the document": marks.by_all, "in all": marks.mentions}
        records = [
            {
                "marked": name,
                "mentions": f"{count:,}",
                "%": format_percent(count / marks.mentions) if marks.mentions else UNDEFINED,
            }
            for name, count in counts.items()
        ]
        return Table.from_records("Mentions, by how many annotators have marked them", records, 1)

    def build_columns(self) -> dict[str, list[object]]:
        """Return {name: column} with a row for each pair and measure, then for the mean of all pairs, then for α."""
        rows: list[tuple[object, ...]] = []
        for pair in self.pairs:
            for name, value in pair.measures.items():
                chance, units = pair.chance[name], self.summary[name].units
                rows.append((name, pair.a, pair.b, value, chance.mean, *chance.interval, None, units))
        for name, each in self.summary.items():
            rows.append((name, None, None, each.mean, each.chance.mean, *each.chance.interval, each.spread, each.units))
        for coefficient in self.alpha:
            name = f"alpha:{coefficient.distance}{'' if coefficient.itself else ',others'}"
            rows.append((name, None, None, coefficient.alpha.value, *[None] * 4, coefficient.units))
        head = ("measure", "a", "b", "agreement", "chance", "chance_low", "chance_high", "spread", "units")
        return collect_columns(head, rows)

    def build_content(self) -> dict[str, object]:
        """Return annotators, pairs, means, α, marks, disagreements and notices as plain objects for JSON."""
        return {
            "signature": self.signature,
            "annotators": [asdict(each) for each in self.annotators],
            "pairs": [asdict(each) | {"undefined": list(each.undefined)} for each in self.pairs],
            "mean": {name: asdict(each) for name, each in self.summary.items()},
            "alpha": [
                {"distance": each.distance, "itself": each.itself, "alpha": each.alpha.value}
                | {"observed": each.alpha.observed, "expected": each.alpha.expected}
                | {"mentions": each.alpha.units, "units": each.units}
                for each in self.alpha
            ],
            "mentions": asdict(self.marks) | {"by": {str(number): count for number, count in self.marks.by.items()}},
            "splits": self.splits.to_dict(),
            "draws": self.draws,
            "seed": self.seed,
            "notices": [notice.to_dict() for notice in self.notices],
        }
