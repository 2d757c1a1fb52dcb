"""Whether files are scored in parts: they are too large for a limit of memory, or too many to be read one by one."""

from __future__ import annotations

from corefeval.formats.shared.files import ListedFiles

MEMORY_LIMIT = 4_000_000_000
"""How much memory scoring takes at most, in bytes, unless another limit is given."""

IN_MEMORY = 12
"""How many bytes of memory scoring a byte of files takes at most, where documents have a few hundred words or more."""

START = 150_000_000
"""How many bytes Python, NumPy and the process take before anything is read."""

_MANY_FILES = 200
_WORTH_A_PROCESS = 40_000_000  # bytes from which on a second process is faster than its start takes
_BYTES_OF_A_FILE = 10_000  # opening a file takes as long as scoring so many


def needs_parts(key: ListedFiles, response: ListedFiles, memory_limit: int) -> bool:
    """Return whether two sides are files too large to be scored at once within a limit; False for pipes."""
    return all((key.count, response.count)) and (key.bytes + response.bytes) * IN_MEMORY + START > memory_limit


def has_many_files(key: ListedFiles, response: ListedFiles) -> bool:
    """Return whether two sides are directories of so many files that it is faster to read some of them together."""
    return min(key.count, response.count) >= _MANY_FILES


def is_worth_processes(key: ListedFiles, response: ListedFiles) -> bool:
    """Return whether two sides take longer to score than a second process takes to start."""
    opening = (key.count + response.count) * _BYTES_OF_A_FILE
    return opening > _WORTH_A_PROCESS or key.bytes + response.bytes > _WORTH_A_PROCESS
