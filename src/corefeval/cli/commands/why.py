"""The command `corefeval why`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import corefeval
from corefeval.cli.options import SharedOptions, Word, shared_options
from corefeval.profiles.registry import DEFAULT, PROFILES

if TYPE_CHECKING:
    from corefeval.tables.result import LayoutOptions

_PROFILE = Word(PROFILES)


@click.command("why")
@click.argument("key", metavar="KEY")
@click.argument("response", metavar="RESPONSE")
@click.option("--from", "from_", type=_PROFILE, default=DEFAULT, help="The scorer to begin with.")
@click.option("--to", type=_PROFILE, required=True, help="The scorer to end at.")
@shared_options("measures", "digits", "output", "sides")
def command(key: str, response: str, shared: SharedOptions, **given: Any) -> None:
    """Say why two scorers give KEY and RESPONSE different numbers.

    Begins with the decisions of one profile, changes one after another to those of the other, and shows how much each
    moves each measure and which mentions, entities or documents are responsible. The last row is the other scorer's.
    Measures are by default those that the other scorer has, and the CoNLL average.
    """
    key_corpus, (response_corpus,) = shared.read_sides(key, [response])
    layout: LayoutOptions = {"digits": shared.digits}
    if shared.verbose:
        layout["examples"] = None
    shared.print_result(corefeval.why(key_corpus, response_corpus, **given), **layout)
