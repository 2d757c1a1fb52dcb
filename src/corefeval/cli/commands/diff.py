"""The command `corefeval diff`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import corefeval
from corefeval.cli.options import error_options
from corefeval.cli.output import make_table_writers, print_notices, print_output

if TYPE_CHECKING:
    from corefeval.cli.files import FileOptions


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
    files: FileOptions,
    **given: Any,
) -> int:
    """Show which errors of response A are gone in B (fixed), and which errors of B are new (broken).

    Two errors are the same if they are of one type and begin with the same mention.
    """
    key_corpus, responses = files.read_sides(key, [a, b])
    from corefeval.show import differing  # noqa: PLC0415

    found = corefeval.diff(key_corpus, *responses, measures=measures or None, **given)
    shown = None if show_all else examples
    print_output(
        output,
        lambda style: differing.text(found, examples=shown, style=style),
        json=found.to_json,
        csv=found.to_csv,
        **make_table_writers(lambda: differing.tables(found, examples=shown), found.b.evaluation.signature),
    )
    print_notices(found.notices, files)
    return 0
