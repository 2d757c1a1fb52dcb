"""Bytes out: files that are written whole or not at all, and standard output."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping

from corefeval.errors import OptionError, OutputError

_STANDARD_OUTPUT = 1
_MOST_LINKS = 40
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def write_atomically(contents: Iterable[tuple[str, bytes]]) -> None:
    """Write files, given as pairs of path and content: each whole; none is replaced before all are on the disk.

    Each is written beside the file that it replaces, which keeps its permissions, and takes its place when all are on
    the disk; a link is followed. What is no file, such as a named pipe, is written to as it is, and so is an open
    descriptor (/dev/stdout, /dev/fd/3), whatever it leads to: `>> file` appends. Raises OutputError.
    """
    waiting: dict[str, str] = {}  # the temporary file of every target
    path = ""
    try:
        for path, data in contents:
            target = os.path.realpath(path)
            descriptor = find_descriptor(path)
            if descriptor is not None:
                _write_to_descriptor(descriptor, data)
            elif _is_special(path):  # the path itself: what it leads to may have no name
                with open(path, "wb") as special:
                    special.write(data)
            else:
                temporary = os.path.join(os.path.dirname(target), f".corefeval-{os.urandom(8).hex()}.tmp")
                waiting[target] = temporary
                _write_new_file(temporary, data, target)
        for target, temporary in list(waiting.items()):
            path = target
            os.replace(temporary, target)
            del waiting[target]
            _sync_folder(os.path.dirname(target))
    except (OSError, ValueError) as error:
        if isinstance(error, BrokenPipeError) and is_standard_output(path):
            raise  # the reader of standard output has gone (`| head`), however that is named
        raise OutputError(f"{path}: cannot be written ({getattr(error, 'strerror', None) or error})") from None
    finally:
        for temporary in waiting.values():
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def find_descriptor(path: str) -> int | None:
    """Return the number of this process's descriptor that a path names or links to; None if it names something else.

    >>> find_descriptor("/dev/stdout"), find_descriptor("/proc/self/fd/1"), find_descriptor("key.conll")
    (1, 1, None)
    """
    for _ in range(_MOST_LINKS):
        folder, name = os.path.split(os.path.abspath(path))
        if name.isdecimal() and os.path.realpath(folder) in ("/dev/fd", f"/proc/{os.getpid()}/fd"):
            return int(name)
        if not os.path.islink(path):
            return None
        path = os.path.join(folder, os.readlink(path))
    return None


def is_standard_output(name: str) -> bool:
    """Return whether a name means standard output: `-`, /dev/stdout, /dev/fd/1."""
    return name == "-" or find_descriptor(name) == _STANDARD_OUTPUT


def write_file(name: str, data: bytes) -> None:
    """Write data to a file, packed if its name ends in .gz, or to standard output (`-`); OutputError if it fails."""
    if name == "-":
        sys.stdout.buffer.write(data)
        return
    write_atomically([(name, _pack(name, data))])


def write_over_own_kind(name: str, data: bytes, mark: int) -> None:
    """Write a file as `write_file` does; an OutputError if one is there whose first `mark` bytes are not the content's.

    What begins otherwise is of another kind, such as somebody's data: it is not replaced.
    """
    if os.path.isfile(name) and find_descriptor(name) is None:
        with open(name, "rb") as there:
            beginning = there.read(mark)
        if beginning and beginning.lower() != data[:mark].lower():
            raise OutputError(f"{name}: is there already and is of another kind; remove it, or choose another name")
    write_file(name, data)


def list_paths(name: str, contents: Mapping[str, bytes], suffixes: tuple[str, ...]) -> dict[str, str]:
    """Return each file's path by its name: in the directory `name`, or beside the file `name` if of one document."""
    if name == "-":
        raise OptionError("standard output takes one file, and this format has several; name a directory")
    packed = ".gz" if name.endswith(".gz") else ""
    bare = name.removesuffix(".gz")
    stem = next((bare[: -len(suffix)] for suffix in suffixes if bare.endswith(suffix)), None)
    if stem is not None and len({os.path.splitext(each)[0] for each in contents}) == 1:
        return {each: stem + os.path.splitext(each)[1] + packed for each in contents}
    return {each: os.path.join(name, each) for each in contents}


def write_files(name: str, contents: Mapping[str, bytes], suffixes: tuple[str, ...]) -> None:
    """Write files, given by name, into the directory `name`, or beside the file `name` if they are of one document."""
    paths = list_paths(name, contents, suffixes)

    def list_contents() -> Iterator[tuple[str, bytes]]:
        """Make each file's folder and then yield the file's path and content, packed if the path ends in .gz."""
        for each, data in contents.items():
            make_folder(os.path.dirname(paths[each]))
            yield paths[each], _pack(paths[each], data)

    write_atomically(list_contents())


def make_folder(name: str) -> None:
    """Make a directory, and those above it, unless it is there ("" is the current one); an OutputError if it cannot."""
    try:
        os.makedirs(name or ".", exist_ok=True)
    except OSError as error:
        raise OutputError(f"{name}: cannot be made a directory ({error.strerror})") from None


def _pack(name: str, data: bytes) -> bytes:
    """Return data as they are, or compressed by gzip if the name of their file ends in .gz."""
    if not name.endswith(".gz"):
        return data
    import gzip  # noqa: PLC0415 - it takes as long to load as many a document to read

    return gzip.compress(data, mtime=0)


def _write_to_descriptor(number: int, data: bytes) -> None:
    """Flush what has been printed, and write data to an open descriptor where it stands."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    with os.fdopen(os.dup(number), "wb") as file:
        file.write(data)


def _is_special(target: str) -> bool:
    """Return whether a path is there and is neither a file nor a directory: a device, a pipe, a socket."""
    try:
        mode = os.stat(target).st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _write_new_file(path: str, data: bytes, target: str) -> None:
    """Write a new file, with owner and mode of `target` if that is there; an OSError if that may not be written."""
    before = os.stat(target) if os.path.exists(target) else None
    if before is not None and stat.S_ISDIR(before.st_mode):
        raise IsADirectoryError(0, "Is a directory")
    if before is not None and not os.access(target, os.W_OK):
        raise PermissionError(0, "Permission denied")
    with os.fdopen(os.open(path, _NEW, 0o666), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    if before is not None:
        with contextlib.suppress(OSError, AttributeError):  # of another owner; or a system without owners
            os.chown(path, before.st_uid, before.st_gid)
        os.chmod(path, stat.S_IMODE(before.st_mode))


def _sync_folder(folder: str) -> None:
    """Flush a directory's entries to the disk; do nothing where the system has no way to."""
    with contextlib.suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
