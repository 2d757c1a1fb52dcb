"""What a measure is: a value with parameters, a way to count on the table, and a way to score counts.

`count` turns the table into a few columns with one row per document. Columns add up over documents, so the score of a
corpus is `score` of the sums, and a resample is `score` of weighted sums. `score` takes plain numbers or whole columns:
rows in, rows out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from corefeval._arrays import Array, Booleans, Columns, Ints, np
from corefeval._lazy import NamedTuple, cached
from corefeval.errors import OptionError
from corefeval.measures.parameters import Parametrised, parameter
from corefeval.measures.rates import compute_recall_precision_f, divide
from corefeval.notices import Notice
from corefeval.options import Options
from corefeval.overlap import alignment
from corefeval.overlap.twinless import FOR_ALL, REWRITES
from corefeval.overlap.views import Views

if TYPE_CHECKING:
    from corefeval.measures.score import Score

Value: TypeAlias = Any
"""A number, or an array with a number for every row: the formulas read the same for both."""

Values: TypeAlias = dict[str, Value]
"""Named results, and under `undefined` which of them are 0/0. A measure may have parts, which are Values again."""

PROFILE = "profile"
"""The value of a parameter that is left to the profile; to a measure by itself, that of the default profile."""

SizeTerm: TypeAlias = "tuple[str, Callable[[Any], Any]]"
"""Which sizes ("all" mentions of a document, "key" or "response" entities, what they have in "common") and a function
of them, 0 for 0, whose sum is a count."""

COUNTS = ("recall_numerator", "recall_denominator", "precision_numerator", "precision_denominator")
"""The columns of a measure whose recall and precision are fractions."""


def make_twinless_parameter(*ways: str) -> Any:
    """Return the parameter `twinless`, with some of `REWRITES` beside those that are for all measures."""
    choices = (PROFILE, "keep", *(way for way in REWRITES if way in (*ways, *FOR_ALL)))
    return parameter("what to do with mentions that one side lacks", default=PROFILE, choices=choices)


class AlignedEntities(NamedTuple):
    """Pairs of a key entity and a response entity that a measure compares, with how similar they are to it.

    key, response: numbers of entities, ordered by key entity. aligned: which pairs it has chosen, one to one.
    """

    key: Ints
    response: Ints
    similarity: Array
    aligned: Booleans

    @classmethod
    def align_best(cls, key: Ints, response: Ints, similarity: Array) -> AlignedEntities:
        """Return pairs of entities, given with their similarities, those in the best one-to-one alignment chosen."""
        aligned = np.zeros(len(key), dtype=np.bool_)
        aligned[alignment.find_best(key, response, similarity)] = True
        return cls(key, response, similarity, aligned)


class Measure(Parametrised, ABC):
    """One measure with its parameters."""

    title: ClassVar[str]
    formula: ClassVar[str]
    citation: ClassVar[str]
    adds_up: ClassVar[str]
    main: ClassVar[str] = "f1"
    shown: ClassVar[tuple[str, ...]] = ("recall", "precision", "f1")
    more_is_better: ClassVar[bool] = True
    costs: ClassVar[Mapping[str, str]] = MappingProxyType({})  # fields of which less is better, and their LaTeX names
    derivation: ClassVar[str] = ""  # how its counts come about: a way that `analysis` explains and attributes, if any
    derivation_parameters: ClassVar[tuple[str, ...]] = ("undefined", "beta")  # those whose values do not change that
    names_entities: ClassVar[bool] = False  # whether it knows entities by name, so that it cannot score made-up ones
    scores_entities: ClassVar[bool] = True  # whether it is of mentions and entities, not of relations, layers or types
    size_terms: ClassVar[Mapping[str, SizeTerm]] = MappingProxyType({})  # counts that are sums of functions of sizes
    unit: ClassVar[str] = ""  # what is counted, in words; empty where the formula says it all
    latex_name: ClassVar[str] = ""  # how papers set its name, where that is not how users write it
    variants: ClassVar[tuple[str, ...]] = ()  # with which parameters "all" has it, where it cannot do without
    symmetric: ClassVar[bool] = False  # whether key and response can change places without changing the main score
    symmetric_parameters: ClassVar[tuple[str, ...]] = ("undefined",)  # those whose values leave it symmetric
    antecedents: ClassVar[tuple[tuple[str, str, str, str], ...]] = ()  # fractions in which split antecedents are scored
    parts: ClassVar[tuple[Measure, ...]] = ()  # the measures it is made of; whose counts are its own
    needs_mentions: ClassVar[bool] = False  # whether it looks at `views.mentions`, not at tables alone
    takes_sets: ClassVar[bool] = False  # whether papers write it so that entities of one side can share mentions
    pads: ClassVar[bool] = False  # whether a mention that one side lacks may as well be a singleton there

    @cached
    def named_parts(self) -> dict[str, Measure]:
        """The parts by their names, which their counts begin with; with parameters where names alone are not enough."""
        names = [part.name for part in self.parts]
        return {part.name if names.count(part.name) == 1 else str(part): part for part in self.parts}

    decisions: ClassVar[Mapping[str, str]] = MappingProxyType({"twinless": "keep"})
    """What profiles decide, and what PROFILE stands for."""

    undefined: int = parameter("what 0/0 counts as", default=0, choices=(0, 1))
    twinless: str = make_twinless_parameter()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        twinless = cls.parameters.pop("twinless", None)
        if cls.needs_mentions is True:
            cls.twinless = "keep"  # it has no table that could be rewritten
        elif twinless is not None:
            cls.parameters["twinless"] = twinless  # written after its own

    def apply_options(self, options: Options) -> Measure:
        """Return the measure with the options' values, where possible, for parameters that it leaves to the profile."""
        if not self.decisions:
            return self
        chosen: dict[str, object] = {}
        for name, usual in self.decisions.items():
            value = getattr(options, name)
            if getattr(self, name) == PROFILE and value != usual and value in self.parameters[name].choices:
                chosen[name] = value
        return self.replace(chosen, unwritten=chosen) if chosen else self

    @cached
    def rewrite(self) -> str:
        """The way of `REWRITES` by which the table is rewritten before it counts; "" for none."""
        needless = self.twinless not in REWRITES or (self.twinless == "pad" and self.pads)
        return "" if needless else self.twinless

    @cached
    def is_symmetric(self) -> bool:
        """Whether, with these parameters, key and response can change places without changing the main score."""
        free = ("twinless",) if self.rewrite in FOR_ALL else ()
        return self.symmetric and self._has_defaults_beside((*self.symmetric_parameters, *free))

    @cached
    def has_plain_derivation(self) -> bool:
        """Whether, with these parameters, its counts come about as `derivation` says; False where that is empty."""
        return bool(self.derivation) and self._has_defaults_beside(self.derivation_parameters)

    def _has_defaults_beside(self, free: tuple[str, ...]) -> bool:
        """Return whether all parameters other than the `free` ones have default values, or do as these do."""
        if not self.rewrite:
            free = (*free, "twinless")
        others = {name: each for name, each in self.parameters.items() if name not in free}
        return all(each.is_default(getattr(self, name)) for name, each in others.items())

    @property
    def sign(self) -> int:
        """1 where a higher score is better, -1 where a lower one is."""
        return 1 if self.more_is_better else -1

    def count(self, views: Views) -> Columns:
        """Return columns of counts by name, a number for each document; a NotImplementedError if not overridden."""
        raise NotImplementedError(f"{self.name} says neither how it counts nor of which parts it is made")

    def count_rewritten(self, views: Views) -> Columns:
        """Return `count` of views in which mentions that one side lacks are treated as `twinless` says."""
        return self.count(views.rewrite_twinless(self.rewrite) if self.rewrite else views)

    def align_entities(self, views: Views) -> AlignedEntities:  # noqa: ARG002 - most measures align none
        """Return the entities that a measure compares and aligns one to one; an OptionError if it aligns none."""
        raise OptionError(f"{self} aligns no entities; ceafe, ceafm, ceaf:phi=1, nec and exclusive_core do")

    def count_antecedents(self, views: Views) -> Columns:
        """Return `count` of views whose documents are pairs of split antecedents: a number for each pair."""
        return self.count(views)

    def check_split_antecedents(self) -> None:
        """Do nothing; measures that would leave split antecedents out silently raise an OptionError here instead."""

    @abstractmethod
    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return scores by name, and under `undefined` which are 0/0, from counts by name: numbers or columns."""

    def fill_formula(self, counts: Mapping[str, Value], field: str) -> str:  # noqa: ARG002 - few have more than fractions
        """Return ""; measures beyond plain fractions return the formula of a field as text with the counts put in."""
        return ""

    def notices(self, views: Views) -> Iterable[Notice]:  # noqa: ARG002 - most have nothing to say
        """Return (); measures that have something to say about their counts return notices instead."""
        return ()

    def get_undefined(self, field: str) -> int:  # noqa: ARG002 - for all fields alike but of parts
        """Return what a field counts as where it is 0/0: 0 or 1."""
        return self.undefined

    def remark(self, score: Score) -> str:  # noqa: ARG002 - most have nothing to add
        """Return ""; some measures return a short text instead, to show beside a score's main numbers."""
        return ""


