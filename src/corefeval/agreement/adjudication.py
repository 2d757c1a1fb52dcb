"""What annotators' disagreements are settled from: a list of all of them, and a draft by majority."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from corefeval._arrays import Ints
from corefeval.agreement.agreement import AnnotatorComparison
from corefeval.agreement.alpha import Annotations, measure_distances, measure_masi, pair_marks
from corefeval.agreement.results import Agreement
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import join_columns, join_optional_spans
from corefeval.corpus.tokens import join_tokens
from corefeval.corpus.union_find import UnionFind
from corefeval.errors import Fault, InputError
from corefeval.tables.writers import collect_columns, write_csv

COLUMNS = ("document", "place", "mention", "kind", "disagreement", "annotator", "marked", "line", "entity", "with")
_ALIKE = 1e-12


def write_disagreements(agreement: Agreement) -> str:
    """Return CSV text: for every mention that annotators disagree on, a row for each annotator of its document.

    Annotators that do not have the document have no row. place: the mention's first and last word (or character), from
    0; in the words of each annotator. entity, with: the name and the other mentions of the annotator's entity.
    """
    annotations = agreement.annotations
    pairs = pair_marks(annotations)
    apart = measure_distances(annotations, pairs, measure_masi)
    count = int(annotations.unit.max(initial=-1)) + 1
    times = np.bincount(annotations.unit[pairs[0]], minlength=count)
    total = np.bincount(annotations.unit[pairs[0]], weights=apart, minlength=count)
    mean = np.divide(total, times, out=np.zeros(count), where=times > 0)
    everywhere = np.bincount(annotations.unit, minlength=count) == annotations.possible_marks
    rows: list[tuple[object, ...]] = []
    for unit, marks in enumerate(_group_marks(annotations)):
        if everywhere[unit] and mean[unit] <= _ALIKE:
            continue
        kind = "different entities" if mean[unit] > _ALIKE else "not marked by all"
        distance = float(mean[unit]) if len(marks) > 1 else None
        first = _Mark.from_number(annotations, marks[0])
        of_annotator = {int(annotations.annotator[mark]): mark for mark in marks}
        present = annotations.aligned.present[:, int(annotations.document[annotations.entity[marks[0]]])]
        for number in np.flatnonzero(present).tolist():
            name = annotations.aligned.names[number]
            if number in of_annotator:
                own = _Mark.from_number(annotations, of_annotator[number])
                detail = ("yes", own.corpus.line(own.row), own.corpus.get_entity_name(own.row), own.list_others())
                rows.append((own.document, own.place, own.words, kind, distance, name, *detail))
            else:
                rows.append((first.document, first.place, first.words, kind, distance, name, "no", None, None, None))
    return write_csv(collect_columns(COLUMNS, rows))


def _group_marks(annotations: Annotations) -> list[list[int]]:
    """Return, for every mention by its number, the list of the numbers of its marks."""
    marks: list[list[int]] = [[] for _ in range(int(annotations.unit.max(initial=-1)) + 1)]
    for mark, unit in enumerate(annotations.unit.tolist()):
        marks[unit].append(mark)
    return marks


@dataclass(frozen=True, slots=True)
class _Mark:
    """A mention as one annotator has it: a row of that annotator's corpus."""

    corpus: Corpus
    row: int

    @classmethod
    def from_number(cls, annotations: Annotations, mark: int) -> _Mark:
        """Return a _Mark (corpus and row) for a number that counts through the marks of all annotators."""
        corpora, annotator = annotations.aligned.corpora, int(annotations.annotator[mark])
        return cls(corpora[annotator], mark - sum(len(corpus) for corpus in corpora[:annotator]))

    @property
    def document(self) -> str:
        """The name of the mention's document."""
        return self.corpus.documents[int(self.corpus.document[self.row])]

    @property
    def place(self) -> str:
        """The first and last word as "3-5", several runs with commas between; "" where mentions are no spans."""
        if self.corpus.unit == "label":
            return ""
        return ",".join(f"{first}-{last}" for first, last in self.corpus.own_spans.runs(self.row))

    @property
    def words(self) -> str:
        """The words of the mention as one text; its label where it has no words."""
        return _name_mention(self.corpus, self.row)

    def list_others(self) -> str:
        """Return one text: the words of the other mentions of this mention's entity, " | " between them."""
        order, start = self.corpus.by_entity
        entity = int(self.corpus.entity[self.row])
        rows = order[start[entity] : start[entity + 1]].tolist()
        return " | ".join(_name_mention(self.corpus, row) for row in rows if row != self.row)


def _name_mention(corpus: Corpus, row: int) -> str:
    """Return the words of the mention in a row, not shortened; its label or span as text where there are none."""
    words = corpus.words_of(row)
    return corpus.describe(row) if words is None else words


