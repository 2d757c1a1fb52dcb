"""File formats, one file each."""

from __future__ import annotations

from os import PathLike, fspath
from typing import TypeAlias

from corefeval.corpus import Corpus
from corefeval.errors import Fault, InputError
from corefeval.formats import conll, files

Location: TypeAlias = "str | PathLike[str]"


def read(source: Location) -> Corpus:
    """Read a file, a directory of files, or standard input (`-`); gzip is seen by itself."""
    name = fspath(source)
    found = files.contents(name)
    parts = [conll.read(data, path) for path, data in found]
    if not parts:
        raise InputError(Fault(name, "an empty directory", "files in a known format"))
    corpus = parts[0] if len(parts) == 1 else Corpus.joined(parts, source=name)
    _refuse_same_names([(part.source, document) for part in parts for document in part.documents])
    return corpus


def write(corpus: Corpus, target: Location) -> None:
    """Write a corpus to a file; a name that ends in .gz is compressed, `-` is standard output."""
    from corefeval.formats import conll_writer  # noqa: PLC0415 - most runs write nothing

    files.store(fspath(target), conll_writer.write(corpus))


def _refuse_same_names(documents: list[tuple[str, str]]) -> None:
    """The same name in two files; within one file the reader has seen to it, with the line."""
    first: dict[str, str] = {}
    faults = []
    for path, name in documents:
        if name in first:
            faults.append(
                Fault(path, f"document {name!r} is also in {first[name]}", "every document once", "remove one of them")
            )
        first.setdefault(name, path)
    if faults:
        raise InputError(faults)
