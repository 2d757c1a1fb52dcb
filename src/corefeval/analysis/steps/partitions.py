"""How measures that compare whole partitions come to their numbers, and B³ in its other forms, step by step."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from corefeval.analysis.steps.entities import Fraction, Told, many, summed, two_sides
from corefeval.analysis.steps.picture import braces
from corefeval.measures.bcub import Bcub
from corefeval.measures.entropy import Entropy
from corefeval.measures.exclusive_core import ExclusiveCore, taken
from corefeval.measures.shared.twinless import rewritten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from corefeval.analysis.steps.entities import Steps
    from corefeval.analysis.steps.picture import Picture
    from corefeval.measures import Measure
    from corefeval.overlap.table import Overlap

TWINLESS = {
    "stoyanov_all": ("a mention that one side lacks counts as resolved to itself",) * 2,
    "stoyanov0": ("mentions that only the response has are dropped",) * 2,
    "rahman_ng": ("response singletons that the key lacks are dropped",) * 2,
    "cai_strube": (
        "mentions that only the response has are dropped, those that only the key has are singletons of the response",
        "response singletons that the key lacks are dropped, its other twinless mentions are singletons of the key",
    ),
}
"""What is done with mentions that one side lacks, for recall and for precision."""


def exclusive_core(_: Measure, picture: Picture) -> Told:
    """Who takes whom, the largest key entity first."""
    table = picture.table
    chosen = np.flatnonzero(taken(table))
    there = dict(zip(table.cell_key[chosen].tolist(), chosen.tolist(), strict=True))
    lines, right, wrong = [], [], []
    for entity in np.argsort(-table.key.size, kind="stable").tolist():
        begins = f"{picture.name(entity)}, {many(picture.sizes[entity], 'mention')}, takes"
        if entity in there:
            n, r = int(table.n[there[entity]]), int(table.r[there[entity]])
            lines.append(f"{begins} {picture.other(int(table.cell_response[there[entity]]))}: {n} right, {r - n} wrong")
            right.append(str(n))
            wrong.append(str(r - n))
        elif picture.missing[entity]:
            lines.append(f"{begins} {braces(picture.missing[entity][:1])}, which the response lacks: 1 right, 0 wrong")
            right.append("1")
        else:
            lines.append(f"{begins} nothing: those that share mentions with it are taken")
    others = picture.mirror
    for entity in sorted({*range(len(others.sizes))} - {*table.cell_response[chosen].tolist()}):
        if others.missing[entity]:
            alone, rest = braces(others.missing[entity][:1]), others.sizes[entity] - 1
            lines.append(f"{others.name(entity)} goes to {alone}, which the key lacks: 1 right, {rest} wrong")
            right.append("1")
            wrong.append(str(rest))
    whole = int(table.union)
    errors = sum(map(int, wrong))
    recall = Fraction(summed(right), str(whole), sum(map(int, right)), whole)
    above = f"{whole} - ({summed(wrong)})" if len(wrong) > 1 else f"{whole} - {summed(wrong)}"
    return Told((lines, recall), ([], Fraction(above, str(whole), whole - errors, whole)))


def entropy(_: Measure, picture: Picture) -> Told:
    """The information of each side, and what of it the other does not tell."""
    key, response = _information(picture), _information(picture.mirror)
    return Told(
        ([key[0], response[0], "", response[1]], _told(picture, "R", *response[2])),
        ([key[1]], _told(picture, "K", *key[2])),
    )


def _information(picture: Picture) -> tuple[str, str, tuple[float, float]]:
    """H of this side, and H of this side given the other."""
    table, one, other = picture.table, picture.letters[0], picture.letters[1]
    whole = int(table.union)
    missing, extra = (sum(map(len, side.missing)) for side in (picture, picture.mirror))
    sizes = Counter([*picture.sizes, *[1] * extra])
    own = [(count, size, whole) for size, count in sorted(sizes.items(), reverse=True)]
    # A mention that this side lacks is a singleton of it, and one that the other lacks is a singleton there: log 1 = 0.
    parts = Counter(zip(table.n.tolist(), table.r.tolist(), strict=True))
    parts.update((1, r) for r, words in zip(picture.mirror.sizes, picture.mirror.missing, strict=True) for _ in words)
    parts.update([(1, 1)] * missing)
    given = [(count, n, r) for (n, r), count in sorted(parts.items(), reverse=True) if n != r]
    h, conditional = _bits(own, whole), _bits(given, whole)
    return (
        f"H({one}) = {_terms(own, whole)} = {h:.4f}",
        f"H({one}|{other}) = {_terms(given, whole)} = {conditional:.4f}",
        (h, conditional),
    )


def _bits(terms: Iterable[tuple[int, int, int]], whole: int) -> float:
    return float(-sum(count * n / whole * np.log(n / of) for count, n, of in terms)) if whole else 0.0


def _terms(terms: list[tuple[int, int, int]], whole: int) -> str:
    shown = [f"{f'{count}·' if count > 1 else ''}{n}/{whole}·log({n}/{of})" for count, n, of in terms]
    return f"-({summed(shown)})" if shown else "0"


def _told(picture: Picture, side: str, h: float, conditional: float) -> Fraction:
    other = "K" if side == "R" else "R"
    named = f"(H({side}) - H({side}|{other})) / H({side})"
    whole = int(picture.table.union)
    return Fraction(f"{h:.4f} - {conditional:.4f}", f"{h:.4f}", h - conditional, h, whole, named)


def by_entity(_: Measure, picture: Picture) -> Told:
    """B³ with the same weight for every entity."""
    return two_sides(_shares, picture)


def _shares(picture: Picture) -> Steps:
    lines, terms, top = [], [], 0.0
    for entity, size in enumerate(picture.sizes):
        for other, part in picture.fragments[entity].items():
            shared = f"{picture.name(entity)} ∩ {picture.other(other)} = {braces(part)}"
            terms.append(f"({len(part)}/{size})²")
            lines.append(f"{shared}: {len(part)}/{size} of {picture.name(entity)}, {terms[-1]}")
            top += (len(part) / size) ** 2
    whole = int(picture.table.union)
    lines.append(f"key and response have {many(whole, 'mention')} together")
    return lines, Fraction(summed(terms), str(whole), top, whole)


def with_others(measure: Measure, picture: Picture) -> Told:
    """B³ on tables with other mentions."""
    assert isinstance(measure, Bcub)  # noqa: S101 - see `variant`
    recall, precision = rewritten(measure.twinless, picture.table)
    done = TWINLESS[measure.twinless]
    return Told(
        _credits(recall, ("key", "response"), done[0]), _credits(precision.mirror, ("response", "key"), done[1])
    )


def _credits(table: Overlap, names: tuple[str, str], done: str) -> Steps:
    """By the sizes of entities, as these are no longer those of the files."""
    cells = Counter(zip(table.n.tolist(), table.k.tolist(), table.r.tolist(), strict=True))
    lines = [
        f"{many(n, 'mention')} of a {names[0]} entity of {k} in a {names[1]} entity of {r}: {n}²/{k}"
        f"{f', {count} times' if count > 1 else ''}"
        for (n, k, r), count in cells.items()
    ]
    terms = [f"{f'{count}·' if count > 1 else ''}{n}²/{k}" for (n, k, _), count in cells.items()]
    sizes = table.key.size.tolist()
    top = float((table.n * table.n / table.k).sum())
    return [f"{done}:", *lines], Fraction(summed(terms), summed([str(size) for size in sizes]), top, sum(sizes))


def variant(measure: Measure) -> Callable[[Measure, Picture], Told] | None:
    """The steps of B³ with one of its parameters chosen, but for those that change no step."""
    if type(measure) is not Bcub:
        return None
    forms = (measure.weight != "mention", measure.twinless in TWINLESS)
    return {(True, False): by_entity, (False, True): with_others}.get(forms)


OTHERS: dict[type[Measure], Callable[[Measure, Picture], Told]] = {ExclusiveCore: exclusive_core, Entropy: entropy}
