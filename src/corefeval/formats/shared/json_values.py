"""JSON text with a place for every complaint: what the formats that are written in JSON share."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from corefeval.errors import Fault, InputError
from corefeval.formats.shared import lines
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.formats.shared.writing import replace_surrogates, respell_names
from corefeval.notices import count_things

_BLANK = re.compile(r"[ \t\n\r]*")
_HALF = re.compile(r"\\u[dD](?:[89abAB]..(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..\\u[dD])[c-fC-F])")
_ESCAPE = re.compile(r"(?P<whole>\\u[dD][89abAB]..\\u[dD][c-fC-F]..)|(?P<half>\\u[dD][89a-fA-F]..)|\\.")


class MalformedError(ValueError):
    """Text that is not JSON, and where that shows."""

    def __init__(self, what: str, position: int) -> None:
        super().__init__(what)
        self.what, self.position = what, position


class TwiceError(MalformedError):
    """An object has a key twice."""


def decode_text(data: bytes, diagnostics: Diagnostics, hint: str = "convert the file: iconv -f LATIN1 -t UTF-8") -> str:
    """Return the text of a JSON file, escaped half characters replaced with a notice; InputError if it is not UTF-8."""
    data = lines.normalize_text(data, diagnostics.source)
    try:
        content = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        what = f"the byte 0x{data[error.start]:02x} is not UTF-8"
        raise InputError(Fault(diagnostics.source, what, "UTF-8", hint, line)) from None
    may_be_half = b"\\ud" in data or b"\\uD" in data
    return _replace_half_characters(content, diagnostics) if may_be_half and _HALF.search(content) else content


def parse_value(content: str, at: int) -> tuple[Any, int]:
    """Return the JSON value that begins at a position, and where it ends; a MalformedError if there is none."""
    try:
        return _DECODER.raw_decode(content, at)
    except json.JSONDecodeError as error:
        raise MalformedError(error.msg, error.pos) from None
    except RecursionError:
        raise MalformedError("lists or objects are nested too deeply", at) from None
    except TwiceError as error:
        raise TwiceError(error.what, at) from None
    except ValueError:
        raise MalformedError("a number has too many digits", at) from None


def skip_blanks(content: str, at: int) -> int:
    """Return the first position from this one on that has no blank on it, or the end of the text."""
    return _BLANK.match(content, at).end()  # type: ignore[union-attr]


def parse_values(content: str, at: int) -> Iterator[tuple[int, Any]]:
    """Yield position and value for each of the JSON values from a position to the end; raises MalformedError."""
    while at < len(content):
        found, end = parse_value(content, at)
        yield at, found
        at = skip_blanks(content, end)


def parse_parts(content: str, at: int, *, alone: bool = False) -> Iterator[tuple[int, str | int, Any]]:
    """Yield (begin, place or key, value) for each part of the list or object at a position; nothing if it is neither.

    alone: nothing may follow. Raises MalformedError.
    """
    closing = {"[": "]", "{": "}"}.get(content[at : at + 1])
    if closing is None:
        return
    at = skip_blanks(content, at + 1)
    key: str | int = -1
    ended = content.startswith(closing, at)
    while not ended:
        if isinstance(key, int) and closing == "]":
            key += 1
        else:
            key, at = parse_value(content, at)
            at = skip_blanks(content, skip_blanks(content, at) + 1)
        part, end = parse_value(content, at)
        yield at, key, part
        at = skip_blanks(content, end)
        ended = content.startswith(closing, at)
        if not ended:
            if not content.startswith(",", at):
                raise MalformedError("Expecting ',' delimiter", at)
            at = skip_blanks(content, at + 1)
    rest = skip_blanks(content, at + 1)
    if alone and rest < len(content):
        raise MalformedError("Extra data", rest)


def iterate_objects(text: str, diagnostics: Diagnostics, *, by_lines: bool = False) -> Iterator[tuple[int, Any]]:
    """Yield line and value of all JSON values in a file, or of all entries of its list; what is no JSON is a fault.

    by_lines: whether it is known that there is a value on each line.
    """
    begin = skip_blanks(text, 0)
    try:
        if by_lines:
            yield from _iterate_lines(text, diagnostics)
        elif text.startswith("[", begin):
            parts = parse_parts(text, begin, alone=True)
            yield from _add_lines(text, ((place, value) for place, _, value in parts))
        elif _spans_lines(text, begin):
            yield from _add_lines(text, parse_values(text, begin))
        else:
            yield from _iterate_lines(text, diagnostics)
    except MalformedError as error:
        line, what, hint = describe_error(error, text)
        diagnostics.add_fault(line, what, "a list of JSON objects, or one on each line", hint)


def _add_lines(text: str, placed: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    """Yield (line, value) for each given (position in the text, value); positions must rise."""
    line, last = 1, 0
    for place, value in placed:
        line += text.count("\n", last, place)
        last = place
        yield line, value


def _spans_lines(text: str, begin: int) -> bool:
    """Return whether the JSON value at a position is well-formed and goes on after its first line."""
    line_end = text.find("\n", begin)
    try:
        parse_value(text[:line_end], begin)
    except MalformedError:
        try:
            return parse_value(text, begin)[1] > line_end >= 0
        except MalformedError:
            return False
    return False


def _iterate_lines(text: str, diagnostics: Diagnostics) -> Iterator[tuple[int, Any]]:
    """Yield (line number, value) for all JSON values on each line; add a fault for a line that is no JSON."""
    for number, line in enumerate(text.split("\n"), 1):
        try:
            for _, value in parse_values(line, skip_blanks(line, 0)):
                yield number, value
        except MalformedError as error:
            _, what, hint = describe_error(error, line)
            diagnostics.add_fault(number, what, "a JSON object on each line", hint)


def index_lines(content: str) -> dict[tuple[str | int, ...], int]:
    """Return the lines on which a value, its parts and their parts begin, by the keys and places that lead to them."""
    begin = skip_blanks(content, 0)
    found: dict[tuple[str | int, ...], int] = {(): begin}
    for place, key, _ in parse_parts(content, begin):
        found[key,] = place
        found |= {(key, inner): at for at, inner, _ in parse_parts(content, place)}
    return {path: line for line, path in _add_lines(content, ((place, path) for path, place in found.items()))}


def find_line(content: str, position: int) -> int:
    """Return the line of a position, from 1."""
    return content.count("\n", 0, position) + 1


def describe_error(error: MalformedError, content: str) -> tuple[int, str, str]:
    """Return line, message and hint of a JSON error; one at the end of the file is reported on its last line."""
    end = len(content.rstrip())
    position = min(error.position, end)
    column = position - content.rfind("\n", 0, position)
    ended = error.position >= end or error.what.startswith("Unterminated")
    hint = "it may be truncated" if ended and end else ""
    return find_line(content, position), f"not JSON: {error.what} (column {column})", hint


def dump_line(content: object) -> str:
    """Return a value as one line of JSON, other letters than ASCII as they are; a ValueError for infinity and NaN."""
    return json.dumps(content, ensure_ascii=False, allow_nan=False)


def show_value(value: object) -> str:
    """Return the `repr` of a value for a message, cut to 40 characters."""
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def spell_document_names(documents: Sequence[str]) -> list[str]:
    """Return names with U+FFFD for halves of characters, made different from each other again."""
    return respell_names(documents, replace_surrogates)


def encode_text(content: str) -> bytes:
    """Return text as UTF-8 bytes, with U+FFFD for surrogates."""
    return replace_surrogates(content).encode("utf-8")


def _refuse_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the dictionary of these pairs of key and value; raise TwiceError if a key is repeated."""
    found = dict(pairs)
    if len(found) < len(pairs):
        times = Counter(key for key, _ in pairs)
        raise TwiceError(f"an object has the key {max(times, key=times.__getitem__)!r} twice", 0)
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_refuse_repeated_keys)


def _replace_half_characters(content: str, diagnostics: Diagnostics) -> str:
    """Return JSON text with U+FFFD for escapes of lone surrogates; add one notice if there are any."""
    halves = []

    def replace_half(match: re.Match[str]) -> str:
        """Return the escape of U+FFFD for half a character, whose place is added to `halves`; all else unchanged."""
        if match["half"] is None:
            return match[0]
        halves.append(match.start())
        return "\\ufffd"

    content = _ESCAPE.sub(replace_half, content)
    if halves:
        many = count_things(len(halves), "escape", "is", "are")
        message = f"{many} half a character (a surrogate without its other half); read as U+FFFD"
        diagnostics.add_notice("half-character", find_line(content, halves[0]), message, count=len(halves))
    return content
