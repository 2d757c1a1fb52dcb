"""Declarations of options that commands share, added by name: `@shared_options("measures", "decisions", "sides")`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click

from corefeval.cli.output import show_progress
from corefeval.cli.shared import SharedOptions
from corefeval.errors import suggest_names
from corefeval.options import DECISIONS
from corefeval.profiles.registry import DEFAULT, PROFILES
from corefeval.tables.table import DIGITS

if TYPE_CHECKING:
    Command = Callable[..., Any]
    _Choice = click.Choice[str]
else:
    _Choice = click.Choice  # which older versions of Click cannot subscript


class Word(_Choice):
    """One of some words; a misspelt one gets suggestions, and one of `advice` what to do instead."""

    def __init__(self, words: Iterable[str], advice: Mapping[str, str] = MappingProxyType({})) -> None:
        super().__init__(list(words))
        self._advice = advice

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the word; a UsageError with advice, or the nearest words, if it is none of those possible."""
        if value not in self.choices:
            hint = f"{value!r} is not possible; {suggest_names(str(value), self.choices)}"
            self.fail(self._advice.get(value, hint), param, ctx)
        return str(value)


def _set_output(context: click.Context, flag: click.Parameter, given: bool) -> None:
    """Store the form of output that a flag asks for as the parameter "output"; a UsageError if it is the second."""
    before = context.params.setdefault("output", None)
    if given and before is not None:
        raise click.UsageError(f"--{before} and {flag.opts[0]} are two outputs: choose one")
    if given:
        context.params["output"] = flag.opts[0].removeprefix("--")


