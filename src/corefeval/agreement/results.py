"""What annotators agree on: frozen, by pair, over all pairs, and mention by mention."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefeval.agreement.alpha import Alpha
    from corefeval.baselines.chance import Chance
    from corefeval.measures import Measure
    from corefeval.notices import Notice
    from corefeval.options import Options


_ALIKE = 1e-12


class Annotator(NamedTuple):
    """One annotator: how much he or she has marked."""

    name: str
    source: str
    documents: int
    mentions: int
    entities: int


class PairAgreement(NamedTuple):
    """Two annotators on the documents that both have: their agreement by each measure, and what chance would give.

    undefined: measures that are 0/0 there and have their value by convention only.
    """

    a: str
    b: str
    documents: int
    measures: Mapping[str, float]
    chance: Mapping[str, Chance]
    undefined: tuple[str, ...]


class Summary(NamedTuple):
    """A measure over all pairs: mean, standard deviation (None for one pair), least, most, and what chance would give.

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
        """Whether chance cannot change it: what looks at mentions only, or entities that are all alike."""
        return self.chance.spread < _ALIKE and abs(self.chance.mean - self.mean) < _ALIKE


class Coefficient(NamedTuple):
    """Krippendorff's α with one distance: of all annotators at once. `itself`: whether a mention is in its own set."""

    distance: str
    itself: bool
    alpha: Alpha
    units: str


class Marks(NamedTuple):
    """How many mentions there are, and how many were marked by every annotator of their document, by one alone.

    by: how many were marked by so many annotators.
    """

    mentions: int
    by_all: int
    by_one: int
    by: Mapping[int, int]


class Placed(NamedTuple):
    """Where a mention stands: document, line of the first annotator's file who has it, and its words."""

    document: str
    line: int | None
    words: str


class SplitMention(NamedTuple):
    """A mention that annotators put into different entities: how far apart (MASI), and what each puts it with."""

    place: Placed
    disagreement: float
    entities: Mapping[str, tuple[str, ...]]


class SplitEntity(NamedTuple):
    """An entity of one annotator that others do not have so: how far its mentions are off in all, and on average.

    others: for every other annotator the sizes of the parts in which it is found there, and how much of it is missing.
    """

    annotator: str
    place: Placed
    size: int
    total: float
    disagreement: float
    others: Mapping[str, tuple[tuple[int, ...], int]]


class OneSided(NamedTuple):
    """A mention that some annotators of its document have marked and others not."""

    place: Placed
    marked: tuple[str, ...]
    not_marked: tuple[str, ...]


class Splits(NamedTuple):
    """What annotators split on, the worst first, and how much of each there is in all."""

    mentions: tuple[SplitMention, ...]
    entities: tuple[SplitEntity, ...]
    one_sided: tuple[OneSided, ...]
    all_mentions: int
    all_entities: int
    all_one_sided: int


class Agreement(NamedTuple):
    """Annotators compared with each other; none of them is the key."""

    annotators: tuple[Annotator, ...]
    measures: tuple[Measure, ...]
    pairs: tuple[PairAgreement, ...]
    summary: Mapping[str, Summary]
    alpha: tuple[Coefficient, ...]
    marks: Marks
    splits: Splits
    options: Options
    draws: int
    seed: int
    signature: str
    notices: tuple[Notice, ...]

    def to_dict(self) -> dict[str, object]:
        """As in the JSON output."""
        from corefeval.show import agreed_json  # noqa: PLC0415 - reports are loaded when one is asked for

        return agreed_json.as_dict(self)

    def to_json(self) -> str:
        """JSON with full precision, as the command prints it."""
        from corefeval.show import agreed_json  # noqa: PLC0415

        return agreed_json.write(self)

    def to_markdown(self) -> str:
        """Markdown tables, in per cent."""
        from corefeval.show import agreed  # noqa: PLC0415

        return agreed.markdown(self)

    def to_latex(self) -> str:
        """LaTeX tables for the package booktabs, in per cent."""
        from corefeval.show import agreed  # noqa: PLC0415

        return agreed.latex(self)

    def to_csv(self) -> str:
        """Comma-separated values with full precision: a row for each pair and measure, then over all pairs, then α."""
        from corefeval.show import agreed  # noqa: PLC0415

        return agreed.csv(self)

    def __str__(self) -> str:
        from corefeval.show import agreed  # noqa: PLC0415

        return agreed.text(self)
