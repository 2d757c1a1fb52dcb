"""The criteria that papers have for measures: in words, where from, and how cases of each are found."""

from __future__ import annotations

from corefeval._lazy import NamedTuple
from corefeval.errors import OptionError, suggest_names
from corefeval.lab.criteria import cases
from corefeval.lab.criteria.cases import Search, search_pairs


class Criterion(NamedTuple):
    """A criterion. field: which score it is of, where a measure has it; the main one otherwise.

    combine: what the scores of a group of responses are combined to, "mean" or "least", where cases are of groups.
    """

    name: str
    source: str
    search: Search
    words: str
    field: str = ""
    combine: str = "mean"


_AMIGO = "Amigó et al. 2009, as Recasens & Hovy 2011, section 3.2, have it"
_PB = "Popescu-Belis, section 2.2, criterion"
_BLANC = "Recasens & Hovy 2011, section 3.2, desideratum"
_LEA = "Moosavi & Strube 2016, section"
_GOESGENS = "Gösgens et al. 2021"

CRITERIA = (
    Criterion(
        "upper-limit", f"{_PB} 1", search_pairs(cases.find_upper_limit),
        "The key as response gets the best score, and no other response does.",
    ),
    Criterion(
        "direct-lower-limit", f"{_PB} 3", search_pairs(cases.find_direct_lower_limit),
        "A response scores 0 only if it is among the worst: it has no right link, or it makes one entity of all "
        "mentions or one of each (the paper leaves the worst to the evaluator; this is our choice).",
    ),
    Criterion(
        "reciprocal-lower-limit", f"{_PB} 4", search_pairs(cases.find_reciprocal_lower_limit),
        "'No processing' scores 0: all mentions in one entity, or each in one of its own, where the key has a link "
        "and is not that.",
    ),
    Criterion(
        "low-scores", f"{_PB} 5", cases.search_low_scores,
        "For every key with a link, one of the responses with its mentions scores 0 or less.", combine="least",
    ),
    Criterion("range", f"{_BLANC} 1", search_pairs(cases.find_range), "Scores are between 0 and 1."),
    Criterion(
        "precision-over-recall", f"{_BLANC} 3", search_pairs(cases.find_precision_over_recall),
        "Coming from a perfect response, wrong links made by joining two entities cost more than as many links missed "
        "by dividing one.",
    ),
    Criterion(
        "singletons", f"{_BLANC} 3, second item", search_pairs(cases.find_singletons),
        "To find one more singleton of the key is better.",
    ),
    Criterion(
        "homogeneity", _AMIGO, search_pairs(cases.find_homogeneity),
        "To divide a response entity where that divides no key entity is better.",
    ),
    Criterion(
        "completeness", _AMIGO, search_pairs(cases.find_completeness),
        "To join two response entities that are parts of one key entity is better.",
    ),
    Criterion(
        "rag-bag", _AMIGO, search_pairs(cases.find_rag_bag),
        "A stray mention is better put with n other strays than into a clean entity of n mentions (strays are "
        "singletons of the key; n is 2 or more).",
    ),
    Criterion(
        "size-against-quantity", _AMIGO, search_pairs(cases.find_size_against_quantity),
        "One mention cut off from an entity of n + 1 is better than n entities of two mentions cut in halves (n is 2 "
        "or more, so there are seven mentions at least).",
    ),
    Criterion(
        "monotonicity", f"{_BLANC} 2; {_GOESGENS}", search_pairs(cases.find_monotonicity),
        "A response that is obviously better scores more: homogeneity and completeness together, for every consistent "
        "improvement is made of such steps.",
    ),
    Criterion(
        "symmetry", f"Luo 2005, section 3.2.2; {_GOESGENS}", search_pairs(cases.find_symmetry),
        "Key and response can change places.",
    ),
    Criterion(
        "nothing-common", "Luo 2005, section 2", search_pairs(cases.find_nothing_common),
        "A response without any mention of the key scores 0.",
    ),
    Criterion(
        "no-right-link", f"{_LEA}s 1 and 7.1", search_pairs(cases.find_no_right_link),
        "A response without a right link, and without a right singleton, scores 0.",
    ),
    Criterion(
        "identification-effect", f"{_LEA} 2", search_pairs(cases.find_identification_effect),
        "To put one more mention of a key entity of two or more where it has no right link does not raise recall (of "
        "measures without recall, the score).", field="recall",
    ),
    Criterion(
        "larger-entity", f"{_LEA} 7.2; Recasens & Hovy 2011, section 3.2", search_pairs(cases.find_larger_entity),
        "To miss a larger entity is worse than to miss a smaller one, in a response that is perfect otherwise: both "
        "left out, or both cut into singletons; both have two mentions or more.",
    ),
    Criterion(
        "constant-baseline", _GOESGENS, cases.search_chance,
        "The mean score of all responses with entities of given sizes does not depend on these sizes, nor on the key's "
        "(with the same number of mentions; not one entity, nor all singletons).",
    ),
    Criterion(
        "distance", _GOESGENS, cases.search_triangles,
        "What a score lacks to the best one obeys the triangle inequality.",
    ),
)  # fmt: skip
"""All criteria, in the order in which they are shown."""

CRITERIA_BY_NAME = {criterion.name: criterion for criterion in CRITERIA}


def find_criterion(name: str) -> Criterion:
    """Return the criterion of this name; an OptionError, with the names most like it, if there is none."""
    if name not in CRITERIA_BY_NAME:
        raise OptionError(f"there is no criterion {name!r}; {suggest_names(name, list(CRITERIA_BY_NAME))}")
    return CRITERIA_BY_NAME[name]
