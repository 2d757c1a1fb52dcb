"""What the commands that judge systems or annotators have in common: one way to be written."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

import click

from corefeval.cli import warnings

if TYPE_CHECKING:
    from corefeval.agreement.results import Agreement
    from corefeval.comparison.results import Comparison


def tell(found: Comparison | Agreement, report: str, output: str | None, *, quiet: bool, verbose: bool) -> None:
    """Print what was found, by default as the module of that name in `report` writes it, and its warnings."""
    if output is not None:
        click.echo(getattr(found, f"to_{output}")())
    else:
        from corefeval.show import terminal  # noqa: PLC0415 - --help loads no reports

        click.echo(importlib.import_module(f"corefeval.show.{report}").text(found, style=terminal.style()))
    if not quiet:
        warnings.show(iter(found.warnings), everything=verbose)
