"""MUC-6 and MUC-7 coreference: SGML tags in the running text.

    <DOC> <DOCID> nyt960214.0765 </DOCID>
    <TEXT> <COREF ID="5" MIN="Corp.">Acme Corp. of Ohio</COREF> said
    <COREF ID="6" TYPE="IDENT" REF="5">it</COREF> ... </TEXT> </DOC>

A mention is what a COREF has in it, blanks at its ends left away; an entity is the transitive closure of REF, and has
the ID of its first mention as its name. The text of a document is all that is in DOC, with tags taken out, without the
document's name, and without the line breaks next to the tags of DOC, DOCID, DOCNO, TXT and TEXT. Of MIN, which may
list several possibilities with `|`, the first one that is found in the mention is its minimum.

A mention that neither refers nor is referred to is an entity by itself. A REF to itself or in a circle links all that
it names, and is only said; a REF to an ID that the document does not have is a fault, for what was meant is not known.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from corefeval.corpus.union_find import UnionFind
from corefeval.formats.base import Capacity
from corefeval.formats.draft import Draft
from corefeval.formats.muc import minimum
from corefeval.formats.shared import markup

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefeval.corpus.corpus import Corpus
    from corefeval.formats.base import File
    from corefeval.formats.draft import DocumentDraft, Span
    from corefeval.formats.shared.diagnostics import Diagnostics
    from corefeval.formats.shared.markup import Tag

TITLE = "MUC-6 and MUC-7 coreference in SGML"
EXAMPLE = """<DOC> <DOCID> nyt960214.0765 </DOCID>
<TEXT> <COREF ID="5" MIN="Corp.">Acme Corp. of Ohio</COREF> said
<COREF ID="6" TYPE="IDENT" REF="5">it</COREF> ... </TEXT> </DOC>"""
SUFFIXES = (".muc", ".muc6", ".muc7", ".sgm", ".sgml")
COMPANIONS = ()
CAPACITY = Capacity(units=("character",), crossing="none", minimums=True, attributes=("status", "type"))

_COREF = re.compile(rb"<COREF\s[^<>]*\bID\s*=", re.IGNORECASE)
_NAMES = {"DOCID", "DOCNO"}
_BREAK_BEHIND = {"DOC", "/DOCID", "/DOCNO", "TXT", "TEXT"}
_BREAK_BEFORE = {"/TXT", "/TEXT", "/DOC"}
_SHOWN = 5  # IDs of a circle that a message names


class _Mention:
    """A COREF tag; `end` is behind its last character, and -1 as long as it is open."""

    def __init__(self, tag: Tag, start: int) -> None:
        self.line, self.attributes, self.start, self.end = tag.line, tag.attributes, start, -1
        self.id, self.reference = self.value("ID"), self.value("REF")

    def value(self, name: str) -> str:
        return markup.normalize_value(self.attributes.get(name, ""))


class _Document:
    """What has been read of a document; `visible` is its text with characters that are no mere blanks shown as such."""

    def __init__(self, tag: Tag | None) -> None:
        attributes = {} if tag is None else tag.attributes
        self.line = 1 if tag is None else tag.line
        self.name = markup.normalize_value(
            attributes.get("DOCID") or attributes.get("DOCNO") or attributes.get("ID") or ""
        )
        self.text: list[str] = []
        self.visible: list[str] = []
        self.length = 0
        self.mentions: list[_Mention] = []
        self.open: list[_Mention] = []

    def add(self, written: str) -> None:
        self.text.append(markup.resolve_references(written))
        self.visible.append(markup.mask_blank_references(written))
        self.length += len(self.text[-1])


def recognise(beginning: bytes) -> str:
    """By a COREF tag; other formats have elements of that name within <coreferences>."""
    found = _COREF.search(beginning) is not None and b"<coreferences" not in beginning
    return "'<COREF ID=' found" if found else ""


def write(corpus: Corpus) -> bytes:
    """The corpus as DOC elements with the text in TXT."""
    from corefeval.formats.muc import writer  # noqa: PLC0415 - most runs write nothing

    return writer.write(corpus)


def read(file: File) -> Corpus:
    """Read all documents of a file."""
    draft = Draft(file.name)
    documents = _documents(list(markup.find_tags(markup.decode_text(file.data, draft), draft)), draft)
    unnamed = [each for each in documents if not each.name]
    for number, each in enumerate(unnamed, start=1):
        each.name = file.document if len(unnamed) == 1 else f"{file.document}-{number}"
    for each in documents:
        _fill(draft.add_document(each.name, text="".join(each.text), line=each.line), each, draft)
    if not documents:
        draft.add_fault(1, "no document", "<DOC> or <COREF ID=...>")
    return draft.build_corpus()


def _documents(tags: Sequence[Tag], draft: Diagnostics) -> list[_Document]:
    """The documents by their DOC tags; a file without such tags, but with mentions, is a document."""
    names = {tag.name for tag in tags}
    here = _Document(None) if "DOC" not in names and "COREF" in names else None
    documents = [] if here is None else [here]
    before = ""
    for tag in tags:
        _read_text(tag, before, here, draft)
        if tag.name == "DOC":
            if here is not None:
                _finish(here, tag.line, draft)
            here = _Document(tag)
            documents.append(here)
        elif tag.name == "/DOC" and here is not None:
            _close(here, draft)
            here = None
        elif tag.name in {"COREF", "/COREF"}:
            _read_mention(tag, here, draft)
        before = tag.name
    if here is not None and "DOC" in names:
        _finish(here, tags[-1].line, draft)
    elif here is not None:
        _close(here, draft)
    return documents


def _read_text(tag: Tag, before: str, here: _Document | None, draft: Diagnostics) -> None:
    """What stands between two tags."""
    written = tag.before
    if here is None:
        if written.strip():
            shown = markup.BLANKS.sub(" ", written).strip()[:40]
            line = tag.line - written.lstrip().count("\n")
            draft.add_fault(line, f"text outside of a document, {shown!r}", "text between <DOC> and </DOC>")
    elif before in _NAMES:
        here.name = here.name or markup.normalize_value(written)
    else:
        written = written.removeprefix("\n") if before in _BREAK_BEHIND else written
        here.add(written.removesuffix("\n") if tag.name in _BREAK_BEFORE else written)


def _read_mention(tag: Tag, here: _Document | None, draft: Diagnostics) -> None:
    if here is None:
        draft.add_fault(tag.line, "COREF outside of a document", "it between <DOC> and </DOC>")
    elif tag.name == "COREF":
        mention = _Mention(tag, here.length)
        here.mentions.append(mention)
        if tag.empty:
            mention.end = mention.start
        else:
            here.open.append(mention)
        if len(here.open) > markup.DEEPEST:
            what = f"more than {markup.DEEPEST:,} mentions within each other"
            draft.add_fault(tag.line, what, "</COREF> somewhere before", kind="unbalanced-bracket")
            draft.raise_faults()
    elif here.open:
        here.open.pop().end = here.length
    else:
        draft.add_fault(tag.line, "</COREF> without a <COREF> before it", "tags in pairs", kind="unbalanced-bracket")


def _finish(here: _Document, line: int, draft: Diagnostics) -> None:
    """End a document that its file does not end."""
    draft.add_notice("unfinished-document", line, f"the document of line {here.line} ends without </DOC>")
    _close(here, draft)


def _close(here: _Document, draft: Diagnostics) -> None:
    for mention in here.open:
        what = f"the mention with ID {mention.id!r} is never closed"
        draft.add_fault(mention.line, what, "</COREF> in the same document", kind="unbalanced-bracket")


def _fill(document: DocumentDraft, found: _Document, draft: Diagnostics) -> None:
    """Hand over the mentions, by entity."""
    text = document.text or ""
    blanks = [match.span() for match in markup.BLANKS.finditer("".join(found.visible))]
    starts = [start for start, _ in blanks]
    firsts = _entities(found.mentions, draft)
    for mention, first in zip(found.mentions, firsts, strict=True):
        start, end = _trimmed(mention.start, mention.end, blanks, starts)
        if start >= end:
            if mention.end >= 0:
                what = f"the mention with ID {mention.id!r} has no text and is left out"
                draft.add_notice("empty-mention", mention.line, what, document=found.name)
            continue
        document.add_mention(
            found.mentions[first].id,
            (start, end - 1),
            minimum=_minimum(mention, text, start, end, draft),
            line=mention.line,
            attributes=_attributes(mention, draft),
        )


def _attributes(mention: _Mention, draft: Diagnostics) -> dict[str, str]:
    attributes = {"status": mention.value("STATUS") or mention.value("STAT"), "type": mention.value("TYPE")}
    if attributes["type"].upper() == "IDENT":
        attributes["type"] = ""
    if attributes["type"] and mention.reference:
        what = f"REF of TYPE {attributes['type']!r} is taken for identity"
        draft.add_notice("other-type", mention.line, what, type=attributes["type"])
    return {name: value for name, value in attributes.items() if value}


def _trimmed(start: int, end: int, blanks: Sequence[Span], starts: Sequence[int]) -> Span:
    """Where a mention begins and ends without the runs of blanks at its ends."""
    row = bisect_right(starts, start) - 1
    if row >= 0 and blanks[row][1] > start:
        start = blanks[row][1]
    row = bisect_left(starts, end) - 1
    if row >= 0 and blanks[row][1] >= end:
        end = blanks[row][0]
    return start, end


def _entities(mentions: Sequence[_Mention], draft: Diagnostics) -> list[int]:
    """For every mention the first one of its entity."""
    rows: dict[str, int] = {}
    for row, mention in enumerate(mentions):
        if not mention.id:
            draft.add_fault(mention.line, "COREF without ID", '<COREF ID="...">')
        elif mention.id in rows:
            _refuse_twice(mention, mentions[rows[mention.id]], mentions, draft)
        rows.setdefault(mention.id, row)
    antecedents = [-1] * len(mentions)
    for row, mention in enumerate(mentions):
        if mention.reference and mention.reference not in rows:
            what = f"REF {mention.reference!r} of mention {mention.id!r} is no ID of the document"
            draft.add_fault(mention.line, what, "the ID of a mention of the same document", kind="dangling-reference")
        elif mention.reference and mention.reference == mention.id:
            draft.add_notice("self-link", mention.line, f"mention {mention.id!r} refers to itself", id=mention.id)
        elif mention.reference:
            antecedents[row] = rows[mention.reference]
    for circle in _circles(antecedents):
        ids = [mentions[row].id for row in circle]
        shown = " -> ".join([*ids[:_SHOWN], *(["..."] if len(ids) > _SHOWN else []), ids[0]])
        line = mentions[circle[0]].line
        draft.add_notice("reference-cycle", line, f"mentions refer to each other in a circle: {shown}", ids=ids)
    return _closure(antecedents)


def _refuse_twice(mention: _Mention, first: _Mention, mentions: Sequence[_Mention], draft: Diagnostics) -> None:
    hint = ""
    if not any(each.reference for each in mentions):
        hint = "files in which ID tells the entity, as those of OntoNotes, are not read"
    what = f"ID {mention.id!r} is there already, in line {first.line}"
    draft.add_fault(mention.line, what, "every ID once in a document", hint, kind="id-twice")


def _circles(antecedents: Sequence[int]) -> Iterator[list[int]]:
    """The rows that lead back to themselves, circle by circle, each from its first row on."""
    seen = [-1] * len(antecedents)
    for origin in range(len(antecedents)):
        row = origin
        while row >= 0 and seen[row] < 0:
            seen[row] = origin
            row = antecedents[row]
        if row >= 0 and seen[row] == origin:
            circle = [row]
            while (row := antecedents[row]) != circle[0]:
                circle.append(row)
            first = circle.index(min(circle))
            yield [*circle[first:], *circle[:first]]


def _closure(antecedents: Sequence[int]) -> list[int]:
    """The first row that every row is connected with."""
    rows = range(len(antecedents))
    sets = UnionFind(rows)
    for row, antecedent in enumerate(antecedents):
        if antecedent >= 0:
            sets.join(row, antecedent)
    return [sets.find(row) for row in rows]


def _minimum(mention: _Mention, text: str, start: int, end: int, draft: Diagnostics) -> Span | None:
    """What MIN says, as a part of the text."""
    written = mention.attributes.get("MIN", "")
    if not markup.normalize_value(written):
        return None
    found = minimum.at(mention.value("MINPLACE"), written, text) or minimum.find(written, text, start, end)
    if found is None:
        what = f"MIN {markup.normalize_value(written)!r} of mention {mention.id!r} is not within it"
        draft.add_notice("minimum-not-found", mention.line, what, id=mention.id)
    return found
