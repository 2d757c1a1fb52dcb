"""The entities of a line: lists of mentions, and what corefeval itself adds about them."""

from __future__ import annotations

from array import array
from functools import lru_cache
from itertools import chain, compress
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corefeval.formats.jsonlines.contents import LineError, measure_sentences, show_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Fields = Mapping[str, Any]
    Attributes = Mapping[str, str]


class ClusterField(NamedTuple):
    """How a field writes mentions.

    included: whether their second offset is part of them; None if that depends on what they are offsets of.
    numbers: how many a mention is: a word; start and end; sentence, start and end.
    """

    included: bool | None = None
    numbers: int = 2
    unit: str = "word"


FIELDS = {
    "predicted_clusters": ClusterField(),
    "span_clusters": ClusterField(included=False),
    "clusters_token_offsets": ClusterField(included=True),
    "clusters": ClusterField(),
    "mention_clusters": ClusterField(included=False, numbers=3),
    "clusters_char_offsets": ClusterField(included=True, unit="character"),
    "word_clusters": ClusterField(included=True, numbers=1),
}
"""The first one that a line has is read."""

_USUAL = FIELDS["clusters"]
_MORE = frozenset(("mention_attributes", "entity_attributes", "mention_heads", "mention_minimums"))
_INTEGERS = {int}
_FORMS = {1: "the number of a word", 2: "two integers: start and end", 3: "three integers: sentence, start and end"}


class LineEntities(NamedTuple):
    """The entities that have mentions: names, sizes, and the mentions' starts and ends, one after another.

    empty: the names of those that have none.
    attributes, heads, minimums: one for every mention, or nothing at all; entity_attributes: likewise for entities.
    """

    names: Sequence[str]
    sizes: Sequence[int]
    starts: Sequence[int]
    ends: Sequence[int]
    empty: Sequence[str] = ()
    attributes: Sequence[Attributes] = ()
    entity_attributes: Sequence[Attributes] = ()
    heads: Sequence[Sequence[int]] = ()
    minimums: Sequence[Sequence[int]] = ()


def read_entities(fields: Fields, field: str, wrong: list[LineError]) -> LineEntities:
    """Read a field of a line; what is wrong is added to the list, or raised as WrongError."""
    numbers = get_field(field).numbers
    listed = fields[field]
    names: Sequence[str] | None = None
    if isinstance(listed, dict):
        names, listed = list(listed), list(listed.values())
    sizes = _measure(listed, field)
    names = names or _read_names(fields, len(sizes))
    mentions = list(chain.from_iterable(listed))
    columns = _transpose(mentions, numbers)
    if columns is None:
        mentions = [_simplify(mention) for mention in mentions]
        owners = chain.from_iterable([name] * size for name, size in zip(names, sizes, strict=True))
        wrong.extend(_find_irregular(mentions, owners, numbers))
        columns = _transpose(mentions, numbers)
    if columns is None:
        return LineEntities((), (), (), ())
    starts, ends = _convert_to_document(columns, fields) if numbers == 3 else (columns[0], columns[-1])
    found = LineEntities(names, sizes, starts, ends)
    if not _MORE.isdisjoint(fields):
        found = _add_optional(found, fields)
    return found if all(sizes) else _drop_empty(found)


def get_field(field: str) -> ClusterField:
    """How a field writes mentions."""
    return FIELDS.get(field, _USUAL)


def _add_optional(found: LineEntities, fields: Fields) -> LineEntities:
    span = "lists of start and end, or null"
    return found._replace(
        attributes=_read_mention_values(fields, "mention_attributes", found.sizes, _is_object, "objects with strings"),
        entity_attributes=_read_entity_attributes(fields, len(found.sizes)),
        heads=_read_mention_values(fields, "mention_heads", found.sizes, _is_span, span),
        minimums=_read_mention_values(fields, "mention_minimums", found.sizes, _is_span, span),
    )


def _drop_empty(found: LineEntities) -> LineEntities:
    return found._replace(
        names=list(compress(found.names, found.sizes)),
        sizes=[size for size in found.sizes if size],
        empty=[name for name, size in zip(found.names, found.sizes, strict=True) if not size],
        entity_attributes=list(compress(found.entity_attributes, found.sizes)),
    )


def _measure(listed: Any, field: str) -> list[int]:
    if not isinstance(listed, list) or not set(map(type, listed)) <= {list}:
        wrong = listed if not isinstance(listed, list) else next(each for each in listed if type(each) is not list)
        raise LineError(f"{field!r} has {show_value(wrong)}", "a list of entities, each a list of mentions")
    return list(map(len, listed))


