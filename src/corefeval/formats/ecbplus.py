"""ECB+'s XML, a document for each file (Cybulska & Vossen 2014).

    <Document doc_name="36_1ecb.xml" doc_id="DOC1">
    <token t_id="1" sentence="0" number="0">Kim</token>
    <token t_id="2" sentence="0" number="1">fell</token>
    <Markables>
    <HUMAN_PART_PER m_id="1" ><token_anchor t_id="1"/></HUMAN_PART_PER>
    <HUMAN_PART_PER m_id="9" RELATED_TO="" TAG_DESCRIPTOR="kim" instance_id="HUM1" />
    </Markables>
    <Relations>
    <CROSS_DOC_COREF r_id="7" note="HUM1" ><source m_id="1" /><target m_id="9" /></CROSS_DOC_COREF>
    </Relations>
    </Document>

A markable with token_anchors is a mention. One without stands for an entity: the sources of a CROSS_DOC_COREF are its
mentions, and its instance_id is its name in all documents. The entity of an INTRA_DOC_COREF is one of its document
only, and so is a mention without a relation. Where the anchors leave words out, the mention has gaps; with "gaps=fill"
it goes from its first word to its last, as most code for ECB+ has it.

The attribute `kind` of mentions is "event" for ACTION_… and NEG_…, and "entity" for the others, times and places among
them; `type` is the name of the markable. `--where kind=event` scores events alone.

Documents are named topic/subtopic/document after doc_name: 36_1ecbplus.xml is 36/36ecbplus/36_1ecbplus. Subtopics go by
these names, and not by numbers, as public code numbers them in two ways: ariecattan/coref has 36_0 for ecb and 36_1 for
ecbplus in its CoNLL files, and the reverse in its JSON files of mentions.

The annotators checked some sentences only: "ecbplus:sentences=ECBplus_coreference_sentences.csv" (Topic, File, Sentence
Number) reads the words and mentions of these, and of no others, as is usual. The path is that of the file.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import join_runs, to_mention
from corefeval.errors import OptionError, check_choice
from corefeval.formats.base import File
from corefeval.formats.draft import Draft
from corefeval.formats.shared import lines, markup
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.formats.shared.spanning import advise_level as advise_across_documents

__all__ = ["CAPACITY", "COMPANIONS", "EXAMPLE", "SUFFIXES", "TITLE", "advise_across_documents", "read", "recognise"]

TITLE = "ECB+'s XML"
EXAMPLE = """<Document doc_name="36_1ecb.xml" doc_id="DOC1">
<token t_id="1" sentence="0" number="0">Kim</token>
<Markables><HUMAN_PART_PER m_id="1" ><token_anchor t_id="1"/></HUMAN_PART_PER></Markables>
<Relations></Relations></Document>"""
SUFFIXES = (".xml",)
COMPANIONS = ()
CAPACITY = None

_TOKEN = re.compile(rb"<token\s[^>]*\bt_id=[^>]*\bsentence=")
_NAME = re.compile(r"((\d+)_\d+(ecb|ecbplus))(?:\.xml)?")
_EVENTS = ("ACTION", "NEG_ACTION")
_GAPS = ("keep", "fill")
_RELATIONS = ("CROSS_DOC_COREF", "INTRA_DOC_COREF")
_COLUMNS = ["topic", "file", "sentence number"]


@dataclass
class _Markable:
    """A mention, with its tokens, or an entity, with its name in all documents."""

    type: str
    line: int
    instance: str
    tokens: list[str] = field(default_factory=list)


@dataclass
class _CorefRelation:
    """That mentions (sources) are of the entity of a markable (target)."""

    type: str
    id: str
    line: int
    sources: list[str] = field(default_factory=list)
    target: str = ""


@dataclass
class _EcbDocument:
    """What a file says: its name; words with their sentences and lines by t_id; markables by m_id; relations."""

    name: str = ""
    tokens: dict[str, tuple[str, int, int]] = field(default_factory=dict)
    markables: dict[str, _Markable] = field(default_factory=dict)
    relations: list[_CorefRelation] = field(default_factory=list)


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is ECB+'s XML, by its tokens with t_id and sentence; "" if it is not."""
    return "tokens with t_id and sentence" if b"<Document" in beginning and _TOKEN.search(beginning) else ""


def read(file: File, sentences: str = "", gaps: str = "keep") -> Corpus:
    """Return the corpus of the document of a file that is in memory; raises InputError with all faults in it.

    sentences: the path of a CSV of the sentences to read. gaps: "fill" makes mentions with gaps whole.
    """
    check_choice("gaps", gaps, _GAPS)
    draft = Draft(file.name)
    found = _read_tags(lines.decode_strictly(file.data, draft), draft)
    name = _NAME.fullmatch(found.name)
    chosen = _read_sentences(file, sentences).get(name[1] if name else found.name, ()) if sentences else None
    read_tokens = {key: token for key, token in found.tokens.items() if chosen is None or token[1] in chosen}
    place = {key: number for number, key in enumerate(read_tokens)}
    document = draft.add_document(
        f"{name[2]}/{name[2]}{name[3]}/{name[1]}" if name else found.name or file.document,
        words=[word for word, _, _ in read_tokens.values()],
        sentence=[sentence for _, sentence, _ in read_tokens.values()],
        lines=[line for _, _, line in read_tokens.values()],
    )
    entities = _find_entities(found, draft)
    for key, markable in found.markables.items():
        unknown = [token for token in markable.tokens if token not in found.tokens]
        if unknown:
            what = f"markable {key} is anchored to token {unknown[0]}, which is not there"
            draft.add_fault(markable.line, what, "the t_id of a token", kind="dangling-reference")
        elif markable.tokens and markable.tokens[0] in place:
            words = sorted({place[token] for token in markable.tokens if token in place})
            runs = join_runs(zip(words, words, strict=True)) if gaps == "keep" else ((words[0], words[-1]),)
            kind = _find_kind(markable)
            relation = entities.get(key)
            document.add_mention(
                f"{document.name}:m{key}" if relation is None else _name_entity(relation, kind, found, document.name),
                to_mention(runs),
                line=markable.line,
                attributes={"kind": kind, "type": markable.type},
            )
    return draft.build_corpus().replace(shared_names=True)


