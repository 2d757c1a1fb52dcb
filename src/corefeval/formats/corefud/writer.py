"""Writing CorefUD: the words with a tree, or a dummy one where there is none, and the mentions in MISC.

    # newdoc id = story
    # global.Entity = eid-etype-head
    # sent_id = story-1
    # text = Kim came
    1	Kim	_	_	_	_	0	root	_	Entity=(e1-person-1)
    2	came	_	_	_	_	1	dep	_	_

Entity ids are declared as `eid` where they are distinct over the whole file, else as `GRP`, which tells readers that
they are distinct within a document only. Fields that no mention has are not declared. On a word, closing brackets come
first, then opening ones, longer mentions first, then mentions of one word; where nothing opens, these come first.

A head of several words is written as its first one, and a minimum without the words outside its mention. A mention that
crosses the end of its sentence is written as it is, which corefeval reads and the CorefUD tools refuse. Where two
mentions of an entity begin on the same word, bridging is of the shorter one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from corefeval._lazy import NamedTuple
from corefeval.corpus.beyond_identity import Relation
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Pieces, Spans, to_mention
from corefeval.errors import Fault, InputError
from corefeval.formats.corefud.fields import ENTITY_FIELDS, OTHER, escape
from corefeval.formats.shared.writing import (
    encode_words,
    get_words,
    make_distinct,
    number_words,
    replace_surrogates,
    respell_names,
)

_CONTROL = re.compile(r"[\0\t\n\r]")
_BLANK = re.compile(r"\s")
_NOT_IN_ID = re.compile(r"[\s/]+")  # a slash has a meaning of its own in UD: parts of the treebank
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
_UNSAFE = re.compile(r"[\0- ()\[\]<>:,|=\ud800-\udfff-]")


def write(corpus: Corpus) -> bytes:
    """Return the bytes of a file with the corpus, _ for unknown words; an InputError if parts would be mixed up."""
    misc = _MiscWriter(corpus)
    misc.check_parts()
    names = enumerate(spell_document_names(corpus.documents))
    lines = (f"{line}\n" for number, name in names for line in _write_document(corpus, number, name, misc))
    return encode_words("".join(lines))


def spell_document_names(documents: Sequence[str]) -> list[str]:
    """Return documents' names as a comment can have them, still distinct: no control characters, a number if empty."""
    return respell_names(
        documents,
        lambda name: _CONTROL.sub(" ", replace_surrogates(name)).strip(" \v\f") or str(documents.index(name) + 1),
    )


def _write_document(corpus: Corpus, number: int, name: str, misc: _MiscWriter) -> Iterator[str]:
    """Yield the lines of a document, given by its number, under this name."""
    cells = misc.write_cells(number)
    words = get_words(corpus, number, max(cells, default=-1) + 1)
    forms = [_CONTROL.sub(" ", word) or "_" for word in words.forms]
    attributes = {} if corpus.tokens is None else corpus.tokens.attributes
    nothing = [""] * len(forms)
    known = [attributes[column][words.here] if column in attributes else nothing for column in _TreeWord._fields[2:]]
    tree_words = [_TreeWord(*word) for word in zip(forms, words.is_zero, *known, strict=True)]
    yield f"# newdoc id = {name}"
    yield f"# global.Entity = {misc.declaration}"
    if not tree_words:
        yield ""
    for sentence_number, sentence in enumerate(words.split_sentences(), 1):
        here = [tree_words[word] for word in sentence]
        yield f"# sent_id = {_NOT_IN_ID.sub('_', name)}-{sentence_number}"
        yield f"# text = {' '.join(word.form for word in here if not word.is_zero)}"
        for word, columns in zip(sentence, _write_tree(here), strict=True):
            yield "\t".join((*columns, cells.get(word, "_")))
        yield ""


class _TreeWord(NamedTuple):
    """A word, whether it is a zero, and what is known of its place in a tree: "" where nothing is."""

    form: str
    is_zero: bool
    id: str
    head: str
    deprel: str
    deps: str
    upos: str


def _write_tree(sentence: list[_TreeWord]) -> Iterator[tuple[str, ...]]:
    """Yield a tuple per word of all columns but MISC, with the known tree if it fits, else all under the first."""
    ids = number_words(word.is_zero for word in sentence)
    words = sum(not word.is_zero for word in sentence)
    fits = all(word.id in ("", number) for word, number in zip(sentence, ids, strict=True)) and all(
        not word.head or (_NUMBER.fullmatch(word.head) and int(word.head) <= words) for word in sentence
    )
    known = fits and any(word.id or word.head for word in sentence)
    for word, number in zip(sentence, ids, strict=True):
        head, deprel, deps = word.head, word.deprel, word.deps
        if not known:
            head, deprel = ("", "") if word.is_zero else ("0", "root") if number == "1" else ("1", "dep")
        if not fits or not (deps or word.id):
            deps = "0:root" if word.is_zero else ""
        upos = _BLANK.sub("", word.upos) or "_"
        yield number, word.form, "_", upos, "_", "_", *(_CONTROL.sub(" ", text) or "_" for text in (head, deprel, deps))


