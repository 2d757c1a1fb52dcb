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
    "StrictError",
    "__version__",
    "adapters",
    "agree",
    "analyse",
    "baseline",
    "compare",
    "diff",
    "explain",
    "formats",
    "measures",
    "pages",
    "plots",
    "read",
    "relative",
    "score",
    "why",
    "write",
]

_HOMES = {
    "Agreement": "agreement.results",
    "Analysis": "analysis.analyse",
    "Comparison": "comparison.results",
    "Corpus": "corpus.corpus",
    "CorefevalError": "errors",
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
    "Score": "scoring.results",
    "Scorer": "scoring.scorer",
    "Signature": "scoring.signature",
    "StrictError": "errors",
    "agree": "agreement.agreement",
    "analyse": "analysis.analyse",
    "baseline": "baselines.responses",
    "compare": "comparison.comparison",
    "diff": "analysis.diff",
    "explain": "analysis.steps.explain",
    "read": "formats",
    "relative": "baselines.relative",
    "score": "scoring.score",
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
    from corefeval.analysis.diff import diff
    from corefeval.analysis.steps.explain import explain
    from corefeval.analysis.why import Explanation, why
    from corefeval.baselines.relative import Relative, relative
    from corefeval.baselines.responses import baseline
    from corefeval.comparison.comparison import Runs, compare
    from corefeval.comparison.results import Comparison
    from corefeval.corpus.corpus import Corpus
    from corefeval.errors import CorefevalError, InputError, MissingFileError, OptionError, OutputError, StrictError
    from corefeval.formats import read, write
    from corefeval.measures import Measure
    from corefeval.notices import Notice
    from corefeval.scoring.results import Evaluation, Score
    from corefeval.scoring.score import score
    from corefeval.scoring.scorer import Scorer
    from corefeval.scoring.signature import Signature
    from corefeval.show import pages, plots
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
