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


def mark_words(corpus: Corpus, document: int) -> list[MarkedWord]:
    """Return the words of a document with its mentions, none of which has gaps; an InputError if one is outside."""
    mentions = corpus.mentions
    assert isinstance(mentions, Spans)  # noqa: S101 - fitting has seen to it
    rows = np.flatnonzero(corpus.document == document)
    entities = np.unique(corpus.entity[rows]).tolist()
    names = dict(zip(entities, make_distinct(str(corpus.entity_name[each]) for each in entities), strict=True))
    rows = rows[mentions.take(rows).sort_outer_first(np.zeros_like(rows))]
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
    words = get_words(corpus, document, int(mentions.end[rows].max(initial=-1)) + 1)
    return [
        MarkedWord(
            re.sub(SEPARATORS, "_", form) or "_", sentence, is_zero, opening[place], single[place], closing[place][::-1]
        )
        for place, (form, sentence, is_zero) in enumerate(zip(words.forms, words.sentence, words.is_zero, strict=True))
    ]


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
