"""How measures of recall and precision come to their numbers on one document, step by step."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.analysis.steps.picture import format_set
from corefeval.measures.bcub import Bcub
from corefeval.measures.ceaf import Ceaf, Ceafe, Ceafm
from corefeval.measures.core import taken
from corefeval.overlap import alignment
from corefeval.overlap.twinless import REWRITES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from corefeval.analysis.steps.picture import Picture
    from corefeval.measures import Measure
    from corefeval.overlap.table import Overlap

_TERMS = 12  # of a sum that are written out
_LINKS = 40  # of a set that are written out


@dataclass(frozen=True, slots=True)
class Fraction:
    """Recall or precision: numerator and denominator, written out and as values.

    unit: what the measure's counts are divided by to be shown. named: the fraction in symbols.
    """

    above: str
    below: str
    top: float
    bottom: float
    unit: float = 1.0
    named: str = ""


Steps = tuple[list[str], Fraction]


class RateSteps(NamedTuple):
    """The steps of recall and of precision, each with the fraction that they come to."""

    recall: Steps
    precision: Steps


def mirror_steps(steps: Callable[[Picture], Steps], picture: Picture) -> RateSteps:
    """Return the same steps for recall, and for precision with key and response in each other's place."""
    return RateSteps(steps(picture), steps(picture.mirror))


def explain_fragments(_: Measure, picture: Picture) -> RateSteps:
    """Show the fragments of each entity (MUC)."""
    return mirror_steps(_list_fragments, picture)


def _list_fragments(picture: Picture) -> Steps:
    lines, found, wanted, top, bottom = [], [], [], 0, 0
    for entity, size in enumerate(picture.sizes):
        parts = [*picture.fragments[entity].values(), *([word] for word in picture.missing[entity])]
        shown = " ".join(format_set(part) for part in parts)
        lines.append(
            f"{picture.name(entity)}: {shown}  {format_count(size, 'mention')}, {format_count(len(parts), 'fragment')}"
        )
        found.append(f"({size} - {len(parts)})")
        wanted.append(f"({size} - 1)")
        top, bottom = top + size - len(parts), bottom + size - 1
    return lines, Fraction(format_sum(found), format_sum(wanted), top, bottom)


def explain_credits(_: Measure, picture: Picture) -> RateSteps:
    """Show the credit of each mention (B³)."""
    return mirror_steps(_list_credits, picture)


def _list_credits(picture: Picture) -> Steps:
    lines, terms, top = [], [], 0.0
    for entity, size in enumerate(picture.sizes):
        for other, part in picture.fragments[entity].items():
            n = len(part)
            each = f"{n}/{size} each" if n > 1 else f"{n}/{size}"
            shared = f"{picture.name(entity)} ∩ {picture.other(other)} = {format_set(part)}"
            lines.append(f"{shared}: {each}, {n}²/{size} in all")
            terms.append(f"{n}²/{size}")
            top += n * n / size
        if picture.missing[entity]:
            lines.append(
                f"{picture.name(entity)}: {format_set(picture.missing[entity])} in no entity of the other side: 0"
            )
    return lines, Fraction(
        format_sum(terms), format_sum([str(size) for size in picture.sizes]), top, sum(picture.sizes)
    )


def explain_alignment(measure: Measure, picture: Picture) -> RateSteps:
    """Show the best alignment, and the similarities of aligned entities (CEAF)."""
    assert isinstance(measure, Ceafm | Ceaf)  # noqa: S101 - see `STEPS`
    table = picture.table
    cells = picture.sets.cells
    weights = np.asarray(
        measure.similarity()(cells.worth, table.key.size[cells.key], table.response.size[cells.response])
    )
    best = alignment.best(cells.key, cells.response, weights)
    aligned, keys, responses = (
        set(column[best].tolist()) for column in (np.arange(len(weights)), cells.key, cells.response)
    )
    lines, terms = [], []
    for cell, (i, j, n) in enumerate(
        zip(cells.key.tolist(), cells.response.tolist(), cells.worth.tolist(), strict=True)
    ):
        value, size = _format_similarity(measure, n, picture.sizes[i], picture.mirror.sizes[j], float(weights[cell]))
        chosen = cell in aligned
        lines.append(f"φ({picture.name(i)}, {picture.other(j)}) = {value}{'   aligned' if chosen else ''}")
        if chosen:
            terms.append(size)
    alone = [picture.name(i) for i in range(len(picture.sizes)) if i not in keys]
    alone += [picture.other(j) for j in range(len(picture.mirror.sizes)) if j not in responses]
    if alone:
        lines.append(f"not aligned: {', '.join(alone)}")
    top = float(weights[best].sum())
    own = [_list_own_similarities(measure, side) for side in (picture, picture.mirror)]
    fractions = [Fraction(format_sum(terms), format_sum(shown), top, total) for shown, total in own]
    return RateSteps((lines, fractions[0]), ([], fractions[1]))


