"""The command `corefeval report`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from corefeval.cli import shared, warnings
from corefeval.cli.choices import decisions
from corefeval.cli.files import of_files, read_all, short_names
from corefeval.cli.progress import shown

if TYPE_CHECKING:
    from corefeval.show.pages import Written


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
@shared.measures
@click.option("--title", help="The page's title.")
@click.option("--resamples", type=click.IntRange(min=100), default=10_000, show_default=True)
@shared.seed
@click.option(
    "--limit",
    type=click.FloatRange(min=0.1),
    default=14.0,
    show_default=True,
    metavar="MB",
    help="How much text one file holds; documents with most errors come first.",
)
@decisions
@of_files
def command(
    key: str,
    responses: tuple[str, ...],
    output: str,
    measures: tuple[str, ...],
    title: str | None,
    resamples: int,
    seed: int,
    limit: float,
    format_: str | None,
    key_format: str | None,
    response_format: str | None,
    quiet: bool,
    verbose: bool,
    **given: Any,
) -> int:
    """Write a page with the scores of one or more RESPONSE files and their errors in the text.

    It opens from the disk in any browser and loads nothing from the network.
    """
    names = short_names(responses)
    formats = key_format or format_, response_format or format_
    corpora = read_all([(key, formats[0]), *((file, formats[1]) for file in responses)], verbose=verbose)
    from corefeval.scoring import score  # noqa: PLC0415 - --help loads no NumPy
    from corefeval.show import pages  # noqa: PLC0415 - --help loads no NumPy

    evaluations = {
        name: score.score(corpora[0], response, measures=measures or None, **given)
        for name, response in zip(names, corpora[1:], strict=True)
    }
    with shown(quiet=quiet) as progress:
        written = pages.write(
            evaluations,
            output,
            title=title,
            resamples=resamples,
            seed=seed,
            limit=int(limit * 1_000_000),
            progress=progress,
        )
    click.echo(_told(written))
    if not quiet:
        seen = {notice.message: notice for each in evaluations.values() for notice in each.warnings}
        warnings.show(seen.values(), everything=verbose)
    return 0


def _told(written: Written) -> str:
    if written.shown == written.documents:
        return str(written.path)
    left = written.documents - written.shown
    return (
        f"{written.path}: has the text of the {written.shown} documents with most errors; the other {left} are in its "
        "tables only (a folder, -o NAME, has all of them)"
    )
