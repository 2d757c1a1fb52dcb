"""The command `corefeval plot`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import corefeval
from corefeval.cli.files import shorten_names
from corefeval.cli.options import Word, decision_options, file_options, measure_option, resamples_option, seed_option
from corefeval.cli.output import collect_notices, print_notices
from corefeval.cli.progress import show_progress
from corefeval.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable

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
_JUDGED = ("intervals", "differences", "by-document", "agreement")
_ANALYSED = ("errors", "by-size", "by-distance")
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
    evaluations = {
        name: corefeval.score(key_corpus, response, measures=measures or None, **given)
        for name, response in zip(names, corpora, strict=True)
    }
    draw: Callable[..., Any] = getattr(corefeval.plots, kind.replace("-", "_"))
    chosen = {"measure": measures[0]} if kind in _BY_ONE_MEASURE and measures else {}
    if kind in _JUDGED:
        from corefeval.comparison.comparison import compare_evaluations  # noqa: PLC0415
        from corefeval.comparison.results import Settings  # noqa: PLC0415

        settings = Settings(resamples=resamples, seed=seed)
        each = next(iter(evaluations.values()))
        with show_progress(quiet=files.quiet) as progress:
            runs = {name: (own,) for name, own in evaluations.items()}
            compared = compare_evaluations(runs, each.measures, settings, progress)
        ax = draw(compared, **chosen)
    else:
        ax = draw(evaluations, **chosen)
    corefeval.plots.save(ax, output)
    notices = collect_notices(each.notices for each in evaluations.values())
    if kind in _ANALYSED:
        from corefeval.analysis.subject import subject  # noqa: PLC0415

        notices = collect_notices([notices, *(subject(each).notices for each in evaluations.values())])
    print_notices(notices, files)
    return 0


def _remove_endings(names: list[str]) -> list[str]:
    """Return file names up to their first dot, if these still differ."""
    bare = [name.partition(".")[0] or name for name in names]
    return bare if len(set(bare)) == len(bare) else names
