"""One side of an evaluation: documents, their entities, and the mentions of each, as columns."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from corefeval._arrays import Booleans, Ints, np
from corefeval._lazy import LazyMapping, Record, cached
from corefeval.corpus import from_python, units
from corefeval.corpus.beyond_identity import Relation
from corefeval.corpus.from_python import Entities
from corefeval.corpus.heads import fill_missing_heads
from corefeval.corpus.mentions import Carried, MentionColumn, Spans, join_columns, join_optional_spans
from corefeval.corpus.objects import Document
from corefeval.corpus.tokens import Tokens, join_tokens
from corefeval.errors import Fault, InputError
from corefeval.notices import Notice, announce_notices, count_things, make_notices

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


_NONE: Mapping[str, Any] = LazyMapping({})  # cannot be changed, for all share it


class Corpus(Record):
    """Mentions as columns: mention i is `mentions` entry i and belongs to entity `entity[i]`.

    Entities are numbered by document, and within a document in the order of their file or list. Spans count words where
    there are `tokens`, else characters where there are `texts`, the running text of each document.

    heads, minimums: a part of every mention that stands for it, -1 where none is given.
    lines: the line of its file on which each mention begins, where words do not tell.
    attributes, entity_attributes: further columns by name, "" where a mention or entity has none.
    layers: what is annotated besides (non-referring expressions, discourse deixis), each a corpus of the same words.
    files: the file of each document, where they come from several.
    unnamed: the documents that have no name in their file; theirs says only where they stand in it.
    name: what the user calls the system that made it, if anything.
    shared_names: whether an entity's name means the same entity in all documents; None if that is not known.
    of_records: whether its format is one of records: labels are these, where there are no documents.
    level: what a document is: "document", or the level whose documents were made one.
    format, recognised: the name of the format that the corpus was read from, and how that was known.
    """

    documents: tuple[str, ...]
    entity_document: Ints
    entity_name: Sequence[object]
    entity: Ints
    mentions: MentionColumn
    tokens: Tokens | None = None
    texts: tuple[str, ...] | None = None
    heads: Spans | None = None
    minimums: Spans | None = None
    lines: Ints | None = None
    attributes: Mapping[str, Sequence[str]] = _NONE
    entity_attributes: Mapping[str, Sequence[str]] = _NONE
    relations: tuple[Relation, ...] = ()
    layers: Mapping[str, Corpus] = _NONE
    source: str = ""
    notices: tuple[Notice, ...] = ()
    files: tuple[str, ...] = ()
    unnamed: frozenset[str] = frozenset()
    format: str = ""
    recognised: str = ""
    name: str = ""
    shared_names: bool | None = None
    of_records: bool = False
    level: str = "document"

    @classmethod
    @announce_notices
    def from_entities(cls, documents: Mapping[str, Entities], *, source: str = "") -> Corpus:
        """Make a corpus from {document: [[mention, ...], ...]}; empty entities are left out, and the user is told."""
        columns, notices = from_python.build_from_entities(documents, source)
        return cls(*columns, source=source, notices=notices)

    @classmethod
    def from_labels(cls, *, mention: ArrayLike, entity: ArrayLike, document: ArrayLike | None = None) -> Corpus:
        """Make a corpus from arrays of one length: row i puts mention[i] into entity[i] (of document[i], if given).

        Integers and strings will do for each; the same entity label in two documents is two entities, unless they are
        scored across documents (level="corpus"). For data without documents, such as records, leave `document` out.
        """
        return cls(*from_python.build_from_labels(mention, entity, document), shared_names=True)

    def __len__(self) -> int:
        return len(self.entity)

    def __repr__(self) -> str:
        sizes = {"document": len(self.documents), "entity": len(self.entity_document), "mention": len(self)}
        counts = ", ".join(count_things(count, thing) for thing, count in sizes.items())
        return f"<Corpus {self.source + ': ' if self.source else ''}{counts}>"

    @cached
    def by_entity(self) -> tuple[Ints, Ints]:
        """Two arrays: the mentions' rows ordered by entity; where each entity begins in them, and the last one ends."""
        return np.argsort(self.entity, kind="stable"), np.append(0, np.cumsum(self.sizes))

    @cached
    def sizes(self) -> Ints:
        """For every entity, how many mentions it has."""
        return np.bincount(self.entity, minlength=len(self.entity_document))

    @cached
    def document(self) -> Ints:
        """For every mention, the number of its document (its place in `documents`)."""
        if len(self.documents) == 1:
            return np.broadcast_to(np.int64(0), len(self))  # which takes no memory
        return self.entity_document[self.entity]

    @cached
    def head_words(self) -> Ints:
        """For every mention, the row in `tokens` of its head's first word, or of its own where no head is given."""
        own = self.in_own_words()
        assert own.tokens is not None  # noqa: S101 - the caller has seen to it
        return own.tokens.bounds[own.document] + fill_missing_heads(own.heads, own.own_spans.start).start

    @cached
    def zeros(self) -> Booleans:
        """For every mention, whether it is a zero: its head, or else first word, is unwritten; False without words."""
        if self.tokens is None or self.tokens.empty is None or not isinstance(self.mentions, Spans):
            return np.zeros(len(self), dtype=np.bool_)
        return self.tokens.empty[self.head_words]

    def entities(self) -> dict[str, list[list[Hashable]]]:
        """Return the corpus as {document: [[mention, ...], ...]} in plain Python objects."""
        entities: list[list[Hashable]] = [[] for _ in self.entity_document]
        for number, mention in zip(self.entity.tolist(), self.mentions.objects(), strict=True):
            entities[number].append(mention)
        documents: dict[str, list[list[Hashable]]] = {name: [] for name in self.documents}
        for entity, document in zip(entities, self.entity_document.tolist(), strict=True):
            documents[self.documents[document]].append(entity)
        return documents

    def __iter__(self) -> Iterator[Document]:
        """The documents, as light objects."""
        return (Document(self, number) for number in range(len(self.documents)))

    @property
    def own_spans(self) -> Spans:
        """The mentions as Spans in the corpus's own words (or characters), even where `mentions` counts another's."""
        assert isinstance(self.mentions, Spans)  # noqa: S101 - the caller has seen to it
        return self.mentions.own

    def in_own_words(self) -> Corpus:
        """Return the corpus with mentions, heads and minimums counted in its own words (or characters)."""
        return self.map_spans(lambda column: column.own) if isinstance(self.mentions, Carried) else self

    def map_spans(self, move: Callable[[Spans], Spans]) -> Corpus:
        """Return the corpus with `move` applied to each of its columns mentions, heads and minimums that is Spans."""
        columns = {"mentions": self.mentions, "heads": self.heads, "minimums": self.minimums}
        return self.replace(**{name: move(each) for name, each in columns.items() if isinstance(each, Spans)})

    @property
    def unit(self) -> str:
        """What spans count: "word", "character", or "label" where mentions are no spans."""
        if not isinstance(self.mentions, Spans):
            return "label"
        return "character" if self.tokens is None and self.texts is not None else "word"

    @property
    def noun(self) -> str:
        """What its mentions are called in outputs: "record" for labels of records without documents, else "mention"."""
        return "record" if self.of_records and self.unit == "label" and self.documents == ("",) else "mention"

    def words_of(self, mention: int) -> str | None:
        """Return the text of a mention, given its row, with " ... " for gaps; None if no words or text are known."""
        if not isinstance(self.mentions, Spans):
            return None
        document, runs = int(self.document[mention]), self.mentions.own.runs(mention)
        if self.tokens is not None:
            return " ... ".join(" ".join(self.tokens.words(document, *run)) for run in runs)
        if self.texts is not None:
            return " ... ".join(self.texts[document][first : last + 1] for first, last in runs)
        return None

    def describe(self, mention: int) -> str:
        """Return a mention's text in quotes, cut to 60 characters; the repr of its label or span if it has no text."""
        text = self.words_of(mention)
        if text is None:
            return repr(self.mentions.take(np.array([mention])).objects()[0])
        return _quote_text(text)

    def list_texts(self, rows: Ints) -> list[str] | None:
        """Return a list of the texts of the mentions in these rows, each as `words_of` has it; None without a text."""
        column = self.mentions
        if not isinstance(column, Spans) or (self.tokens is None and self.texts is None):
            return None
        own, document = column.own, self.document[rows]
        if self.tokens is None:
            return [self.words_of(row) or "" for row in rows.tolist()]
        words, before = self.tokens.all_words, self.tokens.bounds[document]
        places = zip((before + own.start[rows]).tolist(), (before + own.end[rows] + 1).tolist(), strict=True)
        texts = [" ".join(words[first:stop]) for first, stop in places]
        for number, row in enumerate(rows.tolist()) if own.pieces else ():
            if row in own.pieces:
                texts[number] = self.words_of(row) or ""
        return texts

    def list_descriptions(self, rows: Ints) -> list[str]:
        """Return a list of what `describe` says of the mentions in these rows; much quicker than one by one."""
        texts = self.list_texts(rows)
        if texts is None:
            return list(map(repr, self.mentions.take(rows).objects()))
        return list(map(_quote_text, texts))

    def list_lines(self, rows: Ints) -> list[int | None]:
        """Return a list of the lines on which the mentions in these rows begin, each as `line` has it."""
        if self.lines is not None:
            found = self.lines[rows]
        elif self.tokens is None or not isinstance(self.mentions, Spans):
            return [None] * len(rows)
        else:
            found = self.tokens.line[self.tokens.bounds[self.document[rows]] + self.mentions.own.start[rows]]
        return [line or None for line in found.tolist()]

    def place(self, mention: int, otherwise: str) -> str:
        """Return "file:line" where a mention begins, or the file if no line is known; `otherwise` if no file is."""
        file = self.file(int(self.document[mention])) or otherwise
        line = self.line(mention)
        return f"{file}:{line}" if line else file

    def file(self, document: int) -> str:
        """Return the file that a document, given its number, comes from; "" if it is not known."""
        return self.files[document] if self.files else self.source

    def find_first(self, rows: Ints) -> int:
        """Return that of some rows whose mention comes first: by document, and in the text where mentions are spans."""
        document = self.document[rows]
        if not isinstance(self.mentions, Spans):
            return int(rows[np.argmin(document)])
        return int(rows[np.lexsort((self.mentions.end[rows], self.mentions.start[rows], document))[0]])

    def get_entity_name(self, mention: int) -> str:
        """Return the name of the entity that a mention (a row of the corpus) belongs to, as text."""
        return str(self.entity_name[int(self.entity[mention])])

    def line(self, mention: int) -> int | None:
        """Return the line of the file on which a mention (a row of the corpus) begins; None if it is not known."""
        if self.lines is not None:
            return int(self.lines[mention]) or None
        if self.tokens is None or not isinstance(self.mentions, Spans):
            return None
        return self.tokens.get_line(int(self.document[mention]), int(self.mentions.own.start[mention])) or None

    def keep(self, chosen: Booleans) -> Corpus:
        """Return the corpus with only the mentions chosen by a boolean for each; entities that lose all of them go."""
        index = np.flatnonzero(chosen)
        left = np.bincount(self.entity[index], minlength=len(self.entity_document)) > 0
        return self.replace(
            **self._take_mentions(index),
            **self._take_entities(np.flatnonzero(left)),
            entity=(np.cumsum(left) - 1)[self.entity[index]],
        )

    def without_mentions(self) -> Corpus:
        """Return a corpus of the same documents, words and texts, without entities, mentions, layers and relations."""
        none = np.zeros(0, dtype=np.int64)
        column = Spans(none, none)
        return Corpus(self.documents, none, [], none, column, self.tokens, texts=self.texts, source=self.source)

    def merge_entities(self, number: Ints) -> Corpus:
        """Return the corpus with every entity e merged into entity `number[e]`, at most e, and the rest renumbered."""
        stays = number == np.arange(len(number))
        new = (np.cumsum(stays) - 1)[number]
        return self.replace(**self._take_entities(np.flatnonzero(stays)), entity=new[self.entity])

    def select_documents(self, names: tuple[str, ...]) -> Corpus:
        """Return the corpus with the documents named, in that order: missing ones come in empty, others are dropped."""
        if names == self.documents:
            return self
        place = {name: number for number, name in enumerate(names)}
        moved = np.array([place.get(name, -1) for name in self.documents], dtype=np.int64)
        entity_document = moved[self.entity_document]
        order = np.argsort(entity_document, kind="stable")
        order = order[np.searchsorted(entity_document[order], 0) :]
        rank = np.full(len(entity_document), -1, dtype=np.int64)
        rank[order] = np.arange(len(order))
        rows = np.flatnonzero(rank[self.entity] >= 0)
        here = {name: number for number, name in enumerate(self.documents)}
        numbers = [here.get(name, -1) for name in names]
        return self.replace(
            **self._take_mentions(rows),
            **self._take_entities(order) | {"entity_document": entity_document[order]},
            documents=names,
            entity=rank[self.entity[rows]],
            tokens=None if self.tokens is None else self.tokens.select_documents(numbers),
            texts=None if self.texts is None else tuple(self.texts[n] if n >= 0 else "" for n in numbers),
            files=tuple(self.file(number) if number >= 0 else self.source for number in numbers),
            relations=tuple(relation for relation in self.relations if relation.document in place),
            layers={name: layer.select_documents(names) for name, layer in self.layers.items()},
        )

    def rename_documents(self, names: Mapping[str, str]) -> Corpus:
        """Return the corpus, with its relations and layers, with documents renamed by {old name: new name}."""
        return self.replace(
            documents=tuple(names.get(name, name) for name in self.documents),
            unnamed=self.unnamed.difference(names),
            relations=tuple(each._replace(document=names.get(each.document, each.document)) for each in self.relations),
            layers={name: layer.rename_documents(names) for name, layer in self.layers.items()},
        )

    def _take_mentions(self, index: Ints) -> dict[str, Any]:
        """Return {column: values in these rows} of all columns that have a value for each mention, but for `entity`."""
        return {
            "mentions": self.mentions.take(index),
            "heads": None if self.heads is None else self.heads.take(index),
            "minimums": None if self.minimums is None else self.minimums.take(index),
            "lines": None if self.lines is None else self.lines[index],
            "attributes": {name: _take_values(values, index) for name, values in self.attributes.items()},
        }

    def _take_entities(self, index: Ints) -> dict[str, Any]:
        """Return {column: values in these rows} of all columns that have a value for each entity."""
        return {
            "entity_document": self.entity_document[index],
            "entity_name": _take_values(self.entity_name, index),
            "entity_attributes": {name: _take_values(values, index) for name, values in self.entity_attributes.items()},
        }

    @staticmethod
    def join(parts: Sequence[Corpus], *, source: str) -> Corpus:
        """Return one corpus of all documents of `parts`, in words if any is; InputError if units cannot be made one."""
        parts = _bring_to_one_unit(parts, source)
        sizes, entity_counts = [len(part) for part in parts], [len(part.entity_document) for part in parts]
        entities = np.cumsum([0, *entity_counts])[:-1]
        before = np.cumsum([0, *(len(part.documents) for part in parts)])[:-1]
        known = [part.tokens for part in parts if part.tokens is not None]
        texts = [part.texts for part in parts if part.texts is not None]
        lines = [part.lines for part in parts if part.lines is not None]
        return Corpus(
            tuple(name for part in parts for name in part.documents),
            np.concatenate([part.entity_document + b for part, b in zip(parts, before, strict=True)]),
            [name for part in parts for name in part.entity_name],
            np.concatenate([part.entity + e for part, e in zip(parts, entities, strict=True)]),
            join_columns([part.mentions for part in parts]),
            tokens=join_tokens(known) if len(known) == len(parts) else None,
            texts=tuple(text for each in texts for text in each) if len(texts) == len(parts) else None,
            source=source,
            notices=tuple(notice for part in parts for notice in part.notices),
            files=tuple(part.file(number) for part in parts for number in range(len(part.documents))),
            unnamed=frozenset().union(*(part.unnamed for part in parts)),
            heads=join_optional_spans([part.heads for part in parts], sizes),
            minimums=join_optional_spans([part.minimums for part in parts], sizes),
            lines=np.concatenate(lines) if len(lines) == len(parts) else None,
            attributes=_join_attributes([part.attributes for part in parts], sizes),
            entity_attributes=_join_attributes([part.entity_attributes for part in parts], entity_counts),
            relations=tuple(relation for part in parts for relation in part.relations),
            layers={
                name: Corpus.join([part.layers.get(name) or part.without_mentions() for part in parts], source=source)
                for name in dict.fromkeys(name for part in parts for name in part.layers)
            },
            shared_names=shared.pop() if len(shared := {part.shared_names for part in parts}) == 1 else None,
            format="+".join(dict.fromkeys(part.format for part in parts)),
            recognised=count_things(len(parts), "file"),
        )


