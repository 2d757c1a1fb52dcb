"""How each measure comes to its numbers on one document, step by step."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.analysis.steps.picture import braces
from corefeval.measures.bcub import Bcub
from corefeval.measures.ceaf import Ceaf, Ceafe, Ceafm
from corefeval.measures.core import Core
from corefeval.measures.lea import Lea
from corefeval.measures.mentions import Mentions
from corefeval.measures.muc import Muc
from corefeval.measures.pairwise import Pairwise
from corefeval.overlap import alignment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from corefeval.analysis.steps.picture import Picture
    from corefeval.measures import Measure

_TERMS = 12  # of a sum that are written out
_LINKS = 40  # of a set that are written out


class Fraction(NamedTuple):
    """Recall or precision: above and below the line, in words, and their values.

    unit: what the measure's counts are divided by to be shown. named: the fraction in symbols.
    """

    above: str
    below: str
    top: float
    bottom: float
    unit: float = 1.0
    named: str = ""


Steps = tuple[list[str], Fraction]


class Told(NamedTuple):
    """The steps of recall and of precision, each with the fraction that they come to."""

    recall: Steps
    precision: Steps


def two_sides(steps: Callable[[Picture], Steps], picture: Picture) -> Told:
    """The same for the key, and with key and response in each other's place."""
    return Told(steps(picture), steps(picture.mirror))


def muc(_: Measure, picture: Picture) -> Told:
    """Fragments."""
    return two_sides(_fragments, picture)


def _fragments(picture: Picture) -> Steps:
    lines, found, wanted, top, bottom = [], [], [], 0, 0
    for entity, size in enumerate(picture.sizes):
        parts = [*picture.fragments[entity].values(), *([word] for word in picture.missing[entity])]
        shown = " ".join(braces(part) for part in parts)
        lines.append(f"{picture.name(entity)}: {shown}  {many(size, 'mention')}, {many(len(parts), 'fragment')}")
        found.append(f"({size} - {len(parts)})")
        wanted.append(f"({size} - 1)")
        top, bottom = top + size - len(parts), bottom + size - 1
    return lines, Fraction(summed(found), summed(wanted), top, bottom)


def bcub(_: Measure, picture: Picture) -> Told:
    """Credits of mentions."""
    return two_sides(_credits, picture)


def _credits(picture: Picture) -> Steps:
    lines, terms, top = [], [], 0.0
    for entity, size in enumerate(picture.sizes):
        for other, part in picture.fragments[entity].items():
            n = len(part)
            each = f"{n}/{size} each" if n > 1 else f"{n}/{size}"
            shared = f"{picture.name(entity)} ∩ {picture.other(other)} = {braces(part)}"
            lines.append(f"{shared}: {each}, {n}²/{size} in all")
            terms.append(f"{n}²/{size}")
            top += n * n / size
        if picture.missing[entity]:
            lines.append(f"{picture.name(entity)}: {braces(picture.missing[entity])} in no entity of the other side: 0")
    return lines, Fraction(summed(terms), summed([str(size) for size in picture.sizes]), top, sum(picture.sizes))


def ceaf(measure: Measure, picture: Picture) -> Told:
    """The best alignment, and the similarities of what is aligned."""
    assert isinstance(measure, Ceafm | Ceaf)  # noqa: S101 - see `STEPS`
    table = picture.table
    cells = table.members
    weights = np.asarray(measure.similarity()(cells.n, table.key.size[cells.key], table.response.size[cells.response]))
    best = alignment.best(cells.key, cells.response, weights)
    aligned, keys, responses = (
        set(column[best].tolist()) for column in (np.arange(len(weights)), cells.key, cells.response)
    )
    lines, terms = [], []
    for cell, (i, j, n) in enumerate(zip(*(column.tolist() for column in cells), strict=True)):
        value, size = _similarity(measure, n, picture.sizes[i], picture.mirror.sizes[j], float(weights[cell]))
        chosen = cell in aligned
        lines.append(f"φ({picture.name(i)}, {picture.other(j)}) = {value}{'   aligned' if chosen else ''}")
        if chosen:
            terms.append(size)
    alone = [picture.name(i) for i in range(len(picture.sizes)) if i not in keys]
    alone += [picture.other(j) for j in range(len(picture.mirror.sizes)) if j not in responses]
    if alone:
        lines.append(f"not aligned: {', '.join(alone)}")
    top = float(weights[best].sum())
    own = [_own(measure, side) for side in (picture, picture.mirror)]
    fractions = [Fraction(summed(terms), summed(shown), top, total) for shown, total in own]
    return Told((lines, fractions[0]), ([], fractions[1]))


def _similarity(measure: Measure, n: float, k: int, r: int, weight: float) -> tuple[str, str]:
    if isinstance(measure, Ceafe):
        return f"2·{n:g} / ({k} + {r}) = {weight:.4f}", f"{weight:.4f}"
    return f"{weight:g}", f"{weight:g}"


def _own(measure: Ceafm | Ceaf, picture: Picture) -> tuple[list[str], float]:
    """The similarity of a side's entities with themselves."""
    size = picture.table.key.size
    values = np.asarray(measure.similarity()(size, size, size))
    return [f"{float(value):g}" for value in values], float(values.sum())


