"""The command `corefeval measures`."""

from __future__ import annotations

import inspect
import shutil
import textwrap
from typing import TYPE_CHECKING

import click

from corefeval import measures as known
from corefeval.cli.output import format_items

if TYPE_CHECKING:
    from corefeval.measures import Measure


@click.command("measures")
@click.argument("names", metavar="[MEASURE]...", nargs=-1)
def command(names: tuple[str, ...]) -> None:
    """List the measures with their formulas, or explain some of them.

    In the formulas k and r are the sizes of a key and a response entity, n is how many mentions they share; K and R are
    all mentions of the key and of the response, M those with a twin, E = K + R - M; C(x) = x(x-1)/2. Precision swaps
    the roles of key and response.
    """
    # A measure with parameters is one object; explained is its class, for which parameters need no values.
    classes = [type(known.parse(name)) if ":" in name else known.find_class(name) for name in names]
    click.echo("\n\n".join(map(_explain_measure, classes)) if names else _list_measures())


def _list_measures() -> str:
    """Return two lines for each measure, its formula and its citation, and the legend."""
    lines = []
    width = max(map(len, known.list_names())) + 2
    for name in known.list_names():
        measure = known.find_class(name)
        mark = "*" if name in known.DEFAULT else " "
        lines += [f"{mark} {name:<{width}}{measure.formula}", f"  {'':<{width}}{measure.citation}"]
    legend = inspect.cleandoc(command.help or "").partition("\n\n")[2]
    return "\n".join([*lines, "", "* shown by default", "", legend])


def _explain_measure(measure: type[Measure]) -> str:
    """Return what a measure's class says about itself: title, docstring, formula, citation, parameters."""
    width = min(shutil.get_terminal_size().columns, 100)
    paragraphs = inspect.cleandoc(measure.__doc__ or "").split("\n\n")
    facts = {"formula": measure.formula, "from": measure.citation, "adds up": measure.adds_up}
    parameters: dict[str, str] = {}
    for name, declared in measure.parameters.items():
        choices = "|".join(str(choice) for choice in declared.choices) or "NUMBER"
        default = f"{declared.default:g}" if isinstance(declared.default, float) else str(declared.default)
        text = declared.doc if declared.default is None else f"{declared.doc} [{default}]"
        parameters |= {name: f"{text} (in Python only)"} if declared.api_only else {f"{name}={choices}": text}
    return "\n".join(
        [
            f"{measure.name}: {measure.title}",
            "",
            *(textwrap.fill(paragraph, width) + "\n" for paragraph in paragraphs),
            *format_items(facts, width),
            "",
            "parameters:",
            *format_items(parameters, width),
        ]
    )
