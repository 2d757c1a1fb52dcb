"""What is wrong with a response, in every way that this package knows: analyse()."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corefeval import measures as known
from corefeval._lazy import kept
from corefeval.analysis import subject
from corefeval.analysis.breakdowns import breakdown as breakdowns
from corefeval.analysis.costs import costs, worst
from corefeval.analysis.errors import corrections as stages
from corefeval.analysis.errors import identification, types
from corefeval.analysis.errors import links as link_errors
from corefeval.analysis.subsets import rows_of
from corefeval.corpus.mention_types import collect_type_notices
from corefeval.notices import Notice
from corefeval.scoring.score import score

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefeval.analysis.breakdowns.breakdown import Breakdown
    from corefeval.analysis.costs.costs import Costs
    from corefeval.analysis.costs.worst import Worst
    from corefeval.analysis.errors.corrections import Stage
    from corefeval.analysis.errors.identification import Effect
    from corefeval.analysis.errors.links import Link
    from corefeval.analysis.errors.types import Error, Found
    from corefeval.measures import Measure
    from corefeval.overlap.cells import Rows
    from corefeval.scoring.results import Evaluation
    from corefeval.scoring.score import Measures, Source


def analyse(key: Source, response: Source, *, measures: Measures | None = None, **options: Any) -> Analysis:
    """Judge a response against a key, and look into its errors.

    measures, options: as in `score`.
    """
    return Analysis(score(key, response, measures=measures, **options))


class Analysis:
    """The errors of a response. What is asked for is computed when it is asked for, once.

    left_out: what an analysis of mentions leaves out of the scores, as notices.
    evaluation: the scores; rows: the mentions of both sides that errors refer to.
    """

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation, self.left_out = subject.subject(evaluation)
        self.rows: Rows = rows_of(self.evaluation)
        self._costs: dict[Measure, Costs] = {}

    @kept
    def _found(self) -> Found:
        return types.found(self.rows)

    @property
    def errors(self) -> tuple[Error, ...]:
        """Every error with its type (Kummerfeld & Klein 2013), by type and document."""
        return self._found.errors

    @property
    def counts(self) -> dict[str, int]:
        """How many errors there are of each type."""
        return types.counts(self.errors)

    @kept
    def stages(self) -> tuple[Stage, ...]:
        """The response as it is, and after the errors of each type have been corrected, one type after another."""
        return stages.stages(self.evaluation, self._found)

    def costs(self, measure: str | Measure) -> Costs:
        """What every entity and every mention costs by a measure: of its f1, or of its single score."""
        asked = known.meant(measure, self.evaluation.options)
        if asked not in self._costs:
            self._costs[asked] = costs.costs(self.evaluation, asked)
        return self._costs[asked]

    def worst(self, most: int = 20, measure: str | Measure | None = None) -> Worst:
        """The entities and the mentions that cost most by a measure: the CoNLL average, or the first asked for."""
        return worst.found(self, most, self._ranking(measure))

    def _ranking(self, measure: str | Measure | None) -> Measure:
        if measure is not None:
            return known.meant(measure, self.evaluation.options)
        asked = self.evaluation.measures
        return next((each for each in asked if each.name == "conll"), asked[0])

    @kept
    def links(self) -> tuple[Link, ...]:
        """Missed and wrong links between anaphors and antecedents (Martschat & Strube 2014), by type of both ends."""
        return link_errors.links(self.rows)

    @kept
    def identification(self) -> Effect:
        """Mentions without a single right link, and what measures credit for them (Moosavi & Strube 2016)."""
        return identification.effect(self.evaluation)

    def breakdown(self, field: str) -> Breakdown:
        """Scores by document, genre, size, entity-type, mention-type, distance, nesting, or any attribute."""
        return breakdowns.breakdown(self.evaluation, field)

    @kept
    def notices(self) -> tuple[Notice, ...]:
        """What a user should know about the scores and the analysis."""
        return (*self.evaluation.notices, *self.left_out, *collect_type_notices(self.rows), *self._counted_once())

    def _counted_once(self) -> Iterator[Notice]:
        if self.evaluation.table.repeats is not None:
            message = (
                "mentions stand in several entities: errors and corrected responses count each with one twin, "
                "where the scores of the response as it is count them as --duplicates says"
            )
            yield Notice("counted-once", message)

    def to_dict(self) -> dict[str, object]:
        """As in the JSON output."""
        from corefeval.show import analysed  # noqa: PLC0415 - reports are loaded when one is asked for

        return analysed.as_dict(self)

    def to_json(self) -> str:
        """JSON with full precision, as the command prints it."""
        from corefeval.show import analysed  # noqa: PLC0415

        return analysed.json_text(self)

    def to_csv(self) -> str:
        """Comma-separated values: a row for each error."""
        from corefeval.show import analysed  # noqa: PLC0415

        return analysed.csv_text(self)

    def to_markdown(self) -> str:
        """Markdown tables."""
        from corefeval.show import analysed, titled  # noqa: PLC0415

        return titled.as_markdown(analysed.tables(self), self.evaluation.signature)

    def to_latex(self) -> str:
        """LaTeX tables for booktabs."""
        from corefeval.show import analysed, titled  # noqa: PLC0415

        return titled.as_latex(analysed.tables(self), self.evaluation.signature)

    def __str__(self) -> str:
        from corefeval.show import analysed  # noqa: PLC0415

        return analysed.text(self)

    def __repr__(self) -> str:
        return f"<Analysis: {', '.join(f'{count} {kind}' for kind, count in self.counts.items())}>"
