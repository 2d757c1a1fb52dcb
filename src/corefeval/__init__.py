"""corefeval: every coreference measure, exact and fast.

>>> import corefeval
>>> e = corefeval.score([["a", "b"], ["c"]], [["a", "b", "c"]])
>>> e["muc"].recall
1.0
"""

TYPE_CHECKING = False  # that of `typing`, which a command would load before it can be interrupted

__version__ = "0.1.0"

__all__ = [
    "Agreement",
    "Alignment",
    "Analysis",
    "Audit",
    "Comparison",
    "CorefevalError",
    "CorefevalWarning",
    "Corpus",
    "Derivation",
    "Diff",
    "EntityDiff",
    "Estimation",
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
    "Sweep",
    "TableEvaluation",
    "Validation",
    "__version__",
    "adapters",
    "advise",
    "agree",
    "align",
    "analyse",
    "audit",
    "baseline",
    "compare",
    "convert",
    "diff",
    "diff_entities",
    "estimate",
    "explain",
    "formats",
    "join_windows",
    "lab",
    "measures",
    "pages",
    "plot",
    "plots",
    "prompt",
    "read",
    "relative",
    "report",
    "score",
    "score_levels",
    "score_table",
    "stats",
    "sweep",
    "validate",
    "why",
    "write",
]

_NAMES = {
    "agreement.agreement": ("agree",),
    "agreement.results": ("Agreement",),
    "analysis.align": ("Alignment", "align"),
    "analysis.analyse": ("Analysis", "analyse"),
    "analysis.audit": ("Audit", "audit"),
    "analysis.diff": ("Diff", "diff"),
    "analysis.entity_diff": ("EntityDiff", "diff_entities"),
    "analysis.explain": ("Derivation", "explain"),
    "analysis.why": ("Explanation", "why"),
    "baselines.relative": ("Relative", "relative"),
    "baselines.responses": ("baseline",),
    "comparison.comparison": ("Runs", "compare"),
    "comparison.results": ("Comparison",),
    "corpus.corpus": ("Corpus",),
    "engines.table": ("TableEvaluation", "score_table"),
    "errors": ("CorefevalError", "InputError", "MissingFileError", "OptionError", "OutputError", "StrictError"),
    "formats": ("convert", "read", "write"),
    "formats.inline.prompting": ("prompt",),
    "formats.inline.windows": ("join_windows",),
    "inspection.stats": ("Stats", "stats"),
    "inspection.validation": ("Validation", "validate"),
    "lab.registry": ("advise",),
    "linkage.results": ("Sweep",),
    "linkage.sweep": ("sweep",),
    "measures": ("Measure",),
    "measures.score": ("Score",),
    "notices": ("CorefevalWarning", "Notice"),
    "sampling.estimation": ("estimate",),
    "sampling.results": ("Estimation",),
    "scoring.levels": ("score_levels",),
    "scoring.results": ("Evaluation",),
    "scoring.score": ("score",),
    "scoring.scorer": ("Scorer",),
    "scoring.signature": ("Signature",),
    "show.writing": ("plot", "report"),
}
"""The public names of each module."""

_HOMES = {name: module for module, names in _NAMES.items() for name in names}
_FOLDERS = {name: name for name in ("adapters", "formats", "lab", "measures")} | {
    name: f"show.{name}" for name in ("pages", "plots")
}

if TYPE_CHECKING:
    from corefeval import adapters, formats, lab, measures
    from corefeval.agreement.agreement import agree
    from corefeval.agreement.results import Agreement
    from corefeval.analysis.align import Alignment, align
    from corefeval.analysis.analyse import Analysis, analyse
    from corefeval.analysis.audit import Audit, audit
    from corefeval.analysis.diff import Diff, diff
    from corefeval.analysis.entity_diff import EntityDiff, diff_entities
    from corefeval.analysis.explain import Derivation, explain
    from corefeval.analysis.why import Explanation, why
    from corefeval.baselines.relative import Relative, relative
    from corefeval.baselines.responses import baseline
    from corefeval.comparison.comparison import Runs, compare
    from corefeval.comparison.results import Comparison
    from corefeval.corpus.corpus import Corpus
    from corefeval.engines.table import TableEvaluation, score_table
    from corefeval.errors import CorefevalError, InputError, MissingFileError, OptionError, OutputError, StrictError
    from corefeval.formats import convert, read, write
    from corefeval.formats.inline.prompting import prompt
    from corefeval.formats.inline.windows import join_windows
    from corefeval.inspection.stats import Stats, stats
    from corefeval.inspection.validation import Validation, validate
    from corefeval.lab.registry import advise
    from corefeval.linkage.results import Sweep
    from corefeval.linkage.sweep import sweep
    from corefeval.measures import Measure
    from corefeval.measures.score import Score
    from corefeval.notices import CorefevalWarning, Notice
    from corefeval.sampling.estimation import estimate
    from corefeval.sampling.results import Estimation
    from corefeval.scoring.levels import score_levels
    from corefeval.scoring.results import Evaluation
    from corefeval.scoring.score import score
    from corefeval.scoring.scorer import Scorer
    from corefeval.scoring.signature import Signature
    from corefeval.show import pages, plots
    from corefeval.show.writing import plot, report
else:

    def __getattr__(name):
        import importlib  # noqa: PLC0415 - see TYPE_CHECKING

        if name in _FOLDERS:
            return importlib.import_module(f"corefeval.{_FOLDERS[name]}")
        if name not in _HOMES:
            raise AttributeError(f"module 'corefeval' has no attribute {name!r}")
        value = globals()[name] = getattr(importlib.import_module(f"corefeval.{_HOMES[name]}"), name)
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
