"""The command `corefeval errors`."""

from __future__ import annotations

from typing import Any

import click

import corefeval
from corefeval.cli.options import SharedOptions, shared_options


@click.command("errors")
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
@shared_options("measures", "examples", "all", "digits", "output", "decisions", "sides", "strict")
def command(
    key: str, response: str, fields: tuple[str, ...], worst: int | None, shared: SharedOptions, **given: Any
) -> None:
    """Show the errors of a RESPONSE: spans, mentions and entities that are missing or extra, divided or conflated.

    Types are those of Kummerfeld & Klein (2013). Corrected one type after another they turn the response into the key;
    the table says how many points that adds.
    """
    if fields and worst is not None:
        raise click.UsageError("--by and --worst are two tables: ask for one of them")
    key_corpus, (response_corpus,) = shared.read_sides(key, [response])
    analysis = corefeval.analyse(key_corpus, response_corpus, **given)
    if worst is not None:
        shared.print_result(analysis.worst(worst))
    elif fields:
        shared.print_result(analysis.break_down(fields), digits=shared.digits)
    else:
        shared.print_result(analysis, digits=shared.digits, examples=shared.shown_examples)
