"""Measures and formats that other packages bring, found by their entry points."""

from __future__ import annotations

from corefeval.errors import OptionError

MEASURES = "corefeval.measures"
FORMATS = "corefeval.formats"


def list_plugins(group: str) -> tuple[str, ...]:
    """Return the names that installed packages register in a group, which is MEASURES or FORMATS."""
    from importlib import metadata  # noqa: PLC0415 - takes as long to load as many a document to read

    return tuple(dict.fromkeys(entry.name for entry in metadata.entry_points(group=group)))


def load_plugin(group: str, name: str) -> object | None:
    """Load what an installed package registers under this name; None if none does; an OptionError if loading fails."""
    from importlib import metadata  # noqa: PLC0415

    found = list(metadata.entry_points(group=group, name=name))
    if not found:
        return None
    try:
        loaded: object = found[0].load()
    except Exception as error:
        raise OptionError(f"{name}, from {found[0].value}, cannot be loaded: {error}") from error
    return loaded
