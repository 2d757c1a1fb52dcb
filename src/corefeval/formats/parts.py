"""Files read in parts: which documents there are and where, in one pass over the bytes, and the corpus of some of them.

An index is small: a name and a place for each document. What must be known of a whole file to read a part of it is
found out on the way; where that is too much, a WholeCorpusError says why.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from corefeval import formats, plugins
from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.limits import refuse_far_offsets
from corefeval.errors import Fault, InputError, WholeCorpusError, decode_escaped_bytes
from corefeval.formats import registry
from corefeval.formats.base import File, PartOfFiles
from corefeval.formats.shared import files
from corefeval.formats.shared.segments import Segment, join_segments
from corefeval.notices import Notice, report_progress

_BLOCK = 1 << 20  # bytes of a file that are looked at together
_LONGEST_READ = 1 << 30  # systems read at most twice as many bytes at a time
_SMALL = registry.BEGINNING
_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0)
_PACKED = (b"\x1f\x8b", b"PK\x03\x04")
_BOM = b"\xef\xbb\xbf"


class IndexedDocument(NamedTuple):
    """A document and where it is.

    size: its bytes, with its part of what is around it. layout: what its format says of the file; documents can be
    read together if theirs are equal. opaque: whether its file can only be read as a whole, with `segment` all of it.
    """

    name: str
    segment: Segment
    size: int
    layout: Any = None
    opaque: bool = False


@dataclass
class CorpusIndex:
    """The documents of a side in the order of its files, and how they are read.

    source: the name of the file or directory, for messages. spec: the format, with options, that was asked for.
    opened: what reads its files.
    notices: of files that are not read. file_notices: by file, those of files that can only be read as a whole.
    cache: the contents of small files, which are not read twice.
    """

    source: str
    side: str
    spec: str | None
    format: str
    options: dict[str, str]
    recognised: str
    opened: files.Source
    documents: list[IndexedDocument] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    file_notices: dict[str, tuple[Notice, ...]] = field(default_factory=dict)
    cache: dict[str, bytes] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    unlisted: Counter[str] = field(default_factory=Counter)

    def __getstate__(self) -> dict[str, Any]:
        # Plain tuples go to another process in a fraction of the time, and files are read again in less than they do.
        layouts: dict[Any, int] = {}
        rows = [
            (each.name, tuple(each.segment), each.size, layouts.setdefault(each.layout, len(layouts)), each.opaque)
            for each in self.documents
        ]
        return self.__dict__ | {"documents": (rows, list(layouts)), "cache": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        rows, layouts = state["documents"]
        self.__dict__.update(state, documents=[])
        for name, segment, size, layout, opaque in rows:
            self.documents.append(IndexedDocument(name, Segment(*segment), size, layouts[layout], opaque))


def index_documents(
    source: str,
    format: str | None,  # noqa: A002 - the name that users expect
    side: str,
    room: int,
    is_large: Callable[[], bool] | None = None,
) -> CorpusIndex:
    """Return the index of a file or directory; WholeCorpusError if it cannot be read in parts, InputError for faults.

    room: how many bytes of small files may be kept in memory, so that they are not read a second time.
    is_large: asked when a file cannot be read together with others: a WholeCorpusError if it is not; None: it is.
    """
    if not (os.path.isfile(source) or os.path.isdir(source)) or source.lower().endswith(".zip"):
        raise WholeCorpusError(f"{source}: an archive or a pipe is read as a whole")
    opened = files.open_source(source)
    given, options = (None, {}) if format is None else registry.parse_spec(format)
    index = CorpusIndex(decode_escaped_bytes(source), side, format, given or "", options, "", opened)
    paths = list(formats.skip_companions(list(opened.files)) if opened.is_folder else opened.files)
    skipped: dict[str, str] = {}
    for number, path in enumerate(paths):
        report_progress(f"finding the documents of {source}", number, len(paths))
        try:
            room -= _add_file(index, path, given, room)
            if is_large is not None and index.file_notices:
                if not is_large():
                    raise WholeCorpusError(f"{path}: files in this format are read one by one")
                is_large = None
        except InputError as error:
            if opened.is_folder and [fault.kind for fault in error.faults] == ["format"]:
                skipped[path] = "not in a known format"
                continue
            index.faults += error.faults
            index.unlisted += error.unlisted
    first: dict[str, str] = {}
    for document in index.documents:
        if document.name in first:
            path = document.segment.path
            if first[document.name] == path:
                raise WholeCorpusError(f"{path}: document {document.name!r} is there twice")
            index.faults += formats.find_repeated_names([(first[document.name], document.name), (path, document.name)])
        first.setdefault(document.name, document.segment.path)
    if not index.documents and not index.faults:
        raise WholeCorpusError(f"{source}: no documents are found")
    if not any(document.opaque for document in index.documents):
        index.opened = files.Source(
            opened.name, is_folder=opened.is_folder
        )  # smaller, for it may go to another process
    reasons = skipped | opened.passed_over
    index.notices += formats.make_skipped_notices(reasons)
    index.notices += plugins.take_notices()
    return index


def _add_file(index: CorpusIndex, path: str, given: str | None, room: int) -> int:
    """Add the documents of a file to the index, and a small file's content to the cache; return the bytes of that."""
    descriptor = os.open(path, _READ)
    try:
        block = os.read(descriptor, _SMALL)  # in few steps: there may be many small files
        if block.startswith(_PACKED):
            raise WholeCorpusError(f"{path}: a packed file is read as a whole; unpack it")
        if given is None:
            name, why = registry.recognise(path, block)
        else:
            name, why = given, "as asked for"
        if name != index.format:
            if index.format:
                raise WholeCorpusError(f"{path}: it is in another format ({name}) than other files ({index.format})")
            index.format, index.recognised = name, why
        chosen: Any = registry.load_format(name)
        layout = chosen.find_layout(block) if hasattr(chosen, "find_layout") else None
        is_small = len(block) < _SMALL
        if layout is None:
            _add_opaque_file(index, path)
        elif is_small and (only := chosen.find_only_document(block) if hasattr(chosen, "find_only_document") else ""):
            index.documents.append(IndexedDocument(only, Segment(path, 0, len(block)), len(block), layout))
        else:
            found = _find_documents(path, chosen, layout, block, lambda: os.read(descriptor, _BLOCK))
            if found is None:
                _add_opaque_file(index, path)
            else:
                index.documents += found
    finally:
        os.close(descriptor)
    if is_small and len(block) <= room:
        index.cache[path] = block
        return len(block)
    return 0


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
                    segment = Segment(path, begin, offset + place, begin_line, lead_of_document)
                    found.append(IndexedDocument(name, segment, offset + place - begin, layout))
                    begin, begin_line = offset + place, lines
                    lead_of_document = lead
                had_end = False
                name = mark.text if mark.kind == "document" else f"\0{path}:{lines}"
        lines += block.count(b"\n", place, cut)
        offset += cut
        block = block[cut:] + more
    if name is None or (must_end and not had_end):
        return None
    found.append(
        IndexedDocument(name, Segment(path, begin, offset, begin_line, lead_of_document), offset - begin, layout)
    )
    return found


