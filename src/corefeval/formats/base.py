"""What a format is: a module (or any object) with these names. Third parties add theirs under `corefeval.formats`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping, Sequence

    from corefeval.corpus.corpus import Corpus


class File(NamedTuple):
    """The content of a file, its name for messages, and the name of a document that the file does not name."""

    name: str
    data: bytes
    document: str
    beside: Callable[[str], bytes | None]
    """The content of the file of the same name with another suffix, such as ".txt", if there is one."""


class Everything:
    """Contains any name."""

    def __contains__(self, name: object) -> bool:
        return True


EVERYTHING = Everything()


class Capacity(NamedTuple):
    """What a format can carry.

    units: what spans may count, the first one preferred: "word", "character", or "label" for mentions without place.
    words: the words or the running text themselves.
    blanks: which blanks words may have in them: "any", "spaces", or "none".
    names: names of entities.
    empty: documents without mentions.
    attributes, entity_attributes, relations, layers: the names or kinds of them that it has a place for.
    discontinuous: which mentions may have gaps: "any", "none", or "apart", those whose parts do not lie among the parts
        of another such mention of their entity.
    document_names: how it spells names of documents, where it cannot have any.
    crossing: which mentions may overlap without one being within the other: "any", those of "other" entities, "none".
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
    """A way to write a corpus in a file."""

    TITLE: str
    """What the format is, in a line."""

    EXAMPLE: str
    """Three lines or so."""

    SUFFIXES: tuple[str, ...]
    """How names of such files may end, the usual one first; decides where content leaves several formats possible."""

    COMPANIONS: tuple[str, ...]
    """How names of files end that only go with another one (".txt" beside ".ann"), and are not read by themselves."""

    CAPACITY: Capacity | None
    """What it can carry when written; None if it is read only, and then there is no `write`."""

    def recognise(self, beginning: bytes) -> str:
        """Why a file that begins so is in this format, in a few words; "" if it is not."""
        ...

    def read(self, file: File, **options: str) -> Corpus:
        """Read a file; raises InputError with every fault in it."""
        ...

    def write(self, corpus: Corpus, **options: str) -> bytes | Mapping[str, bytes]:
        """The corpus, which is within the format's capacity, as a file, or as files by name.

        A format of several kinds of files sets BY_SUFFIX = True, and is told the target's suffix as an option.
        """
        ...
