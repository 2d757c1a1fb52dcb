"""How measures come to their numbers on one document, step by step, by their derivation.

Recall and precision of many measures are fractions of sums over entities (`derive_rates`); of others it is known what
their counts are made of (`derive_counts`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, compress, zip_longest
from typing import Any

import numpy as np

from corefeval._lazy import NamedTuple
from corefeval.analysis.picture import Picture, format_set
from corefeval.measures import Measure, nec
from corefeval.measures.core import find_taken
from corefeval.measures.entropy import x_log_x
from corefeval.measures.shared.chance import expect_shared, list_pairs
from corefeval.measures.shared.mentions import require_types
from corefeval.overlap import alignment
from corefeval.overlap.twinless import REWRITES
from corefeval.overlap.views import Views

_TERMS = 12  # of a sum that are written out
_LINKS = 40  # of a set that are written out


class WrittenNumber(NamedTuple):
    """A number, and how it is made, written out: 5 is "2 + 3"."""

    text: str
    value: float


@dataclass(frozen=True, slots=True)
class Fraction:
    """Recall or precision, and in symbols; unit: what the measure's counts are divided by to be shown."""

    above: WrittenNumber
    below: WrittenNumber
    unit: float = 1.0
    symbols: str = ""


Steps = tuple[list[str], Fraction]
"""The steps of recall or of precision, and the fraction that they come to."""

CountSteps = tuple[list[str], dict[str, WrittenNumber]]
"""Lines to be read first, and what each count is made of."""


def derive_rates(measure: Measure, picture: Picture) -> tuple[Steps, Steps] | None:
    """Return (lines, fraction) of recall, and those of precision; None if the derivation is not known."""
    if not measure.has_plain_derivation:
        return None
    list_steps = _SAME_STEPS.get(measure.derivation)
    if list_steps is not None:
        return list_steps(picture), list_steps(picture.mirror)
    list_both = _OWN_STEPS.get(measure.derivation)
    return None if list_both is None else list_both(measure, picture)


def derive_counts(measure: Measure, picture: Picture) -> CountSteps:
    """Return lines to be read first, and {count: how it is made, as a WrittenNumber}; both empty if unknown."""
    derive = _COUNT_STEPS.get(measure.derivation)
    lines, counts = ([], {}) if derive is None else derive(measure, picture)
    return [*lines, ""] if lines else [], counts


def format_sum(terms: Sequence[str]) -> str:
    """Return terms as the text of a sum; of more than 12, the first 10 and the last; "0" for none."""
    if len(terms) > _TERMS:
        return f"{' + '.join(terms[: _TERMS - 2])} + ... + {terms[-1]} ({len(terms)} terms)"
    return " + ".join(terms) or "0"


def _write_sum(terms: Iterable[tuple[str, float]]) -> WrittenNumber:
    """Return the sum of terms (text, value) as a WrittenNumber: the texts joined by +, and the value."""
    listed = list(terms)
    return WrittenNumber(format_sum([text for text, _ in listed]), sum(value for _, value in listed))


def _write_sum_of_numbers(numbers: Iterable[int]) -> WrittenNumber:
    """Return the sum of numbers as a WrittenNumber: as text 2 + 3, and as value 5."""
    return _write_sum((str(number), number) for number in numbers)


def _write_sum_of_pairs(sizes: Iterable[int]) -> WrittenNumber:
    """Return the number of pairs within sets of these sizes: as text C(2) + C(3), and as value 1 + 3."""
    return _write_sum((f"C({size})", _count_pairs(size)) for size in sizes)


def _count_pairs(size: int) -> int:
    """Return the number of pairs that can be made of `size` things."""
    return size * (size - 1) // 2


