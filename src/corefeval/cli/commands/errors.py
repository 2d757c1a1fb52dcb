"""The command `corefeval errors`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import corefeval
from corefeval.cli.options import error_options
from corefeval.cli.output import make_table_writers, print_notices, print_output

if TYPE_CHECKING:
    from corefeval.analysis.analyse import Analysis
    from corefeval.analysis.breakdowns.breakdown import Breakdown
    from corefeval.analysis.costs.worst import Worst
    from corefeval.cli.files import FileOptions


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
    found = corefeval.analyse(key_corpus, response_corpus, measures=measures or None, **given)
    notices = [*found.evaluation.notices, *found.left_out]
    if fields:
        tables = [found.breakdown(field) for field in fields]
        notices += [notice for table in tables for notice in table.notices]
        _print_breakdowns(found, tables, output)
    elif worst is not None:
        _print_worst(found, found.worst(worst), output)
    else:
        notices = [*found.notices]
        _print_errors(found, None if show_all else examples, output)
    print_notices(notices, files)
    return 0


def _print_errors(found: Analysis, examples: int | None, output: str | None) -> None:
    from corefeval.show import analysed  # noqa: PLC0415

    print_output(
        output,
        lambda style: analysed.text(found, examples=examples, style=style),
        json=found.to_json,
        csv=found.to_csv,
        **make_table_writers(lambda: analysed.tables(found, examples=examples), found.evaluation.signature),
    )


def _print_breakdowns(found: Analysis, tables: list[Breakdown], output: str | None) -> None:
    from corefeval.show import broken_down  # noqa: PLC0415

    evaluation = found.evaluation
    print_output(
        output,
        lambda style: broken_down.text(evaluation, tables, style=style),
        json=lambda: broken_down.json_text(evaluation, tables),
        csv=lambda: broken_down.csv_text(evaluation, tables),
        **make_table_writers(lambda: broken_down.tables(evaluation, tables), evaluation.signature),
    )


def _print_worst(found: Analysis, worst: Worst, output: str | None) -> None:
    from corefeval.show import costly  # noqa: PLC0415

    print_output(
        output,
        lambda style: costly.text(found, worst, style=style),
        json=lambda: costly.json_text(found, worst),
        csv=lambda: costly.csv_text(worst),
        **make_table_writers(lambda: costly.tables(worst), found.evaluation.signature),
    )
