"""How a measure came to its number, in steps that a person can follow: explain()."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from corefeval import measures as known
from corefeval.analysis.picture import Picture, format_set
from corefeval.analysis.steps import Fraction, WrittenNumber, derive_counts, derive_rates, list_link_lines
from corefeval.analysis.subsets import hide_singletons, prepare_subject, rewrite_mentions, select_documents
from corefeval.matching.same_documents import find_document
from corefeval.measures import Measure
from corefeval.measures.base import PROFILE
from corefeval.measures.score import Score
from corefeval.notices import announce_notices, count_things
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
_REWRITTEN = {
    "pad": "with a singleton for each mention that a side lacks",
    "discard_both": "without mentions that one side lacks",
}
"""What becomes of mentions without a twin before a measure counts, by the way of doing so."""


@dataclass(frozen=True, slots=True)
class Derivation(EvaluationResult):
    """How a measure comes to its number, step by step: in one document, or over all of them (document None)."""

    evaluation: Evaluation
    measure: Measure
    document: str | None = None

    @property
    def steps(self) -> list[str]:
        """The computation as lines of text: of one document, or of the sums over all."""
        return self._list_steps(None)

    def _list_steps(self, documents: int | None) -> list[str]:
        """Return the lines of `steps`; where they are sums over documents, with so many of these (None: all)."""
        names = self._document_names
        if len(names) == 1:
            return list(_explain_document(self.evaluation, self.measure, names[0]))
        return list(_explain_corpus(self.evaluation, self.measure, documents))

    @property
    def text(self) -> str:
        """The measure's name, formula and citation, and the steps (of at most 20 documents), as one text."""
        measure = self.measure
        head = (f"{measure}: {measure.title}", measure.formula, f"({measure.citation})", "")
        return "\n".join((*head, *self._list_steps(_DOCUMENTS)))

    def describe(self, style: Style) -> list[str]:  # noqa: ARG002
        """Return an empty list: there is no heading about the two sides, since the steps show both."""
        return []

    def tables(self) -> Iterator[Table]:
        """Yield one table without columns: the lines of `text`."""
        title, *lines = self.text.split("\n")
        yield Table(title, (), [[line] for line in lines], 1)

    def build_columns(self) -> dict[str, list[object]]:
        """Return {name: column}, a row of counts and scores per document; unless one is chosen, a last row of all."""
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
        """Return the steps, the score, and every document's counts and score as plain objects for JSON."""
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
        """The name of the document that is explained, or the names of all."""
        return self.evaluation.document_names if self.document is None else (self.document,)

    def _list_values(self, scores: Scores) -> list[object]:
        """Return a list of the values that the measure shows of these scores, such as recall, precision and f1."""
        return [scores[self.measure].values[field] for field in self.measure.shown]


@announce_notices
def explain(
    measure: str | Measure,
    key: Source,
    response: Source,
    *,
    document: str | None = None,
    **options: Unpack[ScoringOptions],
) -> Derivation:
    """Return the Derivation of a measure: its steps in one document, or all documents' counts and the formula.

    document: the one to show, `bookshop` for `(bookshop); part 000`; by default all, or the only one.
    options: as in `score`.
    """
    evaluation = score(key, response, measures=[known.get_measure(measure)], **options)
    if document is not None:
        document = find_document(document, evaluation.document_names)
    return Derivation(evaluation, evaluation.measures[0], document)


def _get_counts(evaluation: Evaluation, measure: Measure, document: str) -> dict[str, float]:
    """Return {name of the count: number} of what a measure counts in one document."""
    place = evaluation.document_names.index(document)
    return {name: np.atleast_1d(column)[place].item() for name, column in evaluation.count(measure).items()}


def _explain_document(evaluation: Evaluation, measure: Measure, name: str) -> Iterator[str]:
    """Yield lines: the entities of one document and the steps on them; counts only, where only splits are scored."""
    if name:
        yield f"Document {name}"
    splits = evaluation.overlaps.splits
    if splits is not None and splits.only:
        yield from _explain_counts(measure, evaluation.documents[name], _get_counts(evaluation, measure, name), {})
        return
    part = select_documents(prepare_subject(evaluation).evaluation, (name,))
    yield from (*_list_entity_lines(Picture(part.overlaps.views)), "")
    yield from _explain_measure(evaluation, part, measure, name)


