"""Scores by the values of a field, such as the type of mentions or the size of entities.

A field labels every mention of key and response; twins have the label that the key gives them. `size` and `entity-type`
are of the mention's entity; `distance` is to the mention of its entity before it, in sentences where they are known,
else in mentions; `nesting` is within how many others it lies. Besides there is every attribute that the files have.

The mentions with one label are scored in both ways of Popescu-Belis (1999, 4.4): by all measures, as if there were no
other mentions, and by the average of their own B³, to which links to other mentions count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from corefeval._arrays import Array, Booleans, Ints
from corefeval._lazy import NamedTuple
from corefeval.analysis.costs.sides import view_sides
from corefeval.analysis.subsets import get_rows, restrict_mentions, select_documents
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.document_names import find_genre
from corefeval.corpus.mention_types import MENTION_TYPES, collect_type_notices, find_types_of_sides
from corefeval.corpus.mentions import Spans, as_spans
from corefeval.errors import OptionError
from corefeval.measures import Bcub, Measure
from corefeval.measures.rates import compute_recall_precision_f
from corefeval.measures.shared.mentions import order_mentions
from corefeval.notices import Notice
from corefeval.overlap.views import Rows
from corefeval.scoring.layout import EvaluationResult, format_main, list_scores
from corefeval.scoring.results import DocumentScores, Evaluation
from corefeval.tables.table import Digits, Table, make_score_formatter
from corefeval.tables.writers import collect_columns

Bins = tuple[tuple[int, str], ...]
"""Upper bounds, and what is up to them."""

SIZES: Bins = ((1, "1"), (2, "2"), (5, "3-5"), (10, "6-10"), (20, "11-20"), (10**9, "21 and more"))
_SENTENCES: Bins = ((-1, "first mention"), (0, "same sentence"), (1, "1 sentence"), (2, "2 sentences"),
                    (5, "3-5 sentences"), (10, "6-10 sentences"), (10**9, "11 and more sentences"))  # fmt: skip
_MENTIONS: Bins = ((0, "first mention"), (1, "next mention"), (2, "2 mentions"), (5, "3-5 mentions"),
                   (10, "6-10 mentions"), (20, "11-20 mentions"), (10**9, "21 and more mentions"))  # fmt: skip
_DEPTHS = ((0, "not nested"), (1, "in 1 other"), (2, "in 2 others"), (10**9, "in 3 and more others"))
_TYPES = ("type", "etype", "entity_type", "class")
_UNKNOWN = "none"
_NOTES = (
    "each row: the scores if key and response had these mentions only (their f1, or single score)",
    "B³ of mentions: the recall and precision of these mentions, all others being there (Popescu-Belis 1999, 4.4)",
)
_COLUMNS = ("field", "label", "key_mentions", "response_mentions", "measure", "recall", "precision", "f1", "score")


class MentionAverage(NamedTuple):
    """B³ averaged over some mentions; 0 over no mentions."""

    recall: float
    precision: float
    f1: float


class MentionGroup(NamedTuple):
    """The mentions with one label: how many each side has, their scores if there were no others, and their B³."""

    label: str
    key_mentions: int
    response_mentions: int
    restricted: Evaluation | DocumentScores
    average: MentionAverage


@dataclass(frozen=True, slots=True)
class Breakdown:
    """Scores by the values of a field. whole: all mentions as one group."""

    field: str
    groups: tuple[MentionGroup, ...]
    whole: MentionGroup
    notices: tuple[Notice, ...]


@dataclass(frozen=True, slots=True)
class Breakdowns(EvaluationResult):
    """Scores of an evaluation by the values of several fields, as one result. left_out: by an analysis of mentions."""

    evaluation: Evaluation
    members: tuple[Breakdown, ...]
    left_out: tuple[Notice, ...] = ()

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The notices of the evaluation, of what was left out, and of every field."""
        own = (notice for each in self.members for notice in each.notices)
        return (*self.evaluation.notices, *self.left_out, *own)

    def tables(self, *, digits: Digits = "round") -> Iterator[Table]:
        """Yield a table for each field: a row of scores for each label of mentions, the last row of all mentions."""
        write, measures = make_score_formatter(digits), self.evaluation.measures
        for each in self.members:
            body = []
            for group in (*each.groups, each.whole):
                sizes = (f"{size:,}" for size in (group.key_mentions, group.response_mentions))
                scores = (format_main(group.restricted, measure, write) for measure in measures)
                body.append([group.label, *sizes, *scores, *map(write, group.average)])
            rates = ("B³ of mentions: recall", "precision", "f1")
            head = [each.field, "key", "response", *map(str, measures), *rates]
            yield Table(f"Scores by {each.field}", head, body, 1, _NOTES)

    def build_columns(self) -> dict[str, list[object]]:
        """Return {name: column} with a row for each label and measure; rows without a field are of all mentions."""
        labelled = [(each.field, group) for each in self.members for group in each.groups]
        labelled += [("", each.whole) for each in self.members[:1]]
        rows: list[tuple[object, ...]] = []
        for field, group in labelled:
            start = (field, group.label, group.key_mentions, group.response_mentions)
            for measure in self.evaluation.measures:
                values = group.restricted[measure].values
                rows.append((*start, str(measure), *(values.get(part) for part in _COLUMNS[-4:])))
            rows.append((*start, "bcub of mentions", *group.average, None))
        return collect_columns(_COLUMNS, rows)

    def build_content(self) -> dict[str, object]:
        """Return the scores by field and label, and those of all mentions, as plain objects for JSON."""
        breakdowns = [
            {
                "field": each.field,
                "groups": [
                    {"label": group.label, **_build_group_content(group, self.evaluation.measures)}
                    for group in each.groups
                ],
                "notices": [notice.to_dict() for notice in each.notices],
            }
            for each in self.members
        ]
        content = self.frame_content(
            {"breakdowns": breakdowns, "all": _build_group_content(self.members[0].whole, self.evaluation.measures)}
        )
        return content | {"notices": [notice.to_dict() for notice in self.evaluation.notices]}


