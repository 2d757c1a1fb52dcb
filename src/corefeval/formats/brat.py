"""brat standoff: `.ann` with the `.txt` that it is about, one document each (brat.nlplab.org/standoff.html).

    T1	Person 0 3	Kim
    T2	Person 10 13	her
    *	Coreference T1 T2

Offsets count the characters of the `.txt` as it is, line breaks of two characters and a byte order mark included; END
is the first character behind. `0 5;16 23` has a gap; parts with nothing but white space between them are one, for brat
splits spans at line ends. Without the `.txt`, only the places of mentions are known.

Entities are, by the first of these that the file has:

1. What `*` lines and coreference relations (`R1 Coreference Arg1:T1 Arg2:T2`) link, directly or indirectly; a `T` in
   none of them is an entity of its own. Relations are coreference by their names ("coref" in them, Identity, Anaphora,
   SameAs and the like), or by the option `relations=NAME+NAME`, which then also selects `*` lines by name. An event
   stands for its trigger.
2. What has the same name, where spans are annotated twice: `T1 PROP_PER 0 3 Kim` and `T2 Kim_Lee-0 0 3 Kim`. Names
   end in a hyphen and a number, as in LitBank, or are labels that only occur as the second one of a span.
3. Every `T` by itself, with a notice.

The label is the mention's attribute `type`, unless it is `Mention`; `A`, `M`, `N` and `#` lines are attributes, several
values separated by `|`, but `#1 Entity T1 NAME` names an entity. Other relations lead from a mention to entities.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import count

import numpy as np

from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Pieces, join_runs, to_mention
from corefeval.corpus.objects import Document, Mention
from corefeval.corpus.union_find import find_first_members
from corefeval.formats import registry
from corefeval.formats.base import EVERYTHING, Capacity, File
from corefeval.formats.draft import Draft
from corefeval.formats.shared import lines
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.formats.shared.span_links import is_coreference
from corefeval.formats.shared.writing import avoid_names, make_distinct, respell_names
from corefeval.notices import count_things

TITLE = "brat standoff: .ann with .txt"
EXAMPLE = """T1	Person 0 3	Kim
T2	Person 10 13	her
*	Coreference T1 T2"""
SUFFIXES = (".ann",)
COMPANIONS = (".txt",)

_UNTYPED = "Mention"  # the label of a mention that has no type
_NAME_NOTE = "Entity"  # the type of the note that names an entity; brat has no place for that
_FLAG = "true"  # the value of an attribute that has none

_FIRST_LINE = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:[TREAMN]\d+\S* *\t\S+ ?|\*\t\S+ +\S|#\d+\t\S+ +\S)")
_TEXT_BOUND_LINE = re.compile(rb"^(?:\xef\xbb\xbf)?T\d+\S* *\t\S+ +\d+ +\d+", re.MULTILINE)
_NUMBERED_ID = r"[0-9]+\S*"
_ID = re.compile(rf"[TREAMN#]{_NUMBERED_ID}|\*")
_OFFSETS = r"[0-9]{1,15} +[0-9]{1,15}"
_TAIL = r" *(?:\t.*)?"
_ATTRIBUTE = r"(\S+) +(\S+)(?: +([^\t]*))?(?:\t.*)?"
_KINDS = {
    letter: (re.compile(rf"({re.escape(letter)}{'' if letter == '*' else _NUMBERED_ID})\t(?:{pattern})"), expected)
    for letter, pattern, expected in (
        ("T", rf"(\S+) +({_OFFSETS}(?:;{_OFFSETS})*) *(?:\t(.*))?", "TYPE START END, a tab, the text"),
        ("R", rf"(\S+) +[^\s:]+:(\S+) +[^\s:]+:(\S+){_TAIL}", "NAME Arg1:ID Arg2:ID"),
        ("*", rf"(\S+)((?: +\S+)+){_TAIL}", "NAME ID ID ..."),
        ("E", r"(?:[^\s:]+:(\S+))?.*", "TYPE:ID and its arguments"),
        ("A", _ATTRIBUTE, "NAME ID VALUE"),
        ("M", _ATTRIBUTE, "NAME ID"),
        ("N", rf"(\S+) +(\S+) +(\S+){_TAIL}", "Reference ID SOURCE:ENTRY"),
        ("#", r"(\S+) +(\S+) *(?:\t(.*))?", "AnnotatorNotes ID, a tab, the note"),
    )
}
"""For every kind of line, by its first letter: a pattern of all of it, and for messages what follows the id."""

_NUMBERED_NAME = re.compile(r".+-[0-9]+")
_BLANK = re.compile(r"\s")
_LINE = re.compile(r"[^\n\r]+")
_LINE_END = re.compile(r"[\n\r]")
_BREAK = re.compile(r"[\t\n\r]")
_NORMALISATION = re.compile(r"\S+:\S+")
_UNSAFE_IN_PATH = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\]|^\.|^$')
_SUFFIX = re.compile(r"(?i)\.(ann|txt)$")
_LONGEST = 200  # bytes of a part of a file name: file systems take 255


def make_file_names(documents: Sequence[str]) -> list[str]:
    """Return valid names for files below a folder, distinct even where case does not matter; valid ones stay."""
    return respell_names(documents, _make_path, seen_as=str.casefold)


def _make_path(document: str) -> str:
    """Return a document's name as a valid path without suffix: _ for unsafe characters, long parts cut."""
    parts = (part.encode("utf-8", "replace")[:_LONGEST].decode("utf-8", "ignore") for part in document.split("/"))
    *folders, last = [_UNSAFE_IN_PATH.sub("_", part) for part in parts]
    return "/".join([*(_SUFFIX.sub(r"_\1", folder) for folder in folders), last])


