"""What the commands that look into errors have in common: their options, and one way to be read and told."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from corefeval.cli.choices import decisions
from corefeval.cli.reading import of_files, read_all

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefeval.corpus import Corpus
    from corefeval.report.text import Style

_STRICT = click.option("--strict", is_flag=True, help="Take every warning as an error.")


def files_and_decisions(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options: what decides a score, formats, and how much is told."""
    return decisions(_STRICT(of_files(command)))


def corpora(key: str, responses: tuple[str, ...], given: dict[str, Any]) -> list[Corpus]:
    """Read the key and the responses; what is left of the options decides scores."""
    if given["singletons"] == "both":
        raise click.UsageError("--singletons both makes two evaluations: look at them one after the other")
    format_, ours, theirs = (given.pop(name) for name in ("format_", "key_format", "response_format"))
    return read_all(
        [(key, ours or format_), *((response, theirs or format_) for response in responses)],
        verbose=given.pop("verbose"),
    )


def style() -> Style:
    """As the terminal allows."""
    from corefeval.report import terminal, text  # noqa: PLC0415 - --help loads no reports

    return (terminal.style() if sys.stdout.isatty() else None) or text.plain
