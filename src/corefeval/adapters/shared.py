"""What the adapters share: which objects are documents, what they are called, and entities as lists of numbers."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple, SupportsIndex, TypeAlias, TypeGuard

from corefeval.adapters import find_adapter
from corefeval.errors import Fault, InputError
from corefeval.formats.draft import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefeval.corpus.corpus import Corpus
    from corefeval.formats.draft import DocumentDraft

    Span = tuple[int, int]

_SHOWN = 60  # characters of an object that a message quotes


class DocumentName(NamedTuple):
    """What a document may be called: as the caller says, or by its place among others."""

    given: str | None
    place: str

    def choose(self, own: object) -> str:
        """The name that was given, else the object's own, else its place."""
        if self.given is not None:
            return self.given
        return self.place if own is None or own == "" else str(own)


Adder: TypeAlias = Callable[[Draft, DocumentName, object], None]
"""Adds the document that an object is to a draft."""


def build_corpus(kind: str, source: str, objects: object, add: Adder) -> Corpus:
    """The corpus of one object, of a list or other iterable of them, or of {name: object}."""
    draft = Draft(source)
    for name, each in _list_documents(kind, source, objects):
        if find_adapter(each) == kind:
            add(draft, name, each)
        else:
            where = name.choose(None)
            draft.add_fault(
                None, f"document {where!r} is {quote_object(each)}", f"what {source} gives", kind="other-object"
            )
    return draft.build_corpus()


def _list_documents(kind: str, source: str, objects: object) -> Iterator[tuple[DocumentName, object]]:
    if find_adapter(objects) == kind:
        yield DocumentName(None, ""), objects
    elif isinstance(objects, Mapping):
        yield from ((DocumentName(str(name), ""), each) for name, each in objects.items())
    elif is_list(objects):
        yield from ((DocumentName(None, str(number)), each) for number, each in enumerate(objects))
    else:
        raise InputError(Fault(source, f"it is {quote_object(objects)}", f"what {source} gives, or several of it"))


def is_list(value: object) -> TypeGuard[Iterable[object]]:
    """Whether a value is a list or the like, not text."""
    return type(value) is list or (isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping))


def quote_object(value: object) -> str:
    """An object as a message quotes it."""
    text = repr(value)
    return f"{text if len(text) <= _SHOWN else text[: _SHOWN - 3] + '...'} ({type(value).__name__})"


def read_words(draft: Draft, name: str, value: object) -> list[str] | None:
    """A list of words; anything else is a fault."""
    found = list(value) if is_list(value) else [None]
    texts = [word for word in found if isinstance(word, str)]
    if len(texts) == len(found):
        return texts
    draft.add_fault(None, f"document {name!r}: the words are {quote_object(value)}", "a list of strings")
    return None


def read_integer(value: object) -> int | None:
    """An integer of Python, NumPy or another library; None for anything else."""
    if type(value) is int:
        return value
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def read_integers(value: object, count: int) -> tuple[int, ...] | None:
    """So many integers; None for anything else."""
    if not is_list(value):
        return None
    found = tuple(value)
    numbers = found if all(type(each) is int for each in found) else tuple(map(read_integer, found))
    return numbers if len(numbers) == count and None not in numbers else None  # type: ignore[return-value]


def add_entities(
    draft: Draft, document: DocumentDraft, entities: object, count: int, span: Callable[..., Span | None]
) -> None:
    """Entities that are lists of mentions, each of so many numbers; `span` makes first and last of them, if it can.

    A mention that is None, or has None in it, is one that a system found outside the text, and is left out.
    """
    where = f"document {document.name!r}"
    if not is_list(entities):
        draft.add_fault(None, f"{where}: the entities are {quote_object(entities)}", "a list of entities")
        return
    for number, entity in enumerate(entities):
        if not is_list(entity):
            draft.add_fault(None, f"{where}: entity {number} is {quote_object(entity)}", "a list of mentions")
            continue
        document.describe_entity(str(number))
        for mention in entity:
            if mention is None or (isinstance(mention, list | tuple) and None in mention):
                message = f"{where}: a mention of entity {number} has no place in the text and is left out"
                draft.add_notice("no-place", None, message, document=document.name, entity=str(number))
                continue
            numbers = read_integers(mention, count)
            if numbers is None:
                draft.add_fault(
                    None, f"{where}: a mention of entity {number} is {quote_object(mention)}", f"{count} integers"
                )
                continue
            found = span(*numbers)
            if found is None:
                what = f"{where}: a mention of entity {number} is {list(numbers)}, which is not within its sentence"
                draft.add_fault(None, what, "sentence, first and last word, counted from 0", kind="mention-outside")
                continue
            document.add_mention(str(number), found)
