"""The commands that look into scores: `corefeval errors`, `diff`, `explain`, `align` and `why`."""

from __future__ import annotations

from typing import Any

import click

import corefeval
from corefeval.cli.options import Word, shared_options
from corefeval.cli.shared import SharedOptions
from corefeval.profiles.registry import DEFAULT, PROFILES
from corefeval.tables.result import LayoutOptions


@click.command()
@click.argument("key", metavar="KEY")
@click.argument("response", metavar="RESPONSE")
@click.option(
    "--by",
    "fields",
    multiple=True,
    metavar="FIELD",
    help="Show scores by document, genre, size, entity-type, mention-type, distance, nesting or any attribute.",
)
@click.option(
    "--worst", type=click.IntRange(min=1), metavar="N", help="Show the N entities and mentions that cost most."
)
@shared_options("measures", "examples", "all", "digits", "output", "decisions", "sides", "strict")
def errors(
    key: str, response: str, fields: tuple[str, ...], worst: int | None, shared: SharedOptions, **given: Any
) -> None:
    """Show the errors of a RESPONSE: spans, mentions and entities that are missing or extra, divided or conflated.

    Types are those of Kummerfeld & Klein (2013). Corrected one type after another they turn the response into the key;
    the table says how many points that adds. --by and --worst show scores by field, or what costs most, instead.
    """
    if fields and worst is not None:
        raise click.UsageError("--by and --worst are two tables: ask for one of them")
    key_corpus, (response_corpus,) = shared.read_sides(key, [response])
    analysis = corefeval.analyse(key_corpus, response_corpus, **given)
    if worst is not None:
        shared.print_result(analysis.worst(worst))
    elif fields:
        shared.print_result(analysis.combine_breakdowns(fields), digits=shared.digits)
    else:
        shared.print_result(analysis, digits=shared.digits, examples=shared.shown_examples)


@click.command()
@click.argument("files", metavar="[KEY] A B", nargs=-1)
@shared_options("measures", "examples", "all", "digits", "output", "decisions", "sides", "strict")
def diff(files: tuple[str, ...], strict: bool, shared: SharedOptions, **given: Any) -> None:
    """Show which errors of response A are gone in B (fixed), and which errors of B are new (broken).

    Two errors are the same if they are of one type and begin with the same mention.

    Without a KEY, show which entities of A are unchanged in B, merged, split or rearranged, with examples.
    """
    if len(files) == 2:
        _refuse_options_of_keys(shared, given)
        a, b = shared.read_responses(files)
        shared.print_result(corefeval.diff_entities(a, b, strict=strict), examples=shared.shown_examples)
        return
    if len(files) != 3:
        raise click.UsageError("diff takes two responses, A B, or a key and two responses, KEY A B")
    key_corpus, responses = shared.read_sides(files[0], files[1:])
    difference = corefeval.diff(key_corpus, *responses, strict=strict, **given)
    shared.print_result(difference, digits=shared.digits, examples=shared.shown_examples)


def _refuse_options_of_keys(shared: SharedOptions, given: dict[str, Any]) -> None:
    """Raise a UsageError if options were given that only make sense with a key: measures, decisions, its format."""
    asked = {**given, "measure": given["measures"], "key_format": shared.key_format, "key_columns": shared.key_columns}
    wrong = [f"--{name.replace('_', '-')}" for name, value in asked.items() if value and name != "measures"]
    if wrong:
        raise click.UsageError(f"{', '.join(wrong)}: only with a key: diff KEY A B")


@click.command()
@click.argument("measure", metavar="MEASURE")
@click.argument("key", metavar="KEY")
@click.argument("response", metavar="RESPONSE")
@click.option("--document", metavar="NAME", help="Show the steps in this document: bookshop for (bookshop); part 000.")
@shared_options("output", "decisions", "sides", "strict")
def explain(measure: str, key: str, response: str, shared: SharedOptions, **given: Any) -> None:
    """Show how a MEASURE comes to its number: MUC's fragments, B³'s credits, CEAF's alignment, BLANC's links ...

    With one document, or --document, every step; otherwise what each document adds, and the sums in the formula.
    """
    chosen = corefeval.measures.get_measure(measure)
    key_corpus, (response_corpus,) = shared.read_sides(key, [response])
    shared.print_result(corefeval.explain(chosen, key_corpus, response_corpus, **given))


@click.command()
@click.argument("key", metavar="KEY")
@click.argument("response", metavar="RESPONSE")
@click.option("-m", "--measure", default="ceafe", help="A measure that aligns entities: ceafm, ceaf:phi=1, nec ...")
@click.option("--document", metavar="NAME", help="Show this document alone: bookshop for (bookshop); part 000.")
@click.option("--examples", type=click.IntRange(min=0), default=20, help="How many rows of each table to show.")
@click.option("--all", "show_all", is_flag=True, help="Show every row.")
@shared_options("output", "decisions", "sides", "strict")
def align(measure: str, key: str, response: str, shared: SharedOptions, **given: Any) -> None:
    """Show which entities of KEY and RESPONSE a measure aligns, and into which fragments each entity is divided.

    Fragments are those that MUC counts; the largest of an entity is its core. --json and --csv have all of them.
    """
    chosen = corefeval.measures.get_measure(measure)
    key_corpus, (response_corpus,) = shared.read_sides(key, [response])
    found = corefeval.align(key_corpus, response_corpus, measure=chosen, **given)
    shared.print_result(found, examples=shared.shown_examples)


@click.command()
@click.argument("key", metavar="KEY")
@click.argument("response", metavar="RESPONSE")
@click.option("--from", "from_", type=Word(PROFILES), default=DEFAULT, help="The scorer to begin with.")
@click.option("--to", type=Word(PROFILES), required=True, help="The scorer to end at.")
@shared_options("measures", "digits", "output", "sides")
def why(key: str, response: str, shared: SharedOptions, **given: Any) -> None:
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
