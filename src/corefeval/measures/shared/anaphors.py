"""Which anaphors does a response resolve, and to which antecedent: what the measures of single anaphors share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from corefeval._arrays import np
from corefeval.corpus.mention_types import MENTION_TYPES, collect_type_notices
from corefeval.corpus.objects import Mention
from corefeval.measures.shared.mentions import in_order, known_kinds, latest, rows_of, spans_of, twins

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefeval._arrays import Booleans, Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.measures.base import Measure
    from corefeval.notices import Notice
    from corefeval.overlap.views import Rows, Views

FILTERS = ("all", *MENTION_TYPES)
ANTECEDENTS = ("any", "closest", "immediate", "nominal")
FILTER_HELP = "which mentions count as anaphors; in Python also a function of a corefeval.objects.Mention"
ANTECEDENT_HELP = "which antecedent of the response must be right"
ADDS_UP = "anaphors are summed over documents"

Filter = str | Callable[[Any], Any]


class Sides(NamedTuple):
    """Something of every mention of the key and of the response."""

    key: Any
    response: Any


class Resolved(NamedTuple):
    """Which key mentions are anaphors resolved rightly, wrongly or not at all, and which response mentions are none."""

    true: Booleans
    wrong: Booleans
    missed: Booleans
    false: Booleans


def resolved(measure: Measure, rows: Rows, chosen: Filter, antecedent: str) -> Resolved:
    """Judge every anaphor."""
    order = Sides(*(in_order(side, spans_of(measure, side)) for side in rows[:2]))
    wanted = Sides(*_filtered(measure, rows, chosen))
    return _RULES[antecedent](measure, rows, order, wanted)


def _filtered(measure: Measure, rows: Rows, chosen: Filter) -> tuple[Booleans, Booleans]:
    """Which mentions of each side the filter lets through."""
    if callable(chosen):
        return _asked(rows.key, chosen), _asked(rows.response, chosen)
    if chosen == "all":
        return np.ones(len(rows.key), dtype=np.bool_), np.ones(len(rows.response), dtype=np.bool_)
    if chosen == "zero":
        return rows.key.zeros, rows.response.zeros
    ours, theirs = known_kinds(measure, rows)
    return ours.of(chosen), theirs.of(chosen)


def _asked(corpus: Corpus, chosen: Callable[[Any], Any]) -> Booleans:

    own = corpus.in_own_words()
    return np.fromiter((bool(chosen(Mention(own, row))) for row in range(len(own))), np.bool_, len(own))


def _judged(rows: Rows, order: Sides, wanted: Sides, right: Booleans) -> Resolved:
    """Anaphors are mentions with others of their entity before them; `right` says which key mentions are resolved."""
    ours, _ = twins(rows)
    anaphor = wanted.key & (order.key.before >= 0)
    found = (ours >= 0) & (_at(order.response.before, ours) >= 0)
    covered = np.zeros(len(rows.response) + 1, dtype=np.bool_)
    covered[ours[anaphor]] = True
    return Resolved(
        true=anaphor & found & right,
        wrong=anaphor & found & ~right,
        missed=anaphor & ~found,
        false=wanted.response & (order.response.before >= 0) & ~covered[:-1],
    )


def _any(_: Measure, rows: Rows, order: Sides, wanted: Sides) -> Resolved:
    """Some earlier mention of the key entity is in the same response entity."""
    cell = rows.key.entity[rows.twin_key] * (1 + len(rows.response.entity_document))
    cell = cell + rows.response.entity[rows.twin_response]
    by_cell = np.lexsort((order.key.rank[rows.twin_key], cell))
    follows = np.zeros(len(rows.key), dtype=np.bool_)
    later = by_cell[1:][cell[by_cell][1:] == cell[by_cell][:-1]]
    follows[rows.twin_key[later]] = True
    return _judged(rows, order, wanted, follows)


def _closest(_: Measure, rows: Rows, order: Sides, wanted: Sides) -> Resolved:
    """The response's last mention before is of the key entity."""
    return _judged(rows, order, wanted, _is_of_entity(rows, order.response.before))


def _immediate(_: Measure, rows: Rows, order: Sides, wanted: Sides) -> Resolved:
    """The response's last mention before is the key's last mention before."""
    ours, theirs = twins(rows)
    before = _at(order.response.before, ours)
    right = (before >= 0) & (_at(theirs, before) == order.key.before) & (order.key.before >= 0)
    return _judged(rows, order, wanted, right)


def _nominal(measure: Measure, rows: Rows, order: Sides, wanted: Sides) -> Resolved:
    """The response's last name or nominal before is of the key entity.

    As ARCS 1.2: entities without a name or nominal are left out, and so are pronouns of the key with none before them.
    """
    ours, theirs = twins(rows)
    kinds = Sides(*known_kinds(measure, rows))
    noun = Sides(*(kind.of("name", "nominal") for kind in kinds))
    last = Sides(*(latest(c, o, n) for c, o, n in zip(rows[:2], order, noun, strict=True)))
    named = Sides(*(_with_some(c, n) for c, n in zip(rows[:2], noun, strict=True)))
    inferred = _at(last.response, ours)
    anaphor = wanted.key & (order.key.before >= 0) & named.key & ((last.key >= 0) | noun.key)
    found = (ours >= 0) & (_at(order.response.before, ours) >= 0)
    right = _is_of_entity(rows, last.response)
    spurious = wanted.response & (order.response.before >= 0) & named.response
    infers = (theirs >= 0) & (_at(last.key, theirs) < 0) & (last.response >= 0)
    skipped = (theirs >= 0) & (_at(last.key, theirs) < 0) & (last.response < 0)
    first = (theirs < 0) | (_at(order.key.before, theirs) < 0)
    return Resolved(
        true=anaphor & found & (inferred >= 0) & right,
        wrong=anaphor & found & (inferred >= 0) & ~right,
        missed=anaphor & (~found | ((inferred < 0) & (last.key >= 0))),
        false=spurious & ~skipped & (infers | first),
    )


_RULES: dict[str, Callable[[Measure, Rows, Sides, Sides], Resolved]] = {
    "any": _any,
    "closest": _closest,
    "immediate": _immediate,
    "nominal": _nominal,
}


def _is_of_entity(rows: Rows, antecedent: Ints) -> Booleans:
    """Which key mentions' twins have, as `antecedent` in the response, a mention of the key mention's entity."""
    ours, theirs = twins(rows)
    chosen = _at(theirs, _at(antecedent, ours))
    return (chosen >= 0) & (_at(rows.key.entity, chosen) == rows.key.entity)


def _at(values: Ints, rows: Ints) -> Ints:
    """The values of these rows, -1 for row -1."""
    return np.append(values, -1)[rows]


def _with_some(corpus: Corpus, chosen: Booleans) -> Booleans:
    """Which mentions are of entities that have a chosen one."""
    found = np.bincount(corpus.entity[chosen], minlength=len(corpus.entity_document)) > 0
    return found[corpus.entity]


def guesses(views: Views, chosen: Filter, antecedent: str) -> Iterator[Notice]:
    """Where it is a guess what kind of mention is a pronoun, a name or a nominal, and that matters."""
    if chosen in ("pronoun", "name", "nominal") or antecedent == "nominal":
        yield from collect_type_notices(rows_of(views))
