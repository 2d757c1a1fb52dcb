"""What mentions can be told apart by: a label for every mention of key and response.

Twins have the label that the key gives them. `size` and `entity-type` are of the mention's entity; `distance` is to the
mention of its entity before it, in sentences where they are known, else in mentions; `nesting` is within how many
others it lies. Besides there is every attribute that the files have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.comparison.systems import find_genres
from corefeval.corpus.mention_types import MENTION_TYPES, collect_type_notices, find_types_of_sides
from corefeval.corpus.mentions import Spans, as_spans
from corefeval.errors import OptionError
from corefeval.measures.shared.mentions import order_mentions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corefeval._arrays import Array, Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.measures.shared.mentions import TextOrder
    from corefeval.notices import Notice
    from corefeval.overlap.views import Rows
    from corefeval.scoring.results import Evaluation

Bins = tuple[tuple[int, str], ...]
"""Upper bounds, and what is up to them."""

_UNKNOWN = "none"
SIZES: Bins = ((1, "1"), (2, "2"), (5, "3-5"), (10, "6-10"), (20, "11-20"), (10**9, "21 and more"))
_SENTENCES: Bins = ((-1, "first mention"), (0, "same sentence"), (1, "1 sentence"), (2, "2 sentences"),
                    (5, "3-5 sentences"), (10, "6-10 sentences"), (10**9, "11 and more sentences"))  # fmt: skip
_MENTIONS: Bins = ((0, "first mention"), (1, "next mention"), (2, "2 mentions"), (5, "3-5 mentions"),
                   (10, "6-10 mentions"), (20, "11-20 mentions"), (10**9, "21 and more mentions"))  # fmt: skip
_DEPTHS = ((0, "not nested"), (1, "in 1 other"), (2, "in 2 others"), (10**9, "in 3 and more others"))
_TYPES = ("type", "etype", "entity_type", "class")


class MentionLabels(NamedTuple):
    """A label for every mention of each side, all labels in the order in which to show them, and what to say."""

    key: Sequence[str]
    response: Sequence[str]
    order: tuple[str, ...]
    notices: tuple[Notice, ...] = ()


def label_mentions(evaluation: Evaluation, rows: Rows, field: str) -> MentionLabels:
    """The labels of a field."""
    make = FIELDS.get(field.replace("_", "-"))
    found = make(evaluation, rows) if make is not None else _attribute(rows, field)
    theirs = list(found.response)
    for ours, row in zip(rows.twin_key.tolist(), rows.twin_response.tolist(), strict=True):
        theirs[row] = found.key[ours]
    return found._replace(response=theirs)


def _of_documents(names: Sequence[str], rows: Rows) -> MentionLabels:
    ours, theirs = ([names[number] for number in side.document.tolist()] for side in (rows.key, rows.response))
    return MentionLabels(ours, theirs, tuple(dict.fromkeys(names)))


def _document(evaluation: Evaluation, rows: Rows) -> MentionLabels:
    return _of_documents(evaluation.document_names, rows)


def _genre(evaluation: Evaluation, rows: Rows) -> MentionLabels:
    return _of_documents(find_genres(evaluation), rows)


def _size(_: Evaluation, rows: Rows) -> MentionLabels:
    return _binned(SIZES, *(side.sizes[side.entity] for side in (rows.key, rows.response)))


def _entity_type(_: Evaluation, rows: Rows) -> MentionLabels:
    names = [name for name in _TYPES if name in rows.key.entity_attributes]
    if not names:
        raise OptionError(_lacking(rows.key, "no types of entities", "CorefUD, ACE and jsonlines files can have them"))
    return _listed(*(_entity_values(side, names[0]) for side in (rows.key, rows.response)))


def _mention_type(_: Evaluation, rows: Rows) -> MentionLabels:
    ours, theirs = find_types_of_sides(rows)
    names = np.array([*MENTION_TYPES, _UNKNOWN])
    return MentionLabels(
        names[ours.code].tolist(),
        names[theirs.code].tolist(),
        (*MENTION_TYPES, _UNKNOWN),
        tuple(collect_type_notices(rows)),
    )


class Distances(NamedTuple):
    """How far every mention of a side is from the one of its entity before it: that one (-1 for the first), how far.

    unit: sentence or mention; bins: by which distances are told apart, the first of which is that of first mentions.
    """

    unit: str
    bins: Bins
    before: tuple[Ints, Ints]
    far: tuple[Ints, Ints]


def measure_distances_before(rows: Rows) -> Distances:
    """The distances of both sides, -1 for first mentions."""
    key, response = rows.key, rows.response
    ours, theirs = (order_mentions(side, _placed(side, "distances")) for side in (key, response))
    before = (ours.before, theirs.before)
    if all(side.tokens is not None and isinstance(side.mentions, Spans) for side in (key, response)):
        far = (_in_sentences(key, ours.before), _in_sentences(response, theirs.before))
        return Distances("sentence", _SENTENCES, before, far)
    return Distances("mention", _MENTIONS, before, (_in_mentions(ours), _in_mentions(theirs)))


def _distance(_: Evaluation, rows: Rows) -> MentionLabels:
    found = measure_distances_before(rows)
    return _binned(found.bins, *found.far)


def _in_mentions(order: TextOrder) -> Ints:
    return np.where(order.before >= 0, order.rank - np.append(order.rank, 0)[order.before], -1)


def _in_sentences(corpus: Corpus, before: Ints) -> Ints:
    assert corpus.tokens is not None  # noqa: S101 - the caller has seen to it
    sentence = corpus.tokens.sentence[corpus.tokens.bounds[corpus.document] + corpus.own_spans.start]
    return np.where(before >= 0, sentence - np.append(sentence, 0)[before], -1)


def _nesting(_: Evaluation, rows: Rows) -> MentionLabels:
    sides = rows.key, rows.response
    return _binned(_DEPTHS, *(_placed(side, "nesting").measure_depth(side.document) for side in sides))


FIELDS: dict[str, Callable[[Evaluation, Rows], MentionLabels]] = {
    "document": _document,
    "genre": _genre,
    "size": _size,
    "entity-type": _entity_type,
    "mention-type": _mention_type,
    "distance": _distance,
    "nesting": _nesting,
}


def _attribute(rows: Rows, field: str) -> MentionLabels:
    """An attribute of mentions, or else of entities, that one of the files has."""
    sides = (rows.key, rows.response)
    if any(field in side.attributes for side in sides):
        return _listed(*(_mention_values(side, field) for side in sides))
    if any(field in side.entity_attributes for side in sides):
        return _listed(*(_entity_values(side, field) for side in sides))
    known = dict.fromkeys(name for side in sides for name in (*side.attributes, *side.entity_attributes))
    attributes = f", and the attributes {', '.join(known)}" if known else "; the files have no attributes"
    raise OptionError(f"there is no field {field!r} to break down by; known: {', '.join(FIELDS)}{attributes}")


def _mention_values(corpus: Corpus, field: str) -> list[str]:
    values = corpus.attributes.get(field)
    return [_UNKNOWN] * len(corpus) if values is None else [value or _UNKNOWN for value in values]


def _entity_values(corpus: Corpus, field: str) -> list[str]:
    values = corpus.entity_attributes.get(field)
    if values is None:
        return [_UNKNOWN] * len(corpus)
    return [values[entity] or _UNKNOWN for entity in corpus.entity.tolist()]


def _listed(ours: Sequence[str], theirs: Sequence[str]) -> MentionLabels:
    """As they are, in the order of the alphabet."""
    return MentionLabels(ours, theirs, tuple(sorted({*ours, *theirs}, key=lambda label: (label == _UNKNOWN, label))))


def _binned(bins: Bins, ours: Array, theirs: Array) -> MentionLabels:
    """By the first bin whose upper bound a number does not exceed."""
    bounds, names = np.array([bound for bound, _ in bins]), np.array([name for _, name in bins])
    found = [names[np.searchsorted(bounds, numbers)].tolist() for numbers in (ours, theirs)]
    return MentionLabels(found[0], found[1], tuple(names.tolist()))


def _placed(corpus: Corpus, what: str) -> Spans:
    spans = as_spans(corpus.mentions)
    if spans is None:
        raise OptionError(_lacking(corpus, f"no {what}: its mentions do not say where they stand", "spans would"))
    return spans


def _lacking(corpus: Corpus, what: str, hint: str) -> str:
    return f"{corpus.source or 'the key'} has {what}; {hint}"
