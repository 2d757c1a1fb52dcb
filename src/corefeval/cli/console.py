"""Standard output and error, whatever they are: of any encoding, a terminal or not, full or closed."""

from __future__ import annotations

import codecs
import contextlib
import io
import sys

import click

from corefeval.errors import escape_controls

_SHOWN_AS_ASCII = {
    "─": "-", "–": "-", "—": "-", "−": "-", "→": "->", "·": ".", "×": "x", "…": "...", "≤": "<=", "≥": ">=", "²": "2",
    "³": "3", "‘": "'", "’": "'", "“": '"', "”": '"',
}  # fmt: skip
_ERRORS = "corefeval-console"


def prepare_streams() -> None:
    """Make standard output and error write what their encoding lacks otherwise: rules as "-", letters as escapes."""
    codecs.register_error(_ERRORS, _replace_unknown)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_ERRORS)


def _replace_unknown(error: UnicodeError) -> tuple[str, int]:
    """Return ASCII for the characters that an encoding lacks, and where to go on: an error handler of `codecs`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    unknown = error.object[error.start : error.end]
    shown = (_SHOWN_AS_ASCII.get(char) or char.encode("ascii", "backslashreplace").decode() for char in unknown)
    return "".join(shown), error.end


def echo_data(text: str) -> None:
    """Print data for programs as UTF-8, whatever the encoding; a terminal is shown its control characters."""
    if sys.stdout.isatty():
        text = escape_controls(text, keep="\n\t")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.stdout.write(f"{text}\n")


def echo_text(text: str) -> None:
    """Print text for people on standard output, in its own encoding, without colours if it is no terminal."""
    click.echo(text, file=sys.stdout)  # Click's own choice would be UTF-8 where the encoding is ASCII


def echo_message(text: str, *, label: str = "") -> None:
    """Print a message on standard error, its control characters shown; if nobody can read it, go on without.

    label: what every line begins with, as it is: in colour, perhaps.
    """
    if sys.stderr is not None:
        lines = (f"{label}{escape_controls(line)}" for line in text.split("\n"))
        with contextlib.suppress(OSError):
            click.echo("\n".join(lines), file=sys.stderr)


def has_terminal() -> bool:
    """Return whether standard error is a terminal; it may also be closed."""
    return sys.stderr is not None and sys.stderr.isatty()
