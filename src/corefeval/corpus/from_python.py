"""The columns of a corpus from what people have in memory: lists of entities, or arrays of labels."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

from corefeval._arrays import Ints, invert_permutation, np, number_by_first_occurrence
from corefeval._lazy import NamedTuple
from corefeval.corpus.mentions import Labels, MentionColumn, Objects
from corefeval.errors import Fault, InputError
from corefeval.notices import Notice, count_things

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


Entities: TypeAlias = "Iterable[Iterable[object]]"
"""Entities of mentions, which are hashable, or lists or rows of arrays."""


class Columns(NamedTuple):
    """Names of documents; of entities, their documents and names; of mentions, their entities and what they are."""

    documents: tuple[str, ...]
    entity_document: Ints
    entity_name: Sequence[object]
    entity: Ints
    mentions: MentionColumn


_PLAIN = frozenset({list, tuple, set, frozenset})  # what entities mostly are, and what needs no further look
_USUAL_MENTIONS = frozenset({tuple, str, int})


def build_from_entities(documents: Mapping[str, Entities], source: str) -> tuple[Columns, tuple[Notice, ...]]:
    """Return a corpus's columns from its entities, and notices of empty ones left out; InputError if one is no list."""
    listed: list[Any] = []
    sizes: list[int] = []
    entity_document: list[int] = []
    entity_name: list[int] = []
    notices = []
    source = source or "input"
    for number, (document, entities) in enumerate(documents.items()):
        if not is_list(entities):
            what = f"document {document!r} is a {type(entities).__name__}"
            expected = "a list of entities, each a list of mentions"
            raise InputError(Fault(source, what, expected, "several documents go into a dict: {document: entities}"))
        found: Any = entities if type(entities) in _PLAIN else list(entities)
        if _PLAIN.issuperset(map(type, found)) and all(found):
            listed += chain.from_iterable(found)
            sizes += map(len, found)
            entity_document += [number] * len(found)
            entity_name += range(len(found))
            continue
        where = f" of document {str(document)!r}" if document else ""
        for place, entity in enumerate(found):
            if not is_list(entity):
                what = f"entity {place}{where} is a {type(entity).__name__}: {entity!r}"
                raise InputError(Fault(source, what, "a list, set or tuple of mentions"))
            before = len(listed)
            listed.extend(entity)
            if len(listed) > before:
                sizes.append(len(listed) - before)
                entity_document.append(number)
                entity_name.append(place)
            else:
                what = f"entity {place}{where} has no mentions and is left out"
                details = {"document": str(document), "entity": place}
                notices.append(Notice.at("empty-entity", source, None, what, details))
    names = tuple(map(str, documents))
    if len(names) > 1:
        _check_names(names, source)
    columns = Columns(
        names,
        np.array(entity_document, dtype=np.int64) if len(names) > 1 else np.zeros(len(sizes), dtype=np.int64),
        entity_name,
        np.arange(len(sizes)).repeat(sizes),
        Objects(_convert_lists(listed, source)),
    )
    return columns, tuple(notices)


def _convert_lists(mentions: list[Any], source: str) -> list[Hashable]:
    """Return mentions with lists and rows of arrays, such as [0, 1], as tuples; InputError for lists of lists."""
    kinds = set(map(type, mentions))
    if kinds <= _USUAL_MENTIONS:
        return mentions
    listed = {kind for kind in kinds if kind is list or _is_array(kind)}
    if not listed:
        return mentions
    found: list[Hashable] = []
    for mention in mentions:
        if type(mention) in listed:
            parts = mention if type(mention) is list else mention.tolist()
            if isinstance(parts, list) and any(
                isinstance(part, list | tuple) or _is_array(type(part)) for part in parts
            ):
                what = f"a mention is a list of lists: {mention!r}"
                hint = (
                    "several documents go into a dict, {document: entities}; a mention in pieces is a tuple of tuples"
                )
                raise InputError(Fault(source, what, "a mention such as [0, 1]", hint))
            mention = tuple(parts) if isinstance(parts, list) else parts  # noqa: PLW2901
        found.append(mention)
    return found