CAPACITY = Capacity(
    document_names=make_file_names,
    units=("character",),
    blanks="no NUL",
    discontinuous="blanks",
    attributes=EVERYTHING,
)


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is brat's, by lines such as `T1	Person 0 3	Kim`; "" if it is not."""
    found = _FIRST_LINE.match(beginning) and _TEXT_BOUND_LINE.search(beginning)
    return "a line of id, type, start and end found" if found else ""


def read(file: File, relations: str = "") -> Corpus:
    """Return the corpus of an .ann file in memory; relations: the names that mean coreference, with + between them."""
    draft = Draft(file.name)
    text = _read_text(file, draft)
    annotations = _read_annotations(file, text, draft)
    document = draft.add_document(file.document, text=text)
    links = _select_coreference(annotations, frozenset(relations.split("+")) if relations else None, draft)
    attributes = _collect_attributes(annotations, draft)
    entities: dict[str, Sequence[str]] = {}
    for mention in _find_mentions(annotations, links, draft, only_links=bool(relations)):
        first = annotations.text_bounds[mention.ids[0]]
        values = [("type", label) for label in mention.labels if label != _UNTYPED]
        values += [pair for each in mention.ids for pair in attributes.get(each, ())]
        for each in mention.ids:
            entities[each] = mention.entities
        for entity in mention.entities:
            document.add_mention(entity, to_mention(first.runs), line=first.line, attributes=_join_values(values))
    for relation in annotations.relations:
        if relation in links:
            continue
        source, target = (annotations.find_mention(member) for member in relation.members)
        if source and target:
            mention_of_source = to_mention(annotations.text_bounds[source].runs)
            document.add_relation(relation.name, mention_of_source, entities[target])
        else:
            message = f"{relation.name} from {' to '.join(relation.members)} is skipped: one of them is not a mention"
            draft.add_notice("dangling-reference", relation.line, message)
    return draft.build_corpus()


def _read_text(file: File, draft: Draft) -> str | None:
    """Return the content of the .txt file; None with a notice if there is none, or with a fault if it is not UTF-8."""
    data = file.beside(".txt")
    name = registry.strip_suffix(file.name, (".ann",)) + ".txt"
    if data is None:
        draft.add_notice("missing-text", None, f"there is no {name}: only the places of mentions are known")
        return None
    diagnostics = Diagnostics(name)
    text = lines.decode_exactly(data, diagnostics)
    draft.faults += diagnostics.faults
    return text


