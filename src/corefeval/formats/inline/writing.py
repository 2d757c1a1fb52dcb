"""From a corpus to marked text: the tags at every word of a document, and the lines that begin documents."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import groupby

import numpy as np

from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Spans
from corefeval.formats.shared.writing import SEPARATORS, encode_words, get_words, make_distinct

_PLAIN_NAME = re.compile(r"[^\s<>\"-][^\s<>\"]*(?: [^\s<>\"]+)*")


class MarkedWord(NamedTuple):
    """A word of a document: its form, without blanks, its sentence, and the entities of mentions at it.

    opening: those that begin with it and go on, outer ones first. single: those of this word alone. closing: those that
    began before and end with it, inner ones first.
    """

    form: str
    sentence: int
    is_zero: bool
    opening: Sequence[str]
    single: Sequence[str]
    closing: Sequence[str]


def mark_words(
    corpus: Corpus, document: int, *, begin: int = 0, end: int | None = None, numbered: bool = False
) -> list[MarkedWord]:
    """Return the words of a document with its mentions, none of which has gaps; an InputError if one is outside.

    begin, end: only these words, and the mentions that are wholly among them. numbered: entities are called 1, 2 … in
    the order of the text.
    """
    mentions = corpus.mentions
    assert isinstance(mentions, Spans)  # noqa: S101 - fitting has seen to it
    of_document = np.flatnonzero(corpus.document == document)
    words = get_words(corpus, document, int(mentions.end[of_document].max(initial=-1)) + 1)
    end = len(words.forms) if end is None else end
    rows = of_document[(mentions.start[of_document] >= begin) & (mentions.end[of_document] < end)]
    rows = rows[mentions.take(rows).sort_outer_first(np.zeros_like(rows))]
    entities = list(dict.fromkeys(corpus.entity[rows].tolist()))
    spelt = map(str, range(1, len(entities) + 1)) if numbered else (str(corpus.entity_name[each]) for each in entities)
    names = dict(zip(entities, make_distinct(spelt), strict=True))
    opening: dict[int, list[str]] = defaultdict(list)
    single: dict[int, list[str]] = defaultdict(list)
    closing: dict[int, list[str]] = defaultdict(list)
    for row in rows.tolist():
        first, last, name = int(mentions.start[row]), int(mentions.end[row]), names[int(corpus.entity[row])]
        if first == last:
            single[first].append(name)
        else:
            opening[first].append(name)
            closing[last].append(name)
    found = []
    for place in range(begin, end):
        form = re.sub(SEPARATORS, "_", words.forms[place]) or "_"
        tags = opening[place], single[place], closing[place][::-1]
        found.append(MarkedWord(form, words.sentence[place], words.is_zero[place], *tags))
    return found


def write_documents(corpus: Corpus, write_word: Callable[[MarkedWord], str]) -> bytes:
    """Return the bytes of a file: for each document a line with its name, and one for each sentence."""
    found = []
    for number, name in enumerate(corpus.documents):
        found.append(write_header(name))
        found.append(write_text(mark_words(corpus, number), write_word))
    return encode_words("".join(found))


def write_text(words: Sequence[MarkedWord], write_word: Callable[[MarkedWord], str]) -> str:
    """Return marked words as text, with blanks between them and a line for each sentence."""
    sentences = groupby(words, key=lambda word: word.sentence)
    return "".join(" ".join(map(write_word, sentence)) + "\n" for _, sentence in sentences)


def write_header(name: str) -> str:
    """Return the line that begins a document; a name that is not plain is written as a JSON string.

    >>> write_header("nw/wsj_0001"), write_header(" -->")
    ('<!-- document: nw/wsj_0001 -->\\n', '<!-- document: " --\\\\u003e" -->\\n')
    """
    plain = _PLAIN_NAME.fullmatch(name) and name.isprintable()
    return f"<!-- document: {name if plain else json.dumps(name).replace('>', chr(92) + 'u003e')} -->\n"
