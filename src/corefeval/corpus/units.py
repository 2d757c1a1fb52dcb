"""A corpus counted in other units: words, characters, words divided in another way, words without zeros."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from corefeval._arrays import Booleans, Ints, np
from corefeval._lazy import NamedTuple
from corefeval.corpus.beyond_identity import Relation
from corefeval.corpus.mentions import Pieces, Spans, as_spans, get_runs, join_runs, to_mention
from corefeval.corpus.tokens import Tokens

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus

_WORD = r"\w+|[^\w\s]"
NOWHERE = -2  # -1 is the end of a run before the first word
_NONE = -1


class NewPlaces(NamedTuple):
    """For every word (or character) of a document: where a run that begins or ends with it begins or ends now.

    A run that begins behind its end is gone; one with an end that is NOWHERE takes its mention with it.
    """

    first: Ints
    last: Ints


def move_corpus(
    corpus: Corpus, documents: Sequence[NewPlaces], tokens: Tokens | None, texts: tuple[str, ...] | None
) -> tuple[Corpus, Booleans]:
    """Return a corpus with spans, also of layers, at new places in these words or texts; and which mentions it lost."""
    places = _AllNewPlaces(documents)
    moved = corpus.map_spans(lambda column: places.move_column(column, corpus.document)).replace(
        tokens=tokens,
        texts=texts,
        relations=tuple(filter(None, (_move_relation(each, corpus, places) for each in corpus.relations))),
        layers={name: move_corpus(layer, documents, tokens, texts)[0] for name, layer in corpus.layers.items()},
    )
    lost = moved.own_spans.start == _NONE
    return moved.keep(~lost) if lost.any() else moved, lost


def move_spans(column: Spans, document: Ints, documents: Sequence[NewPlaces]) -> Spans:
    """Return a column of spans at their new places, given each one's document; -1 for those that have no place."""
    return _AllNewPlaces(documents).move_column(column, document)


def _move_relation(relation: Relation, corpus: Corpus, places: _AllNewPlaces) -> Relation | None:
    """Return a relation with its source, if that is a span, at its new place; None if all words of it are lost."""
    if not isinstance(relation.source, tuple):
        return relation
    runs = places.move_runs(get_runs(relation.source), corpus.documents.index(relation.document))
    return relation._replace(source=to_mention(runs)) if runs else None


class _AllNewPlaces:
    """The documents' places one after another."""

    def __init__(self, documents: Sequence[NewPlaces]) -> None:
        none = np.zeros(0, dtype=np.int64)
        self.first = np.concatenate([none, *(document.first for document in documents)])
        self.last = np.concatenate([none, *(document.last for document in documents)])
        self.begin = np.cumsum([0, *(len(document.first) for document in documents)])

    def move_column(self, spans: Spans, document: Ints) -> Spans:
        """Return a column of spans at their new places, given each one's document; -1 for those that have no place."""
        start, end = np.full(len(spans), _NONE), np.full(len(spans), _NONE)
        given = np.flatnonzero(spans.start >= 0)
        start[given] = self.first[spans.start[given] + self.begin[document[given]]]
        end[given] = self.last[spans.end[given] + self.begin[document[given]]]
        gone = (start == NOWHERE) | (end == NOWHERE) | (start > end)
        pieces = {}
        for row, old in spans.pieces.items():
            runs = self.move_runs(old, int(document[row]))
            gone[row] = not runs
            if runs:
                start[row], end[row] = runs[0][0], runs[-1][1]
            if len(runs) > 1:
                pieces[row] = runs
        start[gone] = end[gone] = _NONE
        return Spans(start, end, pieces)

    def move_runs(self, runs: Pieces, document: int) -> Pieces:
        """Return a mention's runs at their new places, joined where they touch; () if one of them, or all, are lost."""
        begin = int(self.begin[document])
        moved = [(int(self.first[first + begin]), int(self.last[last + begin])) for first, last in runs]
        if any(NOWHERE in run for run in moved):
            return ()
        return join_runs((first, last) for first, last in moved if first <= last)