class _TextBound(NamedTuple):
    """A `T` line: a label, and the first and last character of every part."""

    line: int
    label: str
    runs: Pieces


class _BratLink(NamedTuple):
    """An `R` or a `*` line."""

    line: int
    name: str
    members: tuple[str, ...]


class _Remark(NamedTuple):
    """An attribute, a normalisation or a note."""

    line: int
    name: str
    target: str
    value: str


class _Annotations:
    """The lines of a file by kind.

    text_bounds: the `T` lines by id.
    events: the line and the trigger of every event.
    remarks, names: attributes, normalisations and notes; and the notes that name entities.
    ids: the line of every id.
    """

    def __init__(self, text: str | None, diagnostics: Diagnostics) -> None:
        self.text, self.diagnostics = text, diagnostics
        self.text_bounds: dict[str, _TextBound] = {}
        self.relations: list[_BratLink] = []
        self.equivalences: list[_BratLink] = []
        self.events: dict[str, tuple[int, str]] = {}
        self.remarks: list[_Remark] = []
        self.names: list[_Remark] = []
        self.ids: dict[str, int] = {}

    def find_mention(self, id: str) -> str:  # noqa: A002 - what brat calls it
        """Return the id of the `T` line that an id means; an event stands for its trigger. "" if there is none."""
        trigger = self.events[id][1] if id in self.events else id
        return trigger if trigger in self.text_bounds else ""

    def add_line(self, line: int, id: str, columns: Sequence[str]) -> None:  # noqa: A002 - what brat calls it
        """Add a line to those of its kind, by its id; columns: what follows, "" if missing; add faults and notices."""
        match id[0], columns:
            case "T", (label, offsets, text):
                if runs := self._parse_offsets(line, id, offsets, text):
                    self.text_bounds[id] = _TextBound(line, label, runs)
            case "R", (name, *members):
                self.relations.append(_BratLink(line, name, tuple(members)))
            case "*", (name, listed):
                self.equivalences.append(_BratLink(line, name, tuple(listed.split())))
            case "E", (trigger,):
                self.events[id] = line, trigger
            case "#", (name, target, text):
                if text.strip():
                    notes = self.names if name == _NAME_NOTE else self.remarks
                    notes.append(_Remark(line, name, target, text.strip()))
            case _, (name, target, value):
                self.remarks.append(_Remark(line, name, target, value.strip() or _FLAG))

    def _parse_offsets(self, line: int, id: str, offsets: str, written: str) -> Pieces:  # noqa: A002
        """Return first and last character of every part; () with a fault if the offsets are impossible; add notices."""
        parts = [(int(start), int(end)) for start, end in map(str.split, offsets.split(";"))]
        parts.sort()
        before = 0
        for start, end in parts:
            if not before <= start < end:
                what = f"{id} at {offsets} is empty or runs backwards"
                self.diagnostics.add_fault(line, what, "START before END, and parts that do not overlap")
                return ()
            before = end
        text = self.text
        if text is not None and before > len(text):
            what = f"{id} at {offsets} is not within the {count_things(len(text), 'character')} of the text"
            hint = "is the .txt the one that was annotated?"
            self.diagnostics.add_fault(line, what, hint=hint, kind="mention-outside")
            return ()
        there = "" if text is None else " ".join([text[start:end] for start, end in parts])
        if text is not None and written and written != there:
            # Further columns may follow the text, and the text may have tabs.
            column = written.partition("\t")[0]
            if "".join(there.split()) not in ("".join(column.split()), "".join(written.split())):
                message = f"{id} is {column[:60]!r}, but the text has {there[:60]!r} in its place"
                self.diagnostics.add_notice("text-differs", line, message)
        runs = [(start, end - 1) for start, end in parts]
        if len(runs) == 1:
            return tuple(runs)
        return join_runs(runs) if text is None else join_runs(runs, lambda a, b: bool(text[a + 1 : b].strip()))


