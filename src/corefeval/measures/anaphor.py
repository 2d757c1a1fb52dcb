"""Anaphors one by one: is each resolved to a right antecedent?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from corefeval._arrays import Booleans, Columns, Ints, np
from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mention_types import MENTION_TYPES, collect_type_notices
from corefeval.corpus.objects import Mention
from corefeval.measures.base import Measure, RecallPrecision, SingleScore, Value, Values, compute_rates, make_counts
from corefeval.measures.parameters import parameter
from corefeval.measures.shared.mentions import (
    count_by_document,
    count_in_entity,
    find_last_before,
    order_mentions,
    require_spans,
    require_types,
)
from corefeval.notices import Notice
from corefeval.overlap.views import Rows, Views

if TYPE_CHECKING:
    from corefeval.measures.score import Score

Filter = str | Callable[[Any], Any]

_FILTERS = ("all", *MENTION_TYPES)
_FILTER_HELP = "which mentions count as anaphors; in Python also a function of a corefeval.corpus.objects.Mention"
_ANTECEDENTS = ("any", "closest", "immediate", "nominal")
_ANTECEDENT_HELP = "which antecedent of the response must be right"
_TUGGENER = "Tuggener 2014, Coreference resolution evaluation for higher level applications"


class ResolvedAnaphors(NamedTuple):
    """Which key mentions are anaphors resolved rightly, wrongly or not at all, and which response mentions are none."""

    true: Booleans
    wrong: Booleans
    missed: Booleans
    false: Booleans


class AnaphorMeasure(Measure):
    """A measure of single anaphors: `filter` says which mentions count, `antecedent` what must be right."""

    adds_up = "anaphors are summed over documents"
    needs_mentions: ClassVar[bool] = True

    filter: Filter
    antecedent: str

    def resolve_anaphors(self, rows: Rows) -> ResolvedAnaphors:
        """Return columns of booleans: true, wrong and missed anaphors of the key, false ones of the response."""
        return _RULES[self.antecedent](_Sides(self, rows))

    def notices(self, views: Views) -> Iterable[Notice]:
        """Return notices of sides with guessed or unknown types of mentions if the measure looks at types; else ()."""
        by_type = self.filter in ("pronoun", "name", "nominal") or self.antecedent == "nominal"
        return collect_type_notices(views.get_mentions()) if by_type else ()


class Anaphor(AnaphorMeasure, RecallPrecision):
    """Every mention with another of its entity before it is an anaphor; a filter leaves those of one kind.

    An anaphor of the key is *missed* if the response lacks it or has nothing before it, else *true* or *wrong*, by its
    antecedent in the response: `any`: one of its earlier mentions in the key is in its response entity;
    `closest`: the response's last mention before it is in its key entity; `immediate`: that one is the key's
    last mention before it, too; `nominal`: the response's last name or nominal before it is in its key entity (ARCS
    1.2: entities without names and nominals, and pronouns with none before them, are left out). An anaphor of the
    response is *false* if it is none in the key. `filter=zero`, `pronoun`, `name` and `nominal` go by what formats say
    (unwritten words, levels, parts of speech); failing those, pronouns and names are guessed from English words, with a
    warning.
    """

    name = "anaphor"
    title = "anaphors resolved"
    formula = "R = true / (true + wrong + missed), P = true / (true + wrong + false)"
    citation = _TUGGENER
    derivation = "anaphors"

    antecedent: str = parameter(_ANTECEDENT_HELP, default="any", choices=_ANTECEDENTS)
    filter: Filter = parameter(_FILTER_HELP, default="all", choices=_FILTERS, instance=Callable)

    def count(self, views: Views) -> Columns:
        """Return four columns of counts by document: anaphors resolved rightly, wrongly, not at all, and false ones."""
        rows = views.get_mentions()
        found = self.resolve_anaphors(rows)
        return {
            name: count_by_document(rows.response if name == "false" else rows.key, which)
            for name, which in found._asdict().items()
        }

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return recall, precision and f1 by name, their fractions, which are 0/0, and the four counts as `links`."""
        true, wrong, missed, false = (counts[name] for name in ResolvedAnaphors._fields)
        fractions = make_counts(true, true + wrong + missed, true, true + wrong + false)
        return {**compute_rates(fractions, undefined=self.undefined, beta=self.beta), "links": dict(counts)}

    def remark(self, score: Score) -> str:
        """Return the four counts as text, such as "3 true, 1 wrongly linked, 0 missed, 2 false"."""
        true, wrong, missed, false = (score.links[name] for name in ResolvedAnaphors._fields)
        return f"{true} true, {wrong} wrongly linked, {missed} missed, {false} false"


