"""Writing CoNLL-UA: the standard columns, separated by tabs, and behind them what else is known of words.

Every mention gets a MarkableID, as UA's scorers ask for one. Closing brackets bear it only in columns where mentions
cross, and then all of them do: UA 2 reads one or the other.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import count, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefeval.corpus.mentions import Spans
from corefeval.errors import Fault, InputError
from corefeval.formats.ua.markables import KEYS
from corefeval.formats.ua.pages import PSEUDO, STANDARD, UNTOLD, numbers

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping

    from corefeval.corpus.corpus import Corpus
    from corefeval.corpus.mentions import Pieces
    from corefeval.corpus.relations import Relation

_BLANK = re.compile(r"[\s\0]")
_UNSAFE = re.compile(r"[()|\s\0]|^@|@$")
_UNSAFE_NAME = re.compile(rf"[()|,\s\0]|^@|@$|-(?={PSEUDO[1:]}$)")
_UNSAFE_KEY = re.compile(r"[()|=\s\0]|^@")
_PARTS = {"": "IDENTITY", "non_referring": "IDENTITY", "discourse_deixis": "DISCOURSE_DEIXIS", "nom_sem": "NOM_SEM"}


class _Bracket(NamedTuple):
    """A part of a markable: what is written where it opens, and the name that it may be closed with."""

    first: int
    last: int
    text: str
    name: str


class _Mention(NamedTuple):
    """A mention with the names that are written, and those that it had."""

    runs: Pieces
    name: str
    given: str
    entity: str
    given_entity: str


class _Part:
    """A corpus or one of its layers by document, and the keys of its attributes."""

    def __init__(self, corpus: Corpus, column: str) -> None:
        assert isinstance(corpus.mentions, Spans)  # noqa: S101 - fitting has seen to it
        self.corpus, self.mentions = corpus, corpus.mentions
        self.rows: dict[int, list[int]] = defaultdict(list)
        self.relations: dict[str, list[Relation]] = defaultdict(list)
        document = corpus.document
        for row in np.lexsort((-self.mentions.end, self.mentions.start)).tolist():
            self.rows[int(document[row])].append(row)
        for relation in corpus.relations:
            self.relations[relation.document].append(relation)
        others = [name for name in corpus.attributes if name not in ("MarkableID", "Min")]
        self.keys = dict(zip(others, _distinct(_key(name, column) for name in others), strict=True))

    def entity(self, row: int) -> str:
        """The name of the entity of a mention."""
        return str(self.corpus.entity_name[int(self.corpus.entity[row])])

    def attribute(self, name: str, row: int) -> str:
        """What is known of a mention, as it can be written; "" if nothing is."""
        return _UNSAFE.sub("_", self.corpus.attributes[name][row]) if name in self.corpus.attributes else ""

    def features(self, row: int, words: list[str]) -> dict[str, str]:
        """Everything that is known of a mention but its names."""
        minimums = self.corpus.minimums
        minimum = self.attribute("Min", row)
        if minimums is not None and minimums.start[row] >= 0:
            first, last = words[int(minimums.start[row])], words[int(minimums.end[row])]
            minimum = first if first == last else f"{first},{last}"
        return {"Min": minimum, **{key: self.attribute(name, row) for name, key in self.keys.items()}}


def write(corpus: Corpus) -> bytes:
    """The corpus as a file. Words that are not known are written as an underscore."""
    layers = {"": corpus, **corpus.layers}
    parts = {name: _Part(layers[name], column) for name, column in _PARTS.items() if name in layers}
    extra = _word_columns(corpus)
    columns = [*STANDARD, *(name for name in extra if name not in STANDARD)]
    pages = [_Page(corpus, parts, number) for number in range(len(corpus.documents))]
    named = {column for page in pages for column, brackets in page.brackets.items() if _cross(brackets)}
    names = _distinct(" ".join(name.replace("\0", " ").split()) or "_" for name in corpus.documents)
    written = [f"# global.columns = {' '.join(columns)}"]
    for page, name in zip(pages, names, strict=True):
        cells = {column: _cells(found, len(page.words), column in named) for column, found in page.brackets.items()}
        here = slice(page.begin, page.begin + len(page.words))
        cells |= {column: [_BLANK.sub("_", value) or "_" for value in found[here]] for column, found in extra.items()}
        written.extend(_lines(name, page, cells, columns))
    return "".join(f"{line}\n" for line in written).encode("utf-8", "backslashreplace")


class _Page:
    """A document: its words, where each of its sentences begins, and the brackets of every column."""

    def __init__(self, corpus: Corpus, parts: Mapping[str, _Part], number: int) -> None:
        self.parts, self.number, self.document = parts, number, corpus.documents[number]
        ends = [int(part.mentions.end[row]) for part in parts.values() for row in part.rows[number]]
        length = 1 + max(ends, default=-1)
        self.begin, self.words, self.sentence, self.empty = 0, ["_"] * length, [0] * length, [False] * length
        tokens = corpus.tokens
        if tokens is not None:
            self.begin, self.words = int(tokens.bounds[number]), tokens.words(number)
            here = slice(self.begin, self.begin + len(self.words))
            self.sentence = tokens.sentence[here].tolist()
            self.empty = [False] * len(self.words) if tokens.empty is None else tokens.empty[here].tolist()
        if length > len(self.words):
            what = f"a mention ends behind the last word of document {self.document!r}"
            raise InputError(Fault(corpus.source or "corpus", what))
        self.numbers = numbers(self.empty)
        given = {part.attribute("MarkableID", row) for part in parts.values() for row in part.rows[number]}
        self.unused = (name for name in map("markable_{}".format, count(1)) if name not in given)
        identity: list[_Mention] = []
        self.brackets = {
            "IDENTITY": list(self._entities(["", "non_referring"], identity)),
            "BRIDGING": list(self._bridges(identity)),
            "DISCOURSE_DEIXIS": list(self._entities(["discourse_deixis"], [])),
            "NOM_SEM": list(self._descriptions("nom_sem")),
        }

    def _rows(self, names: Iterable[str]) -> Iterator[tuple[str, _Part, int]]:
        for name in names:
            if name in self.parts:
                yield from ((name, self.parts[name], row) for row in self.parts[name].rows[self.number])

    def _entities(self, names: list[str], mentions: list[_Mention]) -> Iterator[_Bracket]:
        """Brackets of mentions, which are also listed."""
        rows = list(self._rows(names))
        written = {key: entity for name in names for key, entity in _entity_names(name, rows)}
        ids = _distinct(part.attribute("MarkableID", row) or next(self.unused) for _, part, row in rows)
        for (name, part, row), markable in zip(rows, ids, strict=True):
            entity, given = part.entity(row), part.attribute("MarkableID", row)
            mentions.append(_Mention(part.mentions.runs(row), markable, given, written[name, entity], entity))
        plurals = self._plurals(names[0], mentions)
        for (_, part, row), mention in zip(rows, mentions, strict=True):
            known = {"EntityID": mention.entity, "MarkableID": mention.name, **part.features(row, self.numbers)}
            known["ElementOf"] = ",".join(plurals.get(mention.name, []))
            yield from _brackets(mention.runs, known)

    def _plurals(self, name: str, mentions: list[_Mention]) -> dict[str, list[str]]:
        """The plural entities of which entities are elements, by the first mention of the element."""
        first = {mention.given_entity: mention for mention in reversed(mentions)}
        found: dict[str, list[str]] = {}
        for relation in self.parts[name].relations[self.document] if name in self.parts else ():
            if relation.kind == "split" and relation.source in first:
                plural = first[str(relation.source)].entity
                for element in relation.targets:
                    if element in first:
                        found.setdefault(first[element].name, []).append(plural)
        return found

    def _bridges(self, mentions: list[_Mention]) -> Iterator[_Bracket]:
        """Brackets of anaphors. Where a whole entity is said to be one, it is the first of its mentions."""
        by_runs: dict[Pieces, list[_Mention]] = defaultdict(list)
        by_entity: dict[Hashable, _Mention] = {}
        ids: dict[str, str] = {}
        for mention in mentions:
            by_runs[mention.runs].append(mention)
            by_entity.setdefault(mention.given_entity, mention)
            ids.setdefault(mention.given or mention.name, mention.name)
        for relation in self.parts[""].relations[self.document]:
            if relation.kind != "bridge" or not (isinstance(relation.source, tuple) or relation.source in by_entity):
                continue
            attributes = {name: _UNSAFE.sub("_", value) for name, value in relation.attributes.items()}
            given, anchor = (attributes.pop(name, "") for name in ("MarkableID", "MentionAnchor"))
            runs = _runs(relation.source) if isinstance(relation.source, tuple) else by_entity[relation.source].runs
            same = by_runs.get(runs, [])
            name = next((each.name for each in same if each.given == given), same[0].name if same else given)
            for target in relation.targets or ("",):
                entity = by_entity[target].entity if target in by_entity else _UNSAFE.sub("_", target)
                yield from _brackets(runs, {
                    "MarkableID": name or next(self.unused),
                    "Rel": _UNSAFE.sub("_", relation.label),
                    "MentionAnchor": ids.get(anchor, anchor),
                    "EntityAnchor": entity,
                    **{_key(name, "BRIDGING"): value for name, value in attributes.items()},
                })  # fmt: skip

    def _descriptions(self, layer: str) -> Iterator[_Bracket]:
        rows = list(self._rows([layer]))
        ids = _distinct(part.attribute("MarkableID", row) or _name(part.entity(row)) for _, part, row in rows)
        for (_, part, row), name in zip(rows, ids, strict=True):
            yield from _brackets(part.mentions.runs(row), {"MarkableID": name, **part.features(row, self.numbers)})


def _entity_names(name: str, rows: Iterable[tuple[str, _Part, int]]) -> Iterator[tuple[tuple[str, str], str]]:
    """The names of the entities of a part as they are written, which say what is non-referring."""
    suffix = PSEUDO if name == "non_referring" else ""
    entities = list(dict.fromkeys(part.entity(row) for part_name, part, row in rows if part_name == name))
    for entity, written in zip(entities, _distinct(_name(each.removesuffix(suffix)) for each in entities), strict=True):
        yield (name, entity), written + suffix


def _brackets(runs: Pieces, known: Mapping[str, str]) -> Iterator[_Bracket]:
    text = "|".join(f"{key}={value}" for key, value in known.items() if value)
    return (_Bracket(first, last, text, known["MarkableID"]) for first, last in runs)


def _runs(mention: tuple[Hashable, ...]) -> Pieces:
    return mention if isinstance(mention[0], tuple) else (mention,)  # type: ignore[return-value]


def _key(name: str, column: str) -> str:
    """A key that can be written, and that does not mean something else."""
    key = _UNSAFE_KEY.sub("_", name) or "_"
    return f"{key}_" if key.lower() in KEYS[column] else key


def _name(entity: str) -> str:
    """The name of an entity as it can be written, and not that of a non-referring one."""
    return _UNSAFE_NAME.sub("_", entity) or "_"


def _distinct(wanted: Iterable[str]) -> list[str]:
    """Names, changed where they are there already."""
    taken: dict[str, None] = {}
    further = count(2)
    for name in wanted:
        text = name
        while text in taken:
            text = f"{name}_{next(further)}"
        taken[text] = None
    return list(taken)


def _cross(brackets: Iterable[_Bracket]) -> bool:
    """Whether a closing bracket could belong to two of them; on a word, brackets close before others open."""
    around: list[int] = []
    for first, last, *_ in sorted(brackets, key=_outermost):
        while around and around[-1] <= first:
            around.pop()
        if around and around[-1] < last:
            return True
        if first < last:
            around.append(last)
    return False


def _outermost(bracket: _Bracket) -> tuple[int, int]:
    return bracket.first, -bracket.last


def _cells(brackets: Iterable[_Bracket], length: int, named: bool) -> list[str]:  # noqa: FBT001
    opening: dict[int, str] = defaultdict(str)
    closing: dict[int, str] = defaultdict(str)
    for first, last, text, name in sorted(brackets, key=_outermost):
        opening[first] += f"({text}" if first < last else f"({text})"
        if first < last:
            closing[last] += f"{name})" if named else ")"
    return [closing[word] + opening[word] or "_" for word in range(length)]


def _word_columns(corpus: Corpus) -> dict[str, list[str]]:
    """The columns of what is known of words."""
    found: dict[str, list[str]] = {}
    for name, values in corpus.tokens.attributes.items() if corpus.tokens is not None else ():
        column = _BLANK.sub("_", name)
        if column.upper() in STANDARD or column.islower():
            column = column.upper()
        if column and column not in UNTOLD and any(values):
            found.setdefault(column, list(values))
    return found


def _lines(name: str, page: _Page, cells: Mapping[str, list[str]], columns: list[str]) -> Iterator[str]:
    yield f"# newdoc id = {name}"
    empty_column = ["_"] * len(page.words)
    forms = [_BLANK.sub("_", word) or "_" for word in page.words]
    rows = list(
        zip(*({"ID": page.numbers, "FORM": forms, **cells}.get(each, empty_column) for each in columns), strict=True)
    )
    begins = [word for word, number in enumerate(page.sentence) if not word or number != page.sentence[word - 1]]
    for number, (begin, end) in enumerate(pairwise([*begins, len(rows)]), 1):
        yield f"# sent_id = {name}-{number}"
        yield f"# text = {' '.join(forms[word] for word in range(begin, end) if not page.empty[word])}"
        yield from ("\t".join(row) for row in rows[begin:end])
        yield ""
