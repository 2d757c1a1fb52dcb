"""The names of systems: those that they were given, or short forms of their files' names."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from corefeval.errors import decode_escaped_bytes

_ENDING = r"(?<=[^.])\.[A-Za-z]\w*$"
"""What a file's name ends in, if it looks like the name of a format: not the number of model-0.5."""


def name_systems(sources: Sequence[str], given: Sequence[str] = ()) -> list[str]:
    """Return a list, a name for each system: the one given (if not ""), or its file's name without its ending.

    Where two different ones would be alike, files have their endings; where they still are, their paths.
    """
    own = given or [""] * len(sources)
    different = len(set(zip(own, sources, strict=True)))
    for forms in (list(map(strip_ending, sources)), list(map(_get_bare_name, sources))):
        names = [decode_escaped_bytes(name or form) for name, form in zip(own, forms, strict=True)]
        if len(set(names)) == different:
            return names
    return [decode_escaped_bytes(name or source) for name, source in zip(own, sources, strict=True)]


def _get_bare_name(path: str) -> str:
    """Return the last part of a path, the name of a file or directory; the path itself if there is none."""
    return os.path.basename(path.rstrip(os.sep)) or path  # noqa: PTH119 - pathlib takes time to load


def strip_ending(path: str) -> str:
    """Return the bare name of a file without .gz and the ending before it; that of a directory as it is."""
    name = _get_bare_name(path)
    return name if os.path.isdir(path) else re.sub(_ENDING, "", name.removesuffix(".gz")) or name  # noqa: PTH112
