"""CoNLL-UA, the "exploded" format of Universal Anaphora: CoNLL-U columns, and one more for each kind of anaphora.

    # global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS ...
    # newdoc id = light_dev/episode_7296
    7  a     _ _ _ _ _ _ _ _ (EntityID=4|MarkableID=markable_4|Min=8|SemType=dn  _  _  ...
    8  chair _ _ _ _ _ _ _ _ )                                                   _  _  ...

Tabs or blanks separate the columns; `_` or nothing is an empty cell, and the last cells of a line may be missing.
Closing brackets come without a name and close what was opened last in their column; where mentions cross, as UA 2
allows, they bear the MarkableID: `markable_4)`. Brackets with the same MarkableID are parts of one mention with gaps.

Min counts the words of the document from 1, without zeros (7.1 is the first zero behind word 7); one that is not within
its mention is of no use as a minimum, and stays an attribute. An EntityID that ends in -Pseudo is non-referring: it is
in the layer of that name. ElementOf names the plural entities that an entity is part of: relations "split", from the
plural to its elements. BRIDGING has relations "bridge", from an anaphor to the entity of its anchor. DISCOURSE_DEIXIS
and NOM_SEM are layers. Other columns are attributes of words, but for HEAD and DEPS, which refer to words by number.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from corefeval.formats.base import EVERYTHING, Capacity
from corefeval.formats.draft import Draft
from corefeval.formats.shared import lines
from corefeval.formats.ua import markables, pages
from corefeval.formats.ua.pages import MARKED, NOTHING, PSEUDO, UNTOLD

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefeval.corpus.corpus import Corpus
    from corefeval.corpus.mentions import Pieces
    from corefeval.formats.base import File
    from corefeval.formats.draft import DocumentDraft
    from corefeval.formats.ua.markables import Markable
    from corefeval.formats.ua.pages import Page

    Span = tuple[int, int]

TITLE = "CoNLL-UA (Universal Anaphora, 'exploded'), with what UA 2 adds"
EXAMPLE = """# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM
# newdoc id = story
1  Kim  _  _  _  _  _  _  _  _  (EntityID=1|MarkableID=markable_1|Min=2|SemType=dn  _  _  _  _
2  Lee  _  _  _  _  _  _  _  _  )                                                   _  _  _  _"""  # noqa: E501
SUFFIXES = (".conllua", ".ua")
COMPANIONS = ()
CAPACITY = Capacity(
    units=("word",),
    blanks="none",
    sentences=True,
    discontinuous="any",
    zeros=True,
    minimums=True,
    attributes=EVERYTHING,
    relations=("split", "bridge"),
    layers=("non_referring", "discourse_deixis", "nom_sem"),
)

_COLUMNS = re.compile(rb"^(?:\xef\xbb\xbf)?#\s*global\.columns\s*=.*\b(?:IDENTITY|DISCOURSE_DEIXIS)\b", re.MULTILINE)
_MENTION = re.compile(rb"^[0-9.]+[ \t].*[ \t)]\(EntityID=", re.MULTILINE)
_MINIMUM = re.compile(r"([0-9.]+)(?:[,-]([0-9.]+))?")


def recognise(beginning: bytes) -> str:
    """By the line that names the columns, or by a mention."""
    if _COLUMNS.search(beginning):
        return "'# global.columns' names columns of anaphora"
    return "'(EntityID=' found in a column" if _MENTION.search(beginning) else ""


def write(corpus: Corpus) -> bytes:
    """The corpus in the standard columns, separated by tabs."""
    from corefeval.formats.ua import writer  # noqa: PLC0415 - most runs write nothing

    return writer.write(corpus)


def read(file: File) -> Corpus:
    """Read all documents of a file."""
    draft = Draft(file.name)
    found = pages.pages(_text(lines.normalize_text(file.data, file.name), draft), draft)
    if not found:
        draft.add_fault(1, "no document", "a line '# newdoc id = NAME', and lines of words")
    elif len(found) > 1 and found[0].name is None:
        draft.add_fault(found[0].line, f"{len(found[0].rows)} words outside a document", "'# newdoc' before them")
    for number, page in enumerate(found, 1):
        _document(page, page.name or (file.document if number == 1 else f"{file.document}-{number}"), draft)
    return draft.build_corpus()


def _text(data: bytes, draft: Draft) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        for number, line in enumerate(data.split(b"\n"), 1):
            if line != line.decode("utf-8", "replace").encode("utf-8"):
                draft.add_fault(number, "bytes that are not UTF-8", "UTF-8", "convert it: iconv -f LATIN1 -t UTF-8")
        return data.decode("utf-8", "replace")


def _document(page: Page, name: str, draft: Draft) -> None:
    document = draft.add_document(
        name,
        words=[form or "_" for form in page.column("FORM")],
        sentence=page.sentence,
        empty=page.empty,
        lines=page.lines,
        word_attributes=_word_attributes(page),
        line=page.line,
    )
    found = {column: markables.markables(page, column, draft) for column in MARKED}
    identity = _Identity(found["IDENTITY"])
    _add_entities(document, found["IDENTITY"], page, draft, apart=True)
    _add_bridges(document, found["BRIDGING"], identity, draft)
    if found["DISCOURSE_DEIXIS"]:
        _add_entities(document.get_layer("discourse_deixis"), found["DISCOURSE_DEIXIS"], page, draft)
    for number, (markable, runs) in enumerate(identity.places(found["NOM_SEM"], "NOM_SEM", draft), 1):
        named = markable.features.get("MarkableID") or f"#{number}"
        document.get_layer("nom_sem").add_mention(named, runs, attributes=markable.features)


def _word_attributes(page: Page) -> dict[str, Sequence[str]]:
    columns = {name: page.column(name) for name in page.columns.names if name not in UNTOLD}
    return {
        name.lower() if name.isupper() else name: ["" if cell == "_" else cell for cell in cells]
        for name, cells in columns.items()
        if not set(NOTHING).issuperset(cells)
    }


class _Identity:
    """The mentions of the column IDENTITY, by name and by the word with which they begin."""

    def __init__(self, markables: Sequence[Markable]) -> None:
        self.by_name = {each.features["MarkableID"]: each for each in markables if "MarkableID" in each.features}
        self.by_word = {each.word: each for each in reversed(markables)}
        self.entities = {each.features["EntityID"] for each in markables}

    def places(self, markables: Sequence[Markable], column: str, draft: Draft) -> Iterator[tuple[Markable, Pieces]]:
        """Where the mentions are that another column speaks of: by its brackets, else by name, else by the word."""
        for markable in markables:
            name = markable.features.get("MarkableID")
            mention = self.by_name.get(name) if name else self.by_word.get(markable.word)
            runs = markable.runs or (mention.runs if mention else ())
            if runs:
                yield markable, runs
            else:
                message = f"{column} speaks of {name or 'a mention'!r}, which IDENTITY has not, and is left out"
                draft.add_notice("dangling-reference", markable.line, message)


def _add_entities(
    part: DocumentDraft, markables: Sequence[Markable], page: Page, draft: Draft, *, apart: bool = False
) -> None:
    """The entities of a column; in IDENTITY non-referring ones are set apart."""
    places = {number: place for place, number in enumerate(pages.numbers(page.empty))}
    misplaced: list[Markable] = []
    elements: dict[tuple[str, str], int] = {}
    for markable in markables:
        features = dict(markable.features)
        entity = features.pop("EntityID")
        for plural in filter(None, map(str.strip, features.pop("ElementOf", "").split(","))):
            elements.setdefault((plural, entity), markable.line)
        minimum = _minimum(features.get("Min", ""), markable.runs, places)
        if minimum:
            del features["Min"]
        elif "Min" in features:
            misplaced.append(markable)
        target = part.get_layer("non_referring") if apart and entity.endswith(PSEUDO) else part
        target.add_mention(entity, markable.runs, minimum=minimum, attributes=features)
    if misplaced:
        first = misplaced[0]
        message = (
            f"{len(misplaced)} of {len(markables)} mentions of document {part.name!r} have a Min that is not a span "
            f"within them, and are without minimum, first Min={first.features['Min']}"
        )
        draft.add_notice("minimum-outside", first.line, message, document=part.name, count=len(misplaced))
    _add_splits(part, elements, draft)


def _minimum(given: str, runs: Pieces, places: Mapping[str, int]) -> Span | None:
    """First and last word, if they are within one part of the mention."""
    match = _MINIMUM.fullmatch(given)
    if match is None:
        return None
    first, last = (places.get(number, -1) for number in (match[1], match[2] or match[1]))
    return (first, last) if any(begin <= first <= last <= end for begin, end in runs) else None


def _add_splits(part: DocumentDraft, elements: Mapping[tuple[str, str], int], draft: Draft) -> None:
    """The plural entities and their elements, in the order of the entities."""
    apart = part.layers.get("non_referring")
    order = {name: number for number, name in enumerate([*part.entities, *(apart.entities if apart else ())])}
    plurals: dict[str, list[str]] = {}
    for (plural, element), line in elements.items():
        if plural == element:
            draft.add_notice("self-link", line, f"entity {plural!r} is an element of itself, which is left out")
        elif plural not in order:
            message = f"{element!r} is an element of {plural!r}, which has no mentions, and that is left out"
            draft.add_notice("dangling-reference", line, message)
        else:
            plurals.setdefault(plural, []).append(element)
    circle = _circle(plurals)
    if circle:
        what = f"entities that are elements of each other: {' of '.join([*circle, circle[0]])[:200]}"
        line = elements[circle[0], circle[-1]]
        draft.add_fault(line, what, "plural entities of others than themselves", kind="reference-cycle")
    for plural in sorted(plurals, key=order.__getitem__):
        part.add_relation("split", plural, sorted(plurals[plural], key=order.__getitem__))


def _circle(plurals: Mapping[str, Sequence[str]]) -> list[str]:
    """Entities of which each is an element of the next one, and the last one of the first; none, if there are none."""
    waiting = {plural: sum(each in plurals for each in elements) for plural, elements in plurals.items()}
    part_of: dict[str, list[str]] = {}
    for plural, elements in plurals.items():
        for element in elements:
            part_of.setdefault(element, []).append(plural)
    resolved = [plural for plural, count in waiting.items() if not count]
    for plural in resolved:
        for whole in part_of.get(plural, []):
            waiting[whole] -= 1
            if not waiting[whole]:
                resolved.append(whole)
    unresolved = [plural for plural, count in waiting.items() if count]
    if not unresolved:
        return []
    path: dict[str, None] = {}
    plural = unresolved[0]
    while plural not in path:
        path[plural] = None
        plural = next(element for element in plurals[plural] if waiting.get(element))
    passed = list(path)
    return passed[passed.index(plural) :][::-1]


def _add_bridges(document: DocumentDraft, markables: Sequence[Markable], identity: _Identity, draft: Draft) -> None:
    for markable, runs in identity.places(markables, "BRIDGING", draft):
        features = dict(markable.features)
        label, entity = features.pop("Rel", ""), features.pop("EntityAnchor", "")
        name = features.get("MentionAnchor", "")
        anchor = identity.by_name.get(name)
        if name and not anchor:
            _missing_anchor(name, markable, draft)
        elif anchor and not entity:
            entity = anchor.features["EntityID"]
        elif not {entity, entity + PSEUDO} & identity.entities:
            _missing_anchor(entity, markable, draft)
        source = runs if len(runs) > 1 else runs[0]
        document.add_relation("bridge", source, (entity,) if entity else (), label, features)


def _missing_anchor(name: str, markable: Markable, draft: Draft) -> None:
    message = f"the anchor {name!r} in BRIDGING is not in IDENTITY" if name else "no anchor is given in BRIDGING"
    draft.add_notice("dangling-reference", markable.line, message)