def lea(_: Measure, picture: Picture) -> Told:
    """Importance and resolution scores."""
    return two_sides(_resolutions, picture)


def _resolutions(picture: Picture) -> Steps:
    lines, terms, top = [], [], 0.0
    alone = [size == 1 for size in picture.mirror.sizes]
    for entity, size in enumerate(picture.sizes):
        links = size * (size - 1) // 2 if size > 1 else 1
        parts = picture.fragments[entity]
        counts = [len(part) * (len(part) - 1) // 2 if size > 1 else int(alone[other]) for other, part in parts.items()]
        score = f"{_together(counts)}/{links}"
        shared = ", ".join(f"{count} in {picture.other(other)}" for other, count in zip(parts, counts, strict=True))
        kind = "link" if size > 1 else "link to itself"
        lines.append(f"{picture.name(entity)}: importance {size}, {many(links, kind)}: {shared or 'none found'}")
        terms.append(f"{size}·{score}")
        top += size * sum(counts) / links
    return lines, Fraction(summed(terms), summed([str(size) for size in picture.sizes]), top, sum(picture.sizes))


def core(_: Measure, picture: Picture) -> Told:
    """The largest part of every entity."""
    return two_sides(_largest, picture)


def _largest(picture: Picture) -> Steps:
    lines, found, wanted, top, bottom = [], [], [], 0, 0
    for entity, size in enumerate(picture.sizes):
        parts = picture.fragments[entity]
        other, part = max(parts.items(), key=lambda item: len(item[1]), default=(-1, picture.members[entity][:1]))
        where = f"in {picture.other(other)}" if other >= 0 else "a mention by itself"
        lines.append(f"{picture.name(entity)}: {many(size, 'mention')}, largest part {braces(part)} {where}")
        found.append(f"({len(part)} - 1)")
        wanted.append(f"({size} - 1)")
        top, bottom = top + len(part) - 1, bottom + size - 1
    return lines, Fraction(summed(found), summed(wanted), top, bottom)


def mentions(_: Measure, picture: Picture) -> Told:
    """Mentions with and without a twin."""
    return two_sides(_twins, picture)


def _twins(picture: Picture) -> Steps:
    missing = [word for words in picture.missing for word in words]
    total, left = sum(picture.sizes), len(missing)
    lines = [f"only in {picture.letters[0]}: {braces(missing)}"] if missing else []
    return lines, Fraction(f"{total} - {left}", str(total), total - left, total)


def pairwise(_: Measure, picture: Picture) -> Told:
    """Links."""
    return two_sides(_pairs, picture)


def _pairs(picture: Picture) -> Steps:
    terms, top = [], 0
    for parts in picture.fragments:
        for part in parts.values():
            terms.append(f"C({len(part)})")
            top += len(part) * (len(part) - 1) // 2
    below = summed([f"C({size})" for size in picture.sizes])
    bottom = sum(size * (size - 1) // 2 for size in picture.sizes)
    return [*_link_set("C", picture, _linked(picture))], Fraction(summed(terms), below, top, bottom)


def blanc(picture: Picture) -> list[str]:
    """The links, where they are few."""
    lines: list[str] = []
    for side in (picture, picture.mirror):
        lines += _link_set("C", side, _linked(side))
        lines += _link_set("N", side, _apart(side))
    return lines


def _linked(picture: Picture) -> list[tuple[str, str]]:
    if sum(size * (size - 1) // 2 for size in picture.sizes) > _LINKS:
        return []
    return [pair for words in picture.members for pair in combinations(words, 2)]


def _apart(picture: Picture) -> list[tuple[str, str]]:
    total = sum(picture.sizes)
    if total * (total - 1) // 2 > 2 * _LINKS:
        return []
    pairs = combinations(picture.members, 2)
    return [(word, other) for words, others in pairs for word in words for other in others]


def _link_set(kind: str, picture: Picture, links: Sequence[tuple[str, str]]) -> Iterator[str]:
    if 0 < len(links) <= _LINKS:
        between = "" if all(len(word) == 1 for link in links for word in link) else "–"
        yield f"{kind}({picture.letters[0]}) = {braces([between.join(link) for link in links])}"


def _together(counts: Sequence[int]) -> str:
    terms = " + ".join(map(str, counts)) or "0"
    return f"({terms})" if len(counts) > 1 else terms


def summed(terms: Sequence[str]) -> str:
    """A sum; of a long one, its beginning and its end."""
    if len(terms) > _TERMS:
        return f"{' + '.join(terms[: _TERMS - 2])} + ... + {terms[-1]} ({len(terms)} terms)"
    return " + ".join(terms) or "0"


def many(count: int, what: str) -> str:
    """How many of what."""
    if what == "link to itself":
        return "a link to itself"
    return f"{count} {what}{'' if count == 1 else 's'}"


STEPS: dict[type[Measure], Callable[[Measure, Picture], Told]] = {
    Mentions: mentions,
    Muc: muc,
    Bcub: bcub,
    Ceaf: ceaf,
    Ceafm: ceaf,
    Ceafe: ceaf,
    Lea: lea,
    Pairwise: pairwise,
    Core: core,
}
