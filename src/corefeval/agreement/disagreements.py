"""Which mentions and entities annotators disagree on, the worst first, and how many have marked each mention."""

from __future__ import annotations

from collections import Counter
from itertools import compress

import numpy as np

from corefeval._arrays import Floats, Ints
from corefeval._lazy import LazySequence
from corefeval.agreement.alpha import Annotations, measure_distances, measure_masi, pair_marks
from corefeval.agreement.results import (
    Disagreements,
    MarkCounts,
    MentionPlace,
    OneSidedMention,
    SplitEntity,
    SplitMention,
)
from corefeval.corpus.corpus import Corpus

_ALIKE = 1e-12


def count_marks(annotations: Annotations) -> MarkCounts:
    """Return MarkCounts of documents with several annotators: how many mentions all, one, two ... have marked."""
    times = np.bincount(annotations.unit)
    everyone = annotations.possible_marks
    several = everyone > 1
    by = np.bincount(times[several])
    return MarkCounts(
        int(np.count_nonzero(several)),
        int(np.count_nonzero(several & (times == everyone))),
        int(np.count_nonzero(several & (times == 1))),
        {number: int(by[number]) for number in range(1, len(by)) if by[number]},
    )


def find_disagreements(annotations: Annotations, shown: int) -> Disagreements:
    """Return Disagreements: split mentions and entities, the worst first, and one-sided mentions, most marked first."""
    pairs = pair_marks(annotations)
    apart = measure_distances(annotations, pairs, measure_masi)
    mentions = _find_split_mentions(annotations.unit[pairs[0]], apart)
    count, size = len(annotations.unit), annotations.size
    total_apart, times = np.zeros(count), np.zeros(count, dtype=np.int64)
    for mark in pairs:
        total_apart += np.bincount(mark, weights=apart, minlength=count)
        times += np.bincount(mark, minlength=count)
    possible = annotations.possible_marks
    rivals = possible[annotations.unit] - 1
    # Who has the document and has not marked the mention is at distance 1.
    mean = np.divide(total_apart + (rivals - times), rivals, out=np.zeros(count), where=rivals > 0)
    total = np.bincount(annotations.entity, weights=mean, minlength=len(size)).astype(np.float64)
    order = np.lexsort((np.arange(len(total)), -size, -np.round(total, 9)))
    entities = order[total[order] > _ALIKE].tolist()
    # Mentions that not all annotators of their document have marked, those that most have marked first.
    marks = np.bincount(annotations.unit)
    units = np.flatnonzero(possible > marks)
    one_sided = units[np.argsort(-marks[units], kind="stable")].tolist()
    builder = _Builder(annotations, total)
    return Disagreements(
        LazySequence(builder.build_split_mention, mentions),
        LazySequence(builder.build_split_entity, entities),
        LazySequence(builder.build_one_sided_mention, one_sided),
        shown,
    )


def _find_split_mentions(units: Ints, apart: Floats) -> list[tuple[int, float]]:
    """Return a list of (mention's number, mean distance of its entities) where that is above 0, the largest first."""
    times = np.bincount(units, minlength=1)
    mean = np.divide(np.bincount(units, weights=apart, minlength=1), times, out=np.zeros(len(times)), where=times > 0)
    order = np.argsort(-mean, kind="stable")
    return [(unit, float(mean[unit])) for unit in order[mean[order] > _ALIKE].tolist()]


class _MarkGroups:
    """The marks that have each number, in their order: of the numbers [1, 0, 1], 0 has [1], and 1 has [0, 2]."""

    def __init__(self, number: Ints) -> None:
        self._order = np.argsort(number, kind="stable")
        self._bounds = np.cumsum(np.append(0, np.bincount(number, minlength=1)))

    def __getitem__(self, number: int) -> Ints:
        return self._order[self._bounds[number] : self._bounds[number + 1]]


