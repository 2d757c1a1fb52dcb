"""Standard output and error, whatever they are: of any encoding, a terminal or not, full or closed."""

from __future__ import annotations

import codecs
import contextlib
import io
import sys
import threading
from collections.abc import Iterable
from typing import ClassVar

import click

from corefeval.errors import escape_controls

_SHOWN_AS_ASCII = {
    "─": "-", "–": "-", "—": "-", "−": "-", "→": "->", "·": ".", "×": "x", "…": "...", "≤": "<=", "≥": ">=", "²": "2",
    "³": "3", "‘": "'", "’": "'", "“": '"', "”": '"',
}  # fmt: skip
_ERRORS = "corefeval-console"
_PATIENCE = 1.0  # seconds
_PAUSE = 0.2
_CLEAR = "\r\x1b[2K"


class ProgressLine:
    """The last line of a terminal, which says what is being done; it is gone when anything else is printed."""

    shown: ClassVar[ProgressLine | None] = None

    def __init__(self) -> None:
        self._text = ""
        self._drawn = False
        self._done = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._draw, daemon=True)

    def update(self, step: str, done: int, total: int) -> None:
        """Store the text to show, a step, how much of it is done, and of how much; a thread draws it after a second."""
        self._text = escape_controls(f"{step}: {done:,} of {total:,}" if total > 1 else step)

    def __enter__(self) -> None:
        ProgressLine.shown = self
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        ProgressLine.shown = None
        self._done.set()
        self._thread.join()
        self.clear()

    def clear(self) -> None:
        """Erase the line from the terminal, if it is there; it comes back with the next pause."""
        with self._lock, contextlib.suppress(OSError):
            if self._drawn:
                sys.stderr.write(_CLEAR)
                sys.stderr.flush()
            self._drawn = False

    def _draw(self) -> None:
        """Draw the line on standard error again and again, after a second of patience, until the block is done."""
        pause = _PATIENCE
        while not self._done.wait(pause):
            import shutil  # noqa: PLC0415 - most commands are done before

            pause = _PAUSE
            with self._lock, contextlib.suppress(OSError):
                room = shutil.get_terminal_size().columns - 1
                sys.stderr.write(f"{_CLEAR}{self._text[:room]}")
                sys.stderr.flush()
                self._drawn = True


def prepare_streams() -> None:
    """Make standard output and error replace what their encoding lacks: rules by "-", letters by escapes."""
    codecs.register_error(_ERRORS, _replace_unknown)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_ERRORS)


def _replace_unknown(error: UnicodeError) -> tuple[str, int]:
    """Return ASCII for characters that an encoding lacks, and where to go on, as a handler of `codecs` does."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    unknown = error.object[error.start : error.end]
    shown = (_SHOWN_AS_ASCII.get(char) or char.encode("ascii", "backslashreplace").decode() for char in unknown)
    return "".join(shown), error.end


def clear_progress() -> None:
    """Erase the line that shows progress, if any, from the terminal, so that something else can be printed."""
    if ProgressLine.shown is not None:
        ProgressLine.shown.clear()


def echo_data(text: str) -> None:
    """Switch standard output to UTF-8 and print data for programs; on a terminal, control characters are escaped."""
    echo_data_in_parts((text,))


def echo_data_in_parts(parts: Iterable[str]) -> None:
    """Print data as `echo_data` does, one part after another, and no more of it held than one part."""
    clear_progress()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    is_terminal = sys.stdout.isatty()
    for part in parts:
        sys.stdout.write(escape_controls(part, keep="\n\t") if is_terminal else part)
    sys.stdout.write("\n")


def echo_text(text: str) -> None:
    """Print text for people on standard output, in its own encoding, without colours if it is no terminal."""
    clear_progress()
    click.echo(text, file=sys.stdout)  # Click's own choice would be UTF-8 where the encoding is ASCII


def echo_message(text: str, *, label: str = "") -> None:
    """Print a message on standard error, control characters escaped; do nothing if that is closed or not writable.

    label: what every line begins with, as it is: in colour, perhaps.
    """
    if sys.stderr is not None:
        clear_progress()
        lines = (label + escape_controls(line, keep="\t") for line in text.split("\n"))
        with contextlib.suppress(OSError):
            click.echo("\n".join(lines), file=sys.stderr)


def has_terminal() -> bool:
    """Return whether standard error is a terminal; False if it is closed."""
    return sys.stderr is not None and sys.stderr.isatty()
