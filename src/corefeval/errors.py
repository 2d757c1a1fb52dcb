"""What can go wrong, as a small tree.

CorefevalError
├── InputError (ValueError)       a file or an object cannot be read as it stands; lists every fault
│   └── StrictError               a warning, where warnings were asked to be errors
├── OptionError (ValueError)      an unknown option, measure or parameter
│   └── WholeCorpusError          what was asked for needs all documents in memory at once, which a limit forbids
├── MissingFileError (FileNotFoundError)
└── OutputError (OSError)         a file cannot be written
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import ClassVar

from corefeval._lazy import NamedTuple

MOST_FAULTS = 10_000
_SHOWN_FAULTS = 50
_CONTROLS = "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
"""Characters that a terminal obeys instead of showing them, and halves of characters, which cannot be encoded."""
_ESCAPED_BYTES = "(?<![\ud800-\udbff])[\udc80-\udcff]+"


def decode_escaped_bytes(text: str, errors: str = "backslashreplace") -> str:
    """Return text with bytes that Python kept as surrogate halves decoded as UTF-8; what is no UTF-8 becomes \\xe9 etc.

    Names have them in locales without UTF-8. Bytes that are no UTF-8 are shown, as \\xe9.
    errors: what becomes of these, as `bytes.decode` has it: "surrogateescape" keeps the halves.
    """
    if text.isascii() or _can_be_encoded(text):
        return text
    return re.sub(_ESCAPED_BYTES, lambda run: run[0].encode("utf-8", "surrogateescape").decode("utf-8", errors), text)


def _can_be_encoded(text: str) -> bool:
    """Return whether a text is without halves of characters; to encode it is quicker than to look for them."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def escape_controls(text: str, *, keep: str = "") -> str:
    """Return text with control characters and lone surrogates escaped, as \\x1b, but for those in `keep`."""
    if text.isprintable():
        return text
    text = decode_escaped_bytes(text, "surrogateescape")
    return re.sub(_CONTROLS, lambda found: found[0] if found[0] in keep else repr(found[0])[1:-1], text)


class Fault(NamedTuple):
    """One thing that is wrong with an input, and what to do about it. `kind` is for programs."""

    source: str
    what: str
    expected: str = ""
    hint: str = ""
    line: int | None = None
    kind: str = "syntax"

    def __str__(self) -> str:
        place = "" if not self.source else f"{self.source}: " if self.line is None else f"{self.source}:{self.line}: "
        expected = f"expected {self.expected}" if self.expected else ""
        return escape_controls(f"{place}{'; '.join(filter(None, (self.what, expected, self.hint)))}")


class CorefevalError(Exception):
    """The root of all errors raised on purpose."""

    exit_code: ClassVar[int] = 70

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""  # where OSError would write its number, too


class InputError(CorefevalError, ValueError):
    """An input cannot be read as it stands. Carries every fault found, up to a limit.

    more: how many faults there are beyond those; unlisted: how many of each kind.
    """

    exit_code = 65
    others: tuple[InputError, ...] = ()  # of other files, where all are read before any error is raised

    def __init__(self, faults: Fault | Iterable[Fault], *, unlisted: Mapping[str, int] = MappingProxyType({})) -> None:
        found = (faults,) if isinstance(faults, Fault) else tuple(faults)
        self.faults = found[:MOST_FAULTS]
        self.unlisted = Counter(unlisted) + Counter(fault.kind for fault in found[MOST_FAULTS:])
        self.more = self.unlisted.total()
        lines = [str(fault) for fault in self.faults[:_SHOWN_FAULTS]]
        left = len(self.faults) + self.more - len(lines)
        if left:
            more = f"{left} more fault{'s' if left > 1 else ''}"
            lines.append(f"and {more} of this kind or another (corefeval validate -v lists them)")
        super().__init__("\n".join(lines))

    def __reduce__(self) -> tuple[object, ...]:
        # Errors travel from workers, and are made anew from what they were made from.
        return partial(type(self), unlisted=self.unlisted), (self.faults,)


class StrictError(InputError):
    """Something that is a warning by default, with strict=True."""


class OptionError(CorefevalError, ValueError):
    """An option, a measure or a parameter that does not exist or cannot have this value."""

    exit_code = 2


class WholeCorpusError(OptionError):
    """Documents cannot be scored part by part, for a reason that the message begins with."""


class MissingFileError(CorefevalError, FileNotFoundError):
    """No such file."""

    exit_code = 66


class OutputError(CorefevalError, OSError):
    """A file cannot be written."""

    exit_code = 74


def suggest_names(word: str, known: Sequence[str]) -> str:
    """Return the end of a message: "did you mean muc? All: …" if known names are close to the word, else "known: …"."""
    import difflib  # noqa: PLC0415 - it takes time to load, and most words are right

    close = difflib.get_close_matches(word.lower(), known, n=3, cutoff=0.5)
    if close:
        return f"did you mean {' or '.join(close)}? All: {', '.join(known)}"
    return f"known: {', '.join(known)}"


def check_choice(option: str, value: object, known: Sequence[str]) -> None:
    """Raise an OptionError that suggests near ones unless a value is one of those that an option takes."""
    if value not in known:
        raise OptionError(f"{option}={value!r} is not possible; {suggest_names(str(value), known)}")
