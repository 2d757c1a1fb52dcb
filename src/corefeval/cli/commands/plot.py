"""The command `corefeval plot`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import corefeval
from corefeval.cli.files import shorten_names
from corefeval.cli.options import Word, decision_options, file_options, measure_option, resamples_option, seed_option
from corefeval.cli.output import print_notices
from corefeval.cli.progress import show_progress
from corefeval.errors import OptionError

if TYPE_CHECKING:
    from corefeval.cli.files import FileOptions

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
_BY_ONE_MEASURE = ("recall-precision", "intervals", "by-document")


@click.command(
    name="plot",
    short_help="Draw scores and errors.",
    epilog="Kinds: " + "; ".join(f"{kind}: {what}" for kind, what in KINDS.items()) + ".",
)
@click.argument("kind", metavar="KIND", type=Word(list(KINDS)))
@click.argument("key", metavar="KEY")
@click.argument("responses", metavar="RESPONSE...", nargs=-1, required=True)
@click.option("-o", "--output", required=True, metavar="FILE.svg|pdf|png", help="The figure.")
@measure_option
@resamples_option
@seed_option
@decision_options
@file_options
def command(
    kind: str,
    key: str,
    responses: tuple[str, ...],
    output: str,
    measures: tuple[str, ...],
    resamples: int,
    seed: int,
    files: FileOptions,
    **given: Any,
) -> int:
    """Draw a figure of one or more RESPONSE files, fit for print and for colour-blind readers."""
    if kind in _BY_ONE_MEASURE and len(measures) > 1:
        raise OptionError(f"{kind} shows one measure; {len(measures)} are given")
    names = _remove_endings(shorten_names(responses))
    key_corpus, corpora = files.read_sides(key, responses)
    with show_progress(quiet=files.quiet) as progress:
        figure = corefeval.plot(
            kind, key_corpus, dict(zip(names, corpora, strict=True)), output, measures=measures or None,
            resamples=resamples, seed=seed, progress=progress, **given,
        )  # fmt: skip
    print_notices(figure.notices, files)
    return 0


def _remove_endings(names: list[str]) -> list[str]:
    """Return file names up to their first dot, if these still differ."""
    bare = [name.partition(".")[0] or name for name in names]
    return bare if len(set(bare)) == len(bare) else names
