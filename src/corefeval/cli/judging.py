"""What the commands that judge systems or annotators have in common: options, and one way to be written."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import click

from corefeval.cli import analysing, warnings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from corefeval.statistics.agreement import Agreement
    from corefeval.statistics.comparison import Comparison

    Command = Callable[..., Any]

measures = click.option("-m", "--measure", "measures", multiple=True, metavar="MEASURE", help="A measure; repeatable.")
seed = click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="The same seed, the same result."
)
strict = click.option("--strict", is_flag=True, help="Take every warning as an error.")

_OUTPUTS = {
    "json": "JSON with full precision.",
    "csv": "Comma-separated values with full precision.",
    "markdown": "Markdown tables.",
    "latex": "A LaTeX table, with letters for significance.",
}


def outputs(*names: str) -> Callable[[Command], Command]:
    """Add a flag for every form beside plain text; the one that is given arrives as `output`."""

    def added(command: Command) -> Command:
        for name in reversed(names):
            command = click.option(f"--{name}", "output", flag_value=name, help=_OUTPUTS[name])(command)
        return command

    return added


def check(given: Mapping[str, Any]) -> None:
    """Refuse what would make two results of one."""
    if given["singletons"] == "both":
        raise click.UsageError("compare with and without singletons one after the other: --singletons keep, then drop")


def tell(found: Comparison | Agreement, report: str, output: str | None, *, quiet: bool, verbose: bool) -> None:
    """Print what was found, by default as the module of that name in `report` writes it, and its warnings."""
    if output is not None:
        click.echo(getattr(found, f"to_{output}")())
    else:
        click.echo(importlib.import_module(f"corefeval.report.{report}").text(found, style=analysing.style()))
    if not quiet:
        warnings.show(iter(found.warnings), everything=verbose)