def _list_entity_lines(picture: Picture) -> Iterator[str]:
    """Yield a line for each entity of key and response, or a line that says that a side has none."""
    for side in (picture, picture.mirror):
        yield from (f"{side.name_entity(entity)} = {format_set(words)}" for entity, words in enumerate(side.members))
        if not side.members:
            yield f"{side.letters[0]} has no entities"


def _explain_measure(evaluation: Evaluation, part: Evaluation, measure: Measure, name: str) -> Iterator[str]:
    """Yield lines: a measure's steps on the mentions of one document, or those of each measure that it averages."""
    scores = evaluation.documents[name]
    if measure.parts:
        for each in measure.parts:
            yield from (f"{each}:", *_explain_measure(evaluation, part, each, name), "")
        yield from _fill_formula(measure, scores, {})
        return
    seen = hide_singletons(part, measure)
    counted = rewrite_mentions(seen, measure)
    picture = Picture(counted.overlaps.views)
    if counted is not part:
        changes = ["which leaves out singletons"] if seen is not part else []
        changes += [_REWRITTEN[measure.rewrite]] if counted is not seen else []
        yield from (f"what {measure} sees, {', and '.join(changes)}:", *_list_entity_lines(picture), "")
    if measure.derivation == "links of two kinds":
        yield from (*list_link_lines(picture), "", *_fill_formula(measure, scores, {}))
        return
    plain = measure.replace({"twinless": PROFILE}) if measure.rewrite in _REWRITTEN else measure
    steps = derive_rates(plain, picture)
    if steps is None:
        lines, derived = derive_counts(plain, picture)
        yield from (*lines, *_explain_counts(measure, scores, _get_counts(evaluation, measure, name), derived))
        return
    for rate, (lines, fraction) in zip(("recall", "precision"), steps, strict=True):
        yield from (*lines, *_explain_rate(rate, fraction, scores[measure], evaluation), "")
    yield _write_f_score(measure, scores[measure])


def _explain_rate(rate: str, fraction: Fraction, result: Score, evaluation: Evaluation) -> Iterator[str]:
    """Yield recall's or precision's line with the terms of the steps; if the score differs, why, and a line without."""
    above, below = (float(result.values[f"{rate}_{part}"]) for part in ("numerator", "denominator"))
    unit = fraction.unit
    if _is_close(above, unit * fraction.above.value) and _is_close(below, unit * fraction.below.value):
        symbols = f"{fraction.symbols} = " if fraction.symbols else ""
        terms = " / ".join(f"({text})" if " " in text else text for text, _ in (fraction.above, fraction.below))
        numbers = f"{_format_number(fraction.above.value)} / {_format_number(fraction.below.value)}"
        yield f"{rate.title()} = {symbols}{terms} = {numbers} = {_format_value(result, rate)}"
    else:
        yield f"{_write_reasons(evaluation)} are counted otherwise than in the steps above:"
        yield _write_rate(rate, result)


def _write_reasons(evaluation: Evaluation) -> str:
    """Return what is counted otherwise than in the steps, joined by "and"; "some mentions" if that is unknown."""
    tables = evaluation.overlaps
    reasons = {
        "mentions that stand in several entities": tables.views.has_repeats,
        "mentions that only overlap": tables.views.has_partial_credit,
        "split antecedents": tables.splits is not None,
        "singletons that only one side leaves out": bool(tables.skipped_singletons),
    }
    return " and ".join(reason for reason, there in reasons.items() if there) or "some mentions"


def _write_rate(rate: str, result: Score) -> str:
    """Return the line "Recall = 2 / 3 = 0.6667", or such a line of precision."""
    above, below = (_format_number(float(result.values[f"{rate}_{part}"])) for part in ("numerator", "denominator"))
    return f"{rate.title()} = {above} / {below} = {_format_value(result, rate)}"