def _build_group_content(group: MentionGroup, measures: Sequence[Measure]) -> dict[str, object]:
    """Return the numbers of mentions and the scores of a group as plain objects for JSON."""
    return {
        "key_mentions": group.key_mentions,
        "response_mentions": group.response_mentions,
        "measures": list_scores(group.restricted, measures),
        "bcub_of_mentions": group.average._asdict(),
    }


def break_down_scores(evaluation: Evaluation, field: str) -> Breakdown:
    """Return a Breakdown: a scored group of the mentions with each label of a field, none empty, and one of all."""
    labels = label_mentions(evaluation, get_rows(evaluation), field)
    key, response = labels.key, labels.response
    by_document = field == "document"  # a document's scores are known, and are those of its mentions alone
    groups = [
        MentionGroup(
            label,
            *sizes,
            evaluation.documents[label]
            if by_document
            else _score_without_others(evaluation, key == number, response == number),
            average,
        )
        for number, (label, sizes, average) in enumerate(_measure_groups(evaluation, key, response, labels.order))
        if any(sizes)
    ]
    return Breakdown(field, tuple(groups), group_all(evaluation), labels.notices)


def group_all(evaluation: Evaluation) -> MentionGroup:
    """Return the MentionGroup of all mentions, labelled "all"."""
    rows = get_rows(evaluation)
    key, response = (np.zeros(len(side), dtype=np.int64) for side in (rows.key, rows.response))
    ((label, sizes, average),) = _measure_groups(evaluation, key, response, ("all",))
    return MentionGroup(label, *sizes, evaluation, average)


