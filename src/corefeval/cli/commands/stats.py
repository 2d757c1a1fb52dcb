"""The command `corefeval stats`."""

from __future__ import annotations

import click

import corefeval
from corefeval.cli.options import SharedOptions, shared_options


@click.command("stats")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--per-document", is_flag=True, help="Also describe every document.")
@click.option("--plot", metavar="FILE", help="Also draw the distributions: .svg, .png or .pdf (needs matplotlib).")
@shared_options("output", "files")
def command(files: tuple[str, ...], per_document: bool, plot: str | None, shared: SharedOptions) -> None:
    """Describe corpora in the numbers that a paper's data section needs.

    Documents, sentences, words, mentions, entities, singletons, how large entities and how long mentions are, how many
    lie within another, have gaps or are not written, and how far away the antecedent is. JSON has all distributions.
    """
    statistics = corefeval.stats(*shared.read(files), per_document=per_document)
    if plot is not None:
        from corefeval.show.plots import draw_distributions  # noqa: PLC0415 - matplotlib is an extra

        draw_distributions(statistics.corpora, plot)
    shared.print_result(statistics)
