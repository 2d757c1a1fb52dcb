"""Files read in parts: which documents there are and where, in one pass over the bytes, and the corpus of some of them.

An index is small: a name and a place for each document. What must be known of a whole file to read a part of it is
found out on the way; where that is too much, a WholeCorpusError says why.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from corefeval import formats, plugins
from corefeval._lazy import cached
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.limits import refuse_far_offsets
from corefeval.errors import Fault, InputError, WholeCorpusError, decode_escaped_bytes
from corefeval.formats import registry
from corefeval.formats.base import File, PartOfFiles
from corefeval.formats.shared import files
from corefeval.formats.shared.segments import IndexedDocument, IndexedDocuments, join_contents
from corefeval.notices import Notice, report_progress

_BLOCK = 1 << 20  # bytes of a file that are looked at together
_LONGEST_READ = 1 << 30  # systems read at most twice as many bytes at a time
_SMALL = registry.BEGINNING
_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0)
_PACKED = (b"\x1f\x8b", b"PK\x03\x04")


@dataclass
class CorpusReader:
    """How the documents of a side are read.

    path: of the file or directory. spec: the format, with options, that was asked for; None if files tell.
    format: its name, "" until a file has told it. recognised: how it did.
    cache: the contents of small files, which are not read twice; other processes are not sent them.
    """

    path: str
    side: str
    spec: str | None
    is_folder: bool
    format: str = ""
    options: dict[str, str] = field(default_factory=dict)
    recognised: str = ""
    cache: dict[str, bytes] = field(default_factory=dict)

    @property
    def source(self) -> str:
        """The name of the file or directory, for messages."""
        return decode_escaped_bytes(self.path)

    @cached
    def opened(self) -> files.Source:
        """What reads files that must be read as a whole, and those beside them."""
        return files.open_source(self.path)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "opened"} | {"cache": {}}


@dataclass
class CorpusIndex:
    """The documents of a side, or of some of its files, in the order of its files.

    skipped: the files that are not read, each with the reason. notices: of these, and of plug-ins.
    file_notices: by file, those of files that can only be read as a whole.
    faults: of files that can only be read as a whole. unlisted: how many there are beyond these, by kind.
    has_repeats: whether several documents have the same name.
    """

    reader: CorpusReader
    documents: IndexedDocuments = field(default_factory=IndexedDocuments)
    skipped: dict[str, str] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)
    file_notices: dict[str, tuple[Notice, ...]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    unlisted: Counter[str] = field(default_factory=Counter)
    has_repeats: bool = False

    @property
    def source(self) -> str:
        """The name of the file or directory, for messages."""
        return self.reader.source

    @property
    def format(self) -> str:
        """The name of the format."""
        return self.reader.format


def make_reader(path: str, format: str | None, side: str) -> CorpusReader:  # noqa: A002 - the name that users expect
    """Return what reads a file or directory, in the format given; WholeCorpusError if it cannot be read in parts."""
    if not (os.path.isfile(path) or os.path.isdir(path)) or path.lower().endswith(".zip"):
        raise WholeCorpusError(f"{path}: an archive or a pipe is read as a whole")
    given, options = ("", {}) if format is None else registry.parse_spec(format)
    return CorpusReader(path, side, format, os.path.isdir(path), given, options)


def select_paths(reader: CorpusReader, listed: files.ListedFiles) -> list[str]:
    """Return the paths of the files that are read, in order; a WholeCorpusError if there are archives among them."""
    paths = [path for path in listed.paths if path not in listed.passed_over]
    for path in paths:
        if path.lower().endswith(".zip"):
            raise WholeCorpusError(f"{path}: an archive is read as a whole; unpack it")
    return list(formats.skip_companions(paths)) if reader.is_folder else paths


def index_files(
    reader: CorpusReader, paths: Sequence[str], room: int, is_large: Callable[[], bool] | None = None
) -> CorpusIndex:
    """Return the index of some files; WholeCorpusError if they cannot be read in parts.

    room: how many bytes of small files may be kept in memory, so that they are not read a second time.
    is_large: asked when a file cannot be read together with others: a WholeCorpusError if it is not; None: it is.
    """
    index = CorpusIndex(reader)
    step = f"finding the documents of {reader.path}"
    for number, path in enumerate(paths):
        report_progress(step, number, len(paths))
        try:
            room -= _add_file(index, path, room)
            if is_large is not None and index.file_notices:
                if not is_large():
                    raise WholeCorpusError(f"{path}: files in this format are read one by one")
                is_large = None
        except InputError as error:
            if reader.is_folder and [fault.kind for fault in error.faults] == ["format"]:
                index.skipped[path] = "not in a known format"
                continue
            index.faults += error.faults
            index.unlisted += error.unlisted
    index.notices += plugins.take_notices()
    return index


def join_indexes(shares: Sequence[CorpusIndex], passed_over: dict[str, str]) -> CorpusIndex:
    """Return the index of a side, given those of some of its files each, in order; its reader is the first one's.

    passed_over: paths that are not read, with what each is. A WholeCorpusError if files are in several formats; an
    InputError if there are no documents.
    """
    reader = shares[0].reader
    index = CorpusIndex(reader)
    for share in shares:
        if not reader.format:
            reader.format, reader.recognised = share.reader.format, share.reader.recognised
        if share.reader.format not in ("", reader.format):
            raise WholeCorpusError(f"{reader.path}: files in several formats ({reader.format}, {share.reader.format})")
        index.documents += share.documents
        index.skipped |= share.skipped
        index.notices += [notice for notice in share.notices if notice not in index.notices]
        index.file_notices |= share.file_notices
        index.faults += share.faults
        index.unlisted += share.unlisted
    if not index.documents:
        formats.read(reader.path, reader.spec, side=reader.side)  # an error that says what is wrong
        raise WholeCorpusError(f"{reader.path}: no documents are found")
    index.notices[:0] = formats.make_skipped_notices(index.skipped | passed_over)
    index.has_repeats = len({document.name for document in index.documents}) < len(index.documents)
    return index


def find_repeated_names(index: CorpusIndex, faulty: Collection[str]) -> list[Fault]:
    """Return a fault for every document whose name an earlier one has, in other files than faulty ones."""
    faults = _find_repeats_in_files(index)
    wrong = {*faulty, *(fault.source for fault in faults)}
    places = dict.fromkeys((decode_escaped_bytes(document.path), document.name) for document in index.documents)
    return faults + list(formats.find_repeated_names([place for place in places if place[0] not in wrong]))


def _find_repeats_in_files(index: CorpusIndex) -> list[Fault]:
    """Return the faults of documents of the same name in a file, which their format finds when it reads them together.

    A WholeCorpusError if it finds none.
    """
    alike: dict[tuple[str, str], list[IndexedDocument]] = {}
    for document in index.documents:
        alike.setdefault((document.path, document.name), []).append(document)
    faults: list[Fault] = []
    for (path, name), documents in alike.items():
        if len(documents) > 1:
            try:
                _read_group(index.reader, documents)
            except InputError as error:
                faults += error.faults
            else:
                raise WholeCorpusError(f"{path}: document {name!r} is there twice")
    return faults


def _add_file(index: CorpusIndex, path: str, room: int) -> int:
    """Add the documents of a file to the index, and a small file's content to the cache; return the bytes of that."""
    chosen: Any = registry.load_format(index.reader.format) if index.reader.format else None
    descriptor = _open_file(path)
    try:
        block = os.read(descriptor, _SMALL)  # in few steps: there may be many small files
        is_small = len(block) < _SMALL
        only = chosen.find_only_document(block) if is_small and hasattr(chosen, "find_only_document") else None
        if only is None:
            _add_documents(index, path, block, lambda: b"" if is_small else os.read(descriptor, _BLOCK))
        else:
            name, layout = only
            index.documents.append(IndexedDocument(name, path, 0, len(block), layout))
    finally:
        os.close(descriptor)
    if is_small and len(block) <= room:
        index.reader.cache[path] = block
        return len(block)
    return 0


