"""Bytes in and out: files, directories, gzip, standard input and output.

Written with `os`, and gzip loaded when needed: pathlib and gzip take as long to load as many a document to read.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from corefeval.errors import Fault, InputError, MissingFileError, OptionError, OutputError

STANDARD_INPUT = "standard input"
_GZIP = b"\x1f\x8b"


def list_files(name: str) -> list[str]:
    """Return the file itself, or every file in a directory and those below it, hidden ones left out."""
    if name == "-":
        return [STANDARD_INPUT]
    if not name:
        raise MissingFileError("'': no such file; the name is empty")
    try:
        if not os.path.isdir(name):
            return [name]
        found: list[str] = []
        for folder, inside, files in os.walk(name, onerror=_raise):
            inside[:] = [each for each in inside if not each.startswith(".")]  # hidden folders are not entered
            found += [os.path.join(folder, file) for file in files if not file.startswith(".")]
        return sorted(found)
    except (OSError, ValueError) as error:
        raise InputError(Fault(name[:100], f"cannot be read ({error})")) from None


def _raise(error: OSError) -> None:
    raise error


def read_bytes(name: str) -> bytes:
    """Return the content of a file, unpacked."""
    if name == STANDARD_INPUT:
        return _decompress(name, sys.stdin.buffer.read())
    try:
        with open(name, "rb") as file:
            data = file.read()
    except (FileNotFoundError, NotADirectoryError):
        raise MissingFileError(f"{name}: no such file") from None
    except (OSError, ValueError) as error:
        raise InputError(Fault(name[:100], f"cannot be read ({error})")) from None
    return _decompress(name, data)


def read_if_present(name: str) -> bytes | None:
    """Return the content of a file, packed or not, if it is there."""
    found = next((path for path in (name, f"{name}.gz") if os.path.isfile(path)), None)
    return None if found is None else read_bytes(found)


def write_files(name: str, contents: Mapping[str, bytes], suffixes: tuple[str, ...]) -> None:
    """Write several files into a directory, or beside the file of one document that is named; packed, if that is."""
    if name == "-":
        raise OptionError("standard output takes one file, and this format has several; name a directory")
    packed = ".gz" if name.endswith(".gz") else ""
    bare = name.removesuffix(".gz")
    stem = next((bare[: -len(suffix)] for suffix in suffixes if bare.endswith(suffix)), None)
    stems = {os.path.splitext(each)[0] for each in contents}
    if stem is not None and len(stems) == 1:
        for each, data in contents.items():
            write_file(stem + os.path.splitext(each)[1] + packed, data)
        return
    for each, data in contents.items():
        path = os.path.join(name, each)
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
        except OSError as error:
            raise OutputError(f"{name}: cannot be made a directory ({error.strerror})") from None
        write_file(path, data)


def write_file(name: str, data: bytes) -> None:
    """Write a file, or standard output."""
    if name == "-":
        sys.stdout.buffer.write(data)
        return
    if name.endswith(".gz"):
        import gzip  # noqa: PLC0415

        data = gzip.compress(data, mtime=0)
    try:
        with open(name, "wb") as file:
            file.write(data)
    except (OSError, ValueError) as error:
        raise OutputError(f"{name}: cannot be written ({getattr(error, 'strerror', None) or error})") from None


def _decompress(name: str, data: bytes) -> bytes:
    """Return the data of a file without its compression; raise an error if it is damaged."""
    if not data.startswith(_GZIP):
        return data
    import gzip  # noqa: PLC0415
    import zlib  # noqa: PLC0415

    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(Fault(name, f"damaged gzip data ({error})", hint="the file may be truncated")) from None
