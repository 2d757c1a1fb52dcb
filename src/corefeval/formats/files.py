"""Bytes in and out: files, directories, gzip, standard input and output."""

from __future__ import annotations

import gzip
import sys
import zlib
from pathlib import Path

from corefeval.errors import Fault, InputError, MissingFileError

_GZIP = b"\x1f\x8b"


def contents(name: str) -> list[tuple[str, bytes]]:
    """The path and the content of a file, or of every file in a directory, hidden ones left out."""
    if name == "-":
        return [("standard input", _unpacked("standard input", sys.stdin.buffer.read()))]
    path = Path(name)
    if path.is_dir():
        inside = sorted(each for each in path.rglob("*") if each.is_file() and not _hidden(each.relative_to(path)))
        return [(str(each), _load(each)) for each in inside]
    return [(name, _load(path))]


def store(name: str, data: bytes) -> None:
    """Write a file, or standard output."""
    if name == "-":
        sys.stdout.buffer.write(data)
    else:
        Path(name).write_bytes(gzip.compress(data, mtime=0) if name.endswith(".gz") else data)


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _load(path: Path) -> bytes:
    try:
        return _unpacked(str(path), path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        raise MissingFileError(f"{path}: no such file") from None
    except OSError as error:
        raise InputError(Fault(str(path), f"cannot be read ({error.strerror or error})")) from None


def _unpacked(name: str, data: bytes) -> bytes:
    if not data.startswith(_GZIP):
        return data
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(Fault(name, f"damaged gzip data ({error})", hint="the file may be truncated")) from None
