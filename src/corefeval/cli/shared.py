"""What commands share: reading their files, and printing their results and notices, as the options say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Unpack

import click

from corefeval._lazy import NamedTuple
from corefeval.cli.files import FileToRead, NamedFile, parse_named_file, parse_named_files, read_file, read_files
from corefeval.cli.output import echo_notices, echo_result
from corefeval.notices import Notice
from corefeval.tables.result import LayoutOptions, Result
from corefeval.tables.table import DIGITS, Digits

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus


def _name_corpora(corpora: Iterable[Corpus], named: Iterable[NamedFile]) -> list[Corpus]:
    """Return a list of the corpora, each with the name that its file was given; unchanged where there is none."""
    return [corpus.replace(name=name) if name else corpus for corpus, (_, name) in zip(corpora, named, strict=True)]


class SharedOptions(NamedTuple):
    """How a command reads its files, how it prints its result, and how much it says beside that."""

    format_: str | None = None
    key_format: str | None = None
    response_format: str | None = None
    key_columns: str | None = None
    response_columns: str | None = None
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

    @property
    def format_of_key(self) -> str | None:
        """The format in which the key is to be read, with its options; None if it is to be recognised."""
        return self._choose_format("key", self.key_format, self.key_columns)

    @property
    def format_of_responses(self) -> str | None:
        """The format of responses, with its options; None if it is to be recognised; UsageError if given twice."""
        return self._choose_format("response", self.response_format, self.response_columns)

    def _choose_format(self, side: str, format_: str | None, columns: str | None) -> str | None:
        """Return a side's format: its own, all files', or a table of `columns`; None if none, UsageError if two."""
        if columns is None:
            return format_ or self.format_
        if format_ is not None:
            raise click.UsageError(f"--{side}-columns is --{side}-format table:COLUMNS: give one of them")
        return f"table:{columns}"

    def read_corpora(self, paths: Iterable[str], option: str = "--format", side: str = "") -> list[Corpus]:
        """Return the corpora of files, or print all faults and exit; `option`: the command's option for their format.

        side: "key" for files that are keys; "" for files that are neither side.
        """
        return read_files([FileToRead(path, self.format_, side, option) for path in paths], verbose=self.verbose)

    def read_annotators(self, annotators: Iterable[str]) -> list[Corpus]:
        """Return a list of the corpora of files, each given as `path` or `ann=path`, or print all faults and exit."""
        return self.read_corpora(parse_named_file(text).path for text in annotators)

    def read_sides(self, key: str, responses: Iterable[str]) -> tuple[Corpus, list[Corpus]]:
        """Return the key's corpus and a list of the responses' corpora, or print all faults and exit.

        A response that is given as `ours=path` has that name.
        """
        key_file, planned = self.plan_sides(key, responses)
        corpus, *others = read_files([key_file, *(file for file, _ in planned)], verbose=self.verbose)
        return corpus, _name_corpora(others, [NamedFile(file.path, name) for file, name in planned])

    def plan_sides(self, key: str, responses: Iterable[str]) -> tuple[FileToRead, list[tuple[FileToRead, str]]]:
        """Return the FileToRead of a key, and those of responses with the names that they were given ("" for none)."""
        named = parse_named_files(responses)
        key_file = FileToRead(key, self.format_of_key, "key", "--key-format")
        return key_file, [(self._plan_response(each.path), each.name) for each in named]

    def read_responses(self, responses: Iterable[str]) -> list[Corpus]:
        """Return a list of the responses' corpora, named where given as `ours=path`, or print all faults and exit."""
        named = parse_named_files(responses)
        files = [self._plan_response(each.path) for each in named]
        return _name_corpora(read_files(files, verbose=self.verbose), named)

    def read_response(self, path: str) -> Corpus:
        """Return the corpus of one response; raise an InputError or MissingFileError if it cannot be read."""
        return read_file(self._plan_response(path), verbose=self.verbose)

    def _plan_response(self, path: str) -> FileToRead:
        """Return the FileToRead of a response: its path, side, and the format in which it is to be read."""
        return FileToRead(path, self.format_of_responses, "response", "--response-format")

    def read_baseline(self, relative_to: str | None) -> str | Corpus | None:
        """Return the corpus of a baseline given as `old=path`, or exit if it has faults; anything else as it is."""
        if relative_to is None or not parse_named_file(relative_to).name:
            return relative_to
        named = [parse_named_file(relative_to)]
        return _name_corpora(read_files([self._plan_response(named[0].path)], verbose=self.verbose), named)[0]

    def print_result(self, result: Result, **layout: Unpack[LayoutOptions]) -> None:
        """Print a result in the form of output that was asked for, then its notices unless `quiet` is set."""
        echo_result(result, self.output, **layout)
        self.print_notices(result.notices)

    def print_notices(self, notices: Iterable[Notice]) -> None:
        """Print notices as warnings on standard error, unless the command is to be quiet."""
        if not self.quiet:
            echo_notices(notices, show_all=self.verbose)
