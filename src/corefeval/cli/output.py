"""What commands print: results on standard output, notices on standard error."""

from __future__ import annotations

import importlib
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import click

from corefeval.cli.progress import show_progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from corefeval.agreement.results import Agreement
    from corefeval.cli.files import FileOptions
    from corefeval.comparison.results import Comparison
    from corefeval.notices import Notice
    from corefeval.scoring.results import Evaluation
    from corefeval.show.text import Style
    from corefeval.show.titled import Table

_SHOWN_OF_A_KIND = 5


def print_output(output: str | None, text: Callable[[Style], str], **others: Callable[[], str]) -> None:
    """Print the form of output that was asked for; text, if none was."""
    from corefeval.show import terminal  # noqa: PLC0415 - --help loads no reports

    click.echo(text(terminal.style()) if output is None else others[output]())


def make_table_writers(tables: Callable[[], Iterable[Table]], signature: str) -> dict[str, Callable[[], str]]:
    """Return the writers of Markdown and LaTeX for a result that consists of tables."""
    from corefeval.show import titled  # noqa: PLC0415 - --help loads no reports

    return {
        "markdown": lambda: titled.as_markdown(tables(), signature),
        "latex": lambda: titled.as_latex(tables(), signature),
    }


def print_judgement(result: Comparison | Agreement, report: str, output: str | None, files: FileOptions) -> None:
    """Print a comparison or an agreement, as text by the module of that name in `show`, and its notices."""
    if output is not None:
        click.echo(getattr(result, f"to_{output}")())
    else:
        from corefeval.show import terminal  # noqa: PLC0415 - --help loads no reports

        click.echo(importlib.import_module(f"corefeval.show.{report}").text(result, style=terminal.style()))
    print_notices(result.notices, files)


def add_relative_scores(
    shown: str, evaluations: Sequence[Evaluation], baseline: str, output: str | None, files: FileOptions
) -> str:
    """Return a report with the scores of its evaluations relative to a baseline added."""
    from corefeval.baselines.relative import relate_evaluations  # noqa: PLC0415 - --help loads no NumPy
    from corefeval.show import relative, table, terminal  # noqa: PLC0415

    with show_progress(quiet=files.quiet) as progress:
        found = relate_evaluations(evaluations, baseline, format=files.response_format, progress=progress)
    if not files.quiet:
        echo_notices(found[0].base.notices, show_all=False)
    return relative.added(shown, found, table.labels(evaluations), output, style=terminal.style())


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
