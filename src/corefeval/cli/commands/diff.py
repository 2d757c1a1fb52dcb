"""The command `corefeval diff`."""

from __future__ import annotations

from typing import Any

import click

from corefeval.cli import analysing, warnings


@click.command(name="diff", short_help="Show what one response fixed and broke, compared with another.")
@click.argument("key", metavar="KEY")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@analysing.of_errors
def command(
    key: str,
    a: str,
    b: str,
    measures: tuple[str, ...],
    examples: int,
    everything: bool,
    output: str | None,
    quiet: bool,
    **given: Any,
) -> int:
    """Show which errors of response A response B has not (fixed), and which it has that A has not (broken).

    Errors are the same if they are of one type and begin with the same mention.
    """
    verbose = given["verbose"]
    corpora = analysing.corpora(key, (a, b), given)
    from corefeval.analysis.diff import diff  # noqa: PLC0415 - --help loads no NumPy
    from corefeval.show import differing  # noqa: PLC0415

    found = diff(*corpora, measures=measures or None, **given)
    shown = None if everything else examples
    analysing.echo(
        output,
        lambda style: differing.text(found, examples=shown, style=style),
        json=found.to_json,
        csv=found.to_csv,
        **analysing.as_tables(lambda: differing.tables(found, examples=shown), found.b.evaluation.signature),
    )
    if not quiet:
        warnings.show(found.warnings, everything=verbose)
    return 0
