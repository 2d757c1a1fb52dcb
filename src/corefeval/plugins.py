"""Measures and formats that other packages bring, found by their entry points. A broken one breaks only itself."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING

from corefeval.errors import CorefevalError, OptionError
from corefeval.notices import BROKEN_PLUGIN, Notice

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

MEASURES = "corefeval.measures"
FORMATS = "corefeval.formats"

_failures: dict[str, str] = {}
"""Why plug-ins were passed over, by name, until a notice has said so."""


def list_plugins(group: str) -> tuple[str, ...]:
    """Return the names, each once, that installed packages register in a group, which is MEASURES or FORMATS."""
    return tuple(dict.fromkeys(entry.name for entry in _find_entry_points(group)))


def load_plugin(group: str, name: str) -> object | None:
    """Return the object that a package registers by this name; None if none does; an OptionError if loading fails."""
    found = next((entry for entry in _find_entry_points(group) if entry.name == name), None)
    if found is None:
        return None
    with blame_plugin(f"{name}, from {found.value}, cannot be loaded"):
        loaded: object = found.load()
    return loaded


def _find_entry_points(group: str) -> EntryPoints:
    """Return what installed packages register in a group, read anew only where packages may have come or gone."""
    return _read_entry_points(group, tuple((path, _get_change(path)) for path in sys.path))


def _get_change(path: str) -> float:
    """Return when something was last added to or removed from a directory or archive; 0 where there is none."""
    try:
        return os.stat(path or ".").st_mtime  # noqa: PTH116 - pathlib takes time to load
    except OSError:
        return 0


@lru_cache(maxsize=4)
def _read_entry_points(group: str, _path: tuple[tuple[str, float], ...]) -> EntryPoints:
    """Return what packages on the search path register in a group; to read it takes as long as to score a document."""
    from importlib import metadata  # noqa: PLC0415 - takes time to load, and most measures and formats are built in

    return metadata.entry_points(group=group)


@contextmanager
def blame_plugin(failure: str) -> Iterator[None]:
    """Turn what a block raises into an OptionError that begins with `failure`; corefeval's errors and Ctrl-C pass."""
    try:
        yield
    except (CorefevalError, KeyboardInterrupt):
        raise
    except BaseException as error:
        what = f"{type(error).__name__}: {error}".removesuffix(": ")
        raise OptionError(f"{failure}: {what}; this is for the package that brings it to mend") from error


def pass_over(name: str, error: OptionError) -> None:
    """Remember that a plug-in was left out of a search, and the error that is the reason, until `take_notices`."""
    _failures[name] = str(error)


def take_notices() -> tuple[Notice, ...]:
    """Return a notice of each plug-in that was passed over since the last call, and forget them."""
    notices = tuple(
        Notice(BROKEN_PLUGIN, f"plug-in passed over: {why}", {"plugin": name}) for name, why in _failures.items()
    )
    _failures.clear()
    return notices
