"""What commands share: reading their files, and printing their results and notices, as the options say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

from corefeval.cli.files import read_files
from corefeval.cli.output import echo_notices, echo_result
from corefeval.notices import Notice
from corefeval.tables.result import LayoutOptions, Result
from corefeval.tables.table import DIGITS, Digits

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus


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
        """Return the corpora of files of which none is the key; exits if any has faults."""
        return read_files([(path, self.format_) for path in paths], verbose=self.verbose)

    def read_sides(self, key: str, responses: Iterable[str]) -> tuple[Corpus, list[Corpus]]:
        """Return two things: the corpus of the key, and a list of corpora of the responses; exits if any has faults."""
        other = self.response_format or self.format_
        files = [(key, self.key_format or self.format_), *((response, other) for response in responses)]
        corpus, *others = read_files(files, verbose=self.verbose)
        return corpus, others

    def print_result(self, result: Result, **layout: Unpack[LayoutOptions]) -> None:
        """Print a result in the form of output that was asked for, then its notices."""
        echo_result(result, self.output, **layout)
        self.print_notices(result.notices)

    def print_notices(self, notices: Iterable[Notice]) -> None:
        """Print notices as warnings on standard error, unless the command is to be quiet."""
        if not self.quiet:
            echo_notices(notices, show_all=self.verbose)
