"""The command `corefeval errors`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from corefeval.cli import analysing, warnings

if TYPE_CHECKING:
    from corefeval.analysis.breakdowns import Breakdown
    from corefeval.analysis.whole import Analysis


@click.command(name="errors", short_help="Show what is wrong with a response, by type, and what it costs.")
@click.argument("key", metavar="KEY")
@click.argument("response", metavar="RESPONSE")
@click.option("-m", "--measure", "measures", multiple=True, metavar="MEASURE", help="A measure; repeatable.")
@click.option(
    "--examples",
    type=click.IntRange(min=0),
    default=3,
    show_default=True,
    help="How many errors of each type are shown.",
)
@click.option("--all", "everything", is_flag=True, help="Show every error.")
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
@click.option("--json", "output", flag_value="json", help="JSON with full precision, and every error.")
@click.option("--csv", "output", flag_value="csv", help="Comma-separated values: a row for each error.")
@analysing.files_and_decisions
def command(
    key: str,
    response: str,
    measures: tuple[str, ...],
    examples: int,
    everything: bool,
    fields: tuple[str, ...],
    worst: int | None,
    output: str | None,
    quiet: bool,
    **given: Any,
) -> int:
    """Show the errors of a RESPONSE: spans, mentions and entities that are missing or extra, divided or conflated.

    Types are those of Kummerfeld & Klein (2013). Corrected one type after another they turn the response into the key;
    the table says how many points that adds.
    """
    if fields and worst is not None:
        raise click.UsageError("--by and --worst are two tables: ask for one of them")
    verbose = given["verbose"]
    corpora = analysing.corpora(key, (response,), given)
    from corefeval.analysis.whole import analyse  # noqa: PLC0415 - --help loads no NumPy

    found = analyse(*corpora, measures=measures or None, **given)
    notices = [*found.evaluation.warnings]
    if fields:
        tables = [found.breakdown(field) for field in fields]
        notices += [notice for table in tables for notice in table.notices]
        click.echo(_broken_down(found, tables, output))
    elif worst is not None:
        click.echo(_costly(found, worst, output))
    else:
        notices += found.notices
        click.echo(_errors(found, None if everything else examples, output))
    if not quiet:
        warnings.show(notices, everything=verbose)
    return 0


def _errors(found: Analysis, examples: int | None, output: str | None) -> str:
    from corefeval.report import analysed  # noqa: PLC0415

    if output is not None:
        return str(getattr(found, f"to_{output}")())
    return analysed.text(found, examples=examples, style=analysing.style())


def _broken_down(found: Analysis, tables: list[Breakdown], output: str | None) -> str:
    from corefeval.report import broken_down  # noqa: PLC0415

    if output == "json":
        return broken_down.json_text(found.evaluation, tables)
    if output == "csv":
        return broken_down.csv_text(tables)
    return broken_down.text(found.evaluation, tables, style=analysing.style())


def _costly(found: Analysis, most: int, output: str | None) -> str:
    from corefeval.report import costly  # noqa: PLC0415

    worst = found.worst(most)
    if output == "json":
        return costly.json_text(found, worst)
    return costly.csv_text(worst) if output == "csv" else costly.text(found, worst, style=analysing.style())
