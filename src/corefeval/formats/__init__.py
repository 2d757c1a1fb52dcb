"""File formats, one file each."""

from __future__ import annotations

from os import PathLike, fspath
from typing import TYPE_CHECKING, TypeAlias

from corefeval.corpus import Corpus
from corefeval.errors import Fault, InputError
from corefeval.formats import conll, files

if TYPE_CHECKING:
    from collections.abc import Iterator

Location: TypeAlias = "str | PathLike[str]"


def read(source: Location) -> Corpus:
    """Read a file, a directory of files, or standard input (`-`); gzip is seen by itself."""
    name = fspath(source)
    parts: list[Corpus] = []
    faults: list[Fault] = []
    more = 0
    for path in files.below(name):
        try:
            parts.append(conll.read(files.content(path), path))
        except InputError as error:
            faults.extend(error.faults)
            more += error.more
    faults.extend(_same_names([(part.source, document) for part in parts for document in part.documents]))
    if faults:
        raise InputError(faults, more=more)
    if not parts:
        raise InputError(Fault(name, "an empty directory", "files in a known format"))
    named_itself = len(parts) == 1 and parts[0].source in (name, files.STANDARD_INPUT)
    return parts[0] if named_itself else Corpus.joined(parts, source=name)


def write(corpus: Corpus, target: Location) -> None:
    """Write a corpus to a file; a name that ends in .gz is compressed, `-` is standard output."""
    from corefeval.formats import conll_writer  # noqa: PLC0415 - most runs write nothing

    files.store(fspath(target), conll_writer.write(corpus))


def _same_names(documents: list[tuple[str, str]]) -> Iterator[Fault]:
    """The same name in two files; within one file the reader has seen to it, with the line."""
    first: dict[str, str] = {}
    for path, name in documents:
        if name in first:
            what = f"document {name!r} is also in {first[name]}"
            yield Fault(path, what, "every document once", "remove one of them")
        first.setdefault(name, path)
