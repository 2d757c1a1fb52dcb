"""Writing CoNLL-UA: the standard columns, separated by tabs, and after them further attributes of words.

Every mention gets a MarkableID, because UA's scorers need one. Closing brackets have it only in columns where mentions
cross, and then all of them do: UA 2 reads one or the other.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import count, pairwise
from typing import TYPE_CHECKING, NamedTuple

from corefeval.corpus.mentions import Spans, parse_runs
from corefeval.formats.shared.writing import check_length, make_distinct, number_words
from corefeval.formats.ua.markables import KEYS
from corefeval.formats.ua.reader import NON_REFERRING
from corefeval.formats.ua.rows import NOT_ATTRIBUTES, STANDARD_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping

    from corefeval.corpus.beyond_identity import Relation
    from corefeval.corpus.corpus import Corpus
    from corefeval.corpus.mentions import Pieces

_BLANK = re.compile(r"[\s\0]")
_UNSAFE = re.compile(r"[()|\s\0]|^@|@$")
_UNSAFE_NAME = re.compile(rf"[()|,\s\0]|^@|@$|-(?={NON_REFERRING[1:]}$)")
_UNSAFE_KEY = re.compile(r"[()|=\s\0]|^@")
_LAYER_COLUMNS = {
    "": "IDENTITY",
    "non_referring": "IDENTITY",
    "discourse_deixis": "DISCOURSE_DEIXIS",
    "nom_sem": "NOM_SEM",
}


class _BracketText(NamedTuple):
    """A part of a markable: its words, the text where it opens, and the name that it may be closed with."""

    first: int
    last: int
    text: str
    name: str


class _NamedMention(NamedTuple):
    """A mention with its MarkableID and EntityID as they are written, and as they are in the corpus."""

    runs: Pieces
    name: str
    own_name: str
    entity: str
    own_entity: str


class _LayerRows:
    """The rows and relations of a corpus, or of one of its layers, by document, and the keys of its attributes."""

    def __init__(self, corpus: Corpus, column: str) -> None:
        assert isinstance(corpus.mentions, Spans)  # noqa: S101 - fitting has seen to it
        self.corpus, self.mentions = corpus, corpus.mentions
        self.rows: dict[int, list[int]] = defaultdict(list)
        self.relations: dict[str, list[Relation]] = defaultdict(list)
        document = corpus.document
        for row in self.mentions.outer_first(document).tolist():
            self.rows[int(document[row])].append(row)
        for relation in corpus.relations:
            self.relations[relation.document].append(relation)
        others = [name for name in corpus.attributes if name not in ("MarkableID", "Min")]
        self.keys = dict(zip(others, make_distinct(_make_key(name, column) for name in others), strict=True))

    def entity_name(self, row: int) -> str:
        """The name of the entity of a mention."""
        return str(self.corpus.entity_name[int(self.corpus.entity[row])])

    def attribute(self, name: str, row: int) -> str:
        """An attribute of a mention as it can be written; "" if it has none."""
        return _UNSAFE.sub("_", self.corpus.attributes[name][row]) if name in self.corpus.attributes else ""

    def features(self, row: int, word_ids: list[str]) -> dict[str, str]:
        """The features of a mention besides its names; word_ids: those of the words of the document."""
        minimums = self.corpus.minimums
        minimum = self.attribute("Min", row)
        if minimums is not None and minimums.start[row] >= 0:
            first, last = word_ids[int(minimums.start[row])], word_ids[int(minimums.end[row])]
            minimum = first if first == last else f"{first},{last}"
        return {"Min": minimum, **{key: self.attribute(name, row) for name, key in self.keys.items()}}


def write(corpus: Corpus) -> bytes:
    """The corpus as a file. Unknown words are written as an underscore."""
    corpora = {"": corpus, **corpus.layers}
    layers = {name: _LayerRows(corpora[name], column) for name, column in _LAYER_COLUMNS.items() if name in corpora}
    attributes = _collect_word_columns(corpus)
    columns = [*STANDARD_COLUMNS, *(name for name in attributes if name not in STANDARD_COLUMNS)]
    documents = [_DocumentColumns(corpus, layers, number) for number in range(len(corpus.documents))]
    crossed = {column for each in documents for column, brackets in each.brackets.items() if _do_cross(brackets)}
    names = make_distinct(" ".join(name.replace("\0", " ").split()) or "_" for name in corpus.documents)
    lines = [f"# global.columns = {' '.join(columns)}"]
    for document, name in zip(documents, names, strict=True):
        length = len(document.words)
        cells = {
            column: _write_cells(brackets, length, named=column in crossed)
            for column, brackets in document.brackets.items()
        }
        here = slice(document.begin, document.begin + length)
        for column, values in attributes.items():
            cells[column] = [_BLANK.sub("_", value) or "_" for value in values[here]]
        lines.extend(_write_document(name, document, cells, columns))
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")


class _DocumentColumns:
    """A document: its words, their sentences, which of them are zeros, and the brackets of every column."""

    def __init__(self, corpus: Corpus, layers: Mapping[str, _LayerRows], number: int) -> None:
        self.layers, self.number, self.document = layers, number, corpus.documents[number]
        ends = [int(layer.mentions.end[row]) for layer in layers.values() for row in layer.rows[number]]
        length = 1 + max(ends, default=-1)
        check_length(corpus, number, length)
        self.begin, self.words, self.sentence, self.empty = 0, ["_"] * length, [0] * length, [False] * length
        tokens = corpus.tokens
        if tokens is not None:
            here = tokens.rows(number)
            self.begin, self.words = here.start, tokens.words(number)
            self.sentence, self.empty = tokens.sentence[here].tolist(), tokens.unwritten[here].tolist()
        self.word_ids = number_words(self.empty)
        taken = {layer.attribute("MarkableID", row) for layer in layers.values() for row in layer.rows[number]}
        self.unused = (name for name in map("markable_{}".format, count(1)) if name not in taken)
        identity: list[_NamedMention] = []
        self.brackets = {
            "IDENTITY": list(self._write_entities(["", "non_referring"], identity)),
            "BRIDGING": list(self._write_bridges(identity)),
            "DISCOURSE_DEIXIS": list(self._write_entities(["discourse_deixis"], [])),
            "NOM_SEM": list(self._write_descriptions("nom_sem")),
        }

    def _list_rows(self, names: Iterable[str]) -> Iterator[tuple[str, _LayerRows, int]]:
        """The mentions of the document in some layers: name of the layer, the layer, and the mention's row."""
        for name in names:
            if name in self.layers:
                yield from ((name, self.layers[name], row) for row in self.layers[name].rows[self.number])

    def _write_entities(self, names: list[str], mentions: list[_NamedMention]) -> Iterator[_BracketText]:
        """The brackets of the mentions of some layers; the mentions are added to `mentions`."""
        rows = list(self._list_rows(names))
        written = {key: entity for name in names for key, entity in _make_entity_names(name, rows)}
        ids = make_distinct(layer.attribute("MarkableID", row) or next(self.unused) for _, layer, row in rows)
        for (name, layer, row), markable in zip(rows, ids, strict=True):
            entity, given = layer.entity_name(row), layer.attribute("MarkableID", row)
            mentions.append(_NamedMention(layer.mentions.runs(row), markable, given, written[name, entity], entity))
        plurals = self._find_plurals(names[0], mentions)
        for (_, layer, row), mention in zip(rows, mentions, strict=True):
            known = {"EntityID": mention.entity, "MarkableID": mention.name, **layer.features(row, self.word_ids)}
            known["ElementOf"] = ",".join(plurals.get(mention.name, []))
            yield from _make_brackets(mention.runs, known)

    def _find_plurals(self, name: str, mentions: list[_NamedMention]) -> dict[str, list[str]]:
        """The plural entities that entities are elements of, by the name of the element's first mention."""
        first = {mention.own_entity: mention for mention in reversed(mentions)}
        found: dict[str, list[str]] = {}
        for relation in self.layers[name].relations[self.document] if name in self.layers else ():
            if relation.kind == "split" and relation.source in first:
                plural = first[str(relation.source)].entity
                for element in relation.targets:
                    if element in first:
                        found.setdefault(first[element].name, []).append(plural)
        return found

    def _write_bridges(self, mentions: list[_NamedMention]) -> Iterator[_BracketText]:
        """The brackets of anaphors. An entity that is one is written as the first of its mentions."""
        by_runs: dict[Pieces, list[_NamedMention]] = defaultdict(list)
        by_entity: dict[Hashable, _NamedMention] = {}
        ids: dict[str, str] = {}
        for mention in mentions:
            by_runs[mention.runs].append(mention)
            by_entity.setdefault(mention.own_entity, mention)
            ids.setdefault(mention.own_name or mention.name, mention.name)
        for relation in self.layers[""].relations[self.document]:
            if relation.kind != "bridge" or not (isinstance(relation.source, tuple) or relation.source in by_entity):
                continue
            attributes = {name: _UNSAFE.sub("_", value) for name, value in relation.attributes.items()}
            given, anchor = (attributes.pop(name, "") for name in ("MarkableID", "MentionAnchor"))
            runs = parse_runs(relation.source) or by_entity[relation.source].runs
            same = by_runs.get(runs, [])
            name = next((each.name for each in same if each.own_name == given), same[0].name if same else given)
            for target in relation.targets or ("",):
                entity = by_entity[target].entity if target in by_entity else _UNSAFE.sub("_", target)
                yield from _make_brackets(runs, {
                    "MarkableID": name or next(self.unused),
                    "Rel": _UNSAFE.sub("_", relation.label),
                    "MentionAnchor": ids.get(anchor, anchor),
                    "EntityAnchor": entity,
                    **{_make_key(name, "BRIDGING"): value for name, value in attributes.items()},
                })  # fmt: skip

    def _write_descriptions(self, layer_name: str) -> Iterator[_BracketText]:
        """The brackets of a layer without entities."""
        rows = list(self._list_rows([layer_name]))
        wanted = (layer.attribute("MarkableID", row) or _make_name(layer.entity_name(row)) for _, layer, row in rows)
        for (_, layer, row), name in zip(rows, make_distinct(wanted), strict=True):
            known = {"MarkableID": name, **layer.features(row, self.word_ids)}
            yield from _make_brackets(layer.mentions.runs(row), known)


