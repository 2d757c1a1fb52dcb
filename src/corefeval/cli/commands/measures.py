"""The command `corefeval measures`."""

from __future__ import annotations

import inspect
import shutil
import textwrap
from typing import TYPE_CHECKING

import click

from corefeval import measures as known

if TYPE_CHECKING:
    from corefeval.measures import Measure


@click.command(name="measures", short_help="List the measures, or explain one.")
@click.argument("names", metavar="[MEASURE]...", nargs=-1)
def command(names: tuple[str, ...]) -> None:
    """List the measures with their formulas, or explain some of them.

    In the formulas k and r are the sizes of a key and a response entity, n is how many mentions they share; K and R are
    all mentions of the key and of the response, M those with a twin, E = K + R - M; C(x) = x(x-1)/2. Precision swaps
    the roles of key and response.
    """
    click.echo(_list_measures() if not names else "\n\n".join(_explain_measure(_find_measure(name)) for name in names))


def _find_measure(name: str) -> type[Measure]:
    bare, colon, _ = name.partition(":")
    if colon:
        return type(known.parse(name))
    return known.find(bare)


def _list_measures() -> str:
    lines = []
    width = max(len(name) for name in known.names()) + 2
    for name, measure in ((name, known.find(name)) for name in known.names()):
        mark = "*" if name in known.DEFAULT else " "
        lines.append(f"{mark} {name:<{width}}{measure.formula}")
        lines.append(f"  {'':<{width}}{measure.citation}")
    legend = inspect.cleandoc(command.help or "").partition("\n\n")[2]
    return "\n".join([*lines, "", "* shown by default", "", legend])


def _explain_measure(measure: type[Measure]) -> str:
    width = min(shutil.get_terminal_size().columns, 100)
    facts = [("formula", measure.formula), ("from", measure.citation), ("adds up", measure.adds_up)]
    about = [f"{measure.name}: {measure.title}", ""]
    about += [textwrap.fill(part, width) + "\n" for part in inspect.cleandoc(measure.__doc__ or "").split("\n\n")]
    return "\n".join(
        [*about, *_format_items(facts, width), "", "parameters:", *_format_items(_list_parameters(measure), width)]
    )


def _list_parameters(measure: type[Measure]) -> list[tuple[str, str]]:
    found = []
    for name, declared in measure.parameters.items():
        takes = "|".join(str(choice) for choice in declared.choices) or "NUMBER"
        doc = declared.doc
        if declared.default is not None:
            default = f"{declared.default:g}" if isinstance(declared.default, float) else str(declared.default)
            doc += f" [{default}]"
        found.append((name, f"{doc} (in Python only)") if declared.api_only else (f"{name}={takes}", doc))
    return found


def _format_items(items: list[tuple[str, str]], width: int) -> list[str]:
    """Names and texts in two columns; a name that is too long has a line of its own."""
    room = min(max(len(name) for name, _ in items), 24)
    lines = []
    for name, text in items:
        lead = f"  {name:<{room}}  "
        if len(name) > room:
            lines.append(f"  {name}")
            lead = " " * (room + 4)
        lines += textwrap.wrap(text, width, initial_indent=lead, subsequent_indent=" " * (room + 4))
    return lines
