"""What the counts of measures are made of that are no fractions of sums over entities; their formulas with numbers."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corefeval.analysis.steps.entities import many, summed
from corefeval.analysis.steps.picture import braces
from corefeval.measures import nec, rand
from corefeval.measures.ace_value import KINDS
from corefeval.measures.anaphor import Anaphor, Zero
from corefeval.measures.distribution import DistributionalError, Dmt
from corefeval.measures.kappa import Kappa
from corefeval.measures.mor import Mor, aligned
from corefeval.measures.shared.anaphors import resolved
from corefeval.measures.success_rate import SuccessRate
from corefeval.overlap import alignment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from corefeval._arrays import Booleans
    from corefeval.analysis.steps.picture import Picture
    from corefeval.measures import Measure

    Counts = Mapping[str, Any]

_PAIRS = 40  # of mentions that are written out


class Derived(NamedTuple):
    """What a count is made of, and what that comes to."""

    text: str
    value: float


Derivation = tuple[list[str], dict[str, Derived]]
"""Lines to be read first, and what each count is made of."""


def derived(measure: Measure, picture: Picture) -> Derivation:
    """What is known about a measure's counts in one document."""
    found = DERIVATIONS.get(type(measure))
    if found is None:
        return [], {}
    lines, counts = found(measure, picture)
    return [*lines, ""] if lines else [], counts


