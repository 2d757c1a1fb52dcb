"""The command `corefeval errors`."""

from __future__ import annotations

from typing import Any

import click

from corefeval.cli import analysing, warnings


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
@click.option("--json", "output", flag_value="json", help="JSON with full precision, and every error.")
@click.option("--csv", "output", flag_value="csv", help="Comma-separated values: a row for each error.")
@analysing.files_and_decisions
def command(
    key: str,
    response: str,
    measures: tuple[str, ...],
    examples: int,
    everything: bool,
    output: str | None,
    quiet: bool,
    **given: Any,
) -> int:
    """Show the errors of a RESPONSE: spans, mentions and entities that are missing or extra, divided or conflated.

    Types are those of Kummerfeld & Klein (2013). Corrected one type after another they turn the response into the key;
    the table says how many points that adds.
    """
    verbose = given["verbose"]
    corpora = analysing.corpora(key, (response,), given)
    from corefeval.analysis.whole import analyse  # noqa: PLC0415 - --help loads no NumPy
    from corefeval.report import analysed  # noqa: PLC0415

    found = analyse(*corpora, measures=measures or None, **given)
    if output is not None:
        click.echo(getattr(found, f"to_{output}")())
    else:
        click.echo(analysed.text(found, examples=None if everything else examples, style=analysing.style()))
    if not quiet:
        warnings.show((*found.evaluation.warnings, *found.notices), everything=verbose)
    return 0