def _open_file(path: str) -> int:
    """Return the descriptor of a file to read; an error with the words of `read` if it cannot be read."""
    try:
        return os.open(path, _READ)
    except OSError:
        files.read_bytes(path)
        raise


def _add_documents(index: CorpusIndex, path: str, block: bytes, read_more: Callable[[], bytes]) -> None:
    """Add the documents of a file to the index, given its first block and what reads the next."""
    reader = index.reader
    if block.startswith(_PACKED):
        raise WholeCorpusError(f"{path}: a packed file is read as a whole; unpack it")
    if reader.spec is None:
        name, why = registry.recognise(path, block)
        if name != reader.format and reader.format:
            raise WholeCorpusError(f"{path}: it is in another format ({name}) than other files ({reader.format})")
        reader.format, reader.recognised = name, reader.recognised or why
    chosen: Any = registry.load_format(reader.format)
    layout = chosen.find_layout(block) if hasattr(chosen, "find_layout") else None
    found = None if layout is None else _find_documents(path, chosen, layout, block, read_more)
    if found is None:
        _add_opaque_file(index, path)
    else:
        index.documents += found


def _find_documents(
    path: str, chosen: Any, layout: Any, block: bytes, read_more: Callable[[], bytes]
) -> list[IndexedDocument] | None:
    """Return the documents of a file, given its first block and what reads the next; None if they have no names."""
    if b"\0" in block:
        return None
    found: list[IndexedDocument] = []
    begin, begin_line = 0, 0  # of the document that is being looked for the end of
    name: str | None = None
    lead, lead_of_document = b"", b""
    must_end = getattr(chosen, "DOCUMENTS_END", False)
    had_end = False
    offset = lines = 0  # of the block
    while block:
        more = read_more()
        cut = block.rfind(b"\n") + 1 if more else len(block)
        if not cut:
            block += more
            continue
        place = 0
        for mark in chosen.mark_documents(block[:cut] if cut < len(block) else block):
            if mark.kind == "lead":
                lead = mark.text.encode("latin-1")
            elif mark.kind == "end":
                had_end = True
            else:
                if mark.kind == "document" and not mark.text:
                    return None
                lines += block.count(b"\n", place, mark.place)
                place = mark.place
                if name is not None:
                    if must_end and not had_end:
                        return None
                    end = offset + place
                    found.append(IndexedDocument(name, path, begin, end, layout, begin_line, lead_of_document))
                    begin, begin_line = end, lines
                    lead_of_document = lead
                had_end = False
                name = mark.text if mark.kind == "document" else f"\0{path}:{lines}"
        lines += block.count(b"\n", place, cut)
        offset += cut
        block = block[cut:] + more
    if name is None or (must_end and not had_end):
        return None
    found.append(IndexedDocument(name, path, begin, offset, layout, begin_line, lead_of_document))
    return found


