"""The command `corefeval explain`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import corefeval
from corefeval.cli.options import analysis_options
from corefeval.cli.output import print_notices, print_result

if TYPE_CHECKING:
    from corefeval.cli.files import FileOptions


@click.command(name="explain", short_help="Show how a measure comes to its number, step by step.")
@click.argument("measure", metavar="MEASURE")
@click.argument("key", metavar="KEY")
@click.argument("response", metavar="RESPONSE")
@click.option("--document", metavar="NAME", help="Show the steps in this document.")
@analysis_options
def command(
    measure: str, key: str, response: str, document: str | None, output: str | None, files: FileOptions, **given: Any
) -> int:
    """Show how a MEASURE comes to its number: MUC's fragments, B³'s credits, CEAF's alignment, BLANC's links ...

    With one document, or --document, every step; otherwise what each document adds, and the sums in the formula.
    """
    asked = corefeval.measures.one(measure)
    key_corpus, (response_corpus,) = files.read_sides(key, [response])
    derivation = corefeval.explain(asked, key_corpus, response_corpus, document=document, **given)
    print_result(derivation, output)
    print_notices(derivation.notices, files)
    return 0
