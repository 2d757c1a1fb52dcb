"""The command `corefeval validate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

import corefeval
from corefeval.cli.files import check_standard_input, read_files
from corefeval.cli.options import format_option
from corefeval.cli.output import print_result
from corefeval.errors import InputError, MissingFileError

if TYPE_CHECKING:
    from corefeval.tables.result import LayoutOptions


@click.command(name="validate", short_help="List what is wrong with files.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--key", metavar="FILE", help="Also check whether the files fit as responses to this key.")
@format_option
@click.option("--key-format", metavar="FORMAT", help="The key's format.")
@click.option("--json", "as_json", is_flag=True, help="JSON with all problems.")
@click.option("-v", "--verbose", is_flag=True, help="Show all problems of a kind, not the first twenty.")
def command(
    files: tuple[str, ...], key: str | None, format_: str | None, key_format: str | None, as_json: bool, verbose: bool
) -> int:
    """List what is wrong with files, by kind and with the line: exit code 65 if anything is.

    Brackets that do not match, mentions that cross another one of their entity or stand in two, entities without
    mentions, documents that are there twice, links to oneself or in a circle; with a key also documents that are
    missing or not wanted, words that differ, and singletons where the key has none.
    """
    check_standard_input([key, *files])
    corpus = read_files([(key, key_format)], verbose=False)[0] if key is not None else None
    found = corefeval.validate(*files, key=corpus, format=format_)
    layout: LayoutOptions = {"examples": None} if verbose else {}
    print_result(found, "json" if as_json else None, **layout)
    kinds = {problem.kind for problem in found.problems}
    return MissingFileError.exit_code if "missing-file" in kinds else InputError.exit_code if kinds else 0
