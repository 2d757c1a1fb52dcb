"""Writing CoNLL columns: document, part, number, word, coreference."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import count
from typing import TYPE_CHECKING, Any

from corefeval.errors import Fault, InputError

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus

_PART = re.compile(r"^\((.*)\); part (\d+)$")
_BLANK = re.compile(r"\s")
_UNSAFE = re.compile(r"[()|+\s]")


def write(corpus: Corpus) -> bytes:
    """The corpus as a file. Mentions must be spans; words that are not known are written as an underscore."""
    entities = corpus.entities()
    names = _names(corpus)
    written = [
        line
        for number, document in enumerate(corpus.documents)
        for line in _document(corpus, number, entities[document], names[document])
    ]
    return "".join(f"{line}\n" for line in written).encode("utf-8", "surrogateescape")


def _names(corpus: Corpus) -> dict[str, list[str]]:
    """The entities' names by document, in order, without what cannot be written, and still different."""
    names: dict[str, dict[str, None]] = {name: {} for name in corpus.documents}
    numbers = count(2)
    for name, document in zip(corpus.entity_name, corpus.entity_document.tolist(), strict=True):
        text = wanted = _UNSAFE.sub("_", str(name)) or "_"
        taken = names[corpus.documents[document]]
        while text in taken:
            text = f"{wanted}_{next(numbers)}"
        taken[text] = None
    return {document: list(taken) for document, taken in names.items()}


def _document(corpus: Corpus, number: int, spans: list[list[Any]], names: list[str]) -> list[str]:
    document = corpus.documents[number]
    length = max((end + 1 for entity in spans for _, end in entity), default=0)
    sentences = [["_"] * length]
    if corpus.tokens is not None:
        sentences = corpus.tokens.sentences(number)
        if length > sum(map(len, sentences)):
            what = f"a mention ends behind the last word of document {document!r}"
            raise InputError(Fault(corpus.source or "corpus", what))
    cells = iter(_cells(spans, names, sum(map(len, sentences))))
    match = _PART.match(document)
    name, part = (match[1], int(match[2])) if match else (document, 0)
    column = _BLANK.sub("_", name) or "_"
    lines = [f"#begin document {' '.join(document.split())}"]
    for sentence in sentences:
        for place, word in enumerate(sentence):
            lines.append(f"{column}\t{part}\t{place}\t{_BLANK.sub('_', word) or '_'}\t{next(cells) or '-'}")
        lines.append("")
    return [*lines, "#end document"]


def _cells(spans: list[list[tuple[int, int]]], names: list[str], length: int) -> list[str]:
    opening: dict[int, list[tuple[int, str]]] = defaultdict(list)
    single: dict[int, list[str]] = defaultdict(list)
    closing: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for entity, name in zip(spans, names, strict=True):
        for start, end in entity:
            if start == end:
                single[start].append(f"({name})")
            else:
                opening[start].append((-end, f"({name}"))
                closing[end].append((-start, f"{name})"))
    return [
        "|".join([
            *(text for _, text in sorted(opening[word])),
            *single[word],
            *(text for _, text in sorted(closing[word])),
        ])
        for word in range(length)
    ]  # fmt: skip
