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
    same_mentions: bool = True


_PB, _BLANC, _LEA = "Popescu-Belis", "Recasens & Hovy 2011", "Moosavi & Strube 2016"


def _list_claims(where: str, mark: str, claims: str, *, same_mentions: bool = True) -> list[PaperVerdict]:
    """Return verdicts of one place in a paper, given as "measure measure: criterion criterion"."""
    measures, _, criteria = claims.partition(" - ")
    names = [(measure, criterion) for measure in measures.split() for criterion in criteria.split()]
    return [PaperVerdict(*each, mark, where, same_mentions) for each in names]


CLAIMS = (
    *_list_claims(f"{_PB} 3.2, PROP.3", "✓", "muc - upper-limit low-scores"),
    *_list_claims(f"{_PB} 3.2, PROP.4", "✗", "muc - reciprocal-lower-limit"),
    *_list_claims(f"{_PB} 3.3 ('between -1 and 1')", "✗", "kappa - range"),
    *_list_claims(f"{_PB} 3.4", "✓", "bcub - upper-limit"),
    *_list_claims(f"{_PB} 3.4, PROP.6", "✗", "bcub - low-scores reciprocal-lower-limit"),
    *_list_claims(f"{_PB} 3.5", "✓", "core - upper-limit low-scores"),
    *_list_claims(f"{_PB} 3.5, PROP.7", "✗", "core - reciprocal-lower-limit"),
    *_list_claims(f"{_PB} 3.5.4", "✓", "exclusive_core - upper-limit"),
    *_list_claims(
        f"{_PB} 3.6, PROP.10-12", "✓",
        "entropy - upper-limit direct-lower-limit reciprocal-lower-limit low-scores",
    ),
    *_list_claims(f"{_PB} 3.7", "✗", "dmt distributional_error - upper-limit"),
    *_list_claims(f"{_PB} 3.7", "✓", "dmt - direct-lower-limit"),
    *_list_claims("Luo 2005, 3.2.2", "✓", "ceafm ceafe - symmetry", same_mentions=False),
    *_list_claims(
        f"{_BLANC}, 6 ('fulfills the five desiderata')", "✓", "blanc - range monotonicity precision-over-recall",
    ),
    *_list_claims(f"{_BLANC}, abstract", "✗", "muc - singletons", same_mentions=False),
    *_list_claims(
        f"Amigó et al. 2009 in {_BLANC}, 3.2", "✓",
        "bcub - homogeneity completeness rag-bag size-against-quantity",
    ),
    *_list_claims(f"Amigó et al. 2009 in {_BLANC}, 3.2", "✓", "rand - homogeneity completeness"),
    *_list_claims(f"Amigó et al. 2009 in {_BLANC}, 3.2", "✗", "rand - rag-bag size-against-quantity"),
    *_list_claims(f"{_LEA}, 7.1", "✓", "muc lea - no-right-link", same_mentions=False),
    *_list_claims(f"{_LEA}, 7.1", "✗", "bcub ceafm ceafe blanc - no-right-link", same_mentions=False),
    *_list_claims(f"{_LEA}, 2", "✓", "muc - identification-effect", same_mentions=False),
    *_list_claims(f"{_LEA}, 4", "✓", "lea - identification-effect", same_mentions=False),
    *_list_claims(f"{_LEA}, 2", "✗", "bcub ceafe blanc - identification-effect", same_mentions=False),
    *_list_claims(f"{_LEA}, 4", "✓", "lea - larger-entity", same_mentions=False),
    *_list_claims(f"{_LEA}, 7.2", "✗", "ceafe - larger-entity", same_mentions=False),
)  # fmt: skip
