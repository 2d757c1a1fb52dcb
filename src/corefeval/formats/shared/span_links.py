"""What annotation tools keep: spans, relations between them, and the answers of several annotators.

Relations of coreference make entities of spans, directly or not; a span in none of them is an entity by itself.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from corefeval._lazy import NamedTuple
from corefeval.corpus.union_find import UnionFind
from corefeval.errors import InputError
from corefeval.formats.draft import DocumentDraft, Draft, Span
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.formats.shared.writing import avoid_names, make_distinct
from corefeval.notices import count_things

UNTYPED = "Mention"
"""The label of a span that has no type, where a tool needs one."""

COREFERENCE = "COREF"
"""The label of relations of coreference that are written."""

NAMES = ("document", "doc_key", "document_id", "doc_id", "name")
"""Fields that may name a document, the one that is written first."""

_COREFERENCE_NAMES = frozenset({
    "anaphor", "anaphora", "anaphoric", "antecedent", "equiv", "equivalence", "equivalent", "ident", "identical",
    "identity", "isequivalent", "same", "sameas",
})  # fmt: skip
"""Names of coreference relations, letters only, besides those with "coref" in them."""

_NOT_LETTERS = re.compile(r"[^a-z]")


def is_coreference(name: str) -> bool:
    """Return whether a relation of this name is coreference: "coref" in it, or a usual name such as SameAs."""
    plain = _NOT_LETTERS.sub("", name.lower())
    return plain in _COREFERENCE_NAMES or ("coref" in plain and not plain.startswith(("non", "not")))


class LinkedSpan(NamedTuple):
    """A span: first and last place, its type ("" if it has none), and its line."""

    mention: Span
    type: str
    line: int


class SpanLink(NamedTuple):
    """A relation between two spans, by their keys, with its label ("" if it has none) and its line."""

    source: Hashable
    target: Hashable
    label: str
    line: int


class SpanLinker:
    """Adds the entities and relations that links make of spans to the documents of a file.

    relations: the labels that mean coreference, with + between them; "" for usual ones, and for relations without any.
    """

    def __init__(self, format: str, relations: str, draft: Draft) -> None:  # noqa: A002 - what it is called elsewhere
        self._format, self._draft = format, draft
        self._wanted = frozenset(relations.split("+")) if relations else None
        self._has_coreference = False
        self._others: dict[str, int] = {}

    def add_entities(
        self, document: DocumentDraft, spans: Mapping[Hashable, LinkedSpan], links: Sequence[SpanLink]
    ) -> None:
        """Add all spans to a document as mentions of the entities that links make, named by numbers; add faults."""
        groups = UnionFind(spans)
        others = []
        for link in links:
            missing = [end for end in (link.source, link.target) if end not in spans]
            if missing:
                what = f"a relation of {link.source} and {link.target}, but there is no span {missing[0]}"
                self._draft.add_fault(link.line, what, "the ids of two spans", kind="dangling-reference")
            elif link.source == link.target:
                self._draft.add_notice("self-link", link.line, f"{link.source} is linked with itself; left out")
            elif self._is_coreference(link.label):
                self._has_coreference = True
                groups.join(link.source, link.target)
            else:
                self._others.setdefault(link.label, link.line)
                others.append(link)
        roots = dict.fromkeys(map(groups.find, spans))
        names = {root: str(number) for number, root in enumerate(roots, 1)}
        for key, span in spans.items():
            attributes = {"type": span.type} if span.type not in ("", UNTYPED) else {}
            document.add_mention(names[groups.find(key)], span.mention, line=span.line, attributes=attributes)
        for link in others:
            target = names[groups.find(link.target)]
            document.add_relation(link.label, spans[link.source].mention, [target])

    def report_labels(self) -> None:
        """Add a notice if there are relations, but none of coreference; it names their labels."""
        if self._others and not self._has_coreference:
            labels = sorted(self._others)
            message = "no coreference found: each mention is an entity of its own; if one of these relations is"
            hint = f"coreference, use {self._format}:relations=LABEL: {', '.join(labels)}"
            self._draft.add_notice("no-coreference", min(self._others.values()), f"{message} {hint}", relations=labels)

    def _is_coreference(self, label: str) -> bool:
        """Return whether relations with this label make entities."""
        return label in self._wanted if self._wanted is not None else not label or is_coreference(label)


def name_groups(items: Sequence[str], groups: Sequence[tuple[str, Sequence[str]]]) -> dict[str, str]:
    """Return the name of each item's entity: groups, given as name and items, that share items are one.

    An entity is called like the first of its groups, an item of no group like itself; names are made distinct.

    >>> name_groups(["a", "b", "c", "d"], [("Kim", ["a", "b"]), ("", []), ("Lee", ["b", "c"])])
    {'a': 'Kim', 'b': 'Kim', 'c': 'Kim', 'd': 'd'}
    """
    sets = UnionFind(items)
    kept = [(name, members) for name, members in groups if members]
    for _, members in kept:
        for item in members[1:]:
            sets.join(members[0], item)
    named: dict[str, str] = {}
    for name, members in kept:
        named.setdefault(sets.find(members[0]), name)
    distinct = dict(zip(named, make_distinct(named.values()), strict=True))
    alone = [root for root in dict.fromkeys(map(sets.find, items)) if root not in named]
    entity = avoid_names(alone, distinct.values()) | distinct
    return {item: entity[sets.find(item)] for item in items}


class Answer(NamedTuple):
    """What one annotator ("" if unnamed) says of a document."""

    document: str
    annotator: str
    line: int
    content: Any


def choose_answers(answers: Sequence[Answer], annotator: str, format: str, draft: Diagnostics) -> list[Answer]:  # noqa: A002
    """Return the first answer about each document, or those of an annotator; a notice of others, a fault if none."""
    named = list(dict.fromkeys(answer.annotator for answer in answers))
    if annotator and annotator not in named:
        expected = f"one of {', '.join(filter(None, named)) or 'none'}"
        draft.add_fault(1, f"there is no annotator {annotator}", expected, kind="annotator")
    chosen: dict[str, Answer] = {}
    others: list[Answer] = []
    for answer in answers:
        if answer.document in chosen or (annotator and answer.annotator != annotator):
            others.append(answer)
        else:
            chosen[answer.document] = answer
    if others:
        listed = ", ".join(dict.fromkeys(other.annotator or "somebody unnamed" for other in others))
        which = f"those of {annotator}" if annotator else "the first of each document"
        many = count_things(len(others), "annotation", "is", "are")
        message = f"{many} not read, of {listed}: only {which}; {format}:annotator=NAME takes those of one"
        draft.add_notice("other-annotators", others[0].line, message, count=len(others), annotators=named)
    return list(chosen.values())


def list_annotators(answers: Sequence[Answer], diagnostics: Diagnostics) -> list[str]:
    """Return the names of all annotators, in the order in which they come; InputError if the file has faults."""
    if diagnostics.faults:
        raise InputError(diagnostics.faults)
    return list(dict.fromkeys(answer.annotator for answer in answers if answer.annotator))


def find_name(fields: object) -> str | None:
    """Return what a mapping of fields calls a document; None if it does not."""
    if not isinstance(fields, dict):
        return None
    return next((str(fields[key]) for key in NAMES if isinstance(fields.get(key), str | int)), None)


def is_place(first: object, last: object, length: int) -> bool:
    """Return whether two values are the numbers of the first and last place of a span within this length."""
    whole = type(first) is int and type(last) is int
    return whole and 0 <= first <= last < length  # type: ignore[operator]
