"""Studies of the user's own files, for `corefeval lab`; the command `corefeval advise`."""

from __future__ import annotations

from collections.abc import Sequence

import click

import corefeval
from corefeval.cli.files import name_files
from corefeval.cli.options import shared_options
from corefeval.cli.shared import SharedOptions
from corefeval.notices import check_strict

OPTIONS = ("seed", "measures", "output", "sides", "strict")
"""The shared options of studies of files."""


def run_data_study(
    name: str, files: Sequence[str], shared: SharedOptions, *, measures: Sequence[str] | None, seed: int, strict: bool
) -> None:
    """Run a study of files, the key first, and print its result; a UsageError if there is no file."""
    if not files:
        raise click.UsageError(f"the study {name} takes a KEY, and RESPONSE files where it is about these")
    corefeval.lab.load_data_study(name)  # before files are read, which may take long
    key, responses = shared.read_sides(files[0], files[1:])
    named = dict(zip(name_files(files[1:]), responses, strict=True))
    result = corefeval.lab.study_data(name, key, named, measures=measures, seed=seed)
    check_strict(result.notices, strict=strict)
    shared.print_result(result)


@click.command()
@click.argument("key", metavar="KEY")
@click.argument("responses", metavar="[RESPONSE]...", nargs=-1)
@shared_options(*OPTIONS)
def advise(
    key: str, responses: tuple[str, ...], measures: tuple[str, ...] | None, seed: int, strict: bool,
    shared: SharedOptions,
) -> None:  # fmt: skip
    """Say what speaks for and against each measure on the corpus KEY, computed from it: reasons, no verdict.

    Singletons, sizes of entities, how many pairs corefer; what baselines and chance reach; how much errors of each kind
    cost; how many documents one point of difference needs, from two or more RESPONSE files or made-up ones.
    """
    corpus, corpora = shared.read_sides(key, responses)
    named = dict(zip(name_files(responses), corpora, strict=True))
    result = corefeval.advise(corpus, named, measures=measures, seed=seed)
    check_strict(result.notices, strict=strict)
    shared.print_result(result)
