"""Reading files for a command: everything that is wrong with them is reported at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

import corefeval
from corefeval.errors import CorefevalError, InputError, MissingFileError

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus


def read_files(files: Sequence[tuple[str, str | None]], *, verbose: bool) -> list[Corpus]:
    """Return the corpora of files, given with a format or None each; if any has faults, print all of them and exit."""
    check_standard_input([path for path, _ in files])
    for _, format_ in files:
        if format_ is not None:
            corefeval.formats.registry.parse_spec(format_)  # a misspelt format is reported before anything is read
    corpora: list[Corpus] = []
    errors: list[CorefevalError] = []
    for path, format_ in files:
        try:
            corpus = corefeval.read(path, format_)
        except (InputError, MissingFileError) as error:
            errors.append(error)
            continue
        corpora.append(corpus)
        if verbose:
            click.echo(f"{path}: read as {corpus.format} ({corpus.recognised}): {corpus!r}", err=True)
    if errors:
        click.echo("\n".join(str(error) for error in errors), err=True)
        raise click.exceptions.Exit(min(error.exit_code for error in errors))
    return corpora


def check_standard_input(paths: Sequence[str | None]) -> None:
    """Raise a UsageError if standard input (-) is among these paths twice."""
    if paths.count("-") > 1:
        raise click.UsageError("only one of the files can be standard input")


def name_files(paths: Sequence[str], what: str = "a response", *, stems: bool = False) -> list[str]:
    """Return all bare file names if they differ, else all full paths; a UsageError if a path is given twice.

    what: what that error calls a file. stems: names without their endings, if these differ.
    """
    from pathlib import Path  # noqa: PLC0415 - it takes time to load, and scoring needs none

    if len(set(paths)) < len(paths):
        raise click.UsageError(f"{what} is given twice")
    names = [Path(path).name for path in paths]
    without_ending = [Path(name.removesuffix(".gz")).stem for name in names]
    for short in (without_ending if stems else [], names):
        if short and all(short) and len(set(short)) == len(paths):
            return short
    return list(paths)
