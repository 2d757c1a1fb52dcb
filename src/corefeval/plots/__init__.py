"""Figures for papers: functions that take and return a Matplotlib `ax`, one file for each kind.

>>> import corefeval.plots                                                          # doctest: +SKIP
>>> ax = corefeval.plots.recall_precision({"a": evaluation}, measure="muc")         # doctest: +SKIP
>>> corefeval.plots.save(ax, "figure.pdf")                                          # doctest: +SKIP

Without an `ax` they make a figure of their own. Matplotlib is an extra: pip install "corefeval[plots]".
"""

from corefeval.plots.agreeing import agreement
from corefeval.plots.bins import by_distance, by_size
from corefeval.plots.differing import by_document, differences
from corefeval.plots.drawing import save
from corefeval.plots.kinds import errors
from corefeval.plots.ranges import intervals
from corefeval.plots.rates import recall_precision

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
