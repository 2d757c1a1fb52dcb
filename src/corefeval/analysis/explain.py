"""How a measure came to its number, in steps that a person can follow: explain()."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from corefeval import measures as known
from corefeval.analysis.picture import Picture, format_set
from corefeval.analysis.steps import Fraction, WrittenNumber, derive_counts, derive_rates, list_link_sets
from corefeval.analysis.subsets import hide_singletons, prepare_subject, select_document
from corefeval.errors import OptionError, suggest_names
from corefeval.measures import Measure
from corefeval.measures.score import Score
from corefeval.options import ScoringOptions
from corefeval.scoring.layout import EvaluationResult
from corefeval.scoring.results import DocumentScores, Evaluation, sum_counts
from corefeval.scoring.score import Source, score
from corefeval.tables.table import Table
from corefeval.tables.text import Style
from corefeval.tables.writers import collect_columns

Scores = Evaluation | DocumentScores

_DOCUMENTS = 20  # that are named with their counts
_CLOSE = 1e-9
_KINDS = {"coreference": "coreference", "noncoreference": "non-coreference"}


@dataclass(frozen=True, slots=True)
class Derivation(EvaluationResult):
    """How a measure comes to its number, step by step: in one document, or over all of them (document None)."""

    evaluation: Evaluation
    measure: Measure
    document: str | None = None

    @property
    def steps(self) -> list[str]:
        """The computation line by line."""
        names = self._document_names
        if len(names) == 1:
            return list(_explain_document(self.evaluation, self.measure, names[0]))
        return list(_explain_corpus(self.evaluation, self.measure))

    @property
    def text(self) -> str:
        """The measure, its formula and citation, and the steps."""
        measure = self.measure
        head = (f"{measure}: {measure.title}", measure.formula, f"({measure.citation})", "")
        return "\n".join((*head, *self.steps))

    def describe(self, style: Style) -> list[str]:  # noqa: ARG002
        """Return nothing: the steps show both sides."""
        return []

    def tables(self) -> Iterator[Table]:
        """Yield the steps as they stand, without a table around them."""
        title, *lines = self.text.splitlines()
        yield Table(title, (), [[line] for line in lines], 1)

    def build_columns(self) -> dict[str, list[object]]:
        """Return a row for each document: its counts, and what the formula makes of them; the last row is the whole."""
        counts = {name: _get_counts(self.evaluation, self.measure, name) for name in self._document_names}
        columns = list(next(iter(counts.values()), {}))
        rows = [
            (name, *own.values(), *self._list_values(self.evaluation.documents[name])) for name, own in counts.items()
        ]
        if self.document is None:
            sums = [sum(own[column] for own in counts.values()) for column in columns]
            rows.append(("", *sums, *self._list_values(self.evaluation)))
        return collect_columns(("document", *columns, *self.measure.shown), rows)

    def build_content(self) -> dict[str, object]:
        """Return the steps as they read, the score, and what each document counts, as plain objects."""
        evaluation, measure = self.evaluation, self.measure
        scores = evaluation if self.document is None else evaluation.documents[self.document]
        content: dict[str, object] = {
            "measure": str(measure),
            "title": measure.title,
            "formula": measure.formula,
            "citation": measure.citation,
            "document": self.document,
            "steps": self.steps,
            "score": scores[measure].to_dict(),
            "documents": {
                name: {
                    "counts": _get_counts(evaluation, measure, name),
                    "score": evaluation.documents[name][measure].to_dict(),
                }
                for name in self._document_names
            },
        }
        return self.frame_content(content)

    @property
    def _document_names(self) -> tuple[str, ...]:
        return self.evaluation.document_names if self.document is None else (self.document,)

    def _list_values(self, scores: Scores) -> list[object]:
        """Return the measure's values of some scores."""
        return [scores[self.measure].values[field] for field in self.measure.shown]


def explain(
    measure: str | Measure,
    key: Source,
    response: Source,
    *,
    document: str | None = None,
    **options: Unpack[ScoringOptions],
) -> Derivation:
    """Show the computation of a measure: its steps in one document, or the documents' counts put into the formula.

    document: the one to show; by default all, or the only one.
    options: as in `score`.
    """
    evaluation = score(key, response, measures=[known.get_measure(measure)], **options)
    names = evaluation.document_names
    if document is not None and document not in names:
        raise OptionError(f"there is no document {document!r}; {suggest_names(document, names[:100])}")
    return Derivation(evaluation, evaluation.measures[0], document)


def _get_counts(evaluation: Evaluation, measure: Measure, document: str) -> dict[str, float]:
    """Return what a measure counts in one document."""
    place = evaluation.document_names.index(document)
    return {name: np.atleast_1d(column)[place].item() for name, column in evaluation.count(measure).items()}