class _Builder:
    """Makes the descriptions of what annotators disagree on.

    total: how far each entity's mentions are off, added up.
    """

    def __init__(self, annotations: Annotations, total: Floats) -> None:
        self._annotations, self._total = annotations, total
        self._names, self._corpora = annotations.aligned.names, annotations.aligned.corpora
        self._of_unit, self._of_entity = _MarkGroups(annotations.unit), _MarkGroups(annotations.entity)
        self._first = np.cumsum([0, *(len(corpus) for corpus in self._corpora)])  # marks of each annotator
        self._words: dict[int, str] = {}

    def build_split_mention(self, found: tuple[int, float]) -> SplitMention:
        """Return a SplitMention of a mention's number and of how far its entities are apart."""
        unit, distance = found
        marks = self._of_unit[unit].tolist()
        entities = {self._get_annotator_name(mark): self._list_other_mentions(mark) for mark in marks}
        return SplitMention(self._locate_mention(marks[0]), distance, entities)

    def build_one_sided_mention(self, unit: int) -> OneSidedMention:
        """Return a OneSidedMention of a mention's number: who of its document has marked it, and who has not."""
        annotations, marks = self._annotations, self._of_unit[unit].tolist()
        has_document = annotations.aligned.present[:, annotations.document[annotations.entity[marks[0]]]]
        marked = [self._get_annotator_name(mark) for mark in marks]
        not_marked = [name for name in compress(self._names, has_document) if name not in marked]
        return OneSidedMention(self._locate_mention(marks[0]), tuple(marked), tuple(not_marked))

    def build_split_entity(self, entity: int) -> SplitEntity:
        """Return a SplitEntity: an entity and, for each other annotator, its parts' sizes, how much is unmarked."""
        annotations, marks, total = self._annotations, self._of_entity[entity], float(self._total[entity])
        owner = int(annotations.annotator[marks[0]])
        units = dict.fromkeys(annotations.unit[marks].tolist())
        same_mentions = np.concatenate([self._of_unit[unit] for unit in units])
        others: dict[str, tuple[tuple[int, ...], int]] = {}
        for number, name in enumerate(self._names):
            if number != owner and annotations.aligned.present[number, annotations.document[entity]]:
                theirs = annotations.entity[same_mentions[annotations.annotator[same_mentions] == number]].tolist()
                others[name] = tuple(sorted(Counter(theirs).values(), reverse=True)), len(marks) - len(theirs)
        place = self._locate_mention(int(marks[0]))
        return SplitEntity(self._names[owner], place, len(marks), total, total / len(marks), others)

    def _get_annotator_name(self, mark: int) -> str:
        """Return the name of the annotator of a mark."""
        return self._names[int(self._annotations.annotator[mark])]

    def _find_corpus_row(self, mark: int) -> tuple[Corpus, int]:
        """Return two things: the corpus of a mark's annotator, and the mark's row in it."""
        annotator = int(self._annotations.annotator[mark])
        return self._corpora[annotator], mark - int(self._first[annotator])

    def _locate_mention(self, mark: int) -> MentionPlace:
        """Return the MentionPlace of a mark: document's name, line (None if unknown), words, or label without any."""
        corpus, row = self._find_corpus_row(mark)
        text = corpus.words_of(row)
        document = corpus.documents[int(corpus.document[row])]
        return MentionPlace(document, corpus.line(row), corpus.describe(row) if text is None else text)

    def _list_other_mentions(self, mark: int) -> tuple[str, ...]:
        """Return a tuple: the words (or label) of each other mention in the entity of a mark."""
        corpus, own = self._find_corpus_row(mark)
        order, start = corpus.by_entity
        entity, first = int(corpus.entity[own]), mark - own
        rows = order[start[entity] : start[entity + 1]].tolist()
        return tuple(self._describe_mention(corpus, row, first + row) for row in rows if row != own)

    def _describe_mention(self, corpus: Corpus, row: int, mark: int) -> str:
        """Return the words (or label) of a mention, given its mark, too; remembered, as they are needed many times."""
        words = self._words.get(mark)
        if words is None:
            words = self._words[mark] = corpus.words_of(row) or corpus.describe(row)
        return words
