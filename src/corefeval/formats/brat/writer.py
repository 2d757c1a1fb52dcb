"""Writing brat standoff: entities as equivalences, their names as notes, attributes as attributes."""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING

from corefeval.formats.brat import UNTYPED
from corefeval.formats.brat.file_names import different, file_names
from corefeval.formats.brat.lines import FLAG, NAME_NOTE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corefeval.corpus.corpus import Corpus
    from corefeval.corpus.mentions import Pieces
    from corefeval.corpus.objects import Document, Mention

_BLANK = re.compile(r"\s")
_LINE = re.compile(r"[^\n\r]+")
_LINE_END = re.compile(r"[\n\r]")
_BREAK = re.compile(r"[\t\n\r]")
_NORMALISATION = re.compile(r"\S+:\S+")


def write(corpus: Corpus) -> dict[str, bytes]:
    """An .ann and a .txt for every document, whose name is that of the files."""
    files = {}
    attributes = dict(
        zip(corpus.attributes, different(_BLANK.sub("_", name) for name in corpus.attributes), strict=True)
    )
    for document, name in zip(corpus, file_names(corpus.documents), strict=True):
        text = _encodable(document.text or "")
        files[f"{name}.ann"] = _encodable("".join(_document(document, text, attributes))).encode()
        files[f"{name}.txt"] = text.encode()
    return files


def _encodable(text: str) -> str:
    """A character for a character, or offsets would not hold."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def _document(document: Document, text: str, attributes: Mapping[str, str]) -> Iterator[str]:
    marked: list[str] = []
    tied: list[str] = []
    remarks: list[tuple[str, str]] = []
    names = different(_BREAK.sub(" ", entity.name).strip() for entity in document)
    for entity, name in zip(document, names, strict=True):
        first = len(marked) + 1
        for mention in entity:
            marked.append(_text_bound(mention, len(marked) + 1, text))
            remarks.extend(_remarks(mention, f"T{len(marked)}", attributes))
        remarks.append(("#", f"{NAME_NOTE} T{first}\t{name}"))
        if len(entity) > 1:
            tied.append("*\tCoreference " + " ".join(f"T{number}" for number in range(first, len(marked) + 1)))
    numbers = {letter: count(1) for letter, _ in remarks}
    said = (f"{letter}{next(numbers[letter])}\t{content}" for letter, content in sorted(remarks, key=_by_kind))
    return (f"{line}\n" for line in (*marked, *tied, *said))


def _by_kind(remark: tuple[str, str]) -> int:
    return "AN#".index(remark[0])


def _text_bound(mention: Mention, number: int, text: str) -> str:
    parts = [part for run in mention.runs for part in _parts(run[0], run[1] + 1, text)]
    offsets = ";".join(f"{start} {end}" for start, end in parts)
    label = _BLANK.sub("_", mention.attributes.get("type", UNTYPED))
    words = " ".join(text[start:end] for start, end in parts)
    return f"T{number}\t{label} {offsets}\t{_LINE_END.sub(' ', words)}"


def _parts(start: int, end: int, text: str) -> Pieces:
    """A run as brat has it, in parts that end where lines do."""
    inside = [match.span() for match in _LINE.finditer(text, start, end)]
    starts = [start, *(first for first, _ in inside[1:])]
    ends = [*(last for _, last in inside[:-1]), end]
    return tuple(zip(starts, ends, strict=True))


def _remarks(mention: Mention, target: str, names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The attributes of a mention: the letter of a line, and what follows the id."""
    for name, value in mention.attributes.items():
        said = _BREAK.sub(" ", value).strip()
        if not said or name == "type":
            continue
        if name == "AnnotatorNotes":
            yield "#", f"{name} {target}\t{said}"
        elif name == "Reference" and _NORMALISATION.fullmatch(said):
            yield "N", f"{name} {target} {said}\t"
        else:
            yield "A", f"{names[name]} {target}" if said == FLAG else f"{names[name]} {target} {said}"