def _measure_groups(
    evaluation: Evaluation, key: Ints, response: Ints, order: Sequence[str]
) -> Iterator[tuple[str, tuple[int, int], MentionAverage]]:
    """Yield each label, how many mentions of key and response have it, and their mean B³ among all others.

    key, response: for each mention the place of its label in `order`.
    """
    found, seen, sizes = [], [], []
    for labelled, side in zip((key, response), view_sides(evaluation, Bcub())[:2], strict=True):
        shown = labelled[side.selected]  # singletons that some scorers hide from B³ are in none of its means
        found.append(np.bincount(shown, side.credit / side.size, len(order)))
        seen.append(np.bincount(shown, minlength=len(order)))
        sizes.append(np.bincount(labelled, minlength=len(order)).tolist())
    rates = compute_recall_precision_f(found[0], seen[0], found[1], seen[1], 0, 1.0)
    averages = map(MentionAverage, *(rate.tolist() for rate in rates))
    yield from zip(order, zip(*sizes, strict=True), averages, strict=True)


def _score_without_others(evaluation: Evaluation, key: Booleans, response: Booleans) -> Evaluation:
    """Return an evaluation of only the True mentions; averages over documents leave out those that this empties."""
    restricted = restrict_mentions(evaluation, key, response)
    if evaluation.options.average == "micro":
        return restricted
    before, after = (
        np.union1d(rows.key.document, rows.response.document) for rows in map(get_rows, (evaluation, restricted))
    )
    emptied = {restricted.document_names[number] for number in np.setdiff1d(before, after).tolist()}
    return select_documents(restricted, tuple(name for name in restricted.document_names if name not in emptied))


class MentionLabels(NamedTuple):
    """The label of every mention of each side, as its place in `order`, and notices.

    order: all labels, in the order in which to show them.
    """

    key: Ints
    response: Ints
    order: tuple[str, ...]
    notices: tuple[Notice, ...] = ()


FIELDS = ("document", "genre", "size", "entity-type", "mention-type", "distance", "nesting")


def label_mentions(evaluation: Evaluation, rows: Rows, field: str) -> MentionLabels:
    """Return MentionLabels: each mention's label by a field, for twins the key's; OptionError for an unknown field."""
    sides = (rows.key, rows.response)
    match field.replace("_", "-"):
        case "document":
            labels = _label_by_document(evaluation.document_names, rows)
        case "genre":
            labels = _label_by_document(list(map(find_genre, evaluation.document_names)), rows)
        case "size":
            labels = _label_by_bin(SIZES, *(side.sizes[side.entity] for side in sides))
        case "entity-type":
            labels = _label_by_entity_type(rows)
        case "mention-type":
            names = (*MENTION_TYPES, _UNKNOWN)
            # A type that is not known is -1: the last of these names.
            key, response = (side.code % len(names) for side in find_types_of_sides(rows))
            labels = MentionLabels(key, response, names, tuple(collect_type_notices(rows)))
        case "distance":
            distances = measure_distances_before(rows)
            labels = _label_by_bin(distances.bins, *distances.far)
        case "nesting":
            depths = (_get_known_spans(side, "nesting").measure_depth(side.document) for side in sides)
            labels = _label_by_bin(_DEPTHS, *depths)
        case _:
            labels = _label_by_attribute(rows, field)
    theirs = labels.response.copy()
    theirs[rows.twin_response] = labels.key[rows.twin_key]
    return labels._replace(response=theirs)


def _label_by_document(labels: Sequence[str], rows: Rows) -> MentionLabels:
    """Return MentionLabels: each mention has the label of its document."""
    order = tuple(dict.fromkeys(labels))
    of_document = _number_labels(labels, order)
    return MentionLabels(of_document[rows.key.document], of_document[rows.response.document], order)


def _number_labels(labels: Sequence[str], order: Sequence[str]) -> Ints:
    """Return for each of some labels its place in an order of all."""
    place = {label: number for number, label in enumerate(order)}
    return np.fromiter(map(place.__getitem__, labels), dtype=np.int64, count=len(labels))


def _label_by_entity_type(rows: Rows) -> MentionLabels:
    """Return labels by the type of the mention's entity; OptionError if key entities have no type."""
    names = [name for name in _TYPES if name in rows.key.entity_attributes]
    if not names:
        source = rows.key.source or "the key"
        raise OptionError(f"{source} has no types of entities; CorefUD, ACE and jsonlines files can have them")
    return _label_by_values(*(_list_entity_values(side, names[0]) for side in (rows.key, rows.response)))