def _make_entity_names(name: str, rows: Iterable[tuple[str, _LayerRows, int]]) -> Iterator[tuple[tuple[str, str], str]]:
    """For every entity of a layer, its layer and name, and the name as it is written, which says if it refers."""
    suffix = NON_REFERRING if name == "non_referring" else ""
    entities = list(dict.fromkeys(layer.entity_name(row) for layer_name, layer, row in rows if layer_name == name))
    stems = make_distinct(_make_name(entity.removesuffix(suffix)) for entity in entities)
    return (((name, entity), stem + suffix) for entity, stem in zip(entities, stems, strict=True))


def _make_brackets(runs: Pieces, known: Mapping[str, str]) -> Iterator[_BracketText]:
    """A bracket for every run of a mention, with its features."""
    text = "|".join(f"{key}={value}" for key, value in known.items() if value)
    return (_BracketText(first, last, text, known["MarkableID"]) for first, last in runs)


def _make_key(name: str, column: str) -> str:
    """A key that can be written, and that does not mean something else."""
    key = _UNSAFE_KEY.sub("_", name) or "_"
    return f"{key}_" if key.lower() in KEYS[column] else key


def _make_name(entity: str) -> str:
    """The name of an entity as it can be written, and not that of a non-referring one."""
    return _UNSAFE_NAME.sub("_", entity) or "_"


