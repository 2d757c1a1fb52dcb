"""Names of documents as names of files, on any system."""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\]|^\.|^$')
_SUFFIX = re.compile(r"(?i)\.(ann|txt)$")
_LONGEST = 200  # bytes of a part of a name: file systems take 255


def file_names(documents: Sequence[str]) -> list[str]:
    """Names of files below a folder, different even where capitals are not told from small letters.

    Names that are fine as they are stay so, whatever others would become.
    """
    wanted = [_safe(document) for document in documents]
    order = sorted(range(len(wanted)), key=lambda row: wanted[row] != documents[row])
    found = dict(zip(order, different((wanted[row] for row in order), str.casefold), strict=True))
    return [found[row] for row in range(len(wanted))]


def different(names: Iterable[str], seen_as: Callable[[str], str] = str) -> Iterator[str]:
    """The names, with numbers behind those that were there already."""
    taken: set[str] = set()
    numbers = count(2)
    for wanted in names:
        name = wanted or "_"
        while seen_as(name) in taken:
            name = f"{wanted}_{next(numbers)}"
        taken.add(seen_as(name))
        yield name


def _safe(document: str) -> str:
    *folders, last = [_UNSAFE.sub("_", _short(part)) for part in document.split("/")]
    return "/".join([*(_SUFFIX.sub(r"_\1", folder) for folder in folders), last])


def _short(name: str) -> str:
    return name.encode("utf-8", "replace")[:_LONGEST].decode("utf-8", "ignore")
