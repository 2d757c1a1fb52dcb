"""Reading files for a command: everything that is wrong with them is reported at once."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

import corefeval
from corefeval._lazy import NamedTuple
from corefeval.cli.console import echo_message
from corefeval.cli.output import echo_error
from corefeval.errors import CorefevalError, InputError, MissingFileError
from corefeval.scoring.naming import name_systems

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus

_TABLE_HINT = r"--format ('?)table:"
_FORMAT_HINT = r"--format\b"


class NamedFile(NamedTuple):
    """A file of a system, and its name if it was given one: `ours=path`."""

    path: str
    name: str = ""


def parse_named_file(text: str) -> NamedFile:
    """Return the NamedFile of `path` or `ours=path` (a path if it exists or has / before =); UsageError for `ours=`."""
    name, equals, path = text.partition("=")
    if not equals or not name or "/" in name or os.sep in name or os.path.exists(text):  # noqa: PTH110 - pathlib is slow
        return NamedFile(text)
    if not path:
        raise click.UsageError(f"{text}: expected NAME=FILE")
    return NamedFile(path, name)


def parse_named_files(files: Iterable[str], what: str = "response") -> list[NamedFile]:
    """Return a NamedFile for each text; a UsageError, which calls a file `what`, if two have the same name."""
    named = [parse_named_file(text) for text in files]
    given = [each.name for each in named if each.name]
    for name in given:
        if given.count(name) > 1:
            raise click.UsageError(f"two {what}s are named {name!r}")
    return named


class FileToRead(NamedTuple):
    """A file, the format it is to be read in (None: recognised), and its side (or "").

    format_option: the command's option that says its format.
    """

    path: str
    format: str | None
    side: str = ""
    format_option: str = "--format"

    def address_hint(self, text: str) -> str:
        """Return a reader's hint with the option `--format` in it replaced by this file's own option.

        >>> FileToRead("k.csv", None, "key", "--key-format").address_hint("--format table:entity=NAME")
        '--key-columns entity=NAME'
        """
        if self.format_option == f"--{self.side}-format":
            text = re.sub(_TABLE_HINT, rf"--{self.side}-columns \1", text)
        return re.sub(_FORMAT_HINT, self.format_option, text)


def read_files(files: Sequence[FileToRead], *, verbose: bool) -> list[Corpus]:
    """Return the corpora of files; if any cannot be read, print the faults of all of them and exit."""
    check_standard_input([file.path for file in files])
    for file in files:
        if file.format is not None:
            corefeval.formats.registry.parse_spec(file.format)  # a misspelt format is reported before anything is read
    corpora: list[Corpus] = []
    errors: list[CorefevalError] = []
    for file in files:
        try:
            corpora.append(read_file(file, verbose=verbose))
        except (InputError, MissingFileError) as error:
            errors.append(error)
    if errors:
        echo_error("\n".join(str(error) for error in errors))
        raise click.exceptions.Exit(min(error.exit_code for error in errors))
    return corpora


def read_file(file: FileToRead, *, verbose: bool) -> Corpus:
    """Return a file's corpus or raise its error, hints naming its own options; `verbose`: print how it was read."""
    try:
        corpus = corefeval.read(file.path, file.format, side=file.side)
    except InputError as error:
        faults = [fault._replace(hint=file.address_hint(fault.hint)) for fault in error.faults]
        raise InputError(faults, unlisted=error.unlisted) from None
    if verbose:
        echo_message(f"{file.path}: read as {corpus.format} ({corpus.recognised}): {corpus!r}")
    notices = [notice._replace(message=file.address_hint(notice.message)) for notice in corpus.notices]
    return corpus.replace(notices=tuple(notices)) if notices else corpus


def check_standard_input(paths: Sequence[str | None]) -> None:
    """Raise a UsageError if standard input (-) is among these paths twice."""
    if paths.count("-") > 1:
        raise click.UsageError("only one of the files can be standard input")


def name_files(files: Sequence[str], what: str = "response") -> list[str]:
    """Return a list of files' names: those given as `ours=path`, or short forms of paths, as `name_systems` says.

    A UsageError if a file is given twice by the same name, or two by one. what: what that error calls a file.
    """
    named = parse_named_files(files, what)
    if len(set(named)) < len(named):
        raise click.UsageError(f"{'an' if what[0] in 'aeiou' else 'a'} {what} is given twice")
    return name_systems([each.path for each in named], [each.name for each in named])
