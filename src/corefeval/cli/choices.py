"""The options that every command which matches key and response has: the decisions of `options.py`, as flags."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from corefeval.errors import near
from corefeval.options import ABOUT, CHOICES
from corefeval.profiles.profiles import DEFAULT, PROFILES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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


class _OneResult(Word):
    """The words of --singletons for commands that have one result: who asks for two is told how to get them."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The word."""
        if value == "both":
            self.fail("'both' makes two results; ask for one after the other, with keep and with drop", param, ctx)
        return super().convert(value, param, ctx)


_PROFILE = click.option(
    "--profile",
    type=Word(list(PROFILES)),
    show_default=DEFAULT,
    help="The scorer whose decisions are taken; what is given beside it overrules it.",
)


def _flag(name: str) -> Command:
    words = (_OneResult if name == "singletons" else Word)(list(CHOICES[name]))
    return click.option(f"--{name.replace('_', '-')}", type=words, help=ABOUT[name])


_DECISIONS = {
    "profile": _PROFILE,
    **{name: _flag(name) for name in CHOICES},
    "macro": click.option("--macro", is_flag=True, help="Average the documents' scores: --average macro."),
}
_BOTH = click.option(
    "--singletons",
    type=Word([*CHOICES["singletons"], "both"]),
    help="Entities of one mention; 'both' shows the scores with and without them.",
)

relative_to = click.option(
    "--relative-to",
    metavar="BASELINE",
    help="Also show scores with a baseline at 0 and a perfect response at 100: random (chance), singletons, "
    "one-entity, string-match, head-match, or a response file.",
)


def decisions(command: Command) -> Command:
    """Add the options; they arrive as keywords of `corefeval.score`."""
    return _added(command, _DECISIONS)


def decisions_or_both(command: Command) -> Command:
    """The same for a command that can show scores with and without singletons."""
    return _added(command, _DECISIONS | {"singletons": _BOTH})


def _added(command: Command, options: Mapping[str, Command]) -> Command:
    for option in reversed(list(options.values())):
        command = option(command)
    return command
