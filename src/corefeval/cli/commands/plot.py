"""The command `corefeval plot`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from corefeval.cli import shared, warnings
from corefeval.cli.choices import Word, decisions
from corefeval.cli.files import of_files, read_all, short_names
from corefeval.cli.progress import shown
from corefeval.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable

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
@shared.measures
@click.option("--resamples", type=click.IntRange(min=100), default=10_000, show_default=True)
@shared.seed
@decisions
@of_files
def command(
    kind: str,
    key: str,
    responses: tuple[str, ...],
    output: str,
    measures: tuple[str, ...],
    resamples: int,
    seed: int,
    format_: str | None,
    key_format: str | None,
    response_format: str | None,
    quiet: bool,
    verbose: bool,
    **given: Any,
) -> int:
    """Draw a figure of one or more RESPONSE files, fit for print and for colour-blind readers."""
    if kind in _BY_ONE_MEASURE and len(measures) > 1:
        raise OptionError(f"{kind} shows one measure; {len(measures)} are given")
    formats = key_format or format_, response_format or format_
    names = _bare(short_names(responses))
    corpora = read_all([(key, formats[0]), *((file, formats[1]) for file in responses)], verbose=verbose)
    from corefeval.scoring import score  # noqa: PLC0415 - --help loads no NumPy
    from corefeval.show import plots  # noqa: PLC0415 - --help loads no NumPy

    evaluations = {
        name: score.score(corpora[0], response, measures=measures or None, **given)
        for name, response in zip(names, corpora[1:], strict=True)
    }
    draw: Callable[..., Any] = getattr(plots, kind.replace("-", "_"))
    chosen = {"measure": measures[0]} if kind in _BY_ONE_MEASURE and measures else {}
    if kind in _JUDGED:
        from corefeval.comparison.compare import judged  # noqa: PLC0415
        from corefeval.comparison.results import Settings  # noqa: PLC0415

        settings = Settings("randomisation", resamples, seed, 0.95, "bca", "holm", None, None)
        each = next(iter(evaluations.values()))
        with shown(quiet=quiet) as progress:
            compared = judged({name: (own,) for name, own in evaluations.items()}, each.measures, settings, progress)
        ax = draw(compared, **chosen)
    else:
        ax = draw(evaluations, **chosen)
    plots.save(ax, output)
    if not quiet:
        seen = {notice.message: notice for each in evaluations.values() for notice in each.warnings}
        if kind in _ANALYSED:
            from corefeval.analysis.subject import subject  # noqa: PLC0415

            seen |= {notice.message: notice for each in evaluations.values() for notice in subject(each).notices}
        warnings.show(seen.values(), everything=verbose)
    return 0


def _bare(names: list[str]) -> list[str]:
    """File names without what comes behind the dot, where they are still different."""
    bare = [name.partition(".")[0] or name for name in names]
    return bare if len(set(bare)) == len(bare) else names
