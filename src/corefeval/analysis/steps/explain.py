"""How a measure came to its number, in steps that a person can follow: explain()."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corefeval import measures as known
from corefeval.analysis.steps.derivations import derive_counts
from corefeval.analysis.steps.fractions import find_steps, list_link_sets
from corefeval.analysis.steps.picture import Picture, format_set
from corefeval.analysis.subsets import check_document, hide_singletons, prepare_subject, select_document
from corefeval.measures import Blanc, Conll, RecallPrecision
from corefeval.scoring.results import totals
from corefeval.scoring.score import score
from corefeval.tables.result import Result
from corefeval.tables.table import Table
from corefeval.tables.writers import collect_columns

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Unpack

    from corefeval.analysis.steps.derivations import DerivedCount
    from corefeval.analysis.steps.fractions import Fraction
    from corefeval.measures import Measure
    from corefeval.measures.score import Score
    from corefeval.notices import Notice
    from corefeval.options import ScoringOptions
    from corefeval.scoring.results import DocumentScores, Evaluation
    from corefeval.scoring.score import Source

_DOCUMENTS = 20  # that are named with their counts
_CLOSE = 1e-9


@dataclass(frozen=True, slots=True)
class Derivation(Result):
    """How a measure comes to its number, step by step: in one document, or over all of them (document None)."""

    evaluation: Evaluation
    measure: Measure
    document: str | None = None

    @property
    def steps(self) -> list[str]:
        """The computation line by line."""
        return list_steps(self.evaluation, self.measure, self.document)

    @property
    def text(self) -> str:
        """The measure, its formula and citation, and the steps."""
        measure = self.measure
        head = (f"{measure}: {measure.title}", measure.formula, f"({measure.citation})", "")
        return "\n".join((*head, *self.steps))

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What a user should know about the scores."""
        return self.evaluation.notices

    @property
    def signatures(self) -> tuple[str, ...]:
        """How the score was made, in one line."""
        return (self.evaluation.signature,)

    def tables(self) -> Iterator[Table]:
        """Yield the steps as they stand, without a table around them."""
        title, *lines = self.text.splitlines()
        yield Table(title, (), [[line] for line in lines], 1)

    def build_records(self) -> dict[str, list[object]]:
        """Return a row for each document: its counts, and what the formula makes of them; the last row is the whole."""
        counts = {name: _counts(self.evaluation, self.measure, name) for name in self._document_names}
        columns = list(next(iter(counts.values()), {}))
        rows = [
            (name, *own.values(), *self._list_values(self.evaluation.documents[name][self.measure]))
            for name, own in counts.items()
        ]
        if self.document is None:
            sums = [sum(own[column] for own in counts.values()) for column in columns]
            rows.append(("", *sums, *self._list_values(self.evaluation[self.measure])))
        return collect_columns(("document", *columns, *self.measure.shown), rows)

    def build_content(self) -> dict[str, object]:
        """Return the steps as they read, the score, and what each document counts, as plain objects."""
        evaluation, measure = self.evaluation, self.measure
        scores = evaluation if self.document is None else evaluation.documents[self.document]
        return {
            "key": evaluation.key,
            "response": evaluation.response,
            "signature": evaluation.signature,
            "measure": str(measure),
            "title": measure.title,
            "formula": measure.formula,
            "citation": measure.citation,
            "document": self.document,
            "steps": self.steps,
            "score": scores[measure].to_dict(),
            "documents": {
                name: {
                    "counts": _counts(evaluation, measure, name),
                    "score": evaluation.documents[name][measure].to_dict(),
                }
                for name in self._document_names
            },
            "notices": [notice.to_dict() for notice in self.notices],
        }

    @property
    def _document_names(self) -> tuple[str, ...]:
        return self.evaluation.document_names if self.document is None else (self.document,)

    def _list_values(self, score: Score) -> list[object]:
        return [score.values[field] for field in self.measure.shown]


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
    return Derivation(
        evaluation, evaluation.measures[0], None if document is None else check_document(evaluation, document)
    )


def list_steps(evaluation: Evaluation, measure: Measure, document: str | None = None) -> list[str]:
    """The computation line by line."""
    if document is None and len(evaluation.document_names) != 1:
        return list(_corpus(evaluation, measure))
    name = evaluation.document_names[0] if document is None else check_document(evaluation, document)
    scores = evaluation.documents[name]
    lines = [f"Document {name}"] if name else []
    splits = evaluation.overlaps.splits
    if splits is not None and splits.only:
        return [*lines, *_counted(measure, scores[measure], _counts(evaluation, measure, name))]
    part = select_document(prepare_subject(evaluation).evaluation, name)
    lines += [*_entities(_picture(part)), ""]
    lines += _document(_Page(evaluation, part, name), measure, scores)
    return lines