def _format_count(count: int, what: str) -> str:
    """Return a count and its noun, with an s unless it is 1: "1 mention", "2 mentions"."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def _explain_fragments(picture: Picture) -> Steps:
    """Return a pair: a line for each entity with its fragments, and the Fraction that is the rate of all (MUC)."""
    lines, terms = [], []
    for entity, size in enumerate(picture.sizes):
        parts = [*picture.fragments[entity].values(), *([word] for word in picture.missing[entity])]
        counts = f"{_format_count(size, 'mention')}, {_format_count(len(parts), 'fragment')}"
        lines.append(f"{picture.name_entity(entity)}: {' '.join(map(format_set, parts))}  {counts}")
        terms.append((f"({size} - {len(parts)})", size - len(parts)))
    return lines, Fraction(_write_sum(terms), _write_sum((f"({size} - 1)", size - 1) for size in picture.sizes))


def _explain_credits(picture: Picture) -> Steps:
    """Return lines with the credit of mentions that two entities share, and beside them the fraction (B³)."""
    lines, terms = [], []
    for entity, size in enumerate(picture.sizes):
        for other, part in picture.fragments[entity].items():
            n = len(part)
            each = f"{n}/{size} each" if n > 1 else f"{n}/{size}"
            shared = f"{picture.name_entity(entity)} ∩ {picture.mirror.name_entity(other)} = {format_set(part)}"
            lines.append(f"{shared}: {each}, {n}²/{size} in all")
            terms.append((f"{n}²/{size}", n * n / size))
        missing = picture.missing[entity]
        if missing:
            lines.append(f"{picture.name_entity(entity)}: {format_set(missing)} in no entity of the other side: 0")
    return lines, Fraction(_write_sum(terms), _write_sum_of_numbers(picture.sizes))


def _explain_entity_credits(picture: Picture) -> Steps:
    """Return lines with each fragment's squared share in its entity, and the fraction by number of entities (B³)."""
    lines, terms = _list_squared_shares(picture)
    entities = len(picture.sizes)
    lines.append(f"divided by the number of entities: {entities}")
    return lines, Fraction(_write_sum(terms), WrittenNumber(str(entities), entities))


def _explain_printed_credits(picture: Picture) -> Steps:
    """Return lines with each fragment's squared share in its entity, and the fraction by all mentions (B³)."""
    lines, terms = _list_squared_shares(picture)
    lines.append(f"key and response have {_format_count(picture.union, 'mention')} together")
    return lines, Fraction(_write_sum(terms), WrittenNumber(str(picture.union), picture.union))


def _explain_key_entity_credits(_: Measure, picture: Picture) -> tuple[Steps, Steps]:
    """Return steps of recall by number of entities, and of precision with mentions weighted as for it (B³)."""
    lines, terms, weights = [], [], []
    for entity, size in enumerate(picture.sizes):
        for other, part in picture.fragments[entity].items():
            n, r = len(part), picture.mirror.sizes[other]
            shared = f"{picture.name_entity(entity)} ∩ {picture.mirror.name_entity(other)} = {format_set(part)}"
            lines.append(f"{shared}: {n}/{r} each, of which each weighs 1/{size}")
            terms.append((f"{n}²/({size}·{r})", n * n / (size * r)))
            weights.append((f"{n}/{size}", n / size))
    return _explain_entity_credits(picture), (lines, Fraction(_write_sum(terms), _write_sum(weights)))


def _list_squared_shares(picture: Picture) -> tuple[list[str], list[tuple[str, float]]]:
    """Return two lists: lines with the squared share of each fragment in its entity, and the terms of their sum."""
    lines, terms = [], []
    for entity, size in enumerate(picture.sizes):
        name = picture.name_entity(entity)
        for other, part in picture.fragments[entity].items():
            n = len(part)
            terms.append((f"({n}/{size})²", (n / size) ** 2))
            shared = f"{name} ∩ {picture.mirror.name_entity(other)} = {format_set(part)}"
            lines.append(f"{shared}: {n}/{size} of {name}, ({n}/{size})²")
    return lines, terms


def _explain_weighted_resolution(measure: Any, picture: Picture) -> tuple[Steps, Steps]:
    """Return steps of recall and of precision by LEA, where the importance of entities is not their size."""
    key, response, *_ = measure.find_importance(Views(picture.table, picture.rows))
    return _explain_resolution(picture, key.tolist()), _explain_resolution(picture.mirror, response.tolist())


