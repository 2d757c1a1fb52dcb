"""What commands print: results on standard output; notices, and a progress bar on terminals, on standard error."""

from __future__ import annotations

import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Unpack

import click

from corefeval.notices import Notice
from corefeval.tables.result import LayoutOptions, Result, Scope
from corefeval.tables.text import find_terminal_style

_SHOWN_OF_A_KIND = 5
_PATIENCE = 0.5  # seconds


def echo_result(result: Result, output: str | None, **layout: Unpack[LayoutOptions]) -> None:
    """Print a result in a form of output ("json", "csv", "markdown" or "latex"); None: as text for the terminal."""
    if output is None:
        click.echo(result.to_text(find_terminal_style(), **layout))
    elif output in ("json", "csv"):
        scope: Scope = {"per_document": layout["per_document"]} if "per_document" in layout else {}
        click.echo(result.to_json(**scope) if output == "json" else result.to_csv(**scope))
    else:
        click.echo(result.to_markdown(**layout) if output == "markdown" else result.to_latex(**layout))


def echo_notices(notices: Iterable[Notice], *, show_all: bool) -> None:
    """Print notices as warnings on standard error: each once, five of a kind or all, and how many are left."""
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    unnamed: Counter[str] = Counter()
    for notice in notices:
        if "more" in notice.details:
            unnamed[notice.kind] += int(str(notice.details["more"]))
        else:
            kinds[notice.kind][notice.message] += 1
    for kind, messages in kinds.items():
        shown = list(messages.items()) if show_all else list(messages.items())[:_SHOWN_OF_A_KIND]
        for message, times in shown:
            click.echo(f"warning: {message}{f' ({times} times)' if times > 1 else ''}", err=True)
        left = sum(messages.values()) - sum(times for _, times in shown)
        if left + unnamed[kind]:
            hint = " (-v shows them)" if left else ""
            click.echo(f"warning: and {left + unnamed[kind]:,} more of kind {kind}{hint}", err=True)


@contextmanager
def show_progress(*, quiet: bool = False) -> Iterator[Callable[[str, int, int], None] | None]:
    """Show a progress bar on a terminal while a block runs that takes longer than half a second.

    Yields a function that takes what is being done, how much is done, and of how much; None if quiet or off a terminal.
    """
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 - loaded for terminals only
    from rich.progress import Progress  # noqa: PLC0415

    began = time.monotonic()
    with Progress(console=Console(stderr=True), transient=True) as bar:
        tasks = {}

        def update_bar(what: str, done: int, total: int) -> None:
            if what not in tasks and time.monotonic() - began > _PATIENCE:
                tasks[what] = bar.add_task(what, total=total)
            if what in tasks:
                bar.update(tasks[what], completed=done)

        yield update_bar
