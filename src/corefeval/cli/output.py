"""What commands print: results on standard output, notices on standard error."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import click

from corefeval.tables.text import find_terminal_style

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Unpack

    from corefeval.cli.files import FileOptions
    from corefeval.notices import Notice
    from corefeval.tables.result import LayoutOptions, Result, Scope

_SHOWN_OF_A_KIND = 5


def print_result(result: Result, output: str | None, **layout: Unpack[LayoutOptions]) -> None:
    """Print a result in the form of output that was asked for; text, if none was."""
    if output is None:
        click.echo(result.to_text(find_terminal_style(), **layout))
    elif output in ("json", "csv"):
        scope: Scope = {"per_document": layout["per_document"]} if "per_document" in layout else {}
        click.echo(result.to_json(**scope) if output == "json" else result.to_csv(**scope))
    else:
        click.echo(result.to_markdown(**layout) if output == "markdown" else result.to_latex(**layout))


def print_notices(notices: Iterable[Notice], files: FileOptions) -> None:
    """Print notices as warnings on standard error, as far as the options of a command ask for them."""
    if not files.quiet:
        echo_notices(notices, show_all=files.verbose)


def echo_notices(notices: Iterable[Notice], *, show_all: bool) -> None:
    """Print notices as warnings: the same one once, a few of a kind unless all are wanted, and how many are left."""
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


def collect_notices(several: Iterable[Iterable[Notice]]) -> list[Notice]:
    """Return the notices of several results; one that an earlier result has, such as the key's, only once."""
    seen: set[str] = set()
    collected: list[Notice] = []
    for notices in several:
        new = [notice for notice in notices if notice.message not in seen]
        collected += new
        seen.update(notice.message for notice in new)
    return collected