def _explain_resolution(picture: Picture, importance: Sequence[float] | None = None) -> Steps:
    """Return lines with each entity's importance (None: its size) and its links found, and the fraction (LEA)."""
    weights = picture.sizes if importance is None else importance
    lines, terms = [], []
    for entity, (size, weight) in enumerate(zip(picture.sizes, weights, strict=True)):
        parts = picture.fragments[entity]
        if size > 1:
            links, counts = _count_pairs(size), [_count_pairs(len(part)) for part in parts.values()]
            there = _format_count(links, "link")
        else:
            links, counts = 1, [int(picture.mirror.sizes[other] == 1) for other in parts]
            there = "a link to itself"
        names = map(picture.mirror.name_entity, parts)
        shared = ", ".join(f"{count} in {name}" for name, count in zip(names, counts, strict=True))
        lines.append(f"{picture.name_entity(entity)}: importance {weight:g}, {there}: {shared or 'none found'}")
        found = " + ".join(map(str, counts)) or "0"
        terms.append((f"{weight:g}·{f'({found})' if len(counts) > 1 else found}/{links}", weight * sum(counts) / links))
    return lines, Fraction(_write_sum(terms), _write_sum((f"{weight:g}", weight) for weight in weights))


def _explain_cores(picture: Picture) -> Steps:
    """Return lines with the largest part of every entity, and beside them the fraction of the rate (core)."""
    lines, terms = [], []
    for entity, size in enumerate(picture.sizes):
        parts = picture.fragments[entity]
        other, part = max(parts.items(), key=lambda item: len(item[1]), default=(-1, picture.members[entity][:1]))
        where = f"in {picture.mirror.name_entity(other)}" if other >= 0 else "a mention by itself"
        largest = f"largest part {format_set(part)} {where}"
        lines.append(f"{picture.name_entity(entity)}: {_format_count(size, 'mention')}, {largest}")
        terms.append((f"({len(part)} - 1)", len(part) - 1))
    return lines, Fraction(_write_sum(terms), _write_sum((f"({size} - 1)", size - 1) for size in picture.sizes))


def _explain_largest_fragments(picture: Picture) -> Steps:
    """Return lines with the largest fragment of every entity, and beside them the fraction of the rate (purity)."""
    lines, terms = [], []
    for entity, size in enumerate(picture.sizes):
        parts = picture.fragments[entity]
        other, part = max(parts.items(), key=lambda item: len(item[1]), default=(-1, []))
        where = (
            f"most, {format_set(part)}, in {picture.mirror.name_entity(other)}" if part else "none on the other side"
        )
        lines.append(f"{picture.name_entity(entity)}: {_format_count(size, 'mention')}, {where}")
        terms.append(len(part))
    return lines, Fraction(_write_sum_of_numbers(terms), _write_sum_of_numbers(picture.sizes))


def _explain_exact_entities(picture: Picture) -> Steps:
    """Return lines with the entities that the other side has, too, and the fraction of all (exact entities)."""
    others = picture.mirror.sizes
    same = [
        (entity, other)
        for entity, size in enumerate(picture.sizes)
        for other, part in picture.fragments[entity].items()
        if len(part) == size == others[other]
    ]
    lines = [f"{picture.name_entity(entity)} = {picture.mirror.name_entity(other)}" for entity, other in same]
    entities = len(picture.sizes)
    return lines or ["no entity is the same on both sides"], Fraction(
        WrittenNumber(str(len(same)), len(same)), WrittenNumber(str(entities), entities)
    )


def _explain_twins(picture: Picture) -> Steps:
    """Return a line with this side's mentions without a twin, if any, and the fraction with one (mention detection)."""
    missing = [word for words in picture.missing for word in words]
    total, left = sum(picture.sizes), len(missing)
    lines = [f"only in {picture.letters[0]}: {format_set(missing)}"] if missing else []
    return lines, Fraction(WrittenNumber(f"{total} - {left}", total - left), WrittenNumber(str(total), total))


def _explain_links(picture: Picture) -> Steps:
    """Return a line with the links of this side if they are few, and beside it the fraction (pairwise links)."""
    shared = (len(part) for parts in picture.fragments for part in parts.values())
    return list(_list_links_of_kind("C", picture)), Fraction(
        _write_sum_of_pairs(shared), _write_sum_of_pairs(picture.sizes)
    )


def list_link_lines(picture: Picture) -> list[str]:
    """Return a list with a line for each set of links, by side and kind (BLANC); none for large and empty sets."""
    return [line for side in (picture, picture.mirror) for kind in "CN" for line in _list_links_of_kind(kind, side)]