class _Page(NamedTuple):
    """What is explained: the whole, the mentions of one of its documents, and its name."""

    whole: Evaluation
    part: Evaluation
    name: str


def _picture(part: Evaluation) -> Picture:
    return Picture(part.overlaps.views)


def _entities(picture: Picture) -> Iterator[str]:
    for side in (picture, picture.mirror):
        yield from (f"{side.name(entity)} = {format_set(words)}" for entity, words in enumerate(side.members))
        if not side.members:
            yield f"{side.letters[0]} has no entities"


def _document(page: _Page, measure: Measure, scores: DocumentScores) -> Iterator[str]:
    if isinstance(measure, Conll):
        for part in measure.parts:
            yield from (f"{part}:", *_document(page, part, scores), "")
        yield from _average(measure, scores)
        return
    found = scores[measure]
    seen = hide_singletons(page.part, measure).evaluation
    picture = _picture(seen)
    if seen is not page.part:
        yield from (f"what {measure} sees, which leaves out singletons:", *_entities(picture), "")
    if isinstance(measure, Blanc):
        yield from list_link_sets(picture)
        yield from _links(measure, found)
        return
    explain_rates = find_steps(measure)
    if explain_rates is None:
        lines, derived = derive_counts(measure, picture)
        yield from lines
        yield from _counted(measure, found, _counts(page.whole, measure, page.name), derived)
        return
    beyond = _beyond(page.whole)
    for what, (lines, fraction) in zip(("recall", "precision"), explain_rates(measure, picture), strict=True):
        yield from lines
        yield from _with_fraction(what, fraction, found, beyond)
    yield _f(measure, found)


def _beyond(evaluation: Evaluation) -> str:
    """What the steps do not show, where they do not come to the score."""
    tables = evaluation.overlaps
    reasons = {
        "mentions that stand in several entities": tables.views.has_repeats,
        "mentions that only overlap": tables.views.has_partial_credit,
        "split antecedents": tables.splits is not None,
        "singletons that only one side leaves out": bool(tables.skipped_singletons),
    }
    return " and ".join(reason for reason, there in reasons.items() if there) or "some mentions"


def _counts(evaluation: Evaluation, measure: Measure, name: str) -> dict[str, float]:
    """What a measure counts in one document."""
    place = evaluation.document_names.index(name)
    return {what: np.atleast_1d(column)[place].item() for what, column in evaluation.count(measure).items()}


def _with_fraction(what: str, fraction: Fraction, found: Score, beyond: str) -> Iterator[str]:
    value = float(found.values[what])
    top, bottom = (float(found.values[f"{what}_{part}"]) for part in ("numerator", "denominator"))
    unit = fraction.unit
    if not _same(top, unit * fraction.top) or not _same(bottom, unit * fraction.bottom):
        yield f"{beyond} are counted otherwise than in the steps above:"
        yield f"{what.title()} = {_number(top)} / {_number(bottom)} = {_value(value, what, found)}"
    else:
        named = f"{fraction.named} = " if fraction.named else ""
        shown = f"{named}{_bracketed(fraction.above)} / {_bracketed(fraction.below)}"
        numbers = f"{_number(fraction.top)} / {_number(fraction.bottom)}"
        yield f"{what.title()} = {shown} = {numbers} = {_value(value, what, found)}"
    yield ""


def _same(one: float, other: float) -> bool:
    return abs(one - other) <= _CLOSE * max(1.0, abs(one))


def _f(measure: Measure, found: Score) -> str:
    recall, precision, f1 = (float(found.values[name]) for name in ("recall", "precision", "f1"))
    beta = getattr(measure, "beta", 1.0)
    if recall + precision == 0:
        return "F1 = 0, as recall and precision are both 0"
    if beta != 1:
        square = f"{beta * beta:g}"
        above = f"(1 + {square}) · {recall:.4f} · {precision:.4f}"
        return f"F = {above} / ({recall:.4f} + {square} · {precision:.4f}) = {f1:.4f}"
    return f"F1 = 2 · {recall:.4f} · {precision:.4f} / ({recall:.4f} + {precision:.4f}) = {f1:.4f}"


