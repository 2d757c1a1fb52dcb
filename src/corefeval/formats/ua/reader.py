"""Reading CoNLL-UA: entities, relations and layers from the markables of its columns."""

from __future__ import annotations

import graphlib
import re
from collections.abc import Iterator, Mapping, Sequence

from corefeval._lazy import cached
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Pieces, to_mention
from corefeval.formats.base import File, Mark
from corefeval.formats.draft import DocumentDraft, Draft, Span
from corefeval.formats.shared import lines
from corefeval.formats.shared.writing import number_words
from corefeval.formats.ua.columns import (
    ANAPHORA_COLUMNS,
    EMPTY_CELLS,
    NOT_ATTRIBUTES,
    DocumentCells,
    Markable,
    read_document_cells,
    read_markables,
)
from corefeval.notices import count_part, count_things

NON_REFERRING = "-Pseudo"
"""How the names of non-referring entities end."""

_COLUMNS = re.compile(rb"^(?:\xef\xbb\xbf)?#\s*global\.columns\s*=.*\b(?:IDENTITY|DISCOURSE_DEIXIS)\b", re.MULTILINE)
_NEW_DOCUMENT = re.compile(rb"#\s*newdoc\b(?:\s+id\b\s*=?)?(.*)")
_DECLARATION = re.compile(rb"#\s*global\.columns\s*=")
_MENTION = re.compile(rb"^[0-9.]+[ \t].*[ \t)]\(EntityID=", re.MULTILINE)
_MINIMUM = re.compile(r"([0-9.]+)(?:[,-]([0-9.]+))?")


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is CoNLL-UA, by the names of columns or by a mention; "" if it is not."""
    if _COLUMNS.search(beginning):
        return "'# global.columns' names columns of anaphora"
    return "'(EntityID=' found in a column" if _MENTION.search(beginning) else ""


def read(file: File) -> Corpus:
    """Return the corpus of all documents of a file that is in memory; raises InputError with all faults in it."""
    draft = Draft(file.name, file.lines, by_line=True)
    documents = read_document_cells(
        lines.decode_strictly(file.data, draft, "convert it: iconv -f LATIN1 -t UTF-8"), draft
    )
    if not documents:
        draft.add_fault(1, "no document", "a line '# newdoc id = NAME', and lines of words")
    elif len(documents) > 1 and documents[0].name is None:
        what = f"{count_things(len(documents[0].rows), 'word')} outside a document"
        draft.add_fault(documents[0].line, what, "'# newdoc' before them")
    for number, document in enumerate(documents, 1):
        unnamed = file.document if number == 1 else f"{file.document}-{number}"
        _read_document(document, document.name or unnamed, draft)
    return draft.build_corpus()


def find_layout(beginning: bytes) -> bool | None:
    """Return whether columns are declared before the first word; None if words come before the first document."""
    begin, declared, named = 0, False, False
    while (end := beginning.find(b"\n", begin)) >= 0:
        line = beginning[begin:end].removeprefix(b"\xef\xbb\xbf").strip(b" \t\r")
        begin = end + 1
        if line.startswith(b"#"):
            named, declared = named or bool(_NEW_DOCUMENT.match(line)), declared or bool(_DECLARATION.match(line))
        elif line:
            return declared if named else None
    return None


def mark_documents(block: bytes) -> Iterator[Mark]:
    """Yield where documents begin, with their names, and where columns are declared, in some whole lines."""
    for place in lines.find_lines_with(block, (b"newdoc", b"global.columns")):
        end = block.find(b"\n", place)
        line = block[place : len(block) if end < 0 else end].strip(b" \t\r")
        if found := _NEW_DOCUMENT.match(line):
            yield Mark(place, "document", found[1].strip(b" \t").decode("utf-8", "replace"))
        elif _DECLARATION.match(line):
            yield Mark(place, "lead", line.decode("latin-1"))


def _read_document(rows: DocumentCells, name: str, draft: Draft) -> None:
    """Add a document to the draft, with words, entities, relations and layers of columns; add faults and notices."""
    columns = {column: rows.list_cells(column) for column in rows.columns.names if column not in NOT_ATTRIBUTES}
    document = draft.add_document(
        name,
        words=[form or "_" for form in rows.list_cells("FORM")],
        sentence=rows.sentence,
        empty=rows.is_zero,
        lines=rows.lines,
        word_attributes={
            column.lower() if column.isupper() else column: ["" if cell == "_" else cell for cell in cells]
            for column, cells in columns.items()
            if not set(EMPTY_CELLS).issuperset(cells)
        },
        line=rows.line,
    )
    markables = {column: read_markables(rows, column, draft) for column in ANAPHORA_COLUMNS}
    identity = _IdentityColumn(markables["IDENTITY"])
    _add_entities(document, markables["IDENTITY"], rows, draft, split_non_referring=True)
    _add_bridges(document, markables["BRIDGING"], identity, draft)
    if markables["DISCOURSE_DEIXIS"]:
        _add_entities(document.get_layer("discourse_deixis"), markables["DISCOURSE_DEIXIS"], rows, draft)
    for number, (markable, runs) in enumerate(identity.find_places(markables["NOM_SEM"], "NOM_SEM", draft), 1):
        entity = markable.features.get("MarkableID") or f"#{number}"
        document.get_layer("nom_sem").add_mention(entity, runs, attributes=markable.features)


class _IdentityColumn:
    """The mentions of the column IDENTITY, by name and by their first words, for columns that refer to them."""

    def __init__(self, markables: Sequence[Markable]) -> None:
        self._markables = markables

    @cached
    def by_name(self) -> dict[str, Markable]:
        """The mention of each MarkableID."""
        return {each.features["MarkableID"]: each for each in self._markables if "MarkableID" in each.features}

    @cached
    def by_word(self) -> dict[int, Markable]:
        """The first mention that begins with each word."""
        return {each.word: each for each in reversed(self._markables)}

    @cached
    def entities(self) -> set[str]:
        """The names of all entities."""
        return {each.features["EntityID"] for each in self._markables}

    def find_places(
        self, markables: Sequence[Markable], column: str, draft: Draft
    ) -> Iterator[tuple[Markable, Pieces]]:
        """Yield another column's markables with their runs, by brackets, name or first word; add notices of others."""
        for markable in markables:
            name = markable.features.get("MarkableID")
            mention = self.by_name.get(name) if name else self.by_word.get(markable.word)
            runs = markable.runs or (mention.runs if mention else ())
            if runs:
                yield markable, runs
            else:
                message = f"{column} names {name or 'a mention'!r}, which is not in IDENTITY; it is left out"
                draft.add_notice("dangling-reference", markable.line, message)