def _list_links_of_kind(kind: str, picture: Picture) -> Iterator[str]:
    """Yield one line with this side's coreference (C) or non-coreference links (N); nothing if many or none."""
    linked, pairs = sum(map(_count_pairs, picture.sizes)), _count_pairs(sum(picture.sizes))
    if kind == "C" and linked <= _LINKS:
        links = [pair for words in picture.members for pair in combinations(words, 2)]
    elif kind == "N" and pairs - linked <= _LINKS and pairs <= 2 * _LINKS:
        entities = combinations(picture.members, 2)
        links = [(word, other) for words, others in entities for word in words for other in others]
    else:
        return
    if links:
        between = "" if all(len(word) == 1 for link in links for word in link) else "–"
        yield f"{kind}({picture.letters[0]}) = {format_set([between.join(link) for link in links])}"


def _explain_alignment(measure: Any, picture: Picture) -> tuple[Steps, Steps]:
    """Return steps of recall, with lines for all similarities, and of precision, a fraction only (CEAF)."""
    found = measure.compare_all(Views(picture.table, picture.rows, recall_sets=picture.sets))
    best = set(alignment.find_best(found.key, found.response, found.similarity).tolist())
    worth = [None] * len(found.key) if measure.derivation != "aligned entities" else picture.sets.cells.worth.tolist()
    lines, terms = [], []
    alone = {picture.name_entity(i): None for i in range(len(picture.sizes))}
    alone |= {picture.mirror.name_entity(j): None for j in range(len(picture.mirror.sizes))}
    columns = (column.tolist() for column in (found.key, found.response, found.similarity))
    for cell, (i, j, weight, n) in enumerate(zip(*columns, worth, strict=True)):
        term = text = f"{weight:g}"
        if n is not None:
            term = f"{weight:.4f}"
            text = f"2·{n:g} / ({picture.sizes[i]} + {picture.mirror.sizes[j]}) = {term}"
        one, other = picture.name_entity(i), picture.mirror.name_entity(j)
        lines.append(f"φ({one}, {other}) = {text}{'   aligned' if cell in best else ''}")
        if cell in best:
            terms.append((term, weight))
            del alone[one], alone[other]
    if alone:
        lines.append(f"not aligned: {', '.join(alone)}")
    above = _write_sum(terms)
    recall, precision = (
        Fraction(above, _write_sum((f"{value:g}", value) for value in own.tolist()))
        for own in (found.key_own, found.response_own)
    )
    return (lines, recall), ([], precision)


def _explain_exclusive_cores(_: Measure, picture: Picture) -> tuple[Steps, Steps]:
    """Return steps of recall, with lines for who takes whom, and of precision, a fraction only (exclusive core)."""
    table, others = picture.table, picture.mirror
    cells = np.flatnonzero(find_taken(table)).tolist()
    cell_of = {int(table.cells.key[cell]): cell for cell in cells}
    lines, right, wrong = [], [], []
    for entity in np.argsort(-table.key.size, kind="stable").tolist():
        begins = f"{picture.name_entity(entity)}, {_format_count(picture.sizes[entity], 'mention')}, takes"
        if entity in cell_of:
            cell = cell_of[entity]
            n, r = int(table.n[cell]), int(table.r[cell])
            lines.append(
                f"{begins} {picture.mirror.name_entity(int(table.cells.response[cell]))}: {n} right, {r - n} wrong"
            )
            right.append(n)
            wrong.append(r - n)
        elif picture.missing[entity]:
            alone = format_set(picture.missing[entity][:1])
            lines.append(f"{begins} {alone}, which the response lacks: 1 right, 0 wrong")
            right.append(1)
        else:
            lines.append(f"{begins} nothing: those that share mentions with it are taken")
    for entity in sorted({*range(len(others.sizes))} - {*table.cells.response[cells].tolist()}):
        if others.missing[entity]:
            alone, rest = format_set(others.missing[entity][:1]), others.sizes[entity] - 1
            lines.append(f"{others.name_entity(entity)} goes to {alone}, which the key lacks: 1 right, {rest} wrong")
            right.append(1)
            wrong.append(rest)
    whole = WrittenNumber(str(picture.union), picture.union)
    errors = _write_sum_of_numbers(wrong)
    text = f"{whole.text} - ({errors.text})" if len(wrong) > 1 else f"{whole.text} - {errors.text}"
    recall = Fraction(_write_sum_of_numbers(right), whole)
    return (lines, recall), ([], Fraction(WrittenNumber(text, whole.value - errors.value), whole))


