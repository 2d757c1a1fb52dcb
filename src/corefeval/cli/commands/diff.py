"""The command `corefeval diff`."""

from __future__ import annotations

from typing import Any

import click

import corefeval
from corefeval.cli.options import SharedOptions, shared_options


@click.command("diff")
@click.argument("key", metavar="KEY")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@shared_options("measures", "examples", "all", "digits", "output", "decisions", "sides", "strict")
def command(key: str, a: str, b: str, shared: SharedOptions, **given: Any) -> None:
    """Show which errors of response A are gone in B (fixed), and which errors of B are new (broken).

    Two errors are the same if they are of one type and begin with the same mention.
    """
    key_corpus, responses = shared.read_sides(key, [a, b])
    difference = corefeval.diff(key_corpus, *responses, **given)
    shared.print_result(difference, digits=shared.digits, examples=shared.shown_examples)
