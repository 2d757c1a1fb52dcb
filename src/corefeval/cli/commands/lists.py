"""The commands that list what there is, or explain some of it: `corefeval formats`, `measures` and `profiles`."""

from __future__ import annotations

import inspect
import shutil
import textwrap
from collections.abc import Mapping, Sequence

import click

import corefeval
from corefeval import measures as known
from corefeval import plugins
from corefeval.cli.console import echo_data, echo_text
from corefeval.cli.output import echo_notices
from corefeval.measures import Measure
from corefeval.options import DECISIONS
from corefeval.profiles import Profile
from corefeval.profiles import registry as profile_registry
from corefeval.profiles.registry import DEFAULT, find_profile
from corefeval.tables.text import find_terminal_style, split_columns
from corefeval.tables.writers import encode_json

_WIDEST_NAMES = 24
_UNLIMITED = 10_000  # columns, for files and pipes


@click.command()
@click.argument("names", metavar="[FORMAT]...", nargs=-1)
def formats(names: tuple[str, ...]) -> None:
    """List the formats that can be read and written, with an example each, or explain some of them.

    A file's format is recognised by its content, and where that leaves several possible, by its name. --format tells it
    otherwise; options of a format follow a colon, as in table:mention=record_id,entity=cluster_id.
    """
    described = []
    registry = corefeval.formats.registry
    for name, format_ in [(name, registry.load_format(name)) for name in names] or registry.list_formats():
        use = "read only" if format_.CAPACITY is None else "read and write"
        suffixes = ", ".join(format_.SUFFIXES[:3]) or "any name"
        example = textwrap.indent(format_.EXAMPLE.strip(), "    ")
        described.append(f"{name}: {format_.TITLE}\n  {use}; {suffixes}\n{example}")
        if names:
            described.append(inspect.cleandoc(format_.__doc__ or ""))
    echo_text("\n\n".join(described))
    echo_notices(plugins.take_notices(), show_all=True)


@click.command()
@click.argument("names", metavar="[MEASURE]...", nargs=-1)
def measures(names: tuple[str, ...]) -> None:
    """List the measures with their formulas, or explain some of them.

    In the formulas k and r are the sizes of a key and a response entity, n is how many mentions they share; K and R are
    all mentions of the key and of the response, M those with a twin, E = K + R - M; C(x) = x(x-1)/2. Precision swaps
    the roles of key and response.
    """
    # A measure with parameters is one object; explained is its class, for which parameters need no values.
    classes = [type(known.parse(name)) if ":" in name or "(" in name else known.find_class(name) for name in names]
    echo_text("\n\n".join(map(_explain_measure, classes)) if names else _list_measures())
    echo_notices(plugins.take_notices(), show_all=True)


def _list_measures() -> str:
    """Return text, no line wider than the terminal: each measure's name, formula and citation, then the legend."""
    lines = []
    classes = known.list_classes()
    width, room = max(map(len, classes)) + 2, (find_terminal_style().width or _UNLIMITED) - 2
    for name, measure in classes.items():
        mark = "*" if name in known.DEFAULT else " "
        first, *more = textwrap.wrap(measure.formula, room - width) + textwrap.wrap(measure.citation, room - width)
        lines += [f"{mark} {name:<{width}}{first}", *(f"  {'':<{width}}{line}" for line in more)]
    legend = inspect.cleandoc(measures.help or "").partition("\n\n")[2]
    return "\n".join([*lines, "", "* shown by default", "", textwrap.fill(legend, min(room, 118))])


