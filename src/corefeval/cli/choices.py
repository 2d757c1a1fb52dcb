"""The options that every command which matches key and response has: the decisions of `options.py`, as flags."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from corefeval.options import DUPLICATES, MATCH, SINGLETONS, ZEROS
from corefeval.profiles import DEFAULT, PROFILES

if TYPE_CHECKING:
    from collections.abc import Callable

    Command = Callable[..., Any]

_PROFILE = click.option(
    "--profile",
    type=click.Choice(list(PROFILES)),
    default=DEFAULT,
    show_default=True,
    help="The scorer whose decisions are taken; what is given beside it overrules it.",
)
_DECISIONS = (
    click.option("--match", type=click.Choice(MATCH), help="Which response mention is which key mention."),
    click.option(
        "--zeros", type=click.Choice(ZEROS), help="How mentions are matched that are not written in the text."
    ),
    click.option(
        "--singletons",
        type=click.Choice([*SINGLETONS, "both"]),
        help="Entities of one mention; 'both' shows the scores with and without them.",
    ),
    click.option(
        "--duplicates",
        type=click.Choice(DUPLICATES),
        help="What to do with a mention that is in several entities of one file.",
    ),
    click.option("--macro", is_flag=True, help="Average the documents' scores instead of summing their counts."),
)

relative_to = click.option(
    "--relative-to",
    metavar="BASELINE",
    help="Also show scores with a baseline at 0 and a perfect response at 100: random (chance), singletons, "
    "one-entity, string-match, head-match, or a response file.",
)


def decisions(command: Command) -> Command:
    """Add the options; they arrive as keywords of `corefeval.score`."""
    for option in reversed((_PROFILE, *_DECISIONS)):
        command = option(command)
    return command
