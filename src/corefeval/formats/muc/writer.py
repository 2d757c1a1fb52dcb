"""Writing MUC's SGML: the text of every document with COREF tags in it.

The first mention of an entity has the entity's name as its ID, and every other one refers to the one before it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import count
from typing import TYPE_CHECKING

from corefeval.corpus import span_properties
from corefeval.errors import Fault, InputError
from corefeval.formats.muc import minimum
from corefeval.formats.shared import markup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval.corpus.corpus import Corpus
    from corefeval.corpus.objects import Document, Mention

_ESCAPED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;", "\0": "&#0;"}
_UNSAFE = re.compile(r'[&<>"\t\n\r\f\v\0]|^ | $|(?<= ) ')


def write(corpus: Corpus) -> bytes:
    """The corpus as a file. Mentions must be spans of characters, and each beside or within any other."""
    if span_properties.measure_depth(corpus).max(initial=0) >= markup.DEEPEST:
        what = f"mentions lie within {markup.DEEPEST:,} others or more"
        raise InputError(Fault(corpus.source or "corpus", what, "less nesting than its readers take"))
    written = [_document(corpus, document) for document in corpus]
    return "".join(written).encode("utf-8", "replace")


def _document(corpus: Corpus, document: Document) -> str:
    text = document.text or ""
    mentions = sorted((mention for entity in document for mention in entity), key=_order)
    characters = [_ESCAPED.get(character, character) for character in text]
    opening: dict[int, list[str]] = defaultdict(list)
    closing: dict[int, int] = defaultdict(int)
    for mention, tag in zip(mentions, _tags(text, mentions), strict=True):
        first, last = mention.runs[0]
        if last >= len(text):
            what = f"a mention ends behind the last character of document {document.name!r}"
            raise InputError(Fault(corpus.source or "corpus", what))
        opening[first].append(tag)
        closing[last] += 1
        for place in (first, last):
            if markup.BLANKS.match(text[place]):  # which would be left away when it is read
                characters[place] = _reference(text[place])
    marked = "".join(
        f"{''.join(opening.get(place, ()))}{character}{'</COREF>' * closing.get(place, 0)}"
        for place, character in enumerate(characters)
    )
    return f"<DOC>\n<DOCID>{_value(document.name)}</DOCID>\n<TXT>\n{marked}\n</TXT>\n</DOC>\n"


def _order(mention: Mention) -> tuple[int, int]:
    return mention.runs[0][0], -mention.runs[0][1]


def _tags(text: str, mentions: Sequence[Mention]) -> list[str]:
    names = _names([mention.entity.name for mention in mentions])
    taken = set(names.values())
    numbers = (number for number in map(str, count(1)) if number not in taken)
    last: dict[str, str] = {}
    tags = []
    for mention in mentions:
        entity = mention.entity.name
        reference = last.get(entity)
        own = names[entity] if reference is None else next(numbers)
        tags.append(_tag(text, mention, own, reference))
        last[entity] = own
    return tags


def _names(wanted: Sequence[str]) -> dict[str, str]:
    """The entities' names as they can be written, and still different."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for name in dict.fromkeys(wanted):
        stem = own = name.encode("utf-8", "replace").decode() or "_"
        for number in count(2):
            if own not in taken:
                break
            own = f"{stem}_{number}"
        taken.add(own)
        names[name] = own
    return names


def _tag(text: str, mention: Mention, own: str, reference: str | None) -> str:
    attributes = {"ID": _value(own)}
    kind = mention.attributes.get("type", "" if reference is None else "IDENT")
    if kind:
        attributes["TYPE"] = _value(kind)
    if reference is not None:
        attributes["REF"] = _value(reference)
    attributes |= _minimum(text, mention)
    if "status" in mention.attributes:
        attributes["STATUS"] = _value(mention.attributes["status"])
    listed = " ".join(f'{name}="{value}"' for name, value in attributes.items())
    return f"<COREF {listed}>"


def _minimum(text: str, mention: Mention) -> dict[str, str]:
    """MIN, and MINPLACE where the words alone would be found elsewhere."""
    if mention.minimum is None:
        return {}
    first, last = mention.minimum
    start, end = mention.runs[0]
    words = _possibility(markup.BLANKS.sub(" ", text[first : last + 1]))
    if minimum.find(words, text, start, end + 1) == mention.minimum:
        return {"MIN": words}
    return {"MIN": _possibility(text[first : last + 1]), "MINPLACE": f"{first}-{last}"}


def _possibility(text: str) -> str:
    return _value(text).replace("|", _reference("|"))


def _value(text: str) -> str:
    """As an attribute, such that it is read as it is."""
    return _UNSAFE.sub(lambda match: _reference(match[0]), text)


def _reference(character: str) -> str:
    return _ESCAPED.get(character) or f"&#{ord(character)};"