def _label_by_attribute(rows: Rows, field: str) -> MentionLabels:
    """Return labels by an attribute of mentions, or else of entities; OptionError if neither side has it."""
    sides = (rows.key, rows.response)
    if any(field in side.attributes for side in sides):
        values = (side.attributes.get(field, [""] * len(side)) for side in sides)
        return _label_by_values(*([value or _UNKNOWN for value in each] for each in values))
    if any(field in side.entity_attributes for side in sides):
        return _label_by_values(*(_list_entity_values(side, field) for side in sides))
    known = dict.fromkeys(name for side in sides for name in (*side.attributes, *side.entity_attributes))
    attributes = f", and the attributes {', '.join(known)}" if known else "; the files have no attributes"
    raise OptionError(f"there is no field {field!r} to break down by; known: {', '.join(FIELDS)}{attributes}")


def _list_entity_values(corpus: Corpus, field: str) -> list[str]:
    """Return a list: for every mention the value of an attribute of its entity; "none" where it has none."""
    values = corpus.entity_attributes.get(field)
    if values is None:
        return [_UNKNOWN] * len(corpus)
    return [values[entity] or _UNKNOWN for entity in corpus.entity.tolist()]


def _label_by_values(ours: Sequence[str], theirs: Sequence[str]) -> MentionLabels:
    """Return these values of key and response mentions as labels, shown in the order of the alphabet, "none" last."""
    order = tuple(sorted({*ours, *theirs}, key=lambda label: (label == _UNKNOWN, label)))
    return MentionLabels(_number_labels(ours, order), _number_labels(theirs, order), order)


def _label_by_bin(bins: Bins, ours: Array, theirs: Array) -> MentionLabels:
    """Return MentionLabels of both sides: for each number the first bin whose upper bound it does not exceed."""
    bounds = np.array([bound for bound, _ in bins])
    places = [np.searchsorted(bounds, numbers) for numbers in (ours, theirs)]
    return MentionLabels(places[0], places[1], tuple(name for _, name in bins))


class Distances(NamedTuple):
    """How far every mention of a side is from the one of its entity before it: that one (-1 for the first), how far.

    unit: sentence or mention; bins: by which distances are told apart, the first of which is that of first mentions.
    """

    unit: str
    bins: Bins
    before: tuple[Ints, Ints]
    far: tuple[Ints, Ints]


def measure_distances_before(rows: Rows) -> Distances:
    """Return Distances of mentions from their entity's one before, in sentences or mentions; OptionError for labels."""
    sides = rows.key, rows.response
    orders = [order_mentions(side, _get_known_spans(side, "distances")) for side in sides]
    in_key, in_response = map(_find_sentence_numbers, sides)
    if in_key is None or in_response is None:
        unit, bins, positions = "mention", _MENTIONS, (orders[0].rank, orders[1].rank)
    else:
        unit, bins, positions = "sentence", _SENTENCES, (in_key, in_response)
    before = orders[0].before, orders[1].before
    ours, theirs = (
        np.where(earlier >= 0, place - np.append(place, 0)[earlier], -1)
        for place, earlier in zip(positions, before, strict=True)
    )
    return Distances(unit, bins, before, (ours, theirs))


def _find_sentence_numbers(corpus: Corpus) -> Ints | None:
    """Return an array: the number of the sentence in which each mention begins; None where sentences are unknown."""
    if corpus.tokens is None or not isinstance(corpus.mentions, Spans):
        return None
    return corpus.tokens.sentence[corpus.tokens.bounds[corpus.document] + corpus.own_spans.start]


def _get_known_spans(corpus: Corpus, what: str) -> Spans:
    """Return the spans of mentions; an OptionError that there are no `what` if mentions are labels without spans."""
    spans = as_spans(corpus.mentions)
    if spans is None:
        source = corpus.source or "the key"
        raise OptionError(f"{source} has no {what}: its mentions do not say where they stand; spans would")
    return spans