def _format_similarity(measure: Measure, n: float, k: int, r: int, weight: float) -> tuple[str, str]:
    if isinstance(measure, Ceafe):
        return f"2·{n:g} / ({k} + {r}) = {weight:.4f}", f"{weight:.4f}"
    return f"{weight:g}", f"{weight:g}"


def _list_own_similarities(measure: Ceafm | Ceaf, picture: Picture) -> tuple[list[str], float]:
    """Return the similarities of a side's entities with themselves, written out, and their sum."""
    size = picture.table.key.size
    values = np.asarray(measure.similarity()(size, size, size))
    return [f"{float(value):g}" for value in values], float(values.sum())


def explain_resolution(_: Measure, picture: Picture) -> RateSteps:
    """Show the importance and resolution of each entity (LEA)."""
    return mirror_steps(_list_resolutions, picture)


def _list_resolutions(picture: Picture) -> Steps:
    lines, terms, top = [], [], 0.0
    alone = [size == 1 for size in picture.mirror.sizes]
    for entity, size in enumerate(picture.sizes):
        links = size * (size - 1) // 2 if size > 1 else 1
        parts = picture.fragments[entity]
        counts = [len(part) * (len(part) - 1) // 2 if size > 1 else int(alone[other]) for other, part in parts.items()]
        score = f"{_bracket_sum(counts)}/{links}"
        shared = ", ".join(f"{count} in {picture.other(other)}" for other, count in zip(parts, counts, strict=True))
        kind = "link" if size > 1 else "link to itself"
        lines.append(
            f"{picture.name(entity)}: importance {size}, {format_count(links, kind)}: {shared or 'none found'}"
        )
        terms.append(f"{size}·{score}")
        top += size * sum(counts) / links
    return lines, Fraction(
        format_sum(terms), format_sum([str(size) for size in picture.sizes]), top, sum(picture.sizes)
    )


def explain_cores(_: Measure, picture: Picture) -> RateSteps:
    """Show the largest part of every entity (core)."""
    return mirror_steps(_list_largest_parts, picture)


def _list_largest_parts(picture: Picture) -> Steps:
    lines, found, wanted, top, bottom = [], [], [], 0, 0
    for entity, size in enumerate(picture.sizes):
        parts = picture.fragments[entity]
        other, part = max(parts.items(), key=lambda item: len(item[1]), default=(-1, picture.members[entity][:1]))
        where = f"in {picture.other(other)}" if other >= 0 else "a mention by itself"
        lines.append(
            f"{picture.name(entity)}: {format_count(size, 'mention')}, largest part {format_set(part)} {where}"
        )
        found.append(f"({len(part)} - 1)")
        wanted.append(f"({size} - 1)")
        top, bottom = top + len(part) - 1, bottom + size - 1
    return lines, Fraction(format_sum(found), format_sum(wanted), top, bottom)


def explain_twins(_: Measure, picture: Picture) -> RateSteps:
    """Show the mentions without a twin (mention detection)."""
    return mirror_steps(_count_twins, picture)


def _count_twins(picture: Picture) -> Steps:
    missing = [word for words in picture.missing for word in words]
    total, left = sum(picture.sizes), len(missing)
    lines = [f"only in {picture.letters[0]}: {format_set(missing)}"] if missing else []
    return lines, Fraction(f"{total} - {left}", str(total), total - left, total)


def explain_links(_: Measure, picture: Picture) -> RateSteps:
    """Links."""
    return mirror_steps(_count_pairs, picture)


def _count_pairs(picture: Picture) -> Steps:
    terms, top = [], 0
    for parts in picture.fragments:
        for part in parts.values():
            terms.append(f"C({len(part)})")
            top += len(part) * (len(part) - 1) // 2
    below = format_sum([f"C({size})" for size in picture.sizes])
    bottom = sum(size * (size - 1) // 2 for size in picture.sizes)
    return [*_format_links("C", picture, _list_links(picture))], Fraction(format_sum(terms), below, top, bottom)


def list_link_sets(picture: Picture) -> list[str]:
    """Write out the links of both sides, where they are few (BLANC)."""
    lines: list[str] = []
    for side in (picture, picture.mirror):
        lines += _format_links("C", side, _list_links(side))
        lines += _format_links("N", side, _list_nonlinks(side))
    return lines


def _list_links(picture: Picture) -> list[tuple[str, str]]:
    if sum(size * (size - 1) // 2 for size in picture.sizes) > _LINKS:
        return []
    return [pair for words in picture.members for pair in combinations(words, 2)]


def _list_nonlinks(picture: Picture) -> list[tuple[str, str]]:
    total = sum(picture.sizes)
    if total * (total - 1) // 2 > 2 * _LINKS:
        return []
    pairs = combinations(picture.members, 2)
    return [(word, other) for words, others in pairs for word in words for other in others]


def _format_links(kind: str, picture: Picture, links: Sequence[tuple[str, str]]) -> Iterator[str]:
    if 0 < len(links) <= _LINKS:
        between = "" if all(len(word) == 1 for link in links for word in link) else "–"
        yield f"{kind}({picture.letters[0]}) = {format_set([between.join(link) for link in links])}"


def _bracket_sum(counts: Sequence[int]) -> str:
    terms = " + ".join(map(str, counts)) or "0"
    return f"({terms})" if len(counts) > 1 else terms


def format_sum(terms: Sequence[str]) -> str:
    """Write a sum; of a long one, its beginning and its end."""
    if len(terms) > _TERMS:
        return f"{' + '.join(terms[: _TERMS - 2])} + ... + {terms[-1]} ({len(terms)} terms)"
    return " + ".join(terms) or "0"


def format_count(count: int, what: str) -> str:
    """Write how many of what."""
    if what == "link to itself":
        return "a link to itself"
    return f"{count} {what}{'' if count == 1 else 's'}"


TWINLESS = {
    "stoyanov_all": ("a mention that one side lacks counts as resolved to itself",) * 2,
    "stoyanov0": ("spurious mentions are dropped",) * 2,
    "rahman_ng": ("response singletons that the key lacks are dropped",) * 2,
    "cai_strube": (
        "mentions that only the response has are dropped, those that only the key has are singletons of the response",
        "response singletons that the key lacks are dropped, its other twinless mentions are singletons of the key",
    ),
}
"""How mentions without a twin are treated, for recall and for precision."""


def explain_exclusive_cores(_: Measure, picture: Picture) -> RateSteps:
    """Show which entity takes which, the largest key entity first (exclusive core)."""
    table = picture.table
    chosen = np.flatnonzero(taken(table))
    there = dict(zip(table.cell_key[chosen].tolist(), chosen.tolist(), strict=True))
    lines, right, wrong = [], [], []
    for entity in np.argsort(-table.key.size, kind="stable").tolist():
        begins = f"{picture.name(entity)}, {format_count(picture.sizes[entity], 'mention')}, takes"
        if entity in there:
            n, r = int(table.n[there[entity]]), int(table.r[there[entity]])
            lines.append(f"{begins} {picture.other(int(table.cell_response[there[entity]]))}: {n} right, {r - n} wrong")
            right.append(str(n))
            wrong.append(str(r - n))
        elif picture.missing[entity]:
            lines.append(
                f"{begins} {format_set(picture.missing[entity][:1])}, which the response lacks: 1 right, 0 wrong"
            )
            right.append("1")
        else:
            lines.append(f"{begins} nothing: those that share mentions with it are taken")
    others = picture.mirror
    for entity in sorted({*range(len(others.sizes))} - {*table.cell_response[chosen].tolist()}):
        if others.missing[entity]:
            alone, rest = format_set(others.missing[entity][:1]), others.sizes[entity] - 1
            lines.append(f"{others.name(entity)} goes to {alone}, which the key lacks: 1 right, {rest} wrong")
            right.append("1")
            wrong.append(str(rest))
    whole = int(table.union)
    errors = sum(map(int, wrong))
    recall = Fraction(format_sum(right), str(whole), sum(map(int, right)), whole)
    above = f"{whole} - ({format_sum(wrong)})" if len(wrong) > 1 else f"{whole} - {format_sum(wrong)}"
    return RateSteps((lines, recall), ([], Fraction(above, str(whole), whole - errors, whole)))


def explain_entropy(_: Measure, picture: Picture) -> RateSteps:
    """Show the entropy of each side, and its entropy given the other."""
    key, response = _describe_entropy(picture), _describe_entropy(picture.mirror)
    return RateSteps(
        ([key[0], response[0], "", response[1]], _make_entropy_fraction(picture, "R", *response[2])),
        ([key[1]], _make_entropy_fraction(picture, "K", *key[2])),
    )


def _describe_entropy(picture: Picture) -> tuple[str, str, tuple[float, float]]:
    """Return H of this side and H of this side given the other, both written out, and their values."""
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
    h, conditional = _sum_entropy(own, whole), _sum_entropy(given, whole)
    return (
        f"H({one}) = {_format_terms(own, whole)} = {h:.4f}",
        f"H({one}|{other}) = {_format_terms(given, whole)} = {conditional:.4f}",
        (h, conditional),
    )


def _sum_entropy(terms: Iterable[tuple[int, int, int]], whole: int) -> float:
    return float(-sum(count * n / whole * np.log(n / of) for count, n, of in terms)) if whole else 0.0


def _format_terms(terms: list[tuple[int, int, int]], whole: int) -> str:
    shown = [f"{f'{count}·' if count > 1 else ''}{n}/{whole}·log({n}/{of})" for count, n, of in terms]
    return f"-({format_sum(shown)})" if shown else "0"


def _make_entropy_fraction(picture: Picture, side: str, h: float, conditional: float) -> Fraction:
    other = "K" if side == "R" else "R"
    named = f"(H({side}) - H({side}|{other})) / H({side})"
    whole = int(picture.table.union)
    return Fraction(f"{h:.4f} - {conditional:.4f}", f"{h:.4f}", h - conditional, h, whole, named)


def explain_entity_weights(_: Measure, picture: Picture) -> RateSteps:
    """Show B³ with the same weight for every entity."""
    return mirror_steps(_list_shares, picture)


def _list_shares(picture: Picture) -> Steps:
    lines, terms, top = [], [], 0.0
    for entity, size in enumerate(picture.sizes):
        for other, part in picture.fragments[entity].items():
            shared = f"{picture.name(entity)} ∩ {picture.other(other)} = {format_set(part)}"
            terms.append(f"({len(part)}/{size})²")
            lines.append(f"{shared}: {len(part)}/{size} of {picture.name(entity)}, {terms[-1]}")
            top += (len(part) / size) ** 2
    whole = int(picture.table.union)
    lines.append(f"key and response have {format_count(whole, 'mention')} together")
    return lines, Fraction(format_sum(terms), str(whole), top, whole)


def explain_rewritten_credits(measure: Measure, picture: Picture) -> RateSteps:
    """Show B³ on tables with other mentions, without twins or with added ones."""
    assert isinstance(measure, Bcub)  # noqa: S101 - see `variant`
    recall, precision = REWRITES[measure.twinless](picture.table)
    done = TWINLESS[measure.twinless]
    return RateSteps(
        _list_rewritten_credits(recall, ("key", "response"), done[0]),
        _list_rewritten_credits(precision.mirror, ("response", "key"), done[1]),
    )


def _list_rewritten_credits(table: Overlap, names: tuple[str, str], done: str) -> Steps:
    """Return credits by the sizes of entities, which are no longer those of the files."""
    cells = Counter(zip(table.n.tolist(), table.k.tolist(), table.r.tolist(), strict=True))
    lines = [
        f"{format_count(n, 'mention')} of a {names[0]} entity of {k} in a {names[1]} entity of {r}: {n}²/{k}"
        f"{f', {count} times' if count > 1 else ''}"
        for (n, k, r), count in cells.items()
    ]
    terms = [f"{f'{count}·' if count > 1 else ''}{n}²/{k}" for (n, k, _), count in cells.items()]
    sizes = table.key.size.tolist()
    top = float((table.n * table.n / table.k).sum())
    return [f"{done}:", *lines], Fraction(format_sum(terms), format_sum([str(size) for size in sizes]), top, sum(sizes))


def find_steps(measure: Measure) -> Callable[[Measure, Picture], RateSteps] | None:
    """Return the function that explains a measure with its parameters, if there is one for its derivation."""
    return STEPS.get(measure.derivation) if measure.has_plain_derivation else None


STEPS: dict[str, Callable[[Measure, Picture], RateSteps]] = {
    "twins": explain_twins,
    "fragments": explain_fragments,
    "credits": explain_credits,
    "entity credits": explain_entity_weights,
    "rewritten credits": explain_rewritten_credits,
    "alignment": explain_alignment,
    "aligned mentions": explain_alignment,
    "aligned entities": explain_alignment,
    "resolution": explain_resolution,
    "links": explain_links,
    "cores": explain_cores,
    "exclusive cores": explain_exclusive_cores,
    "entropy": explain_entropy,
}
"""By the derivation of a measure."""
