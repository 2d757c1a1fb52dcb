"""XML-like tags around mentions, as language models write them: no XML by the book.

    <!-- document: nw/wsj_0001 -->
    <mention id="1">Mara</mention> went to <mention id="2">the shop</mention> . <mention id="1"/> bought bread .

A tag marks a mention if it is called mention, m, coref or entity, or names an entity: by the first that it has of
entity, entity_id, eid, cluster, cluster_id, chain, chain_id, set, coref, ref and id. Quotation marks may be missing.
Other attributes are those of the mention. Other tags are left out, which a notice counts. A mention without an end tag,
`<mention id="1"/>`, is a zero, and so is the word `<zero form="…"/>`. `&lt;` and the like are resolved. A line
`<!-- document: NAME -->` begins a document; without such lines the file is one. Lines are sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape, quoteattr

from corefeval.corpus.corpus import Corpus
from corefeval.formats.base import Capacity, File
from corefeval.formats.inline.pieces import Piece, compile_notation
from corefeval.formats.inline.reading import ZERO, read_inline
from corefeval.formats.inline.writing import MarkedWord, write_documents
from corefeval.formats.shared.markup import resolve_references

TITLE = "XML-like tags around mentions, for language models"
EXAMPLE = """<!-- document: nw/wsj_0001 -->
<mention id="1">Mara</mention> went to <mention id="2">the shop</mention> .
<mention id="1"/> bought bread ."""
SUFFIXES = (".inline.xml",)
COMPANIONS = ()
GENERATED = True
CAPACITY = Capacity(blanks="none", sentences=True, crossing="none", discontinuous="head", zeros=True)

INSTRUCTION = (
    'Mark every mention of an entity in the text as <mention id="1">words of the mention</mention>: 1 is the entity, '
    'the same number for all its mentions. Mentions may lie within other ones. <mention id="1"/> is a mention that is '
    "not written, where there is <zero/> in the text. Copy all words as they are, and write nothing else."
)

_NAMES = frozenset({"mention", "m", "coref", "entity"})
_IDS = ("entity", "entity_id", "eid", "cluster", "cluster_id", "chain", "chain_id", "set", "coref", "ref", "id")
_ZERO_TAG = "zero"
_PATTERN = compile_notation(
    r"""(?P<tag><(?P<slash>/?)(?P<word>[A-Za-z][\w.:-]*+)
         (?P<values>(?:\s++[A-Za-z_][\w.:-]*+(?:\s*+=\s*+(?:"[^"<>]*+"|'[^'<>]*+'|[^\s"'<>/]++))?+)*+)\s*+(?P<empty>/?)>)
      |(?P<bad></?(?:mention|coref|entity|m)\b[^<>]*\Z)|(?P<comment><!--(?:(?!<!--).)*?-->)|(?P<reference>&\#?\w{1,8};)"""
    .replace(" " * 9, "").replace("\n", "").replace(" " * 6, ""),
    "<&",
)  # fmt: skip
_VALUE = re.compile(r"""([A-Za-z_][\w.:-]*+)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'<>/]++)))?+""")
_MENTION = re.compile(rb"<(?:mention|m|coref|entity)\s[^<>]*?(?:%s)\s*=\s*[\"']?[^\"'<>]" % "|".join(_IDS).encode())
_PROLOG = re.compile(rb"\s*<(?:\?xml|!DOCTYPE|[A-Z])")


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning has mentions in tags, by a tag that names an entity; "" if it is not."""
    found = not _PROLOG.match(beginning) and beginning.lstrip()[:1] not in (b"{", b"[") and _MENTION.search(beginning)
    return f"{found[0].decode(errors='replace')!r} found" if found else ""


def read(file: File, *, repairs: str = "keep") -> Corpus:
    """Return the corpus of a file that is in memory; repairs: "keep" or "drop" mentions that had to be repaired."""
    return read_inline(file, split, repairs)


def split(text: str, begin: int, end: int) -> Iterator[Piece]:
    """Yield the pieces of a text from one place to another."""
    opened = set(_NAMES)
    for match in _PATTERN.finditer(text, begin, end):
        kind, at = match.lastgroup, match.start()
        if kind == "tag":
            for piece in _read_tag(match, at):
                opened |= {piece.name} if piece.kind == "open" else set()
                yield piece if piece.kind != "close" or piece.name in opened else Piece("blank", at, match[0])
        elif kind == "reference":
            yield Piece("text", at, resolve_references(match[0]))
        elif kind == "comment":
            yield Piece("blank", at, " ")
        else:
            yield Piece(str(kind), at, match[0])


def _read_tag(match: re.Match[str], at: int) -> Iterator[Piece]:
    """Yield the pieces that a tag stands for."""
    name = match["word"].lower()
    values = {each[1].lower(): resolve_references(each[2] or each[3] or each[4] or "") for each in
              _VALUE.finditer(match["values"])}  # fmt: skip
    id_name = next((each for each in _IDS if values.get(each)), "")
    id_ = values.pop(id_name, "")
    if name == _ZERO_TAG:
        yield Piece("zero", at, values.get("form", ""))
    elif name not in _NAMES and not id_name and not match["slash"]:
        yield Piece("blank", at, match[0])
    elif match["slash"]:
        yield Piece("close", at, match[0], name=name)
    elif match["empty"]:
        yield Piece("single", at, match[0], id_, name, values)
        yield Piece("zero", at)
    else:
        yield Piece("open", at, match[0], id_, name, values)


def write(corpus: Corpus) -> bytes:
    """Return the bytes of a file with the corpus. Mentions must not cross."""
    return write_documents(corpus, write_word)


def write_word(word: MarkedWord) -> str:
    """Return a word with tags."""
    if word.is_zero and word.form == ZERO and len(word.single) == 1:
        return f"{_open(word.opening)}{_open(word.single)[:-1]}/>{'</mention>' * len(word.closing)}"
    form = escape(word.form)
    if word.is_zero:
        form = f"<zero{'' if word.form == ZERO else f' form={quoteattr(word.form)}'}/>"
    return f"{_open(word.opening)}{_open(word.single)}{form}{'</mention>' * (len(word.single) + len(word.closing))}"


_NUL = {"\0": "&#0;"}
"""What no text file may have, such as in the name of an entity, is written as a reference."""


def _open(entities: Iterable[str]) -> str:
    """Return the tags that open mentions of these entities."""
    return "".join(f"<mention id={quoteattr(each, _NUL)}>" for each in entities)
