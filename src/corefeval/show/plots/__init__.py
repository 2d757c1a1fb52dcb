"""Figures for papers: functions that take and return the axes of Matplotlib.

>>> import corefeval
>>> ax = corefeval.plots.recall_precision({"a": evaluation}, measure="muc")         # doctest: +SKIP
>>> corefeval.plots.save(ax, "figure.pdf")                                          # doctest: +SKIP

Without an `ax` they make a figure of their own. Matplotlib is an extra: pip install "corefeval[plots]".
"""

from corefeval.show.plots.drawing import save
from corefeval.show.plots.figures import (
    agreement,
    by_distance,
    by_document,
    by_size,
    differences,
    errors,
    intervals,
    recall_precision,
)

__all__ = [
    "agreement",
    "by_distance",
    "by_document",
    "by_size",
    "differences",
    "errors",
    "intervals",
    "recall_precision",
    "save",
]
