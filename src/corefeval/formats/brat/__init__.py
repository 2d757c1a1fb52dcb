"""brat standoff: `.ann` with the `.txt` that it is about, one document each (brat.nlplab.org/standoff.html).

    T1	Person 0 3	Kim
    T2	Person 10 13	her
    *	Coreference T1 T2

Offsets count the characters of the `.txt` as it is, line breaks of two characters and a byte order mark included; END
is the first character behind. `0 5;16 23` has a gap; parts with nothing but white space between them are one, for brat
takes spans apart where lines end. Without the `.txt`, mentions are places only.

Entities are, by the first of these that the file has:

1. What `*` lines and coreference relations (`R1 Coreference Arg1:T1 Arg2:T2`) tie together, directly or not; a `T` in
   none of them is an entity of its own. Which relations are coreference their names tell (with "coref" in them,
   Identity, Anaphora, SameAs and the like), or the option `relations=NAME+NAME`, and then `*` lines count by their
   names, too. An event stands for its trigger.
2. What has the same name, where spans are annotated twice: `T1 PROP_PER 0 3 Kim` and `T2 Kim_Lee-0 0 3 Kim`. Names
   end in a hyphen and a number, as in LitBank, or are labels that only occur as the second one of a span.
3. Every `T` by itself, and a notice says so.

The label is the mention's attribute `type`, unless it is `Mention`; `A`, `M`, `N` and `#` lines are attributes, several
values with `|` between them, but `#1 Entity T1 NAME` names an entity. Other relations lead from a mention to entities.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from corefeval.errors import Fault
from corefeval.formats import registry
from corefeval.formats.base import EVERYTHING, Capacity
from corefeval.formats.brat import entities as brat_entities
from corefeval.formats.brat import lines as brat_lines
from corefeval.formats.brat.file_names import file_names
from corefeval.formats.draft import Draft
from corefeval.formats.shared import lines

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from corefeval.corpus.corpus import Corpus
    from corefeval.corpus.mentions import Pieces
    from corefeval.formats.base import File
    from corefeval.formats.brat.lines import Annotations

TITLE = "brat standoff: .ann with .txt"
EXAMPLE = """T1	Person 0 3	Kim
T2	Person 10 13	her
*	Coreference T1 T2"""
SUFFIXES = (".ann",)
COMPANIONS = (".txt",)
CAPACITY = Capacity(document_names=file_names, units=("character",), discontinuous="any", attributes=EVERYTHING)

UNTYPED = "Mention"
"""The label of a mention that has no type."""

_FIRST_LINE = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:[TREAMN]\d+\S* *\t\S+ ?|\*\t\S+ +\S|#\d+\t\S+ +\S)")
_TEXT_BOUND_LINE = re.compile(rb"^(?:\xef\xbb\xbf)?T\d+\S* *\t\S+ +\d+ +\d+", re.MULTILINE)


def recognise(beginning: bytes) -> str:
    """By lines such as `T1	Person 0 3	Kim`."""
    found = _FIRST_LINE.match(beginning) and _TEXT_BOUND_LINE.search(beginning)
    return "a line of id, type, start and end found" if found else ""


def write(corpus: Corpus) -> dict[str, bytes]:
    """An .ann and a .txt for every document."""
    from corefeval.formats.brat import writer  # noqa: PLC0415 - most runs write nothing

    return writer.write(corpus)


def read(file: File, relations: str = "") -> Corpus:
    """Read a document. relations: the names of those that are coreference, with + between them."""
    draft = Draft(file.name)
    text = _text(file, draft)
    found = brat_lines.read(file, text, draft)
    document = draft.add_document(file.document, text=text)
    links = brat_entities.links(found, frozenset(relations.split("+")) if relations else None, draft)
    mentions = brat_entities.mentions(found, links, draft, asked=bool(relations))
    attributes = _attributes(found, draft)
    entities: dict[str, Sequence[str]] = {}
    for mention in mentions:
        first = found.text_bounds[mention.ids[0]]
        values = [("type", label) for label in mention.labels if label != UNTYPED]
        values += [pair for each in mention.ids for pair in attributes.get(each, ())]
        entities.update(dict.fromkeys(mention.ids, mention.entities))
        for entity in mention.entities:
            document.add_mention(entity, _object(first.runs), line=first.line, attributes=_columns(values))
    for relation in found.relations:
        if relation in links:
            continue
        source, target = (found.mention(member) for member in relation.members)
        if source and target:
            document.add_relation(relation.name, _object(found.text_bounds[source].runs), entities[target])
        else:
            what = f"{relation.name} from {' to '.join(relation.members)} is skipped, for one of them is no mention"
            draft.add_notice("dangling-reference", relation.line, what)
    return draft.build_corpus()


def _text(file: File, draft: Draft) -> str | None:
    data = file.beside(".txt")
    name = registry.strip_suffix(file.name, SUFFIXES) + ".txt"
    if data is None:
        draft.add_notice("missing-text", None, f"there is no {name}: mentions are known by their places only")
        return None
    lines.normalize_text(data, name)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        draft.faults.append(Fault(name, "bytes that are not UTF-8", "UTF-8 text", "offsets count characters", line))
        return None


def _attributes(found: Annotations, draft: Draft) -> dict[str, list[tuple[str, str]]]:
    """The attributes of every `T`; what is said of relations or of nothing is left out."""
    attributes = defaultdict(list)
    for remark in found.remarks:
        attributes[found.mention(remark.target)].append((remark.name, remark.value))
    for remark in (*found.remarks, *found.names):
        if not found.mention(remark.target):
            there = remark.target in found.ids
            what = f"{remark.name} is said of {remark.target}, which is {'no mention' if there else 'not there'}"
            draft.add_notice("skipped-line" if there else "dangling-reference", remark.line, f"{what}, and skipped")
    return attributes


def _columns(values: Iterable[tuple[str, str]]) -> dict[str, str]:
    columns: dict[str, list[str]] = defaultdict(list)
    for name, value in dict.fromkeys(values):
        columns[name].append(value)
    return {name: "|".join(found) for name, found in columns.items()}


def _object(runs: Pieces) -> Hashable:
    return runs if len(runs) > 1 else runs[0]
