"""Bytes in: files, directories, zip archives, gzip, standard input.

Written with `os`, and what unpacks is loaded when needed: pathlib and gzip take as long as reading many a document.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial
from typing import IO, TYPE_CHECKING

from corefeval.corpus.limits import MAX_SIZE, get_limit, tell_how_to_raise
from corefeval.errors import Fault, InputError, MissingFileError

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

STANDARD_INPUT = "standard input"
_GZIP = b"\x1f\x8b"
_ZIP = b"PK\x03\x04"
_DEEPEST = 3  # archives within archives
_KINDS = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


class Source:
    """Files to read: one, or all of a folder, which is a directory or an archive.

    name: what document names leave out of paths, if it is a folder.
    files: what reads each file, by its path, in order.
    passed_over: paths that are not read, each with what it is.
    """

    def __init__(
        self,
        name: str,
        *,
        is_folder: bool = False,
        files: dict[str, Callable[[], bytes]] | None = None,
        passed_over: dict[str, str] | None = None,
    ) -> None:
        self.name, self.is_folder = name, is_folder
        self.files = {} if files is None else files
        self.passed_over = {} if passed_over is None else passed_over

    def read_if_present(self, path: str) -> bytes | None:
        """Return the unpacked content of PATH, or else PATH.gz, from the source or the disk; None if neither exists."""
        for each in (path, f"{path}.gz"):
            read = self.files.get(os.path.normpath(each)) or self.files.get(each)
            if read is not None:
                return read()
        return read_if_present(path)


def open_source(name: str) -> Source:
    """Return the source of all files to read: a file, those in and below a directory, or in an archive; `-` is stdin.

    Hidden files are left out; what is neither a file nor a directory is passed over, unless it is given by name.
    """
    if name == "-":
        return _open_standard_input()
    if not name:
        raise MissingFileError("'': no such file; the name is empty")
    try:
        if os.path.isdir(name):
            return _open_directory(name)
    except (OSError, ValueError) as error:
        raise InputError(Fault(name[:100], f"cannot be read ({error})")) from None
    if is_typed(name) and not os.path.lexists(name):
        return Source(name, files={name: name.encode})
    if name.lower().endswith(".zip"):
        return _open_archive(name, read_bytes(name))
    return Source(name, files={name: partial(read_bytes, name)})


def is_typed(text: str) -> bool:
    """Return whether a text, where a file's name is expected, is entities typed by hand: it has a bar between blanks.

    >>> is_typed("a b | c"), is_typed("a b |"), is_typed("my|file.json")
    (True, True, False)
    """
    return "|" in text.split()


def _open_standard_input() -> Source:
    """Return standard input, read to its end, as a source of one file or of an archive."""
    data = read_bytes(STANDARD_INPUT)
    if data.startswith(_ZIP):
        return _open_archive(STANDARD_INPUT, data)
    return Source(STANDARD_INPUT, files={STANDARD_INPUT: lambda: data})


def _open_directory(name: str) -> Source:
    """Return the source of all files in and below a directory, also in archives, without hidden ones and devices."""
    listed = ListedFiles(list_paths(name))
    source = Source(name, is_folder=True, passed_over=listed.passed_over)
    for path in listed.paths:
        if path in source.passed_over:
            continue
        if path.lower().endswith(".zip"):
            _add_members(source, path, read_bytes(path), get_limit(MAX_SIZE))
        else:
            source.files[path] = partial(read_bytes, path)
    return source


class ListedFiles:
    """The files that a file or directory is: what `list_paths` returns, their number, and how many bytes they have."""

    def __init__(self, paths: Mapping[str, bool]) -> None:
        self.paths = paths
        self.count = len(paths)

    @cached_property
    def passed_over(self) -> dict[str, str]:
        """The paths that are not read, with what each of them is, such as "a device"."""
        return {path: kind for path, is_file in self.paths.items() if not is_file and (kind := _find_kind(path))}

    @cached_property
    def bytes(self) -> int:
        """All bytes, 0 if a file cannot be looked at; found when asked for, as that takes a while for many files."""
        try:
            return sum(os.stat(path).st_size for path in self.paths)
        except OSError:
            return 0


def list_files(source: str) -> ListedFiles:
    """Return what a file or directory consists of; no files for what is neither, such as a pipe, or is unreadable."""
    try:
        if os.path.isdir(source):
            return ListedFiles(list_paths(source))
        return ListedFiles({source: True} if os.path.isfile(source) else {})
    except OSError:
        return ListedFiles({})


def list_paths(name: str) -> dict[str, bool]:
    """Return the sorted paths in and below a directory, hidden ones aside, and whether each is known to be a file.

    An OSError if a directory is unreadable.
    """
    found: dict[str, bool] = {}
    folders = [name]
    while folders:
        folder = folders.pop()
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.startswith("."):  # hidden folders are not entered
                    continue
                if entry.is_dir():
                    if not entry.is_symlink():
                        folders.append(entry.path)
                else:
                    found[entry.path] = entry.is_file(follow_symlinks=False)
    return dict(sorted(found.items()))


def _open_archive(name: str, data: bytes) -> Source:
    """Return the source of an archive's files; if one folder is around all of them, it is part of the source's name."""
    source = Source(name, is_folder=True)
    _add_members(source, name, data, get_limit(MAX_SIZE))
    # A folder that was packed as a whole is not part of the names of its documents.
    tops = {path[len(name) + 1 :].partition("/")[:2] for path in source.files}
    if len(tops) == 1 and all(slash for _, slash in tops):
        source.name = f"{name}/{tops.pop()[0]}"
    return source


def _add_members(source: Source, name: str, data: bytes, budget: int, deep: int = 0) -> int:
    """Add files of an archive, and of archives in it, to a source; return the rest of `budget`, the bytes allowed."""
    from io import BytesIO  # noqa: PLC0415 - archives are seldom read
    from zipfile import BadZipFile, ZipFile  # noqa: PLC0415

    try:
        archive = ZipFile(BytesIO(data))
    except (BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise InputError(Fault(name, f"damaged zip archive ({error})", hint="the file may be truncated")) from None
    for member in sorted(_list_visible(archive), key=lambda each: each.filename):
        path = f"{name}/{member.filename}"
        budget -= member.file_size
        if budget < 0:
            raise _make_size_error(name)
        if path in source.files:
            raise InputError(Fault(name, f"member {member.filename!r} is there twice", "every name once"))
        if path.lower().endswith(".zip"):
            if deep == _DEEPEST:
                source.passed_over[path] = f"an archive within {_DEEPEST} others"
            else:
                budget = _add_members(source, path, _read_member(archive, member, path), budget, deep + 1)
        else:
            source.files[path] = partial(_read_member, archive, member, path)
    return budget


def _list_visible(archive: ZipFile) -> Iterator[ZipInfo]:
    """Yield the members of an archive that are files; hidden ones, and what macOS adds, are left out."""
    for member in archive.infolist():
        parts = member.filename.split("/")
        if not member.is_dir() and not any(part.startswith(".") for part in parts) and parts[0] != "__MACOSX":
            yield member


def _read_member(archive: ZipFile, member: ZipInfo, path: str) -> bytes:
    """Return the content of a file in an archive, unpacked; an InputError if it is damaged."""
    import zlib  # noqa: PLC0415
    from zipfile import BadZipFile  # noqa: PLC0415

    try:
        return _decompress(path, archive.read(member))
    except (BadZipFile, zlib.error, OSError, EOFError) as error:
        raise InputError(Fault(path, f"damaged zip archive ({error})", hint="the file may be truncated")) from None
    except (RuntimeError, NotImplementedError) as error:  # encrypted, or packed in a way that Python cannot unpack
        raise InputError(Fault(path, f"cannot be unpacked ({error})")) from None


def _find_kind(path: str) -> str:
    """Return "a device" or the like for what is neither file nor directory; "" for these and for links to nothing."""
    try:
        return _KINDS.get(stat.S_IFMT(os.stat(path).st_mode), "")
    except OSError:
        return ""


def read_bytes(name: str) -> bytes:
    """Return the unpacked content of a file, pipe or standard input; an error if missing, damaged or too large."""
    if name == STANDARD_INPUT:
        return _decompress(name, _read_standard_input())
    try:
        with open(name, "rb") as file:
            data = file.read() if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else _read_stream(name, file)
    except (FileNotFoundError, NotADirectoryError):
        hint = "; entities typed by hand need a bar: 'a b | c', 'a b |'" if _may_be_typed(name) else ""
        raise MissingFileError(f"{name}: no such file{hint}") from None
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(Fault(name[:100], f"cannot be read ({error})")) from None
    return _decompress(name, data)


def _may_be_typed(name: str) -> bool:
    """Return whether a name of no file may be meant as entities: it is several words, and not like a path."""
    return " " in name.strip() and not {"/", os.sep, "."}.intersection(name)


def _read_standard_input() -> bytes:
    """Return all of standard input; raise an error if it is closed or cannot be read."""
    if sys.stdin is None:
        raise InputError(Fault(STANDARD_INPUT, "it is closed", "data from a pipe or a file"))
    try:
        return _read_stream(STANDARD_INPUT, sys.stdin.buffer)
    except OSError as error:
        raise InputError(Fault(STANDARD_INPUT, f"cannot be read ({error})")) from None


def read_if_present(name: str) -> bytes | None:
    """Return the unpacked content of a file or, if it is not there, of NAME.gz; None if neither is there."""
    found = next((path for path in (name, f"{name}.gz") if os.path.isfile(path)), None)
    return None if found is None else read_bytes(found)


def join_inside(path: str, named: str) -> str | None:
    """Return the path of a file that another one, at `path`, names relative to its folder; None if it leads out of it.

    >>> join_inside("a/b.mmax", "Basedata/b.xml"), join_inside("a/b.mmax", "../c"), join_inside("a/b.mmax", "/c")
    ('a/Basedata/b.xml', None, None)
    """
    inside = os.path.normpath(named.replace("\\", "/"))
    if os.path.isabs(inside) or inside.split(os.sep)[0] == os.pardir or "\0" in inside:
        return None
    return os.path.join(os.path.dirname(path), inside)


def _read_stream(name: str, stream: IO[bytes]) -> bytes:
    """Return all bytes that a pipe or a device gives; an InputError if they are more than the limit."""
    parts, left = [], get_limit(MAX_SIZE)
    while part := stream.read(min(left + 1, 1 << 24)):
        parts.append(part)
        left -= len(part)
        if left < 0:
            raise _make_size_error(name)
    return b"".join(parts)


def _decompress(name: str, data: bytes) -> bytes:
    """Return data as they are, or unpacked if they are gzip; an InputError if that is damaged or beyond the limit."""
    if not data.startswith(_GZIP):
        return data
    import zlib  # noqa: PLC0415

    parts, left, is_whole = [], get_limit(MAX_SIZE), False
    try:
        while data:
            member = zlib.decompressobj(wbits=31)  # gzip's header and trailer
            parts.append(member.decompress(data, left + 1))
            left -= len(parts[-1])
            if left < 0:
                raise _make_size_error(name)
            # Members follow each other, and zeros are padding. A member without its end leaves nothing unused.
            is_whole, data = member.eof, member.unused_data.lstrip(b"\0")
    except zlib.error as error:
        raise InputError(Fault(name, f"damaged gzip data ({error})", hint="the file may be truncated")) from None
    if not is_whole:
        raise InputError(Fault(name, "damaged gzip data (its end is missing)", hint="the file may be truncated"))
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _make_size_error(name: str) -> InputError:
    """Return an error that says that a file is too large, and how it can be read nevertheless."""
    what = f"holds more than {get_limit(MAX_SIZE):,} bytes"
    return InputError(Fault(name, what, hint=tell_how_to_raise(MAX_SIZE), kind="too-large"))