def _explain_measure(measure: type[Measure]) -> str:
    """Return text with what a measure's class says about itself: title, docstring, formula, citation, parameters."""
    width = min(shutil.get_terminal_size().columns, 100)
    paragraphs = inspect.cleandoc(measure.__doc__ or "").split("\n\n")
    facts = {"formula": measure.formula, "from": measure.citation, "adds up": measure.adds_up}
    parameters: dict[str, str] = {}
    for name, declared in measure.parameters.items():
        if declared.instance is tuple:  # of other measures, which are not written as a parameter
            continue
        choices = "|".join([*map(str, declared.choices), *(["FILE"] if declared.reader else [])]) or "NUMBER"
        default = f"{declared.default:g}" if isinstance(declared.default, float) else str(declared.default)
        text = declared.doc if declared.default is None else f"{declared.doc} [{default}]"
        parameters[f"{name}={choices}"] = text
    return "\n".join(
        [
            f"{measure.name}: {measure.title}",
            "",
            *(textwrap.fill(paragraph, width) + "\n" for paragraph in paragraphs),
            *_format_items(facts, width),
            *(["", "parameters:", *_format_items(parameters, width)] if parameters else []),
        ]
    )


@click.command()
@click.argument("names", metavar="[PROFILE]...", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def profiles(names: tuple[str, ...], as_json: bool) -> None:
    """Show the profiles side by side, a row for each decision; or explain some of them.

    A profile is what a scorer decides where the papers are silent: a value for each decision. `corefeval score` takes
    one with --profile, and single decisions beside it overrule it; `corefeval why` says what each does to a score.
    """
    profiles = [find_profile(name) for name in names] or list(profile_registry.PROFILES.values())
    if as_json:
        content = [
            {
                "name": profile.name,
                "title": profile.title,
                "decisions": {decision: getattr(profile.options, decision) for decision in DECISIONS},
                "measures": profile.measures,
                "notes": profile.notes,
            }
            for profile in profiles
        ]
        echo_data(encode_json(content))
    elif names:
        echo_text("\n\n".join(map(_explain_profile, profiles)))
    else:
        echo_text(_format_profiles(profiles))


def _format_profiles(profiles: Sequence[Profile]) -> str:
    """Return text: a table of decisions (rows) and profiles (columns), in blocks as wide as the terminal; a hint."""
    columns = [
        ["", *DECISIONS],
        *([each.name, *(getattr(each.options, decision) for decision in DECISIONS)] for each in profiles),
    ]
    widths = [max(map(len, column)) for column in columns]
    blocks = []
    for places in split_columns(widths, 1, shutil.get_terminal_size((160, 24)).columns):
        cells = ([f"{cell:<{widths[place]}}" for cell in columns[place]] for place in places)
        lines = ["  ".join(row).rstrip() for row in zip(*cells, strict=True)]
        lines.insert(1, "─" * max(map(len, lines)))
        blocks.append("\n".join(lines))
    hint = f"'corefeval profiles NAME' says what the words mean; {DEFAULT} is the default."
    return "\n\n".join([*blocks, hint])


def _explain_profile(profile: Profile) -> str:
    """Return text with a profile's measures, what each of its decisions means, and its notes."""
    width = min(shutil.get_terminal_size().columns, 100)
    values = {decision: getattr(profile.options, decision) for decision in DECISIONS}
    meanings = {f"{name}={value}": DECISIONS[name].values[value].meaning for name, value in values.items()}
    lines = [f"{profile.name}: {profile.title}", "", f"measures: {', '.join(profile.measures)}", ""]
    lines += _format_items(meanings, width, least=24)
    for note in profile.notes:
        lines += ["", textwrap.fill(note, width)]
    return "\n".join(lines)


def _format_items(items: Mapping[str, str], width: int, *, least: int = 0) -> list[str]:
    """Return lines in two columns, names (at least so wide) and wrapped texts; a long name has a line of its own."""
    room = min(max(least, *map(len, items)), _WIDEST_NAMES)
    lines = []
    for name, text in items.items():
        lead = f"  {name:<{room}}  "
        if len(name) > room:
            lines.append(f"  {name}")
            lead = " " * (room + 4)
        lines += textwrap.wrap(text, width, initial_indent=lead, subsequent_indent=" " * (room + 4))
    return lines
