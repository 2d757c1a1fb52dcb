"""The command `corefeval profiles`."""

from __future__ import annotations

import json
import shutil
import textwrap
from typing import TYPE_CHECKING

import click

from corefeval.cli.output import format_items
from corefeval.options import DECISIONS
from corefeval.profiles import registry as known
from corefeval.tables.text import split_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval.profiles import Profile


@click.command("profiles")
@click.argument("names", metavar="[PROFILE]...", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def command(names: tuple[str, ...], as_json: bool) -> None:
    """Show the profiles side by side, a row for each decision; or explain some of them.

    A profile is what a scorer decides where the papers are silent: a value for each decision. `corefeval score` takes
    one with --profile, and single decisions beside it overrule it; `corefeval why` says what each does to a score.
    """
    profiles = [known.find_profile(name) for name in names] or list(known.PROFILES.values())
    if as_json:
        click.echo(json.dumps([_build_content(profile) for profile in profiles], indent=1, ensure_ascii=False))
    elif names:
        click.echo("\n\n".join(map(_explain_profile, profiles)))
    else:
        click.echo(_format_profiles(profiles))


def _build_content(profile: Profile) -> dict[str, object]:
    """Return a profile as plain objects."""
    return {
        "name": profile.name,
        "title": profile.title,
        "decisions": {decision: getattr(profile.options, decision) for decision in DECISIONS},
        "measures": list(profile.measures),
        "notes": list(profile.notes),
    }


def _format_profiles(profiles: Sequence[Profile]) -> str:
    """Write a row for each decision and a column for each profile, as many columns at a time as there is room for."""
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
    hint = f"'corefeval profiles NAME' says what the words mean; {known.DEFAULT} is the default."
    return "\n\n".join([*blocks, hint])


def _explain_profile(profile: Profile) -> str:
    """Return a profile's measures, what each of its decisions means, and its notes."""
    width = min(shutil.get_terminal_size().columns, 100)
    values = {decision: getattr(profile.options, decision) for decision in DECISIONS}
    meanings = {f"{name}={value}": DECISIONS[name].values[value].meaning for name, value in values.items()}
    lines = [f"{profile.name}: {profile.title}", "", f"measures: {', '.join(profile.measures)}", ""]
    lines += format_items(meanings, width)
    for note in profile.notes:
        lines += ["", textwrap.fill(note, width)]
    return "\n".join(lines)
