"""Writing CoNLL-UA: the standard columns, separated by tabs, and after them further attributes of words.

Every mention gets a MarkableID, because UA's scorers need one. Closing brackets have it only in columns where mentions
cross, and then all of them do: UA 2 reads one or the other.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import count

import numpy as np

from corefeval._lazy import NamedTuple
from corefeval.corpus.beyond_identity import Relation
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Pieces, Spans, parse_runs
from corefeval.corpus.objects import Mention
from corefeval.formats.shared.writing import (
    SEPARATORS,
    get_words,
    make_distinct,
    number_words,
    respell_names,
    spell_in_header,
)
from corefeval.formats.ua.columns import KEYS, NON_REFERRING, NOT_ATTRIBUTES, STANDARD_COLUMNS

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
    """A mention of a layer, with its MarkableID and EntityID as they are written."""

    layer: str
    mention: Mention
    name: str
    entity: str


class _UaLayer:
    """The mentions and relations of a corpus, or of one of its layers, by document, and the keys of its attributes."""

    def __init__(self, corpus: Corpus, column: str) -> None:
        assert isinstance(corpus.mentions, Spans)  # noqa: S101 - fitting has seen to it
        self.mentions: dict[int, list[Mention]] = defaultdict(list)
        self.relations: dict[str, list[Relation]] = defaultdict(list)
        order = corpus.mentions.sort_outer_first(corpus.document)
        for row, document in zip(order.tolist(), corpus.document[order].tolist(), strict=True):
            self.mentions[document].append(Mention(corpus, row))
        for relation in corpus.relations:
            self.relations[relation.document].append(relation)
        others = [name for name in corpus.attributes if name not in ("MarkableID", "Min")]
        self.keys = dict(zip(others, make_distinct(_make_key(name, column) for name in others), strict=True))

    def write_features(self, mention: Mention, word_ids: list[str]) -> dict[str, str]:
        """Return by key Min and the other attributes of a mention, "" for none; word_ids: of the document's words."""
        attributes = {name: _UNSAFE.sub("_", value) for name, value in mention.attributes.items()}
        if mention.minimum:
            attributes["Min"] = ",".join(dict.fromkeys(word_ids[word] for word in mention.minimum))
        known = {key: attributes.get(name, "") for name, key in self.keys.items()}
        return {"Min": attributes.get("Min", ""), **known}


def write(corpus: Corpus) -> bytes:
    """Return the bytes of a file with the corpus. Unknown words become an underscore."""
    corpora = {"": corpus, **corpus.layers}
    layers = {name: _UaLayer(corpora[name], column) for name, column in _LAYER_COLUMNS.items() if name in corpora}
    attributes = _collect_word_columns(corpus)
    columns = [*STANDARD_COLUMNS, *(name for name in attributes if name not in STANDARD_COLUMNS)]
    documents = [_DocumentWriter(corpus, layers, number) for number in range(len(corpus.documents))]
    crossed = {column for each in documents for column, brackets in each.brackets.items() if _do_cross(brackets)}
    lines = [f"# global.columns = {' '.join(columns)}"]
    for document, name in zip(documents, corpus.documents, strict=True):
        lines.extend(document.write_lines(name, columns, attributes, crossed))
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")


def spell_document_names(documents: Sequence[str]) -> list[str]:
    """Return documents' names as a comment can have them, still distinct: single blanks, on one line, none empty."""
    return respell_names(documents, lambda name: spell_in_header(name) or "_")