def _add_opaque_file(index: CorpusIndex, path: str) -> None:
    """Add the documents of a file that is read as a whole, once for their names and notices, and later to be scored."""
    reader = index.reader
    if not reader.is_folder:
        if os.path.getsize(path) < _SMALL:
            formats.read_file(path, reader.spec, reader.opened, reader.side)  # an error if it cannot be read at all
        raise WholeCorpusError(f"{path}: documents in this format, or without names and ends, are read all at once")
    corpus = formats.read_file(path, reader.spec, reader.opened, reader.side)
    index.file_notices[path] = corpus.notices
    if corpus.unnamed:
        raise WholeCorpusError(f"{path}: documents without names are paired by their texts")
    share = os.path.getsize(path) // max(1, len(corpus.documents)) + 1
    index.documents += [IndexedDocument(name, path, 0, share) for name in corpus.documents]


def read_documents(reader: CorpusReader, documents: Sequence[IndexedDocument]) -> Corpus:
    """Return the corpus of some documents of a side, in this order; an InputError of all their faults."""
    groups: dict[object, list[IndexedDocument]] = {}
    for document in documents:
        alike = document.path if document.layout is None else (document.layout, bool(document.lead))
        groups.setdefault(alike, []).append(document)
    parts: list[Corpus] = []
    faults: list[Fault] = []
    unlisted: Counter[str] = Counter()
    for group in groups.values():
        try:
            parts.append(_read_opaque(reader, group[0].path) if group[0].layout is None else _read_group(reader, group))
        except InputError as error:
            faults += error.faults
            unlisted += error.unlisted
    if faults:
        raise InputError(faults, unlisted=unlisted)
    corpus = parts[0] if len(parts) == 1 else Corpus.join(parts, source=reader.source)
    names = tuple(document.name for document in documents)
    if set(names) - set(corpus.documents):
        raise WholeCorpusError(f"{documents[0].path}: its documents have other names when they are read alone")
    return corpus.select_documents(names).replace(
        source=reader.source, format=reader.format, recognised=reader.recognised, notices=corpus.notices
    )


