"""The command `corefeval profiles`."""

from __future__ import annotations

import json
import shutil
import textwrap
from typing import TYPE_CHECKING

import click

from corefeval.options import DECISIONS
from corefeval.profiles import registry as known

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval.profiles import Profile


@click.command(name="profiles", short_help="Show what each scorer decides, or explain one.")
@click.argument("names", metavar="[PROFILE]...", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def command(names: tuple[str, ...], as_json: bool) -> None:
    """Show the profiles side by side, a row for each decision; or explain some of them.

    A profile is what a scorer decides where the papers are silent: a value for each decision. `corefeval score` takes
    one with --profile, and single decisions beside it overrule it; `corefeval why` says what each does to a score.
    """
    chosen = [known.find_profile(name) for name in names] or list(known.PROFILES.values())
    if as_json:
        click.echo(json.dumps([_as_dict(profile) for profile in chosen], indent=1, ensure_ascii=False))
    elif names:
        click.echo("\n\n".join(_explain_profile(profile) for profile in chosen))
    else:
        click.echo(_format_profiles(chosen))


def _as_dict(profile: Profile) -> dict[str, object]:
    return {
        "name": profile.name,
        "title": profile.title,
        "decisions": {decision: getattr(profile.options, decision) for decision in DECISIONS},
        "measures": list(profile.measures),
        "notes": list(profile.notes),
    }


def _format_profiles(profiles: Sequence[Profile]) -> str:
    """A row for each decision and a column for each profile, as many columns at a time as there is room for."""
    width = shutil.get_terminal_size((160, 24)).columns
    first = max(len(decision) for decision in DECISIONS)
    blocks: list[list[list[str]]] = []
    room = 0
    for profile in profiles:
        column = [profile.name, *(getattr(profile.options, decision) for decision in DECISIONS)]
        wide = 2 + max(map(len, column))
        if not blocks or room + wide > width:
            blocks.append([])
            room = first
        blocks[-1].append(column)
        room += wide
    text = "\n\n".join(_format_block(columns, first) for columns in blocks)
    return f"{text}\n\n'corefeval profiles NAME' says what the words mean; {known.DEFAULT} is the default."


def _format_block(columns: list[list[str]], first: int) -> str:
    widths = [max(map(len, column)) for column in columns]
    lines = []
    for place, decision in enumerate(("", *DECISIONS)):
        cells = [f"{column[place]:<{width}}" for column, width in zip(columns, widths, strict=True)]
        lines.append("  ".join([f"{decision:<{first}}", *cells]).rstrip())
    lines.insert(1, "─" * max(map(len, lines)))
    return "\n".join(lines)


def _explain_profile(profile: Profile) -> str:
    width = min(shutil.get_terminal_size().columns, 100)
    lines = [f"{profile.name}: {profile.title}", "", f"measures: {', '.join(profile.measures)}", ""]
    for decision in DECISIONS:
        value = getattr(profile.options, decision)
        lead = f"  {decision + '=' + value:<24}  "
        lines += textwrap.wrap(
            DECISIONS[decision].values[value].meaning, width, initial_indent=lead, subsequent_indent=" " * 28
        )
    for note in profile.notes:
        lines += ["", textwrap.fill(note, width)]
    return "\n".join(lines)