class _MiscWriter:
    """Writes the MISC column of a corpus."""

    def __init__(self, corpus: Corpus) -> None:
        assert isinstance(corpus.mentions, Spans)  # noqa: S101 - the format's capacity has seen to it
        self._corpus, self._spans = corpus, corpus.mentions
        wanted = (_UNSAFE.sub("_", str(name)) or "_" for name in corpus.entity_name)
        self._names = make_distinct(wanted, corpus.entity_document.tolist())
        self._entity: list[int] = corpus.entity.tolist()
        self._fields = _choose_fields(corpus)
        self.declaration = "-".join(["GRP" if len(set(self._names)) < len(self._names) else "eid", *self._fields])
        order = corpus.mentions.text_order(corpus.document)
        bounds = np.searchsorted(corpus.document[order], np.arange(len(corpus.documents) + 1)).tolist()
        self._rows: list[list[int]] = [order[a:b].tolist() for a, b in pairwise(bounds)]
        self._relations: dict[str, list[Relation]] = defaultdict(list)
        for relation in corpus.relations:
            self._relations[relation.document].append(relation)

    def write_cells(self, document: int) -> dict[int, str]:
        """Return the MISC cells of a document by word, only of words with brackets of mentions."""
        bridges, splits = self._write_relations(document)
        columns = {"Bridge": bridges, "Entity": self._write_brackets(document), "SplitAnte": splits}
        return {
            word: "|".join(f"{key}={column[word]}" for key, column in columns.items() if word in column)
            for word in columns["Entity"]
        }

    def check_parts(self) -> None:
        """Raise an InputError if the parts of a mention would be read back as those of another one of its entity."""
        for row in np.flatnonzero(self._spans.find_entangled(self._corpus.entity)).tolist():
            place, name = self._corpus.place(row, self._corpus.source or "corpus"), self._corpus.describe(row)
            what = f"the parts of {name} would be taken for those of another mention of its entity"
            hint = "leave one of the two out, or the gaps of one"
            raise InputError(Fault(place, what, "parts within a gap of the other mention, or beside it", hint))

    def _write_brackets(self, document: int) -> dict[int, str]:
        """Return the values of Entity of a document, by word, only of words where a mention begins or ends."""
        opening, single, closing = (defaultdict[int, list[tuple[int, int, int, str]]](list) for _ in range(3))
        for row in self._rows[document]:
            runs, name = self._spans.runs(row), self._names[self._entity[row]]
            # Empty fields at the end are left out.
            fields = "".join(f"-{self._write_field(field, row)}" for field in self._fields).rstrip("-")
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

    def _write_field(self, field: str, row: int) -> str:
        """Return the escaped value of a field of the mention in a row; "" if it has none."""
        corpus, runs = self._corpus, self._spans.runs(row)
        if field in ENTITY_FIELDS:
            values = corpus.entity_attributes.get(ENTITY_FIELDS[field])
            return escape(values[self._entity[row]]) if values is not None else ""
        if field == "head":
            return ",".join(map(str, _find_indices(runs, corpus.heads, row)[:1]))
        value = corpus.attributes[field][row] if field in corpus.attributes else ""
        if field == "minspan":
            indices = _find_indices(runs, corpus.minimums, row)
            return ",".join(map(str, indices)) if indices else ",".join(map(escape, value.split(",")))
        return escape(value, but_commas=field == OTHER)

    def _write_relations(self, document: int) -> tuple[dict[int, str], dict[int, str]]:
        """Return two mappings of a document: the values of Bridge and those of SplitAnte, each by word."""
        pairs: dict[str, dict[int, list[str]]] = {"bridge": defaultdict(list), "split": defaultdict(list)}
        rows: dict[Hashable, list[int]] = defaultdict(list)  # by mention and by entity, in the order of the text
        shortest: dict[tuple[int, int], int] = {}
        relations = self._relations.get(self._corpus.documents[document], ())
        for row in self._rows[document] if relations else ():
            runs = self._spans.runs(row)
            rows[to_mention(runs)].append(row)
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
            ending = f"{name}:{escape(label)}" if kind == "bridge" and label else name
            pairs[kind][int(self._spans.start[row])] += [f"{target}<{ending}" for target in there]
        bridges, splits = ({word: ",".join(texts) for word, texts in each.items() if texts} for each in pairs.values())
        return bridges, splits


def _choose_fields(corpus: Corpus) -> list[str]:
    """Return the names of fields to declare but the id, in CorefUD's order; no empty head before others."""
    attributes, entity_attributes = corpus.attributes, corpus.entity_attributes
    has = {name: any(values) for name, values in attributes.items()}
    has["minspan"] = has.get("minspan", False) or corpus.minimums is not None
    first = [name for name in (OTHER, "minspan") if has.pop(name, False)]
    more = [*first, *(name for name in has if has[name])]
    if any(entity_attributes.get("identity", ())):
        more.append("identity")
    return ["etype", *(["head"] if corpus.heads is not None or not more else []), *more]


def _find_indices(runs: Pieces, column: Spans | None, row: int) -> Sequence[int]:
    """Return which words of a mention, from 1, are in its span of a column (such as its head); () if it has none."""
    if column is None or column.start[row] < 0:
        return ()
    first, last = int(column.start[row]), int(column.end[row])
    words = (word for begin, end in runs for word in range(begin, end + 1))
    return [index for index, word in enumerate(words, 1) if first <= word <= last]