def _write_f_score(measure: Measure, result: Score) -> str:
    """Return the line that computes F from recall and precision, or says that both are 0."""
    recall, precision, f1 = (float(result.values[name]) for name in ("recall", "precision", "f1"))
    beta = getattr(measure, "beta", 1.0)
    if recall + precision == 0:
        return "F1 = 0, as recall and precision are both 0"
    if beta != 1:
        square = f"{beta * beta:g}"
        above = f"(1 + {square}) · {recall:.4f} · {precision:.4f}"
        return f"F = {above} / ({recall:.4f} + {square} · {precision:.4f}) = {f1:.4f}"
    return f"F1 = 2 · {recall:.4f} · {precision:.4f} / ({recall:.4f} + {precision:.4f}) = {f1:.4f}"


def _explain_blanc(measure: Any, result: Score) -> Iterator[str]:
    """Yield lines: BLANC's table of links, the rates of each kind of links, and the averages of both kinds."""
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


def _explain_counts(
    measure: Measure, scores: Scores, counts: Mapping[str, Any], derived: Mapping[str, WrittenNumber]
) -> Iterator[str]:
    """Yield lines with the counts, as sums where `derived` has them, and then the formula on these counts."""
    yield "counts:"
    for name, value in counts.items():
        number = derived.get(name)
        terms = f"{number.text} = " if number is not None and _is_close(number.value, float(value)) else ""
        yield f"  {name} = {terms}{_format_number(value)}"
    yield from ("", *_fill_formula(measure, scores, counts))


def _fill_formula(measure: Measure, scores: Scores, counts: Mapping[str, Any]) -> Iterator[str]:
    """Yield lines with the scores that a measure makes of its counts, or of its parts, each as a filled formula."""
    result = scores[measure]
    if measure.parts:
        values = [scores[part].main for part in measure.parts]
        mean = f"({' + '.join(f'{each:.4f}' for each in values)}) / {len(values)} = "
        yield f"{measure} = {mean if _is_close(result.main, sum(values) / len(values)) else ''}{result.main:.4f}"
        return
    if measure.derivation == "links of two kinds":
        yield from _explain_blanc(measure, result)
        return
    if "recall_numerator" in result.values and not result.parts:
        yield from (_write_rate(rate, result) for rate in ("recall", "precision"))
        yield _write_f_score(measure, result)
        return
    for name in measure.shown:
        if isinstance(result.values[name], str):
            yield f"{name} = {result.values[name]}"
            continue
        formula = measure.fill_formula(counts, name)
        yield f"{name} = {f'{formula} = ' if formula else ''}{_format_value(result, name)}"


def _explain_corpus(evaluation: Evaluation, measure: Measure, most: int | None) -> Iterator[str]:
    """Yield lines: counts of `most` documents (None: all), the sums of all, and the formula (or averages) on these."""
    columns = evaluation.count(measure)
    names = [name for name, column in columns.items() if np.asarray(column).dtype.kind in "iuf"]
    sums = sum_counts({name: columns[name] for name in names})
    shown = evaluation.document_names[:most]
    width = max(map(len, shown), default=8)

    def format_row(title: str, cells: list[str]) -> str:
        """Return a line of the table: the title on the left, then the cells flush right in their columns."""
        return "  ".join([f"{title:<{width}}", *map(str.rjust, cells, [max(len(name), 12) for name in names])])

    yield f"{count_things(len(evaluation.document_names), 'document')}; {measure.adds_up}"
    yield ""
    yield format_row("document", names)
    for number, document in enumerate(shown):
        cells = [_format_number(np.asarray(columns[name]).reshape(-1)[number].item()) for name in names]
        yield format_row(document, cells)
    left = len(evaluation.document_names) - len(shown)
    if left:
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
    """Return whether two numbers are equal but for rounding."""
    return abs(one - other) <= _CLOSE * max(1.0, abs(one))


def _format_number(value: float) -> str:
    """Return a number as text with thousands separators, and four decimals unless it is whole."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4f}"


def _format_value(result: Score, field: str) -> str:
    """Return a score's value as text with four decimals, and a note that it is a convention where it is 0/0."""
    convention = " by convention: 0/0 is undefined" if field in result.undefined else ""
    return f"{float(result.values[field]):.4f}{convention}"