def _do_cross(brackets: Iterable[_BracketText]) -> bool:
    """Whether a closing bracket could belong to two of them; on a word, brackets close before others open."""
    around: list[int] = []
    for first, last, *_ in sorted(brackets, key=_order_outermost):
        while around and around[-1] <= first:
            around.pop()
        if around and around[-1] < last:
            return True
        if first < last:
            around.append(last)
    return False


def _order_outermost(bracket: _BracketText) -> tuple[int, int]:
    """The sort key that puts brackets around others first."""
    return bracket.first, -bracket.last


def _write_cells(brackets: Iterable[_BracketText], length: int, *, named: bool) -> list[str]:
    """The cells of a column; named: whether closing brackets have the name of what they close."""
    opening: dict[int, str] = defaultdict(str)
    closing: dict[int, str] = defaultdict(str)
    for first, last, text, name in sorted(brackets, key=_order_outermost):
        opening[first] += f"({text}" if first < last else f"({text})"
        if first < last:
            closing[last] += f"{name})" if named else ")"
    return [closing[word] + opening[word] or "_" for word in range(length)]


def _collect_word_columns(corpus: Corpus) -> dict[str, list[str]]:
    """The attributes of words that are not empty, by the names of their columns."""
    columns: dict[str, list[str]] = {}
    for name, values in corpus.tokens.attributes.items() if corpus.tokens is not None else ():
        column = _BLANK.sub("_", name)
        if column.upper() in STANDARD_COLUMNS or column.islower():
            column = column.upper()
        if column and column not in NOT_ATTRIBUTES and any(values):
            columns.setdefault(column, list(values))
    return columns


def _write_document(
    name: str, document: _DocumentColumns, cells: Mapping[str, list[str]], columns: list[str]
) -> Iterator[str]:
    """The lines of a document."""
    yield f"# newdoc id = {name}"
    nothing = ["_"] * len(document.words)
    forms = [_BLANK.sub("_", word) or "_" for word in document.words]
    known = {"ID": document.word_ids, "FORM": forms, **cells}
    rows = list(zip(*(known.get(column, nothing) for column in columns), strict=True))
    sentence = document.sentence
    begins = [word for word, number in enumerate(sentence) if not word or number != sentence[word - 1]]
    for number, (begin, end) in enumerate(pairwise([*begins, len(rows)]), 1):
        yield f"# sent_id = {name}-{number}"
        yield f"# text = {' '.join(forms[word] for word in range(begin, end) if not document.empty[word])}"
        yield from ("\t".join(row) for row in rows[begin:end])
        yield ""
