"""The command `corefeval report`."""

from __future__ import annotations

from typing import Any

import click

import corefeval
from corefeval.cli.files import shorten_names
from corefeval.cli.options import SharedOptions, shared_options
from corefeval.cli.output import show_progress


@click.command("report")
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
    help="How much text one file holds; documents with most errors come first.",
)
@shared_options("resamples", "seed", "measures", "decisions", "sides")
def command(key: str, responses: tuple[str, ...], path: str, limit: float, shared: SharedOptions, **given: Any) -> None:
    """Write a page with the scores of one or more RESPONSE files and their errors in the text.

    It opens from the disk in any browser and loads nothing from the network.
    """
    names = shorten_names(responses)
    key_corpus, corpora = shared.read_sides(key, responses)
    systems = dict(zip(names, corpora, strict=True))
    with show_progress(quiet=shared.quiet) as progress:
        page = corefeval.report(key_corpus, systems, path, limit=int(limit * 1_000_000), progress=progress, **given)
    left = page.documents - page.shown
    without_text = (
        f": has the text of the {page.shown} documents with most errors; the other {left} are in its tables only "
        "(a folder, -o NAME, has all of them)"
    )
    click.echo(f"{page.path}{without_text if left else ''}")
    shared.print_notices(page.notices)