class RecallPrecision(Measure):
    """A measure whose recall and precision are each one count over another."""

    beta: float = parameter("weight of recall in the F-score: F = (1+β²)PR / (β²P+R)", default=1.0)

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return recall, precision and f1 by name, the four counts behind them, and under `undefined` which are 0/0."""
        return compute_rates(counts, undefined=self.undefined, beta=self.beta)


class SingleScore(Measure):
    """A measure that gives one number."""

    main: ClassVar[str] = "score"
    shown: ClassVar[tuple[str, ...]] = ("score",)

    def score_fraction(self, numerator: Value, denominator: Value) -> Values:
        """Return a dict: the quotient as `score` (0/0 as the parameter says), and as `undefined` whether it is 0/0."""
        return {"score": divide(numerator, denominator, self.undefined), "undefined": {"score": denominator == 0}}


def make_counts(found: Value, wanted: Value, right: Value, given: Value) -> Values:
    """Return a dict of four counts by their names in `COUNTS`: found/wanted for recall, right/given for precision."""
    return {
        "recall_numerator": found,
        "recall_denominator": wanted,
        "precision_numerator": right,
        "precision_denominator": given,
    }


def compute_rates(counts: Mapping[str, Value], *, undefined: int, beta: float) -> Values:
    """Return a dict: recall, precision and f1 of four counts, 0/0 as `undefined`; the counts; which rates are 0/0."""
    found, wanted = counts["recall_numerator"], counts["recall_denominator"]
    right, given = counts["precision_numerator"], counts["precision_denominator"]
    recall, precision, f1 = compute_recall_precision_f(found, wanted, right, given, undefined, beta)
    no_recall, no_precision = wanted == 0, given == 0
    return {
        "recall": recall,
        "precision": precision,
        "f1": f1,
        "recall_numerator": found,
        "recall_denominator": wanted,
        "precision_numerator": right,
        "precision_denominator": given,
        "undefined": {"recall": no_recall, "precision": no_precision, "f1": no_recall & no_precision},
    }
