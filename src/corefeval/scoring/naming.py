"""The names of systems: those that they were given, or short forms of their files' names."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

_ENDING = re.compile(r"(?<=[^.])\.[A-Za-z]\w*$")
"""What a file's name ends in, if it looks like the name of a format: not the number of model-0.5."""


def name_systems(sources: Sequence[str], given: Sequence[str] = ()) -> list[str]:
    """Return a name for each system: the one given (if not ""), or its file's name without its ending.

    Where two different ones would be alike, files have their endings; where they still are, their paths.
    """
    own = given or [""] * len(sources)
    different = len(set(zip(own, sources, strict=True)))
    bare = [os.path.basename(source.rstrip(os.sep)) or source for source in sources]  # noqa: PTH119 - pathlib is slow
    stems = [_strip_ending(name, source) for name, source in zip(bare, sources, strict=True)]
    for forms in (stems, bare):
        names = [name or form for name, form in zip(own, forms, strict=True)]
        if len(set(names)) == different:
            return names
    return [name or source for name, source in zip(own, sources, strict=True)]


def _strip_ending(name: str, source: str) -> str:
    """Return a file's name without .gz and its ending; that of a directory as it is."""
    return name if os.path.isdir(source) else _ENDING.sub("", name.removesuffix(".gz")) or name  # noqa: PTH112
