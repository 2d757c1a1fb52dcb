"""What a format is: a module (or any object) with the names of `Format`.

Built-in formats are modules of this folder, named in `registry.BUILT_IN`; other packages add theirs by entry points of
the group `corefeval.formats`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Mapping, Sequence
from typing import Any, Protocol

from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.formats.shared.files import read_if_present
from corefeval.formats.shared.segments import LineMap


class PartOfFiles(NamedTuple):
    """What is known of the files that some documents come from.

    lines: which lines of which files they are. layout: what the format's `find_layout` says of the files' beginnings,
    all alike.
    """

    lines: LineMap
    layout: Any


class File(NamedTuple):
    """A file to read, whose content is already in memory.

    name: for messages.
    document: how to name a document that the file leaves unnamed.
    beside: returns the content of the file of the same name with another suffix, such as ".txt", or None.
    elsewhere: returns the content of the file with another path, in the same archive if this one is in one, or None.
    side: what the file is read as: "key", "response", or "" where that is not known.
    part: what a reader must know of the files that these are documents of; None for a whole file.
    """

    name: str
    data: bytes
    document: str
    beside: Callable[[str], bytes | None]
    elsewhere: Callable[[str], bytes | None] = read_if_present
    side: str = ""
    part: PartOfFiles | None = None

    @property
    def lines(self) -> LineMap | None:
        """Where the lines come from, if not from the beginning of this one file; else None."""
        return None if self.part is None else self.part.lines


class Everything:
    """A container of all names."""

    def __contains__(self, name: object) -> bool:
        return True


EVERYTHING = Everything()


class Capacity(NamedTuple):
    """What a format can hold. A corpus is cut down to this before it is written, with a notice for all that is lost.

    units: what spans may count, the preferred one first: "word", "character", or "label" for mentions without spans.
    words: the words or the running text.
    blanks: which blanks may occur within words: "any", "all but NUL" ("no NUL": nor in running text), "spaces",
        or "none"; with these two, no word may be empty. Other control characters, and no-break spaces, are no blanks.
    names: names of entities.
    empty: documents without mentions.
    discontinuous: which mentions may have gaps: "any", "none", "apart" (no two such mentions of an entity whose
        parts interleave), "blanks" (any, but gaps of nothing but blanks are none), or "head" (none, but the part with
        the head, or else the first one, stands for a mention).
    crossing: which mentions may cross another one (overlap without containing it): "any", those of "other" entities,
        or "none".
    attributes, entity_attributes, relations, layers: the names or kinds that the format can hold.
    document_names: respells the names of documents, for a format that cannot spell all.
    labels: returns what a label is when it is read back, for a format that does not tell types apart.
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
    labels: Callable[[Hashable], Hashable] | None = None


class Mark(NamedTuple):
    """Where something begins or ends among the lines of a file that tells documents apart.

    kind: "document", with its name ("" if it has none); "fault", a document that cannot be read; "end" of a document;
    or "lead", a line, `text` in Latin-1, that holds for all documents after it.
    """

    place: int
    kind: str
    text: str = ""


class Format(Protocol):
    """A file format; its module's docstring is its documentation."""

    TITLE: str
    """One line that says what the format is."""

    EXAMPLE: str
    """About three lines of a file."""

    SUFFIXES: tuple[str, ...]
    """How file names end, the usual suffix first; decides where the content fits several formats."""

    COMPANIONS: tuple[str, ...]
    """Suffixes of files that only accompany another one (".txt" beside ".ann") and are not read on their own.

    In a format that has such files, all suffixes begin with a dot.
    """

    CAPACITY: Capacity | None
    """What the format can hold; None if it is read only, and then there is no `write`."""

    def recognise(self, beginning: bytes) -> str:
        """Return in a few words why a file with these first bytes is in this format; "" if it is not."""
        ...

    def read(self, file: File, **options: str) -> Corpus:
        """Return the corpus of a file whose content is in memory; raises InputError with all faults in it.

        Options that have other names, too, are said in OPTION_NAMES = {other name: option}.
        """
        ...

    # A format whose files can be read in parts, some whole documents at a time, has two functions more.
    # `find_layout(beginning)` returns what decides on how all lines of a file are read, given its first bytes, or None
    # if the file must be read as a whole; `mark_documents(block)` yields the `Mark`s of some whole lines, in order.
    # NOTICE_JOINERS = {kind: function} makes one notice of those of parts that count lines or documents of a file.
    # DOCUMENTS_END = True says that every document has a mark at its end, without which it may be truncated.
    # Its `read` takes a `File` that has a `part`. It may have a third, `find_only_document(data)`: it returns at once
    # the name and the layout of the document that is all of a small file, or None if that takes a closer look, as it
    # does for all files that another format would be asked about first.

    # A format with a suffix that other files have, such as ".md", sets BY_CONTENT = True: a name is not enough.
    # A format whose names of entities mean the same in all documents reads a corpus with shared_names=True, and one
    # whose labels are records, where it names no documents, with of_records=True.
    # A format whose names of entities may mean the same in several documents has `advise_across_documents(corpus)`: it
    # returns how to score across documents, which a notice says where names recur, or "" for a corpus without such.

    # A format of texts that models write, who may have changed the words, has GENERATED = True: mentions are carried
    # over by letters even where a document has as many words as in the key.
    # A format whose files hold the work of several annotators has `list_annotators(file)`: it returns their names, and
    # `read` has an option `annotator`. One whose files others accompany that are called otherwise has
    # `find_companions(paths)` and a line in `registry.PROJECTS`.

    def write(self, corpus: Corpus, **options: str) -> bytes | Mapping[str, bytes]:
        """Return the bytes of a file with the corpus, which is within the format's capacity; of several files, by name.

        A format of several kinds of files sets BY_SUFFIX = True, and gets the target's suffix as the option `suffix`.
        """
        ...
