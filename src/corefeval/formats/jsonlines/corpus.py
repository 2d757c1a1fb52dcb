"""Lines as a corpus: all documents at once, so that nothing is done word by word."""

from __future__ import annotations

from itertools import chain, repeat
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Spans
from corefeval.formats.jsonlines.contents import build_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from corefeval._arrays import Ints
    from corefeval.formats.jsonlines.contents import LineContent
    from corefeval.formats.jsonlines.entities import LineEntities
    from corefeval.formats.shared.diagnostics import Diagnostics

_UNKNOWN = 2**62  # the length of a document whose words are not known
_NO_WORDS = np.zeros(0, dtype=np.int64)
_AT_ONCE = 1 << 22  # words whose place in a tree is looked at together


class DocumentLine(NamedTuple):
    """A document: its line and name, what it says, and whether the ends of its mentions are part of them."""

    number: int
    name: str | None
    content: LineContent
    entities: LineEntities
    included: bool


def build_corpus(lines: Sequence[DocumentLine], diagnostics: Diagnostics) -> Corpus:
    """Put lines together; raises an error if anything is wrong with them or was found wrong before."""
    _check_units(lines, diagnostics)
    each = [line.entities for line in lines]
    entity_document = np.repeat(np.arange(len(lines)), [len(entities.names) for entities in each])
    sizes = np.array(list(chain.from_iterable(entities.sizes for entities in each)), dtype=np.int64)
    entity = np.repeat(np.arange(len(entity_document)), sizes)
    document = entity_document[entity]
    counts = np.bincount(document, minlength=len(lines)).tolist()
    starts, ends = [entities.starts for entities in each], [entities.ends for entities in each]
    spans = _find_spans(lines, document, starts, ends, "mention", diagnostics)
    heads = _find_parts(lines, document, [entities.heads for entities in each], counts, "head", diagnostics)
    minimums = _find_parts(lines, document, [entities.minimums for entities in each], counts, "minimum", diagnostics)
    known = None
    if lines[0].content.unit == "word":
        known = build_tokens([line.content for line in lines], [line.number for line in lines], diagnostics)
    diagnostics.raise_faults()
    words = _convert_to_words(lines, document, spans)
    _report_empty(lines, diagnostics)
    read = Corpus(
        tuple(line.name or "" for line in lines),
        entity_document,
        list(chain.from_iterable(entities.names for entities in each)),
        entity,
        words,
        known,
        texts=_list_texts(lines),
        source=diagnostics.source,
        lines=np.array([line.number for line in lines], dtype=np.int64)[document],
        attributes=_merge_attributes([entities.attributes for entities in each], counts),
        entity_attributes=_merge_attributes(
            [entities.entity_attributes for entities in each], [len(entities.names) for entities in each]
        ),
        heads=_find_heads(lines, document, words) if heads is None else heads,
        minimums=minimums,
    )
    if words is not spans:
        read = _drop_wordless(read, spans, diagnostics)
    return read.replace(notices=diagnostics.limit_notices())


def _check_units(lines: Sequence[DocumentLine], diagnostics: Diagnostics) -> None:
    for line in lines:
        if line.content.unit != lines[0].content.unit:
            what = f"mentions are counted in {line.content.unit}s, but in {lines[0].content.unit}s on line "
            diagnostics.add_fault(
                line.number, f"{what}{lines[0].number}", "the same on all lines", "use a file for each"
            )


def _find_spans(
    lines: Sequence[DocumentLine],
    document: Ints,
    starts: Iterable[Sequence[int]],
    ends: Iterable[Sequence[int]],
    what: str,
    diagnostics: Diagnostics,
) -> Spans:
    """First and last place of every mention; those that are not within their document are faults."""
    start, end = (np.concatenate([np.array(each, dtype=np.int64) for each in side]) for side in (starts, ends))
    end -= np.array([not line.included for line in lines], dtype=np.int64)[document]
    length = np.array([_get_length(line) for line in lines], dtype=np.int64)[document]
    outside = np.flatnonzero((start < 0) | (end < start) | (end >= length)).tolist()
    if outside:
        pairs = list(zip(chain.from_iterable(starts), chain.from_iterable(ends), strict=True))
        for row in outside:
            _add_span_fault(lines[document[row]], list(pairs[row]), what, diagnostics)
    return Spans(start, end)


def _get_length(line: DocumentLine) -> int:
    return _UNKNOWN if line.content.length is None else line.content.length


def _add_span_fault(line: DocumentLine, pair: list[int], what: str, diagnostics: Diagnostics) -> None:
    unit = "sub-token" if line.content.word is not None else line.content.unit
    expected = f"start and end, counted from 0, the end {'included' if line.included else 'excluded'}"
    hint = ""
    if pair[1] < pair[0] or (pair[1] == pair[0] and not line.included):
        said = f"{what} {pair} of document {line.name!r} ends before it starts"
    else:
        said = f"{what} {pair} is not within the {_get_length(line)} {unit}s of document {line.name!r}"
    if line.included and pair[1] == _get_length(line):
        hint = "if ends are not part of mentions, read it as jsonlines:ends=excluded"
    if not line.included and pair[1] == pair[0]:
        hint = "if ends are part of mentions, read it as jsonlines:ends=included"
    diagnostics.add_fault(line.number, said, expected, hint, kind="mention-outside")


