"""Options that several commands share, added by name: `@shared_options("measures", "decisions", "sides")`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Unpack

import click

from corefeval.cli.files import read_files
from corefeval.cli.output import echo_notices, echo_result
from corefeval.errors import suggest_names
from corefeval.options import DECISIONS
from corefeval.profiles.registry import DEFAULT, PROFILES
from corefeval.tables.table import DIGITS, Digits

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus
    from corefeval.notices import Notice
    from corefeval.tables.result import LayoutOptions, Result

    Command = Callable[..., Any]
    _Choice = click.Choice[str]
else:
    _Choice = click.Choice  # which older versions of Click cannot subscript


@dataclass(frozen=True, slots=True)
class SharedOptions:
    """How a command reads its files, how it prints its result, and how much it says beside that."""

    format_: str | None = None
    key_format: str | None = None
    response_format: str | None = None
    quiet: bool = False
    verbose: bool = False
    output: str | None = None
    digits: Digits = DIGITS[0]
    examples: int = 3
    show_all: bool = False

    @property
    def shown_examples(self) -> int | None:
        """How many examples of each type are shown; None for all."""
        return None if self.show_all else self.examples

    def read_corpora(self, paths: Iterable[str]) -> list[Corpus]:
        """Read files of which none is the key."""
        return read_files([(path, self.format_) for path in paths], verbose=self.verbose)

    def read_sides(self, key: str, responses: Iterable[str]) -> tuple[Corpus, list[Corpus]]:
        """Read the key and the responses."""
        other = self.response_format or self.format_
        files = [(key, self.key_format or self.format_), *((response, other) for response in responses)]
        corpus, *others = read_files(files, verbose=self.verbose)
        return corpus, others

    def print_result(self, result: Result, **layout: Unpack[LayoutOptions]) -> None:
        """Print a result in the form that was asked for, and its notices."""
        echo_result(result, self.output, **layout)
        self.print_notices(result.notices)

    def print_notices(self, notices: Iterable[Notice]) -> None:
        """Print notices as warnings on standard error, unless the command is to be quiet."""
        if not self.quiet:
            echo_notices(notices, show_all=self.verbose)


class Word(_Choice):
    """One of some words; a misspelt one gets suggestions, and one of `advice` what to do instead."""

    def __init__(self, words: Iterable[str], advice: Mapping[str, str] = MappingProxyType({})) -> None:
        super().__init__(list(words))
        self._advice = advice

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the word, or fail with the nearest ones."""
        if value not in self.choices:
            hint = f"{value!r} is not possible; {suggest_names(str(value), self.choices)}"
            self.fail(self._advice.get(value, hint), param, ctx)
        return str(value)


def _set_output(context: click.Context, flag: click.Parameter, given: bool) -> None:
    """Keep the form of output that is asked for; refuse a second one, which would be passed over."""
    before = context.params.setdefault("output", None)
    if given and before is not None:
        raise click.UsageError(f"--{before} and --{flag.name} are two outputs: choose one")
    if given:
        context.params["output"] = flag.name


def _get_measures(_context: click.Context, _option: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the measures that were given, or None for the default ones."""
    return given or None


_FORMS_OF_OUTPUT = {
    "json": "JSON with full precision.",
    "csv": "Comma-separated values with full precision.",
    "markdown": "Markdown.",
    "latex": "LaTeX, for the package booktabs.",
}
_ONLY_ONE = {"both": "'both' makes two results; run the command once with keep and once with drop"}
_OPTIONS: dict[str, Command] = {
    "measures": click.option(
        "-m",
        "--measure",
        "measures",
        multiple=True,
        callback=_get_measures,
        metavar="MEASURE",
        help="A measure, such as muc or blanc:alpha=0.2, or a group: default, all, bridging, beyond; repeatable.",
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
    "macro": click.option("--macro", is_flag=True, help="Average the documents' scores: --average macro."),
    "strict": click.option("--strict", is_flag=True, help="Treat every warning as an error."),
    "format": click.option("--format", "format_", metavar="FORMAT", help="The files' format, if it is not recognised."),
    "key-format": click.option("--key-format", metavar="FORMAT", help="The key's format."),
    "response-format": click.option("--response-format", metavar="FORMAT", help="The responses' format."),
    "quiet": click.option("-q", "--quiet", is_flag=True, help="Show no warnings and no progress."),
    "verbose": click.option("-v", "--verbose", is_flag=True, help="Show all warnings, and how files were read."),
}
_GROUPS: dict[str, tuple[str, ...]] = {
    "output": tuple(_FORMS_OF_OUTPUT),
    "decisions": ("profile", *DECISIONS, "macro"),
    "decisions or both": (
        "profile",
        *(name.replace("singletons", "singletons or both") for name in DECISIONS),
        "macro",
    ),
    "files": ("format", "quiet", "verbose"),
    "sides": ("format", "key-format", "response-format", "quiet", "verbose"),
}
"""Options that come together. Those of "decisions" arrive as keywords of `corefeval.score`."""


def shared_options(*names: str) -> Callable[[Command], Command]:
    """Add options, or groups of them, to a command; what `SharedOptions` has, the command gets as `shared`."""

    def add_options(command: Command) -> Command:
        @functools.wraps(command)
        def run_command(**given: Any) -> Any:
            packed = {each.name: given.pop(each.name) for each in fields(SharedOptions) if each.name in given}
            return command(shared=SharedOptions(**packed), **given)

        for option in reversed([option for name in names for option in _GROUPS.get(name, (name,))]):
            run_command = _OPTIONS[option](run_command)
        return run_command

    return add_options
