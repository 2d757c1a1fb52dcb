"""ACE-value: what is a response worth, where names are worth more than pronouns, and mistakes cost?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar

from corefeval._arrays import Array, Columns, Floats, Ints, np
from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.errors import OptionError
from corefeval.measures.base import SingleScore, Value, Values
from corefeval.measures.parameters import parameter
from corefeval.measures.rates import divide
from corefeval.measures.shared.ace_weights import SAME_LEVEL, SAME_TYPE, SETS, Weights
from corefeval.notices import Notice
from corefeval.overlap import alignment
from corefeval.overlap.views import Rows, Views

_LOSSES = {
    "misses": ("missed_entities",),
    "false_alarms": ("false_entities",),
    "mistakes": ("missed_mentions", "mistaken_mentions", "mistaken_entities", "false_mentions"),
}
"""What is lost, by kind: with entities that are mapped to nothing, and in those that are mapped to each other."""

_TIE = 1e-9  # as in NIST's scorer, where mapping two entities is worth nothing, it is a mistake and not a miss


class AceValue(SingleScore):
    """1 less the costs of misses, false alarms and mistakes, relative to the value of the key.

    An empty response is worth 0; one that is more wrong than right is worth less than that.

    Entities are worth what the table of weights says for their type and class, times the value of their mentions, which
    depends on their level (name, nominal, pronoun). Entities that share mentions are mapped one to one within a
    document so that the response is worth most. A mapped entity has the smaller value of the two, less for a mistaken
    type, subtype or class, times the share of the key's mentions that it has, less for those that it should not have;
    mentions lose value by a mistaken level, role or style. Entities without a counterpart are misses and false alarms.

    The formula and the weights of 2005 are those of NIST's scorer ace05-eval-v14.pl. Those of 2004 and 2003 are
    unconfirmed in part, and a warning says so. Different from NIST's: mentions have twins as they have for every
    measure, where NIST's heads need to overlap by 30 per cent; an entity's level is that in its document; it is not
    mapped where that costs more than a miss and a false alarm. Values, times, relations and events have no score here.
    """

    name = "ace_value"
    title = "ACE-value"
    formula = "1 - (misses + false alarms + mistakes) / value of the key"
    citation = "Doddington et al. 2004, The Automatic Content Extraction (ACE) program; NIST's ace05-eval-v14"
    adds_up = "entities are mapped within documents; costs and values are summed over documents"
    shown: ClassVar[tuple[str, ...]] = ("score", *_LOSSES)
    costs = MappingProxyType({"misses": "miss", "false_alarms": "FA", "mistakes": "err"})
    needs_mentions = True
    scores_entities = False

    weights: object = parameter(
        "what entities and mentions are worth; in Python also a Weights",
        default=2005,
        choices=tuple(SETS),
        instance=Weights,
        reader="corefeval.measures.shared.weight_files:read_ace_weights",
    )

    @property
    def table(self) -> Weights:
        """The table of weights: `weights` itself, the set of that name, or what a file has."""
        found = self.load("weights")
        return found if isinstance(found, Weights) else SETS[found]

    def notices(self, views: Views) -> Iterable[Notice]:  # noqa: ARG002 - the weights are the same for every table
        """Return a tuple of one notice if the set of weights has unconfirmed ones; else ()."""
        unsure = self.table.unconfirmed
        return (Notice("caveat", f"{self}: {unsure}", {"measure": str(self)}),) if unsure else ()

    def count(self, views: Views) -> Columns:
        """Return columns by document: the key's value and six kinds of losses; an OptionError for missing weights."""
        rows, table, weights = views.get_mentions(), views.table, self.table.check()
        key, response = (_value_side(side, weights, str(self)) for side in (rows.key, rows.response))
        false_share = np.ones(len(response.weight))
        false_share[rows.twin_response] = weights.elsewhere
        false_weight = _sum_by_place(rows.response.entity, response.weight * false_share, len(response.value))
        cells = _value_cells(rows, key, response, weights, false_weight)
        false_alarm = weights.false_alarm * weights.false_mention * response.share * false_weight
        gain = cells.value + false_alarm[cells.response] + _TIE * cells.right
        chosen = alignment.find_best(cells.key, cells.response, gain)
        mapped = _ValuedCells._make(column[chosen] for column in cells)
        missed, spare = np.ones(len(key.value)), np.ones(len(false_alarm))
        missed[mapped.key] = spare[mapped.response] = 0.0
        worth = key.share * key.total
        bounds = np.searchsorted(table.key.document[mapped.key], np.arange(table.documents + 1))
        return {
            "key_value": table.key.sum(worth),
            "missed_entities": table.key.sum(missed * worth),
            "missed_mentions": table.sum(mapped.missed_mentions, bounds),
            "false_entities": table.response.sum(spare * false_alarm),
            "false_mentions": table.sum(mapped.false_mentions, bounds),
            "mistaken_entities": table.sum(mapped.mistaken_entities, bounds),
            "mistaken_mentions": table.sum(mapped.mistaken_mentions, bounds),
        }

    def fill_formula(self, counts: Mapping[str, Value], field: str) -> str:
        """Return the formula of `score`, or of misses, false_alarms or mistakes, as text with the counts put in."""
        names = _LOSSES[field] if field in _LOSSES else [name for each in _LOSSES.values() for name in each]
        lost = " + ".join(f"{counts[name]:,.4f}" for name in names)
        share = f"{f'({lost})' if len(names) > 1 else lost} / {counts['key_value']:,.4f}"
        return share if field in _LOSSES else f"1 - {share}"

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return what is left and three kinds of losses, as shares of the key's value; the counts; which are 0/0."""
        whole = counts["key_value"]
        lost = {kind: sum(counts[cost] for cost in costs) for kind, costs in _LOSSES.items()}
        values = self.score_fraction(whole - lost["misses"] - lost["false_alarms"] - lost["mistakes"], whole)
        nothing = values["undefined"]["score"]
        shared = {kind: divide(cost, whole) for kind, cost in lost.items()}
        return {**values, **shared, **counts, "undefined": dict.fromkeys(self.shown, nothing)}