def _explain_entropy(_: Measure, picture: Picture) -> tuple[Steps, Steps]:
    """Return steps of recall and of precision: lines with entropies, and the fractions made of them."""
    (key, key_given), (response, response_given) = map(_write_entropies, (picture, picture.mirror))

    def make_entropy_fraction(side: str, other: str, h: WrittenNumber, given: WrittenNumber) -> Fraction:
        """Return as a Fraction the share of a side's entropy H that is gone when the other side is given."""
        difference = WrittenNumber(f"{h.value:.4f} - {given.value:.4f}", h.value - given.value)
        symbols = f"(H({side}) - H({side}|{other})) / H({side})"
        return Fraction(difference, WrittenNumber(f"{h.value:.4f}", h.value), picture.union, symbols)

    first = [key.text, response.text, "", response_given.text]
    return (
        (first, make_entropy_fraction("R", "K", response, response_given)),
        ([key_given.text], make_entropy_fraction("K", "R", key, key_given)),
    )


def _write_entropies(picture: Picture) -> tuple[WrittenNumber, WrittenNumber]:
    """Return two numbers, each written as an equation: this side's entropy, and its entropy given the other side."""
    one, other = picture.letters[0], picture.letters[1]
    missing, extra = (sum(map(len, side.missing)) for side in (picture, picture.mirror))
    sizes = Counter([*picture.sizes, *[1] * extra])
    own = [(count, size, picture.union) for size, count in sorted(sizes.items(), reverse=True)]
    # A mention that this side lacks is a singleton of it, and one that the other lacks is a singleton there: log 1 = 0.
    parts = Counter(zip(picture.table.n.tolist(), picture.table.r.tolist(), strict=True))
    parts.update((1, r) for r, words in zip(picture.mirror.sizes, picture.mirror.missing, strict=True) for _ in words)
    parts.update([(1, 1)] * missing)
    given = [(count, n, r) for (n, r), count in sorted(parts.items(), reverse=True) if n != r]
    return _write_entropy(f"H({one})", own, picture.union), _write_entropy(f"H({one}|{other})", given, picture.union)


def _write_entropy(name: str, terms: Sequence[tuple[int, int, int]], whole: int) -> WrittenNumber:
    """Return -Σ count · n/whole · log(n/of) over (count, n, of) as a WrittenNumber, its text an equation."""
    written = [f"{_format_factor(count)}{n}/{whole}·log({n}/{of})" for count, n, of in terms]
    value = float(-sum(count * n / whole * np.log(n / of) for count, n, of in terms)) if whole else 0.0
    return WrittenNumber(f"{name} = {f'-({format_sum(written)})' if written else '0'} = {value:.4f}", value)


def _format_factor(count: int) -> str:
    """Return "3·" for 3, and "" for 1."""
    return f"{count}·" if count > 1 else ""


_TWINLESS = {
    "stoyanov_all": ("a mention that one side lacks counts as resolved to itself",) * 2,
    "stoyanov0": ("spurious mentions are dropped",) * 2,
    "rahman_ng": ("response singletons that the key lacks are dropped",) * 2,
    "cai_strube": (
        "mentions that only the response has are dropped, those that only the key has are singletons of the response",
        "response singletons that the key lacks are dropped, its other twinless mentions are singletons of the key",
    ),
}
"""How mentions without a twin are treated, for recall and for precision."""


