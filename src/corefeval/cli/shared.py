"""Options that several commands have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    Command = Callable[..., Any]

measures = click.option("-m", "--measure", "measures", multiple=True, metavar="MEASURE", help="A measure; repeatable.")
seed = click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="The same seed, the same result."
)
strict = click.option("--strict", is_flag=True, help="Take every warning as an error.")

_OUTPUTS = {
    "json": "JSON with full precision.",
    "csv": "Comma-separated values with full precision.",
    "markdown": "Markdown.",
    "latex": "LaTeX, for the package booktabs.",
}


def outputs(*names: str) -> Callable[[Command], Command]:
    """Add a flag for every form beside plain text; the one that is given arrives as `output`."""

    def added(command: Command) -> Command:
        for name in reversed(names):
            flag = click.option(f"--{name}", is_flag=True, expose_value=False, callback=_chosen, help=_OUTPUTS[name])
            command = flag(command)
        return command

    return added


def _chosen(context: click.Context, flag: click.Parameter, given: bool) -> None:
    """Keep the form that is asked for; of two, one would be passed over."""
    before = context.params.setdefault("output", None)
    if given and before is not None:
        raise click.UsageError(f"--{before} and --{flag.name} are two outputs: ask for one of them")
    if given:
        context.params["output"] = flag.name