class _ValuedCells(NamedTuple):
    """Pairs of entities that share mentions, ordered by key entity: what mapping them is worth, and what is lost."""

    key: Ints
    response: Ints
    value: Floats
    right: Floats
    missed_mentions: Floats
    mistaken_mentions: Floats
    mistaken_entities: Floats
    false_mentions: Floats


def _value_cells(
    rows: Rows, key: _ValuedSide, response: _ValuedSide, weights: Weights, false_weight: Floats
) -> _ValuedCells:
    """Return columns, a row for each pair of entities that share mentions: what mapping them is worth, and four losses.

    First by missed mentions, then by mistaken ones, by a mistaken entity, by false mentions.
    """
    width = max(1, len(response.value))
    fused = rows.key.entity[rows.twin_key] * width + rows.response.entity[rows.twin_response]
    pairs, cell = np.unique(fused, return_inverse=True)
    i, j = pairs // width, pairs % width
    k, r = rows.twin_key, rows.twin_response
    twins = np.minimum(key.weight[k], response.weight[r])
    twins = twins * np.where(key.level[k] == response.level[r], 1.0, weights.level_mistake)
    twins = twins * np.where(key.role[k] == response.role[r], 1.0, weights.role_mistake)
    twins = twins * np.where(key.style[k] == response.style[r], 1.0, weights.style_mistake)
    found, right, theirs = (
        _sum_by_place(cell, each, len(pairs)) for each in (key.weight[k], twins, response.weight[r])
    )
    # What the response entity has beside the shared mentions: without a twin, or with one in another key entity.
    false = false_weight[j] - weights.elsewhere * theirs
    share = np.minimum(key.value[i], response.value[j])
    share = share * np.where(key.type[i] == response.type[j], 1.0, weights.type_mistake)
    share = share * np.where(key.subtype[i] == response.subtype[j], 1.0, weights.subtype_mistake)
    share = share * np.where(key.category[i] == response.category[j], 1.0, weights.class_mistake)
    if weights.by == "level":
        share = share * divide(np.minimum(key.best[i], response.best[j]), key.total[i])
    false_mentions = share * weights.false_mention * _drop_rounding(false)
    return _ValuedCells(
        key=i,
        response=j,
        value=share * right - false_mentions,
        right=right,
        missed_mentions=key.share[i] * _drop_rounding(key.total[i] - found),
        mistaken_mentions=key.share[i] * _drop_rounding(found - right),
        mistaken_entities=_drop_rounding(key.share[i] - share) * right,
        false_mentions=false_mentions,
    )


class _ValuedSide(NamedTuple):
    """What the entities and mentions of one side are, and what they are worth.

    value: of every entity by its type and class. best, total: of its mentions' weights. share: what of the entity's
    value a mention has for each unit of its weight, so `share * total` is what the entity is worth.
    """

    type: Array
    subtype: Array
    category: Array
    level: Array
    role: Array
    style: Array
    value: Floats
    weight: Floats
    best: Floats
    total: Floats
    share: Floats