def _explain_document(evaluation: Evaluation, measure: Measure, name: str) -> Iterator[str]:
    """Yield the entities of one document, and the steps on them."""
    if name:
        yield f"Document {name}"
    splits = evaluation.overlaps.splits
    if splits is not None and splits.only:
        yield from _list_counts(measure, evaluation.documents[name], _get_counts(evaluation, measure, name), {})
        return
    part = select_document(prepare_subject(evaluation).evaluation, name)
    yield from (*_list_entities(Picture(part.overlaps.views)), "")
    yield from _explain_measure(evaluation, part, measure, name)


def _list_entities(picture: Picture) -> Iterator[str]:
    """Yield a line for each entity of both sides."""
    for side in (picture, picture.mirror):
        yield from (f"{side.name_entity(entity)} = {format_set(words)}" for entity, words in enumerate(side.members))
        if not side.members:
            yield f"{side.letters[0]} has no entities"


def _explain_measure(evaluation: Evaluation, part: Evaluation, measure: Measure, name: str) -> Iterator[str]:
    """Yield the steps of a measure on the mentions of one document, or of all measures that it is made of."""
    scores = evaluation.documents[name]
    if measure.parts:
        for each in measure.parts:
            yield from (f"{each}:", *_explain_measure(evaluation, part, each, name), "")
        yield from _fill_formula(measure, scores, {})
        return
    visible = hide_singletons(part, measure)
    picture = Picture(visible.overlaps.views)
    if visible is not part:
        yield from (f"what {measure} sees, which leaves out singletons:", *_list_entities(picture), "")
    if measure.derivation == "links of two kinds":
        yield from (*list_link_sets(picture), "", *_fill_formula(measure, scores, {}))
        return
    steps = derive_rates(measure, picture)
    if steps is None:
        lines, derived = derive_counts(measure, picture)
        yield from (*lines, *_list_counts(measure, scores, _get_counts(evaluation, measure, name), derived))
        return
    for rate, (lines, fraction) in zip(("recall", "precision"), steps, strict=True):
        yield from (*lines, *_write_fraction(rate, fraction, scores[measure], evaluation), "")
    yield _write_f_score(measure, scores[measure])


def _write_fraction(rate: str, fraction: Fraction, result: Score, evaluation: Evaluation) -> Iterator[str]:
    """Yield recall or precision as the fraction that the steps come to, or say why they do not come to the score."""
    above, below = (float(result.values[f"{rate}_{part}"]) for part in ("numerator", "denominator"))
    unit = fraction.unit
    if _is_close(above, unit * fraction.above.value) and _is_close(below, unit * fraction.below.value):
        symbols = f"{fraction.symbols} = " if fraction.symbols else ""
        terms = " / ".join(f"({text})" if " " in text else text for text, _ in (fraction.above, fraction.below))
        numbers = f"{_format_number(fraction.above.value)} / {_format_number(fraction.below.value)}"
        yield f"{rate.title()} = {symbols}{terms} = {numbers} = {_format_value(result, rate)}"
    else:
        yield f"{_name_reasons(evaluation)} are counted otherwise than in the steps above:"
        yield _write_division(rate, result)


def _name_reasons(evaluation: Evaluation) -> str:
    """Name what is counted otherwise than in the steps, where they do not come to the score."""
    tables = evaluation.overlaps
    reasons = {
        "mentions that stand in several entities": tables.views.has_repeats,
        "mentions that only overlap": tables.views.has_partial_credit,
        "split antecedents": tables.splits is not None,
        "singletons that only one side leaves out": bool(tables.skipped_singletons),
    }
    return " and ".join(reason for reason, there in reasons.items() if there) or "some mentions"


def _write_division(rate: str, result: Score) -> str:
    """Write a rate as numerator over denominator."""
    above, below = (_format_number(float(result.values[f"{rate}_{part}"])) for part in ("numerator", "denominator"))
    return f"{rate.title()} = {above} / {below} = {_format_value(result, rate)}"


def _write_f_score(measure: Measure, result: Score) -> str:
    """Write how recall and precision are combined."""
    recall, precision, f1 = (float(result.values[name]) for name in ("recall", "precision", "f1"))
    beta = getattr(measure, "beta", 1.0)
    if recall + precision == 0:
        return "F1 = 0, as recall and precision are both 0"
    if beta != 1:
        square = f"{beta * beta:g}"
        above = f"(1 + {square}) · {recall:.4f} · {precision:.4f}"
        return f"F = {above} / ({recall:.4f} + {square} · {precision:.4f}) = {f1:.4f}"
    return f"F1 = 2 · {recall:.4f} · {precision:.4f} / ({recall:.4f} + {precision:.4f}) = {f1:.4f}"


