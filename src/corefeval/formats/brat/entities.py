"""Which `T` lines of a brat file are mentions of which entity: by links, by names, or each by itself."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from corefeval.corpus.union_find import UnionFind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from corefeval.corpus.mentions import Pieces
    from corefeval.formats.brat.lines import Annotations, Link
    from corefeval.formats.shared.diagnostics import Diagnostics

_COREFERENT = frozenset({
    "anaphor", "anaphora", "anaphoric", "antecedent", "equiv", "equivalence", "equivalent", "ident", "identical",
    "identity", "isequivalent", "same", "sameas",
})  # fmt: skip
"""Names of coreference relations, letters only, besides those with "coref" in them."""

_NUMBERED = re.compile(r".+-[0-9]+")
_NOT_LETTERS = re.compile(r"[^a-z]")


class Mention(NamedTuple):
    """The `T` lines that speak of a mention, in their order, its labels apart from names, and its entities."""

    ids: tuple[str, ...]
    labels: tuple[str, ...]
    entities: tuple[str, ...]


def links(found: Annotations, wanted: Collection[str] | None, findings: Diagnostics) -> frozenset[Link]:
    """The lines that say coreference."""
    if wanted is None:
        chosen = [*(link for link in found.relations if _is_coreference(link.name)), *found.equivalences]
    else:
        chosen = [link for link in (*found.relations, *found.equivalences) if link.name in wanted]
    for link in chosen:
        for member in link.members:
            if member not in found.ids or not (found.mention(member) or member.startswith("T")):
                what = f"{member} is {'no mention' if member in found.ids else 'not there'}"
                findings.add_fault(link.line, what, "the id of a T line", kind="dangling-reference")
        if len(set(link.members)) < len(link.members):
            findings.add_notice("self-link", link.line, f"{' '.join(link.members)}: a mention is tied to itself")
    return frozenset(chosen)


def _is_coreference(name: str) -> bool:
    plain = _NOT_LETTERS.sub("", name.lower())
    return plain in _COREFERENT or ("coref" in plain and not plain.startswith(("non", "not")))


def mentions(found: Annotations, links: Collection[Link], findings: Diagnostics, *, asked: bool) -> list[Mention]:
    """The mentions with their entities, in the way that the file takes."""
    if links or found.names or asked:
        return list(_linked(found, links))
    spans: dict[Pieces, list[str]] = defaultdict(list)
    for name, text_bound in found.text_bounds.items():
        spans[text_bound.runs].append(name)
    labels = [[found.text_bounds[name].label for name in names] for names in spans.values()]
    numbered, second = _numbered(labels), _second(labels)
    if second and not numbered:
        message = f"{len(second)} labels that only come second on a span are taken as names of entities"
        findings.add_notice("names-by-order", None, message, names=sorted(second))
    if numbered or second:
        return list(_named(found, spans.values(), numbered or second, findings))
    if found.text_bounds:
        others = sorted({relation.name for relation in found.relations})
        message = "nothing says which mentions belong together: each is an entity of its own"
        hint = f"; say brat:relations=NAME if one of these does: {', '.join(others)}" if others else ""
        findings.add_notice("no-coreference", None, message + hint, relations=others)
    return list(_linked(found, ()))


def _linked(found: Annotations, links: Iterable[Link]) -> Iterator[Mention]:
    """Every `T` is a mention; links make entities of them, called by the note on one of them or by the first id."""
    sets = UnionFind(found.text_bounds)
    for link in links:
        members = [member for member in map(found.mention, link.members) if member]
        for member in members[1:]:
            sets.join(member, members[0])
    given: dict[str, str] = {}
    for remark in found.names:
        target = found.mention(remark.target)
        if target:
            given.setdefault(remark.value, sets.find(target))
    names = {entity: name for name, entity in reversed(given.items())}
    own = {sets.find(name): name for name in reversed(found.text_bounds)}
    names = _unlike(names.values(), own) | names
    for name, text_bound in found.text_bounds.items():
        yield Mention((name,), (text_bound.label,), (names[sets.find(name)],))


def _numbered(spans: Collection[Sequence[str]]) -> set[str]:
    """The labels with a number at the end, if most spans with two labels have one with and one without."""
    twice = [labels for labels in map(set, spans) if len(labels) > 1]
    names = {label for labels in spans for label in labels if _NUMBERED.fullmatch(label)}
    mixed = sum(1 for labels in twice if labels & names and labels - names)
    return names if 2 * mixed > len(twice) else set()


def _second(spans: Collection[Sequence[str]]) -> set[str]:
    """The labels that follow another one on their span, if none of them ever is the first."""
    names = {label for labels in spans for label in labels if label != labels[0]}
    return names if names.isdisjoint(labels[0] for labels in spans) else set()


def _named(
    found: Annotations, spans: Collection[Sequence[str]], names: Collection[str], findings: Diagnostics
) -> Iterator[Mention]:
    """Every span is a mention; of its labels, those that are names say of which entities."""
    labels = {name: text_bound.label for name, text_bound in found.text_bounds.items()}
    unnamed = {ids[0]: ids[0] for ids in spans if not any(labels[each] in names for each in ids)}
    own = _unlike(names, unnamed)
    for ids in spans:
        entities = tuple(dict.fromkeys(labels[each] for each in ids if labels[each] in names))
        types = [labels[each] for each in ids if labels[each] not in names]
        if len(types) > 1 or len(types) + len(entities) < len(ids):
            message = f"{', '.join(ids)} mark the same span and are read as one mention"
            findings.add_notice("repeated-mention", found.text_bounds[ids[-1]].line, message)
        yield Mention(tuple(ids), tuple(dict.fromkeys(types)), entities or (own[ids[0]],))


def _unlike(taken: Iterable[str], wanted: Mapping[str, str]) -> dict[str, str]:
    """What is wanted, made different from what is taken."""
    used = set(taken)
    found = {}
    for key, value in wanted.items():
        name = value
        while name in used:
            name += "_"
        used.add(name)
        found[key] = name
    return found