def convert_to_words(corpus: Corpus) -> tuple[Corpus, Booleans]:
    """Return a corpus of characters in words, cut at ends of mentions; and which mentions (blanks only) it loses."""
    assert corpus.texts is not None  # noqa: S101 - characters come with their text
    cuts = _find_cuts(corpus)
    words: list[list[str]] = []
    numbers: list[int] = []
    places = []
    for text, cut in zip(corpus.texts, cuts, strict=True):
        spans = [span for match in re.finditer(_WORD, text) for span in _cut_word(*match.span(), cut)]
        words.append([text[a:b] for a, b in spans])
        before = np.cumsum(np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4") == ord("\n"))
        numbers.extend(int(before[a]) for a, _ in spans)
        places.append(_map_characters_to_words(spans, len(text)))
    tokens = Tokens.from_words(words, numbers=np.array(numbers, dtype=np.int64))
    return move_corpus(corpus, places, tokens=tokens, texts=None)


def convert_to_characters(corpus: Corpus) -> tuple[Corpus, Booleans]:
    """Return a corpus of words in characters of texts with a sentence on each line; and which mentions it loses.

    Mentions of words without letters are lost. Words that are not written in the text must have been left out before.
    """
    assert corpus.tokens is not None  # noqa: S101 - the caller has seen to it
    texts = []
    places = []
    for document in range(len(corpus.documents)):
        sentences = corpus.tokens.sentences(document)
        length = np.array([len(word) for sentence in sentences for word in sentence], dtype=np.int64)
        start = np.cumsum(length + 1) - length - 1
        texts.append("\n".join(" ".join(sentence) for sentence in sentences))
        places.append(NewPlaces(start, start + length - 1))
    return move_corpus(corpus, places, tokens=None, texts=tuple(texts))


def counts_unknown_words(corpus: Corpus) -> bool:
    """Return whether a corpus has mentions that are all spans, but neither words nor text."""
    return corpus.tokens is None and corpus.texts is None and len(corpus) > 0 and as_spans(corpus.mentions) is not None


def remove_empty_words(corpus: Corpus) -> tuple[Corpus, Booleans]:
    """Return a corpus without unwritten words and mentions of only such words; and which mentions it loses."""
    assert corpus.tokens is not None  # noqa: S101 - the caller has seen to it
    places = []
    for document in range(len(corpus.documents)):
        empty = corpus.tokens.unwritten[corpus.tokens.rows(document)]
        last = np.cumsum(~empty) - 1
        places.append(NewPlaces(last + empty, last))
    return move_corpus(corpus, places, tokens=corpus.tokens.without_empty(), texts=corpus.texts)


def separate_empty_words(corpus: Corpus) -> Corpus:
    """Return the corpus without unwritten words in mentions that also have written ones; its list of words stays.

    So do heads and minimum spans; one of unwritten words only is gone where its mention has written ones. Words stay.
    """
    assert corpus.tokens is not None  # noqa: S101 - the caller has seen to it
    if not isinstance(corpus.mentions, Spans):
        return corpus
    empty, bounds = corpus.tokens.unwritten, corpus.tokens.bounds
    before = np.append(0, np.cumsum(empty))  # how many words before each are not written
    begin = bounds[corpus.document]
    count = before[begin + corpus.mentions.end + 1] - before[begin + corpus.mentions.start]
    some = np.flatnonzero((count > 0) & (corpus.mentions.end > corpus.mentions.start))
    mixed = [row for row in some.tolist() if _list_written(corpus.mentions.runs(row), empty, int(begin[row]))]

    def keep_written_words(column: Spans) -> Spans:
        """Return spans of the written words of the mixed mentions; -1 for those with none, all others as they are."""
        start, end, pieces = column.start.copy(), column.end.copy(), dict(column.pieces)
        for row in mixed:
            if start[row] < 0:
                continue
            runs = _list_written(column.runs(row), empty, int(begin[row]))
            start[row], end[row] = (runs[0][0], runs[-1][1]) if runs else (_NONE, _NONE)
            pieces.pop(row, None)
            if len(runs) > 1:
                pieces[row] = runs
        return Spans(start, end, pieces)

    def keep_written_source(relation: Relation) -> Relation:
        """Return a relation whose source, if it is a mention, has only its written words, if there are any."""
        if not isinstance(relation.source, tuple):
            return relation
        begin = int(bounds[corpus.documents.index(relation.document)])
        runs = _list_written(get_runs(relation.source), empty, begin)
        return relation._replace(source=to_mention(runs)) if runs else relation

    return corpus.map_spans(keep_written_words).replace(
        relations=tuple(map(keep_written_source, corpus.relations)),
        layers={name: separate_empty_words(layer) for name, layer in corpus.layers.items()},
    )


def _list_written(runs: Pieces, empty: Booleans, begin: int) -> Pieces:
    """Return the runs of written words within these runs; begin: the row of the document's first word in `empty`."""
    words = [word for first, last in runs for word in range(first, last + 1) if not empty[begin + word]]
    return join_runs(zip(words, words, strict=True))


def find_unwritten(corpus: Corpus) -> Booleans:
    """Return for each mention whether a word from its first to its last, gaps included, is not written in the text."""
    assert corpus.tokens is not None  # noqa: S101 - the caller has seen to it
    return find_mentions_over(corpus, corpus.tokens.unwritten)


def find_mentions_over(corpus: Corpus, chosen: Booleans) -> Booleans:
    """Return for each mention whether some word from its first to its last is chosen (a boolean for every word)."""
    assert corpus.tokens is not None  # noqa: S101 - the caller has seen to it
    before = np.append(0, np.cumsum(chosen))
    begin = np.array([corpus.tokens.rows(document).start for document in range(len(corpus.documents))], dtype=np.int64)
    start = corpus.own_spans.start + begin[corpus.document]
    end = corpus.own_spans.end + begin[corpus.document]
    return before[end + 1] > before[start]


def find_padded(corpus: Corpus) -> Booleans:
    """Return for each mention of a corpus of characters whether a part of it begins or ends with a blank."""
    ends = corpus.own_spans.runs
    return _ask_of_texts(corpus, lambda row, text: any(text[place].isspace() for run in ends(row) for place in run))


def find_blank_gaps(corpus: Corpus) -> Booleans:
    """Return for each mention of a corpus of characters whether it has a gap of nothing but blanks."""
    runs = corpus.own_spans.runs
    return _ask_of_texts(corpus, lambda row, text: any(text[a[1] + 1 : b[0]].isspace() for a, b in pairwise(runs(row))))


def find_in_texts_with(corpus: Corpus, character: str) -> Booleans:
    """Return for each mention of a corpus of characters whether the text of its document contains this character."""
    return _ask_of_texts(corpus, lambda _, text: character in text)


def _ask_of_texts(corpus: Corpus, ask: Callable[[int, str], bool]) -> Booleans:
    """Return for each mention the answer of `ask`, which is given the mention's row and the text of its document."""
    assert corpus.texts is not None  # noqa: S101 - characters come with their text
    texts = [corpus.texts[document] for document in corpus.document.tolist()]
    return np.array([ask(row, text) for row, text in enumerate(texts)], dtype=np.bool_)


def _find_cuts(corpus: Corpus) -> list[set[int]]:
    """Return for each document the places where words must be cut: where a mention, head or minimum begins or ends."""
    cuts: list[set[int]] = [set() for _ in corpus.documents]
    for part in (corpus, *corpus.layers.values()):
        for column in (part.mentions, part.heads, part.minimums):
            if not isinstance(column, Spans):
                continue
            for row, document in enumerate(part.document.tolist()):
                for first, last in column.runs(row):
                    cuts[document].update((first, last + 1))
    return cuts


def _cut_word(begin: int, end: int, cuts: set[int]) -> list[tuple[int, int]]:
    """Return the parts of a word as pairs [begin, end), divided at those cuts that lie within it."""
    inside = [place for place in range(begin + 1, end) if place in cuts]
    return list(zip([begin, *inside], [*inside, end], strict=True))


def _map_characters_to_words(spans: list[tuple[int, int]], length: int) -> NewPlaces:
    """Return NewPlaces with every character's word; for a blank, `first` has the word behind, `last` the one before."""
    starts, ends = (np.array(column, dtype=np.int64) for column in (zip(*spans, strict=True) if spans else ((), ())))
    character = np.arange(length)
    return NewPlaces(
        np.searchsorted(ends, character, side="right"), np.searchsorted(starts, character, side="right") - 1
    )