def _read_annotations(file: File, text: str | None, diagnostics: Diagnostics) -> _Annotations:
    """Return the lines of a file by kind; text: what they are about, None if not known; add faults and notices."""
    annotations = _Annotations(text, diagnostics)
    ids = annotations.ids
    for number, line in enumerate(lines.decode_strictly(file.data, diagnostics).split("\n"), 1):
        pattern, _ = _KINDS.get(line[:1], _KINDS["#"])
        match = pattern.fullmatch(line) or _read_odd_line(line, number, diagnostics)
        if match is None:
            continue
        name, *columns = match.groups("")
        if name in ids:
            diagnostics.add_fault(number, f"{name} is already on line {ids[name]}", "every id once", kind="id-twice")
            continue
        if name != "*":
            ids[name] = number
        annotations.add_line(number, name, columns)
    if annotations.events:
        fate = "is skipped; its trigger is a mention", "are skipped; their triggers are mentions"
        message = count_things(len(annotations.events), "event", *fate)
        line_of_first = min(annotations.events.values())[0]
        diagnostics.add_notice("skipped-line", line_of_first, message, count=len(annotations.events))
    return annotations


def _read_odd_line(line: str, number: int, diagnostics: Diagnostics) -> re.Match[str] | None:
    """Return the match of a line with blanks around its id; None for others, with a fault or a notice if not blank."""
    first, tab, content = line.partition("\t")
    name = first.strip()
    known = bool(tab) and _ID.fullmatch(name) is not None
    pattern, expected = _KINDS[name[0] if known else "#"]
    match = pattern.fullmatch(f"{name}\t{content}") if known else None
    if match is None and name.startswith("#"):
        diagnostics.add_notice("skipped-line", number, f"{line[:40]!r} is skipped as a comment")
    elif match is None and line.strip():
        what = f"{line[:40]!r} is not {f'written as {name[0]} lines are' if known else 'an annotation'}"
        expected = f"{name}, a tab, {expected}" if known else "an id (T1, R1, *) and a tab after it"
        diagnostics.add_fault(number, what, expected)
    return match


def _collect_attributes(annotations: _Annotations, draft: Draft) -> dict[str, list[tuple[str, str]]]:
    """Return the attributes of every `T`, by id, as pairs of name and value; add notices of remarks on others."""
    attributes = defaultdict(list)
    for remark in annotations.remarks:
        attributes[annotations.find_mention(remark.target)].append((remark.name, remark.value))
    for remark in (*annotations.remarks, *annotations.names):
        if not annotations.find_mention(remark.target):
            there = remark.target in annotations.ids
            message = f"{remark.name} of {remark.target}, which {'is not a mention' if there else 'does not exist'}"
            kind = "skipped-line" if there else "dangling-reference"
            draft.add_notice(kind, remark.line, f"{message}, is skipped")
    return attributes