def _pairs(_: Measure, picture: Picture) -> Derivation:
    """Pairs of mentions, C(x) = x (x - 1) / 2."""

    def added(sizes: list[int]) -> Derived:
        several = [size for size in sizes if size > 1]
        return Derived(summed([f"C({size})" for size in several]), sum(size * (size - 1) // 2 for size in several))

    parts = {
        "all_pairs": [int(picture.table.union)],
        "key_pairs": picture.sizes,
        "response_pairs": picture.mirror.sizes,
        "common_pairs": picture.table.n.tolist(),
    }
    return ["C(x) = x (x - 1) / 2"], {name: added(sizes) for name, sizes in parts.items()}


def _links(_: Measure, picture: Picture) -> Derivation:
    """MUC's links."""

    def added(sizes: list[int]) -> Derived:
        return Derived(summed([f"({size} - 1)" for size in sizes]), sum(sizes) - len(sizes))

    whole = int(picture.table.union)
    return [], {
        "common": added(picture.table.n.tolist()),
        "key": added(picture.sizes),
        "response": added(picture.mirror.sizes),
        "possible": Derived(f"{whole} - 1", max(whole - 1, 0)),
    }


def _sorted_sizes(picture: Picture) -> tuple[list[str], list[tuple[int, int]]]:
    """The sizes of both sides from the largest on; a mention that a side lacks is a singleton there."""
    missing = [sum(map(len, side.missing)) for side in (picture.mirror, picture)]
    ours, theirs = (
        sorted([*side.sizes, *[1] * extra], reverse=True)
        for side, extra in zip((picture, picture.mirror), missing, strict=True)
    )
    lines = [f"sizes in the {name}: {summed(list(map(str, sizes))).replace(' + ', ', ')}"
             for name, sizes in (("key", ours), ("response", theirs))]  # fmt: skip
    return lines, list(zip_longest(ours, theirs, fillvalue=0))


def _distance(_: Measure, picture: Picture) -> Derivation:
    lines, sizes = _sorted_sizes(picture)
    whole = int(picture.table.union)
    return lines, {
        "distance": Derived(summed([f"|{r} - {k}|" for k, r in sizes]), sum(abs(r - k) for k, r in sizes)),
        "largest": Derived(f"2·({whole} - 1)", 2 * max(whole - 1, 0)),
    }


def _shift(_: Measure, picture: Picture) -> Derivation:
    lines, sizes = _sorted_sizes(picture)
    whole = int(picture.table.union)
    terms = [f"{place}·({r} - {k})" for place, (k, r) in enumerate(sizes, 1)]
    return lines, {
        "shift": Derived(summed(terms), sum(place * (r - k) for place, (k, r) in enumerate(sizes, 1))),
        "largest": Derived(f"{whole}·{max(whole - 1, 0)}/2", whole * (whole - 1) // 2),
    }


def _anaphors(measure: Measure, picture: Picture) -> Derivation:
    assert isinstance(measure, Anaphor | Zero)  # noqa: S101 - see `DERIVATIONS`
    found = resolved(measure, picture.rows, measure.chosen(), measure.antecedent)
    names = (picture.words,) * 3 + (picture.mirror.words,)
    columns = zip(("true", "wrong", "missed", "false"), names, found, strict=True)
    return [], {name: _chosen(words, which) for name, words, which in columns}


def _pronouns(measure: Measure, picture: Picture) -> Derivation:
    assert isinstance(measure, SuccessRate)  # noqa: S101 - see `DERIVATIONS`
    found = resolved(measure, picture.rows, measure.filter, measure.antecedent)
    every = found.true | found.wrong | found.missed
    return [], {"resolved": _chosen(picture.words, found.true), "anaphors": _chosen(picture.words, every)}


def _chosen(words: list[str], which: Booleans) -> Derived:
    rows = np.flatnonzero(which).tolist()
    return Derived(f"|{braces([words[row] for row in rows])}|", len(rows))


def _words(measure: Measure, picture: Picture) -> Derivation:
    assert isinstance(measure, Mor)  # noqa: S101 - see `DERIVATIONS`
    pairs = aligned(measure, picture.rows)
    ours, theirs = picture.words, picture.mirror.words
    listed = list(zip(*(column.tolist() for column in pairs), strict=True))
    lines = [f"{ours[k]} – {theirs[r]}: {words}" for k, r, words in listed[:_PAIRS]]
    if len(listed) > _PAIRS:
        lines.append(f"and {len(listed) - _PAIRS:,} more")
    total = Derived(summed([str(words) for _, _, words in listed]), sum(words for _, _, words in listed))
    head = ["words (or characters) in common of the mentions that are aligned:"] if lines else []
    return [*head, *lines], {"recall_numerator": total, "precision_numerator": total}


def _named(measure: Measure, picture: Picture) -> Derivation:
    assert isinstance(measure, nec.Nec)  # noqa: S101 - see `DERIVATIONS`
    named, (key, response, n) = nec.with_names(measure, picture.table, picture.rows)
    k, r = picture.table.key.size[key], picture.table.response.size[response]
    chosen = alignment.best(key, response, 2 * n / (k + r))
    cells = [tuple(int(column[cell]) for column in (key, response, n, k, r)) for cell in chosen.tolist()]
    lines = [f"{picture.name(i)} has a name, and {picture.other(j)}, with {many(n, 'mention')} of it, stands for it"
             for i, j, n, _, _ in cells]  # fmt: skip
    there = np.flatnonzero(named).tolist()
    alone = [picture.name(i) for i in there if i not in {i for i, *_ in cells}]
    lines += [f"{', '.join(alone)}: a name, and no entity that stands for it"] if alone else []
    return lines, {
        "recall": Derived(summed([f"{n}/{k}" for _, _, n, k, _ in cells]), sum(n / k for _, _, n, k, _ in cells)),
        "precision": Derived(summed([f"{n}/{r}" for _, _, n, _, r in cells]), sum(n / r for _, _, n, _, r in cells)),
        "f1": Derived(
            summed([f"2·{n}/({k} + {r})" for _, _, n, k, r in cells]), sum(2 * n / (k + r) for _, _, n, k, r in cells)
        ),
        "entities": Derived(f"|{braces([picture.name(i) for i in there])}|", len(there)),
        "found": Derived(f"|{braces([picture.name(i) for i, *_ in cells])}|", len(cells)),
    }


DERIVATIONS: dict[type[Measure], Callable[[Measure, Picture], Derivation]] = {
    rand.Rand: _pairs,
    rand.AdjustedRand: _pairs,
    Kappa: _links,
    Dmt: _distance,
    DistributionalError: _shift,
    Anaphor: _anaphors,
    Zero: _anaphors,
    SuccessRate: _pronouns,
    Mor: _words,
    nec.Nec: _named,
}


def _observed(c: Counts) -> str:
    """Of all links, those that both sides have or lack."""
    lacking = c["possible"] - c["key"] - c["response"] + c["common"]
    return f"({c['common']:,} + {lacking:,})/{c['possible']:,}"


def _by_chance(c: Counts) -> str:
    """The same, if the sides had nothing to do with each other."""
    lacking = c["possible"] - c["key"], c["possible"] - c["response"]
    return f"({c['key']:,}·{c['response']:,} + {lacking[0]:,}·{lacking[1]:,})/{c['possible']:,}²"


def _value_left(c: Counts, field: str) -> str:
    lost = [f"{c[name]:,.4f}" for name in (KINDS[field] if field in KINDS else _costs())]
    return f"{_over(lost)} / {c['key_value']:,.4f}" if field in KINDS else f"1 - {_over(lost)} / {c['key_value']:,.4f}"


def _costs() -> Iterator[str]:
    for names in KINDS.values():
        yield from names


def _over(terms: list[str]) -> str:
    return f"({' + '.join(terms)})" if len(terms) > 1 else terms[0]


FORMULAS: dict[str, Callable[[Counts, str], str]] = {
    "rand": lambda c, _: (
        f"({c['all_pairs']:,} - {c['key_pairs']:,} - {c['response_pairs']:,} + 2 · {c['common_pairs']:,})"
        f" / {c['all_pairs']:,}"
    ),
    "adjusted_rand": lambda c, _: (
        f"({c['common_pairs']:,} - {c['key_pairs']:,}·{c['response_pairs']:,}/{c['all_pairs']:,})"
        f" / (({c['key_pairs']:,} + {c['response_pairs']:,}) / 2"
        f" - {c['key_pairs']:,}·{c['response_pairs']:,}/{c['all_pairs']:,})"
    ),
    "kappa": lambda c, _: f"({_observed(c)} - {_by_chance(c)}) / (1 - {_by_chance(c)})",
    "dmt": lambda c, _: f"1 - {c['distance']:,} / {c['largest']:,}",
    "distributional_error": lambda c, _: f"|{c['shift']:,}| / {c['largest']:,}",
    "success_rate": lambda c, _: f"{c['resolved']:,} / {c['anaphors']:,}",
    "nec": lambda c, field: f"{c[field]:,.4f} / {c['entities']:,}",
    "ace_value": _value_left,
}
"""The counts of measures that are no simple fractions, put into their formulas."""