def _explain_rewritten_credits(measure: Any, picture: Picture) -> tuple[Steps, Steps]:
    """Return steps of recall and of precision by B³ on tables that `twinless` rewrites: lines by sizes of cells."""
    recall, precision = REWRITES[measure.twinless](picture.table)
    steps = []
    for table, own, other, change in zip(
        (recall, precision.mirror), ("key", "response"), ("response", "key"), _TWINLESS[measure.twinless], strict=True
    ):
        lines, terms = [f"{change}:"], []
        cells = Counter(zip(table.n.tolist(), table.k.tolist(), table.r.tolist(), strict=True))
        for (n, k, r), count in cells.items():
            shared = f"{_format_count(n, 'mention')} of a {own} entity of {k} in a {other} entity of {r}"
            lines.append(f"{shared}: {n}²/{k}{f', {count} times' if count > 1 else ''}")
            terms.append((f"{_format_factor(count)}{n}²/{k}", count * n * n / k))
        steps.append((lines, Fraction(_write_sum(terms), _write_sum_of_numbers(table.key.size.tolist()))))
    return steps[0], steps[1]


def _derive_pair_counts(_: Measure, picture: Picture) -> CountSteps:
    """Return a line that defines C(x), and beside it the Rand index's counts of pairs as written sums."""
    sizes = {
        "all_pairs": [picture.union],
        "key_pairs": picture.sizes,
        "response_pairs": picture.mirror.sizes,
        "common_pairs": picture.table.n.tolist(),
    }
    counts = {name: _write_sum_of_pairs(size for size in each if size > 1) for name, each in sizes.items()}
    return ["C(x) = x (x - 1) / 2"], counts


def _derive_size_pair_counts(_: Measure, picture: Picture) -> CountSteps:
    """Return a line that defines C(x), and beside it the pairs within cells, key and response entities as sums."""
    lines, pairs = _derive_pair_counts(_, picture)
    return lines, {name: pairs[f"{name}_pairs"] for name in ("common", "key", "response")}


def _derive_information_counts(_: Measure, picture: Picture) -> CountSteps:
    """Return no lines, and beside them Σ x log x of key entities, response entities and cells as written sums."""
    sizes = {"key": picture.sizes, "response": picture.mirror.sizes, "common": picture.table.n.tolist()}
    counts = {
        name: _write_sum(
            (f"{_format_factor(times)}{size}·log({size})", times * x_log_x(size))
            for size, times in sorted(Counter(each).items(), reverse=True)
            if size > 1
        )
        for name, each in sizes.items()
    }
    return [], counts


def _derive_information_above_chance(measure: Measure, picture: Picture) -> CountSteps:
    """Return lines with what entities of two sizes have in common by chance, and the counts with their sum (AMI)."""
    key, response = (sorted(Counter(each.sizes).items(), reverse=True) for each in (picture, picture.mirror))
    columns = ([*pairs[:3], expect_shared(pairs)] for pairs in list_pairs(key, response, picture.union))
    rows = [row for part in columns for row in zip(*(column.tolist() for column in part), strict=True)]
    lines = [
        f"by chance, an entity of {k:.0f} and one of {r:.0f}, of {_format_count(picture.union, 'mention')}: "
        f"n·log(n) is {mean:.6f} on average"
        for k, r, _, mean in rows[:_TERMS]
    ]
    total = _write_sum((f"{_format_factor(int(times))}{mean:.6f}", times * mean) for _, _, times, mean in rows)
    return lines, _derive_information_counts(measure, picture)[1] | {"expected": total}


def _derive_largest_fragments(_: Measure, picture: Picture) -> CountSteps:
    """Return a line on mentions that one side lacks, and sums of the largest fragments of both sides (van Dongen)."""
    counts = {}
    for name, side in (("key", picture), ("response", picture.mirror)):
        largest = [max(map(len, parts.values()), default=1) for parts in side.fragments]
        counts[name] = _write_sum_of_numbers([*largest, *[1] * sum(map(len, side.mirror.missing))])
    return ["largest fragments of entities; a mention that one side lacks is a singleton there"], counts


def _derive_pieces(_: Measure, picture: Picture) -> CountSteps:
    """Return a line on mentions that one side lacks, and numbers of entities and cells as sums (Talburt-Wang)."""
    missing, extra = (sum(map(len, side.missing)) for side in (picture, picture.mirror))
    terms = {
        "key": (len(picture.sizes), extra),
        "response": (len(picture.mirror.sizes), missing),
        "pieces": (sum(map(len, picture.fragments)), missing, extra),
    }
    lines = ["entities, and pairs of them that share mentions; a mention that one side lacks is a singleton there"]
    return lines, {name: _write_sum_of_numbers(each) for name, each in terms.items()}


