"""What commands print: results on standard output; notices, and a progress bar on terminals, on standard error."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Unpack

import click

from corefeval.cli import console
from corefeval.cli.console import echo_data, echo_data_in_parts, echo_message, echo_text, has_terminal
from corefeval.notices import Notice, count_things, listen_to_progress
from corefeval.tables.result import LayoutOptions, Result, Scope
from corefeval.tables.text import find_terminal_style

_SHOWN_OF_A_KIND = 2
_COLOURS = {"warning:": "yellow", "error:": "red"}


def echo_result(result: Result, output: str | None, **layout: Unpack[LayoutOptions]) -> None:
    """Print a result in a form of output ("json", "csv", "csv-safe", "markdown", "latex"); None: as text."""
    scope: Scope = {"per_document": layout["per_document"]} if "per_document" in layout else {}
    if output is None:
        echo_text(result.to_text(find_terminal_style(), notices=False, **layout))
    elif output == "json":
        echo_data_in_parts(result.stream_json(**scope))
    elif output in ("csv", "csv-safe"):
        echo_data(result.to_csv(safe=output == "csv-safe", **scope))
    else:
        echo_data(result.to_markdown(**layout) if output == "markdown" else result.to_latex(**layout))


def paint_label(label: str) -> str:
    """Return "warning:" or "error:", in colour if standard error is a terminal and NO_COLOR does not forbid it."""
    if not has_terminal() or os.environ.get("NO_COLOR"):
        return label
    return click.style(label, fg=_COLOURS[label], bold=True)


def echo_error(message: str) -> None:
    """Print an error's message on standard error; on a terminal each line begins with `error:`.

    Elsewhere lines begin with the file and its line, as editors and scripts expect.
    """
    echo_message(message, label=f"{paint_label('error:')} " if has_terminal() else "")


def echo_notices(notices: Iterable[Notice], *, show_all: bool) -> None:
    """Print notices as warnings on standard error; unless `show_all`, more than two of a kind as one with the first."""
    groups: dict[str, list[Notice]] = {}
    for notice in notices:
        groups.setdefault(notice.kind, []).append(notice)
    lines: list[str] = []
    total, grouped = 0, False
    for kind, group in groups.items():
        named = [notice for notice in group if "more" not in notice.details]
        unnamed = sum(int(str(notice.details["more"])) for notice in group if "more" in notice.details)
        messages = Counter(str(notice) for notice in named)
        total += len(named) + unnamed
        if show_all or len(messages) <= _SHOWN_OF_A_KIND:
            lines += [f"{message}{f' ({times} times)' if times > 1 else ''}" for message, times in messages.items()]
            lines += [f"and {unnamed:,} more of kind {kind}"] if unnamed else []
        else:
            grouped = True
            lines.append(f"{kind}  {_count_notices(named, unnamed)}  (first: {named[0]})")
    for line in lines:
        echo_message(line, label=f"{paint_label('warning:')} ")
    if grouped:
        echo_message(f"(-v shows all {total:,} warnings)")


def _count_notices(notices: Sequence[Notice], unnamed: int) -> str:
    """Return how many notices there are: "263 documents" or "2 files" if each is about another one, or "263 times".

    unnamed: how many there are besides those given.
    """
    count = len(notices) + unnamed
    documents = {str(notice.details.get("document", "")) for notice in notices} - {""}
    files = {notice.source for notice in notices} - {""}
    for thing, distinct in (("document", documents), ("file", files)):
        if len(distinct) == len(notices):
            return count_things(count, thing)
    return count_things(count, "time")


@contextmanager
def show_progress(*, quiet: bool = False) -> Iterator[None]:
    """Show, while the block runs, what it does in a terminal's last line if it takes a second; not if `quiet`."""
    if quiet or not has_terminal():
        yield
        return
    line = console.ProgressLine()
    with listen_to_progress(line.update), line:
        yield
