"""Reading files for a command: all that is wrong is told at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from corefeval.errors import CorefevalError, InputError, MissingFileError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from corefeval.corpus import Corpus


_OPTIONS = (
    click.option("--format", "format_", metavar="FORMAT", help="The files' format, where it is not recognised."),
    click.option("--key-format", metavar="FORMAT", help="The key's format."),
    click.option("--response-format", metavar="FORMAT", help="The responses' format."),
    click.option("-q", "--quiet", is_flag=True, help="Show no warnings and no progress."),
    click.option("-v", "--verbose", is_flag=True, help="Show all warnings, and how files were read."),
)


def of_files(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a command that reads a key and responses: formats, and how much is told."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def read_all(files: Iterable[tuple[str, str | None]], *, verbose: bool) -> list[Corpus]:
    """Read files, each with its format if that was given."""
    from corefeval import formats  # noqa: PLC0415 - --help loads no NumPy
    from corefeval.formats import known  # noqa: PLC0415

    listed = list(files)
    if [path for path, _ in listed].count("-") > 1:
        raise click.UsageError("only one of the files can be standard input")
    for _, asked in listed:
        if asked is not None:
            known.parse(asked)  # a wrong name is told before anything is read
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


def short_names(paths: Sequence[str]) -> list[str]:
    """A name for every file: its own, as short as tells them apart."""
    from pathlib import Path  # noqa: PLC0415 - it takes time to load, and scoring needs none

    short = [Path(path).name or path for path in paths]
    names = short if len(set(short)) == len(short) else list(paths)
    if len(set(names)) < len(names):
        raise click.UsageError("a response is given twice")
    return names
