"""The command of record linkage: `corefeval sweep`."""

from __future__ import annotations

import click

import corefeval
from corefeval.cli.files import check_standard_input
from corefeval.cli.options import shared_options
from corefeval.cli.output import echo_error
from corefeval.cli.shared import SharedOptions
from corefeval.errors import InputError, MissingFileError


def _split_thresholds(_context: click.Context, _option: click.Parameter, given: str | None) -> list[float] | None:
    """Return the numbers between commas; a UsageError if one is none."""
    if given is None:
        return None
    try:
        return [float(text) for text in given.split(",")]
    except ValueError:
        raise click.BadParameter(f"{given!r}: expected numbers between commas, such as 0.5,0.7") from None


@click.command()
@click.argument("edges", metavar="EDGES")
@click.argument("truth", metavar="TRUTH")
@click.option("--at", metavar="NUMBERS", callback=_split_thresholds, help="Thresholds to show, such as 0.5,0.7,0.9.")
@click.option("--records", metavar="FILE", help="A table of all records; by default TRUTH's are taken to be there.")
@click.option(
    "--resamples", type=click.IntRange(0, 1_000_000), default=1000, help="Draws for intervals; 0 for no intervals."
)
@click.option("--confidence", type=float, default=0.95)
@click.option("--plot", metavar="FILE", help="Also draw the curves: .svg, .png or .pdf (needs matplotlib).")
@shared_options("seed", "measures", "digits", "output", "sides", "strict")
def sweep(
    edges: str,
    truth: str,
    at: list[float] | None,
    records: str | None,
    resamples: int,
    confidence: float,
    seed: int,
    measures: tuple[str, ...] | None,
    strict: bool,
    plot: str | None,
    shared: SharedOptions,
) -> None:
    """Score the links of EDGES, pairs of records with scores, against TRUTH at every threshold in one pass.

    EDGES has columns such as unique_id_l, unique_id_r and match_probability; or it is a table with a clustering for
    each of several thresholds, such as unique_id, cluster_p_0_5, cluster_p_0_9. TRUTH, the key, is a table of records
    and their entities, or of pairs that are labelled.

    Shown are some thresholds and the best ones; JSON and CSV have all. Measures that are not sums over entities
    (ceafm, ceafe, conll) are computed for the thresholds that are shown.
    """
    check_standard_input([edges, truth, records])
    from corefeval.linkage.inputs import read_edges  # noqa: PLC0415 - it loads NumPy

    problem = None
    try:
        pairs = read_edges(edges, shared.format_of_responses)
    except (InputError, MissingFileError) as error:
        echo_error(str(error))
        problem = error
    (key, _) = shared.read_sides(truth, [])
    if problem is not None:
        raise click.exceptions.Exit(problem.exit_code)
    result = corefeval.sweep(
        pairs, key, measures=measures, at=at, records=records, resamples=resamples, confidence=confidence, seed=seed,
        strict=strict,
    )  # fmt: skip
    if plot is not None:
        from corefeval.show import plots  # noqa: PLC0415 - matplotlib is an extra

        plots.save(plots.thresholds(result), plot)
    shared.print_result(result, digits=shared.digits)
