"""The command `corefeval why`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from corefeval import measures as known
from corefeval.cli.options import Word, digits_option, file_options
from corefeval.cli.output import print_notices, print_result
from corefeval.profiles.registry import DEFAULT, PROFILES

if TYPE_CHECKING:
    from corefeval.cli.files import FileOptions
    from corefeval.tables.table import Digits

_PROFILE = Word(list(PROFILES))


@click.command(name="why", short_help="Say why two scorers disagree, decision by decision.")
@click.argument("key", metavar="KEY")
@click.argument("response", metavar="RESPONSE")
@click.option("--from", "from_", type=_PROFILE, default=DEFAULT, show_default=True, help="The scorer to begin with.")
@click.option("--to", type=_PROFILE, required=True, help="The scorer to end at.")
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="MEASURE",
    help="A measure; repeatable; by default those that the scorer has, and the CoNLL average.",
)
@click.option("--json", "as_json", is_flag=True, help="JSON with full precision: recall, precision and f1, all causes.")
@digits_option
@file_options
def command(
    key: str,
    response: str,
    from_: str,
    to: str,
    measures: tuple[str, ...],
    as_json: bool,
    digits: Digits,
    files: FileOptions,
) -> None:
    """Say why two scorers give KEY and RESPONSE different numbers.

    Begins with the decisions of one profile, changes one after another to those of the other, and shows how much each
    moves each measure and which mentions, entities or documents are responsible. The last row is the other scorer's.
    """
    one, other = PROFILES[from_], PROFILES[to]
    chosen = known.select(measures or (*other.measures, "conll"))
    key_corpus, (response_corpus,) = files.read_sides(key, [response])
    from corefeval.analysis import why  # noqa: PLC0415 - --help loads no NumPy

    found = why.explain_profiles(key_corpus, response_corpus, one, other, chosen)
    examples = None if files.verbose else why.CAUSES
    print_result(found, "json" if as_json else None, digits=digits, examples=examples)
    print_notices(found.notices, files)