def draft_majority(agreement: Agreement | AnnotatorComparison) -> Corpus:
    """Return a corpus of what more than half of each document's annotators agree on; InputError if words differ.

    It has the mentions that more than half have marked. Two of them are linked if more than half put both into one
    entity; entities are what is linked, directly or through others. Documents that one annotator alone has are as they
    are there.
    """
    annotations = agreement.annotations
    possible = annotations.possible_marks
    units = np.flatnonzero(2 * np.bincount(annotations.unit, minlength=len(possible)) > possible)
    labels = np.full((len(possible), len(annotations.aligned.names)), -1, dtype=np.int64)
    labels[annotations.unit, annotations.annotator] = annotations.entity
    entity = _link_by_majority(labels[units], possible[units])
    # The row of each mention: that of its first annotator.
    first_mark = np.full(len(possible), len(annotations.unit), dtype=np.int64)
    np.minimum.at(first_mark, annotations.unit, np.arange(len(annotations.unit)))
    marks = first_mark[units]
    document = annotations.document[annotations.entity[marks]]
    _check_same_words(annotations, marks)
    return _build_draft(annotations, marks, document, entity)


def _link_by_majority(labels: Ints, possible: Ints) -> Ints:
    """Return an array: a number for each mention, equal for those that a majority links, directly or through others.

    labels: the entity of each mention (row) for each annotator, -1 where it is not marked; possible: how many
    annotators have its document.
    """
    # Mentions with the same entities everywhere are linked by all who mark them: only one of them is looked at.
    kinds, first, kind = np.unique(labels, axis=0, return_index=True, return_inverse=True)
    together: Counter[tuple[int, int]] = Counter()
    for column in kinds.T:
        of_entity: defaultdict[int, list[int]] = defaultdict(list)
        for number, entity in enumerate(column.tolist()):
            if entity >= 0:
                of_entity[entity].append(number)
        for numbers in of_entity.values():
            together.update(combinations(numbers, 2))
    sets = UnionFind(range(len(kinds)))
    for (one, other), times in together.items():
        if 2 * times > possible[first[one]]:
            sets.join(one, other)
    found = np.array([sets.find(number) for number in range(len(kinds))], dtype=np.int64)
    return found[kind.reshape(-1)]


def _check_same_words(annotations: Annotations, marks: Ints) -> None:
    """Raise an InputError if mentions of a document come from annotators whose words (or texts) of it differ."""
    aligned = annotations.aligned
    faults = []
    for number, name in enumerate(aligned.document_names):
        here = marks[annotations.document[annotations.entity[marks]] == number]
        sources = {int(np.argmax(aligned.present[:, number])), *np.unique(annotations.annotator[here]).tolist()}
        contents = {source: _get_content(aligned.corpora[source], number) for source in sorted(sources)}
        one, *others = contents.items()
        for source, content in others:
            if content != one[1]:
                who = f"{aligned.names[one[0]]} and {aligned.names[source]}"
                what = f"{who} have different words in document {name!r}"
                file = aligned.corpora[source].file(number)
                faults.append(Fault(file, what, "the same words for a draft", "bring the files to one tokenisation"))
    if faults:
        raise InputError(faults)


def _get_content(corpus: Corpus, document: int) -> object:
    """Return the words of a document, or its text if it has no words; None where neither is known."""
    if corpus.tokens is not None:
        bounds = corpus.tokens.bounds
        return corpus.tokens.words(document, 0, int(bounds[document + 1] - bounds[document]) - 1)
    return None if corpus.texts is None else corpus.texts[document]


def _build_draft(annotations: Annotations, marks: Ints, document: Ints, entity: Ints) -> Corpus:
    """Return a corpus of these marks in these numbers of entities, which are named "1", "2" ... in every document."""
    corpora, present = annotations.aligned.corpora, annotations.aligned.present
    before = np.cumsum([0, *(len(corpus) for corpus in corpora)])
    order = np.argsort(marks, kind="stable")  # annotator by annotator, as columns are joined
    rows = [marks[order][annotations.annotator[marks[order]] == n] - before[n] for n in range(len(corpora))]
    width = int(entity.max(initial=0)) + 1
    fused, number = np.unique((document * width + entity)[order], return_inverse=True)
    entity_document = fused // width
    place = np.arange(len(fused)) - np.searchsorted(entity_document, entity_document)
    bases = [corpora[int(np.argmax(present[:, each]))] for each in range(len(annotations.aligned.document_names))]
    in_words = all(base.tokens is not None for base in bases)
    in_text = all(base.texts is not None for base in bases)
    heads = [
        None if corpus.heads is None else corpus.heads.take(own) for corpus, own in zip(corpora, rows, strict=True)
    ]
    tokens = [base.tokens.select_documents([each]) for each, base in enumerate(bases) if base.tokens is not None]
    return Corpus(
        annotations.aligned.document_names,
        entity_document,
        [str(each + 1) for each in place.tolist()],
        number.reshape(-1),
        join_columns([corpus.mentions.take(own) for corpus, own in zip(corpora, rows, strict=True)]),
        join_tokens(tokens) if in_words and tokens else None,
        texts=tuple(_get_texts(bases)) if in_text else None,
        heads=join_optional_spans(heads, [len(own) for own in rows]),
        source="majority",
        format=corpora[0].format,
        of_records=corpora[0].of_records,
    )


def _get_texts(bases: Sequence[Corpus]) -> list[str]:
    """Return a list: the text of document 0 in the first corpus, of document 1 in the second, and so on."""
    return [base.texts[number] for number, base in enumerate(bases) if base.texts is not None]
