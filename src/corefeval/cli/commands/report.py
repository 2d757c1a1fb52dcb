"""The command `corefeval report`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import corefeval
from corefeval.cli.files import shorten_names
from corefeval.cli.options import decision_options, file_options, measure_option, resamples_option, seed_option
from corefeval.cli.output import print_notices
from corefeval.cli.progress import show_progress

if TYPE_CHECKING:
    from corefeval.cli.files import FileOptions
    from corefeval.show.writing import WrittenPage


@click.command(name="report", short_help="Write a page that shows scores and errors in the text.")
@click.argument("key", metavar="KEY")
@click.argument("responses", metavar="RESPONSE...", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE.html|FOLDER",
    help="One file that needs nothing else; or, for large corpora, a folder.",
)
@measure_option
@click.option("--title", help="The page's title.")
@resamples_option
@seed_option
@click.option(
    "--limit",
    type=click.FloatRange(min=0.1),
    default=14.0,
    show_default=True,
    metavar="MB",
    help="How much text one file holds; documents with most errors come first.",
)
@decision_options
@file_options
def command(
    key: str,
    responses: tuple[str, ...],
    output: str,
    measures: tuple[str, ...],
    title: str | None,
    resamples: int,
    seed: int,
    limit: float,
    files: FileOptions,
    **given: Any,
) -> int:
    """Write a page with the scores of one or more RESPONSE files and their errors in the text.

    It opens from the disk in any browser and loads nothing from the network.
    """
    names = shorten_names(responses)
    key_corpus, corpora = files.read_sides(key, responses)
    with show_progress(quiet=files.quiet) as progress:
        page = corefeval.report(
            key_corpus, dict(zip(names, corpora, strict=True)), output, measures=measures or None, title=title,
            resamples=resamples, seed=seed, limit=int(limit * 1_000_000), progress=progress, **given,
        )  # fmt: skip
    click.echo(_describe_page(page))
    print_notices(page.notices, files)
    return 0


def _describe_page(page: WrittenPage) -> str:
    """Return where the page is, and how many documents have their text in it if not all."""
    if page.shown == page.documents:
        return str(page.path)
    left = page.documents - page.shown
    return (
        f"{page.path}: has the text of the {page.shown} documents with most errors; the other {left} are in its "
        "tables only (a folder, -o NAME, has all of them)"
    )