def _is_array(kind: type) -> bool:
    """Return whether values of a class are arrays, of NumPy or another library, and no single numbers."""
    return hasattr(kind, "tolist") and hasattr(kind, "ndim") and not issubclass(kind, np.generic)


def build_from_labels(mention: ArrayLike, entity: ArrayLike, document: ArrayLike | None) -> Columns:
    """Return a corpus's columns from arrays: row i puts mention[i] into entity[i] of document[i], or of document ""."""
    mention_label = _read_labels("mention", mention)
    entity_name, row_entity = number_by_first_occurrence(_read_labels("entity", entity, len(mention_label)))
    entity_document = np.zeros(len(entity_name), dtype=np.int64)
    names: tuple[str, ...] = ("",)
    if document is not None:
        found, row_document = number_by_first_occurrence(_read_labels("document", document, len(mention_label)))
        names = tuple(str(name) for name in found.tolist())
        _check_names(names, "labels")
        width = max(1, len(entity_name))
        pairs, row_entity = number_by_first_occurrence(row_document * width + row_entity)
        order = np.argsort(pairs // width, kind="stable")
        row_entity = invert_permutation(order)[row_entity]
        entity_document, entity_name = pairs[order] // width, entity_name[pairs[order] % width]
    return Columns(names, entity_document, entity_name, row_entity, Labels(mention_label))  # type: ignore[arg-type]


def is_list(value: object) -> TypeGuard[Iterable[object]]:
    """Return whether a value can be iterated over and is neither text, bytes nor a mapping."""
    return type(value) in _PLAIN or (isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping))


def _check_names(names: Sequence[str], source: str) -> None:
    """Raise an InputError if two documents have the same name."""
    if len(set(names)) < len(names):
        raise InputError(Fault(source, "two documents have the same name when written as text"))


def _read_labels(name: str, values: ArrayLike, count: int | None = None) -> NDArray[Any]:
    """Return labels as an array of integers or strings; InputError if they are not such, or not a column of `count`."""
    if np.ma.is_masked(values):
        raise InputError(Fault("labels", f"{name} has masked values", "a label for every row", "drop those rows first"))
    try:
        labels = np.asarray(values)
    except ValueError as error:
        raise InputError(Fault("labels", f"{name} is not a column ({error})", "one dimension")) from None
    if labels.ndim != 1:
        raise InputError(Fault("labels", f"{name} has {labels.ndim} dimensions", "one"))
    if labels.dtype.kind == "O" or (labels.dtype.kind == "U" and not hasattr(values, "dtype")):
        labels = _read_objects(name, list(values))  # type: ignore[arg-type]
    if labels.dtype.kind == "b" or (labels.dtype.kind in "iu" and (labels.size == 0 or labels.max() < 2**63)):
        labels = labels.astype(np.int64, copy=False)
    if labels.dtype.kind not in "iuUST":
        if len(labels):
            raise InputError(Fault("labels", f"{name} is of type {labels.dtype}", "integers or strings"))
        labels = labels.astype(np.int64)
    if count is not None and len(labels) != count:
        raise InputError(
            Fault(
                "labels",
                f"{count_things(count, 'mention')} but {count_things(len(labels), 'label')} for {name}",
                "one for each",
            )
        )
    return labels


def _read_objects(name: str, entries: list[Any]) -> NDArray[Any]:
    """Return objects as an array if all are integers or all strings; raise an InputError otherwise."""
    kinds = {str if issubclass(kind, str) else kind for kind in map(type, entries)}
    if kinds <= {int} or kinds == {str}:
        return np.array(entries, dtype=None if entries else np.int64)
    described = ", ".join(sorted(kind.__name__ for kind in kinds))
    raise InputError(Fault("labels", f"{name} mixes {described}", "integers or strings", "drop missing values first"))
