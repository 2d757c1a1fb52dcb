"""The command `corefeval diff`."""

from __future__ import annotations

from typing import Any

import click

from corefeval.cli import analysing, warnings


@click.command(name="diff", short_help="Show what one response fixed and broke, compared with another.")
@click.argument("key", metavar="KEY")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("-m", "--measure", "measures", multiple=True, metavar="MEASURE", help="A measure; repeatable.")
@click.option(
    "--examples",
    type=click.IntRange(min=0),
    default=3,
    show_default=True,
    help="How many errors of each type are shown.",
)
@click.option("--all", "everything", is_flag=True, help="Show every error that only one of them has.")
@click.option("--json", "as_json", is_flag=True, help="JSON with full precision, and every error.")
@analysing.files_and_decisions
def command(
    key: str,
    a: str,
    b: str,
    measures: tuple[str, ...],
    examples: int,
    everything: bool,
    as_json: bool,
    quiet: bool,
    **given: Any,
) -> int:
    """Show which errors of response A response B has not (fixed), and which it has that A has not (broken).

    Errors are the same if they are of one type and begin with the same mention.
    """
    verbose = given["verbose"]
    corpora = analysing.corpora(key, (a, b), given)
    from corefeval.analysis.diffing import diff  # noqa: PLC0415 - --help loads no NumPy
    from corefeval.report import differing  # noqa: PLC0415

    found = diff(*corpora, measures=measures or None, **given)
    if as_json:
        click.echo(found.to_json())
    else:
        click.echo(differing.text(found, examples=None if everything else examples, style=analysing.style()))
    if not quiet:
        seen = {notice.message: notice for each in (found.a, found.b) for notice in each.evaluation.warnings}
        seen |= {notice.message: notice for each in (found.a, found.b) for notice in each.notices}
        warnings.show(seen.values(), everything=verbose)
    return 0