class Zero(Anaphor):
    """`anaphor:filter=zero` under the name that shared tasks give it: mentions that are not written.

    A mention counts as unwritten if its head is, or its first word where no head is given. The decision `anaphors`
    says how mentions are looked up: by their twins, or by their places first.
    """

    name = "zero"
    title = "zero anaphors resolved"
    citation = (
        f"{_TUGGENER}; Novák et al. 2024, Findings of the third shared task on multilingual coreference resolution"
    )

    filter = "zero"


class SuccessRate(AnaphorMeasure, SingleScore):
    """The share of the key's anaphors, by default its pronouns, that the response resolves to a right antecedent.

    The denominator is all anaphors of the key, found by the response or not, so it is the recall of `anaphor`; Mitkov
    divides by all anaphors in the text. The antecedent of a response of entities is its last mention before the
    anaphor (`antecedent=closest`), right if it is in the key entity; others as in `anaphor`. Critical and non-trivial
    success rates need the candidates that a resolver had, which entities do not tell.
    """

    name = "success_rate"
    title = "success rate of pronoun resolution"
    formula = "anaphors of the key resolved to a right antecedent / anaphors of the key"
    citation = "Mitkov 2001, Towards a more consistent and comprehensive evaluation of anaphora resolution algorithms"
    derivation = "anaphors"

    filter: Filter = parameter(_FILTER_HELP, default="pronoun", choices=_FILTERS, instance=Callable)
    antecedent: str = parameter(_ANTECEDENT_HELP, default="closest", choices=_ANTECEDENTS)

    def count(self, views: Views) -> Columns:
        """Return two columns by document: anaphors of the key that are resolved rightly, and all of them."""
        rows = views.get_mentions()
        found = self.resolve_anaphors(rows)
        return {
            "resolved": count_by_document(rows.key, found.true),
            "anaphors": count_by_document(rows.key, found.true | found.wrong | found.missed),
        }

    def fill_formula(self, counts: Mapping[str, Value], field: str) -> str:  # noqa: ARG002 - there is one field
        """Return the formula as text with the counts put in, such as "3 / 5"."""
        return f"{counts['resolved']:,} / {counts['anaphors']:,}"

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return as `score` the share of the key's anaphors that are resolved rightly, and whether it is 0/0."""
        return self.score_fraction(counts["resolved"], counts["anaphors"])


class _Sides:
    """What the rules look at: the mentions of key and response in their order, their twins, and which of them count.

    Of every mention, `before` is the mention of its entity that comes before it, and `twin` its twin; -1 for none. Of
    every response mention, `same` is the row that stands for it and for all mentions that are the same.
    """

    def __init__(self, measure: AnaphorMeasure, rows: Rows) -> None:
        self.measure, self.rows = measure, rows
        self.key_order, self.response_order = (
            order_mentions(side, require_spans(measure, side)) for side in (rows.key, rows.response)
        )
        self.key_before, self.response_before = self.key_order.before, self.response_order.before
        self.key_twin, self.response_twin = rows.find_twins()
        self.same = np.arange(len(rows.response))
        if rows.find_places is not None and measure.antecedent == "any":
            self.key_twin, self.same = rows.find_places(rows)
        self.response_first = np.zeros(len(rows.response), dtype=np.bool_)
        self.response_first[self.same[self.response_before < 0]] = True
        self.response_first = self.response_first[self.same]
        self.key_counts, self.response_counts = _select_mentions(measure, rows)

    def find_attempted(self) -> Booleans:
        """Return booleans: which key mentions have a twin that is not the first mention of a response entity."""
        return (self.key_twin >= 0) & ~np.append(self.response_first, True)[self.key_twin]

    def find_linked(self, antecedent: Ints) -> Booleans:
        """Return booleans: for which key mentions their twin's `antecedent` has a twin in their own key entity."""
        entity = self.rows.key.entity
        chosen = _take_or_none(self.response_twin, _take_or_none(antecedent, self.key_twin))
        return (chosen >= 0) & (_take_or_none(entity, chosen) == entity)

    def judge_anaphors(self, right: Booleans) -> ResolvedAnaphors:
        """Return columns of booleans, true, wrong, missed and false, given which key mentions are resolved rightly."""
        anaphor = self.key_counts & (self.key_before >= 0)
        found = self.find_attempted()
        covered = np.zeros(len(self.rows.response) + 1, dtype=np.bool_)
        covered[np.append(self.same, -1)[self.key_twin[anaphor]]] = True
        return ResolvedAnaphors(
            true=anaphor & found & right,
            wrong=anaphor & found & ~right,
            missed=anaphor & ~found,
            false=self.response_counts & ~self.response_first & ~covered[self.same],
        )