class _DocumentWriter:
    """A document: its words and their ids, and the brackets of every column."""

    def __init__(self, corpus: Corpus, layers: Mapping[str, _UaLayer], number: int) -> None:
        self.layers, self.document = layers, corpus.documents[number]
        self.mentions = {name: layer.mentions[number] for name, layer in layers.items()}
        every = [mention for mentions in self.mentions.values() for mention in mentions]
        self.words = get_words(corpus, number, max((mention.runs[-1][1] + 1 for mention in every), default=0))
        self.word_ids = number_words(self.words.is_zero)
        taken = {_get_markable(mention) for mention in every}
        self.unused = (name for name in map("markable_{}".format, count(1)) if name not in taken)
        identity = self._name_mentions("", "non_referring")
        brackets = {
            "IDENTITY": list(self._write_entities("", identity)),
            "BRIDGING": list(self._write_bridges(identity)),
            "DISCOURSE_DEIXIS": list(self._write_entities("discourse_deixis", self._name_mentions("discourse_deixis"))),
            "NOM_SEM": list(self._write_descriptions()),
        }
        # Those around others come first.
        self.brackets = {name: sorted(each, key=lambda it: (it.first, -it.last)) for name, each in brackets.items()}

    def write_lines(
        self, name: str, columns: list[str], attributes: Mapping[str, list[str]], crossed: set[str]
    ) -> Iterator[str]:
        """Yield the lines of the document of this name.

        attributes: those of all words of the corpus, by column; crossed: the columns with mentions that cross.
        """
        forms = [re.sub(SEPARATORS, "_", word) or "_" for word in self.words.forms]
        known = {"ID": self.word_ids, "FORM": forms}
        for column, brackets in self.brackets.items():
            known[column] = _write_cells(brackets, len(forms), named=column in crossed)
        for column, values in attributes.items():
            known[column] = [re.sub(SEPARATORS, "_", value) or "_" for value in values[self.words.here]]
        rows = list(zip(*(known.get(column, ["_"] * len(forms)) for column in columns), strict=True))
        yield f"# newdoc id = {name}"
        for number, sentence in enumerate(self.words.split_sentences(), 1):
            yield f"# sent_id = {name}-{number}"
            yield f"# text = {' '.join(forms[word] for word in sentence if not self.words.is_zero[word])}"
            yield from ("\t".join(rows[word]) for word in sentence)
            yield ""

    def _name_mentions(self, *layers: str) -> list[_NamedMention]:
        """Return the mentions of these layers with a distinct MarkableID each, and an EntityID, as they are written."""
        rows = [(layer, mention) for layer in layers for mention in self.mentions.get(layer, ())]
        names = make_distinct(_get_markable(mention) or next(self.unused) for _, mention in rows)
        entities: dict[tuple[str, str], str] = {}
        for layer in layers:
            suffix = NON_REFERRING if layer == "non_referring" else ""
            own = list(dict.fromkeys(mention.entity.name for mention in self.mentions.get(layer, ())))
            stems = make_distinct(_make_name(entity.removesuffix(suffix)) for entity in own)
            entities |= {(layer, entity): stem + suffix for entity, stem in zip(own, stems, strict=True)}
        return [
            _NamedMention(layer, mention, name, entities[layer, mention.entity.name])
            for (layer, mention), name in zip(rows, names, strict=True)
        ]

    def _write_entities(self, main: str, mentions: list[_NamedMention]) -> Iterator[_BracketText]:
        """Yield the brackets of mentions with features; main: the layer whose relations say which entities are plural.

        The first mention of an entity names the plural entities that it is an element of.
        """
        first: dict[Hashable, _NamedMention] = {named.mention.entity.name: named for named in reversed(mentions)}
        plurals: dict[str, list[str]] = defaultdict(list)
        for relation in self.layers[main].relations[self.document] if main in self.layers else ():
            if relation.kind == "split" and relation.source in first:
                for element in filter(first.__contains__, relation.targets):
                    plurals[first[element].name].append(first[relation.source].entity)
        for layer, mention, name, entity in mentions:
            known = {"EntityID": entity, "MarkableID": name}
            known |= self.layers[layer].write_features(mention, self.word_ids)
            yield from _make_brackets(mention.runs, {**known, "ElementOf": ",".join(plurals[name])})

    def _write_bridges(self, mentions: list[_NamedMention]) -> Iterator[_BracketText]:
        """Yield each bridging anaphor's brackets, once per target; for an entity, those of its first mention."""
        by_runs: dict[Pieces, list[_NamedMention]] = defaultdict(list)
        by_entity: dict[Hashable, _NamedMention] = {}
        names: dict[str, str] = {}
        for named in mentions:
            by_runs[named.mention.runs].append(named)
            by_entity.setdefault(named.mention.entity.name, named)
            names.setdefault(_get_markable(named.mention) or named.name, named.name)
        for relation in self.layers[""].relations[self.document]:
            if relation.kind != "bridge" or not (isinstance(relation.source, tuple) or relation.source in by_entity):
                continue
            attributes = {name: _UNSAFE.sub("_", value) for name, value in relation.attributes.items()}
            given, anchor = (attributes.pop(name, "") for name in ("MarkableID", "MentionAnchor"))
            runs = parse_runs(relation.source) or by_entity[relation.source].mention.runs
            same = sorted(by_runs.get(runs, []), key=lambda named: _get_markable(named.mention) != given)
            name = same[0].name if same else given
            for target in relation.targets or ("",):
                entity = by_entity[target].entity if target in by_entity else _UNSAFE.sub("_", target)
                yield from _make_brackets(runs, {
                    "MarkableID": name or next(self.unused),
                    "Rel": _UNSAFE.sub("_", relation.label),
                    "MentionAnchor": names.get(anchor, anchor),
                    "EntityAnchor": entity,
                    **{_make_key(name, "BRIDGING"): value for name, value in attributes.items()},
                })  # fmt: skip

    def _write_descriptions(self) -> Iterator[_BracketText]:
        """Yield the brackets of the layer nom_sem, which has no entities."""
        mentions = self.mentions.get("nom_sem", [])
        wanted = (_get_markable(mention) or _make_name(mention.entity.name) for mention in mentions)
        for mention, name in zip(mentions, make_distinct(wanted), strict=True):
            features = self.layers["nom_sem"].write_features(mention, self.word_ids)
            yield from _make_brackets(mention.runs, {"MarkableID": name, **features})