def _links(measure: Blanc, found: Score) -> Iterator[str]:
    """The table of links, and each part's recall and precision."""
    links = found.links
    yield ""
    yield f"{'links':<18}{'key':>8}{'response':>10}{'both':>8}"
    for part, title in (("coreference", "coreference"), ("noncoreference", "non-coreference")):
        numbers = [links[f"{side}_{part}"] for side in ("key", "response", "common")]
        yield f"{title:<18}{numbers[0]:>8,}{numbers[1]:>10,}{numbers[2]:>8,}"
    yield ""
    for part, letter in (("coreference", "c"), ("noncoreference", "n")):
        scored = found.parts[part]
        common, key, response = (links[f"{side}_{part}"] for side in ("common", "key", "response"))
        yield f"R{letter} = {common:,} / {key:,} = {_value(scored.recall, 'recall', scored)}"
        yield f"P{letter} = {common:,} / {response:,} = {_value(scored.precision, 'precision', scored)}"
        yield _f(measure, scored).replace("F1 =", f"F{letter} =", 1)
        yield ""
    alpha = measure.alpha
    for field in ("recall", "precision", "f1"):
        one, other = (float(found.parts[part].values[field]) for part in ("coreference", "noncoreference"))
        value = float(found.values[field])
        mean = f"{alpha:g} · {one:.4f} + {1 - alpha:g} · {other:.4f}"
        if abs(alpha * one + (1 - alpha) * other - value) > _CLOSE:
            mean = "one kind of links alone, as the key has none of the other"
        yield f"{'BLANC' if field == 'f1' else field.title()} = {mean} = {_value(value, field, found)}"


def _average(measure: Conll, scores: DocumentScores | Evaluation) -> Iterator[str]:
    shown = " + ".join(f"{scores[part].f1:.4f}" for part in measure.parts)
    yield f"{measure} = ({shown}) / 3 = {scores[measure].f1:.4f}"


def _counted(
    measure: Measure, found: Score, counts: Mapping[str, Any], derived: Mapping[str, DerivedCount] | None = None
) -> Iterator[str]:
    """The counts, with what they are made of where it is known, and what the formula makes of them."""
    yield "counts:"
    for name, value in counts.items():
        made = (derived or {}).get(name)
        how = "" if made is None or not _same(made.value, float(value)) else f"{made.text} = "
        yield f"  {name} = {how}{_number(value)}"
    yield ""
    if isinstance(measure, RecallPrecision) and "recall_numerator" in found.values and not found.parts:
        for what in ("recall", "precision"):
            top, bottom = (float(found.values[f"{what}_{part}"]) for part in ("numerator", "denominator"))
            value = float(found.values[what])
            yield f"{what.title()} = {_number(top)} / {_number(bottom)} = {_value(value, what, found)}"
        yield _f(measure, found)
        return
    for name in measure.shown:
        shown = found.values[name]
        if isinstance(shown, str):
            yield f"{name} = {shown}"
            continue
        filled = measure.fill_formula(counts, name)
        yield f"{name} = {f'{filled} = ' if filled else ''}{_value(float(shown), name, found)}"


def _corpus(evaluation: Evaluation, measure: Measure) -> Iterator[str]:
    """What documents add to the counts, and the formula on the sums."""
    columns = evaluation.count(measure)
    names = [name for name, column in columns.items() if np.asarray(column).dtype.kind in "iuf"]
    yield f"{len(evaluation.document_names):,} documents; {measure.adds_up}"
    yield ""
    width = max(map(len, evaluation.document_names[:_DOCUMENTS]), default=8)
    wide = [max(len(name), 12) for name in names]
    yield f"{'document':<{width}}  {'  '.join(f'{name:>{w}}' for name, w in zip(names, wide, strict=True))}"
    for number, document in enumerate(evaluation.document_names[:_DOCUMENTS]):
        values = [_number(np.asarray(columns[name]).reshape(-1)[number].item()) for name in names]
        yield f"{document:<{width}}  {'  '.join(f'{value:>{w}}' for value, w in zip(values, wide, strict=True))}"
    left = len(evaluation.document_names) - _DOCUMENTS
    if left > 0:
        yield f"and {left:,} more"
    sums = totals({name: columns[name] for name in names})
    shown = [f"{_number(sums[name]):>{w}}" for name, w in zip(names, wide, strict=True)]
    yield f"{'sum':<{width}}  {'  '.join(shown)}"
    yield ""
    if evaluation.options.average != "micro":
        weighted = "" if evaluation.options.average == "macro" else ", weighted by their mentions"
        yield f"the documents' scores are averaged{weighted}:"
        found = evaluation[measure]
        yield from (f"{name} = {_value(float(found.values[name]), name, found)}" for name in measure.shown)
    elif isinstance(measure, Conll):
        yield from _average(measure, evaluation)
    elif isinstance(measure, Blanc):
        yield from list(_links(measure, evaluation[measure]))[1:]
    else:
        yield from list(_counted(measure, evaluation[measure], sums))[len(sums) + 2 :]
    yield ""
    yield "--document NAME shows the steps in one of them"


def _bracketed(terms: str) -> str:
    return f"({terms})" if " " in terms else terms


def _number(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4f}"


def _value(value: float, field: str, found: Score) -> str:
    return f"{value:.4f}{' by convention: 0/0 is undefined' if field in found.undefined else ''}"
