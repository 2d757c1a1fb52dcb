"""Reading files for a command: all that is wrong is told at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from corefeval.errors import CorefevalError, InputError, MissingFileError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from corefeval.corpus.corpus import Corpus

    Command = Callable[..., Any]

_FORMAT = click.option("--format", "format_", metavar="FORMAT", help="The files' format, where it is not recognised.")
_OF_SIDES = (
    click.option("--key-format", metavar="FORMAT", help="The key's format."),
    click.option("--response-format", metavar="FORMAT", help="The responses' format."),
)
_TOLD = (
    click.option("-q", "--quiet", is_flag=True, help="Show no warnings and no progress."),
    click.option("-v", "--verbose", is_flag=True, help="Show all warnings, and how files were read."),
)


def of_files(command: Command) -> Command:
    """Add the options of a command that reads a key and responses: formats, and how much is told."""
    return _added(command, (_FORMAT, *_OF_SIDES, *_TOLD))


def of_equal_files(command: Command) -> Command:
    """The same for a command to which all its files are alike."""
    return _added(command, (_FORMAT, *_TOLD))


def _added(command: Command, options: Sequence[Command]) -> Command:
    for option in reversed(options):
        command = option(command)
    return command


def read_all(files: Iterable[tuple[str, str | None]], *, verbose: bool) -> list[Corpus]:
    """Read files, each with its format if that was given."""
    from corefeval import formats  # noqa: PLC0415 - --help loads no NumPy
    from corefeval.formats import registry  # noqa: PLC0415

    listed = list(files)
    if [path for path, _ in listed].count("-") > 1:
        raise click.UsageError("only one of the files can be standard input")
    for _, asked in listed:
        if asked is not None:
            registry.parse(asked)  # a wrong name is told before anything is read
    corpora: list[Corpus] = []
    errors: list[CorefevalError] = []
    for path, asked in listed:
        try:
            corpora.append(formats.read(path, asked))
        except (InputError, MissingFileError) as error:
            errors.append(error)
            continue
        if verbose:
            read = corpora[-1]
            click.echo(f"{path}: read as {read.format} ({read.recognised}): {read!r}", err=True)
    if errors:
        click.echo("\n".join(str(error) for error in errors), err=True)
        raise click.exceptions.Exit(min(error.exit_code for error in errors))
    return corpora


def short_names(paths: Sequence[str], what: str = "a response", *, stems: bool = False) -> list[str]:
    """A name for every file: its own, as short as tells them apart; `stems`: without its ending, where that does."""
    from pathlib import Path  # noqa: PLC0415 - it takes time to load, and scoring needs none

    if len(set(paths)) < len(paths):
        raise click.UsageError(f"{what} is given twice")
    names = [Path(path).name for path in paths]
    without_ending = [Path(name.removesuffix(".gz")).stem for name in names]
    for short in (without_ending if stems else [], names):
        if short and all(short) and len(set(short)) == len(paths):
            return short
    return list(paths)
