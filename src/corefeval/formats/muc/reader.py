"""Reading MUC's SGML: documents with their text and COREF elements, and the entities that REF makes of these."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING

from corefeval.corpus.union_find import UnionFind
from corefeval.formats.draft import Draft
from corefeval.formats.shared import markup

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefeval.corpus.corpus import Corpus
    from corefeval.formats.base import File
    from corefeval.formats.draft import DocumentDraft, Span
    from corefeval.formats.shared.diagnostics import Diagnostics
    from corefeval.formats.shared.markup import Tag

_COREF = re.compile(rb"<COREF\s[^<>]*\bID\s*=", re.IGNORECASE)
_PLACE = re.compile(r"([0-9]{1,18})-([0-9]{1,18})")
_NAME_TAGS = {"DOCID", "DOCNO"}
_BREAK_AFTER = {"DOC", "/DOCID", "/DOCNO", "TXT", "TEXT"}  # tags after and before which a line break is no text
_BREAK_BEFORE = {"/TXT", "/TEXT", "/DOC"}
_SHOWN = 5  # IDs of a circle that a message names


class _CorefElement:
    """A COREF element; `end` is after its last character, and -1 as long as it is open."""

    def __init__(self, tag: Tag, start: int) -> None:
        self.line, self.attributes, self.start, self.end = tag.line, tag.attributes, start, -1
        self.id, self.reference = self.value("ID"), self.value("REF")

    def value(self, name: str) -> str:
        """The value of an attribute; "" if it is missing."""
        return markup.normalize_value(self.attributes.get(name, ""))


class _MucDocument:
    """What has been read of a document; `visible` is its text with something visible for references to blanks."""

    def __init__(self, tag: Tag | None) -> None:
        attributes = {} if tag is None else tag.attributes
        self.line = 1 if tag is None else tag.line
        name = attributes.get("DOCID") or attributes.get("DOCNO") or attributes.get("ID") or ""
        self.name = markup.normalize_value(name)
        self.text: list[str] = []
        self.visible: list[str] = []
        self.length = 0
        self.mentions: list[_CorefElement] = []
        self.open: list[_CorefElement] = []

    def add_text(self, written: str) -> None:
        """Add text as it is written, with references."""
        self.text.append(markup.resolve_references(written))
        self.visible.append(markup.mask_blank_references(written))
        self.length += len(self.text[-1])


def recognise(beginning: bytes) -> str:
    """By a COREF tag; other formats have elements of that name within <coreferences>."""
    found = _COREF.search(beginning) is not None and b"<coreferences" not in beginning
    return "'<COREF ID=' found" if found else ""


def read(file: File) -> Corpus:
    """Read all documents of a file."""
    draft = Draft(file.name)
    documents = _split_documents(list(markup.find_tags(markup.decode_text(file.data, draft), draft)), draft)
    unnamed = [each for each in documents if not each.name]
    for number, each in enumerate(unnamed, start=1):
        each.name = file.document if len(unnamed) == 1 else f"{file.document}-{number}"
    for each in documents:
        _add_mentions(draft.add_document(each.name, text="".join(each.text), line=each.line), each, draft)
    if not documents:
        draft.add_fault(1, "no document", "<DOC> or <COREF ID=...>")
    return draft.build_corpus()


def _split_documents(tags: Sequence[Tag], diagnostics: Diagnostics) -> list[_MucDocument]:
    """The documents by their DOC tags; a file without such tags, but with mentions, is a document."""
    names = {tag.name for tag in tags}
    here = _MucDocument(None) if "DOC" not in names and "COREF" in names else None
    documents = [] if here is None else [here]
    before = ""
    for tag in tags:
        _read_text(tag, before, here, diagnostics)
        if tag.name == "DOC":
            if here is not None:
                _finish_document(here, tag.line, diagnostics)
            here = _MucDocument(tag)
            documents.append(here)
        elif tag.name == "/DOC" and here is not None:
            _refuse_open_mentions(here, diagnostics)
            here = None
        elif tag.name in {"COREF", "/COREF"}:
            _read_mention(tag, here, diagnostics)
        before = tag.name
    if here is not None and "DOC" in names:
        _finish_document(here, tags[-1].line, diagnostics)
    elif here is not None:
        _refuse_open_mentions(here, diagnostics)
    return documents


def _read_text(tag: Tag, before: str, here: _MucDocument | None, diagnostics: Diagnostics) -> None:
    """Add the text between a tag and the one before it, which has this name, to the document."""
    written = tag.before
    if here is None:
        if written.strip():
            shown = markup.BLANKS.sub(" ", written).strip()[:40]
            line = tag.line - written.lstrip().count("\n")
            diagnostics.add_fault(line, f"text outside of a document, {shown!r}", "text between <DOC> and </DOC>")
    elif before in _NAME_TAGS:
        here.name = here.name or markup.normalize_value(written)
    else:
        written = written.removeprefix("\n") if before in _BREAK_AFTER else written
        here.add_text(written.removesuffix("\n") if tag.name in _BREAK_BEFORE else written)


def _read_mention(tag: Tag, here: _MucDocument | None, diagnostics: Diagnostics) -> None:
    """Open or close a mention."""
    if here is None:
        diagnostics.add_fault(tag.line, "COREF outside of a document", "it between <DOC> and </DOC>")
    elif tag.name == "COREF":
        mention = _CorefElement(tag, here.length)
        here.mentions.append(mention)
        if tag.empty:
            mention.end = mention.start
        else:
            here.open.append(mention)
        if len(here.open) > markup.DEEPEST:
            what = f"more than {markup.DEEPEST:,} mentions within each other"
            diagnostics.add_fault(tag.line, what, "</COREF> somewhere before", kind="unbalanced-bracket")
            diagnostics.raise_faults()
    elif here.open:
        here.open.pop().end = here.length
    else:
        what = "</COREF> without a <COREF> before it"
        diagnostics.add_fault(tag.line, what, "tags in pairs", kind="unbalanced-bracket")


def _finish_document(here: _MucDocument, line: int, diagnostics: Diagnostics) -> None:
    """End a document that has no end tag."""
    diagnostics.add_notice("unfinished-document", line, f"the document of line {here.line} ends without </DOC>")
    _refuse_open_mentions(here, diagnostics)


def _refuse_open_mentions(here: _MucDocument, diagnostics: Diagnostics) -> None:
    for mention in here.open:
        what = f"the mention with ID {mention.id!r} is never closed"
        diagnostics.add_fault(mention.line, what, "</COREF> in the same document", kind="unbalanced-bracket")


def _add_mentions(draft: DocumentDraft, document: _MucDocument, diagnostics: Diagnostics) -> None:
    """Add the mentions of a document to its draft."""
    text = draft.text or ""
    blanks = [match.span() for match in markup.BLANKS.finditer("".join(document.visible))]
    starts = [start for start, _ in blanks]
    firsts = _find_first_mentions(document.mentions, diagnostics)
    for mention, first in zip(document.mentions, firsts, strict=True):
        start, end = _trim_blanks(mention.start, mention.end, blanks, starts)
        if start >= end:
            if mention.end >= 0:
                message = f"the mention with ID {mention.id!r} has no text and is left out"
                diagnostics.add_notice("empty-mention", mention.line, message, document=document.name)
            continue
        draft.add_mention(
            document.mentions[first].id,
            (start, end - 1),
            minimum=_read_minimum(mention, text, start, end, diagnostics),
            line=mention.line,
            attributes=_read_attributes(mention, diagnostics),
        )


def _read_attributes(mention: _CorefElement, diagnostics: Diagnostics) -> dict[str, str]:
    """Status and type of a mention, where given."""
    attributes = {"status": mention.value("STATUS") or mention.value("STAT"), "type": mention.value("TYPE")}
    if attributes["type"].upper() == "IDENT":
        attributes["type"] = ""
    if attributes["type"] and mention.reference:
        message = f"REF of TYPE {attributes['type']!r} is read as identity"
        diagnostics.add_notice("other-type", mention.line, message, type=attributes["type"])
    return {name: value for name, value in attributes.items() if value}


def _trim_blanks(start: int, end: int, blanks: Sequence[Span], starts: Sequence[int]) -> Span:
    """Where a mention begins and ends without the runs of blanks at its ends; starts: those of the blanks."""
    row = bisect_right(starts, start) - 1
    if row >= 0 and blanks[row][1] > start:
        start = blanks[row][1]
    row = bisect_left(starts, end) - 1
    if row >= 0 and blanks[row][1] >= end:
        end = blanks[row][0]
    return start, end


def _find_first_mentions(mentions: Sequence[_CorefElement], diagnostics: Diagnostics) -> list[int]:
    """For every mention the number of the first one of its entity."""
    rows: dict[str, int] = {}
    for row, mention in enumerate(mentions):
        if not mention.id:
            diagnostics.add_fault(mention.line, "COREF without ID", '<COREF ID="...">')
        elif mention.id in rows:
            _refuse_repeated_id(mention, mentions[rows[mention.id]], mentions, diagnostics)
        rows.setdefault(mention.id, row)
    antecedents = [-1] * len(mentions)
    for row, mention in enumerate(mentions):
        if mention.reference and mention.reference not in rows:
            what = f"REF {mention.reference!r} of mention {mention.id!r} is not an ID of the document"
            expected = "the ID of a mention of the same document"
            diagnostics.add_fault(mention.line, what, expected, kind="dangling-reference")
        elif mention.reference and mention.reference == mention.id:
            diagnostics.add_notice("self-link", mention.line, f"mention {mention.id!r} refers to itself", id=mention.id)
        elif mention.reference:
            antecedents[row] = rows[mention.reference]
    for circle in _find_circles(antecedents):
        ids = [mentions[row].id for row in circle]
        shown = " -> ".join([*ids[:_SHOWN], *(["..."] if len(ids) > _SHOWN else []), ids[0]])
        line = mentions[circle[0]].line
        diagnostics.add_notice("reference-cycle", line, f"mentions refer to each other in a circle: {shown}", ids=ids)
    sets = UnionFind(range(len(mentions)))
    for row, antecedent in enumerate(antecedents):
        if antecedent >= 0:
            sets.join(row, antecedent)
    return [sets.find(row) for row in range(len(mentions))]


def _refuse_repeated_id(
    mention: _CorefElement, first: _CorefElement, mentions: Sequence[_CorefElement], diagnostics: Diagnostics
) -> None:
    hint = ""
    if not any(each.reference for each in mentions):
        hint = "files whose ID names the entity, such as those of OntoNotes, are not supported"
    what = f"ID {mention.id!r} is already on line {first.line}"
    diagnostics.add_fault(mention.line, what, "every ID once in a document", hint, kind="id-twice")


def _find_circles(antecedents: Sequence[int]) -> Iterator[list[int]]:
    """The rows that lead back to themselves, circle by circle, each from its first row on; -1 is no antecedent."""
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


def _read_minimum(mention: _CorefElement, text: str, start: int, end: int, diagnostics: Diagnostics) -> Span | None:
    """First and last character of a mention's minimum; None, with a notice, if it is not found.

    MIN lists possibilities with `|` between them; blanks in it stand for any run of blanks. Where the same words occur
    twice in a mention, MIN means the first of them, and whole words rather than parts of others. MUC cannot say that a
    minimum is elsewhere: then corefeval also writes MINPLACE="first-last", in characters of the document's text.
    """
    written = mention.attributes.get("MIN", "")
    if not markup.normalize_value(written):
        return None
    found = _check_place(mention.value("MINPLACE"), written, text) or find_minimum(written, text, start, end)
    if found is None:
        message = f"MIN {markup.normalize_value(written)!r} of mention {mention.id!r} is not within it"
        diagnostics.add_notice("minimum-not-found", mention.line, message, id=mention.id)
    return found


def find_minimum(written: str, text: str, start: int, end: int) -> Span | None:
    """The first and last character of the first possibility of a MIN that is found in text[start:end]."""
    inside = text[start:end]
    for whole, anywhere in _compile_possibilities(written):
        match = whole.search(inside) or anywhere.search(inside)
        if match:
            return start + match.start(), start + match.end() - 1
    return None


def _check_place(place: str, written: str, text: str) -> Span | None:
    """The place that MINPLACE gives, if the text there is what MIN says."""
    match = _PLACE.fullmatch(place)
    if match is None:
        return None
    first, last = int(match[1]), int(match[2])
    patterns = _compile_possibilities(written)
    fits = last < len(text) and any(anywhere.fullmatch(text, first, last + 1) for _, anywhere in patterns)
    return (first, last) if fits else None


@lru_cache(maxsize=1000)
def _compile_possibilities(written: str) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """For every possibility of a MIN, a pattern for whole words and one for the same anywhere."""
    patterns = []
    for possibility in written.split("|"):
        words = [re.escape(markup.resolve_references(word)) for word in markup.BLANKS.split(possibility) if word]
        pattern = r"[ \t\n\r\f\v]+".join(words)
        if pattern:
            patterns.append((re.compile(rf"(?<!\w){pattern}(?!\w)"), re.compile(pattern)))
    return tuple(patterns)