def _add_opaque_file(index: CorpusIndex, path: str) -> None:
    """Add the documents of a file that is read as a whole, once for their names and notices, and later to be scored."""
    if not index.opened.is_folder:
        raise WholeCorpusError(f"{path}: documents in this format, or without names and ends, are read all at once")
    corpus = formats.read_file(path, index.spec, index.opened, index.side)
    size = os.path.getsize(path)
    segment = Segment(path, 0, size)
    index.file_notices[path] = corpus.notices
    if corpus.unnamed:
        raise WholeCorpusError(f"{path}: documents without names are paired by their texts")
    share = size // max(1, len(corpus.documents)) + 1
    index.documents += [IndexedDocument(name, segment, share, None, opaque=True) for name in corpus.documents]


def read_documents(index: CorpusIndex, documents: Sequence[IndexedDocument]) -> Corpus:
    """Return the corpus of some documents of an index, in this order; an InputError of all their faults."""
    groups: dict[object, list[IndexedDocument]] = {}
    for document in documents:
        layout = document.segment.path if document.opaque else (document.layout, bool(document.segment.lead))
        groups.setdefault(layout, []).append(document)
    parts: list[Corpus] = []
    faults: list[Fault] = []
    unlisted: Counter[str] = Counter()
    for group in groups.values():
        try:
            parts.append(_read_opaque(index, group) if group[0].opaque else _read_group(index, group))
        except InputError as error:
            faults += error.faults
            unlisted += error.unlisted
    if faults:
        raise InputError(faults, unlisted=unlisted)
    corpus = parts[0] if len(parts) == 1 else Corpus.join(parts, source=index.source)
    names = tuple(document.name for document in documents)
    if set(names) - set(corpus.documents):
        raise WholeCorpusError(f"{documents[0].segment.path}: its documents have other names when they are read alone")
    return corpus.select_documents(names).replace(
        source=index.source, format=index.format, recognised=index.recognised, notices=corpus.notices
    )


