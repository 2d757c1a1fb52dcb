"""The command `corefeval stats`."""

from __future__ import annotations

import click

import corefeval
from corefeval.cli.files import FileOptions, read_files
from corefeval.cli.options import format_option
from corefeval.cli.output import print_notices, print_result


@click.command(name="stats", short_help="Describe a corpus in numbers.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--per-document", is_flag=True, help="Also describe every document.")
@click.option("--json", "as_json", is_flag=True, help="JSON with full precision and all distributions.")
@click.option("--plot", metavar="FILE", help="Also draw the distributions: .svg, .png or .pdf (needs matplotlib).")
@format_option
@click.option("-q", "--quiet", is_flag=True, help="Show no warnings.")
@click.option("-v", "--verbose", is_flag=True, help="Show all warnings, and how the files were read.")
def command(
    files: tuple[str, ...],
    per_document: bool,
    as_json: bool,
    plot: str | None,
    format_: str | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Describe corpora in the numbers that a paper's data section needs.

    Documents, sentences, words, mentions, entities, singletons, how large entities and how long mentions are, how many
    lie within another, have gaps or are not written, and how far away the antecedent is.
    """
    corpora = read_files([(file, format_) for file in files], verbose=verbose)
    found = corefeval.stats(*corpora, per_document=per_document)
    if plot is not None:
        from corefeval.show.plots.corpora import draw_distributions  # noqa: PLC0415 - matplotlib is an extra

        draw_distributions(found.corpora, plot)
    print_result(found, "json" if as_json else None)
    print_notices(found.notices, FileOptions(quiet=quiet, verbose=verbose))
    return 0
