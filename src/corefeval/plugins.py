"""Measures and formats that other packages bring, found by their entry points. A broken one breaks only itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from corefeval.errors import CorefevalError, OptionError
from corefeval.notices import BROKEN_PLUGIN, Notice

MEASURES = "corefeval.measures"
FORMATS = "corefeval.formats"

_failures: dict[str, str] = {}
"""Why plug-ins were passed over, by name, until a notice has said so."""


def list_plugins(group: str) -> tuple[str, ...]:
    """Return the names, each once, that installed packages register in a group, which is MEASURES or FORMATS."""
    from importlib import metadata  # noqa: PLC0415 - takes as long to load as many a document to read

    return tuple(dict.fromkeys(entry.name for entry in metadata.entry_points(group=group)))


def load_plugin(group: str, name: str) -> object | None:
    """Return the object that a package registers by this name; None if none does; an OptionError if loading fails."""
    from importlib import metadata  # noqa: PLC0415

    found = list(metadata.entry_points(group=group, name=name))
    if not found:
        return None
    with blame_plugin(f"{name}, from {found[0].value}, cannot be loaded"):
        loaded: object = found[0].load()
    return loaded


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
