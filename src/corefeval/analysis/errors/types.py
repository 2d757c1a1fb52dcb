"""The seven types of errors of Kummerfeld & Klein (2013), what corrects each, and what the corrected responses score.

Corrections come in five steps: give mentions their right spans; split response entities into parts of one key entity
each; remove spurious mentions; merge the parts of each key entity; introduce missed mentions. Errors are
counted as in the authors' analyser (github.com/jkkummerfeld/berkeley-coreference-analyser). Of the parts of an entity
one stays what it is: that of the entity's earliest mention which is no pronoun, or of its earliest mention where all
are pronouns. Every other part is an error. Zeros count as pronouns.

Where the analyser is silent: an entity of one mention that the other side lacks is an extra or a missing entity. If
the mention whose part stays is itself extra, the parts are conflated with it, and it is removed with the first of them;
if it is missing, the parts are divided from it, and it is introduced with the first of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from operator import itemgetter

import numpy as np

from corefeval._arrays import Floats, Ints
from corefeval._lazy import NamedTuple
from corefeval.analysis.errors.spans import find_span_errors
from corefeval.analysis.pooled_mentions import PooledMentions, pool_mentions
from corefeval.analysis.subsets import join_mentions, score_rows
from corefeval.corpus.mention_types import find_types_of_sides
from corefeval.overlap.views import Rows
from corefeval.scoring.results import Evaluation
from corefeval.tables.table import Table

RULES = {
    "span error": "a response mention has the wrong boundaries of a key mention",
    "conflated entities": "the response merges mentions of different key entities",
    "extra mention": "a spurious mention in an otherwise matching entity",
    "extra entity": "a response entity of spurious mentions, pronouns aside",
    "divided entity": "the response splits a key entity",
    "missing mention": "a missing mention of an entity that is otherwise found",
    "missing entity": "a key entity that is missing, pronouns aside",
}
"""The types, in the order in which errors are corrected, and what each means."""

_RULES_OF_LABELS = {
    "extra entity": "a response entity of spurious mentions only",
    "missing entity": "a key entity without any mention in the response",
}
"""What types mean where mentions are labels, such as records: there are no pronouns."""

COUNTED_ONCE = "counted once"
"""What a stage is called in which a mention in several entities is counted with one twin, and nothing is corrected."""

EXAMPLES = 3
"""How many errors of each type are shown, unless more are asked for."""

COLUMNS = ("type", "document", "line", "words", "beside", "cost")
_MANY = 6  # mentions of an entity that are named before the rest is only counted

_RELATIONS = {
    "span error": " should be ",
    "conflated entities": " together with ",
    "extra mention": " together with ",
    "divided entity": " apart from ",
    "missing mention": ", which belongs to ",
}
"""What stands between the mentions of an error and the mention beside them; errors of whole entities have none."""

TYPES = tuple(RULES)
_SPAN, _CONFLATED, _EXTRA, _EXTRA_ENTITY, _DIVIDED, _MISSING, _MISSING_ENTITY = range(len(TYPES))
_GONE = -1


@dataclass(frozen=True, slots=True)
class TypedError:
    """One error: its type, its place, and its mentions.

    words: its mentions as text (or labels), in the order of the text.
    beside: the mention with which they are (conflated, extra) or should be (divided, missing); for a span error the key
    mention; "" for entities.
    key_rows, response_rows: its mentions as rows of `evaluation.mentions.key` and `.response`.
    line: of the first mention; in the key's file if the key has it, else in the response's.
    cost: what its mentions cost on both sides (`Analysis.errors` says by which measure); None where that is not known.
    beside_rows: the mention beside them as a row of the key and of the response; -1 where a side lacks it.
    """

    type: str
    document: str
    line: int | None
    words: tuple[str, ...]
    beside: str
    key_rows: tuple[int, ...]
    response_rows: tuple[int, ...]
    cost: float | None = None
    beside_rows: tuple[int, int] = (-1, -1)


class _FoundError(NamedTuple):
    """The type of an error as its place among `TYPES`, its items, and the item beside them, -1 where there is none."""

    kind: int
    members: list[int]
    beside: int


@dataclass(frozen=True, slots=True)
class CorrectableErrors:
    """All errors, by type, then in the order of the text, and how they are corrected.

    changes: rows of a type of errors, an item, and its entity when they are corrected, by type; entities are those of
    the response, and new ones; -1 removes the item.
    """

    found: tuple[_FoundError, ...]
    items: PooledMentions  # all mentions, span errors corrected
    changes: Ints

    @property
    def counts(self) -> dict[str, int]:
        """{type: number of errors} for every type, also those without any."""
        counts = Counter(error.kind for error in self.found)
        return {name: counts[kind] for kind, name in enumerate(TYPES)}

    def sum_costs(self, key: Floats, response: Floats) -> list[float]:
        """Return a list of what the mentions of each error cost, given what each mention of a side costs."""
        pooled, of_key, of_response = self.items, np.append(key, 0.0), np.append(response, 0.0)
        # Where a side lacks an item, row -1 reads the 0 that is appended.
        ours, theirs = of_key[pooled.key_row].tolist(), of_response[pooled.response_row].tolist()
        return [
            sum([ours[item] for item in error.members]) + sum([theirs[item] for item in error.members])
            for error in self.found
        ]

    def describe(self, places: Sequence[int], costs: Sequence[float] | None) -> list[TypedError]:
        """Return the errors at these places of `found`, with words and lines, and with their costs if they are known.

        Mentions are described all at once: a call for each takes longer than to find the errors.
        """
        pooled, chosen = self.items, [self.found[place] for place in places]
        besides = {error.beside for error in chosen if error.beside >= 0}
        shown = [*besides.union(*(error.members for error in chosen))]
        words = dict(zip(shown, pooled.list_descriptions(_make_rows(shown)), strict=True)) | {-1: ""}
        firsts = _make_rows([error.members[0] for error in chosen])
        spans = pooled.response_row[_make_rows([error.members[0] for error in chosen if error.kind == _SPAN])]
        response = pooled.rows.response
        of_spans = zip(response.list_lines(spans), response.list_descriptions(spans), strict=True)
        key_rows, response_rows = ([*rows.tolist(), -1] for rows in (pooled.key_row, pooled.response_row))
        documents = [pooled.rows.key.documents[number] for number in pooled.document[firsts].tolist()]
        described = []
        for place, error, document, line_of_first in zip(
            places, chosen, documents, pooled.list_lines(firsts), strict=True
        ):
            kind, members, beside = error
            line, texts = line_of_first, tuple([words[item] for item in members])
            if kind == _SPAN:  # it is shown as it stands in the response, beside the key mention
                line, text = next(of_spans)
                texts = (text,)
            ours = tuple([row for item in members if (row := key_rows[item]) >= 0])
            theirs = tuple([row for item in members if (row := response_rows[item]) >= 0])
            described.append(
                TypedError(
                    TYPES[kind],
                    document,
                    line,
                    texts,
                    words[beside],
                    ours,
                    theirs,
                    None if costs is None else costs[place],
                    (key_rows[beside], response_rows[beside]),
                )
            )
        return described


def _make_rows(numbers: Sequence[int]) -> Ints:
    """Return numbers as an array; an empty list, too, as one of integers."""
    return np.array(numbers, dtype=np.int64)


def find_errors(rows: Rows) -> CorrectableErrors:
    """Return CorrectableErrors: all errors, by type, then in the order of the text, and changes that correct them."""
    key, response = find_span_errors(rows)
    pooled = pool_mentions(rows, key, response)
    corrections = _Corrections(pooled)
    corrections.found += [_FoundError(_SPAN, [ours], ours) for ours in key.tolist()]
    for entity in _list_differing_entities(pooled.response_entity, pooled.key_entity, pooled):
        corrections.correct_entity(entity, _EXTRA, _EXTRA_ENTITY, _CONFLATED, _GONE)
    for entity in _list_differing_entities(pooled.key_entity, pooled.response_entity, pooled):
        corrections.correct_key_entity(entity)
    rank = pooled.rank.tolist()
    found = sorted(corrections.found, key=lambda error: (error.kind, rank[error.members[0]]))
    # A mention that is moved twice ends where the later type puts it.
    changes = np.array(sorted(corrections.changes, key=itemgetter(0)), dtype=np.int64).reshape(-1, 3)
    return CorrectableErrors(tuple(found), pooled, changes)


def list_rules(rows: Rows) -> dict[str, str]:
    """Return {type: what it means} for the types that errors of these mentions can have; labels have no span errors."""
    if not has_labels(rows):
        return RULES
    return {kind: _RULES_OF_LABELS.get(kind, rule) for kind, rule in RULES.items() if kind != TYPES[_SPAN]}


def has_labels(rows: Rows) -> bool:
    """Return whether mentions are nothing but labels, such as ids of records: none has words, a span or a type."""
    if not rows.key.unit == rows.response.unit == "label":
        return False
    return all(bool((types.code < 0).all()) for types in find_types_of_sides(rows))


@dataclass(frozen=True, slots=True)
class _EntityParts:
    """An entity of one side: its items in the order of the text, in parts by the entity of the other side."""

    anchor: int  # the item whose part stays what it is
    parts: dict[int, list[int]]  # by entity of the other side
    alone: list[int]  # items that the other side lacks
    only_pronouns: bool  # whether all items in parts are pronouns


def _list_differing_entities(own: Ints, other: Ints, pooled: PooledMentions) -> Iterator[_EntityParts]:
    """Yield _EntityParts of each entity of one side whose mentions are not all in one entity of the other."""
    chosen = np.flatnonzero(own >= 0)
    order = chosen[np.lexsort((pooled.rank[chosen], own[chosen]))]
    starts = np.flatnonzero(np.diff(own[order], prepend=-1))
    # An entity whose items are all in one part has no errors of its own; most are such, so they are sorted out first.
    low, high = (f.reduceat(other[order], starts) if len(starts) else starts for f in (np.minimum, np.maximum))
    differs = (low != high) | (low < 0)
    sizes = np.diff(np.append(starts, len(order)))
    order = order[np.repeat(differs, sizes)]
    items = zip(order.tolist(), other[order].tolist(), pooled.pronominal[order].tolist(), strict=True)
    for size in sizes[differs].tolist():
        members = list(islice(items, size))
        parts: dict[int, list[int]] = {}
        anchor, only_pronouns = _GONE, True
        for item, there, is_pronoun in members:
            parts.setdefault(there, []).append(item)
            if not is_pronoun:
                anchor = item if anchor == _GONE else anchor
                only_pronouns &= there == _GONE
        yield _EntityParts(members[0][0] if anchor == _GONE else anchor, parts, parts.pop(_GONE, []), only_pronouns)


class _Corrections:
    """Collects errors and what corrects them, entity by entity; the response's entities first."""

    def __init__(self, pooled: PooledMentions) -> None:
        self.items = pooled
        self.found: list[_FoundError] = []
        self.changes: list[tuple[int, int, int]] = []
        self._new_labels = count(int(pooled.response_entity.max(initial=-1)) + 1)
        self._split_off: dict[int, int] = {}  # labels of items that have been split off

    def correct_key_entity(self, entity: _EntityParts) -> None:
        """Add the errors of a key entity, and changes that introduce its missed mentions and merge its parts."""
        there = int(self.items.response_entity[entity.anchor])
        label = self._split_off.get(entity.anchor, there) if there >= 0 else next(self._new_labels)
        self.correct_entity(entity, _MISSING, _MISSING_ENTITY, _DIVIDED, label)

    def correct_entity(
        self, entity: _EntityParts, mention_error: int, entity_error: int, part_error: int, label: int
    ) -> None:
        """Add an entity's errors, and changes that give `label` to mentions that one side lacks and to other parts.

        With -1 the entity is one of the response: spurious mentions are removed, and its parts get labels of their own.
        """
        anchor, alone = entity.anchor, entity.alone
        if alone and (not entity.parts or (entity.only_pronouns and len(alone) > 1)):
            self._add_changes(entity_error, alone, label)
            self.found.append(_FoundError(entity_error, alone, -1))
            alone = []
        for item in alone:
            if item != anchor:
                self._add_changes(mention_error, [item], label)
                self.found.append(_FoundError(mention_error, [item], anchor))
        with_first = [anchor] if anchor in alone else []
        for part in entity.parts.values():
            if anchor not in part:
                own = next(self._new_labels) if label == _GONE else label
                if label == _GONE:
                    self._split_off |= dict.fromkeys(part, own)
                self._add_changes(part_error, part, own)
                self._add_changes(part_error, with_first, label)
                self.found.append(_FoundError(part_error, part, anchor))
                with_first = []

    def _add_changes(self, kind: int, changed: Sequence[int], label: int) -> None:
        """Add (kind of error, item, label that corrects it) to the changes for each of these items."""
        self.changes += [(kind, item, label) for item in changed]


