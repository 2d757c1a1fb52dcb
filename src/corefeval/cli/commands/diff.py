"""The command `corefeval diff`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import corefeval
from corefeval.cli.options import error_options
from corefeval.cli.output import print_notices, print_result

if TYPE_CHECKING:
    from corefeval.cli.files import FileOptions
    from corefeval.tables.table import Digits


@click.command(name="diff", short_help="Show what one response fixed and broke, compared with another.")
@click.argument("key", metavar="KEY")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@error_options
def command(
    key: str,
    a: str,
    b: str,
    measures: tuple[str, ...],
    examples: int,
    show_all: bool,
    output: str | None,
    digits: Digits,
    files: FileOptions,
    **given: Any,
) -> int:
    """Show which errors of response A are gone in B (fixed), and which errors of B are new (broken).

    Two errors are the same if they are of one type and begin with the same mention.
    """
    key_corpus, responses = files.read_sides(key, [a, b])
    found = corefeval.diff(key_corpus, *responses, measures=measures or None, **given)
    print_result(found, output, digits=digits, examples=None if show_all else examples)
    print_notices(found.notices, files)
    return 0