def _join_values(values: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return values by name, several of one name with | between them."""
    columns: dict[str, list[str]] = defaultdict(list)
    for name, value in dict.fromkeys(values):
        columns[name].append(value)
    return {name: "|".join(several) for name, several in columns.items()}


def _select_coreference(
    annotations: _Annotations, wanted: Collection[str] | None, diagnostics: Diagnostics
) -> frozenset[_BratLink]:
    """Return the `R` and `*` lines of coreference, by wanted names or else by usual ones; add faults and notices."""
    if wanted is None:
        usual = (link for link in annotations.relations if is_coreference(link.name))
        chosen = [*usual, *annotations.equivalences]
    else:
        chosen = [link for link in (*annotations.relations, *annotations.equivalences) if link.name in wanted]
    for link in chosen:
        for member in link.members:
            if member not in annotations.ids or not (annotations.find_mention(member) or member.startswith("T")):
                what = f"{member} {'is not a mention' if member in annotations.ids else 'does not exist'}"
                diagnostics.add_fault(link.line, what, "the id of a T line", kind="dangling-reference")
        if len(set(link.members)) < len(link.members):
            diagnostics.add_notice("self-link", link.line, f"{' '.join(link.members)}: a mention is linked to itself")
    return frozenset(chosen)


class _BratMention(NamedTuple):
    """The ids of the `T` lines of a mention, in their order, its labels that are not names, and its entities."""

    ids: tuple[str, ...]
    labels: tuple[str, ...]
    entities: tuple[str, ...]


def _find_mentions(
    annotations: _Annotations, links: Collection[_BratLink], diagnostics: Diagnostics, *, only_links: bool
) -> list[_BratMention]:
    """Return mentions with entities, by links or notes, else by labels that are names, else one each; add notices."""
    if links or annotations.names or only_links:
        return list(_group_by_links(annotations, links))
    spans: dict[Pieces, list[str]] = defaultdict(list)
    for name, text_bound in annotations.text_bounds.items():
        spans[text_bound.runs].append(name)
    labels = [[annotations.text_bounds[name].label for name in names] for names in spans.values()]
    entities = _find_numbered_names(labels)
    second = {label for listed in labels for label in listed if label != listed[0]}
    if not entities and second and second.isdisjoint(listed[0] for listed in labels):
        rest = (
            "that only comes second on a span is read as an entity name",
            "that only come second on a span are read as entity names",
        )
        message = count_things(len(second), "label", *rest)
        diagnostics.add_notice("names-by-order", None, message, names=sorted(second))
        entities = second
    if entities:
        return list(_group_by_names(annotations, spans.values(), entities, diagnostics))
    if annotations.text_bounds:
        others = sorted({relation.name for relation in annotations.relations})
        message = "no coreference found: each mention is an entity of its own"
        hint = f"; if one of these relations is coreference, use brat:relations=NAME: {', '.join(others)}"
        diagnostics.add_notice("no-coreference", None, message + (hint if others else ""), relations=others)
    return list(_group_by_links(annotations, ()))


def _group_by_links(annotations: _Annotations, links: Iterable[_BratLink]) -> Iterator[_BratMention]:
    """Yield every `T` as a mention of the entity that links make, named by a note or by the first id."""
    ids = list(annotations.text_bounds)
    place = {name: number for number, name in enumerate(ids)}
    linked: list[tuple[int, int]] = []
    for link in links:
        members = [place[member] for member in map(annotations.find_mention, link.members) if member]
        linked += [(member, members[0]) for member in members[1:]]
    one, other = np.array(linked, dtype=np.int64).reshape(-1, 2).T
    first = [ids[number] for number in find_first_members(len(ids), one, other).tolist()]
    noted: dict[str, str] = {}
    for remark in annotations.names:
        target = annotations.find_mention(remark.target)
        if target:
            noted.setdefault(remark.value, first[place[target]])
    names = {entity: name for name, entity in reversed(noted.items())}
    own = [name for name, entity in zip(ids, first, strict=True) if name == entity]
    names = avoid_names(own, names.values()) | names
    for entity, (name, text_bound) in zip(first, annotations.text_bounds.items(), strict=True):
        yield _BratMention((name,), (text_bound.label,), (names[entity],))


def _find_numbered_names(spans: Collection[Sequence[str]]) -> set[str]:
    """Return labels that end in a number, if most spans with two labels have one with and one without; else none."""
    twice = [labels for labels in map(set, spans) if len(labels) > 1]
    names = {label for labels in spans for label in labels if _NUMBERED_NAME.fullmatch(label)}
    mixed = sum(1 for labels in twice if labels & names and labels - names)
    return names if 2 * mixed > len(twice) else set()


def _group_by_names(
    annotations: _Annotations, spans: Collection[Sequence[str]], names: Collection[str], diagnostics: Diagnostics
) -> Iterator[_BratMention]:
    """Yield every span as a mention of the entities that its labels name; add notices."""
    labels = {id_: text_bound.label for id_, text_bound in annotations.text_bounds.items()}
    own = avoid_names((ids[0] for ids in spans if not any(labels[each] in names for each in ids)), names)
    for ids in spans:
        entities = tuple(dict.fromkeys(labels[each] for each in ids if labels[each] in names))
        types = [labels[each] for each in ids if labels[each] not in names]
        if len(types) > 1 or len(types) + len(entities) < len(ids):
            message = f"{', '.join(ids)} mark the same span and are read as one mention"
            diagnostics.add_notice("repeated-mention", annotations.text_bounds[ids[-1]].line, message)
        yield _BratMention(tuple(ids), tuple(dict.fromkeys(types)), entities or (own[ids[0]],))


def write(corpus: Corpus) -> dict[str, bytes]:
    """Return the bytes of an .ann and a .txt file for every document, by name: that of the document, made valid."""
    files = {}
    column_names = make_distinct(_BLANK.sub("_", name) for name in corpus.attributes)
    attributes = dict(zip(corpus.attributes, column_names, strict=True))
    for document, name in zip(corpus, make_file_names(corpus.documents), strict=True):
        text = _make_encodable(document.text or "")
        files[f"{name}.ann"] = _make_encodable("".join(_write_document(document, text, attributes))).encode()
        files[f"{name}.txt"] = text.encode()
    return files


def _make_encodable(text: str) -> str:
    """Return a text of the same length that UTF-8 can encode: U+FFFD for NUL, a question mark for surrogates."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def _write_document(document: Document, text: str, attributes: Mapping[str, str]) -> Iterator[str]:
    """Return an iterator over the lines of a document's .ann file; attributes: their names as they are written."""
    marked: list[str] = []
    linked: list[str] = []
    remarks: list[tuple[str, str]] = []
    names = make_distinct(_BREAK.sub(" ", entity.name).strip() for entity in document)
    for entity, name in zip(document, names, strict=True):
        first = len(marked) + 1
        for mention in entity:
            marked.append(_write_text_bound(mention, len(marked) + 1, text))
            remarks.extend(_write_attributes(mention, f"T{len(marked)}", attributes))
        remarks.append(("#", f"{_NAME_NOTE} T{first}\t{name}"))
        if len(entity) > 1:
            linked.append("*\tCoreference " + " ".join(f"T{number}" for number in range(first, len(marked) + 1)))
    numbers = {letter: count(1) for letter, _ in remarks}
    remarks.sort(key=lambda remark: "AN#".index(remark[0]))
    numbered = (f"{letter}{next(numbers[letter])}\t{content}" for letter, content in remarks)
    return (f"{line}\n" for line in (*marked, *linked, *numbered))


def _write_text_bound(mention: Mention, number: int, text: str) -> str:
    """Return the `T` line of a mention."""
    parts = [part for first, last in mention.runs for part in _split_at_line_ends(first, last + 1, text)]
    offsets = ";".join(f"{start} {end}" for start, end in parts)
    label = _BLANK.sub("_", mention.attributes.get("type", _UNTYPED))
    words = " ".join(text[start:end] for start, end in parts)
    return f"T{number}\t{label} {offsets}\t{_LINE_END.sub(' ', words)}"


def _split_at_line_ends(start: int, end: int, text: str) -> Pieces:
    """Return the parts [start, end) of a run, one for every line, as brat has them."""
    inside = [match.span() for match in _LINE.finditer(text, start, end)]
    starts = [start, *(first for first, _ in inside[1:])]
    ends = [*(last for _, last in inside[:-1]), end]
    return tuple(zip(starts, ends, strict=True))


def _write_attributes(mention: Mention, target: str, names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield for each attribute of a mention, but its type, the letter of a line and what follows the line's id."""
    for name, value in mention.attributes.items():
        written = _BREAK.sub(" ", value).strip()
        if not written or name == "type":
            continue
        if name == "AnnotatorNotes":
            yield "#", f"{name} {target}\t{written}"
        elif name == "Reference" and _NORMALISATION.fullmatch(written):
            yield "N", f"{name} {target} {written}\t"
        else:
            yield "A", f"{names[name]} {target}" if written == _FLAG else f"{names[name]} {target} {written}"
