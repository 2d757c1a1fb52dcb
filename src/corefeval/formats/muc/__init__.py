"""MUC-6 and MUC-7 coreference: SGML tags in the running text.

    <DOC> <DOCID> nyt960214.0765 </DOCID>
    <TEXT> <COREF ID="5" MIN="Corp.">Acme Corp. of Ohio</COREF> said
    <COREF ID="6" TYPE="IDENT" REF="5">it</COREF> ... </TEXT> </DOC>

A mention is the text of a COREF element without blanks at its ends; an entity is the transitive closure of REF, and its
name is the ID of its first mention. The text of a document is all that is in DOC, without tags, without the document's
name, and without the line breaks next to the tags of DOC, DOCID, DOCNO, TXT and TEXT. Of MIN, which may
list several possibilities with `|`, the first one that is found in the mention is its minimum.

A mention that neither refers nor is referred to is an entity by itself. A REF to itself or in a circle links all that
it names, with a notice; a REF to an ID that the document does not have is a fault, because its meaning is not known.
When written, the first mention of an entity has the entity's name as its ID, and every other one refers to the one
before it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, count

from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Spans
from corefeval.corpus.objects import Document, Mention
from corefeval.corpus.union_find import UnionFind
from corefeval.errors import Fault, InputError
from corefeval.formats.base import Capacity, File
from corefeval.formats.draft import DocumentDraft, Draft, Span
from corefeval.formats.shared import lines, markup
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.formats.shared.markup import Tag
from corefeval.formats.shared.writing import make_distinct, replace_surrogates, respell_names

TITLE = "MUC-6 and MUC-7 coreference in SGML"
EXAMPLE = """<DOC> <DOCID> nyt960214.0765 </DOCID>
<TEXT> <COREF ID="5" MIN="Corp.">Acme Corp. of Ohio</COREF> said
<COREF ID="6" TYPE="IDENT" REF="5">it</COREF> ... </TEXT> </DOC>"""
SUFFIXES = (".muc", ".muc6", ".muc7", ".sgm", ".sgml")
COMPANIONS = ()


def spell_document_names(documents: Sequence[str]) -> list[str]:
    """Return documents' names as DOCID can have them, still distinct: no outer blanks, no surrogates, none empty."""
    return respell_names(documents, lambda name: replace_surrogates(name).strip() or "_")


CAPACITY = Capacity(
    units=("character",),
    crossing="none",
    minimums=True,
    attributes=("status", "type"),
    document_names=spell_document_names,
)

_COREF = re.compile(rb"<COREF\s[^<>]*\bID\s*=", re.IGNORECASE)
_PLACE = re.compile(r"([0-9]{1,18})-([0-9]{1,18})")
_NAME_TAGS = {"DOCID", "DOCNO"}
_BREAK_AFTER = {"DOC", "/DOCID", "/DOCNO", "TXT", "TEXT"}  # tags after and before which a line break is no text
_BREAK_BEFORE = {"/TXT", "/TEXT", "/DOC"}
_BLANKS = " \t\n\r\f\v"
_SHOWN = 5  # IDs of a circle that a message names
_ESCAPED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;", "\0": "&#0;"}
_UNSAFE = re.compile(r'[&<>"\t\n\r\f\v\0]|^ | $|(?<= ) ')


@dataclass
class _CorefElement:
    """A COREF element with its attributes; `end` is after its last character, and -1 as long as it is open."""

    tag: Tag
    start: int
    end: int = -1

    def __post_init__(self) -> None:
        self.line, self.id, self.reference = self.tag.line, self.get_value("ID"), self.get_value("REF")

    def get_value(self, name: str) -> str:
        """Return the value of an attribute; "" if it is missing."""
        return markup.normalize_value(self.tag.attributes.get(name, ""))


