"""Writing CoNLL columns: document, part, number, word, coreference."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from corefeval.formats.shared.names import make_distinct
from corefeval.formats.shared.words import check_length

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefeval.corpus.corpus import Corpus

_PART = re.compile(r"^\((.*)\); part (\d+)$")
_BLANK = re.compile(r"\s")
_UNSAFE = re.compile(r"[()|+\s]")


def write(corpus: Corpus) -> bytes:
    """The corpus as a file. Mentions must be spans; unknown words are written as an underscore."""
    entities = corpus.entities()
    safe_names = (_UNSAFE.sub("_", str(name)) or "_" for name in corpus.entity_name)
    numbers = corpus.entity_document.tolist()
    names: dict[int, list[str]] = defaultdict(list)
    for number, name in zip(numbers, make_distinct(safe_names, numbers), strict=True):
        names[number].append(name)
    lines = (
        line
        for number, document in enumerate(corpus.documents)
        for line in _write_document(corpus, number, entities[document], names[number])
    )
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")


def _write_document(corpus: Corpus, number: int, spans: list[list[Any]], names: list[str]) -> Iterator[str]:
    """The lines of a document, with the spans of each of its entities."""
    document = corpus.documents[number]
    length = max((end + 1 for entity in spans for _, end in entity), default=0)
    check_length(corpus, number, length)
    sentences = [["_"] * length] if corpus.tokens is None else corpus.tokens.sentences(number)
    cells = iter(_write_cells(spans, names, sum(map(len, sentences))))
    match = _PART.match(document)
    name, part = (match[1], int(match[2])) if match else (document, 0)
    column = _BLANK.sub("_", name) or "_"
    yield f"#begin document {' '.join(document.split())}"
    for sentence in sentences:
        for place, word in enumerate(sentence):
            yield f"{column}\t{part}\t{place}\t{_BLANK.sub('_', word) or '_'}\t{next(cells) or '-'}"
        yield ""
    yield "#end document"


def _write_cells(spans: list[list[tuple[int, int]]], names: list[str], length: int) -> list[str]:
    """The coreference cell of every word: longer mentions open first, and later ones close first."""
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
