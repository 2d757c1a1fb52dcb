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
from corefeval.formats.muc.reader import find_minimum
from corefeval.formats.shared import markup
from corefeval.formats.shared.names import make_distinct

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
    written = [_write_document(corpus, document) for document in corpus]
    return "".join(written).encode("utf-8", "replace")


def _write_document(corpus: Corpus, document: Document) -> str:
    """The DOC element of a document."""
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
    marked = "".join(
        f"{''.join(opening.get(place, ()))}{character}{'</COREF>' * closing.get(place, 0)}"
        for place, character in enumerate(characters)
    )
    return f"<DOC>\n<DOCID>{_escape_value(document.name)}</DOCID>\n<TXT>\n{marked}\n</TXT>\n</DOC>\n"


def _write_tags(text: str, mentions: Sequence[Mention]) -> list[str]:
    """The start tag of every mention."""
    entities = list(dict.fromkeys(mention.entity.name for mention in mentions))
    safe_names = (name.encode("utf-8", "replace").decode() or "_" for name in entities)
    names = dict(zip(entities, make_distinct(safe_names), strict=True))
    taken = set(names.values())
    numbers = (number for number in map(str, count(1)) if number not in taken)
    last: dict[str, str] = {}
    tags = []
    for mention in mentions:
        entity = mention.entity.name
        reference = last.get(entity)
        own = names[entity] if reference is None else next(numbers)
        tags.append(_write_tag(text, mention, own, reference))
        last[entity] = own
    return tags


def _write_tag(text: str, mention: Mention, own: str, reference: str | None) -> str:
    """The start tag of a mention with its own ID, and that of the mention that it refers to."""
    attributes = {"ID": _escape_value(own)}
    kind = mention.attributes.get("type", "" if reference is None else "IDENT")
    if kind:
        attributes["TYPE"] = _escape_value(kind)
    if reference is not None:
        attributes["REF"] = _escape_value(reference)
    attributes |= _write_minimum(text, mention)
    if "status" in mention.attributes:
        attributes["STATUS"] = _escape_value(mention.attributes["status"])
    listed = " ".join(f'{name}="{value}"' for name, value in attributes.items())
    return f"<COREF {listed}>"


def _write_minimum(text: str, mention: Mention) -> dict[str, str]:
    """MIN, and MINPLACE where the words alone would be found elsewhere."""
    if mention.minimum is None:
        return {}
    first, last = mention.minimum
    start, end = mention.runs[0]
    words = _escape_possibility(markup.BLANKS.sub(" ", text[first : last + 1]))
    if find_minimum(words, text, start, end + 1) == mention.minimum:
        return {"MIN": words}
    return {"MIN": _escape_possibility(text[first : last + 1]), "MINPLACE": f"{first}-{last}"}


def _escape_possibility(text: str) -> str:
    """A text as one possibility of MIN."""
    return _escape_value(text).replace("|", _make_reference("|"))


def _escape_value(text: str) -> str:
    """A text as an attribute that is read back unchanged."""
    return _UNSAFE.sub(lambda match: _make_reference(match[0]), text)


def _make_reference(character: str) -> str:
    """The reference that stands for a character."""
    return _ESCAPED.get(character) or f"&#{ord(character)};"