def _find_kind(markable: _Markable) -> str:
    """Return whether a markable is an "event" or an "entity", by its name."""
    return "event" if markable.type.startswith(_EVENTS) else "entity"


def _name_entity(relation: _CorefRelation, kind: str, found: _EcbDocument, document: str) -> str:
    """Return the name of the entity of a relation: its instance_id, or one that no other document has."""
    target = found.markables.get(relation.target)
    if relation.type == "CROSS_DOC_COREF" and target is not None and target.instance:
        return target.instance
    return f"{document}:r{relation.id}-{kind}"  # events and entities may be in one relation within a document


def _find_entities(found: _EcbDocument, draft: Draft) -> dict[str, _CorefRelation]:
    """Return the relation of each mention that has one, the last if it has several, with a notice; add faults."""
    entities: dict[str, _CorefRelation] = {}
    for relation in found.relations:
        for source in (*relation.sources, relation.target):
            if source not in found.markables:
                what = f"relation {relation.id} has markable {source}, which is not there"
                draft.add_fault(relation.line, what, "the m_id of a markable", kind="dangling-reference")
        for source in relation.sources:
            before = entities.get(source)
            if before is not None and before is not relation:
                message = f"markable {source} is in relations {before.id} and {relation.id}; the last one counts"
                draft.add_notice("mention-twice", relation.line, message)
            entities[source] = relation
    return entities


def _read_tags(text: str, draft: Draft) -> _EcbDocument:
    """Return what the tags of a file say; add faults of tokens and markables without their attributes."""
    found = _EcbDocument()
    token: Mapping[str, str] = {}
    place, inside = "", ""
    for tag in markup.find_tags(text, draft):
        given = {name: markup.normalize_value(value) for name, value in tag.attributes.items()}
        if tag.name == "DOCUMENT":
            found.name = given.get("DOC_NAME", "")
        elif tag.name == "TOKEN":
            token = given
        elif tag.name == "/TOKEN":
            _add_token(token, markup.normalize_value(tag.before), tag.line, found, draft)
        elif tag.name in ("MARKABLES", "RELATIONS"):
            place = tag.name
        elif tag.name == "TOKEN_ANCHOR" and inside in found.markables:
            found.markables[inside].tokens.append(given.get("T_ID", ""))
        elif place == "MARKABLES" and "M_ID" in given:
            inside = given["M_ID"]
            if inside in found.markables:
                draft.add_fault(tag.line, f"markable {inside} is there already", "every m_id once", kind="id-twice")
            found.markables[inside] = _Markable(tag.name, tag.line, given.get("INSTANCE_ID", ""))
        elif tag.name in _RELATIONS:
            found.relations.append(_CorefRelation(tag.name, given.get("R_ID", ""), tag.line))
        elif tag.name == "SOURCE" and found.relations:
            found.relations[-1].sources.append(given.get("M_ID", ""))
        elif tag.name == "TARGET" and found.relations:
            found.relations[-1].target = given.get("M_ID", "")
    if not found.tokens and not draft.faults:
        draft.add_fault(1, "no token", '<token t_id="1" sentence="0">word</token>')
    return found


def _add_token(token: Mapping[str, str], word: str, line: int, found: _EcbDocument, draft: Draft) -> None:
    """Add a token to what is found; a fault if it has no id, one that another has, or no sentence."""
    key, sentence = token.get("T_ID", ""), token.get("SENTENCE", "")
    if not key or not sentence.isdecimal() or key in found.tokens:
        what = f"token {word[:40]!r} has the t_id {key!r} and the sentence {sentence!r}"
        draft.add_fault(line, what, "a t_id that no other token has, and a number")
    else:
        found.tokens[key] = word, int(sentence), line


def _read_sentences(file: File, path: str) -> Mapping[str, Collection[int]]:
    """Return by document, such as 36_1ecb, the sentences that a CSV lists; OptionError if there is no such file."""
    data = file.elsewhere(path)
    if data is None:
        raise OptionError(f"sentences={path}: there is no such file")
    return _parse_sentences(data, path)


@lru_cache(maxsize=2)
def _parse_sentences(data: bytes, path: str) -> Mapping[str, Collection[int]]:
    """Return by document the sentences that a CSV lists, remembered, as many files ask; InputError with all faults."""
    diagnostics = Diagnostics(path)
    rows = csv.reader(io.StringIO(lines.decode_strictly(data, diagnostics), newline=""))
    head = next(rows, [])
    found: dict[str, Collection[int]] = {}
    if [name.strip().lower() for name in head] != _COLUMNS:
        diagnostics.add_fault(1, f"the first row is {', '.join(head)[:60]!r}", "Topic,File,Sentence Number")
    for row in rows:
        if len(row) != len(_COLUMNS) or not row[2].strip().isdecimal():
            diagnostics.add_fault(rows.line_num, f"{','.join(row)[:40]!r}", "a topic, a file such as 1ecb, a number")
        else:
            document = f"{row[0].strip()}_{row[1].strip()}"
            found[document] = {*found.get(document, ()), int(row[2])}
    diagnostics.raise_faults()
    return found