def _add_entities(
    part: DocumentDraft,
    markables: Sequence[Markable],
    rows: DocumentCells,
    draft: Draft,
    *,
    split_non_referring: bool = False,
) -> None:
    """Add a column's entities and split relations; split_non_referring: some to a layer; add faults and notices."""
    places = {number: place for place, number in enumerate(number_words(rows.is_zero))}
    misplaced: list[Markable] = []
    elements: dict[tuple[str, str], int] = {}
    for markable in markables:
        features = dict(markable.features)
        entity = features.pop("EntityID")
        if "ElementOf" in features:
            for plural in filter(None, map(str.strip, features.pop("ElementOf").split(","))):
                elements.setdefault((plural, entity), markable.line)
        minimum = _find_minimum(features["Min"], markable.runs, places) if "Min" in features else None
        if minimum:
            del features["Min"]
        elif "Min" in features:
            misplaced.append(markable)
        is_apart = split_non_referring and entity.endswith(NON_REFERRING)
        target = part.get_layer("non_referring") if is_apart else part
        target.add_mention(entity, markable.runs, minimum=minimum, attributes=features)
    if misplaced:
        first = misplaced[0]
        some = f"{count_part(len(misplaced), len(markables), 'mention')} of document {part.name!r}"
        has, it = ("has", "it") if len(misplaced) == 1 else ("have", "them")
        what = f"a Min that is not a span within {it}, and {has} no minimum, first Min={first.features['Min']}"
        message = f"{some} {has} {what}"
        draft.add_notice("minimum-outside", first.line, message, document=part.name, count=len(misplaced))
    _add_split_relations(part, elements, draft)


def _find_minimum(written: str, runs: Pieces, places: Mapping[str, int]) -> Span | None:
    """Return (first, last) of a Min; None unless it is within one part of the mention; places: of words by number."""
    match = _MINIMUM.fullmatch(written)
    if match is None:
        return None
    first, last = (places.get(number, -1) for number in (match[1], match[2] or match[1]))
    return (first, last) if any(begin <= first <= last <= end for begin, end in runs) else None


def _add_split_relations(part: DocumentDraft, elements: Mapping[tuple[str, str], int], draft: Draft) -> None:
    """Add a relation from each plural entity to its elements, in the order of the entities; add faults and notices.

    elements: the line of every pair of a plural entity and one of its elements.
    """
    apart = part.layers.get("non_referring")
    order = {name: number for number, name in enumerate([*part.entities, *(apart.entities if apart else ())])}
    plurals: dict[str, list[str]] = {}
    for (plural, element), line in elements.items():
        if plural == element:
            draft.add_notice("self-link", line, f"entity {plural!r} is an element of itself, which is left out")
        elif plural not in order:
            message = f"{element!r} is an element of {plural!r}, which has no mentions; that is left out"
            draft.add_notice("dangling-reference", line, message)
        else:
            plurals.setdefault(plural, []).append(element)
    try:
        graphlib.TopologicalSorter(plurals).prepare()
    except graphlib.CycleError as error:
        cycle: list[str] = error.args[1]  # each is an element of the next one, and the last one is the first again
        what = f"entities that are elements of each other: {' of '.join(cycle)[:200]}"
        line = elements[cycle[1], cycle[0]]
        draft.add_fault(line, what, "plural entities of others than themselves", kind="reference-cycle")
    for plural in sorted(plurals, key=order.__getitem__):
        part.add_relation("split", plural, sorted(plurals[plural], key=order.__getitem__))


def _add_bridges(
    document: DocumentDraft, markables: Sequence[Markable], identity: _IdentityColumn, draft: Draft
) -> None:
    """Add a relation to the document for each markable of the column BRIDGING; add notices of missing anchors."""
    for markable, runs in identity.find_places(markables, "BRIDGING", draft):
        features = dict(markable.features)
        label, entity = features.pop("Rel", ""), features.pop("EntityAnchor", "")
        name = features.get("MentionAnchor", "")
        anchor = identity.by_name.get(name)
        if anchor and not entity:
            entity = anchor.features["EntityID"]
        missing = name if name and not anchor else entity
        if (name and not anchor) or not {entity, entity + NON_REFERRING} & identity.entities:
            message = f"the anchor {missing!r} in BRIDGING is not in IDENTITY"
            draft.add_notice(
                "dangling-reference", markable.line, message if missing else "no anchor is given in BRIDGING"
            )
        document.add_relation("bridge", to_mention(runs), (entity,) if entity else (), label, features)