def _derive_spanning_link_counts(_: Measure, picture: Picture) -> CountSteps:
    """Return no lines, and beside them WrittenNumbers of kappa's counts by name: MUC's three, and `possible`."""
    sizes = {"common": picture.table.n.tolist(), "key": picture.sizes, "response": picture.mirror.sizes}
    counts = {name: _write_sum((f"({size} - 1)", size - 1) for size in each) for name, each in sizes.items()}
    return [], counts | {"possible": WrittenNumber(f"{picture.union} - 1", max(picture.union - 1, 0))}


def _derive_size_differences(measure: Measure, picture: Picture) -> CountSteps:
    """Return lines with both sides' sorted entity sizes, and beside them their distance or shift and its maximum."""
    # Mentions that a side lacks are singletons of it.
    ours, theirs = (
        sorted([*side.sizes, *[1] * sum(map(len, side.mirror.missing))], reverse=True)
        for side in (picture, picture.mirror)
    )
    lines = [
        f"sizes in the {name}: {format_sum(list(map(str, sizes))).replace(' + ', ', ')}"
        for name, sizes in (("key", ours), ("response", theirs))
    ]
    sizes, whole = list(zip_longest(ours, theirs, fillvalue=0)), picture.union
    if measure.derivation == "sorted sizes":
        distance = _write_sum((f"|{r} - {k}|", abs(r - k)) for k, r in sizes)
        return lines, {"distance": distance, "largest": WrittenNumber(f"2·({whole} - 1)", 2 * max(whole - 1, 0))}
    shift = _write_sum((f"{place}·({r} - {k})", place * (r - k)) for place, (k, r) in enumerate(sizes, 1))
    return lines, {"shift": shift, "largest": WrittenNumber(f"{whole}·{max(whole - 1, 0)}/2", _count_pairs(whole))}


def _derive_anaphor_counts(measure: Any, picture: Picture) -> CountSteps:
    """Return no lines, and WrittenNumbers (sizes of sets) of true, wrong, missed, false, resolved and all anaphors."""
    found = measure.resolve_anaphors(picture.rows)
    chosen = {
        "true": found.true,
        "wrong": found.wrong,
        "missed": found.missed,
        "resolved": found.true,
        "anaphors": found.true | found.wrong | found.missed,
    }
    counts = {name: _write_set_size(compress(picture.words, which)) for name, which in chosen.items()}
    return [], counts | {"false": _write_set_size(compress(picture.mirror.words, found.false))}


def _derive_pronoun_counts(measure: Any, picture: Picture) -> CountSteps:
    """Return lines with every pronoun's names and nominals in both its entities, and the counts as sets and sums."""
    found, rows = measure.resolve_pronouns(picture.rows), picture.rows
    noun = require_types(measure, rows)[0].find_any_of("name", "nominal").tolist()
    key, response = rows.key.entity.tolist(), np.append(rows.response.entity, -1)[rows.find_twins()[0]].tolist()
    lines = []
    for row in np.flatnonzero(found.pronouns).tolist():
        here, there = key[row], response[row]
        right = [picture.words[other] for other in np.flatnonzero(rows.key.entity == here).tolist()
                 if noun[other] and response[other] == there >= 0]  # fmt: skip
        place = f" and {picture.mirror.name_entity(there)}" if there >= 0 else ", not in the response"
        shared = f": {format_set(right)}" if right else "" if there < 0 else ": no name or nominal in both"
        lines.append(f"{picture.words[row]} in {picture.name_entity(here)}{place}{shared}")
    sets = {
        "resolved": compress(picture.words, found.resolved),
        "pronouns": compress(picture.words, found.pronouns),
        "attempted": compress(picture.mirror.words, found.attempted),
    }
    sums = {
        "right_antecedents": found.right_antecedents[found.attempted],
        "antecedents": found.antecedents[found.attempted],
    }
    return lines, {name: _write_set_size(words) for name, words in sets.items()} | {
        name: _write_sum_of_numbers(numbers.tolist()) for name, numbers in sums.items()
    }


