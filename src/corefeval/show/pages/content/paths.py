"""Paths without the folders of the machine that a page was made on: pages are shared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from os.path import commonpath
from pathlib import Path

# A folder's path stands at the start of a word and goes up to its last separator.
_FOLDERS = re.compile(r"""(?<![\w./\\~-])(?:~|[A-Za-z]:)?[/\\](?:[^\s/\\:"'|<>]+[/\\])+""")


def hide_folders(text: str, paths: Sequence[str] = ()) -> str:
    """Return a text in which absolute paths, and the paths given, are names of files only.

    >>> hide_folders("/home/ann/my data/key.conll:3: empty", ["/home/ann/my data/key.conll"])
    'key.conll:3: empty'
    >>> hide_folders("C:\\\\data\\\\key.conll and /tmp/a.conll lack nw/wsj/0001")
    'key.conll and a.conll lack nw/wsj/0001'
    """
    for path in sorted(filter(None, paths), key=len, reverse=True):
        text = text.replace(path, get_file_name(path))
    return _FOLDERS.sub("", text)


def get_file_name(path: str) -> str:
    """Return the last part of a path, be it a file or a folder.

    >>> get_file_name("/data/key/")
    'key'
    """
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2] or path


def shorten_system_names(names: Sequence[str]) -> list[str]:
    """Return names without the folders that all have in common, if they are paths; else unchanged.

    >>> shorten_system_names(["/runs/a/response.conll", "/runs/b/response.conll"])
    ['a/response.conll', 'b/response.conll']
    """
    absolute = [Path(name).is_absolute() for name in names]
    if not all(absolute) or len(names) == 1:
        return [get_file_name(name) if path else name for name, path in zip(names, absolute, strict=True)]
    return [str(Path(name).relative_to(commonpath(names))) for name in names]