_FORMS_OF_OUTPUT = {
    "json": "JSON with full precision.",
    "csv": "Comma-separated values with full precision.",
    "csv-safe": "The same for spreadsheets: text that begins like a formula gets an apostrophe.",
    "markdown": "Markdown.",
    "latex": "LaTeX, for the package booktabs.",
}
_ONLY_ONE = {
    "both": "'both' makes two results; run the command once with keep and once with drop",
    "all": "'all' makes several results; 'corefeval score --level all' shows them",
}
_COLUMNS = "What the columns of the {} are called, if a table, such as 'id=customer no,cluster=person'."
_OPTIONS: dict[str, Command] = {
    "measures": click.option(
        "-m",
        "--measure",
        "measures",
        multiple=True,
        callback=lambda _context, _option, given: given or None,  # None: the default ones
        metavar="MEASURE",
        help="A measure, such as muc or blanc:alpha=0.2, or a group: default, all, bridging, beyond; repeatable, or "
        "several between commas.",
    ),
    "examples": click.option(
        "--examples", type=click.IntRange(min=0), default=3, help="How many errors of each type to show."
    ),
    "all": click.option("--all", "show_all", is_flag=True, help="Show every error."),
    "resamples": click.option("--resamples", type=click.IntRange(100, 10_000_000), default=10_000),
    "seed": click.option("--seed", type=click.IntRange(min=0), default=0, help="The same seed gives the same result."),
    "digits": click.option(
        "--digits",
        type=Word(DIGITS),
        default=DIGITS[0],
        help="Round scores, cut them off as the reference scorer does, or show them in full.",
    ),
    **{
        form: click.option(f"--{form}", is_flag=True, expose_value=False, callback=_set_output, help=text)
        for form, text in _FORMS_OF_OUTPUT.items()
    },
    "relative-to": click.option(
        "--relative-to",
        metavar="BASELINE",
        help="Also show scores with a baseline at 0 and a perfect response at 100: random (chance), singletons, "
        "one-entity, string-match, head-match, or a response file.",
    ),
    "profile": click.option(
        "--profile",
        type=Word(PROFILES),
        show_default=DEFAULT,
        help="Follow this scorer's conventions; other options override them.",
    ),
    **{
        name: click.option(
            f"--{name.replace('_', '-')}", type=Word(decision.values, _ONLY_ONE), help=decision.description
        )
        for name, decision in DECISIONS.items()
    },
    "singletons or both": click.option(
        "--singletons",
        type=Word([*DECISIONS["singletons"].values, "both"]),
        help="Entities of one mention; 'both' shows the scores with and without them.",
    ),
    "level or all": click.option(
        "--level",
        type=Word([*DECISIONS["level"].values, "all"]),
        help=f"{DECISIONS['level'].description} 'all' shows all levels, with and without singletons.",
    ),
    "topics": click.option(
        "--topics",
        metavar="FILE|REGEX",
        help="What says the topics of documents: a CSV with the columns document, topic and subtopic, or a regular "
        "expression with groups of these names; by default their names, such as topic/subtopic/document.",
    ),
    "where": click.option(
        "--where", metavar="ATTRIBUTE=VALUE", help="Score only mentions with this attribute, such as kind=event."
    ),
    "max-change": click.option(
        "--max-change",
        metavar="SHARE",
        help="How much of a document's words may be others than the key's: 0.5 by default; more is an error.",
    ),
    "macro": click.option("--macro", is_flag=True, help="Average the documents' scores: --average macro."),
    "memory-limit": click.option(
        "--memory-limit",
        metavar="SIZE",
        help="Score files that would take more memory than this, such as 4GB (the default), some documents at a time.",
    ),
    "strict": click.option("--strict", is_flag=True, help="Treat every warning as an error."),
    "format": click.option("--format", "format_", metavar="FORMAT", help="The files' format, if it is not recognised."),
    "key-format": click.option("--key-format", metavar="FORMAT", help="The key's format."),
    "response-format": click.option("--response-format", metavar="FORMAT", help="The responses' format."),
    "key-columns": click.option("--key-columns", metavar="COLUMNS", help=_COLUMNS.format("key")),
    "response-columns": click.option("--response-columns", metavar="COLUMNS", help=_COLUMNS.format("responses")),
    "quiet": click.option("-q", "--quiet", is_flag=True, help="Show no warnings and no progress."),
    "verbose": click.option("-v", "--verbose", is_flag=True, help="Show all warnings, and how files were read."),
}
_OF_SCORE = {"singletons": "singletons or both", "level": "level or all"}
"""Decisions that have another option in `corefeval score`, which shows several results."""
_GROUPS: dict[str, tuple[str, ...]] = {
    "output": tuple(_FORMS_OF_OUTPUT),
    "decisions": ("profile", *DECISIONS, "topics", "where", "max-change", "macro"),
    "decisions or both": (
        "profile",
        *(_OF_SCORE.get(name, name) for name in DECISIONS),
        "topics",
        "max-change",
        "macro",
    ),
    "files": ("format", "quiet", "verbose"),
    "sides": (
        "format",
        "key-format",
        "response-format",
        "key-columns",
        "response-columns",
        "quiet",
        "verbose",
    ),
}
"""Options that come together. Those of "decisions" arrive as keywords of `corefeval.score`."""


def shared_options(*names: str) -> Callable[[Command], Command]:
    """Return a decorator that adds options to a command, which gets those of `SharedOptions` as argument `shared`."""

    def add_options(command: Command) -> Command:
        """Return a function that runs the command with `shared`, decorated with the options as Click wants it."""

        @functools.wraps(command)
        def run_command(**given: Any) -> Any:
            """Run the command, showing progress, with the given fields of `SharedOptions` packed into `shared`."""
            # Loaded deeper in the stack, NumPy takes half as long again: Python 3.11 maps memory for each call there.
            import numpy  # noqa: F401, ICN001, PLC0415

            packed = {name: given.pop(name) for name in SharedOptions._fields if name in given}
            with show_progress(quiet=bool(packed.get("quiet"))):
                return command(shared=SharedOptions(**packed), **given)

        for option in reversed([option for name in names for option in _GROUPS.get(name, (name,))]):
            run_command = _OPTIONS[option](run_command)
        return run_command

    return add_options
