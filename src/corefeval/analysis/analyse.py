"""What is wrong with a response, in every way that this package knows: analyse()."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from corefeval import measures as known
from corefeval._lazy import cached
from corefeval.analysis import layout
from corefeval.analysis.breakdowns import breakdown as breakdowns
from corefeval.analysis.breakdowns.breakdown import Breakdowns
from corefeval.analysis.costs import costs, worst
from corefeval.analysis.errors import identification, types
from corefeval.analysis.errors import links as link_errors
from corefeval.analysis.errors.wording import COLUMNS, EXAMPLES, build_error_record
from corefeval.analysis.subsets import Subject, get_rows, prepare_subject
from corefeval.corpus.mention_types import collect_type_notices
from corefeval.notices import Notice
from corefeval.scoring.score import score
from corefeval.tables.result import Result
from corefeval.tables.writers import collect_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Unpack

    from corefeval.analysis.breakdowns.breakdown import Breakdown
    from corefeval.analysis.costs.costs import Costs
    from corefeval.analysis.costs.worst import Worst
    from corefeval.analysis.errors.identification import IdentificationEffect
    from corefeval.analysis.errors.links import LinkError
    from corefeval.analysis.errors.types import CorrectableErrors, Stage, TypedError
    from corefeval.measures import Measure
    from corefeval.options import ScoringOptions
    from corefeval.overlap.views import Rows
    from corefeval.scoring.results import Evaluation
    from corefeval.scoring.score import Measures, Source
    from corefeval.tables.table import Digits, Table
    from corefeval.tables.text import Style


def analyse(
    key: Source, response: Source, *, measures: Measures | None = None, **options: Unpack[ScoringOptions]
) -> Analysis:
    """Judge a response against a key, and look into its errors.

    measures, options: as in `score`.
    """
    return Analysis(score(key, response, measures=measures, **options))


@dataclass(frozen=True, eq=False, repr=False)
class Analysis(Result):
    """The errors of a response. What is asked for is computed when it is asked for, once.

    given: the evaluation that is analysed.
    """

    given: Evaluation
    _costs: dict[Measure, Costs] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        _ = self.rows  # an evaluation without mentions is refused at once

    @cached
    def _subject(self) -> Subject:
        return prepare_subject(self.given)

    @property
    def evaluation(self) -> Evaluation:
        """The scores, as far as mentions can be analysed."""
        return self._subject.evaluation

    @property
    def left_out(self) -> tuple[Notice, ...]:
        """What an analysis of mentions leaves out of the scores."""
        return self._subject.notices

    @cached
    def rows(self) -> Rows:
        """The mentions of both sides that errors refer to."""
        return get_rows(self.evaluation)

    @cached
    def _correctable_errors(self) -> CorrectableErrors:
        return types.find_errors(self.rows)

    @property
    def errors(self) -> tuple[TypedError, ...]:
        """Every error with its type (Kummerfeld & Klein 2013), by type and document."""
        return self._correctable_errors.errors

    @property
    def counts(self) -> dict[str, int]:
        """How many errors there are of each type."""
        return types.count_types(self.errors)

    @cached
    def stages(self) -> tuple[Stage, ...]:
        """The response as it is, and after the errors of each type have been corrected, one type after another."""
        return types.score_corrections(self.evaluation, self._correctable_errors)

    def costs(self, measure: str | Measure) -> Costs:
        """What every entity and every mention costs by a measure: of its f1, or of its single score."""
        asked = known.resolve_measure(measure, self.evaluation.options)
        if asked not in self._costs:
            self._costs[asked] = costs.compute_costs(self.evaluation, asked)
        return self._costs[asked]

    def worst(self, most: int = 20, measure: str | Measure | None = None) -> Worst:
        """The entities and the mentions that cost most by a measure: the CoNLL average, or the first asked for."""
        return worst.find_worst(self, most, self._ranking(measure))

    def _ranking(self, measure: str | Measure | None) -> Measure:
        if measure is not None:
            return known.resolve_measure(measure, self.evaluation.options)
        asked = self.evaluation.measures
        return next((each for each in asked if each.name == "conll"), asked[0])

    @cached
    def links(self) -> tuple[LinkError, ...]:
        """Missed and wrong links between anaphors and antecedents (Martschat & Strube 2014), by type of both ends."""
        return link_errors.find_link_errors(self.rows)

    @cached
    def identification(self) -> IdentificationEffect:
        """Mentions without a single right link, and what measures credit for them (Moosavi & Strube 2016)."""
        return identification.measure_effect(self.evaluation)

    def breakdown(self, field: str) -> Breakdown:
        """Scores by document, genre, size, entity-type, mention-type, distance, nesting, or any attribute."""
        return breakdowns.break_down_scores(self.evaluation, field)

    def break_down(self, fields: Iterable[str]) -> Breakdowns:
        """Return scores by the values of several fields, as one result."""
        return Breakdowns(self.evaluation, tuple(self.breakdown(each) for each in fields), self.left_out)

    @cached
    def notices(self) -> tuple[Notice, ...]:
        """What a user should know about the scores and the analysis."""
        return (*self.evaluation.notices, *self.left_out, *collect_type_notices(self.rows), *self._counted_once())

    def _counted_once(self) -> Iterator[Notice]:
        if self.evaluation.overlaps.views.has_repeats:
            message = (
                "mentions stand in several entities: errors and corrected responses count each with one twin, "
                "where the scores of the response as it is count them as --duplicates says"
            )
            yield Notice("counted-once", message)

    @property
    def signatures(self) -> tuple[str, ...]:
        """How scores were made, in one line."""
        return (self.evaluation.signature,)

    def describe(self, style: Style) -> list[str]:
        """Return a line for the key and one for the response."""
        return self.evaluation.describe(style)

    def tables(self, *, digits: Digits = "round", examples: int | None = EXAMPLES) -> Iterator[Table]:
        """Yield errors by type, links, mentions without a right link, and some errors of each type (None: all)."""
        yield from layout.build_tables(self, examples, digits)

    def text_tables(self, *, digits: Digits = "round", examples: int | None = EXAMPLES) -> Iterator[Table]:
        """Yield the same for plain text, where errors are lists."""
        yield from layout.build_text_tables(self, examples, digits)

    def build_records(self) -> dict[str, list[object]]:
        """Return a row for each error."""
        return collect_columns(COLUMNS, map(build_error_record, self.errors))

    def build_content(self) -> dict[str, object]:
        """Return everything as plain objects."""
        return layout.build_content(self)

    def __repr__(self) -> str:
        return f"<Analysis: {', '.join(f'{count} {kind}' for kind, count in self.counts.items())}>"
