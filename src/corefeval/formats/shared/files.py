"""Bytes in: files, directories, gzip, standard input.

Written with `os`, and gzip loaded when needed: pathlib and gzip take as long to load as many a document to read.
"""

from __future__ import annotations

import os
import sys

from corefeval.errors import Fault, InputError, MissingFileError

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
