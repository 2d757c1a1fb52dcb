"""Warnings on standard error: the same one once, a few of a kind unless all are wanted."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corefeval.notices import Notice

_SHOWN_OF_A_KIND = 5


def show(notices: Iterable[Notice], *, everything: bool) -> None:
    """Print them; how many are not shown is said."""
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    unnamed: Counter[str] = Counter()
    for notice in notices:
        if "more" in notice.details:
            unnamed[notice.kind] += int(str(notice.details["more"]))
        else:
            kinds[notice.kind][notice.message] += 1
    for kind, messages in kinds.items():
        shown = list(messages.items()) if everything else list(messages.items())[:_SHOWN_OF_A_KIND]
        for message, times in shown:
            click.echo(f"warning: {message}{f' ({times} times)' if times > 1 else ''}", err=True)
        left = sum(messages.values()) - sum(times for _, times in shown)
        if left + unnamed[kind]:
            hint = " (-v shows them)" if left else ""
            click.echo(f"warning: and {left + unnamed[kind]:,} more of kind {kind}{hint}", err=True)
