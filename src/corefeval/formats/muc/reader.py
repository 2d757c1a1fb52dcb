"""Reading MUC: entities from the references of COREF elements, and what else their attributes say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from corefeval._arrays import Ints, number_by_first_occurrence, number_values
from corefeval._lazy import cached
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Spans
from corefeval.corpus.union_find import UnionFind, find_first_members
from corefeval.formats.base import File
from corefeval.formats.draft import Span
from corefeval.formats.muc.documents import MucDocuments, MucMentions, read_documents
from corefeval.formats.muc.minimums import choose_minimum
from corefeval.formats.muc.tags import CorefTags
from corefeval.formats.shared import lines, markup
from corefeval.formats.shared.diagnostics import Diagnostics

_SHOWN = 5  # IDs of a circle that a message names


def read(file: File) -> Corpus:
    """Return the corpus of all documents of a file that is in memory; raises InputError with all faults in it."""
    diagnostics = Diagnostics(file.name)
    text = lines.decode_text(file.data, diagnostics).replace("\r", "\n")
    documents, tags, mentions = read_documents(text, diagnostics)
    names = _name_documents(documents, file.document)
    reader = _MentionReader(names, documents, tags, mentions, diagnostics)
    corpus = reader.build_corpus()
    if not names:
        diagnostics.add_fault(1, "no document", "<DOC> or <COREF ID=...>")
    diagnostics.raise_faults()
    return corpus.replace(notices=diagnostics.limit_notices())


def _name_documents(documents: MucDocuments, unnamed: str) -> tuple[str, ...]:
    """Return the names of all documents, those without one after the file, with a number if there are several."""
    total = sum(not name for name in documents.names)
    numbers = (unnamed if total == 1 else f"{unnamed}-{number}" for number in range(1, total + 1))
    return tuple(name or next(numbers) for name in documents.names)


class _MentionReader:
    """Makes a corpus of documents and their mentions, and adds faults and notices of what is odd about these."""

    def __init__(
        self,
        names: tuple[str, ...],
        documents: MucDocuments,
        tags: CorefTags,
        mentions: MucMentions,
        diagnostics: Diagnostics,
    ) -> None:
        self._names, self._documents, self._tags, self._mentions = names, documents, tags, mentions
        self._diagnostics = diagnostics
        self._line = tags.line[mentions.tag].tolist()
        self._ids, self._references = self._list_values("ID"), self._list_values("REF")
        self._minimums: dict[int, Span] = {}
        types = self._list_values("TYPE")
        plain = {each: "" if each.upper() == "IDENT" else each for each in set(types)}
        self._types = [plain[each] for each in types]

    def _list_values(self, name: str, *, as_written: bool = False) -> list[str]:
        """Return the value of an attribute for every mention, "" for none."""
        values = self._tags.list_values(name, as_written=as_written)
        return [values[tag] for tag in self._mentions.tag.tolist()]

    def build_corpus(self) -> Corpus:
        """Return the corpus; add faults and notices."""
        start, end, document = self._mentions.start, self._mentions.end, self._mentions.document
        self._antecedent, self._first_of, odd_ids, odd_references = self._find_antecedents()
        circular = np.unique(document[self._antecedent >= np.arange(len(document))])
        has_minimum = np.array([written != "" for written in self._list_values("MIN")], dtype=np.bool_)
        is_other = [bool(each and reference) for each, reference in zip(self._types, self._references, strict=True)]
        remarkable = np.flatnonzero(has_minimum | (start == end) | np.array(is_other, dtype=np.bool_))
        # What is odd is reported document by document.
        events = [(number, 0, number) for number in self._find_repeated_names()]
        for order, rows in enumerate((odd_ids, odd_references), 1):
            events += [(number, order, row) for number, row in zip(document[rows].tolist(), rows.tolist(), strict=True)]
        events += [(number, 3, number) for number in circular.tolist()]
        numbers = document[remarkable].tolist()
        events += [(number, 4, row) for number, row in zip(numbers, remarkable.tolist(), strict=True)]
        report: Sequence[Callable[[int], None]] = (
            self._refuse_document,
            self._refuse_id,
            self._report_reference,
            self._note_circles,
            self._finish_mention,
        )
        for _, order, row in sorted(events):
            report[order](row)
        linked = np.flatnonzero(self._antecedent >= 0)
        first = find_first_members(len(document), linked, self._antecedent[linked])
        rows = np.flatnonzero(start < end)
        roots, entity = number_by_first_occurrence(first[rows])
        return Corpus(
            self._names,
            document[roots],
            [self._ids[root] for root in roots.tolist()],
            entity,
            Spans(start[rows], end[rows] - 1),
            texts=self._documents.texts if self._names else None,
            source=self._diagnostics.source,
            minimums=self._make_minimums(rows),
            lines=np.array(self._line, dtype=np.int64)[rows] if len(rows) else None,
            attributes=self._make_attributes(rows),
        )

    def _find_antecedents(self) -> tuple[Ints, Ints, Ints, Ints]:
        """Return for each mention the one that it refers to, and the first one with its ID; and odd mentions.

        These are those without an ID or with one that is taken, and those that refer to nothing or to themselves.
        """
        document, count = self._mentions.document, len(self._ids)
        names, number = number_values([*self._ids, *self._references])
        key = np.append(document, document) * len(names) + number
        known, first = np.unique(key[:count], return_index=True)
        place = np.minimum(np.searchsorted(known, key), len(known) - 1)
        target = np.where(known[place] == key, first[place], -1)
        missing = number == (names.index("") if "" in names else -1)
        odd_ids = np.flatnonzero(missing[:count] | (target[:count] != np.arange(count)))
        antecedent = np.where(missing[count:] | (number[:count] == number[count:]), -1, target[count:])
        odd_references = np.flatnonzero(~missing[count:] & (antecedent < 0))
        return antecedent, target[:count], odd_ids, odd_references

    def _find_repeated_names(self) -> list[int]:
        """Return the documents that are called like an earlier one."""
        numbers = number_values(self._names)[1]
        first = np.unique(numbers, return_index=True)[1]
        repeated: list[int] = np.setdiff1d(np.arange(len(numbers)), first).tolist()
        return repeated

    def _refuse_document(self, document: int) -> None:
        """Add a fault for a document whose name an earlier one has."""
        what = f"document {self._names[document]!r} is there already"
        line = self._documents.lines[document]
        self._diagnostics.add_fault(line, what, "every document once", kind="document-twice")

    def _refuse_id(self, row: int) -> None:
        """Add a fault for a mention without an ID, or with one that another mention of the document has."""
        line = self._line[row]
        if not self._ids[row]:
            self._diagnostics.add_fault(line, "COREF without ID", '<COREF ID="...">')
            return
        refers = self._mentions.document[row] in self._with_references
        hint = "" if refers else "files whose ID names the entity, such as those of OntoNotes, are not supported"
        what = f"ID {self._ids[row]!r} is already on line {self._line[self._first_of[row]]}"
        self._diagnostics.add_fault(line, what, "every ID once in a document", hint, kind="id-twice")

    def _report_reference(self, row: int) -> None:
        """Add a fault for a mention that refers to an ID that is not there, a notice for one that refers to itself."""
        line, name, reference = self._line[row], self._ids[row], self._references[row]
        if name == reference:
            self._diagnostics.add_notice("self-link", line, f"mention {name!r} refers to itself", id=name)
        else:
            what = f"REF {reference!r} of mention {name!r} is not an ID of the document"
            expected = "the ID of a mention of the same document"
            self._diagnostics.add_fault(line, what, expected, kind="dangling-reference")

    def _list_mentions(self, document: int) -> list[int]:
        """Return the mentions of a document."""
        first, last = np.searchsorted(self._mentions.document, [document, document + 1]).tolist()
        return list(range(first, last))

    def _note_circles(self, document: int) -> None:
        """Add a notice for each circle of mentions of a document that refer to each other, from the first one on."""
        rows = self._list_mentions(document)
        antecedents = self._antecedent
        sets = UnionFind(rows)
        for row in rows:
            if antecedents[row] < 0:
                continue
            if sets.find(row) == sets.find(int(antecedents[row])):
                circle = [row]
                while (following := int(antecedents[circle[-1]])) != row:
                    circle.append(following)
                first = circle.index(min(circle))
                ids = [self._ids[each] for each in (*circle[first:], *circle[:first])]
                shown = " -> ".join([*ids[:_SHOWN], *(["..."] if len(ids) > _SHOWN else []), ids[0]])
                message = f"mentions refer to each other in a circle: {shown}"
                self._diagnostics.add_notice("reference-cycle", self._line[circle[first]], message, ids=ids)
            sets.join(row, int(antecedents[row]))

    def _finish_mention(self, row: int) -> None:
        """Look up the minimum of a mention; add a notice if it is not found, or if something else about it is odd."""
        line, name, each = self._line[row], self._ids[row], self._types[row]
        start, end, document = (int(column[row]) for column in self._mentions[2:] + self._mentions[1:2])
        if start == end:
            message = f"the mention with ID {name!r} has no text and is left out"
            self._diagnostics.add_notice("empty-mention", line, message, document=self._names[document])
            return
        written = self._written_minimums[row]
        if shown := markup.normalize_value(written):
            place = self._minimum_places[row]
            found = choose_minimum(written, place, self._documents.texts[document], start, end)
            if found is None:
                message = f"MIN {shown!r} of mention {name!r} is not within it"
                self._diagnostics.add_notice("minimum-not-found", line, message, id=name)
            else:
                self._minimums[row] = found
        if each and self._references[row]:
            self._diagnostics.add_notice("other-type", line, f"REF of TYPE {each!r} is read as identity", type=each)

    @cached
    def _with_references(self) -> set[int]:
        """The documents in which a mention refers to something."""
        documents = zip(self._mentions.document.tolist(), self._references, strict=True)
        return {document for document, reference in documents if reference}

    @cached
    def _written_minimums(self) -> list[str]:
        """The MIN of every mention as it is written."""
        return self._list_values("MIN", as_written=True)

    @cached
    def _minimum_places(self) -> list[str]:
        """The MINPLACE of every mention."""
        return self._list_values("MINPLACE")

    def _make_minimums(self, rows: Ints) -> Spans | None:
        """Return the minimums of some mentions, (-1, -1) for none; None if there is none at all."""
        found = [self._minimums.get(row, (-1, -1)) for row in rows.tolist()]
        return Spans.from_runs([(each,) for each in found]) if self._minimums else None

    def _make_attributes(self, rows: Ints) -> Mapping[str, Sequence[str]]:
        """Return the attributes of some mentions; the one that comes first in the file is first."""
        states = zip(self._list_values("STATUS"), self._list_values("STAT"), strict=True)
        values = {"status": [given or other for given, other in states], "type": self._types}
        columns = {name: [listed[row] for row in rows.tolist()] for name, listed in values.items()}
        first = {name: next((row for row, value in enumerate(column) if value), -1) for name, column in columns.items()}
        return {name: columns[name] for name in sorted(columns, key=first.__getitem__) if first[name] >= 0}
