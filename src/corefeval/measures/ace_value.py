"""ACE-value: what is a response worth, where names are worth more than pronouns, and mistakes cost?"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

from corefeval._arrays import np
from corefeval.measures.base import SingleScore, Value, Values
from corefeval.measures.parameters import parameter
from corefeval.measures.rates import ratio
from corefeval.measures.shared.ace_sides import added, judged, shares
from corefeval.measures.shared.ace_weights import SETS, Weights
from corefeval.measures.shared.mentions import rows_of
from corefeval.notices import Notice
from corefeval.overlap import alignment

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from corefeval._arrays import Columns, Floats, Ints
    from corefeval.measures.shared.ace_sides import Judged
    from corefeval.overlap.views import Rows, Views

KINDS = {
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
    scores_entities = False
    shown: ClassVar[tuple[str, ...]] = ("score", *KINDS)
    needs_mentions = True

    weights: object = parameter(
        "what entities and mentions are worth; in Python also a Weights",
        default=2005,
        choices=tuple(SETS),
        instance=Weights,
    )

    @property
    def table(self) -> Weights:
        """The weights themselves."""
        return self.weights if isinstance(self.weights, Weights) else SETS[self.weights]

    def notices(self, views: Views) -> Iterable[Notice]:  # noqa: ARG002 - the weights are the same for every table
        """Which weights could not be checked."""
        unsure = self.table.unconfirmed
        return (Notice("caveat", f"{self}: {unsure}", {"measure": str(self)}),) if unsure else ()

    def count(self, views: Views) -> Columns:
        """Map entities, and add up values and costs."""
        rows, table, weights = rows_of(views), views.table, self.table.checked()
        key, response = (judged(side, weights, str(self)) for side in (rows.key, rows.response))
        cells = _cells(rows, key, response, weights)
        false = _false_alarms(rows, response, weights)
        mapped = _mapped(cells, cells.value + false[cells.response] + _TIE * cells.right)
        missed, spare = np.ones(len(key.value)), np.ones(len(false))
        missed[mapped.key] = spare[mapped.response] = 0.0
        worth = key.share * key.total
        bounds = np.searchsorted(table.key.document[mapped.key], np.arange(table.documents + 1))
        return {
            "key_value": table.key.sum(worth),
            "missed_entities": table.key.sum(missed * worth),
            "missed_mentions": table.sum(mapped.missed_mentions, bounds),
            "false_entities": table.response.sum(spare * false),
            "false_mentions": table.sum(mapped.false_mentions, bounds),
            "mistaken_entities": table.sum(mapped.mistaken_entities, bounds),
            "mistaken_mentions": table.sum(mapped.mistaken_mentions, bounds),
        }

    def fill_formula(self, counts: Mapping[str, Value], field: str) -> str:
        """Return the formula of the score, or of one kind of loss, with the counts put in."""
        names = KINDS[field] if field in KINDS else [name for each in KINDS.values() for name in each]
        lost = " + ".join(f"{counts[name]:,.4f}" for name in names)
        share = f"{f'({lost})' if len(names) > 1 else lost} / {counts['key_value']:,.4f}"
        return share if field in KINDS else f"1 - {share}"

    def score(self, counts: Mapping[str, Value]) -> Values:
        """What is left, and what was lost, as shares of the key's value; and the counts."""
        whole = counts["key_value"]
        lost = {kind: sum(counts[cost] for cost in costs) for kind, costs in KINDS.items()}
        values = self.single(whole - lost["misses"] - lost["false_alarms"] - lost["mistakes"], whole)
        nothing = values["undefined"]["score"]
        shared = {kind: ratio(cost, whole) for kind, cost in lost.items()}
        return {**values, **shared, **counts, "undefined": dict.fromkeys(self.shown, nothing)}


class _Cells(NamedTuple):
    """Pairs of entities that share mentions, ordered by key entity: what mapping them is worth, and what is lost."""

    key: Ints
    response: Ints
    value: Floats
    right: Floats
    missed_mentions: Floats
    mistaken_mentions: Floats
    mistaken_entities: Floats
    false_mentions: Floats


def _cells(rows: Rows, key: Judged, response: Judged, weights: Weights) -> _Cells:
    """The value of a key entity is lost step by step: missed mentions, mistaken ones, a mistaken entity, false ones."""
    width = max(1, len(response.value))
    fused = rows.key.entity[rows.twin_key] * width + rows.response.entity[rows.twin_response]
    pairs, cell = np.unique(fused, return_inverse=True)
    i, j = pairs // width, pairs % width
    found = added(cell, key.weight[rows.twin_key], len(pairs))
    right = added(cell, _of_twins(rows, key, response, weights), len(pairs))
    theirs = added(cell, response.weight[rows.twin_response], len(pairs))
    # What the response entity has beside the shared mentions: without a twin, or with one in another key entity.
    false = _loose(rows, response, weights)[j] - weights.elsewhere * theirs
    share = _of_pairs(key, response, i, j, weights)
    if weights.by == "level":
        share = share * shares(np.minimum(key.best[i], response.best[j]), key.total[i])
    false_mentions = share * weights.false_mention * _not_negative(false)
    return _Cells(
        key=i,
        response=j,
        value=share * right - false_mentions,
        right=right,
        missed_mentions=key.share[i] * _not_negative(key.total[i] - found),
        mistaken_mentions=key.share[i] * _not_negative(found - right),
        mistaken_entities=_not_negative(key.share[i] - share) * right,
        false_mentions=false_mentions,
    )


def _of_twins(rows: Rows, key: Judged, response: Judged, weights: Weights) -> Floats:
    """What two mentions that are twins are worth."""
    k, r = rows.twin_key, rows.twin_response
    value = np.minimum(key.weight[k], response.weight[r])
    value = value * np.where(key.level[k] == response.level[r], 1.0, weights.level_mistake)
    value = value * np.where(key.role[k] == response.role[r], 1.0, weights.role_mistake)
    return value * np.where(key.style[k] == response.style[r], 1.0, weights.style_mistake)


def _of_pairs(key: Judged, response: Judged, i: Ints, j: Ints, weights: Weights) -> Floats:
    """What two entities are worth by their types and classes."""
    value = np.minimum(key.value[i], response.value[j])
    value = value * np.where(key.type[i] == response.type[j], 1.0, weights.type_mistake)
    value = value * np.where(key.subtype[i] == response.subtype[j], 1.0, weights.subtype_mistake)
    return value * np.where(key.category[i] == response.category[j], 1.0, weights.class_mistake)


def _loose(rows: Rows, response: Judged, weights: Weights) -> Floats:
    """What the mentions of every response entity weigh as false alarms."""
    share = np.ones(len(response.weight))
    share[rows.twin_response] = weights.elsewhere
    return added(rows.response.entity, response.weight * share, len(response.value))


def _false_alarms(rows: Rows, response: Judged, weights: Weights) -> Floats:
    """What every response entity costs if it is mapped to nothing."""
    return weights.false_alarm * weights.false_mention * response.share * _loose(rows, response, weights)


def _mapped(cells: _Cells, gain: Floats) -> _Cells:
    """The pairs of the best one-to-one mapping."""
    chosen = alignment.best(cells.key, cells.response, gain)
    return _Cells._make(column[chosen] for column in cells)


def _not_negative(values: Floats) -> Floats:
    """Differences of sums that are nothing but rounding are 0."""
    return np.where(values > 1e-12, values, 0.0)
