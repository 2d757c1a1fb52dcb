"""Options that several commands have, and decorators that add groups of them to a command."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from corefeval.cli.files import FileOptions
from corefeval.errors import suggest_names
from corefeval.options import DECISIONS
from corefeval.profiles.registry import DEFAULT, PROFILES
from corefeval.tables.table import DIGITS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Command = Callable[..., Any]
    _Choice = click.Choice[str]
else:
    _Choice = click.Choice  # which older versions of Click cannot subscript


class Word(_Choice):
    """One of some words; a misspelt one gets suggestions."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the word, or fail with the nearest ones."""
        if value not in self.choices:
            self.fail(f"{value!r} is not possible; {suggest_names(str(value), self.choices)}", param, ctx)
        return str(value)


class _SingletonsWord(Word):
    """The words of --singletons for a command with one result, which refuses 'both' with advice."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the word, or fail with advice."""
        if value == "both":
            self.fail("'both' makes two results; run the command once with keep and once with drop", param, ctx)
        return super().convert(value, param, ctx)


measure_option = click.option(
    "-m", "--measure", "measures", multiple=True, metavar="MEASURE", help="A measure; repeatable."
)
seed_option = click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="The same seed gives the same result."
)
resamples_option = click.option("--resamples", type=click.IntRange(100, 10_000_000), default=10_000, show_default=True)
strict_option = click.option("--strict", is_flag=True, help="Treat every warning as an error.")
relative_to_option = click.option(
    "--relative-to",
    metavar="BASELINE",
    help="Also show scores with a baseline at 0 and a perfect response at 100: random (chance), singletons, "
    "one-entity, string-match, head-match, or a response file.",
)
digits_option = click.option(
    "--digits",
    type=Word(list(DIGITS)),
    default=DIGITS[0],
    show_default=True,
    help="Round scores, cut them off as the reference scorer does, or show them in full.",
)
format_option = click.option(
    "--format", "format_", metavar="FORMAT", help="The files' format, if it is not recognised."
)
quiet_option = click.option("-q", "--quiet", is_flag=True, help="Show no warnings and no progress.")
verbose_option = click.option("-v", "--verbose", is_flag=True, help="Show all warnings, and how files were read.")
_SIDE_FORMATS = (
    click.option("--key-format", metavar="FORMAT", help="The key's format."),
    click.option("--response-format", metavar="FORMAT", help="The responses' format."),
)
_EXAMPLES = (
    measure_option,
    click.option(
        "--examples",
        type=click.IntRange(min=0),
        default=3,
        show_default=True,
        help="How many errors of each type to show.",
    ),
    click.option("--all", "show_all", is_flag=True, help="Show every error."),
)
_OUTPUTS = {
    "json": "JSON with full precision.",
    "csv": "Comma-separated values with full precision.",
    "markdown": "Markdown.",
    "latex": "LaTeX, for the package booktabs.",
}


def _make_decision_option(name: str) -> Command:
    words = (_SingletonsWord if name == "singletons" else Word)(list(DECISIONS[name].values))
    return click.option(f"--{name.replace('_', '-')}", type=words, help=DECISIONS[name].description)


_DECISIONS = {
    "profile": click.option(
        "--profile",
        type=Word(list(PROFILES)),
        show_default=DEFAULT,
        help="Follow this scorer's conventions; other options override them.",
    ),
    **{name: _make_decision_option(name) for name in DECISIONS},
    "macro": click.option("--macro", is_flag=True, help="Average the documents' scores: --average macro."),
}
_SINGLETONS_OR_BOTH = click.option(
    "--singletons",
    type=Word([*DECISIONS["singletons"].values, "both"]),
    help="Entities of one mention; 'both' shows the scores with and without them.",
)


def decision_options(command: Command) -> Command:
    """Add an option for every decision behind a score; they arrive as keywords of `corefeval.score`."""
    return _add_options(command, _DECISIONS.values())


def decision_options_or_both(command: Command) -> Command:
    """Add the same options to a command that can show scores with and without singletons."""
    return _add_options(command, (_DECISIONS | {"singletons": _SINGLETONS_OR_BOTH}).values())


def file_options(command: Command) -> Command:
    """Add the options of a command that reads a key and responses; they arrive as `files`, one `FileOptions`."""
    return _add_options(_pack_file_options(command), (format_option, *_SIDE_FORMATS, quiet_option, verbose_option))


def equal_file_options(command: Command) -> Command:
    """Add the same options to a command for which all files are alike: one format for all of them."""
    return _add_options(_pack_file_options(command), (format_option, quiet_option, verbose_option))


def _pack_file_options(command: Command) -> Command:
    @functools.wraps(command)
    def run(
        *,
        format_: str | None,
        quiet: bool,
        verbose: bool,
        key_format: str | None = None,
        response_format: str | None = None,
        **given: Any,
    ) -> Any:
        files = FileOptions(key_format or format_, response_format or format_, quiet, verbose)
        return command(files=files, **given)

    return run


def output_options(*names: str) -> Callable[[Command], Command]:
    """Add a flag for every form of output beside plain text; the one that is given arrives as `output`."""

    def add_flags(command: Command) -> Command:
        return _add_options(
            command,
            [
                click.option(f"--{name}", is_flag=True, expose_value=False, callback=_set_output, help=_OUTPUTS[name])
                for name in names
            ],
        )

    return add_flags


def _set_output(context: click.Context, flag: click.Parameter, given: bool) -> None:
    """Keep the form of output that is asked for; refuse a second one, which would be passed over."""
    before = context.params.setdefault("output", None)
    if given and before is not None:
        raise click.UsageError(f"--{before} and --{flag.name} are two outputs: choose one")
    if given:
        context.params["output"] = flag.name


def analysis_options(command: Command) -> Command:
    """Add the options of commands that look into errors: output, decisions, files."""
    return output_options(*_OUTPUTS)(decision_options(strict_option(file_options(command))))


def error_options(command: Command) -> Command:
    """Add the options of commands that list errors: of an analysis, measures, digits, how many to show."""
    return _add_options(analysis_options(command), (*_EXAMPLES, digits_option))


def _add_options(command: Command, options: Iterable[Command]) -> Command:
    for option in reversed(list(options)):
        command = option(command)
    return command
