"""Markdown links: a mention in brackets, and behind it the entity that it belongs to.

    <!-- document: nw/wsj_0001 -->
    [Tom](#1) went to [a bridge connecting [Hong Kong](#2) and [Macao](#3)](#4) . [He](#1) was late .

A line `<!-- document: NAME -->` begins a document; without such lines the file is one. Lines are sentences. Behind a
backslash, punctuation is text (`\\[`); so are brackets without `(#`. In names of entities, %20 is a blank, and so on.
Le and Ritter (2023, github.com/nle18/coref-llms) let language models write coreference like this.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote, unquote

from corefeval.corpus.corpus import Corpus
from corefeval.formats.base import Capacity, File
from corefeval.formats.inline.pieces import Piece, compile_notation, split_by
from corefeval.formats.inline.reading import read_inline
from corefeval.formats.inline.writing import MarkedWord, write_documents

TITLE = "Markdown links around mentions, for language models"
EXAMPLE = """<!-- document: nw/wsj_0001 -->
[Tom](#1) went to [a bridge connecting
[Hong Kong](#2) and [Macao](#3)](#4) . [He](#1) was late ."""
SUFFIXES = (".md", ".markdown")
COMPANIONS = ()
GENERATED = True
BY_CONTENT = True
CAPACITY = Capacity(blanks="none", sentences=True, crossing="none", discontinuous="head")

INSTRUCTION = (
    "Mark every mention of an entity in the text as [words of the mention](#1): 1 is the entity, the same number for "
    "all its mentions. Mentions may lie within other ones. Copy all words as they are, and write nothing else."
)

_PATTERN = compile_notation(
    r"(?P<open>\[)|(?P<close>\]\(\#(?P<id>[^()\s]*)\))|(?P<bad>\]\(\#[^()\s]*(?=\s*\Z))|(?P<plain>\])"
    r"|(?P<literal>\\[!-/:-@\[-`{-~])",
    "[]\\",
)
_LINK = re.compile(rb"\[[^\[\]]*+\]\(#([^()\s]*+)\)")
_HEADING = re.compile(rb"^#{1,6}[ \t]+([^\n]*)", re.MULTILINE)
_NO_ANCHOR = re.compile(rb"[^\w\s\x80-\xff-]")
_UNSAFE = re.compile(r"[^\w.,:+=&/'-]+")
_SPECIAL = re.compile(r"[\[\]\\<`]")


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is Markdown with mentions, by a link to an entity; "" if it is not.

    A link to a heading of the file, as in a table of contents, is no such link.
    """
    if beginning.lstrip()[:1] == b"{" or beginning.lstrip()[:2] == b"[{":
        return ""
    headings = {_make_anchor(heading[1]) for heading in _HEADING.finditer(beginning)}
    links = (link for link in _LINK.finditer(beginning) if link[1].lower() not in headings)
    found = next(links, None)
    return f"{found[0].decode(errors='replace')!r} found" if found else ""


def _make_anchor(heading: bytes) -> bytes:
    """Return what a link to a heading says: its words in lower case, with hyphens between them.

    >>> _make_anchor(b"How to `install`? ")
    b'how-to-install'
    """
    return re.sub(rb"\s", b"-", _NO_ANCHOR.sub(b"", heading.lower()).strip())


def read(file: File, *, repairs: str = "keep") -> Corpus:
    """Return the corpus of a file that is in memory; repairs: "keep" or "drop" mentions that had to be repaired."""
    return read_inline(file, split, repairs)


def split(text: str, begin: int, end: int) -> Iterator[Piece]:
    """Yield the pieces of a text from one place to another."""
    return (
        piece._replace(id=unquote(piece.id)) if piece.id else piece for piece in split_by(_PATTERN, text, begin, end)
    )


def write(corpus: Corpus) -> bytes:
    """Return the bytes of a file with the corpus. Mentions must not cross."""
    return write_documents(corpus, write_word)


def write_word(word: MarkedWord) -> str:
    """Return a word with brackets and names of entities."""
    ends = "".join(f"](#{_UNSAFE.sub(_quote, each)})" for each in (*word.single, *word.closing))
    form = _SPECIAL.sub(r"\\\g<0>", word.form)
    return f"{'[' * (len(word.opening) + len(word.single))}{form}{ends}"


def _quote(found: re.Match[str]) -> str:
    """Return what stands for characters in the name of an entity."""
    return quote(found[0].encode("utf-8", "replace"), safe="")
