"""The criteria that papers have for measures: in words, where from, and how cases of each are found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from corefeval._lazy import NamedTuple
from corefeval.errors import OptionError, suggest_names
from corefeval.lab.criteria import cases
from corefeval.lab.criteria.cases import Case, search_steps
from corefeval.lab.criteria.pairs import Pair


class Criterion(NamedTuple):
    """A criterion. field: which score it is of, where a measure has it; the main one otherwise.

    combine: what the scores of a group of responses are combined to, "mean" or "least", where cases are of groups.
    """

    name: str
    words: str
    source: str
    search: Callable[[Sequence[Pair]], Iterator[Case]]
    field: str = ""
    combine: str = "mean"


_AMIGO = "Amigó et al. 2009, as Recasens & Hovy 2011, section 3.2, have it"
_PB = "Popescu-Belis, section 2.2, criterion"
_BLANC = "Recasens & Hovy 2011, section 3.2, desideratum"
_GOESGENS = "Gösgens et al. 2021"

CRITERIA = (
    Criterion(
        "upper-limit", "The key as response gets the best score, and no other response does.",
        f"{_PB} 1", partial(search_steps, cases.find_upper_limit),
    ),
    Criterion(
        "direct-lower-limit",
        "A response scores 0 only if it is among the worst: it has no right link, or it makes one entity of all "
        "mentions or one of each (the paper leaves the worst to the evaluator; this is our choice).",
        f"{_PB} 3", partial(search_steps, cases.find_direct_lower_limit),
    ),
    Criterion(
        "reciprocal-lower-limit",
        "'No processing' scores 0: all mentions in one entity, or each in one of its own, where the key has a link "
        "and is not that.",
        f"{_PB} 4", partial(search_steps, cases.find_reciprocal_lower_limit),
    ),
    Criterion(
        "low-scores",
        "For every key with a link, one of the responses with its mentions scores 0 or less.",
        f"{_PB} 5", cases.search_low_scores, combine="least",
    ),
    Criterion(
        "range", "Scores are between 0 and 1.", f"{_BLANC} 1", partial(search_steps, cases.find_range),
    ),
    Criterion(
        "precision-over-recall",
        "Coming from a perfect response, wrong links made by joining two entities cost more than as many links missed "
        "by dividing one.",
        f"{_BLANC} 3", partial(search_steps, cases.find_precision_over_recall),
    ),
    Criterion(
        "singletons", "To find one more singleton of the key is better.",
        f"{_BLANC} 3, second item", partial(search_steps, cases.find_singletons),
    ),
    Criterion(
        "homogeneity", "To divide a response entity where that divides no key entity is better.",
        _AMIGO, partial(search_steps, cases.find_homogeneity),
    ),
    Criterion(
        "completeness", "To join two response entities that are parts of one key entity is better.",
        _AMIGO, partial(search_steps, cases.find_completeness),
    ),
    Criterion(
        "rag-bag",
        "A stray mention is better put with n other strays than into a clean entity of n mentions (strays are "
        "singletons of the key; n is 2 or more).",
        _AMIGO, partial(search_steps, cases.find_rag_bag),
    ),
    Criterion(
        "size-against-quantity",
        "One mention cut off from an entity of n + 1 is better than n entities of two mentions cut in halves (n is 2 "
        "or more, so there are seven mentions at least).",
        _AMIGO, partial(search_steps, cases.find_size_against_quantity),
    ),
    Criterion(
        "monotonicity",
        "A response that is obviously better scores more: homogeneity and completeness together, for every consistent "
        "improvement is made of such steps.",
        f"{_BLANC} 2; {_GOESGENS}", partial(search_steps, cases.find_monotonicity),
    ),
    Criterion(
        "symmetry", "Key and response can change places.",
        f"Luo 2005, section 3.2.2; {_GOESGENS}", partial(search_steps, cases.find_symmetry),
    ),
    Criterion(
        "nothing-common", "A response without any mention of the key scores 0.",
        "Luo 2005, section 2", partial(search_steps, cases.find_nothing_common),
    ),
    Criterion(
        "no-right-link", "A response without a right link, and without a right singleton, scores 0.",
        "Moosavi & Strube 2016, sections 1 and 7.1", partial(search_steps, cases.find_no_right_link),
    ),
    Criterion(
        "identification-effect",
        "To put one more mention of a key entity of two or more where it has no right link does not raise recall (of "
        "measures without recall, the score).",
        "Moosavi & Strube 2016, section 2", partial(search_steps, cases.find_identification_effect), field="recall",
    ),
    Criterion(
        "larger-entity",
        "To miss a larger entity is worse than to miss a smaller one, in a response that is perfect otherwise: both "
        "left out, or both cut into singletons; both have two mentions or more.",
        "Moosavi & Strube 2016, section 7.2; Recasens & Hovy 2011, section 3.2",
        partial(search_steps, cases.find_larger_entity),
    ),
    Criterion(
        "constant-baseline",
        "The mean score of all responses with entities of given sizes does not depend on these sizes, nor on the key's "
        "(with the same number of mentions; not one entity, nor all singletons).",
        _GOESGENS, cases.search_chance,
    ),
    Criterion(
        "distance", "What a score lacks to the best one obeys the triangle inequality.",
        _GOESGENS, cases.search_triangles,
    ),
)  # fmt: skip
"""All criteria, in the order in which they are shown."""

CRITERIA_BY_NAME = {criterion.name: criterion for criterion in CRITERIA}


def find_criterion(name: str) -> Criterion:
    """Return the criterion of this name; an OptionError, with the names most like it, if there is none."""
    if name not in CRITERIA_BY_NAME:
        raise OptionError(f"there is no criterion {name!r}; {suggest_names(name, list(CRITERIA_BY_NAME))}")
    return CRITERIA_BY_NAME[name]
