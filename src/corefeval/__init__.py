"""corefeval: every coreference measure, exact and fast.

>>> import corefeval
>>> e = corefeval.score([["a", "b"], ["c"]], [["a", "b", "c"]])
>>> e["muc"].recall
1.0
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

__version__ = "0.1.0"

__all__ = [
    "Agreement",
    "Analysis",
    "Comparison",
    "CorefevalError",
    "Corpus",
    "Derivation",
    "Diff",
    "Evaluation",
    "Explanation",
    "InputError",
    "Measure",
    "MissingFileError",
    "Notice",
    "OptionError",
    "OutputError",
    "Relative",
    "Runs",
    "Score",
    "Scorer",
    "Signature",
    "Stats",
    "StrictError",
    "Validation",
    "__version__",
    "adapters",
    "agree",
    "analyse",
    "baseline",
    "compare",
    "convert",
    "diff",
    "explain",
    "formats",
    "measures",
    "pages",
    "plot",
    "plots",
    "read",
    "relative",
    "report",
    "score",
    "stats",
    "validate",
    "why",
    "write",
]

_HOMES = {
    "Agreement": "agreement.results",
    "Analysis": "analysis.analyse",
    "Comparison": "comparison.results",
    "CorefevalError": "errors",
    "Corpus": "corpus.corpus",
    "Derivation": "analysis.steps.explain",
    "Diff": "analysis.diff",
    "Evaluation": "scoring.results",
    "Explanation": "analysis.why",
    "InputError": "errors",
    "Measure": "measures",
    "MissingFileError": "errors",
    "Notice": "notices",
    "OptionError": "errors",
    "OutputError": "errors",
    "Relative": "baselines.relative",
    "Runs": "comparison.comparison",
    "Score": "measures.score",
    "Scorer": "scoring.scorer",
    "Signature": "scoring.signature",
    "Stats": "inspection.stats",
    "StrictError": "errors",
    "Validation": "inspection.validation",
    "agree": "agreement.agreement",
    "analyse": "analysis.analyse",
    "baseline": "baselines.responses",
    "compare": "comparison.comparison",
    "convert": "formats",
    "diff": "analysis.diff",
    "explain": "analysis.steps.explain",
    "plot": "show.writing",
    "read": "formats",
    "relative": "baselines.relative",
    "report": "show.writing",
    "score": "scoring.score",
    "stats": "inspection.stats",
    "validate": "inspection.validation",
    "why": "analysis.why",
    "write": "formats",
}

_FOLDERS = {
    "adapters": "adapters",
    "formats": "formats",
    "measures": "measures",
    "pages": "show.pages",
    "plots": "show.plots",
}

if TYPE_CHECKING:
    from corefeval import adapters, formats, measures
    from corefeval.agreement.agreement import agree
    from corefeval.agreement.results import Agreement
    from corefeval.analysis.analyse import Analysis, analyse
    from corefeval.analysis.diff import Diff, diff
    from corefeval.analysis.steps.explain import Derivation, explain
    from corefeval.analysis.why import Explanation, why
    from corefeval.baselines.relative import Relative, relative
    from corefeval.baselines.responses import baseline
    from corefeval.comparison.comparison import Runs, compare
    from corefeval.comparison.results import Comparison
    from corefeval.corpus.corpus import Corpus
    from corefeval.errors import CorefevalError, InputError, MissingFileError, OptionError, OutputError, StrictError
    from corefeval.formats import convert, read, write
    from corefeval.inspection.stats import Stats, stats
    from corefeval.inspection.validation import Validation, validate
    from corefeval.measures import Measure
    from corefeval.measures.score import Score
    from corefeval.notices import Notice
    from corefeval.scoring.results import Evaluation
    from corefeval.scoring.score import score
    from corefeval.scoring.scorer import Scorer
    from corefeval.scoring.signature import Signature
    from corefeval.show import pages, plots
    from corefeval.show.writing import plot, report
else:

    def __getattr__(name):
        if name in _FOLDERS:
            return importlib.import_module(f"corefeval.{_FOLDERS[name]}")
        if name not in _HOMES:
            raise AttributeError(f"module 'corefeval' has no attribute {name!r}")
        value = getattr(importlib.import_module(f"corefeval.{_HOMES[name]}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
