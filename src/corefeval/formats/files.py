"""Bytes in and out: files, directories, gzip, standard input and output."""

from __future__ import annotations

import gzip
import sys
import zlib
from pathlib import Path

from corefeval.errors import Fault, InputError, MissingFileError

STANDARD_INPUT = "standard input"
_GZIP = b"\x1f\x8b"


def below(name: str) -> list[str]:
    """The file itself, or every file in a directory and those below it, hidden ones left out."""
    if name == "-":
        return [STANDARD_INPUT]
    if not name:
        raise MissingFileError("'': no such file; the name is empty")
    path = Path(name)
    try:
        if not path.is_dir():
            return [name]
        inside = sorted(each for each in path.rglob("*") if not _hidden(each.relative_to(path)))
        return [str(each) for each in inside if not each.is_dir()]
    except (OSError, ValueError) as error:
        raise InputError(Fault(name[:100], f"cannot be read ({error})")) from None


def content(name: str) -> bytes:
    """The content of a file, unpacked."""
    if name == STANDARD_INPUT:
        return _unpacked(name, sys.stdin.buffer.read())
    try:
        data = Path(name).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise MissingFileError(f"{name}: no such file") from None
    except OSError as error:
        raise InputError(Fault(name, f"cannot be read ({error.strerror or error})")) from None
    return _unpacked(name, data)


def store(name: str, data: bytes) -> None:
    """Write a file, or standard output."""
    if name == "-":
        sys.stdout.buffer.write(data)
    else:
        Path(name).write_bytes(gzip.compress(data, mtime=0) if name.endswith(".gz") else data)


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _unpacked(name: str, data: bytes) -> bytes:
    if not data.startswith(_GZIP):
        return data
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(Fault(name, f"damaged gzip data ({error})", hint="the file may be truncated")) from None
