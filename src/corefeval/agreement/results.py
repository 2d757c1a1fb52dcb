"""Results of a comparison of annotators: by pair, over all pairs, and mention by mention."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corefeval.agreement import layout
from corefeval.tables.result import Result

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corefeval.baselines.chance import Chance
    from corefeval.measures import Measure
    from corefeval.notices import Notice
    from corefeval.options import Options
    from corefeval.tables.table import Digits, Table

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
    """Two annotators on the documents that both have: their agreement by each measure, and that of chance.

    undefined: measures that are 0/0 there, whose value is a convention.
    """

    a: str
    b: str
    documents: int
    measures: Mapping[str, float]
    chance: Mapping[str, Chance]
    undefined: tuple[str, ...]


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
        """Whether chance cannot change it: the measure looks at mentions only, or all entities are alike."""
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
    units: str


@dataclass(frozen=True, slots=True)
class MarkCounts:
    """How many mentions there are, how many all annotators of their document have marked, and how many only one has.

    by: how many mentions were marked by one annotator, by two ...
    """

    mentions: int
    by_all: int
    by_one: int
    by: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class MentionPlace:
    """Where a mention stands: its document, its line in the file of the first annotator who has it, and its words."""

    document: str
    line: int | None
    words: str


@dataclass(frozen=True, slots=True)
class SplitMention:
    """A mention in different entities: how far apart these are (MASI), and the other mentions in each."""

    place: MentionPlace
    disagreement: float
    entities: Mapping[str, tuple[str, ...]]


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


@dataclass(frozen=True, slots=True)
class OneSidedMention:
    """A mention that some annotators of its document have marked and others not."""

    place: MentionPlace
    marked: tuple[str, ...]
    not_marked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Disagreements:
    """What annotators disagree on, the worst first, and how much of each kind there is in all."""

    mentions: tuple[SplitMention, ...]
    entities: tuple[SplitEntity, ...]
    one_sided: tuple[OneSidedMention, ...]
    all_mentions: int
    all_entities: int
    all_one_sided: int


@dataclass(frozen=True, slots=True)
class Agreement(Result):
    """Annotators compared with each other; none of them is the key."""

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

    @property
    def signatures(self) -> tuple[str, ...]:
        """How scores were made, in one line."""
        return (self.signature,)

    def tables(self, *, digits: Digits = "round") -> Iterator[Table]:
        """Yield annotators, their agreement, every pair, α, and what they split on."""
        yield from layout.build_tables(self, digits)

    def build_records(self) -> dict[str, list[object]]:
        """Return a row for each pair and measure, then over all pairs, then α."""
        return layout.build_records(self)

    def build_content(self) -> dict[str, object]:
        """Return everything as plain objects."""
        return layout.build_content(self)
