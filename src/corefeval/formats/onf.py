"""OntoNotes' normal form, `.onf`: trees, leaves and coreference chains for people to read; a document for each section.

    Leaves:
    -------
        0   Kim
               coref: IDENT        3     0-0    Kim
        1   left

    Coreference chains for section 0:
    ---------------------------------

        Chain 3 (IDENT)
                       0.0-0     Kim
                       1.2-4     the old sailor

`1.2-4` is sentence 1 of the section, leaves 2 to 4, all counted from 0. IDENT chains are entities; what leaves say of
them is not looked at. APPOS chains are the layer "appos", with the attribute `role` (HEAD, ATTRIB). Chains of other
types, and those without mentions, are left out, with notices.

Traces, which are -NONE- in the tree, or look like `*T*-1` where there is no tree, are no words, unless a mention
consists of them alone: then they are zeros. Those at the ends of a mention are no part of it. A mention whose words are
not those of the leaves is read, with a notice. Several sections of a file are called NAME_0, NAME_1 and so on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from corefeval.corpus.corpus import Corpus
from corefeval.formats.base import File
from corefeval.formats.draft import DocumentDraft, Draft
from corefeval.formats.shared import lines

TITLE = "OntoNotes' normal form: .onf with trees, leaves and chains"
EXAMPLE = """Coreference chains for section 0:
    Chain 3 (IDENT)
                   0.0-0     Kim
                   1.2-4     the old sailor"""
SUFFIXES = (".onf",)
COMPANIONS = ()
CAPACITY = None

_BEGINS = re.compile(rb"^(?:Plain sentence|Coreference chains for section \d+):\r?$", re.MULTILINE)
_HEADINGS = ("Plain sentence:", "Treebanked sentence:", "Speaker information:", "Tree:", "Leaves:")
_CHAINS = re.compile(r"Coreference chains for section ([0-9]+):")
_CHAIN = re.compile(r"\s*Chain\s+(\S+)\s+\((\w+)\)\s*")
_MENTION = re.compile(r"\s*(?:([A-Za-z]+)\s+)?([0-9]{1,9})\.([0-9]{1,9})-([0-9]{1,9})(?:\s+(.*))?")
_LEAF = re.compile(r" {1,6}([0-9]+)\s+(\S+)\s*")
_TAGGED = re.compile(r"\(([^\s()]+)\s+([^\s()]+)\)")
_TRACE = re.compile(r"\*(?:[A-Za-z?]*\*)?(?:-[0-9]+)*")
_NO_WORD = "-NONE-"
_IDENT, _APPOS = "IDENT", "APPOS"
_RULE = re.compile(r"[-=]{5,}\s*")


@dataclass
class _Sentence:
    """The leaves of a sentence, with their lines, and its tree as it is written."""

    leaves: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    tree: list[str] = field(default_factory=list)

    def find_traces(self) -> list[bool]:
        """Return for each leaf whether it is a trace, by its tag or, if the tree has other leaves, by its form."""
        tagged = _TAGGED.findall(" ".join(self.tree))
        if len(tagged) == len(self.leaves):
            return [tag == _NO_WORD for tag, _ in tagged]
        return [_TRACE.fullmatch(leaf) is not None for leaf in self.leaves]


@dataclass
class _ChainMention:
    """A mention of a chain: its role in an apposition, sentence, first and last leaf, and its words."""

    line: int
    role: str
    sentence: int
    first: int
    last: int
    text: str


@dataclass
class _Chain:
    """A chain: its name and type, and its mentions."""

    line: int
    name: str
    type: str
    mentions: list[_ChainMention] = field(default_factory=list)


@dataclass
class _Section:
    """The sentences and chains of a section; number: as the file says, None if it has no chains."""

    number: int | None = None
    sentences: list[_Sentence] = field(default_factory=list)
    chains: list[_Chain] = field(default_factory=list)


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is OntoNotes' normal form, by its headings; "" if it is not."""
    return "headings of OntoNotes' normal form" if _BEGINS.search(beginning) else ""


def read(file: File) -> Corpus:
    """Return the corpus of all sections of a file that is in memory; raises InputError with all faults in it."""
    draft = Draft(file.name)
    sections = _read_sections(lines.decode_strictly(file.data, draft), draft)
    for place, section in enumerate(sections):
        number = place if section.number is None else section.number
        _add_section(section, file.document if len(sections) == 1 else f"{file.document}_{number}", draft)
    if not any(sentence.leaves for section in sections for sentence in section.sentences) and not draft.faults:
        draft.add_fault(1, "no leaves", "sentences with Leaves:")
    return draft.build_corpus()


def _read_sections(text: str, draft: Draft) -> list[_Section]:
    """Return the sections of a file; add a fault for each line of chains that is neither chain nor mention."""
    sections = [_Section()]
    heading = ""
    for number, line in enumerate(text.split("\n"), 1):
        chains = _CHAINS.fullmatch(line.strip())
        if line.strip() in _HEADINGS or chains:
            heading = "chains" if chains else line.strip()
            if sections[-1].number is not None and not chains:
                sections.append(_Section())
            if heading == _HEADINGS[0]:
                sections[-1].sentences.append(_Sentence())
            if chains:
                sections[-1].number = int(chains[1])
        elif not line.strip() or _RULE.fullmatch(line):
            continue
        elif heading == "chains":
            _read_chain_line(line, number, sections[-1], draft)
        elif heading in ("Tree:", "Leaves:"):
            if not sections[-1].sentences:
                sections[-1].sentences.append(_Sentence())
            sentence = sections[-1].sentences[-1]
            leaf = _LEAF.fullmatch(line) if heading == "Leaves:" else None
            if heading == "Tree:":
                sentence.tree.append(line)
            elif leaf and int(leaf[1]) == len(sentence.leaves):
                sentence.leaves.append(leaf[2])
                sentence.lines.append(number)
    return sections


