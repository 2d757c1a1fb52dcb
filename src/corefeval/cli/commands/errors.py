"""The command `corefeval errors`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import corefeval
from corefeval.cli.options import error_options
from corefeval.cli.output import print_notices, print_result

if TYPE_CHECKING:
    from corefeval.cli.files import FileOptions
    from corefeval.tables.table import Digits


@click.command(name="errors", short_help="Show what is wrong with a response, by type, and what it costs.")
@click.argument("key", metavar="KEY")
@click.argument("response", metavar="RESPONSE")
@click.option(
    "--by",
    "fields",
    multiple=True,
    metavar="FIELD",
    help="Show scores by document, genre, size, entity-type, mention-type, distance, nesting or any attribute.",
)
@click.option(
    "--worst", type=click.IntRange(min=1), metavar="N", help="Show the N entities and mentions that cost most."
)
@error_options
def command(
    key: str,
    response: str,
    measures: tuple[str, ...],
    examples: int,
    show_all: bool,
    fields: tuple[str, ...],
    worst: int | None,
    output: str | None,
    digits: Digits,
    files: FileOptions,
    **given: Any,
) -> int:
    """Show the errors of a RESPONSE: spans, mentions and entities that are missing or extra, divided or conflated.

    Types are those of Kummerfeld & Klein (2013). Corrected one type after another they turn the response into the key;
    the table says how many points that adds.
    """
    if fields and worst is not None:
        raise click.UsageError("--by and --worst are two tables: ask for one of them")
    key_corpus, (response_corpus,) = files.read_sides(key, [response])
    analysis = corefeval.analyse(key_corpus, response_corpus, measures=measures or None, **given)
    if worst is not None:
        costly = analysis.worst(worst)
        print_result(costly, output)
        print_notices(costly.notices, files)
    elif fields:
        breakdowns = analysis.break_down(fields)
        print_result(breakdowns, output, digits=digits)
        print_notices(breakdowns.notices, files)
    else:
        print_result(analysis, output, digits=digits, examples=None if show_all else examples)
        print_notices(analysis.notices, files)
    return 0
