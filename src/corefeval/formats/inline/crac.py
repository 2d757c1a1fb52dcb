"""CRAC 2025's plaintext: a document on each line, and behind a word the entities that begin and end with it.

    Los|[e1 jugadores de el Espanyol|[e2],e1] aseguraron hoy que ##|[e1] prefieren enfrentar se a el Barcelona|[e3]

A word is `word|tag,tag`: `[e1` begins a mention of the entity e1, `e1]` ends one, and `[e1]` is one of a single word.
A word that begins with ## is a zero, whose form may follow. Documents have no names: they are paired with those of the
other side by their text, or else by their order. Of a mention with gaps, the part with its head is written.

A closing tag of a word ends a mention that began before it, even where another one of the same entity begins with this
word. Words with a bar in them are written with another bar at their end, which is no part of them: `a|b|`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from corefeval.corpus.corpus import Corpus
from corefeval.errors import Fault, InputError
from corefeval.formats.base import Capacity, File
from corefeval.formats.inline.pieces import BLANKS, Piece
from corefeval.formats.inline.reading import ZERO, read_inline
from corefeval.formats.inline.writing import MarkedWord, mark_words, write_text
from corefeval.formats.shared.writing import encode_words

TITLE = "CRAC 2025's plaintext, for language models"
EXAMPLE = """Los|[e1 jugadores de el Espanyol|[e2],e1] aseguraron hoy que ##|[e1] prefieren
Kim|[e1] saw her|[e2 sister|e2] and her|[e1,[e3] dog|e3] .
She|[e1] left ."""
SUFFIXES = (".crac", ".crac.txt")
COMPANIONS = ()
GENERATED = True


def _number_documents(names: Sequence[str]) -> list[str]:
    """Return the names that documents have when they are read back: numbers, or "" for a single one."""
    return [""] if len(names) == 1 else [str(number) for number in range(len(names))]


CAPACITY = Capacity(
    blanks="none",
    names=False,
    empty=True,
    crossing="other",
    discontinuous="head",
    zeros=True,
    document_names=_number_documents,
)

INSTRUCTION = (
    "Mark every mention of an entity in the text. Behind the word with which a mention begins write |[e1, behind the "
    "one with which it ends |e1], behind a mention of one word |[e1]: e1 is the entity, the same for all its mentions. "
    "Several marks of a word stand behind one bar, with commas between them. A word that begins with ## is not written "
    "in the text, and can be a mention. Copy all words as they are, on one line, and write nothing else."
)

_TAGGED_WORD = re.compile(rb"(?:^|\s)[^\s|]++\|(?:\[e\d+\]?|e\d+\])(?:,(?:\[e\d+\]?|e\d+\]))*+(?=\s|$)")
_WORD = re.compile(rf"(?P<blank>[{BLANKS}]+)|[^{BLANKS}]+")
_BEHIND_BAR = re.compile(r"(.+?)\|(?=[\[\]]|e\d)(.*)", re.DOTALL)
_TAG = re.compile(r"(\[?)([^\[\]|,]+)(\]?)")
_ZERO_MARK = "##"


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is CRAC's plaintext, by a word with tags behind a bar; "" if it is not."""
    found = beginning.lstrip()[:1] not in (b"{", b"<") and _TAGGED_WORD.search(beginning)
    return f"{found[0].strip().decode(errors='replace')!r} found" if found else ""


def read(file: File, *, repairs: str = "keep") -> Corpus:
    """Return the corpus of a file that is in memory; repairs: "keep" or "drop" mentions that had to be repaired."""
    return read_inline(file, split, repairs, by_line=True)


def split(text: str, begin: int, end: int) -> Iterator[Piece]:
    """Yield the pieces of a text from one place to another, words between the tags that begin and end mentions."""
    for match in _WORD.finditer(text, begin, end):
        at = match.start()
        if match["blank"]:
            yield Piece("blank", at, match[0])
            continue
        word, tags = _split_word(match[0])
        found = [_make_tag(tag, at) for tag in tags]
        yield from (piece for piece in found if piece.kind in ("open", "single"))
        if word.startswith(_ZERO_MARK):
            yield Piece("zero", at, word.removeprefix(_ZERO_MARK))
        else:
            yield Piece("text", at, word)
        yield from (piece for piece in found if piece.kind in ("close", "bad"))


_KINDS = {("[", "]"): "single", ("[", ""): "open", ("", "]"): "close"}


def _make_tag(written: str, at: int) -> Piece:
    """Return the piece that a tag of a word is."""
    tag = _TAG.fullmatch(written)
    if tag is None or not (tag[1] or tag[3]):
        return Piece("bad", at, written)
    return Piece(_KINDS[tag[1], tag[3]], at, written, tag[2], tag[2])


def _split_word(written: str) -> tuple[str, list[str]]:
    """Return a word and its tags.

    >>> _split_word("Mara|[e1,e2]"), _split_word("a|b"), _split_word("a|b||[e1]"), _split_word("|||[e1]")
    (('Mara', ['[e1', 'e2]']), ('a|b', []), ('a|b', ['[e1]']), ('|', ['[e1]']))
    """
    if "|" not in written:
        return written, []
    if len(written) > 1 and written.endswith("|"):
        return written[:-1], []
    escaped = written.rfind("||[", 1) if "||[" in written[1:] else max(written.rfind("||e", 1), -1)
    if escaped > 0:
        return written[:escaped], written[escaped + 2 :].split(",")
    tagged = _BEHIND_BAR.fullmatch(written)
    return (tagged[1], re.split("[,|]", tagged[2])) if tagged else (written, [])


def write(corpus: Corpus) -> bytes:
    """Return the bytes of a file with the corpus, entities numbered in the order of the text."""
    found = []
    for number, name in enumerate(corpus.documents):
        words = mark_words(corpus, number, numbered=True)
        if not words:
            what = f"document {name!r} has no words"
            raise InputError(Fault(corpus.source or "corpus", what, "words on each line of CRAC's plaintext"))
        found.append(write_text(words, write_word))
    return encode_words("".join(found))


def write_word(word: MarkedWord) -> str:
    """Return a word with its tags; an InputError for one that looks like a zero."""
    tags = sorted(
        [f"[e{each}" for each in word.opening]
        + [f"[e{each}]" for each in word.single]
        + [f"e{each}]" for each in word.closing]
    )
    form = word.form
    if word.is_zero:
        form = f"{_ZERO_MARK}{'' if form == ZERO else form}"
    elif form.startswith(_ZERO_MARK):
        what = f"the word {form!r} begins with ##, and is no zero"
        raise InputError(Fault("corpus", what, "other words", "CRAC's plaintext cannot tell them apart"))
    form = f"{form}|" if "|" in form else form
    return f"{form}|{','.join(tags)}" if tags else form