def _value_side(corpus: Corpus, weights: Weights, name: str) -> _ValuedSide:
    """Return a side's attributes and weights as columns by entity or mention; an OptionError if a weight is lacking."""
    of_entities, of_mentions = corpus.entity_attributes, corpus.attributes
    entities, mentions = len(corpus.entity_document), len(corpus)

    def describe_entity(number: int) -> str:
        """Return the measure, the name of an entity and its file as text, for messages."""
        where = corpus.file(int(corpus.entity_document[number])) or "the input"
        return f"{name}: entity {corpus.entity_name[number]!r} of {where}"

    def describe_mention(row: int) -> str:
        """Return the measure, the words of a mention and its place as text, for messages."""
        return f"{name}: mention {corpus.describe(row)} of {corpus.place(row, 'the input')}"

    type_ = _unify_names(_find_types(corpus), SAME_TYPE, weights.types)
    category = _make_text_column(of_entities.get("class"), entities)
    level = _unify_names(_make_text_column(of_mentions.get("level"), mentions), SAME_LEVEL, weights.levels)
    role = _unify_names(_make_text_column(of_mentions.get("role"), mentions), SAME_TYPE, weights.types)
    # Formats without classes have specific entities in mind.
    value = _look_up_weights(type_, weights.types, "type", describe_entity)
    value = value * _look_up_weights(category, weights.classes, "class", describe_entity, missing=1.0)
    weight = _look_up_weights(level, weights.levels, "level", describe_mention)
    best = np.zeros(entities)
    np.maximum.at(best, corpus.entity, weight)
    total = _sum_by_place(corpus.entity, weight, entities)
    return _ValuedSide(
        type=type_,
        subtype=_make_text_column(of_entities.get("subtype"), entities),
        category=category,
        level=level,
        role=np.where(role == "", type_[corpus.entity], role),
        style=_make_text_column(of_mentions.get("metonymy"), mentions) == "TRUE",
        value=value,
        weight=weight,
        best=best,
        total=total,
        share=value * divide(best, total) if weights.by == "level" else value,
    )


def _find_types(corpus: Corpus) -> Array:
    """Return an array, each entity's type: its own if entities have types, else that of most of its mentions; or ""."""
    entities = len(corpus.entity_document)
    own = corpus.entity_attributes.get("type")
    if own is not None or "type" not in corpus.attributes:
        return _make_text_column(own, entities)
    names, kind = np.unique(_make_text_column(corpus.attributes["type"], len(corpus)), return_inverse=True)
    has_type = names[kind] != ""
    pairs, votes = np.unique(corpus.entity[has_type] * len(names) + kind[has_type], return_counts=True)
    # The last that is written for an entity stays: the one of most votes, of those the first by its name.
    order = np.lexsort((-pairs, votes))
    chosen = np.full(entities, "", dtype=names.dtype)
    chosen[pairs[order] // max(1, len(names))] = names[pairs[order] % max(1, len(names))]
    return chosen


def _make_text_column(values: Sequence[str] | None, count: int) -> Array:
    """Return an array of the values as texts; for None, of `count` times ""."""
    return np.array([""] * count if values is None else list(values), dtype=np.str_)


def _unify_names(values: Array, same: Mapping[str, str], table: Mapping[str, float] | None) -> Array:
    """Return an array of the values as the table names them, unknown ones in capitals; all "" if there is no table."""
    if table is None:
        return np.zeros_like(values)
    names, kind = np.unique(values, return_inverse=True)
    known = [name if name in table else same.get(name.upper(), name.upper()) for name in names.tolist()]
    return np.array(known, dtype=np.str_)[kind]


def _look_up_weights(
    values: Array,
    table: Mapping[str, float] | None,
    what: str,
    describe: Callable[[int], str],
    *,
    missing: float | None = None,
) -> Floats:
    """Return each value's weight in the table, `missing` for ""; all 1 without a table; an OptionError if one lacks."""
    if table is None:
        return np.ones(len(values))
    names, first, kind = np.unique(values, return_index=True, return_inverse=True)
    found = []
    for name, place in zip(names.tolist(), first.tolist(), strict=True):
        weight = table.get(name) if name else missing
        if weight is None:
            problem = f"has the {what} {name!r}, which the weights lack" if name else f"has no {what}"
            hint = "give other weights, or weights=uniform, which looks at neither types nor levels"
            raise OptionError(f"{describe(place)} {problem}; weights there are for {', '.join(table)}; {hint}")
        found.append(weight)
    return np.array(found, dtype=np.float64)[kind]


def _sum_by_place(place: Ints, values: Floats, size: int) -> Floats:
    """Return an array of `size`: for each place the sum of the values there, exactly the same in whatever order."""
    total = np.zeros(size)
    kinds, kind = np.unique(values, return_inverse=True)
    for number, value in enumerate(kinds.tolist()):
        total += np.bincount(place[kind == number], minlength=size) * value
    return total


def _drop_rounding(values: Floats) -> Floats:
    """Return an array of the values, with 0 for those that are negative or mere rounding (up to 1e-12)."""
    return np.where(values > 1e-12, values, 0.0)
