"""The command `corefeval plot`."""

from __future__ import annotations

from typing import Any

import click

import corefeval
from corefeval.cli.files import shorten_names
from corefeval.cli.options import SharedOptions, Word, shared_options
from corefeval.cli.output import show_progress

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


@click.command("plot", epilog="Kinds: " + "; ".join(f"{kind}: {what}" for kind, what in KINDS.items()) + ".")
@click.argument("kind", metavar="KIND", type=Word(KINDS))
@click.argument("key", metavar="KEY")
@click.argument("responses", metavar="RESPONSE...", nargs=-1, required=True)
@click.option("-o", "--output", "path", required=True, metavar="FILE.svg|pdf|png", help="The figure.")
@shared_options("resamples", "seed", "measures", "decisions", "sides")
def command(kind: str, key: str, responses: tuple[str, ...], path: str, shared: SharedOptions, **given: Any) -> None:
    """Draw a figure of one or more RESPONSE files, fit for print and for colour-blind readers."""
    names = shorten_names(responses, stems=True)
    key_corpus, corpora = shared.read_sides(key, responses)
    systems = dict(zip(names, corpora, strict=True))
    with show_progress(quiet=shared.quiet) as progress:
        figure = corefeval.plot(kind, key_corpus, systems, path, progress=progress, **given)
    shared.print_notices(figure.notices)