def _quote_text(text: str) -> str:
    """Return a text in quotes, cut to 60 characters."""
    return f'"{text if len(text) <= 60 else text[:57] + "..."}"'


def _take_values(names: Any, index: Ints) -> Sequence[object]:
    """Return the values at these places, as an array if they come as one, else as a list."""
    # Names that came as an array stay one: there may be many.
    return names[index] if hasattr(names, "dtype") else [names[i] for i in index.tolist()]


def _bring_to_one_unit(parts: Sequence[Corpus], source: str) -> Sequence[Corpus]:
    """Return the corpora, all in words if some have words and others text; InputError if only some have neither."""
    examples = {_get_content_kind(part): part.source for part in reversed(parts)}
    if len(examples) == 1:
        return parts
    if examples.keys() == {"words", "text"}:
        return [part if part.unit == "word" else _convert_to_words(part) for part in parts]
    what = "; ".join(f"{examples[kind]} has {kind}" for kind in sorted(examples))
    raise InputError(Fault(source, f"files that cannot be counted alike: {what}", "words or text in all, or in none",
                           "read them one by one", kind="units"))  # fmt: skip


def _convert_to_words(part: Corpus) -> Corpus:
    """Return a corpus of characters in words; mentions of nothing but blanks are left out, with notices."""
    found, lost = units.convert_to_words(part)
    rows = np.flatnonzero(lost).tolist()

    def describe(index: int) -> Notice:
        """Return the notice that the mention in `rows[index]` is left out."""
        row = rows[index]
        file = part.file(int(part.document[row])) or "corpus"
        return Notice.at("lost-blank", file, part.line(row), f"{part.describe(row)} is nothing but blanks; left out")

    return found.replace(notices=(*found.notices, *make_notices("lost-blank", len(rows), describe)))


def _get_content_kind(part: Corpus) -> str:
    """Return what a corpus knows of its documents: "words", "text" or "neither words nor text"."""
    return "words" if part.tokens is not None else "text" if part.texts is not None else "neither words nor text"


def _join_attributes(tables: Sequence[Mapping[str, Sequence[str]]], lengths: Sequence[int]) -> dict[str, list[str]]:
    """Return {name: values}, the values one table after another; "" in all rows (`lengths`) of a table without it."""
    names = dict.fromkeys(name for table in tables for name in table)
    return {
        name: [value for table, n in zip(tables, lengths, strict=True) for value in table.get(name) or [""] * n]
        for name in names
    }
