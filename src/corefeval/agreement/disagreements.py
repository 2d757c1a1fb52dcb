"""Which mentions and entities annotators disagree on, the worst first, and how many have marked each mention."""

from __future__ import annotations

from collections import Counter
from itertools import compress

import numpy as np

from corefeval._arrays import Floats, Ints
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
    of_unit, of_entity = _group_marks(annotations.unit), _group_marks(annotations.entity)
    words = [_list_words(corpus) for corpus in annotations.aligned.corpora] if mentions else []
    return Disagreements(
        tuple(
            _build_split_mention(annotations, of_unit[unit].tolist(), distance, words) for unit, distance in mentions
        ),
        tuple(_build_split_entity(annotations, of_entity[each], of_unit, float(total[each])) for each in entities),
        tuple(_build_one_sided_mention(annotations, of_unit[unit].tolist()) for unit in one_sided),
        shown,
    )


def _group_marks(number: Ints) -> list[Ints]:
    """Return the marks that have each number, in their order: [1, 0, 1] gives [[1], [0, 2]]."""
    return np.split(np.argsort(number, kind="stable"), np.cumsum(np.bincount(number, minlength=1))[:-1])


def _find_split_mentions(units: Ints, apart: Floats) -> list[tuple[int, float]]:
    """Return a list of (mention's number, mean distance of its entities) where that is above 0, the largest first."""
    times = np.bincount(units, minlength=1)
    mean = np.divide(np.bincount(units, weights=apart, minlength=1), times, out=np.zeros(len(times)), where=times > 0)
    order = np.argsort(-mean, kind="stable")
    return [(unit, float(mean[unit])) for unit in order[mean[order] > _ALIKE].tolist()]


def _build_split_mention(
    annotations: Annotations, marks: list[int], distance: float, words: list[list[str]]
) -> SplitMention:
    """Return a SplitMention, from a mention's marks: how far its entities are apart, and the other mentions of each.

    words: of each annotator's mentions.
    """
    entities = {
        _get_annotator_name(annotations, mark): _list_other_mentions(annotations, mark, words) for mark in marks
    }
    return SplitMention(_locate_mention(annotations, marks[0]), distance, entities)


def _build_one_sided_mention(annotations: Annotations, marks: list[int]) -> OneSidedMention:
    """Return a OneSidedMention, from a mention's marks: which annotators of its document have marked it, which not."""
    has_document = annotations.aligned.present[:, annotations.document[annotations.entity[marks[0]]]]
    marked = [_get_annotator_name(annotations, mark) for mark in marks]
    not_marked = [name for name in compress(annotations.aligned.names, has_document) if name not in marked]
    return OneSidedMention(_locate_mention(annotations, marks[0]), tuple(marked), tuple(not_marked))


def _build_split_entity(annotations: Annotations, marks: Ints, of_unit: list[Ints], total: float) -> SplitEntity:
    """Return a SplitEntity: an annotator's entity and, for each other one, sizes of its parts, how much is unmarked."""
    owner, entity = int(annotations.annotator[marks[0]]), int(annotations.entity[marks[0]])
    same_mentions = np.concatenate([of_unit[unit] for unit in dict.fromkeys(annotations.unit[marks].tolist())])
    others: dict[str, tuple[tuple[int, ...], int]] = {}
    for number, name in enumerate(annotations.aligned.names):
        if number != owner and annotations.aligned.present[number, annotations.document[entity]]:
            theirs = annotations.entity[same_mentions[annotations.annotator[same_mentions] == number]].tolist()
            others[name] = tuple(sorted(Counter(theirs).values(), reverse=True)), len(marks) - len(theirs)
    place = _locate_mention(annotations, int(marks[0]))
    return SplitEntity(annotations.aligned.names[owner], place, len(marks), total, total / len(marks), others)


def _get_annotator_name(annotations: Annotations, mark: int) -> str:
    """Return the name of the annotator of a mark."""
    return annotations.aligned.names[int(annotations.annotator[mark])]


def _find_corpus_row(annotations: Annotations, mark: int) -> tuple[Corpus, int]:
    """Return two things: the corpus of a mark's annotator, and the mark's row in it."""
    corpora, annotator = annotations.aligned.corpora, int(annotations.annotator[mark])
    return corpora[annotator], mark - sum(len(corpus) for corpus in corpora[:annotator])


def _locate_mention(annotations: Annotations, mark: int) -> MentionPlace:
    """Return the MentionPlace of a mark: document's name, line (None if unknown), and words, or label without any."""
    corpus, row = _find_corpus_row(annotations, mark)
    text = corpus.words_of(row)
    document = corpus.documents[int(corpus.document[row])]
    return MentionPlace(document, corpus.line(row), corpus.describe(row) if text is None else text)


def _list_words(corpus: Corpus) -> list[str]:
    """Return the words (or label) of each mention."""
    return [corpus.words_of(row) or corpus.describe(row) for row in range(len(corpus))]


def _list_other_mentions(annotations: Annotations, mark: int, words: list[list[str]]) -> tuple[str, ...]:
    """Return a tuple: the words (or label) of each other mention in the entity of a mark."""
    corpus, own = _find_corpus_row(annotations, mark)
    order, start = corpus.by_entity
    entity = int(corpus.entity[own])
    own_words = words[int(annotations.annotator[mark])]
    return tuple(own_words[row] for row in order[start[entity] : start[entity + 1]].tolist() if row != own)