@dataclass(frozen=True, slots=True)
class Stage:
    """A type of errors, how many, and the evaluation of the response with these corrected; type "": as it was.

    Type COUNTED_ONCE: nothing is corrected, but a mention in several entities has one twin, as in all later stages.
    """

    type: str
    errors: int
    evaluation: Evaluation


def score_stages(evaluation: Evaluation, errors: CorrectableErrors) -> tuple[Stage, ...]:
    """Return Stages: the response as it was, then with one more type of errors corrected each, until it is the key.

    Behind the first is that of COUNTED_ONCE if some mentions are in several entities, so that points add up.
    """
    stages = [Stage("", 0, evaluation)]
    if evaluation.overlaps.views.has_repeats:
        counted_once = score_rows(evaluation, errors.items.rows._replace(repeated=None, looked=None))
        stages.append(Stage(COUNTED_ONCE, 0, counted_once))
    types, items, entities = errors.changes.T
    label = errors.items.response_entity.copy()
    for place, (kind, number) in enumerate(errors.counts.items()):
        label[items[types == place]] = entities[types == place]
        stages.append(Stage(kind, number, score_rows(evaluation, _build_corrected_rows(errors.items, label))))
    return tuple(stages)


def _build_corrected_rows(pooled: PooledMentions, label: Ints) -> Rows:
    """Return Rows of the key and a response with each item in the entity of its label; -1 leaves an item out."""
    key = pooled.rows.key
    own = np.flatnonzero((label >= 0) & (pooled.key_row >= 0))
    extra = np.flatnonzero((label >= 0) & (pooled.key_row < 0))
    present = np.concatenate([own, extra])
    width = int(label.max(initial=0)) + 1
    fused, entity = np.unique(pooled.document[present] * width + label[present], return_inverse=True)
    ours, theirs = pooled.key_row[own], pooled.response_row[extra]
    numbered = entity.reshape(-1).astype(np.int64)
    corpus = join_mentions(pooled.rows, ours, theirs, fused // width, list(range(len(fused))), numbered)
    return Rows(key, corpus, ours, np.arange(len(ours)), find_places=pooled.rows.find_places)


def describe_error(error: TypedError) -> str:
    """Return what is wrong: the error's mentions, their relation and the mention beside them, as one phrase."""
    names = [*error.words[:_MANY], *([f"{len(error.words) - _MANY} more"] if len(error.words) > _MANY else [])]
    return f"{', '.join(names)}{_RELATIONS.get(error.type, '')}{error.beside}"


def sort_by_cost(errors: Iterable[TypedError]) -> list[TypedError]:
    """Return a list of the errors, the costliest first; equal or unknown (None) costs stay in their order."""
    return sorted(errors, key=lambda error: rank_cost(error.cost))


def rank_cost(cost: float | None) -> float:
    """Return a number by which to sort, the greatest cost first; the same for costs equal but for rounding."""
    return -round(cost or 0.0, 12)


def build_error_list(title: str, errors: Iterable[TypedError], left: int, *, costs: bool = False) -> Table:
    """Build a table without columns: a line for each error, with its cost or not; and how many are left."""
    rows = []
    for error in errors:
        place = ", ".join(filter(None, (error.document, f"line {error.line}" if error.line else "")))
        cost = "" if error.cost is None or not costs else f" ({100 * error.cost:.2f})"
        rows.append([f"  {f'{place}: ' if place else ''}{describe_error(error)}{cost}"])
    if left > 0:
        rows.append([f"  and {left:,} more"])
    return Table(title, (), rows, 1)


def build_error_record(error: TypedError) -> tuple[object, ...]:
    """Return an error as a tuple of the values of `COLUMNS`, its words joined by " | "."""
    return error.type, error.document, error.line, " | ".join(error.words), error.beside, error.cost


def build_error_content(error: TypedError) -> dict[str, object]:
    """Return an error as {column: value} of `COLUMNS`, its words as a tuple."""
    return {name: getattr(error, name) for name in COLUMNS}
