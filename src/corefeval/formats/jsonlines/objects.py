"""The objects in a file, one at a time: on lines of their own, over several lines, or in a list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corefeval.formats.shared import json_values

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corefeval.formats.shared.diagnostics import Diagnostics


def objects(text: str, found: Diagnostics) -> Iterator[tuple[int, Any]]:
    """The values in a file with their lines; what is no JSON becomes a fault."""
    begin = json_values.skip_blanks(text, 0)
    try:
        if text.startswith("[", begin):
            parts = json_values.parse_parts(text, begin, alone=True)
            yield from _with_lines(text, ((place, value) for place, _, value in parts))
        elif _over_several_lines(text, begin):
            yield from _with_lines(text, json_values.parse_values(text, begin))
        else:
            yield from _by_line(text, found)
    except json_values.MalformedError as error:
        line, what, hint = json_values.describe_error(error, text)
        found.add_fault(line, what, "a list of JSON objects, or one on each line", hint)


def _with_lines(text: str, placed: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    line, last = 1, 0
    for place, value in placed:
        line += text.count("\n", last, place)
        last = place
        yield line, value


def _over_several_lines(text: str, begin: int) -> bool:
    """Whether the first object goes on after its line."""
    line_end = text.find("\n", begin)
    try:
        json_values.parse_value(text[:line_end], begin)
    except json_values.MalformedError:
        try:
            return json_values.parse_value(text, begin)[1] > line_end >= 0
        except json_values.MalformedError:
            return False
    return False


def _by_line(text: str, found: Diagnostics) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(text.split("\n"), 1):
        try:
            for _, value in json_values.parse_values(line, json_values.skip_blanks(line, 0)):
                yield number, value
        except json_values.MalformedError as error:
            _, what, hint = json_values.describe_error(error, line)
            found.add_fault(number, what, "a JSON object on each line", hint)
