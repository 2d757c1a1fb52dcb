"""What is wrong with a response, in every way that this package knows: analyse()."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from operator import attrgetter
from typing import Unpack

from corefeval import measures as known
from corefeval._lazy import cached
from corefeval.analysis import breakdowns
from corefeval.analysis.breakdowns import Breakdown, Breakdowns
from corefeval.analysis.costs import costs
from corefeval.analysis.costs.costs import Costs, Worst
from corefeval.analysis.errors import identification, types
from corefeval.analysis.errors import links as link_errors
from corefeval.analysis.errors.identification import IdentificationEffect
from corefeval.analysis.errors.links import LinkError
from corefeval.analysis.errors.types import RULES, CorrectableErrors, Stage, TypedError
from corefeval.analysis.subsets import Subject, get_rows, prepare_subject
from corefeval.corpus.mention_types import collect_type_notices
from corefeval.measures import Measure
from corefeval.notices import Notice, announce_notices
from corefeval.options import ScoringOptions
from corefeval.overlap.views import Rows
from corefeval.scoring.layout import EvaluationResult, format_main, list_scores
from corefeval.scoring.results import Evaluation
from corefeval.scoring.score import Measures, Source, score
from corefeval.tables.table import (
    UNDEFINED,
    Digits,
    Table,
    format_optional,
    format_percent,
    format_points,
    make_score_formatter,
)
from corefeval.tables.writers import collect_columns


@announce_notices
def analyse(
    key: Source, response: Source, *, measures: Measures | None = None, **options: Unpack[ScoringOptions]
) -> Analysis:
    """Score a response against a key and return the analysis of its errors; measures and options as in `score`."""
    return Analysis(score(key, response, measures=measures, **options))


@dataclass(frozen=True, eq=False, repr=False)
class Analysis(EvaluationResult):
    """The errors of a response, by the evaluation `given`. What is asked for is computed when it is asked for, once."""

    given: Evaluation
    _costs: dict[Measure, Costs] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        _ = self.rows  # an evaluation without mentions is refused at once

    @cached
    def _subject(self) -> Subject:
        """A Subject: the evaluation that is analysed, and notices of what it leaves out."""
        return prepare_subject(self.given)

    @property
    def evaluation(self) -> Evaluation:  # type: ignore[override]
        """The evaluation that is analysed: of mentions one to one, by measures of entities."""
        return self._subject.evaluation

    @property
    def left_out(self) -> tuple[Notice, ...]:  # type: ignore[override]
        """Notices of what is left out of the analysis, such as split antecedents and measures of relations."""
        return self._subject.notices

    @cached
    def rows(self) -> Rows:
        """The mentions of both sides to which errors refer, and their twins; an OptionError if they were not kept."""
        return get_rows(self.evaluation)

    @cached
    def _correctable_errors(self) -> CorrectableErrors:
        """All errors, and beside them the changes that correct them."""
        return types.find_errors(self.rows)

    @cached
    def errors(self) -> tuple[TypedError, ...]:
        """All errors with type (Kummerfeld & Klein 2013) and cost (or None), by type, then in the order of the text.

        Its cost is that of its mentions on both sides, by the CoNLL average or else the first measure; None if finding
        that takes scoring without one mention after another.
        """
        found = self._correctable_errors
        return tuple(found.describe(range(len(found.found)), self._error_costs))

    @cached
    def _error_costs(self) -> list[float] | None:
        """The costs of all errors, or None; see `errors`."""
        found = costs.compute_costs_without_rescoring(self.evaluation, self.main_measure)
        if found is None:
            return None
        return self._correctable_errors.sum_costs(found.key_mentions, found.response_mentions)

    @property
    def main_measure(self) -> Measure:
        """The measure by which costs are shown: the CoNLL average, or else the first."""
        asked = self.evaluation.measures
        return next((each for each in asked if each.name == "conll"), asked[0])

    @property
    def counts(self) -> dict[str, int]:
        """{type: number of errors} for every type, also those without any."""
        return self._correctable_errors.counts

    @property
    def rules(self) -> dict[str, str]:
        """{type: what it means} for the types that errors of these mentions can have."""
        return types.list_rules(self.rows)

    @cached
    def stages(self) -> tuple[Stage, ...]:
        """Stages with scores: of the response as it is, then with one more type of errors corrected each time.

        Where mentions are in several entities, the second one has them counted once, and nothing corrected.
        """
        return types.score_stages(self.evaluation, self._correctable_errors)

    def costs(self, measure: str | Measure) -> Costs:
        """Return Costs: what each entity and mention costs of a measure's f1 or single score; computed once."""
        asked = known.resolve_measure(measure, self.evaluation.options)
        if asked not in self._costs:
            self._costs[asked] = costs.compute_costs(self.evaluation, asked)
        return self._costs[asked]

    def worst(self, most: int = 20, measure: str | Measure | None = None) -> Worst:
        """Return Worst: the `most` costliest entities and mentions by a measure (None: CoNLL, or else the first)."""
        chosen = self.main_measure if measure is None else measure
        return costs.find_worst(self, most, known.resolve_measure(chosen, self.evaluation.options))

    @cached
    def links(self) -> tuple[LinkError, ...]:
        """Missed, then wrong links of anaphors to antecedents, with the types of both (Martschat & Strube 2014)."""
        return link_errors.find_link_errors(self.rows)

    @cached
    def identification(self) -> IdentificationEffect:
        """Mentions without a single right link, and what measures credit for them (Moosavi & Strube 2016)."""
        return identification.measure_effect(self.evaluation)

    def breakdown(self, field: str) -> Breakdown:
        """Return scores by document, genre, size, entity-type, mention-type, distance, nesting, or an attribute."""
        return breakdowns.break_down_scores(self.evaluation, field)

    def combine_breakdowns(self, fields: Iterable[str]) -> Breakdowns:
        """Return Breakdowns: one result that holds the breakdowns by several fields."""
        return breakdowns.Breakdowns(self.evaluation, tuple(self.breakdown(each) for each in fields), self.left_out)

    @cached
    def notices(self) -> tuple[Notice, ...]:
        """Notices of the evaluation, of what is left out, of types of mentions, of mentions in several entities."""
        found = [
            *self.evaluation.notices,
            *self.left_out,
        ]
        if not types.has_labels(self.rows):
            found += collect_type_notices(self.rows)
        if self.evaluation.overlaps.views.has_repeats:
            message = (
                "mentions stand in several entities: errors and corrected responses count each with one twin, "
                "where the scores of the response as it is count them as --duplicates says"
            )
            found.append(Notice("counted-once", message))
        return tuple(found)

    def tables(self, *, digits: Digits = "round", examples: int | None = types.EXAMPLES) -> Iterator[Table]:
        """Yield tables of error types, links, undue credit, and `examples` costliest of a type (None: all; 0: none)."""
        yield self._build_type_table(digits)
        yield self._build_link_table()
        yield self._build_identification_table(digits)
        if examples != 0:
            body = [
                [
                    error.type,
                    error.document,
                    str(error.line or ""),
                    format_optional(error.cost, format_percent),
                    types.describe_error(error),
                ]
                for error in self._describe_costliest(examples)
            ]
            head = ["type", "document", "line", "cost", "what is wrong"]
            yield Table("Errors", head, body, 3, (self._cost_note,) if body else ())

    def text_tables(self, *, digits: Digits = "round", examples: int | None = types.EXAMPLES) -> Iterator[Table]:
        """Yield the tables of `tables` for plain text: types explained, and errors of each type as a list of lines."""
        first, *others = self.tables(digits=digits, examples=0)
        rules = (f"{kind}: {rule}" for kind, rule in self.rules.items())
        yield first.replace(notes=(*first.notes, "", *rules))
        yield from others
        if examples != 0 and self._correctable_errors.found:
            yield Table(f"Errors, {self._cost_note}", (), (), 0)
            for kind, group in groupby(self._describe_costliest(examples), attrgetter("type")):
                errors, total = list(group), self.counts[kind]
                yield types.build_error_list(f"{kind} ({total:,})", errors, total - len(errors), costs=True)

    def _describe_costliest(self, most: int | None) -> list[TypedError]:
        """Return the costliest errors of each type, `most` of them (None: all), in the order of the types."""
        found, costs = self._correctable_errors, self._error_costs
        by_type: list[list[int]] = [[] for _ in RULES]
        for place, error in enumerate(found.found):
            by_type[error.kind].append(place)
        if costs is not None:
            by_type = [sorted(places, key=lambda place: types.rank_cost(costs[place])) for places in by_type]
        return found.describe([place for places in by_type for place in places[:most]], costs)

    @property
    def _cost_note(self) -> str:
        """One line that says in which order errors are shown, and what their cost is."""
        if self._correctable_errors.found and self._error_costs is not None:
            return f"the costliest first: how many points of {self.main_measure} their mentions cost"
        return "in the order of the text"

    def _build_type_table(self, digits: Digits) -> Table:
        """Build the table of scores by measure: as it is, points that correcting each type adds, and all corrected."""
        write = make_score_formatter(digits)
        first, last = self.stages[0].evaluation, self.stages[-1].evaluation
        measures = [each for each in first.measures if not isinstance(first[each].values[each.main], str)]
        body = [["as it is", "", *(format_main(first, measure, write) for measure in measures)]]
        for before, stage in pairwise(self.stages):
            gains = [format_points(stage.evaluation[each].main - before.evaluation[each].main) for each in measures]
            if stage.type in self.rules or stage.type == types.COUNTED_ONCE:
                body.append([stage.type, f"{stage.errors:,}" if stage.type in self.rules else "", *gains])
        body.append(
            [
                "all corrected",
                f"{len(self._correctable_errors.found):,}",
                *(format_main(last, measure, write) for measure in measures),
            ]
        )
        notes = ["points that correcting all errors of a type adds, one type after another"]
        if any(stage.type == types.COUNTED_ONCE for stage in self.stages):
            notes.append(f"{types.COUNTED_ONCE}: what counting mentions of several entities with one twin adds")
        return Table("Errors by type", ["errors", "count", *map(str, measures)], body, 1, tuple(notes))

    def _build_link_table(self) -> Table:
        """Build the table of how many links are missed and wrong, by the types of anaphor and antecedent, if known."""
        counted = link_errors.count_link_errors(self.rows)
        if types.has_labels(self.rows):
            body = [[kind, f"{sum(counts.values()):,}"] for kind, counts in counted.items()]
            return Table("links that are missed or wrong", ["links", "count"], body, 1)
        used = [name for name in link_errors.NAMES if any(name in pair for each in counted.values() for pair in each)]
        columns = [f"{kind}: {name}" if not place else name for kind in counted for place, name in enumerate(used)]
        body = [
            [anaphor, *(f"{counts[anaphor, name]:,}" for counts in counted.values() for name in used)]
            for anaphor in used
        ]
        totals = [f"{sum(counts.values()):,} {kind}" for kind, counts in counted.items()]
        title = f"links to antecedents: {' and '.join(totals)}, by type of anaphor and of antecedent"
        return Table(title, ["anaphor", *columns], body, 1)

    def _build_identification_table(self, digits: Digits) -> Table:
        """Build the table of credit for mentions without a right link, and the scores with and without these."""
        effect, write = self.identification, make_score_formatter(digits)
        body = []
        for measure, credit in effect.credit.items():
            before, after = self.evaluation[measure], effect.without[measure]
            credited = [UNDEFINED] * 2 if credit is None else [format_percent(value) for value in credit]
            rates = [write(value) for score in (before, after) for value in (score.recall, score.precision, score.f1)]
            body.append([measure, *credited, *rates])
        rates = ["recall", "precision", "f1"]
        head = ["measure", "credit: recall", "precision", *rates, "without them: recall", *rates[1:]]
        title = f"mentions of both sides without a single right link: {len(effect.key_rows):,} of {effect.shared:,}"
        return Table(title, head, body, 1)

    def build_columns(self) -> dict[str, list[object]]:
        """Return {name: column} with a row for each error: type, document, line, words, beside, cost."""
        return collect_columns(types.COLUMNS, map(types.build_error_record, self.errors))

    def build_content(self) -> dict[str, object]:
        """Return types, stages, links, undue credit and every error as plain objects for JSON."""
        effect, measures = self.identification, self.evaluation.measures
        content: dict[str, object] = {
            "types": [
                {"type": kind, "count": self.counts[kind], "rule": rule} for kind, rule in (RULES | self.rules).items()
            ],
            "stages": [
                {"corrected": each.type, "count": each.errors, "measures": list_scores(each.evaluation, measures)}
                for each in self.stages
            ],
            "links": [link.to_dict() for link in self.links],
            "identification": {
                "mentions": len(effect.key_rows),
                "shared": effect.shared,
                "credit": {name: credit and credit._asdict() for name, credit in effect.credit.items()},
                "without": {name: effect.without[name].to_dict() for name in effect.credit},
            },
            "errors": [types.build_error_content(error) for error in self.errors],
        }
        return self.frame_content(content)

    def __repr__(self) -> str:
        return f"<Analysis: {', '.join(f'{count} {kind}' for kind, count in self.counts.items())}>"
