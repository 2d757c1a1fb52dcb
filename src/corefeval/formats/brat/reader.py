"""Reading brat: mentions with their attributes, and relations between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import to_mention
from corefeval.formats import registry
from corefeval.formats.base import File
from corefeval.formats.brat.annotations import BratAnnotations, BratLink, read_annotations
from corefeval.formats.brat.mentions import find_mentions
from corefeval.formats.draft import Draft
from corefeval.formats.shared import lines
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.formats.shared.span_links import UNTYPED, is_coreference


def read(file: File, relations: str = "") -> Corpus:
    """Return the corpus of an .ann file in memory; relations: the names that mean coreference, with + between them."""
    draft = Draft(file.name)
    text = _read_text(file, draft)
    annotations = read_annotations(file, text, draft)
    document = draft.add_document(file.document, text=text)
    links = _select_coreference(annotations, frozenset(relations.split("+")) if relations else None, draft)
    attributes = _collect_attributes(annotations, draft)
    entities: dict[str, Sequence[str]] = {}
    for mention in find_mentions(annotations, links, draft, only_links=bool(relations)):
        first = annotations.text_bounds[mention.ids[0]]
        values = [("type", label) for label in mention.labels if label != UNTYPED]
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


def _collect_attributes(annotations: BratAnnotations, draft: Draft) -> dict[str, list[tuple[str, str]]]:
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
    annotations: BratAnnotations, wanted: Collection[str] | None, diagnostics: Diagnostics
) -> frozenset[BratLink]:
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
