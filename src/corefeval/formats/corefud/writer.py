"""Writing CorefUD: the words with a tree, or a dummy one where there is none; MISC is `corefud/misc_writer.py`'s.

# newdoc id = story
# global.Entity = eid-etype-head
# sent_id = story-1
# text = Kim came
1	Kim	_	_	_	_	0	root	_	Entity=(e1-person-1)
2	came	_	_	_	_	1	dep	_	_
"""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from corefeval.errors import Fault, InputError
from corefeval.formats.corefud.misc_writer import Misc

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefeval.corpus.corpus import Corpus

_CONTROL = re.compile(r"[\0\t\n\r]")
_BLANK = re.compile(r"\s")
_NO_ID = re.compile(r"[\s/]+")  # a slash has a meaning of its own in UD: parts of the tree bank
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)


class _Word(NamedTuple):
    """A word, whether it is an empty node, and what is known of its place in a tree: "" where nothing is."""

    form: str
    empty: bool
    id: str
    head: str
    deprel: str
    deps: str
    upos: str = ""


def write(corpus: Corpus) -> bytes:
    """The corpus as a file; words that are not known are written as an underscore."""
    misc = Misc(corpus)
    written = []
    for number, name in enumerate(_names(corpus.documents)):
        text = "".join(f"{line}\n" for line in _document(corpus, number, name, misc))
        written.append(text.encode("utf-8", "surrogateescape"))
        misc.check(number, written[-1])
    return b"".join(written)


def _names(documents: Sequence[str]) -> list[str]:
    """The documents' names without what cannot be written, and still different."""
    names: dict[str, None] = {}
    for number, document in enumerate(documents, 1):
        numbers = count(2)
        name = wanted = _CONTROL.sub(" ", document).strip(" \v\f") or str(number)
        while name in names:
            name = f"{wanted}_{next(numbers)}"
        names[name] = None
    return list(names)


def _document(corpus: Corpus, number: int, name: str, misc: Misc) -> Iterator[str]:
    cells = misc.cells(number)
    yield f"# newdoc id = {name}"
    yield f"# global.Entity = {misc.declaration}"
    sentences = _sentences(corpus, number, max(cells, default=-1) + 1)
    if not sentences:
        yield ""
    place = 0
    for sentence_number, sentence in enumerate(sentences, 1):
        yield f"# sent_id = {_NO_ID.sub('_', name)}-{sentence_number}"
        yield f"# text = {' '.join(word.form for word in sentence if not word.empty)}"
        for columns in _tree(sentence):
            yield "\t".join((*columns, cells.get(place, "_")))
            place += 1
        yield ""


def _sentences(corpus: Corpus, number: int, length: int) -> list[list[_Word]]:
    """The words of a document, which has mentions of `length` words, by sentence."""
    if corpus.tokens is None:
        return [[_Word("_", empty=False, id="", head="", deprel="", deps="")] * length] if length else []
    tokens = corpus.tokens
    if length > tokens.length(number):
        what = f"a mention ends behind the last word of document {corpus.documents[number]!r}"
        raise InputError(Fault(corpus.source or "corpus", what))
    here = slice(int(tokens.bounds[number]), int(tokens.bounds[number + 1]))
    nothing = [""] * tokens.length(number)
    columns = [tokens.attributes[name][here] if name in tokens.attributes else nothing for name in _Word._fields[2:]]
    forms = [_CONTROL.sub(" ", word) or "_" for word in tokens.words(number)]
    empty = [False] * len(forms) if tokens.empty is None else tokens.empty[here].tolist()
    sentences: list[list[_Word]] = []
    for sentence, *word in zip(tokens.sentence[here].tolist(), forms, empty, *columns, strict=True):
        if sentence == len(sentences):
            sentences.append([])
        sentences[-1].append(_Word(*word))
    return sentences


def _tree(sentence: list[_Word]) -> Iterator[tuple[str, ...]]:
    """All columns but MISC: the tree that is known, if it fits the sentence; else all words hang on the first one."""
    ids = _ids(sentence)
    words = sum(not word.empty for word in sentence)
    fits = all(word.id in ("", number) for word, number in zip(sentence, ids, strict=True)) and all(
        not word.head or (_NUMBER.fullmatch(word.head) and int(word.head) <= words) for word in sentence
    )
    known = fits and any(word.id or word.head for word in sentence)
    for word, number in zip(sentence, ids, strict=True):
        head, deprel, deps = word.head, word.deprel, word.deps
        if not known:
            head, deprel = ("", "") if word.empty else ("0", "root") if number == "1" else ("1", "dep")
        if not fits or not (deps or word.id):
            deps = "0:root" if word.empty else ""
        yield (
            number,
            word.form,
            "_",
            _BLANK.sub("", word.upos) or "_",
            "_",
            "_",
            *(_CONTROL.sub(" ", text) or "_" for text in (head, deprel, deps)),
        )


def _ids(sentence: list[_Word]) -> list[str]:
    """Numbers from 1; for empty nodes the number of the word before, and theirs behind it."""
    ids = []
    word = node = 0
    for each in sentence:
        word, node = (word, node + 1) if each.empty else (word + 1, 0)
        ids.append(f"{word}.{node}" if each.empty else str(word))
    return ids
