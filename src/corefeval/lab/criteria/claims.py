"""What papers say about measures and criteria: to be put beside what the search finds."""

from __future__ import annotations

from corefeval._lazy import NamedTuple


class PaperVerdict(NamedTuple):
    """That a paper says a criterion holds (✓) or fails (✗) for a measure, and where.

    same_mentions: whether the paper has key and response with the same mentions in mind.
    """

    measure: str
    criterion: str
    mark: str
    where: str
    same_mentions: bool


_PB, _BLANC, _LEA = "Popescu-Belis", "Recasens & Hovy 2011", "Moosavi & Strube 2016"
_AMIGO = f"Amigó et al. 2009 in {_BLANC}, 3.2"
_SAME_MENTIONS = (
    (f"{_PB} 3.2, PROP.3", "✓", "muc", "upper-limit low-scores"),
    (f"{_PB} 3.2, PROP.4", "✗", "muc", "reciprocal-lower-limit"),
    (f"{_PB} 3.3 ('between -1 and 1')", "✗", "kappa", "range"),
    (f"{_PB} 3.4", "✓", "bcub", "upper-limit"),
    (f"{_PB} 3.4, PROP.6", "✗", "bcub", "low-scores reciprocal-lower-limit"),
    (f"{_PB} 3.5", "✓", "core", "upper-limit low-scores"),
    (f"{_PB} 3.5, PROP.7", "✗", "core", "reciprocal-lower-limit"),
    (f"{_PB} 3.5.4", "✓", "exclusive_core", "upper-limit"),
    (f"{_PB} 3.6, PROP.10-12", "✓", "entropy", "upper-limit direct-lower-limit reciprocal-lower-limit low-scores"),
    (f"{_PB} 3.7", "✗", "dmt distributional_error", "upper-limit"),
    (f"{_PB} 3.7", "✓", "dmt", "direct-lower-limit"),
    (f"{_BLANC}, 6 ('fulfills the five desiderata')", "✓", "blanc", "range monotonicity precision-over-recall"),
    (_AMIGO, "✓", "bcub", "homogeneity completeness rag-bag size-against-quantity"),
    (_AMIGO, "✓", "rand", "homogeneity completeness"),
    (_AMIGO, "✗", "rand", "rag-bag size-against-quantity"),
)
_ANY_MENTIONS = (
    ("Luo 2005, 3.2.2", "✓", "ceafm ceafe", "symmetry"),
    (f"{_BLANC}, abstract", "✗", "muc", "singletons"),
    (f"{_LEA}, 7.1", "✓", "muc lea", "no-right-link"),
    (f"{_LEA}, 7.1", "✗", "bcub ceafm ceafe blanc", "no-right-link"),
    (f"{_LEA}, 2", "✓", "muc", "identification-effect"),
    (f"{_LEA}, 4", "✓", "lea", "identification-effect"),
    (f"{_LEA}, 2", "✗", "bcub ceafe blanc", "identification-effect"),
    (f"{_LEA}, 4", "✓", "lea", "larger-entity"),
    (f"{_LEA}, 7.2", "✗", "ceafe", "larger-entity"),
)
"""Where something is said, which mark, of which measures, about which criteria."""

CLAIMS = tuple(
    PaperVerdict(measure, criterion, mark, where, rows is _SAME_MENTIONS)
    for rows in (_SAME_MENTIONS, _ANY_MENTIONS)
    for where, mark, measures, criteria in rows
    for measure in measures.split()
    for criterion in criteria.split()
)
