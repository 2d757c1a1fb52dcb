"""The commands that look into measures themselves: `corefeval criteria` and `contrast`."""

from __future__ import annotations

import click

from corefeval.cli.options import shared_options
from corefeval.cli.shared import SharedOptions
from corefeval.lab.contrast import contrast as find_contrast
from corefeval.lab.criteria import explain_verdict, judge_measures
from corefeval.notices import count_things


@click.command()
@click.argument("measure", metavar="[MEASURE]", required=False)
@click.argument("criterion", metavar="[CRITERION]", required=False)
@click.option("--key", metavar="FILE|ENTITIES", help="Search responses to this key only, such as 'a b c | d e'.")
@shared_options("output", "files")
def criteria(measure: str | None, criterion: str | None, key: str | None, shared: SharedOptions) -> None:
    """Say which MEASURE meets which criterion of the papers, by a search for counter-examples.

    All pairs of key and response of up to six mentions are searched, and some larger ones. With a measure and a
    CRITERION, such as lea rag-bag, the smallest counter-example in pictures, and what papers say.
    """
    entities = None
    if key is not None:
        (corpus,) = shared.read_corpora([key], side="key")
        if len(corpus.documents) != 1:
            raise click.UsageError(
                f"--key {key}: {count_things(len(corpus.documents), 'document')}, where one is expected"
            )
        (entities,) = corpus.entities().values()
    if measure is not None and criterion is not None:
        shared.print_result(explain_verdict(measure, criterion, entities))
    else:
        shared.print_result(judge_measures(measure, entities))


@click.command()
@click.argument("first", metavar="MEASURE")
@click.argument("second", metavar="MEASURE")
@click.option("--any-mentions", is_flag=True, help="Also responses that lack mentions of the key, or have others.")
@click.option("--examples", type=click.IntRange(min=1), default=3, help="How many pairs of responses to show.")
@shared_options("output")
def contrast(first: str, second: str, any_mentions: bool, shared: SharedOptions) -> None:
    """Show the smallest pairs of responses that two measures rank oppositely."""
    shared.print_result(find_contrast(first, second, same_mentions=not any_mentions, examples=shared.examples))