def _find_parts(
    lines: Sequence[DocumentLine],
    document: Ints,
    given: Sequence[Sequence[Sequence[int] | None]],
    counts: list[int],
    what: str,
    diagnostics: Diagnostics,
) -> Spans | None:
    """A part of every mention, where one is given."""
    if not any(given):
        return None
    listed = list(chain.from_iterable(part or repeat(None, count) for part, count in zip(given, counts, strict=True)))
    rows = np.array([row for row, part in enumerate(listed) if part is not None], dtype=np.int64)
    starts, ends = ([[part[side] for part in listed if part is not None]] for side in (0, 1))
    spans = _find_spans(lines, document[rows], starts, ends, what, diagnostics)
    if diagnostics.faults:
        return None
    spans = _convert_to_words(lines, document[rows], spans)
    start, end = (np.full(len(document), -1, dtype=np.int64) for _ in range(2))
    some = spans.start <= spans.end  # a part of sub-tokens that are no words is none
    start[rows[some]], end[rows[some]] = spans.start[some], spans.end[some]
    return Spans(start, end)


def _convert_to_words(lines: Sequence[DocumentLine], document: Ints, spans: Spans) -> Spans:
    """Spans of sub-tokens as spans of the words that these belong to."""
    maps = [_NO_WORDS if line.content.word is None else line.content.word for line in lines]
    if not any(map(len, maps)):
        return spans
    rows = np.flatnonzero(np.array([line.content.word is not None for line in lines])[document])
    begin = np.cumsum([0, *map(len, maps)])[document[rows]]
    first = last = np.concatenate(maps)
    if first.min() < 0:
        first = np.concatenate([_find_next_words(numbers) for numbers in maps])
        last = np.concatenate([np.maximum.accumulate(numbers) for numbers in maps])
    start, end = spans.start.copy(), spans.end.copy()
    start[rows], end[rows] = first[begin + start[rows]], last[begin + end[rows]]
    return Spans(start, end)


def _find_next_words(word: Ints) -> Ints:
    """The word of each sub-token, or of the next one that has one."""
    none = word.max(initial=0) + 1
    return np.minimum.accumulate(np.where(word < 0, none, word)[::-1])[::-1]


def _list_texts(lines: Sequence[DocumentLine]) -> tuple[str, ...] | None:
    return tuple(str(line.content.text) for line in lines) if lines[0].content.unit == "character" else None


def _find_heads(lines: Sequence[DocumentLine], document: Ints, spans: Spans) -> Spans | None:
    """The only word of a mention that depends on a word outside, else its last word, where trees are given."""
    trees = [line.content.parent for line in lines]
    if all(tree is None for tree in trees):
        return None
    parents = np.concatenate([_NO_WORDS if tree is None else tree for tree in trees])
    begin = np.cumsum([0, *(0 if tree is None else len(tree) for tree in trees)])[:-1]
    head = np.full(len(document), -1, dtype=np.int64)
    rows = np.flatnonzero(np.array([tree is not None for tree in trees])[document])
    length = spans.end - spans.start + 1
    for some in np.array_split(rows, int(length[rows].sum()) // _AT_ONCE + 1):
        owner = np.repeat(some, length[some])
        before = np.cumsum(length[some]) - length[some]
        word = np.arange(len(owner)) - np.repeat(before, length[some]) + spans.start[owner]
        parent = parents[begin[document[owner]] + word]
        on_top = (parent < spans.start[owner]) | (parent > spans.end[owner])
        count = np.bincount(owner[on_top], minlength=len(document))[some]
        last = np.zeros(len(document), dtype=np.int64)
        last[owner[on_top]] = word[on_top]
        head[some] = np.where(count == 1, last[some], spans.end[some])
    return Spans(head, head)


def _merge_attributes(given: Iterable[Sequence[Mapping[str, str]]], counts: Sequence[int]) -> dict[str, list[str]]:
    """Further columns by name, "" where there is nothing."""
    given = list(given)
    if not any(given):
        return {}
    rows = list(chain.from_iterable(each or repeat({}, count) for each, count in zip(given, counts, strict=True)))
    names = dict.fromkeys(chain.from_iterable(rows))
    return {name: [row.get(name, "") for row in rows] for name in names}


def _report_empty(lines: Sequence[DocumentLine], diagnostics: Diagnostics) -> None:
    for line in lines:
        for name in line.entities.empty:
            message = f"entity {name!r} of document {line.name!r} has no mentions and is left out"
            diagnostics.add_notice("empty-entity", line.number, message, document=line.name, entity=name)
    unknown = [line for line in lines if line.content.text is None]
    if unknown:
        message = f"the words of {len(unknown)} of {len(lines)} documents are not known, so none are kept"
        diagnostics.add_notice("unknown-words", unknown[0].number, message, count=len(unknown))


def _drop_wordless(read: Corpus, spans: Spans, diagnostics: Diagnostics) -> Corpus:
    """Leave out mentions of sub-tokens that are no words, and tell of those that have become the same."""
    words = read.mentions
    assert isinstance(words, Spans)  # noqa: S101 - the caller has made them
    none = words.start > words.end
    for row in np.flatnonzero(none).tolist():
        message = f"mention [{spans.start[row]}, {spans.end[row]}] has sub-tokens of no word and is left out"
        diagnostics.add_notice("mention-outside", read.line(row), message)
    length = words.end - words.start
    begin = read.document * (int(words.start.max(initial=0)) + 1) + words.start
    number = begin * (int(length.max(initial=0)) + 1) + length  # the same for the same words of a document
    order = np.argsort(number, kind="stable")
    order = order[~none[order]]
    same = np.diff(number[order]) == 0
    other = (np.diff(spans.start[order]) != 0) | (np.diff(spans.end[order]) != 0)
    for place in np.flatnonzero(same & other).tolist():
        one, two = (f"[{spans.start[row]}, {spans.end[row]}]" for row in order[place : place + 2].tolist())
        row = int(order[place])
        message = f"mentions {one} and {two} are the same words, {read.describe(row)}"
        diagnostics.add_notice("same-words", read.line(row), message, document=read.documents[read.document[row]])
    return read.keep(~none) if none.any() else read
