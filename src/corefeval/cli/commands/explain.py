"""The command `corefeval explain`."""

from __future__ import annotations

from typing import Any

import click

import corefeval
from corefeval.cli.options import SharedOptions, shared_options


@click.command("explain")
@click.argument("measure", metavar="MEASURE")
@click.argument("key", metavar="KEY")
@click.argument("response", metavar="RESPONSE")
@click.option("--document", metavar="NAME", help="Show the steps in this document.")
@shared_options("output", "decisions", "sides", "strict")
def command(measure: str, key: str, response: str, shared: SharedOptions, **given: Any) -> None:
    """Show how a MEASURE comes to its number: MUC's fragments, B³'s credits, CEAF's alignment, BLANC's links ...

    With one document, or --document, every step; otherwise what each document adds, and the sums in the formula.
    """
    chosen = corefeval.measures.get_measure(measure)
    key_corpus, (response_corpus,) = shared.read_sides(key, [response])
    shared.print_result(corefeval.explain(chosen, key_corpus, response_corpus, **given))
