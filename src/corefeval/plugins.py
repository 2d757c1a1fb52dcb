"""Measures and formats that other packages bring, found by their entry points."""

from __future__ import annotations

from corefeval.errors import OptionError

MEASURES = "corefeval.measures"
FORMATS = "corefeval.formats"


def names(group: str) -> tuple[str, ...]:
    """What installed packages bring."""
    from importlib import metadata  # noqa: PLC0415 - takes as long to load as many a document to read

    return tuple(dict.fromkeys(entry.name for entry in metadata.entry_points(group=group)))


def load(group: str, name: str) -> object | None:
    """What an installed package brings under this name; None if nothing does."""
    from importlib import metadata  # noqa: PLC0415

    found = list(metadata.entry_points(group=group, name=name))
    if not found:
        return None
    try:
        loaded: object = found[0].load()
    except Exception as error:
        raise OptionError(f"{name}, from {found[0].value}, cannot be loaded: {error}") from error
    return loaded
