"""The options that every command which matches key and response has: the decisions of `options.py`, as flags."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from corefeval.errors import near
from corefeval.options import ABOUT, CHOICES
from corefeval.profiles import DEFAULT, PROFILES

if TYPE_CHECKING:
    from collections.abc import Callable

    Command = Callable[..., Any]
    _Choice = click.Choice[str]
else:
    _Choice = click.Choice  # which older versions of Click cannot subscript


class Word(_Choice):
    """One of some words; a wrong one is told what it may have meant."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The word."""
        if value not in self.choices:
            self.fail(f"{value!r} is not possible; {near(str(value), self.choices)}", param, ctx)
        return str(value)


_PROFILE = click.option(
    "--profile",
    type=Word(list(PROFILES)),
    show_default=DEFAULT,
    help="The scorer whose decisions are taken; what is given beside it overrules it.",
)


def _flag(name: str) -> Command:
    choices = list(CHOICES[name])
    about = ABOUT[name]
    if name == "singletons":
        choices.append("both")
        about = "Entities of one mention; 'both' shows the scores with and without them."
    return click.option(f"--{name.replace('_', '-')}", type=Word(choices), help=about)


_DECISIONS = (
    *(_flag(name) for name in CHOICES),
    click.option("--macro", is_flag=True, help="Average the documents' scores: --average macro."),
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
