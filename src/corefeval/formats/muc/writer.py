"""Writing MUC: tags around mentions in the running text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate, count

from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Spans
from corefeval.corpus.objects import Document, Mention
from corefeval.errors import Fault, InputError
from corefeval.formats.muc.minimums import find_minimum
from corefeval.formats.shared import markup
from corefeval.formats.shared.writing import make_distinct

_ESCAPED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;", "\0": "&#0;"}
_UNSAFE = re.compile(r'[&<>"\t\n\r\f\v\0]|^ | $|(?<= ) ')


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
    if find_minimum(words, text, start, end + 1) == mention.minimum:
        return {"MIN": words}
    return {"MIN": exact, "MINPLACE": f"{first}-{last}"}


def _escape_value(text: str) -> str:
    """Return a text with references for characters that would not be read back unchanged from an attribute."""
    return _UNSAFE.sub(lambda match: _make_reference(match[0]), text)


def _make_reference(character: str) -> str:
    """Return the reference that stands for a character."""
    return _ESCAPED.get(character) or f"&#{ord(character)};"