def _read_opaque(index: CorpusIndex, documents: Sequence[IndexedDocument]) -> Corpus:
    """Return the corpus of a file that is read as a whole; its notices are known from the index."""
    path = documents[0].segment.path
    corpus = formats.read_file(path, index.spec, index.opened, index.side)
    return corpus.replace(notices=(), files=(decode_escaped_bytes(path),) * len(corpus.documents))


def _read_group(index: CorpusIndex, documents: Sequence[IndexedDocument]) -> Corpus:
    """Return the corpus of documents whose files are alike, read together."""
    segments = list(_merge_neighbours([document.segment for document in documents]))
    data, line_map = join_segments(segments, _read_contents(segments, index.cache))
    chosen = registry.load_format(index.format)
    part = PartOfFiles(line_map, documents[0].layout)
    file = File(index.source, data, "", lambda _: None, side=index.side, part=part)
    corpus: Corpus = formats.call_with_options(chosen.read, file, index.format, index.options)
    refuse_far_offsets(corpus)
    if any(notice.line is None for notice in corpus.notices):
        raise WholeCorpusError(f"{index.source}: {corpus.notices[0].message}")
    if corpus.unnamed or corpus.documents != tuple(document.name for document in documents):
        raise WholeCorpusError(f"{documents[0].segment.path}: its documents have other names when they are read alone")
    of_files = index.opened.is_folder
    paths = tuple(decode_escaped_bytes(document.segment.path) for document in documents) if of_files else ()
    return formats.move_lines(corpus, line_map.move).replace(files=paths)


def _merge_neighbours(segments: Sequence[Segment]) -> Iterator[Segment]:
    """Yield segments, those that follow each other in a file with the same lead as one."""
    held: Segment | None = None
    for segment in segments:
        if held is None:
            held = segment
        elif held.path == segment.path and held.end == segment.begin:
            held = held._replace(end=segment.end)
        else:
            yield held
            held = segment
    if held is not None:
        yield held


def _read_contents(segments: Sequence[Segment], cache: dict[str, bytes]) -> list[bytes]:
    """Return the bytes of each segment, from the cache or from its file; InputError if a file is gone or shorter."""
    contents = []
    for segment in segments:
        if segment.path in cache:
            contents.append(cache[segment.path][segment.begin : segment.end])
            continue
        try:
            contents.append(_read_place(segment.path, segment.begin, segment.end))
        except OSError as error:
            raise InputError(Fault(segment.path, f"cannot be read ({error})")) from None
        if len(contents[-1]) < segment.end - segment.begin:
            raise InputError(Fault(segment.path, "it has become shorter while it was read"))
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
