"""The way from objects of other libraries to a corpus, which every adapter takes.

An adapter says where the words and the entities of one object are; which objects there are, what their documents are
called, and what is wrong with them is found here.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from corefeval.adapters import find_adapter
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.from_python import is_list
from corefeval.corpus.mentions import Pieces, get_runs
from corefeval.errors import Fault, InputError
from corefeval.formats.draft import Draft

Span = tuple[int, int]

_SHOWN = 60  # characters of an object that a message quotes


class DocumentReader:
    """One object on its way into a draft: the name of its document, its words and entities, and their faults."""

    def __init__(self, draft: Draft, given: str | None, place: str) -> None:
        self.draft, self.given = draft, given
        self.name = place if given is None else given

    def suggest_name(self, name: object) -> None:
        """Set the document's name to this one, unless it is None or "", or the caller has given another name."""
        if self.given is None and name is not None and name != "":
            self.name = str(name)

    def add_document(self, **content: Any) -> None:
        """Add a document to the draft and set it as `document`; parameters are those of `Draft.add_document`."""
        self.document = self.draft.add_document(self.name, **content)

    def add_fault(self, what: str, expected: str, hint: str = "", *, kind: str = "syntax") -> None:
        """Add a fault to the draft, with the document's name in front of it."""
        self.draft.add_fault(None, f"document {self.name!r}: {what}", expected, hint, kind=kind)

    def read_list(self, what: str, value: object, expected: str = "a list") -> list[object]:
        """Return the entries of a list or the like; for anything else add a fault, and return an empty list."""
        if is_list(value):
            return list(value)
        self.add_fault(f"{what} {quote_object(value)}", expected)
        return []

    def read_words(self, value: object) -> list[str] | None:
        """Return a list, or the like, of strings as a list; for anything else add a fault, and return None."""
        entries = list(value) if is_list(value) else [None]
        words = [word for word in entries if isinstance(word, str)]
        if len(words) == len(entries):
            return words
        self.add_fault(f"the words are {quote_object(value)}", "a list of strings")
        return None

    def add_entity(
        self,
        name: str,
        mentions: object,
        locate: Callable[[Any], Span | Pieces | None],
        expected: str,
        find_head: Callable[[Pieces], Span | None] | None = None,
    ) -> None:
        """Add an entity with those of its mentions that `locate` finds in the text; add a fault for each other one."""
        self.document.describe_entity(name)
        for mention in self.read_list(f"entity {name} is", mentions, "a list of mentions"):
            place = locate(mention)
            if place is None:
                what = f"a mention of entity {name} is {quote_object(mention)}"
                self.add_fault(what, expected, kind="mention-outside")
            else:
                head = None if find_head is None else find_head(get_runs(place))
                self.document.add_mention(name, place, head=head)

    def add_entities(self, entities: object, count: int, locate: Callable[..., Span | None]) -> None:
        """Add entities with mentions of `count` integers, by `locate` as (first, last); faults or notices for others.

        A mention that is None, or has None in it, is one that a system found outside the text, and is left out.
        """
        for number, entity in enumerate(self.read_list("the entities are", entities, "a list of entities")):
            name = str(number)
            self.document.describe_entity(name)
            for mention in self.read_list(f"entity {name} is", entity, "a list of mentions"):
                if mention is None or (isinstance(mention, list | tuple) and None in mention):
                    message = f"a mention of entity {name} has no place in the text and is left out"
                    where = f"document {self.name!r}: "
                    self.draft.add_notice("no-place", None, where + message, document=self.name, entity=name)
                    continue
                numbers = read_integers(mention, count)
                span = None if numbers is None else locate(*numbers)
                if numbers is None:
                    self.add_fault(f"a mention of entity {name} is {quote_object(mention)}", f"{count} integers")
                elif span is None:
                    what = f"a mention of entity {name} is {list(numbers)}, which is not within its sentence"
                    self.add_fault(what, "sentence, first and last word, counted from 0", kind="mention-outside")
                else:
                    self.document.add_mention(name, span)


Adder: TypeAlias = Callable[[DocumentReader, Any], None]
"""Adds the document, or documents, that an object of some library is."""


def build_corpus(adapter: str, library: str, objects: object, add: Adder) -> Corpus:
    """Return the corpus of one object, several, or {name: object}, each read by `add`; InputError with all faults."""
    draft = Draft(library)
    for name, place, each in _list_documents(adapter, library, objects):
        reader = DocumentReader(draft, name, place)
        if find_adapter(each) == adapter:
            add(reader, each)
        else:
            what = f"document {reader.name!r} is {quote_object(each)}"
            draft.add_fault(None, what, f"what {library} gives", kind="other-object")
    return draft.build_corpus()


def _list_documents(adapter: str, library: str, objects: object) -> Iterator[tuple[str | None, str, object]]:
    """Yield (given name or None, number in a list or "", object) for every object; InputError for anything else."""
    if find_adapter(objects) == adapter:
        yield None, "", objects
    elif isinstance(objects, Mapping):
        yield from ((str(name), "", each) for name, each in objects.items())
    elif is_list(objects):
        yield from ((None, str(number), each) for number, each in enumerate(objects))
    else:
        raise InputError(Fault(library, f"it is {quote_object(objects)}", f"what {library} gives, or several of it"))


def quote_object(value: object) -> str:
    """Return an object as a message quotes it: the beginning of its repr, and its type in brackets."""
    text = repr(value)
    return f"{text if len(text) <= _SHOWN else text[: _SHOWN - 3] + '...'} ({type(value).__name__})"


def read_integer(value: object) -> int | None:
    """Return an integer of Python, NumPy or another library as an int; None for anything else."""
    try:
        return None if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def read_integers(value: object, count: int) -> tuple[int, ...] | None:
    """Return a list of exactly `count` integers as a tuple of ints; None for anything else."""
    numbers = tuple(map(read_integer, value)) if is_list(value) else ()
    return numbers if len(numbers) == count and None not in numbers else None  # type: ignore[return-value]
