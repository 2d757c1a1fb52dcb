"""Which mentions and entities annotators split on, the worst first."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.agreement.alpha import distances, masi, pairs
from corefeval.agreement.results import OneSided, Placed, SplitEntity, SplitMention, Splits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval._arrays import Booleans, Floats, Ints
    from corefeval.agreement.alpha import Values
    from corefeval.corpus.corpus import Corpus

_ALIKE = 1e-12
_SHOWN = 5  # members of an entity beside the mention itself


class Annotations(NamedTuple):
    """All annotators on the same documents: names, corpora, what they say of every mention, and who has a document."""

    names: tuple[str, ...]
    corpora: tuple[Corpus, ...]
    values: Values
    present: Booleans

    @property
    def first_row(self) -> Ints:
        """Where each annotator's rows begin among all values."""
        return np.cumsum([0, *(len(corpus) for corpus in self.corpora)])

    def place(self, row: int) -> Placed:
        """Where the mention of a row of all values stands."""
        annotator = int(self.values.annotator[row])
        corpus, own = self.corpora[annotator], row - int(self.first_row[annotator])
        text = corpus.words_of(own)
        document = corpus.documents[int(corpus.document[own])]
        return Placed(document, corpus.line(own), corpus.describe(own) if text is None else text)

    def others(self, row: int) -> tuple[str, ...]:
        """Words of the mentions in the same entity as a row's, without that one."""
        annotator = int(self.values.annotator[row])
        corpus, start = self.corpora[annotator], int(self.first_row[annotator])
        order, bounds = corpus.by_entity
        entity = int(corpus.entity[row - start])
        rows = [each for each in order[bounds[entity] : bounds[entity + 1]].tolist() if each != row - start]
        shown = [corpus.words_of(each) or corpus.describe(each) for each in rows[:_SHOWN]]
        return (*shown, *([f"and {len(rows) - _SHOWN} more"] if len(rows) > _SHOWN else []))


def found(annotations: Annotations, worst: int) -> Splits:
    """The worst of each kind, and how many there are."""
    values = annotations.values
    met = pairs(values)
    far = distances(values, met, masi)
    count, one_sided = len(values.unit), _one_sided(annotations)
    off = np.bincount(met.one, weights=far, minlength=count) + np.bincount(met.other, weights=far, minlength=count)
    times = np.bincount(met.one, minlength=count) + np.bincount(met.other, minlength=count)
    mentions = _mentions(values, met.one, far)
    rivals = annotations.present.sum(axis=0)[values.document[values.entity]] - 1
    # Who has the document and has not marked the mention is as far off as can be.
    mean = np.divide(off + (rivals - times), rivals, out=np.zeros(count), where=rivals > 0)
    total = np.bincount(values.entity, weights=mean, minlength=len(values.size)).astype(np.float64)
    entities = _ordered(total, values.size)
    return Splits(
        tuple(_mention(annotations, unit, by) for unit, by in mentions[:worst]),
        tuple(_entity(annotations, entity, float(total[entity])) for entity in entities[:worst]),
        tuple(_marked(annotations, unit) for unit in one_sided[:worst]),
        len(mentions),
        len(entities),
        len(one_sided),
    )


def _mentions(values: Values, one: Ints, far: Floats) -> list[tuple[int, float]]:
    """Mentions with different values, and the mean distance of those, the furthest first."""
    units = values.unit[one]
    times = np.bincount(units, minlength=1)
    mean = np.divide(np.bincount(units, weights=far, minlength=1), times, out=np.zeros(len(times)), where=times > 0)
    order = np.argsort(-mean, kind="stable")
    return [(unit, float(mean[unit])) for unit in order[mean[order] > _ALIKE].tolist()]


def _ordered(total: Floats, size: Ints) -> list[int]:
    order = np.lexsort((np.arange(len(total)), -size, -np.round(total, 9)))
    kept: list[int] = order[total[order] > _ALIKE].tolist()
    return kept


def _one_sided(annotations: Annotations) -> list[int]:
    """Mentions that some who have their document have not marked: those that most have marked first."""
    values = annotations.values
    marks = np.bincount(values.unit)
    document = np.zeros(len(marks), dtype=np.int64)
    document[values.unit] = values.document[values.entity]
    missing = annotations.present.sum(axis=0)[document] - marks
    units = np.flatnonzero(missing > 0)
    ordered: list[int] = units[np.argsort(-marks[units], kind="stable")].tolist()
    return ordered


def _mention(annotations: Annotations, unit: int, disagreement: float) -> SplitMention:
    rows = np.flatnonzero(annotations.values.unit == unit).tolist()
    entities = {annotations.names[int(annotations.values.annotator[row])]: annotations.others(row) for row in rows}
    return SplitMention(annotations.place(rows[0]), disagreement, entities)


def _marked(annotations: Annotations, unit: int) -> OneSided:
    values = annotations.values
    rows = np.flatnonzero(values.unit == unit).tolist()
    here = annotations.present[:, int(values.document[values.entity[rows[0]]])]
    marked = [annotations.names[int(values.annotator[row])] for row in rows]
    missing = [name for name, has in zip(annotations.names, here.tolist(), strict=True) if has and name not in marked]
    return OneSided(annotations.place(rows[0]), tuple(marked), tuple(missing))


def _entity(annotations: Annotations, entity: int, total: float) -> SplitEntity:
    values = annotations.values
    rows = np.flatnonzero(values.entity == entity)
    owner = int(values.annotator[rows[0]])
    alike = np.flatnonzero(np.isin(values.unit, values.unit[rows]))
    others: dict[str, tuple[tuple[int, ...], int]] = {}
    for number, name in enumerate(annotations.names):
        if number != owner and annotations.present[number, values.document[entity]]:
            there = values.entity[alike[values.annotator[alike] == number]].tolist()
            others[name] = tuple(sorted(Counter(there).values(), reverse=True)), len(rows) - len(there)
    place = annotations.place(int(rows[0]))
    return SplitEntity(annotations.names[owner], place, len(rows), total, total / len(rows), others)


def numbers(twins: Sequence[tuple[int, int, Ints, Ints]], sizes: Sequence[int]) -> list[Ints]:
    """Numbers that are the same for what annotators have marked as the same mention.

    twins: for two annotators, the earlier one first, rows of theirs that are twins. A mention is that of the earliest
    annotator who has it; no annotator has one twice.
    """
    given = [np.full(size, -1, dtype=np.int64) for size in sizes]
    unused = 0
    for annotator, own in enumerate(given):
        for earlier, later, theirs, ours in twins:
            if later == annotator:
                number = given[earlier][theirs]
                free = (own[ours] < 0) & ~np.isin(number, own)
                own[ours[free]] = number[free]
        new = np.flatnonzero(own < 0)
        own[new] = unused + np.arange(len(new))
        unused += len(new)
    return given
