"""Writing the MISC column of CorefUD.

Ids of entities are declared as `eid` where they are different all over the file, else as `GRP`, which tells readers
that they are different within a document only. Fields that no mention has are not declared. On a word, what closes
comes first, then what opens, longer mentions first, then mentions of one word; where nothing opens, these come first.

A head of several words is written as its first one, and a minimum without what is outside its mention. A mention that
goes beyond its sentence is written as it is, which corefeval reads and the CorefUD tools refuse. Where two mentions of
an entity begin on the same word, bridging is of the shorter one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import count, pairwise
from typing import TYPE_CHECKING

import numpy as np

from corefeval.corpus.mentions import Spans
from corefeval.errors import Fault, InputError
from corefeval.formats.base import File
from corefeval.formats.corefud.fields import OF_ENTITIES, OTHER, escaped

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from corefeval.corpus.corpus import Corpus
    from corefeval.corpus.mentions import Pieces
    from corefeval.corpus.relations import Relation

_UNSAFE = re.compile(r"[\0- ()\[\]<>:,|=-]")


class Misc:
    """The MISC column of a corpus."""

    def __init__(self, corpus: Corpus) -> None:
        assert isinstance(corpus.mentions, Spans)  # noqa: S101 - the format's capacity has seen to it
        self._corpus, self._spans = corpus, corpus.mentions
        self._names = _names(corpus)
        self._entity: list[int] = corpus.entity.tolist()
        self._fields = _fields(corpus)
        self.declaration = "-".join(["GRP" if len(set(self._names)) < len(self._names) else "eid", *self._fields])
        order = np.argsort(corpus.document, kind="stable")
        bounds = np.searchsorted(corpus.document[order], np.arange(len(corpus.documents) + 1)).tolist()
        self._rows: list[list[int]] = [order[a:b].tolist() for a, b in pairwise(bounds)]
        self._relations: dict[str, list[Relation]] = defaultdict(list)
        for relation in corpus.relations:
            self._relations[relation.document].append(relation)

    def cells(self, document: int) -> dict[int, str]:
        """What MISC says, by word."""
        entity = self._brackets(document)
        bridges, splits = self._links(document)
        columns = {"Bridge": bridges, "Entity": entity, "SplitAnte": splits}
        return {
            word: "|".join(f"{key}={column[word]}" for key, column in columns.items() if word in column)
            for word in entity
        }

    def check(self, document: int, written: bytes) -> None:
        """Complain if parts of mentions would be put together in another way than they were."""
        gaps: dict[int, int] = defaultdict(int)
        for row in self._rows[document]:
            gaps[self._entity[row]] += row in self._spans.pieces
        if max(gaps.values(), default=0) < 2:
            return
        from corefeval.formats import corefud  # noqa: PLC0415 - which imports this module, and few corpora need it

        read = corefud.read(File(self._corpus.source, written, "", lambda _: None))
        assert isinstance(read.mentions, Spans)  # noqa: S101 - for the type checker
        there = {(read.entity_name[e], read.mentions.runs(row)) for row, e in enumerate(read.entity.tolist())}
        for row in self._rows[document]:
            if (self._names[self._entity[row]], self._spans.runs(row)) not in there:
                place, name = self._corpus.place(row, self._corpus.source or "corpus"), self._corpus.describe(row)
                what = f"the parts of {name} would be taken for those of another mention of its entity"
                hint = "leave one of the two out, or the gaps of one"
                raise InputError(Fault(place, what, "parts within a gap of the other mention, or beside it", hint))

    def _brackets(self, document: int) -> dict[int, str]:
        """The values of Entity, by word."""
        opening, single, closing = (defaultdict[int, list[tuple[int, int, int, str]]](list) for _ in range(3))
        for row in self._rows[document]:
            runs, name, fields = self._spans.runs(row), self._names[self._entity[row]], self._fields_of(row)
            for number, (first, last) in enumerate(runs, 1):
                label = name if len(runs) == 1 else f"{name}[{number}/{len(runs)}]"
                if first == last:
                    single[first].append((0, -runs[-1][1], row, f"({label}{fields})"))
                else:
                    opening[first].append((-last, -runs[-1][1], row, f"({label}{fields}"))
                    closing[last].append((first, -runs[-1][1], row, f"{label})"))
        cells = {}
        for word in sorted({*opening, *single, *closing}):
            opens, singles = (sorted(each.get(word, ())) for each in (opening, single))
            closes = sorted(closing.get(word, ()), reverse=True)
            order = [*closes, *opens, *singles] if opens else [*singles, *closes]
            cells[word] = "".join(text for *_, text in order)
        return cells

    def _fields_of(self, row: int) -> str:
        """What is behind the id of a mention: empty fields at the end are left out."""
        return "".join(f"-{self._value(field, row)}" for field in self._fields).rstrip("-")

    def _value(self, field: str, row: int) -> str:
        corpus, runs = self._corpus, self._spans.runs(row)
        if field in OF_ENTITIES:
            values = corpus.entity_attributes.get(OF_ENTITIES[field])
            return escaped(values[self._entity[row]]) if values is not None else ""
        if field == "head":
            return ",".join(map(str, _indices(runs, corpus.heads, row)[:1]))
        value = corpus.attributes[field][row] if field in corpus.attributes else ""
        if field == "minspan":
            indices = _indices(runs, corpus.minimums, row)
            return ",".join(map(str, indices)) if indices else ",".join(map(escaped, value.split(",")))
        return escaped(value, but_commas=field == OTHER)

    def _links(self, document: int) -> tuple[dict[int, str], dict[int, str]]:
        """The values of Bridge and SplitAnte, by word."""
        links: dict[str, dict[int, list[str]]] = {"bridge": defaultdict(list), "split": defaultdict(list)}
        rows: dict[Hashable, list[int]] = defaultdict(list)  # by mention and by entity, in the order of the text
        shortest: dict[tuple[int, int], int] = {}
        relations = self._relations.get(self._corpus.documents[document], ())
        for row in sorted(self._rows[document], key=self._spans.runs) if relations else ():
            runs = self._spans.runs(row)
            rows[runs if len(runs) > 1 else runs[0]].append(row)
            rows[str(self._corpus.entity_name[self._entity[row]])].append(row)
            shortest.setdefault((self._entity[row], runs[0][0]), row)
        for kind, _, source, targets, label, _ in relations:
            there = [self._names[self._entity[rows[target][0]]] for target in targets if target in rows]
            # A mention of several entities stands for one that can have this relation, if there is one.
            of = [row for row in rows.get(source, ()) if self._names[self._entity[row]] not in there]
            of.sort(key=lambda row: shortest[self._entity[row], int(self._spans.start[row])] != row)
            if not of:
                continue
            name = self._names[self._entity[of[0]]]
            row = of[0] if kind == "bridge" else rows[str(self._corpus.entity_name[self._entity[of[0]]])][0]
            ending = f"{name}:{escaped(label)}" if kind == "bridge" and label else name
            links[kind][int(self._spans.start[row])] += [f"{target}<{ending}" for target in there]
        bridges, splits = ({word: ",".join(pairs) for word, pairs in each.items() if pairs} for each in links.values())
        return bridges, splits


def _names(corpus: Corpus) -> list[str]:
    """The entities' names without what cannot be written, and still different within a document."""
    taken: set[tuple[int, str]] = set()
    names = []
    numbers = count(2)
    for entity, document in zip(corpus.entity_name, corpus.entity_document.tolist(), strict=True):
        name = wanted = _UNSAFE.sub("_", str(entity)) or "_"
        while (document, name) in taken:
            name = f"{wanted}_{next(numbers)}"
        taken.add((document, name))
        names.append(name)
    return names


def _fields(corpus: Corpus) -> list[str]:
    """All fields but the id, in the order that CorefUD wants, whose tools refuse an empty head before other fields."""
    attributes, entity_attributes = corpus.attributes, corpus.entity_attributes
    has = {name: any(values) for name, values in attributes.items()}
    has["minspan"] = has.get("minspan", False) or corpus.minimums is not None
    first = [name for name in (OTHER, "minspan") if has.pop(name, False)]
    more = [*first, *(name for name in has if has[name])]
    if any(entity_attributes.get("identity", ())):
        more.append("identity")
    return ["etype", *(["head"] if corpus.heads is not None or not more else []), *more]


def _indices(runs: Pieces, column: Spans | None, row: int) -> Sequence[int]:
    """The words of a mention that belong to a span, by their numbers from 1."""
    if column is None or column.start[row] < 0:
        return ()
    first, last = int(column.start[row]), int(column.end[row])
    indices: list[int] = []
    before = 1
    for begin, end in runs:
        indices += range(before + max(first, begin) - begin, before + min(last, end) - begin + 1)
        before += end - begin + 1
    return indices
