"""The commands that make pages and figures: `corefeval report` and `plot`."""

from __future__ import annotations

from typing import Any

import click

import corefeval
from corefeval.cli.console import echo_text
from corefeval.cli.files import name_files
from corefeval.cli.options import Word, shared_options
from corefeval.cli.shared import SharedOptions
from corefeval.errors import escape_controls
from corefeval.notices import count_things

KINDS = {
    "recall-precision": "recall against precision",
    "intervals": "scores with intervals",
    "differences": "the second system over the first, by every measure",
    "by-document": "the second system over the first, document by document",
    "errors": "errors by type",
    "by-size": "score by the size of entities",
    "by-distance": "score by the distance to the antecedent",
    "agreement": "how far measures agree",
}


@click.command()
@click.argument("key", metavar="KEY")
@click.argument("responses", metavar="RESPONSE...", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    "path",
    required=True,
    metavar="FILE.html|FOLDER",
    help="One file that needs nothing else; or, for large corpora, a folder.",
)
@click.option("--title", help="The page's title.")
@click.option(
    "--limit",
    type=click.FloatRange(min=0.1),
    default=14.0,
    metavar="MB",
    help="How much text one file holds; documents with the costliest and with most errors come first.",
)
@shared_options("resamples", "seed", "measures", "decisions", "sides")
def report(key: str, responses: tuple[str, ...], path: str, limit: float, shared: SharedOptions, **given: Any) -> None:
    """Write a page with the scores of one or more RESPONSE files and their errors in the text.

    It opens from the disk in any browser and loads nothing from the network.
    """
    names = name_files(responses)
    key_corpus, corpora = shared.read_sides(key, responses)
    systems = dict(zip(names, corpora, strict=True))
    page = corefeval.report(key_corpus, systems, path, limit=int(limit * 1_000_000), **given)
    left = page.documents - page.shown
    without_text = (
        f": has the text of {count_things(page.shown, 'document')}, those with the costliest and with most errors; "
        f"of {left} more it has tables only (a folder, -o NAME, has all of them)"
    )
    echo_text(escape_controls(f"{page.path}{without_text if left else ''}"))
    shared.print_notices(page.notices)


@click.command(epilog="Kinds: " + "; ".join(f"{kind}: {what}" for kind, what in KINDS.items()) + ".")
@click.argument("kind", metavar="KIND", type=Word(KINDS))
@click.argument("key", metavar="KEY")
@click.argument("responses", metavar="RESPONSE...", nargs=-1, required=True)
@click.option("-o", "--output", "path", required=True, metavar="FILE.svg|pdf|png", help="The figure.")
@click.option("--serif", is_flag=True, help="Type with serifs, as in the text of a paper.")
@shared_options("resamples", "seed", "measures", "decisions", "sides")
def plot(kind: str, key: str, responses: tuple[str, ...], path: str, shared: SharedOptions, **given: Any) -> None:
    """Draw a figure of one or more RESPONSE files, fit for print and for colour-blind readers."""
    names = name_files(responses)
    key_corpus, corpora = shared.read_sides(key, responses)
    systems = dict(zip(names, corpora, strict=True))
    figure = corefeval.plot(kind, key_corpus, systems, path, **given)
    shared.print_notices(figure.notices)
