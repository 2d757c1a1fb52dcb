"""Writing brat: an .ann file and a .txt file for every document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Pieces
from corefeval.corpus.objects import Document, Mention
from corefeval.formats.brat.annotations import FLAG, NAME_NOTE
from corefeval.formats.shared.span_links import UNTYPED
from corefeval.formats.shared.writing import make_distinct, respell_names

_BLANK = re.compile(r"\s")
_LINE = re.compile(r"[^\n\r]+")
_LINE_END = re.compile(r"[\n\r]")
_BREAK = re.compile(r"[\t\n\r]")
_NORMALISATION = re.compile(r"\S+:\S+")
_UNSAFE_IN_PATH = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\]|^\.|^$')
_SUFFIX = re.compile(r"(?i)\.(ann|txt)$")
_LONGEST = 200  # bytes of a part of a file name: file systems take 255


def make_file_names(documents: Sequence[str]) -> list[str]:
    """Return valid names for files below a folder, distinct even where case does not matter; valid ones stay."""
    return respell_names(documents, _make_path, seen_as=str.casefold)


def _make_path(document: str) -> str:
    """Return a document's name as a valid path without suffix: _ for unsafe characters, long parts cut."""
    parts = (part.encode("utf-8", "replace")[:_LONGEST].decode("utf-8", "ignore") for part in document.split("/"))
    *folders, last = [_UNSAFE_IN_PATH.sub("_", part) for part in parts]
    return "/".join([*(_SUFFIX.sub(r"_\1", folder) for folder in folders), last])


def write(corpus: Corpus) -> dict[str, bytes]:
    """Return the bytes of an .ann and a .txt file for every document, by name: that of the document, made valid."""
    files = {}
    column_names = make_distinct(_BLANK.sub("_", name) for name in corpus.attributes)
    attributes = dict(zip(corpus.attributes, column_names, strict=True))
    for document, name in zip(corpus, make_file_names(corpus.documents), strict=True):
        text = _make_encodable(document.text or "")
        files[f"{name}.ann"] = _make_encodable("".join(_write_document(document, text, attributes))).encode()
        files[f"{name}.txt"] = text.encode()
    return files


def _make_encodable(text: str) -> str:
    """Return a text of the same length that UTF-8 can encode: U+FFFD for NUL, a question mark for surrogates."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def _write_document(document: Document, text: str, attributes: Mapping[str, str]) -> Iterator[str]:
    """Return an iterator over the lines of a document's .ann file; attributes: their names as they are written."""
    marked: list[str] = []
    linked: list[str] = []
    remarks: list[tuple[str, str]] = []
    names = make_distinct(_BREAK.sub(" ", entity.name).strip() for entity in document)
    for entity, name in zip(document, names, strict=True):
        first = len(marked) + 1
        for mention in entity:
            marked.append(_write_text_bound(mention, len(marked) + 1, text))
            remarks.extend(_write_attributes(mention, f"T{len(marked)}", attributes))
        remarks.append(("#", f"{NAME_NOTE} T{first}\t{name}"))
        if len(entity) > 1:
            linked.append("*\tCoreference " + " ".join(f"T{number}" for number in range(first, len(marked) + 1)))
    numbers = {letter: count(1) for letter, _ in remarks}
    remarks.sort(key=lambda remark: "AN#".index(remark[0]))
    numbered = (f"{letter}{next(numbers[letter])}\t{content}" for letter, content in remarks)
    return (f"{line}\n" for line in (*marked, *linked, *numbered))


def _write_text_bound(mention: Mention, number: int, text: str) -> str:
    """Return the `T` line of a mention."""
    parts = [part for first, last in mention.runs for part in _split_at_line_ends(first, last + 1, text)]
    offsets = ";".join(f"{start} {end}" for start, end in parts)
    label = _BLANK.sub("_", mention.attributes.get("type", UNTYPED))
    words = " ".join(text[start:end] for start, end in parts)
    return f"T{number}\t{label} {offsets}\t{_LINE_END.sub(' ', words)}"


def _split_at_line_ends(start: int, end: int, text: str) -> Pieces:
    """Return the parts [start, end) of a run, one for every line, as brat has them."""
    inside = [match.span() for match in _LINE.finditer(text, start, end)]
    starts = [start, *(first for first, _ in inside[1:])]
    ends = [*(last for _, last in inside[:-1]), end]
    return tuple(zip(starts, ends, strict=True))


def _write_attributes(mention: Mention, target: str, names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield for each attribute of a mention, but its type, the letter of a line and what follows the line's id."""
    for name, value in mention.attributes.items():
        written = _BREAK.sub(" ", value).strip()
        if not written or name == "type":
            continue
        if name == "AnnotatorNotes":
            yield "#", f"{name} {target}\t{written}"
        elif name == "Reference" and _NORMALISATION.fullmatch(written):
            yield "N", f"{name} {target} {written}\t"
        else:
            yield "A", f"{names[name]} {target}" if written == FLAG else f"{names[name]} {target} {written}"
