"""Scores relative to a baseline, as tables of their own and next to plain scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corefeval.scoring.layout import ScoreReport, label_responses, name_in_latex
from corefeval.tables.table import (
    UNDEFINED,
    Cell,
    Table,
    format_interval,
    format_optional,
    make_score_formatter,
)
from corefeval.tables.writers import write_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Unpack

    from corefeval.baselines.relative import Relative
    from corefeval.scoring.layout import Evaluations
    from corefeval.scoring.results import Evaluation
    from corefeval.tables.result import Scope
    from corefeval.tables.table import Digits


@dataclass(frozen=True, slots=True)
class RelativeEvaluations(ScoreReport):
    """Evaluations, each with its scores relative to a baseline."""

    plain: Evaluations
    relatives: tuple[Relative, ...]

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """The evaluations of one key that are shown together."""
        return self.plain.members

    def tables(self, *, digits: Digits = "round", per_document: bool = False) -> Iterator[Table]:
        """Yield the tables of the evaluations, and one of relative scores."""
        yield from self.plain.tables(digits=digits, per_document=per_document)
        yield build_table(self.relatives, label_responses(self.evaluations), digits)

    def text_tables(self, *, digits: Digits = "round", per_document: bool = False) -> Iterator[Table]:
        """Yield the same as for plain text."""
        yield from self.plain.text_tables(digits=digits, per_document=per_document)
        yield build_table(self.relatives, label_responses(self.evaluations), digits)

    def paper_tables(self, *, digits: Digits = "round", per_document: bool = False) -> Iterator[Table]:
        """Yield the same as papers print it."""
        yield from self.plain.paper_tables(digits=digits, per_document=per_document)
        yield build_paper_table(self.relatives, label_responses(self.evaluations), digits)

    def build_records(self, *, per_document: bool = False) -> dict[str, list[object]]:
        """Return the records of the evaluations with two columns more, which are empty for single documents."""
        records = self.plain.build_records(per_document=per_document)
        by_name = dict(zip(label_responses(self.evaluations), self.relatives, strict=True))
        placed = [
            None if document is not None else by_name[str(response)].measures[str(measure)]
            for response, document, measure in zip(
                records["response"], records["document"], records["measure"], strict=True
            )
        ]
        return records | {
            "baseline": [None if each is None else each.baseline for each in placed],
            "relative": [None if each is None else each.relative for each in placed],
        }

    def to_json(self, **scope: Unpack[Scope]) -> str:
        """Write the evaluations as JSON, each with its relative scores."""
        return write_json(self.build_content(**scope))

    def build_content(self, *, per_document: bool = False) -> dict[str, object]:
        """Return everything as plain objects."""
        both = zip(self.evaluations, self.relatives, strict=True)
        return {
            "evaluations": [
                evaluation.to_dict(per_document=per_document) | {"relative_to": relative.to_dict()}
                for evaluation, relative in both
            ]
        }


def build_table(relatives: Sequence[Relative], names: Sequence[str], digits: Digits) -> Table:
    """Build a table with a row for each measure and response: score, baseline, relative score."""
    write, several = make_score_formatter(digits), len(relatives) > 1
    chance = relatives[0].base.draws is not None
    body = []
    for measure in relatives[0].measures:
        for place, (relative, name) in enumerate(zip(relatives, names, strict=True)):
            found = relative.measures[measure]
            ends = found.baseline_interval
            interval = [] if not chance else ["" if ends is None else format_interval(ends, write)]
            label = measure if place == 0 else ""
            scores = [write(found.score), write(found.baseline), *interval, format_optional(found.relative, write)]
            body.append([label, *([name] if several else []), *scores])
    head = ["measure", *(["response"] if several else []), "score", "baseline", *(["interval"] if chance else [])]
    title = f"Relative to {relatives[0].base.name}"
    return Table(title, [*head, "relative"], body, 1 + several, (_describe_scale(relatives),))


def build_paper_table(relatives: Sequence[Relative], names: Sequence[str], digits: Digits) -> Table:
    """Build a table with a row for each response, a column for each measure: the relative scores."""
    write, measures = make_score_formatter(digits), list(relatives[0].measures)
    body = [
        [name, *(format_optional(each.measures[measure].relative, write) for measure in measures)]
        for each, name in zip(relatives, names, strict=True)
    ]
    head: list[str | Cell] = ["response", *(Cell(name, latex=name_in_latex(name)) for name in measures)]
    title = f"relative to {' '.join(relatives[0].base.name.split())}; {_describe_scale(relatives)}"
    return Table(title, head, body, 1)


def _describe_scale(relatives: Sequence[Relative]) -> str:
    base = relatives[0].base
    scale = "relative: the baseline is 0, a perfect response 100"
    if any(each.relative is None for found in relatives for each in found.measures.values()):
        scale += f"; {UNDEFINED} where the baseline is perfect"
    if base.draws is None:
        return scale
    how = f"the mean of {base.draws:,} random partitions with the key's sizes of entities"
    return f"{scale}; the baseline is {how} (seeds from {base.seed}), with a 95% interval"