def _get_markable(mention: Mention) -> str:
    """Return the MarkableID that a mention has in the corpus, as it can be written; "" if it has none."""
    return _UNSAFE.sub("_", mention.attributes.get("MarkableID", ""))


def _make_brackets(runs: Pieces, known: Mapping[str, str]) -> Iterator[_BracketText]:
    """Return an iterator of brackets, one for every run of a mention, each with the text of all its features."""
    text = "|".join(f"{key}={value}" for key, value in known.items() if value)
    return (_BracketText(first, last, text, known["MarkableID"]) for first, last in runs)


def _make_key(name: str, column: str) -> str:
    """Return an attribute's name as a key: _ for unsafe characters, and at its end if the column has such a key."""
    key = _UNSAFE_KEY.sub("_", name) or "_"
    return f"{key}_" if key.lower() in KEYS[column] else key


def _make_name(entity: str) -> str:
    """Return an entity's name with _ for unsafe characters and for the hyphen of -Pseudo at its end; "_" if empty."""
    return _UNSAFE_NAME.sub("_", entity) or "_"


def _do_cross(brackets: Iterable[_BracketText]) -> bool:
    """Return whether any two brackets cross, so that a closing one could belong to either."""
    # On a word, closing brackets come before opening ones, so that mentions may share it at their ends.
    longer = Spans.from_runs([((2 * first + 1, 2 * last),) for first, last, *_ in brackets if first < last])
    return bool(longer.find_crossing(np.zeros(len(longer), dtype=np.int64)).any())


def _write_cells(brackets: Iterable[_BracketText], length: int, *, named: bool) -> list[str]:
    """Return a column's cell for every word, "_" for none; named: whether closing brackets have the mention's name."""
    opening: dict[int, str] = defaultdict(str)
    closing: dict[int, str] = defaultdict(str)
    for first, last, text, name in brackets:
        opening[first] += f"({text}" if first < last else f"({text})"
        if first < last:
            closing[last] += f"{name})" if named else ")"
    return [closing[word] + opening[word] or "_" for word in range(length)]


def _collect_word_columns(corpus: Corpus) -> dict[str, list[str]]:
    """Return the values of all words by column, for attributes with any value whose column has no other meaning."""
    columns: dict[str, list[str]] = {}
    for name, values in corpus.tokens.attributes.items() if corpus.tokens is not None else ():
        column = re.sub(SEPARATORS, "_", name)
        if column.upper() in STANDARD_COLUMNS or column.islower():
            column = column.upper()
        if column and column not in NOT_ATTRIBUTES and any(values):
            columns.setdefault(column, list(values))
    return columns