@dataclass
class _MucDocument:
    """What has been read of a document; `visible` is its text with something visible for references to blanks."""

    name: str = ""
    line: int = 1
    text: list[str] = field(default_factory=list)
    visible: list[str] = field(default_factory=list)
    length: int = 0
    mentions: list[_CorefElement] = field(default_factory=list)
    open: list[_CorefElement] = field(default_factory=list)


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is MUC, by a COREF tag; "" if there is none, or <coreferences> too."""
    found = _COREF.search(beginning) is not None and b"<coreferences" not in beginning
    return "'<COREF ID=' found" if found else ""


def read(file: File) -> Corpus:
    """Return the corpus of all documents of a file that is in memory; raises InputError with all faults in it."""
    draft = Draft(file.name)
    text = lines.decode_text(file.data, draft).replace("\r", "\n")
    documents = _split_documents(list(markup.find_tags(text, draft)), draft)
    unnamed = [each for each in documents if not each.name]
    for number, each in enumerate(unnamed, start=1):
        each.name = file.document if len(unnamed) == 1 else f"{file.document}-{number}"
    for each in documents:
        _add_mentions(draft.add_document(each.name, text="".join(each.text), line=each.line), each, draft)
    if not documents:
        draft.add_fault(1, "no document", "<DOC> or <COREF ID=...>")
    return draft.build_corpus()


def _split_documents(tags: Sequence[Tag], diagnostics: Diagnostics) -> list[_MucDocument]:
    """Return documents with text and mentions, by DOC tags, or one if there is only COREF; add faults and notices."""
    names = {tag.name for tag in tags}
    here = _MucDocument() if "DOC" not in names and "COREF" in names else None
    documents = [] if here is None else [here]
    before = ""
    for tag in tags:
        _read_text(tag, before, here, diagnostics)
        if tag.name in {"DOC", "/DOC", ""} and here is not None:
            if tag.name != "/DOC" and "DOC" in names:
                message = f"the document of line {here.line} ends without </DOC>"
                diagnostics.add_notice("unfinished-document", tag.line, message)
            for mention in here.open:
                what = f"the mention with ID {mention.id!r} is never closed"
                diagnostics.add_fault(mention.line, what, "</COREF> in the same document", kind="unbalanced-bracket")
            here = None
        if tag.name == "DOC":
            given = (tag.attributes.get(name, "") for name in ("DOCID", "DOCNO", "ID"))
            here = _MucDocument(markup.normalize_value(next(filter(None, given), "")), tag.line)
            documents.append(here)
        elif tag.name in {"COREF", "/COREF"}:
            _read_mention(tag, here, diagnostics)
        before = tag.name
    return documents


def _read_text(tag: Tag, before: str, here: _MucDocument | None, diagnostics: Diagnostics) -> None:
    """Add the text before a tag to the document, or as its name if after DOCID (`before`); outside of all, a fault."""
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
        written = written.removesuffix("\n") if tag.name in _BREAK_BEFORE else written
        here.text.append(markup.resolve_references(written))
        here.visible.append(markup.mask_blank_references(written))
        here.length += len(here.text[-1])


def _read_mention(tag: Tag, here: _MucDocument | None, diagnostics: Diagnostics) -> None:
    """Open a mention at a COREF tag, or close the innermost one at /COREF; add faults, and raise them if too deep."""
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


def _add_mentions(draft: DocumentDraft, document: _MucDocument, diagnostics: Diagnostics) -> None:
    """Add the mentions of a document, without blanks at their ends, to its draft; also add notices."""
    text = draft.text or ""
    visible = "".join(document.visible)
    firsts = _find_first_mentions(document.mentions, diagnostics)
    for mention, first in zip(document.mentions, firsts, strict=True):
        inside = visible[mention.start : max(0, mention.end)].rstrip(_BLANKS)
        end = mention.start + len(inside)
        start = end - len(inside.lstrip(_BLANKS))
        if start < end:
            draft.add_mention(
                document.mentions[first].id,
                (start, end - 1),
                minimum=_read_minimum(mention, text, start, end, diagnostics),
                line=mention.line,
                attributes=_read_attributes(mention, diagnostics),
            )
        elif mention.end >= 0:
            message = f"the mention with ID {mention.id!r} has no text and is left out"
            diagnostics.add_notice("empty-mention", mention.line, message, document=document.name)


def _read_attributes(mention: _CorefElement, diagnostics: Diagnostics) -> dict[str, str]:
    """Return status and type of a mention, where given; add a notice of a reference of another type than identity."""
    attributes = {"status": mention.get_value("STATUS") or mention.get_value("STAT"), "type": mention.get_value("TYPE")}
    if attributes["type"].upper() == "IDENT":
        attributes["type"] = ""
    if attributes["type"] and mention.reference:
        message = f"REF of TYPE {attributes['type']!r} is read as identity"
        diagnostics.add_notice("other-type", mention.line, message, type=attributes["type"])
    return {name: value for name, value in attributes.items() if value}


def _find_first_mentions(mentions: Sequence[_CorefElement], diagnostics: Diagnostics) -> list[int]:
    """Return for each mention the number of the first one of its entity; add faults and notices of IDs and REFs."""
    rows: dict[str, int] = {}
    for row, mention in enumerate(mentions):
        if not mention.id:
            diagnostics.add_fault(mention.line, "COREF without ID", '<COREF ID="...">')
        elif mention.id in rows:
            hint = "files whose ID names the entity, such as those of OntoNotes, are not supported"
            hint = "" if any(each.reference for each in mentions) else hint
            what = f"ID {mention.id!r} is already on line {mentions[rows[mention.id]].line}"
            diagnostics.add_fault(mention.line, what, "every ID once in a document", hint, kind="id-twice")
        rows.setdefault(mention.id, row)
    antecedents: dict[int, int] = {}
    for row, mention in enumerate(mentions):
        if mention.reference and mention.reference not in rows:
            what = f"REF {mention.reference!r} of mention {mention.id!r} is not an ID of the document"
            expected = "the ID of a mention of the same document"
            diagnostics.add_fault(mention.line, what, expected, kind="dangling-reference")
        elif mention.reference and mention.reference == mention.id:
            diagnostics.add_notice("self-link", mention.line, f"mention {mention.id!r} refers to itself", id=mention.id)
        elif mention.reference:
            antecedents[row] = rows[mention.reference]
    sets = UnionFind(range(len(mentions)))
    for row, antecedent in antecedents.items():
        if sets.find(row) == sets.find(antecedent):
            _note_circle(row, antecedents, mentions, diagnostics)
        sets.join(row, antecedent)
    return [sets.find(row) for row in range(len(mentions))]


def _note_circle(
    row: int, antecedents: Mapping[int, int], mentions: Sequence[_CorefElement], diagnostics: Diagnostics
) -> None:
    """Add a notice of the mentions whose references lead from a mention back to it, from the first of them on."""
    circle = [row]
    while (row := antecedents[row]) != circle[0]:
        circle.append(row)
    first = circle.index(min(circle))
    ids = [mentions[each].id for each in (*circle[first:], *circle[:first])]
    shown = " -> ".join([*ids[:_SHOWN], *(["..."] if len(ids) > _SHOWN else []), ids[0]])
    message = f"mentions refer to each other in a circle: {shown}"
    diagnostics.add_notice("reference-cycle", mentions[circle[first]].line, message, ids=ids)


def _read_minimum(mention: _CorefElement, text: str, start: int, end: int, diagnostics: Diagnostics) -> Span | None:
    """Return first and last character of a mention's minimum; None without MIN, or with a notice if it is not found.

    Where the same words occur twice in a mention, MIN means the first of them, and whole words rather than parts. For
    others, corefeval writes MINPLACE="first-last", in characters of the document's text; MUC has nothing for them.
    """
    written = mention.tag.attributes.get("MIN", "")
    if not markup.normalize_value(written):
        return None
    found = _find_minimum(written, text, start, end)
    place = _PLACE.fullmatch(mention.get_value("MINPLACE"))
    if place:
        first, last = int(place[1]), int(place[2])
        patterns = _compile_possibilities(written)
        if last < len(text) and any(anywhere.fullmatch(text, first, last + 1) for _, anywhere in patterns):
            found = first, last
    if found is None:
        message = f"MIN {markup.normalize_value(written)!r} of mention {mention.id!r} is not within it"
        diagnostics.add_notice("minimum-not-found", mention.line, message, id=mention.id)
    return found


def _find_minimum(written: str, text: str, start: int, end: int) -> Span | None:
    """Return (first, last) of the first possibility of a MIN that is found in text[start:end]; None if none is."""
    inside = text[start:end]
    for whole, anywhere in _compile_possibilities(written):
        match = whole.search(inside) or anywhere.search(inside)
        if match:
            return start + match.start(), start + match.end() - 1
    return None


@lru_cache(maxsize=1000)
def _compile_possibilities(written: str) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """Return for every possibility of a MIN a pair of patterns: for whole words, and for the same anywhere."""
    patterns = []
    for possibility in written.split("|"):
        words = [re.escape(markup.resolve_references(word)) for word in markup.BLANKS.split(possibility) if word]
        pattern = r"[ \t\n\r\f\v]+".join(words)
        if pattern:
            patterns.append((re.compile(rf"(?<!\w){pattern}(?!\w)"), re.compile(pattern)))
    return tuple(patterns)


def write(corpus: Corpus) -> bytes:
    """Return the bytes of a file with the corpus. Mentions must be spans of characters, none of which cross."""
    assert isinstance(corpus.mentions, Spans)  # noqa: S101 - fitting has seen to it
    return "".join(_write_document(corpus, document) for document in corpus).encode("utf-8", "replace")


def _write_document(corpus: Corpus, document: Document) -> str:
    """Return the DOC element of a document; an InputError if mentions are nested too deeply, or end after the text."""
    text = document.text or ""
    mentions = sorted(
        (mention for entity in document for mention in entity),
        key=lambda mention: (mention.runs[0][0], -mention.runs[0][1]),
    )
    characters = [_ESCAPED.get(character, character) for character in text]
    opening: dict[int, list[str]] = defaultdict(list)
    closing: dict[int, int] = defaultdict(int)
    for mention, tag in zip(mentions, _write_tags(text, mentions), strict=True):
        first, last = mention.runs[0]
        if last >= len(text):
            what = f"a mention ends after the last character of document {document.name!r}"
            raise InputError(Fault(corpus.source or "corpus", what))
        opening[first].append(tag)
        closing[last] += 1
        for place in (first, last):
            if markup.BLANKS.match(text[place]):  # which would be trimmed when it is read
                characters[place] = _make_reference(text[place])
    steps = (len(opening.get(place, ())) - closing.get(place - 1, 0) for place in range(len(text)))
    if max(accumulate(steps), default=0) > markup.DEEPEST:
        what = f"mentions lie within {markup.DEEPEST:,} others or more"
        raise InputError(Fault(corpus.source or "corpus", what, "less nesting than its readers take"))
    marked = "".join(
        f"{''.join(opening.get(place, ()))}{character}{'</COREF>' * closing.get(place, 0)}"
        for place, character in enumerate(characters)
    )
    return f"<DOC>\n<DOCID>{_escape_value(document.name)}</DOCID>\n<TXT>\n{marked}\n</TXT>\n</DOC>\n"


def _write_tags(text: str, mentions: Sequence[Mention]) -> list[str]:
    """Return the start tag of every mention."""
    entities = list(dict.fromkeys(mention.entity.name for mention in mentions))
    safe_names = (name.encode("utf-8", "replace").decode() or "_" for name in entities)
    names = dict(zip(entities, make_distinct(safe_names), strict=True))
    taken = set(names.values())
    numbers = (number for number in map(str, count(1)) if number not in taken)
    last: dict[str, str] = {}
    tags = []
    for mention in mentions:
        entity = mention.entity.name
        reference = last.get(entity, "")
        own = next(numbers) if reference else names[entity]
        last[entity] = own
        attributes = {
            "ID": _escape_value(own),
            "TYPE": _escape_value(mention.attributes.get("type", "IDENT" if reference else "")),
            "REF": _escape_value(reference),
            **_write_minimum(text, mention),
            "STATUS": _escape_value(mention.attributes.get("status", "")),
        }
        listed = " ".join(f'{name}="{value}"' for name, value in attributes.items() if value)
        tags.append(f"<COREF {listed}>")
    return tags


def _write_minimum(text: str, mention: Mention) -> dict[str, str]:
    """Return a mention's MIN by name, and MINPLACE if the words alone would be found elsewhere; {} without minimum."""
    if mention.minimum is None:
        return {}
    first, last = mention.minimum
    start, end = mention.runs[0]
    written = text[first : last + 1]
    exact, words = (_escape_value(each).replace("|", "&#124;") for each in (written, markup.BLANKS.sub(" ", written)))
    if _find_minimum(words, text, start, end + 1) == mention.minimum:
        return {"MIN": words}
    return {"MIN": exact, "MINPLACE": f"{first}-{last}"}


def _escape_value(text: str) -> str:
    """Return a text with references for characters that would not be read back unchanged from an attribute."""
    return _UNSAFE.sub(lambda match: _make_reference(match[0]), text)


def _make_reference(character: str) -> str:
    """Return the reference that stands for a character."""
    return _ESCAPED.get(character) or f"&#{ord(character)};"
