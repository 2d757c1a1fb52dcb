"""How much is read before it is taken for a mistake or an attack; users raise a limit by an environment variable."""

from __future__ import annotations

import os
import re

from corefeval.errors import OptionError

MAX_SIZE = "COREFEVAL_MAX_SIZE"
"""How many bytes a packed file, an archive, a pipe or a device may hold."""

MAX_OFFSET = "COREFEVAL_MAX_OFFSET"
"""How many words or characters a document whose text is not known may have."""

_DEFAULTS = {MAX_SIZE: "2GB", MAX_OFFSET: "10000000"}
_NUMBER = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(i?)B?\s*", re.IGNORECASE)
_POWERS = ("", "K", "M", "G", "T")


def get_limit(name: str) -> int:
    """Return a limit, as the environment or else the default says; raise an OptionError if that is no number."""
    given = os.environ.get(name) or _DEFAULTS[name]
    number = _NUMBER.fullmatch(given)
    if number is None:
        raise OptionError(f"{name}={given!r} is not possible; expected a number such as {_DEFAULTS[name]}")
    base = 1024 if number[3] else 1000
    return int(float(number[1]) * base ** _POWERS.index(number[2].upper()))


def tell_how_to_raise(name: str) -> str:
    """Return the end of a message: which variable raises a limit, and what it is now."""
    return (
        f"if it is meant, raise the limit: {name}=… in the environment (now {os.environ.get(name) or _DEFAULTS[name]})"
    )
