"""The command that scores by a sample of the truth: `corefeval estimate`."""

from __future__ import annotations

from typing import Any

import click

import corefeval
from corefeval.cli.options import shared_options
from corefeval.cli.shared import SharedOptions


@click.command()
@click.argument("key", metavar="KEY-SAMPLE")
@click.argument("response", metavar="RESPONSE")
@click.option(
    "--weights",
    default="uniform",
    metavar="uniform|size|COLUMN",
    help="How entities were sampled: each with the same chance, by size, or by chances of 1 over a column of the key.",
)
@click.option("--confidence", type=float, default=0.95)
@shared_options("measures", "digits", "output", "sides", "strict")
def estimate(key: str, response: str, weights: str, shared: SharedOptions, **given: Any) -> None:
    """Estimate the scores of a whole RESPONSE from a KEY-SAMPLE: all records of some entities.

    With standard errors and intervals, by pairwise, ceaf:phi=1 (exact entities), muc, bcub and lea. Records of RESPONSE
    that KEY-SAMPLE lacks belong to other entities, which were not sampled.
    """
    from corefeval.sampling.weights import add_weight_column  # noqa: PLC0415 - loads NumPy

    format_ = add_weight_column(shared.format_of_key, weights)
    key_corpus, (response_corpus,) = shared._replace(key_format=format_, key_columns=None).read_sides(key, [response])
    shared.print_result(corefeval.estimate(key_corpus, response_corpus, weights=weights, **given), digits=shared.digits)