def _write_set_size(words: Iterable[str]) -> WrittenNumber:
    """Return the number of words as a WrittenNumber, its text the size of a set: |{a, b}|."""
    listed = list(words)
    return WrittenNumber(f"|{format_set(listed)}|", len(listed))


def _derive_words_in_common(measure: Any, picture: Picture) -> CountSteps:
    """Return lines with the words in common of aligned mentions, and beside them their sum as numerators (MOR)."""
    pairs = list(zip(*(column.tolist() for column in measure.align_mentions(picture.rows)), strict=True))
    ours, theirs = picture.words, picture.mirror.words
    lines = ["words (or characters) in common of the mentions that are aligned:"] if pairs else []
    lines += [f"{ours[k]} – {theirs[r]}: {words}" for k, r, words in pairs]
    total = _write_sum_of_numbers(words for _, _, words in pairs)
    return lines, {"recall_numerator": total, "precision_numerator": total}


def _derive_named_entities(measure: Any, picture: Picture) -> CountSteps:
    """Return lines with which entities with a name are found, and beside them the counts as written sums (NEC)."""
    named, (key, response, n) = nec.find_named(measure, picture.table, picture.rows)
    k, r = picture.table.key.size[key], picture.table.response.size[response]
    best = alignment.find_best(key, response, 2 * n / (k + r))
    cells = list(zip(*(column[best].tolist() for column in (key, response, n, k, r)), strict=True))
    lines = [
        f"{picture.name_entity(i)} has a name, and {picture.mirror.name_entity(j)}, "
        f"with {_format_count(n, 'mention')} of it, stands for it"
        for i, j, n, _, _ in cells
    ]
    names, found = (
        [picture.name_entity(i) for i in each] for each in (np.flatnonzero(named).tolist(), key[best].tolist())
    )
    alone = [name for name in names if name not in found]
    lines += [f"{', '.join(alone)}: a name, and no entity that stands for it"] if alone else []
    return lines, {
        "recall": _write_sum((f"{n}/{k}", n / k) for _, _, n, k, _ in cells),
        "precision": _write_sum((f"{n}/{r}", n / r) for _, _, n, _, r in cells),
        "f1": _write_sum((f"2·{n}/({k} + {r})", 2 * n / (k + r)) for _, _, n, k, r in cells),
        "entities": _write_set_size(names),
        "found": _write_set_size(found),
    }


_SAME_STEPS: dict[str, Callable[[Picture], Steps]] = {
    "twins": _explain_twins,
    "fragments": _explain_fragments,
    "credits": _explain_credits,
    "entity credits": _explain_entity_credits,
    "printed credits": _explain_printed_credits,
    "resolution": _explain_resolution,
    "links": _explain_links,
    "cores": _explain_cores,
    "largest fragments": _explain_largest_fragments,
    "exact entities": _explain_exact_entities,
}
"""The steps of recall by derivation; those of precision are the same with key and response in each other's place."""

_OWN_STEPS: dict[str, Callable[[Any, Picture], tuple[Steps, Steps]]] = {
    "rewritten credits": _explain_rewritten_credits,
    "key entity credits": _explain_key_entity_credits,
    "weighted resolution": _explain_weighted_resolution,
    "alignment": _explain_alignment,
    "aligned mentions": _explain_alignment,
    "aligned entities": _explain_alignment,
    "weighted alignment": _explain_alignment,
    "exclusive cores": _explain_exclusive_cores,
    "entropy": _explain_entropy,
}
"""The steps of recall and those of precision, by derivation."""

_COUNT_STEPS: dict[str, Callable[[Any, Picture], CountSteps]] = {
    "pairs": _derive_pair_counts,
    "pairs of sizes": _derive_size_pair_counts,
    "information": _derive_information_counts,
    "information above chance": _derive_information_above_chance,
    "padded fragments": _derive_largest_fragments,
    "pieces": _derive_pieces,
    "spanning links": _derive_spanning_link_counts,
    "sorted sizes": _derive_size_differences,
    "shifted sizes": _derive_size_differences,
    "anaphors": _derive_anaphor_counts,
    "pronouns": _derive_pronoun_counts,
    "aligned words": _derive_words_in_common,
    "named entities": _derive_named_entities,
}
"""What counts are made of, by derivation."""
