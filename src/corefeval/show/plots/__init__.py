"""Figures for papers: functions that take and return a Matplotlib `ax`, one file for each kind.

>>> import corefeval
>>> ax = corefeval.plots.recall_precision({"a": evaluation}, measure="muc")         # doctest: +SKIP
>>> corefeval.plots.save(ax, "figure.pdf")                                          # doctest: +SKIP

Without an `ax` they make a figure of their own. Matplotlib is an extra: pip install "corefeval[plots]".
"""

from corefeval.show.plots.agreeing import agreement
from corefeval.show.plots.bins import by_distance, by_size
from corefeval.show.plots.differing import by_document, differences
from corefeval.show.plots.drawing import save
from corefeval.show.plots.kinds import errors
from corefeval.show.plots.ranges import intervals
from corefeval.show.plots.rates import recall_precision

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
