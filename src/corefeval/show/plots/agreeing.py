"""How far measures agree: Kendall's τ between the orders into which they put systems, or documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefeval.errors import OptionError
from corefeval.show.pages.overview import by_document
from corefeval.show.plots.drawing import axes, legible

if TYPE_CHECKING:
    from corefeval._arrays import Floats
    from corefeval.comparison.results import Comparison
    from corefeval.measures import Measure
    from corefeval.show.plots.drawing import Ax

_FEW = 3


@legible
def agreement(comparison: Comparison, *, ax: Ax | None = None) -> Ax:
    """A square for each two measures: on three systems or more, else on the documents of all systems."""
    measures = comparison.measures
    if len(measures) < 2:
        raise OptionError("agreement needs two measures or more")
    on_systems = len(comparison.systems) >= _FEW
    scores = [_of_systems(comparison, each) if on_systems else _of_documents(comparison, each) for each in measures]
    orders = [_order(each) for each in scores]
    tau = np.array([[_tau(one, other) for other in orders] for one in orders])
    size = 1.3 + 0.36 * len(measures)
    ax = axes(ax, width=size + 0.05 * max(len(str(measure)) for measure in measures), height=size)
    ax.imshow(np.ma.masked_invalid(tau), cmap="Blues", vmin=-1, vmax=1)
    for row, column in np.ndindex(*tau.shape):
        if not np.isnan(tau[row, column]):
            dark = tau[row, column] > 0.3
            ax.annotate(f"{tau[row, column]:.2f}", (column, row), ha="center", va="center", fontsize=6.5,
                        color="white" if dark else "black")  # fmt: skip
    titles = [str(measure) for measure in measures]
    ax.set_xticks(range(len(titles)), titles, rotation=45, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(len(titles)), titles)
    ax.tick_params(length=0)
    for side in ax.spines.values():
        side.set_visible(False)
    what = f"{len(comparison.systems)} systems" if on_systems else f"{len(scores[0])} documents"
    ax.set_title(f"Kendall's τ on {what}")
    return ax


def _of_systems(comparison: Comparison, measure: Measure) -> Floats:
    return _sign(measure) * np.array([system.measures[str(measure)].score for system in comparison.systems])


def _of_documents(comparison: Comparison, measure: Measure) -> Floats:
    scores = [by_document(system.runs[0], measure)[0] for system in comparison.systems]
    return _sign(measure) * np.concatenate(scores)


def _sign(measure: Measure) -> int:
    return 1 if measure.more_is_better else -1


def _order(scores: Floats) -> Floats:
    """Who is above whom: 1, -1 or, where they are alike, 0, for each two."""
    return np.sign(scores[:, np.newaxis] - scores).reshape(-1)


def _tau(one: Floats, other: Floats) -> float:
    """τ-b of two orders; nan where one of them tells nobody apart."""
    scale = float(np.sqrt((one @ one) * (other @ other)))
    return float(one @ other) / scale if scale else np.nan