@lru_cache(maxsize=256)
def _list_numbers(count: int) -> Sequence[str]:
    return tuple(map(str, range(count)))


def _read_names(fields: Fields, count: int) -> Sequence[str]:
    names = fields.get("entity_names")
    if names is None:
        return _list_numbers(count)
    if not isinstance(names, list) or len(names) != count or not set(map(type, names)) <= {str}:
        raise LineError(f"'entity_names' is {show_value(names)}", f"a list of {count} strings, one for each entity")
    if len(set(names)) < count:
        raise LineError("'entity_names' has a name twice", "different names")
    return names


def _transpose(mentions: list[Any], numbers: int) -> Sequence[Sequence[int]] | None:
    """The first numbers of all mentions, the second ones, and so on, if all are integers and no number is missing."""
    if not mentions:
        return [()] * numbers
    try:
        columns = list(zip(*mentions, strict=True)) if numbers > 1 else [mentions]
    except (TypeError, ValueError):
        return None
    if len(columns) != numbers or not all(set(map(type, column)) == _INTEGERS for column in columns):
        return None
    return [_pack(column) for column in columns]


def _pack(column: Sequence[int]) -> Sequence[int]:
    """A column without the objects, which would take up the memory between those that can be freed."""
    try:
        return array("q", column)
    except OverflowError:
        wrong = next(number for number in column if not -(2**63) <= number < 2**63)
        raise LineError(f"{show_value(wrong)} in a mention", "numbers of words or characters") from None


def _simplify(mention: Any) -> Any:
    """An object with start and end as a list of the two."""
    if isinstance(mention, dict) and {"start", "end"} <= mention.keys():
        return [mention["start"], mention["end"]]
    return mention


def _find_irregular(mentions: list[Any], owners: Iterator[str], numbers: int) -> Iterator[LineError]:
    for mention, owner in zip(mentions, owners, strict=True):
        if _transpose([mention], numbers) is None:
            yield LineError(
                f"{show_value(mention)}, a mention of entity {owner!r}", _FORMS[numbers], _suggest(mention, numbers)
            )


def _suggest(mention: Any, numbers: int) -> str:
    if numbers == 2 and type(mention) is int:
        return "entities are lists of mentions, and these are lists of two integers"
    if numbers == 2 and isinstance(mention, list) and len(mention) == 3:
        return "sentence, start and end are read from a field 'mention_clusters'"
    return ""


def _convert_to_document(columns: Sequence[Sequence[int]], fields: Fields) -> tuple[list[int], list[int]]:
    """Sentence, start and end as start and end in the document."""
    lengths = measure_sentences(fields)
    before = np.cumsum([0, *lengths]).tolist()
    for sentence, start, end in zip(*columns, strict=True):
        if not 0 <= sentence < len(lengths) or not 0 <= start < end <= lengths[sentence]:
            raise LineError(f"mention {[sentence, start, end]} is not within a sentence", _FORMS[3])
    starts, ends = ([before[s] + n for s, n in zip(columns[0], column, strict=True)] for column in columns[1:])
    return starts, ends


def _read_entity_attributes(fields: Fields, count: int) -> Sequence[Attributes]:
    listed = fields.get("entity_attributes")
    if listed is None:
        return ()
    if not isinstance(listed, list) or len(listed) != count or not all(map(_is_object, listed)):
        raise LineError(
            f"'entity_attributes' is {show_value(listed)}", f"{count} objects with strings, one for each entity"
        )
    return listed


def _read_mention_values(fields: Fields, field: str, sizes: Sequence[int], fits: Any, expected: str) -> list[Any]:
    """A list for every mention of every entity, one after another."""
    listed = fields.get(field)
    if listed is None:
        return []
    if not isinstance(listed, list) or not set(map(type, listed)) <= {list} or list(map(len, listed)) != list(sizes):
        raise LineError(
            f"{field!r} is {show_value(listed)}", "a list for each entity with as many entries as it has mentions"
        )
    found = list(chain.from_iterable(listed))
    if not all(map(fits, found)):
        raise LineError(f"{field!r} has {show_value(next(each for each in found if not fits(each)))}", expected)
    return found


def _is_object(value: Any) -> bool:
    return type(value) is dict and set(map(type, value.values())) <= {str}


def _is_span(value: Any) -> bool:
    return value is None or _transpose([value], 2) is not None