def _select_mentions(measure: AnaphorMeasure, rows: Rows) -> tuple[Booleans, Booleans]:
    """Return two columns of booleans: which mentions of the key, and of the response, the filter lets through."""
    chosen = measure.filter
    if callable(chosen):
        return _apply_filter(rows.key, chosen), _apply_filter(rows.response, chosen)
    if chosen == "all":
        return np.ones(len(rows.key), dtype=np.bool_), np.ones(len(rows.response), dtype=np.bool_)
    if chosen == "zero":
        return rows.key.zeros, rows.response.zeros
    ours, theirs = require_types(measure, rows)
    return ours.find_any_of(chosen), theirs.find_any_of(chosen)


def _apply_filter(corpus: Corpus, chosen: Callable[[Any], Any]) -> Booleans:
    """Return booleans: for which mentions of a corpus, as `Mention` objects, a user's function is true."""
    own = corpus.in_own_words()
    return np.fromiter((bool(chosen(Mention(own, row))) for row in range(len(own))), np.bool_, len(own))


def _judge_any(sides: _Sides) -> ResolvedAnaphors:
    """Return anaphors judged in four columns: right if an earlier mention of the key entity is in the response's."""
    rows = sides.rows
    found = np.flatnonzero(sides.key_twin >= 0)
    cell = rows.key.entity[found] * (1 + len(rows.response.entity_document))
    cell = cell + rows.response.entity[sides.key_twin[found]]
    by_cell = np.lexsort((sides.key_order.rank[found], cell))
    later = by_cell[1:][cell[by_cell][1:] == cell[by_cell][:-1]]
    right = np.zeros(len(rows.key), dtype=np.bool_)
    right[found[later]] = True
    return sides.judge_anaphors(right)


def _judge_closest(sides: _Sides) -> ResolvedAnaphors:
    """Return anaphors judged in four columns: right if the mention before in the response is of the key entity."""
    return sides.judge_anaphors(sides.find_linked(sides.response_before))


def _judge_immediate(sides: _Sides) -> ResolvedAnaphors:
    """Return anaphors judged in four columns: right if the mention before in the entity is the same on both sides."""
    before = _take_or_none(sides.response_before, sides.key_twin)
    same = _take_or_none(sides.response_twin, before) == sides.key_before
    return sides.judge_anaphors((before >= 0) & same & (sides.key_before >= 0))


def _judge_nominal(sides: _Sides) -> ResolvedAnaphors:
    """Return anaphors judged in four columns: right if the response's last name or nominal before is of the key entity.

    As ARCS 1.2: entities without a name or nominal are left out, and so are pronouns of the key with none before them.
    """
    rows = sides.rows
    key_noun, response_noun = (types.find_any_of("name", "nominal") for types in require_types(sides.measure, rows))
    key_last = find_last_before(rows.key, sides.key_order, key_noun)
    response_last = find_last_before(rows.response, sides.response_order, response_noun)
    inferred = _take_or_none(response_last, sides.key_twin)
    anaphor = sides.key_counts & (sides.key_before >= 0) & ((key_last >= 0) | key_noun)
    found, right = sides.find_attempted(), sides.find_linked(response_last)
    with_noun = count_in_entity(rows.response, response_noun) > 0
    spurious = sides.response_counts & (sides.response_before >= 0) & with_noun
    no_last = (sides.response_twin >= 0) & (_take_or_none(key_last, sides.response_twin) < 0)
    first = (sides.response_twin < 0) | (_take_or_none(sides.key_before, sides.response_twin) < 0)
    return ResolvedAnaphors(
        true=anaphor & found & (inferred >= 0) & right,
        wrong=anaphor & found & (inferred >= 0) & ~right,
        missed=anaphor & (~found | ((inferred < 0) & (key_last >= 0))),
        false=spurious & np.where(no_last, response_last >= 0, first),
    )


_RULES: dict[str, Callable[[_Sides], ResolvedAnaphors]] = {
    "any": _judge_any,
    "closest": _judge_closest,
    "immediate": _judge_immediate,
    "nominal": _judge_nominal,
}


def _take_or_none(values: Ints, rows: Ints) -> Ints:
    """Return an array: the value at each of `rows`, and -1 where the row is -1."""
    return np.append(values, -1)[rows]