def _explain_links(measure: Any, result: Score) -> Iterator[str]:
    """Yield the table of links, and the recall and precision of each kind (BLANC)."""
    counts = {kind: [result.links[f"{side}_{kind}"] for side in ("key", "response", "common")] for kind in _KINDS}
    yield f"{'links':<18}{'key':>8}{'response':>10}{'both':>8}"
    for kind, (key, response, common) in counts.items():
        yield f"{_KINDS[kind]:<18}{key:>8,}{response:>10,}{common:>8,}"
    yield ""
    for kind, (key, response, common) in counts.items():
        letter, part = kind[0], result.parts[kind]
        yield f"R{letter} = {common:,} / {key:,} = {_format_value(part, 'recall')}"
        yield f"P{letter} = {common:,} / {response:,} = {_format_value(part, 'precision')}"
        yield _write_f_score(measure, part).replace("F1 =", f"F{letter} =", 1)
        yield ""
    alpha = measure.alpha
    for field in ("recall", "precision", "f1"):
        one, other = (float(result.parts[kind].values[field]) for kind in _KINDS)
        mean = f"{alpha:g} · {one:.4f} + {1 - alpha:g} · {other:.4f}"
        if abs(alpha * one + (1 - alpha) * other - float(result.values[field])) > _CLOSE:
            mean = "one kind of links alone, as the key has none of the other"
        yield f"{'BLANC' if field == 'f1' else field.title()} = {mean} = {_format_value(result, field)}"


def _list_counts(
    measure: Measure, scores: Scores, counts: Mapping[str, Any], derived: Mapping[str, WrittenNumber]
) -> Iterator[str]:
    """Yield the counts, with what they are made of where it is known, and what the formula makes of them."""
    yield "counts:"
    for name, value in counts.items():
        number = derived.get(name)
        terms = f"{number.text} = " if number is not None and _is_close(number.value, float(value)) else ""
        yield f"  {name} = {terms}{_format_number(value)}"
    yield from ("", *_fill_formula(measure, scores, counts))


def _fill_formula(measure: Measure, scores: Scores, counts: Mapping[str, Any]) -> Iterator[str]:
    """Yield the scores that a measure makes of its counts, or of its parts, each written out as a formula."""
    result = scores[measure]
    if measure.parts:
        values = [scores[part].main for part in measure.parts]
        mean = f"({' + '.join(f'{each:.4f}' for each in values)}) / {len(values)} = "
        yield f"{measure} = {mean if _is_close(result.main, sum(values) / len(values)) else ''}{result.main:.4f}"
        return
    if measure.derivation == "links of two kinds":
        yield from _explain_links(measure, result)
        return
    if "recall_numerator" in result.values and not result.parts:
        yield from (_write_division(rate, result) for rate in ("recall", "precision"))
        yield _write_f_score(measure, result)
        return
    for name in measure.shown:
        if isinstance(result.values[name], str):
            yield f"{name} = {result.values[name]}"
            continue
        formula = measure.fill_formula(counts, name)
        yield f"{name} = {f'{formula} = ' if formula else ''}{_format_value(result, name)}"


def _explain_corpus(evaluation: Evaluation, measure: Measure) -> Iterator[str]:
    """Yield what documents add to the counts, and the formula on the sums."""
    columns = evaluation.count(measure)
    names = [name for name, column in columns.items() if np.asarray(column).dtype.kind in "iuf"]
    sums = sum_counts({name: columns[name] for name in names})
    shown = evaluation.document_names[:_DOCUMENTS]
    width = max(map(len, shown), default=8)

    def format_row(title: str, cells: list[str]) -> str:
        return "  ".join([f"{title:<{width}}", *map(str.rjust, cells, [max(len(name), 12) for name in names])])

    yield f"{len(evaluation.document_names):,} documents; {measure.adds_up}"
    yield ""
    yield format_row("document", names)
    for number, document in enumerate(shown):
        cells = [_format_number(np.asarray(columns[name]).reshape(-1)[number].item()) for name in names]
        yield format_row(document, cells)
    left = len(evaluation.document_names) - _DOCUMENTS
    if left > 0:
        yield f"and {left:,} more"
    yield format_row("sum", [_format_number(sums[name]) for name in names])
    yield ""
    if evaluation.options.average != "micro":
        weighted = "" if evaluation.options.average == "macro" else ", weighted by their mentions"
        yield f"the documents' scores are averaged{weighted}:"
        yield from (f"{name} = {_format_value(evaluation[measure], name)}" for name in measure.shown)
    else:
        yield from _fill_formula(measure, evaluation, sums)
    yield ""
    yield "--document NAME shows the steps in one of them"


def _is_close(one: float, other: float) -> bool:
    return abs(one - other) <= _CLOSE * max(1.0, abs(one))


def _format_number(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4f}"


def _format_value(result: Score, field: str) -> str:
    convention = " by convention: 0/0 is undefined" if field in result.undefined else ""
    return f"{float(result.values[field]):.4f}{convention}"
