"""Split antecedents in the measures: what each measure says about the antecedents enters its own formula.

For every pair of split antecedents of key and response, the measure scores their antecedents as if they were all the
entities there are. The pairs are aligned one to one so that their F1 is greatest in sum. An aligned pair is then a
mention that both sides share in part: as much as its recall in the measure's recall, as its precision in the precision,
and as its F1 where both have one numerator. Where equal antecedents give 0/0, as BLANC does, they are shared in full.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefeval._arrays import np
from corefeval.measures.rates import recall_precision_f

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefeval._arrays import Booleans, ByDocument, Columns, Floats, Ints
    from corefeval.measures.base import Measure
    from corefeval.overlap.cells import Cells
    from corefeval.overlap.side import Side
    from corefeval.overlap.split_antecedents import Parts, Splits
    from corefeval.overlap.table import Overlap

    Fraction = tuple[str, str, str, str]  # the columns of recall's and precision's numerators and denominators


class _Aligned(NamedTuple):
    """The pairs of the alignment, with what the measure says about their antecedents."""

    pairs: Ints
    recall: Floats
    precision: Floats
    f1: Floats


def shares(measure: Measure, table: Overlap, *, or_equal: bool = False) -> tuple[Overlap, Overlap]:
    """The tables for recall and for precision.

    or_equal: whether scorers find an equal split antecedent, in full, for one that the alignment leaves over.
    """
    splits = table.splits
    if splits is None:
        return table.for_recall, table.for_precision
    found = _aligned(splits, _counts(measure, splits.pairs), measure.antecedents[0])
    recall, precision = (found.pairs, found.recall), (found.pairs, found.precision)
    if or_equal and splits.same is not None:
        recall = _or_equal(splits.pair_key, splits.same, *recall)
        precision = _or_equal(splits.pair_response, splits.same, *precision)
    return (
        splits.shared(table, splits.mentions.for_recall.own, *recall),
        splits.shared(table, splits.mentions.for_precision.own, *precision),
    )


def _or_equal(side: Ints, same: Booleans, pairs: Ints, part: Floats) -> tuple[Ints, Floats]:
    """The pairs of an alignment, and for what these leave over, or share nothing of, the pair with its equal."""
    kept = part > 0
    others = np.flatnonzero(same & ~np.isin(side, side[pairs[kept]]))
    return np.concatenate([pairs[kept], others]), np.concatenate([part[kept], np.ones(len(others))])


def crossed(measure: Measure, table: Overlap) -> tuple[Floats, Floats] | None:
    """For every entity of key and response, the links of its mentions that a scorer does not count in full.

    Those that lead across its split antecedent, where such a scorer goes along a list.
    """
    splits = table.splits
    if splits is None or splits.crossed is None:
        return None
    found = _aligned(splits, _counts(measure, splits.pairs), measure.antecedents[0])
    lost = np.zeros(len(table.key.size)), np.zeros(len(table.response.size))
    sides = (splits.key, splits.pair_key, found.recall), (splits.response, splits.pair_response, found.precision)
    for each, links, (entity, pair, part) in zip(lost, splits.crossed, sides, strict=True):
        chosen = pair[found.pairs]
        each[entity[chosen]] = np.where(part > 0, 1 - part, 0) * links[chosen]
    return lost


def shared(measure: Measure, table: Overlap) -> Overlap:
    """The table for a numerator that recall and precision have in common, with entities compared as sets."""
    splits = table.splits
    return table if splits is None else parts(measure, table, splits, splits.mentions.members)[0]


def parts(measure: Measure, table: Overlap, splits: Splits, cells: Cells) -> list[Parts]:
    """Tables with these cells of mentions for all fractions that the measure consists of."""
    counts = _counts(measure, splits.pairs)
    found = [_aligned(splits, counts, fraction) for fraction in measure.antecedents]
    return [splits.shared(table, cells, each.pairs, each.f1) for each in found]


def alone(measure: Measure, table: Overlap, splits: Splits) -> Columns:
    """What the measure counts in the antecedents of aligned pairs, and in all antecedents of each side."""
    counts = _counts(measure, splits.pairs)
    key, response = _counts(measure, splits.key_alone), _counts(measure, splits.response_alone)
    found: Columns = {}
    for fraction in measure.antecedents:
        recall, wanted, precision, given = fraction
        pairs = _aligned(splits, counts, fraction).pairs
        owner = splits.key[splits.pair_key[pairs]]
        found[wanted] = _by_document(table.key, splits.key, key[wanted])
        found[given] = _by_document(table.response, splits.response, response[given])
        for name in (recall, precision):
            found[name] = _by_document(table.key, owner, counts[name][pairs])
    return found


def _counts(measure: Measure, table: Overlap) -> Mapping[str, Floats]:
    counts = measure.count_antecedents(table) if table.documents else {}
    empty = np.zeros(0)
    names = [name for fraction in measure.antecedents for name in fraction]
    return {name: np.atleast_1d(counts.get(name, empty)) for name in names}


def _aligned(splits: Splits, counts: Mapping[str, Floats], fraction: Fraction) -> _Aligned:
    found, wanted, right, given = (counts[name] for name in fraction)
    scores = recall_precision_f(found, wanted, right, given, 0, 1)
    same = splits.equal & (wanted == 0) & (given == 0)
    recall, precision, f1 = (np.where(same, 1.0, score) for score in scores)
    pairs = splits.aligned(f1)
    return _Aligned(pairs, recall[pairs], precision[pairs], f1[pairs])


def _by_document(side: Side, entity: Ints, values: Floats) -> ByDocument:
    column = np.zeros(len(side.size), dtype=values.dtype)
    column[entity] = values
    return side.sum(column)
