"""The documents of a MUC file: their text, which is what is between tags, and the places of their mentions in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from corefeval._arrays import Booleans, Ints
from corefeval._lazy import NamedTuple
from corefeval.formats.muc.tags import CorefTags, find_tags
from corefeval.formats.shared import markup
from corefeval.formats.shared.brackets import BracketPairs, pair_brackets
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.formats.shared.markup import Tag

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes = NDArray[np.uint32]

_NAME_TAGS = {"DOCID", "DOCNO"}
_BREAK_AFTER = {"DOC", "/DOCID", "/DOCNO", "TXT", "TEXT"}  # tags after and before which a line break is no text
_BREAK_BEFORE = {"/TXT", "/TEXT", "/DOC"}
_NOT_ASCII = 128
_IS_BLANK = np.isin(np.arange(256), list(b" \t\n\r\f\v"))
_ENDS = {"DOC", "/DOC", ""}


class MucDocuments(NamedTuple):
    """The documents of a file: names ("" for none), lines and texts."""

    names: list[str]
    lines: list[int]
    texts: tuple[str, ...]


class MucMentions(NamedTuple):
    """The mentions, which are COREF elements, in the order in which they open.

    tag: the number of the start tag among those of COREF. document: the number of the document.
    start, end: the first character in its text, and the one behind the last, without blanks at the ends.
    """

    tag: Ints
    document: Ints
    start: Ints
    end: Ints


def read_documents(text: str, diagnostics: Diagnostics) -> tuple[MucDocuments, CorefTags, MucMentions]:
    """Return the documents of a file, COREF tags and mentions; add faults, and raise them if nested too deep."""
    codes = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32).copy()
    page = np.minimum(codes, _NOT_ASCII).astype(np.uint8)
    corefs, others = find_tags(text, page, diagnostics)
    layout = _Layout(text, corefs, others)
    pairs, too_deep = layout.pair_tags()
    for place, _, line, what, expected, kind in sorted(layout.faults):
        if place <= too_deep:
            diagnostics.add_fault(line, what, expected, kind=kind)
    if too_deep < len(text):
        diagnostics.raise_faults()
    for line, message in layout.notices:
        diagnostics.add_notice("unfinished-document", line, message)
    is_blank = _IS_BLANK[page]
    _resolve_references(text, codes, layout.kept, is_blank)
    before = np.append(0, np.cumsum(layout.kept))  # how many characters of texts are before each place
    whole = codes[layout.kept].tobytes().decode("utf-32-le", "surrogatepass")
    bounds = before[[*layout.begins, len(text)]]
    texts = tuple(whole[begin:end] for begin, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True))
    tag = np.flatnonzero(corefs.opens & (layout.document >= 0))
    closing = np.full(len(corefs.begin), -1, dtype=np.int64)
    closing[pairs.opening] = corefs.begin[pairs.closing]
    closing[corefs.empty] = corefs.end[corefs.empty]
    visible = np.flatnonzero(layout.kept & ~is_blank)
    first = np.searchsorted(visible, corefs.end[tag])
    last = np.searchsorted(visible, closing[tag]) - 1
    start = np.append(before[visible], 0)[first] - bounds[layout.document[tag]]
    end = np.append(before[visible], 0)[last] + 1 - bounds[layout.document[tag]]
    end[last < first] = start[last < first] = 0
    return MucDocuments(layout.names, layout.lines, texts), corefs, MucMentions(tag, layout.document[tag], start, end)


def _resolve_references(text: str, codes: Codes, kept: Booleans, is_blank: Booleans) -> None:
    """Put what references mean in the place of their first characters; it is text even if it is a blank."""
    for match in markup.REFERENCE.finditer(text):
        meant = markup.resolve_references(match[0])
        if meant != match[0]:
            codes[match.start()] = ord(meant)
            kept[match.start() + 1 : match.end()] = False
            is_blank[match.start()] = False


class _Layout:
    """Which characters are text of documents, and which COREF tags are in which document.

    kept: which characters are text. document: that of each COREF tag; -1 outside of all.
    begins, ends: where documents begin and end in the file.
    faults: as place, order, line, what, expected and kind. notices: line and message.
    """

    def __init__(self, text: str, corefs: CorefTags, others: Sequence[Tag]) -> None:
        self._text, self._corefs = text, corefs
        self.kept = np.zeros(len(text), dtype=np.bool_)
        self.document = np.full(len(corefs.begin), -1, dtype=np.int64)
        self.names: list[str] = []
        self.lines: list[int] = []
        self.begins: list[int] = []
        self.ends: list[int] = []
        self.faults: list[tuple[int, int, int, str, str, str]] = []
        self.notices: list[tuple[int, str]] = []
        self._has_doc = any(tag.name == "DOC" for tag in others)
        if not self._has_doc and corefs.opens.any():
            self._begin_document("", 1, 0)
        before, done = "", 0
        passed = np.searchsorted(corefs.begin, [tag.end for tag in others]).tolist()
        first = 0
        for tag, stop in zip(others, passed, strict=True):
            self._read_text(tag, before, done, range(first, stop))
            if tag.name in _ENDS and len(self.ends) < len(self.begins):
                self.ends.append(tag.begin if tag.name else len(text))
                if tag.name != "/DOC" and self._has_doc:
                    message = f"the document of line {self.lines[-1]} ends without </DOC>"
                    self.notices.append((tag.line, message))
            if tag.name == "DOC":
                given = (tag.attributes.get(name, "") for name in ("DOCID", "DOCNO", "ID"))
                self._begin_document(markup.normalize_value(next(filter(None, given), "")), tag.line, tag.end)
            before, done, first = tag.name, tag.end, stop
        step = np.zeros(len(text) + 1, dtype=np.int8)
        step[corefs.begin] += 1
        step[corefs.end] -= 1
        self.kept &= np.cumsum(step[:-1], dtype=np.int8) == 0

    def _begin_document(self, name: str, line: int, place: int) -> None:
        """Begin a document at a place of the file."""
        self.names.append(name)
        self.lines.append(line)
        self.begins.append(place)

    def _read_text(self, tag: Tag, before: str, begin: int, corefs: range) -> None:
        """Take the text up to a tag, with COREF tags in it, for the document, or as its name if `before` says so.

        Outside of all documents, text and COREF tags are faults.
        """
        end = tag.begin if tag.name else len(self._text)
        if len(self.ends) == len(self.begins):
            self._refuse_text(tag, begin, end, corefs)
            return
        self.document[corefs.start : corefs.stop] = len(self.begins) - 1
        until = int(self._corefs.begin[corefs.start]) if corefs else end
        if before in _NAME_TAGS:
            self.names[-1] = self.names[-1] or markup.normalize_value(self._text[begin:until])
            begin = until
        elif before in _BREAK_AFTER and begin < until and self._text[begin] == "\n":
            begin += 1
        since = int(self._corefs.end[corefs.stop - 1]) if corefs else begin
        if tag.name in _BREAK_BEFORE and since < end and self._text[end - 1] == "\n":
            end -= 1
        self.kept[begin:end] = True

    def _refuse_text(self, tag: Tag, begin: int, end: int, corefs: range) -> None:
        """Add a fault for each text that is outside of documents, and for each COREF tag."""
        columns = (each[corefs.start : corefs.stop].tolist() for each in self._corefs[:3])
        for place, until, line in (*zip(*columns, strict=True), (end, end, tag.line)):
            written = self._text[begin:place]
            if written.strip():
                shown = markup.BLANKS.sub(" ", written).strip()[:40]
                what = f"text outside of a document, {shown!r}"
                place_of_text = line - written.lstrip().count("\n")
                self.faults.append((place, 0, place_of_text, what, "text between <DOC> and </DOC>", "syntax"))
            if place < end:
                expected = "it between <DOC> and </DOC>"
                self.faults.append((place, 1, line, "COREF outside of a document", expected, "syntax"))
            begin = until

    def pair_tags(self) -> tuple[BracketPairs, int]:
        """Return pairs of COREF tags, and where they are too deep in each other, or else the text's end; add faults."""
        corefs = self._corefs
        inside = (self.document >= 0) & ~(corefs.opens & corefs.empty)
        rows = np.flatnonzero(inside)
        pairs = pair_brackets(self.document, corefs.opens, rows)
        ids = corefs.list_values("ID") if len(pairs.unclosed) else []
        for tag in pairs.unopened.tolist():
            what = "</COREF> without a <COREF> before it"
            fault = int(corefs.line[tag]), what, "tags in pairs", "unbalanced-bracket"
            self.faults.append((int(corefs.begin[tag]), 1, *fault))
        for order, tag in enumerate(np.sort(pairs.unclosed).tolist()):
            what = f"the mention with ID {ids[tag]!r} is never closed"
            fault = int(corefs.line[tag]), what, "</COREF> in the same document", "unbalanced-bracket"
            self.faults.append((self.ends[self.document[tag]], 2 + order, *fault))
        step = corefs.opens.astype(np.int64)
        step[pairs.closing] = -1
        depth = np.cumsum(step * inside)
        unclosed = np.bincount(self.document[pairs.unclosed], minlength=len(self.names))
        depth -= np.append(0, np.cumsum(unclosed))[self.document]  # what an earlier document leaves open
        deepest = np.flatnonzero(depth > markup.DEEPEST)
        if not len(deepest):
            return pairs, len(self._text)
        tag = int(deepest[0])
        what = f"more than {markup.DEEPEST:,} mentions within each other"
        fault = int(corefs.line[tag]), what, "</COREF> somewhere before", "unbalanced-bracket"
        self.faults.append((int(corefs.begin[tag]), 1, *fault))
        return pairs, int(corefs.begin[tag])