def _read_chain_line(line: str, number: int, section: _Section, draft: Draft) -> None:
    """Add the chain, the mention, or the words of the mention before, that a line has; a fault for anything else."""
    chain, mention = _CHAIN.fullmatch(line), _MENTION.fullmatch(line)
    if chain:
        section.chains.append(_Chain(number, chain[1], chain[2]))
    elif not section.chains:
        draft.add_fault(number, f"{line.strip()[:40]!r} is no chain", "Chain 3 (IDENT)")
    elif mention:
        role, sentence, first, last, text = mention.groups("")
        found = _ChainMention(number, role, int(sentence), int(first), int(last), text)
        section.chains[-1].mentions.append(found)
    elif section.chains[-1].mentions:
        section.chains[-1].mentions[-1].text += f" {line.strip()}"
    else:
        draft.add_fault(number, f"{line.strip()[:40]!r} is no mention", "SENTENCE.FIRST-LAST and its words")


def _add_section(section: _Section, name: str, draft: Draft) -> None:
    """Add the document of a section to the draft, with entities, and appositions as a layer; add faults and notices."""
    traces = [sentence.find_traces() for sentence in section.sentences]
    spans = {id(mention): _place_mention(mention, section, traces, draft) for mention in _list_mentions(section)}
    only_traces = [span for span in spans.values() if span is not None and traces[span[0]][span[1]]]
    zeros = {(number, leaf) for number, first, last in only_traces for leaf in range(first, last + 1)}
    kept = [
        (number, leaf)
        for number, sentence in enumerate(section.sentences)
        for leaf in range(len(sentence.leaves))
        if not traces[number][leaf] or (number, leaf) in zeros
    ]
    place = {leaf: word for word, leaf in enumerate(kept)}
    document = draft.add_document(
        name,
        words=[section.sentences[number].leaves[leaf] for number, leaf in kept],
        sentence=[number for number, _ in kept],
        empty=[traces[number][leaf] for number, leaf in kept],
        lines=[section.sentences[number].lines[leaf] for number, leaf in kept],
    )
    names: dict[str, int] = {}
    for chain in section.chains:
        if chain.type not in (_IDENT, _APPOS):
            draft.add_notice("skipped-line", chain.line, f"chain {chain.name} is {chain.type}; left out")
            continue
        target = document if chain.type == _IDENT else document.get_layer(_APPOS.lower())
        key = f"{chain.type} {chain.name}"
        if key in names:
            what = f"chain {chain.name} is there already, on line {names[key]}"
            draft.add_fault(chain.line, what, "every chain once in a section", kind="id-twice")
        names.setdefault(key, chain.line)
        _add_chain(chain, target, [(each, spans[id(each)]) for each in chain.mentions], place)
    if section.number is None:
        draft.add_notice("no-coreference", None, f"no chains for document {name!r}: it has no entities")


def _list_mentions(section: _Section) -> Iterator[_ChainMention]:
    """Yield the mentions of all chains of a section."""
    for chain in section.chains:
        yield from chain.mentions


def _add_chain(
    chain: _Chain,
    target: DocumentDraft,
    mentions: Sequence[tuple[_ChainMention, tuple[int, int, int] | None]],
    place: dict[tuple[int, int], int],
) -> None:
    """Add the mentions of a chain that have a place to a document or a layer of it."""
    target.describe_entity(chain.name)
    for mention, span in mentions:
        if span is not None:
            sentence, first, last = span
            words = place[sentence, first], place[sentence, last]
            role = {"role": mention.role} if mention.role else {}
            target.add_mention(chain.name, words, line=mention.line, attributes=role)


def _place_mention(
    mention: _ChainMention, section: _Section, traces: Sequence[Sequence[bool]], draft: Draft
) -> tuple[int, int, int] | None:
    """Return sentence, first and last leaf of a mention, without traces at its ends; None, with a fault, if outside."""
    number, first, last = mention.sentence, mention.first, mention.last
    leaves = section.sentences[number].leaves if number < len(section.sentences) else []
    if not first <= last < len(leaves):
        what = f"mention {number}.{first}-{last} is not within the leaves of the section"
        draft.add_fault(mention.line, what, "SENTENCE.FIRST-LAST, counted from 0", kind="mention-outside")
        return None
    there = " ".join(leaves[first : last + 1])
    if mention.text and mention.text.split() != there.split():
        message = f"mention {number}.{first}-{last} says {mention.text[:60]!r}, but the leaves are {there[:60]!r}"
        draft.add_notice("text-differs", mention.line, message)
    written = [leaf for leaf in range(first, last + 1) if not traces[number][leaf]]
    return (number, written[0], written[-1]) if written else (number, first, last)
