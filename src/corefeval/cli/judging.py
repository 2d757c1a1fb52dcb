"""What the commands that judge systems or annotators have in common: options, and one way to be written."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import click

from corefeval.cli import warnings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from corefeval.statistics.agreement import Agreement
    from corefeval.statistics.comparison import Comparison

    Command = Callable[..., Any]


def check(given: Mapping[str, Any]) -> None:
    """Refuse what would make two results of one."""
    if given["singletons"] == "both":
        raise click.UsageError("compare with and without singletons one after the other: --singletons keep, then drop")


def tell(found: Comparison | Agreement, report: str, output: str | None, *, quiet: bool, verbose: bool) -> None:
    """Print what was found, by default as the module of that name in `report` writes it, and its warnings."""
    if output is not None:
        click.echo(getattr(found, f"to_{output}")())
    else:
        from corefeval.report import terminal  # noqa: PLC0415 - --help loads no reports

        click.echo(importlib.import_module(f"corefeval.report.{report}").text(found, style=terminal.style()))
    if not quiet:
        warnings.show(iter(found.warnings), everything=verbose)
