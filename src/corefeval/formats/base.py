"""What a format is: a module (or any object) with the names of `Format`.

Built-in formats are modules of this folder, named in `registry.BUILT_IN`; other packages add theirs by entry points of
the group `corefeval.formats`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from corefeval.corpus.corpus import Corpus


@dataclass(frozen=True, slots=True)
class File:
    """A file to read.

    name: for messages.
    document: how to name a document that the file leaves unnamed.
    beside: returns the content of the file of the same name with another suffix, such as ".txt", or None.
    """

    name: str
    data: bytes
    document: str
    beside: Callable[[str], bytes | None]


class Everything:
    """A container of all names."""

    def __contains__(self, name: object) -> bool:
        return True


EVERYTHING = Everything()


@dataclass(frozen=True, slots=True)
class Capacity:
    """What a format can hold. A corpus is cut down to this before it is written, with a notice for all that is lost.

    units: what spans may count, the preferred one first: "word", "character", or "label" for mentions without spans.
    words: the words or the running text.
    blanks: which blanks may occur within words: "any", "spaces", or "none".
    names: names of entities.
    empty: documents without mentions.
    discontinuous: which mentions may have gaps: "any", "none", or "apart" (no two such mentions of an entity whose
        parts interleave).
    crossing: which mentions may cross another one (overlap without containing it): "any", those of "other" entities,
        or "none".
    attributes, entity_attributes, relations, layers: the names or kinds that the format can hold.
    document_names: respells the names of documents, for a format that cannot spell all.
    """

    units: tuple[str, ...] = ("word",)
    words: bool = True
    blanks: str = "any"
    names: bool = True
    empty: bool = True
    sentences: bool = False
    discontinuous: str = "none"
    crossing: str = "any"
    zeros: bool = False
    heads: bool = False
    minimums: bool = False
    attributes: Container[str] = ()
    entity_attributes: Container[str] = ()
    relations: Container[str] = ()
    layers: Container[str] = ()
    document_names: Callable[[Sequence[str]], list[str]] | None = None


class Format(Protocol):
    """A file format; its module's docstring is its documentation."""

    TITLE: str
    """One line that says what the format is."""

    EXAMPLE: str
    """About three lines of a file."""

    SUFFIXES: tuple[str, ...]
    """How file names end, the usual suffix first; decides where the content fits several formats."""

    COMPANIONS: tuple[str, ...]
    """Suffixes of files that only accompany another one (".txt" beside ".ann") and are not read on their own."""

    CAPACITY: Capacity | None
    """What the format can hold; None if it is read only, and then there is no `write`."""

    def recognise(self, beginning: bytes) -> str:
        """Return why a file with this beginning is in this format, in a few words; "" if it is not."""
        ...

    def read(self, file: File, **options: str) -> Corpus:
        """Read a file; raises InputError with all faults in it."""
        ...

    def write(self, corpus: Corpus, **options: str) -> bytes | Mapping[str, bytes]:
        """Return a corpus that is within the format's capacity as a file, or as several files by name.

        A format of several kinds of files sets BY_SUFFIX = True, and gets the target's suffix as the option `suffix`.
        """
        ...
