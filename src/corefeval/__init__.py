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
    "measures",
    "read",
    "relative",
    "score",
    "why",
    "write",
]

_HOMES = {
    "Agreement": "statistics.agreement",
    "Analysis": "analysis.whole",
    "Comparison": "statistics.comparison",
    "Corpus": "corpus",
    "CorefevalError": "errors",
    "Evaluation": "results",
    "Explanation": "explaining",
    "InputError": "errors",
    "Measure": "measures",
    "MissingFileError": "errors",
    "Notice": "notices",
    "OptionError": "errors",
    "OutputError": "errors",
    "Relative": "chance",
    "Runs": "comparing",
    "Score": "results",
    "Scorer": "scorer",
    "Signature": "signature",
    "StrictError": "errors",
    "agree": "agreeing",
    "analyse": "analysis.whole",
    "baseline": "baselines",
    "compare": "comparing",
    "diff": "analysis.diffing",
    "explain": "analysis.explaining",
    "read": "formats",
    "relative": "chance",
    "score": "evaluate",
    "why": "explaining",
    "write": "formats",
}

if TYPE_CHECKING:
    from corefeval import adapters, measures
    from corefeval.agreeing import agree
    from corefeval.analysis.diffing import diff
    from corefeval.analysis.explaining import explain
    from corefeval.analysis.whole import Analysis, analyse
    from corefeval.baselines import baseline
    from corefeval.chance import Relative, relative
    from corefeval.comparing import Runs, compare
    from corefeval.corpus import Corpus
    from corefeval.errors import CorefevalError, InputError, MissingFileError, OptionError, OutputError, StrictError
    from corefeval.evaluate import score
    from corefeval.explaining import Explanation, why
    from corefeval.formats import read, write
    from corefeval.measures import Measure
    from corefeval.notices import Notice
    from corefeval.results import Evaluation, Score
    from corefeval.scorer import Scorer
    from corefeval.signature import Signature
    from corefeval.statistics.agreement import Agreement
    from corefeval.statistics.comparison import Comparison
else:

    def __getattr__(name):
        if name in ("adapters", "measures"):
            return importlib.import_module(f"corefeval.{name}")
        if name not in _HOMES:
            raise AttributeError(f"module 'corefeval' has no attribute {name!r}")
        value = getattr(importlib.import_module(f"corefeval.{_HOMES[name]}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
