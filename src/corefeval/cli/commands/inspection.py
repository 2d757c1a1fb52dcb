"""The commands that look at files: `corefeval validate` and `stats`."""

from __future__ import annotations

import click

import corefeval
from corefeval.cli.files import check_standard_input
from corefeval.cli.options import shared_options
from corefeval.cli.output import echo_result
from corefeval.cli.shared import SharedOptions
from corefeval.errors import InputError, MissingFileError
from corefeval.tables.result import LayoutOptions


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--key", metavar="FILE", help="Also check whether the files fit as responses to this key.")
@click.option("-v", "--verbose", is_flag=True, help="Show all problems of a kind, not the first twenty.")
@shared_options("strict", "format", "key-format", "key-columns", "output")
def validate(files: tuple[str, ...], key: str | None, strict: bool, shared: SharedOptions) -> int:
    """List what is wrong with files, by grade and kind and with the line: exit code 65 if there are errors.

    Errors keep a file from being read; warnings may be mistakes; infos say how a file was understood.

    Brackets that do not match, mentions that cross another one of their entity or stand in two, entities without
    mentions, documents that are there twice, links to oneself or in a circle; with a key also documents that are
    missing or not wanted, words that differ, and singletons where the key has none.
    """
    check_standard_input([key, *files])
    # The key's format is its own: that of the files says nothing about it.
    corpus = None if key is None else shared._replace(format_=None, verbose=False).read_sides(key, [])[0]
    validation = corefeval.validate(*files, key=corpus, format=shared.format_)
    layout: LayoutOptions = {"examples": None} if shared.verbose else {}
    echo_result(validation, shared.output, **layout)
    if any("missing-file" in each.counts for each in validation.files):
        return MissingFileError.exit_code
    return InputError.exit_code if validation.grades["error"] or (strict and validation.grades["warning"]) else 0


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--per-document", is_flag=True, help="Also describe every document.")
@click.option("--plot", metavar="FILE", help="Also draw the distributions: .svg, .png or .pdf (needs matplotlib).")
@shared_options("output", "files")
def stats(files: tuple[str, ...], per_document: bool, plot: str | None, shared: SharedOptions) -> None:
    """Describe corpora in the numbers that a paper's data section needs.

    Documents, sentences, words, mentions, entities, singletons, how large entities and how long mentions are, how many
    lie within another, have gaps or are not written, and how far away the antecedent is. JSON has all distributions.
    """
    statistics = corefeval.stats(*shared.read_corpora(files), per_document=per_document)
    if plot is not None:
        from corefeval.show.plots import draw_distributions  # noqa: PLC0415 - matplotlib is an extra

        draw_distributions(statistics.corpora, plot)
    shared.print_result(statistics)
