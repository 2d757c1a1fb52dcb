"""Pages and figures from a key and responses: report() and plot()."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from corefeval.analysis.subsets import prepare_subject
from corefeval.comparison.comparison import compare_evaluations
from corefeval.comparison.results import Settings
from corefeval.errors import OptionError, check_choice
from corefeval.measures.registry import select_measures
from corefeval.notices import Notice, Progress, announce_notices, join_notices
from corefeval.options import ScoringOptions
from corefeval.scoring.results import Evaluation
from corefeval.scoring.score import Measures, Source, read, score
from corefeval.show import pages, plots
from corefeval.show.drawing import with_serif
from corefeval.show.pages.writing import LIMIT

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_OF_COMPARISONS: dict[str, Callable[..., Axes]] = {
    "intervals": plots.intervals,
    "differences": plots.differences,
    "by-document": plots.by_document,
    "agreement": plots.agreement,
}
_OF_EVALUATIONS: dict[str, Callable[..., Axes]] = {
    "recall-precision": plots.recall_precision,
    "errors": plots.errors,
    "by-size": plots.by_size,
    "by-distance": plots.by_distance,
}
_OF_ERRORS = ("errors", "by-size", "by-distance")
_OF_ONE_MEASURE = ("recall-precision", "intervals", "by-document")


@dataclass(frozen=True, slots=True)
class WrittenFigure:
    """A figure: its file, and what a user should know."""

    path: Path
    notices: tuple[Notice, ...]


@announce_notices
def report(
    key: Source,
    responses: Mapping[str, Source],
    path: str | PathLike[str],
    *,
    measures: Measures | None = None,
    title: str | None = None,
    resamples: int = 10_000,
    seed: int = 0,
    limit: int = LIMIT,
    progress: Progress | None = None,
    **options: Unpack[ScoringOptions],
) -> pages.WrittenPage:
    """Score responses, given by name, write a page with scores and errors in the text, and return a WrittenPage.

    path: a name that ends in .html is one file, which holds `limit` bytes of text; any other name is a folder.
    measures, options: as in `score`. resamples, seed: of intervals and tests, as in `compare`.
    """
    evaluations = _score_responses(key, responses, measures, options)
    return pages.write(
        evaluations, Path(path), title=title, resamples=resamples, seed=seed, limit=limit, progress=progress
    )


@announce_notices
def plot(
    kind: str,
    key: Source,
    responses: Mapping[str, Source],
    path: str | PathLike[str],
    *,
    measures: Measures | None = None,
    resamples: int = 10_000,
    seed: int = 0,
    serif: bool = False,
    progress: Progress | None = None,
    **options: Unpack[ScoringOptions],
) -> WrittenFigure:
    """Score responses, given by name, draw the figure of a `kind` into a .svg, .pdf or .png, return a WrittenFigure.

    kind: "recall-precision", "intervals", "differences", "by-document", "errors", "by-size", "by-distance" or
        "agreement"; the first two and "by-document" show one measure.
    measures, options: as in `score`. resamples, seed: as in `compare`. serif: whether its type has serifs.
    """
    check_choice("kind", kind, (*_OF_EVALUATIONS, *_OF_COMPARISONS))
    one = kind in _OF_ONE_MEASURE and measures is not None
    if one and len(select_measures(measures)) > 1:
        raise OptionError(f"{kind} shows one measure; {len(select_measures(measures))} are given")
    evaluations = _score_responses(key, responses, measures, options)
    scored = next(iter(evaluations.values())).measures
    chosen = {"measure": str(scored[0])} if one else {}
    notices = [each.notices for each in evaluations.values()]
    with with_serif(serif=serif):
        if kind in _OF_COMPARISONS:
            runs = {name: (each,) for name, each in evaluations.items()}
            comparison = compare_evaluations(runs, scored, Settings(resamples=resamples, seed=seed), progress)
            ax = _OF_COMPARISONS[kind](comparison, **chosen)
        else:
            ax = _OF_EVALUATIONS[kind](evaluations, **chosen)
        plots.save(ax, path)
    if kind in _OF_ERRORS:
        notices += [prepare_subject(each).notices for each in evaluations.values()]
    return WrittenFigure(Path(path), join_notices(notices))


def _score_responses(
    key: Source, responses: Mapping[str, Source], measures: Measures | None, options: ScoringOptions
) -> dict[str, Evaluation]:
    """Return {name: evaluation} of all responses to the key; raise an OptionError if there is no response."""
    if not responses:
        raise OptionError("there is no response")
    corpus = read(key, options.get("key_format") or options.get("format"), side="key")
    return {name: score(corpus, response, measures=measures, **options) for name, response in responses.items()}