def _read_opaque(reader: CorpusReader, path: str) -> Corpus:
    """Return the corpus of a file that is read as a whole; its notices are known from the index."""
    corpus = formats.read_file(path, reader.spec, reader.opened, reader.side)
    return corpus.replace(notices=(), files=(decode_escaped_bytes(path),) * len(corpus.documents))


def _read_group(reader: CorpusReader, documents: Sequence[IndexedDocument]) -> Corpus:
    """Return the corpus of documents whose files are alike, read together."""
    runs = list(_merge_neighbours(documents))
    data, line_map = join_contents(runs, _read_contents(runs, reader.cache))
    part = PartOfFiles(line_map, documents[0].layout)
    file = File(reader.source, data, "", lambda _: None, side=reader.side, part=part)
    chosen = registry.load_format(reader.format)
    corpus: Corpus = formats.call_with_options(chosen.read, file, reader.format, reader.options)
    refuse_far_offsets(corpus)
    if any(notice.line is None for notice in corpus.notices):
        raise WholeCorpusError(f"{reader.source}: {corpus.notices[0].message}")
    if corpus.unnamed or corpus.documents != tuple(document.name for document in documents):
        raise WholeCorpusError(f"{documents[0].path}: its documents have other names when they are read alone")
    paths = tuple(decode_escaped_bytes(document.path) for document in documents) if reader.is_folder else ()
    return formats.move_lines(corpus, line_map.move).replace(files=paths)


def _merge_neighbours(documents: Sequence[IndexedDocument]) -> Iterator[IndexedDocument]:
    """Yield documents, those that follow each other in a file as one; what leads the first leads all."""
    held = documents[0]
    for document in documents[1:]:
        if held.path == document.path and held.end == document.begin:
            held = held._replace(end=document.end)
        else:
            yield held
            held = document
    yield held


def _read_contents(documents: Sequence[IndexedDocument], cache: dict[str, bytes]) -> list[bytes]:
    """Return the bytes of each document, from the cache or from its file; InputError if a file is gone or shorter."""
    contents = []
    for document in documents:
        path, begin, end = document.path, document.begin, document.end
        if path in cache:
            contents.append(cache[path][begin:end])
            continue
        try:
            contents.append(_read_place(path, begin, end))
        except OSError as error:
            raise InputError(Fault(path, f"cannot be read ({error})")) from None
        if len(contents[-1]) < end - begin:
            raise InputError(Fault(path, "it has become shorter while it was read"))
    return contents


def _read_place(path: str, begin: int, end: int) -> bytes:
    """Return the bytes of a file from one place to another, fewer if it is shorter; in few steps, as files are many."""
    pieces = []
    descriptor = os.open(path, _READ)
    try:
        if begin:
            os.lseek(descriptor, begin, os.SEEK_SET)
        while begin < end and (piece := os.read(descriptor, min(end - begin, _LONGEST_READ))):
            pieces.append(piece)
            begin += len(piece)
    finally:
        os.close(descriptor)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)
