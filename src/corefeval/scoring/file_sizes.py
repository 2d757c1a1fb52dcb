"""Whether files are scored in parts: they are too large for a limit of memory, or too many to be read one by one."""

from __future__ import annotations

from corefeval.formats.shared.files import count_files, measure_files

MEMORY_LIMIT = 4_000_000_000
"""How much memory scoring takes at most, in bytes, unless another limit is given."""

IN_MEMORY = 12
"""How many bytes of memory scoring a byte of files takes at most, where documents have a few hundred words or more."""

START = 150_000_000
"""How many bytes Python, NumPy and the process take before anything is read."""

_MANY_FILES = 200


def needs_parts(key: str, response: str, memory_limit: int) -> bool:
    """Return whether two sides are files too large to be scored at once within a limit; False for pipes."""
    if None in [count_files(path) for path in (key, response)]:
        return False
    return (measure_files(key) + measure_files(response)) * IN_MEMORY + START > memory_limit


def has_many_files(key: str, response: str) -> bool:
    """Return whether two sides are directories of so many files that it is faster to read some of them together."""
    return all((count_files(path) or 0) >= _MANY_FILES for path in (key, response))
