"""What counts are made of, for measures that are no fractions of sums over entities."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corefeval.analysis.steps.fractions import format_count, format_sum
from corefeval.analysis.steps.picture import format_set
from corefeval.measures import nec
from corefeval.measures.mor import Mor, aligned
from corefeval.overlap import alignment

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefeval._arrays import Booleans
    from corefeval.analysis.steps.picture import Picture
    from corefeval.measures import Measure

_PAIRS = 40  # of mentions that are written out


class DerivedCount(NamedTuple):
    """What a count is made of, written out, and its value."""

    text: str
    value: float


Derivation = tuple[list[str], dict[str, DerivedCount]]
"""Lines to be read first, and what each count is made of."""


def derive_counts(measure: Measure, picture: Picture) -> Derivation:
    """Return what a measure's counts are made of in one document, as far as that is known."""
    found = DERIVATIONS.get(measure.derivation)
    if found is None:
        return [], {}
    lines, counts = found(measure, picture)
    return [*lines, ""] if lines else [], counts


def _derive_pairs(_: Measure, picture: Picture) -> Derivation:
    """Derive pairs of mentions, C(x) = x (x - 1) / 2."""

    def add_up(sizes: list[int]) -> DerivedCount:
        several = [size for size in sizes if size > 1]
        return DerivedCount(
            format_sum([f"C({size})" for size in several]), sum(size * (size - 1) // 2 for size in several)
        )

    parts = {
        "all_pairs": [int(picture.table.union)],
        "key_pairs": picture.sizes,
        "response_pairs": picture.mirror.sizes,
        "common_pairs": picture.table.n.tolist(),
    }
    return ["C(x) = x (x - 1) / 2"], {name: add_up(sizes) for name, sizes in parts.items()}


def _derive_links(_: Measure, picture: Picture) -> Derivation:
    """Derive MUC's links."""

    def add_up(sizes: list[int]) -> DerivedCount:
        return DerivedCount(format_sum([f"({size} - 1)" for size in sizes]), sum(sizes) - len(sizes))

    whole = int(picture.table.union)
    return [], {
        "common": add_up(picture.table.n.tolist()),
        "key": add_up(picture.sizes),
        "response": add_up(picture.mirror.sizes),
        "possible": DerivedCount(f"{whole} - 1", max(whole - 1, 0)),
    }


def _sort_sizes(picture: Picture) -> tuple[list[str], list[tuple[int, int]]]:
    """Return the sizes of both sides, largest first, as lines and as pairs; missed mentions are singletons."""
    missing = [sum(map(len, side.missing)) for side in (picture.mirror, picture)]
    ours, theirs = (
        sorted([*side.sizes, *[1] * extra], reverse=True)
        for side, extra in zip((picture, picture.mirror), missing, strict=True)
    )
    lines = [f"sizes in the {name}: {format_sum(list(map(str, sizes))).replace(' + ', ', ')}"
             for name, sizes in (("key", ours), ("response", theirs))]  # fmt: skip
    return lines, list(zip_longest(ours, theirs, fillvalue=0))


def _derive_distance(_: Measure, picture: Picture) -> Derivation:
    lines, sizes = _sort_sizes(picture)
    whole = int(picture.table.union)
    return lines, {
        "distance": DerivedCount(format_sum([f"|{r} - {k}|" for k, r in sizes]), sum(abs(r - k) for k, r in sizes)),
        "largest": DerivedCount(f"2·({whole} - 1)", 2 * max(whole - 1, 0)),
    }


def _derive_shift(_: Measure, picture: Picture) -> Derivation:
    lines, sizes = _sort_sizes(picture)
    whole = int(picture.table.union)
    terms = [f"{place}·({r} - {k})" for place, (k, r) in enumerate(sizes, 1)]
    return lines, {
        "shift": DerivedCount(format_sum(terms), sum(place * (r - k) for place, (k, r) in enumerate(sizes, 1))),
        "largest": DerivedCount(f"{whole}·{max(whole - 1, 0)}/2", whole * (whole - 1) // 2),
    }


def _derive_anaphors(measure: Any, picture: Picture) -> Derivation:
    found = measure.resolve_anaphors(picture.rows)
    words, others = picture.words, picture.mirror.words
    return [], {
        "true": _count_chosen(words, found.true),
        "wrong": _count_chosen(words, found.wrong),
        "missed": _count_chosen(words, found.missed),
        "false": _count_chosen(others, found.false),
        "resolved": _count_chosen(words, found.true),
        "anaphors": _count_chosen(words, found.true | found.wrong | found.missed),
    }


def _count_chosen(words: list[str], which: Booleans) -> DerivedCount:
    rows = np.flatnonzero(which).tolist()
    return DerivedCount(f"|{format_set([words[row] for row in rows])}|", len(rows))


def _derive_words(measure: Measure, picture: Picture) -> Derivation:
    assert isinstance(measure, Mor)  # noqa: S101 - see `DERIVATIONS`
    pairs = aligned(measure, picture.rows)
    ours, theirs = picture.words, picture.mirror.words
    listed = list(zip(*(column.tolist() for column in pairs), strict=True))
    lines = [f"{ours[k]} – {theirs[r]}: {words}" for k, r, words in listed[:_PAIRS]]
    if len(listed) > _PAIRS:
        lines.append(f"and {len(listed) - _PAIRS:,} more")
    total = DerivedCount(format_sum([str(words) for _, _, words in listed]), sum(words for _, _, words in listed))
    head = ["words (or characters) in common of the mentions that are aligned:"] if lines else []
    return [*head, *lines], {"recall_numerator": total, "precision_numerator": total}


def _derive_named(measure: Measure, picture: Picture) -> Derivation:
    assert isinstance(measure, nec.Nec)  # noqa: S101 - see `DERIVATIONS`
    named, (key, response, n) = nec.with_names(measure, picture.table, picture.rows)
    k, r = picture.table.key.size[key], picture.table.response.size[response]
    chosen = alignment.best(key, response, 2 * n / (k + r))
    cells = [tuple(int(column[cell]) for column in (key, response, n, k, r)) for cell in chosen.tolist()]
    lines = [
        f"{picture.name(i)} has a name, and {picture.other(j)}, with {format_count(n, 'mention')} of it, stands for it"
        for i, j, n, _, _ in cells
    ]
    there = np.flatnonzero(named).tolist()
    alone = [picture.name(i) for i in there if i not in {i for i, *_ in cells}]
    lines += [f"{', '.join(alone)}: a name, and no entity that stands for it"] if alone else []
    return lines, {
        "recall": DerivedCount(
            format_sum([f"{n}/{k}" for _, _, n, k, _ in cells]), sum(n / k for _, _, n, k, _ in cells)
        ),
        "precision": DerivedCount(
            format_sum([f"{n}/{r}" for _, _, n, _, r in cells]), sum(n / r for _, _, n, _, r in cells)
        ),
        "f1": DerivedCount(
            format_sum([f"2·{n}/({k} + {r})" for _, _, n, k, r in cells]),
            sum(2 * n / (k + r) for _, _, n, k, r in cells),
        ),
        "entities": DerivedCount(f"|{format_set([picture.name(i) for i in there])}|", len(there)),
        "found": DerivedCount(f"|{format_set([picture.name(i) for i, *_ in cells])}|", len(cells)),
    }


DERIVATIONS: dict[str, Callable[[Measure, Picture], Derivation]] = {
    "pairs": _derive_pairs,
    "spanning links": _derive_links,
    "sorted sizes": _derive_distance,
    "shifted sizes": _derive_shift,
    "anaphors": _derive_anaphors,
    "aligned words": _derive_words,
    "named entities": _derive_named,
}
"""By the derivation of a measure."""
