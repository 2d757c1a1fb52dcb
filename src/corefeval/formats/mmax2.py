"""MMAX2: `X.mmax` with Basedata and Markables, one document each (ParCorFull, ARRAU, WikiCoref, COREA, SoNaR).

    X.mmax                         <mmax_project><words>X_words.xml</words></mmax_project>
    Basedata/X_words.xml           <word id="word_1">Kim</word>
    Markables/X_coref_level.xml    <markable id="markable_7" span="word_1..word_4,word_9" coref_class="set_54"/>

`common_paths.xml` beside the project, or the project itself, says where folders and levels are; without it they are
Basedata, and Markables or markables. Paths that lead out of the project's folder are refused. Of several levels one is
read: that called coref, else one with "coref" in its name, else np or phrase; a notice names other levels of
coreference (such as those of other annotators), and `level=NAME` takes one of them. In a directory, XML files and style
sheets in or below a project's folder are part of it.

Entities are markables of the same set (`coref_class` or `coref_set`; "empty" is none) and those that `ref` links,
directly or not: COREA's `ref="markable_3;markable_5"`. A `ref` whose `type` is bridging is a relation of kind "bridge"
instead; `identity=ident+bound` names the types that make entities. ARRAU's `related_phrase` is such a relation, too,
and its markables with `reference="non_referring"` and without a set are the layer "non_referring". A markable of no set
and in no link is an entity by itself.

`min_ids`, or else `min_words` where they are found once in the mention, are its minimum span, and COREA's `head` is its
head. Sentences are the markables of the level "sentence", else what `alpsent`, `alppos` or `pos` of words say. All
other values are attributes, but for "empty" ones. A span with a word that is not there is a fault.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Pieces, join_runs, to_mention
from corefeval.corpus.union_find import UnionFind
from corefeval.errors import decode_escaped_bytes
from corefeval.formats.base import File
from corefeval.formats.draft import DocumentDraft, Draft, Span
from corefeval.formats.registry import strip_suffix
from corefeval.formats.shared import markup
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.formats.shared.files import join_inside
from corefeval.formats.shared.writing import avoid_names
from corefeval.notices import count_things

TITLE = "MMAX2 projects: .mmax with Basedata and Markables"
EXAMPLE = """<mmax_project><words>story_words.xml</words></mmax_project>
<word id="word_1">Kim</word>
<markable id="markable_7" span="word_1..word_4,word_9" coref_class="set_54"/>"""
SUFFIXES = (".mmax",)
COMPANIONS = ()
CAPACITY = None

_PROJECT = re.compile(rb"<mmax_project\b")
_PARTS = (".xml", ".xsl", ".dtd", ".bak", ".disabled")
_PATHS = "common_paths.xml"
_USUAL_LEVELS = ("coref", "np", "phrase")
_FOLDERS = {"BASEDATA_PATH": ("Basedata", "basedata"), "MARKABLE_PATH": ("Markables", "markables")}
_NONE = ("", "empty")
_SETS = ("coref_class", "coref_set")
_LINK, _BRIDGE, _NON_REFERRING = "ref", "related_phrase", "non_referring"
_APART = {*_SETS, _LINK, _BRIDGE, "id", "span", "mmax_level", "min_ids", "min_words", "head"}
"""Attributes that are not among those of mentions."""
_BRIDGING = re.compile("bridg", re.IGNORECASE)
_COREFERENCE = re.compile("coref", re.IGNORECASE)
_RANGE = re.compile(r"(\S+?)\.\.(\S+)")
_NUMBER_AT_END = re.compile(r"[0-9]+$")

Key = tuple[str, str]
"""("set", its name) or ("markable", its id)."""


class _MmaxMarkable(NamedTuple):
    """A markable: where it is, and all its attributes, their names in lower case."""

    line: int
    runs: Pieces
    values: Mapping[str, str]


class _MmaxWords(NamedTuple):
    """The words of a document, the number of each by its id, and which begin a sentence by their own attributes."""

    forms: list[str]
    place: dict[str, int]
    begins: list[int]


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is a project of MMAX2, by its first tag; "" if it is not."""
    return "<mmax_project> found" if _PROJECT.search(beginning) else ""


def find_companions(paths: Iterable[str]) -> set[str]:
    """Return those of some paths that are part of a project among them: XML and style sheets in or below its folder."""
    listed = list(paths)
    folders = {os.path.dirname(path) for path in listed if path.lower().endswith(SUFFIXES)}
    return {path for path in listed if path.lower().endswith(_PARTS) and not folders.isdisjoint(_list_folders(path))}


def _list_folders(path: str) -> Iterator[str]:
    """Yield the folders that a path is in, from the inmost one on."""
    while (folder := os.path.dirname(path)) != path:
        yield folder
        path = folder


def read(file: File, level: str = "", identity: str = "") -> Corpus:
    """Return the corpus of the document of a project; raises InputError with all faults in its files.

    level: the level that is coreference. identity: the types of `ref` that make entities, with + between them.
    """
    project = _Project(file)
    words = _read_words(project)
    name, tags = project.read_level(level)
    draft = Draft(name)
    draft.faults += project.faults
    document = draft.add_document(file.document, words=words.forms, sentence=_number_sentences(words, project))
    markables = _read_markables(tags, words, draft)
    _add_markables(markables, words, document, frozenset(identity.split("+")) if identity else None, draft)
    draft.notices[:0] = project.notices
    shown = decode_escaped_bytes(name)
    return draft.build_corpus().replace(source=file.name, files=(shown,))


class _Project(Diagnostics):
    """The files of a project; its faults and notices, and those of all files but the level of coreference."""

    def __init__(self, file: File) -> None:
        super().__init__(file.name)
        self._file = file
        self._folders: dict[str, tuple[str, ...]] = dict(_FOLDERS)
        self._levels: dict[str, str] = {}
        self.words = ""
        paths = join_inside(file.name, _PATHS)
        common = None if paths is None else file.elsewhere(paths)
        if paths is not None and common is not None:
            self._read_paths(common, paths)
        self._read_paths(file.data, file.name)
        if not self.words:
            self.add_fault(1, "the project does not name its words", "<words>X_words.xml</words>")

    def read_part(self, folder: str, name: str) -> tuple[str, list[markup.Tag] | None]:
        """Return path and tags of a file in one of the folders; None for the tags if there is none; add faults."""
        path = ""
        for each in self._folders[folder]:
            path = join_inside(self.source, f"{each}/{name}") or ""
            if not path:
                self.add_fault(1, f"{each}/{name} is outside of the folder of the project", "a path within it")
                return name, None
            data = self._file.elsewhere(path)
            if data is not None:
                return path, self._find_tags(data, path)
        return path, None

    def read_level(self, wanted: str) -> tuple[str, list[markup.Tag]]:
        """Return path and tags of the level of coreference; add a fault if there is none, a notice of others."""
        usual = [*_USUAL_LEVELS, *(name for name in self._levels if _COREFERENCE.search(name))]
        first: tuple[str, list[markup.Tag]] | None = None
        others = []
        for name in [wanted] if wanted else sorted(dict.fromkeys(usual), key=_rank_level):
            if first is not None and not _COREFERENCE.search(name):
                break
            path, tags = self.read_part("MARKABLE_PATH", self._name_level(name))
            if tags is not None and first is None:
                first = path, tags
            elif tags is not None:
                others.append(name)
        if others:
            message = f"{count_things(len(others), 'further level')} of coreference not read: {', '.join(others)}"
            self.add_notice("other-levels", None, f"{message}; level=NAME takes one", levels=others)
        if first is None:
            looked = wanted or " or ".join(_USUAL_LEVELS)
            there = f"there are {', '.join(self._levels)}" if self._levels else ""
            self.add_fault(1, f"no markables of level {looked}", f"Markables/{self._name_level('coref')}", there)
        return first or (self.source, [])

    def read_sentences(self) -> list[markup.Tag]:
        """Return the tags of the level of sentences; none if there is no such level."""
        return self.read_part("MARKABLE_PATH", self._name_level("sentence"))[1] or []

    def _name_level(self, level: str) -> str:
        """Return the name of the file of a level."""
        stem = strip_suffix(os.path.basename(self.source), SUFFIXES)
        return self._levels.get(level, f"$_{level}_level.xml").replace("$", stem)

    def _read_paths(self, data: bytes, path: str) -> None:
        """Take the folders and the names of files from a project or from common_paths.xml."""
        level = ""
        for tag in self._find_tags(data, path):
            value = markup.normalize_value(tag.before)
            if tag.name == "LEVEL":
                level = markup.normalize_value(tag.attributes.get("NAME", ""))
            elif tag.name == "/LEVEL" and level and value:
                self._levels[level] = value
            elif tag.name == "/WORDS" and value:
                self.words = value
            elif tag.name[1:] in self._folders and tag.name.startswith("/") and value:
                self._folders[tag.name[1:]] = (value,)

    def _find_tags(self, data: bytes, path: str) -> list[markup.Tag]:
        """Return the tags of a file of the project; add its faults."""
        diagnostics = Diagnostics(path)
        tags = list(markup.find_tags(markup.decode_xml(data, diagnostics), diagnostics))
        self.faults += diagnostics.faults
        self.notices += diagnostics.notices
        return tags


def _rank_level(name: str) -> tuple[bool, bool]:
    """Return what sorts the names of levels: coref itself, others with "coref" in them, and the rest."""
    return name != "coref", not _COREFERENCE.search(name)


def _read_words(project: _Project) -> _MmaxWords:
    """Return the words of a project; add faults of missing words, of ids that are missing or there twice."""
    words = _MmaxWords([], {}, [])
    path, tags = project.read_part("BASEDATA_PATH", project.words) if project.words else ("", [])
    diagnostics = Diagnostics(path)
    if tags is None:
        project.add_fault(1, f"there is no {path}", "the words of the project")
    given: Mapping[str, str] = {}
    sentence = ""
    for tag in tags or ():
        if tag.name == "WORD":
            given = {name: markup.normalize_value(value) for name, value in tag.attributes.items()}
            name = given.get("ID", "")
            if not name or name in words.place:
                diagnostics.add_fault(tag.line, f"a word with the id {name!r}", "every id once", kind="id-twice")
                continue
            starts = "0" in (given.get("ALPPOS"), given.get("POS")) or given.get("ALPSENT", sentence) != sentence
            sentence = given.get("ALPSENT", sentence)
            if starts:
                words.begins.append(len(words.forms))
            words.place[name] = len(words.forms)
            words.forms.append("")
        elif tag.name == "/WORD" and words.forms:
            words.forms[-1] = markup.normalize_value(tag.before)
    if tags and not words.forms:
        diagnostics.add_fault(1, "no word", '<word id="word_1">Kim</word>')
    project.faults += diagnostics.faults
    return words


def _number_sentences(words: _MmaxWords, project: _Project) -> list[int]:
    """Return the number of the sentence of each word, by the level of sentences or else by the words themselves."""
    ends = set()
    unknown = 0
    for tag in project.read_sentences():
        if tag.name == "MARKABLE":
            places = _find_words(markup.normalize_value(tag.attributes.get("SPAN", "")), words)
            unknown += isinstance(places, str)
            ends |= set() if isinstance(places, str) else {places[-1] + 1}
    if unknown:
        message = count_things(
            unknown, "sentence", "with words that are not there is", "with words that are not there are"
        )
        project.add_notice("dangling-reference", None, f"{message} left out", count=unknown)
    begins = ends or set(words.begins)
    sentence = []
    number = 0
    for place in range(len(words.forms)):
        number += place in begins and place > 0
        sentence.append(number)
    return sentence


def _find_words(span: str, words: _MmaxWords) -> list[int] | str:
    """Return the numbers of the words of a span such as word_1..word_4,word_9, in order; what is wrong, if it is.

    `word_14..16` is word_14..word_16.
    """
    found: set[int] = set()
    for part in span.split(","):
        match = _RANGE.fullmatch(part.strip())
        first, last = match.groups() if match else (part.strip(), part.strip())
        if last.isdecimal():
            last = _NUMBER_AT_END.sub("", first) + last
        unknown = [name for name in (first, last) if name not in words.place]
        if unknown:
            return f"word {unknown[0]!r}, which is not there"
        if words.place[last] < words.place[first]:
            return f"{part.strip()}, which runs backwards"
        found.update(range(words.place[first], words.place[last] + 1))
    return sorted(found)


def _read_markables(tags: Sequence[markup.Tag], words: _MmaxWords, draft: Draft) -> dict[str, _MmaxMarkable]:
    """Return the markables of a level by their ids; add faults of ids there twice and of spans that are nowhere."""
    markables: dict[str, _MmaxMarkable] = {}
    for tag in tags:
        if tag.name != "MARKABLE":
            continue
        values = {name.lower(): markup.normalize_value(value) for name, value in tag.attributes.items()}
        name = values.get("id", "")
        places = _find_words(values.get("span", ""), words)
        if not name or name in markables:
            draft.add_fault(tag.line, f"a markable with the id {name!r}", "every id once", kind="id-twice")
        elif isinstance(places, str):
            expected = "words as in word_1..word_4,word_9"
            draft.add_fault(tag.line, f"markable {name} has {places}", expected, kind="dangling-reference")
        else:
            markables[name] = _MmaxMarkable(tag.line, join_runs(zip(places, places, strict=True)), values)
    return markables


def _add_markables(
    markables: Mapping[str, _MmaxMarkable],
    words: _MmaxWords,
    document: DocumentDraft,
    identity: Collection[str] | None,
    draft: Draft,
) -> None:
    """Add the entities, mentions and relations of markables to a document, in their order; add faults and notices."""
    sets = {name: ("set", value) for name, each in markables.items() if (value := _find_set(each.values))}
    # Sets come first, so that they stand for their entities, and these are called like them.
    groups: UnionFind[Key] = UnionFind([*sets.values(), *(("markable", name) for name in markables)])
    for name, each in sets.items():
        groups.join(each, ("markable", name))
    bridges = []
    for name, markable in markables.items():
        kind = markable.values.get("type", "")
        same = kind in identity if identity is not None else not _BRIDGING.search(kind)
        for target in _find_targets(name, _LINK, markables, draft):
            if same:
                groups.join(("markable", name), ("markable", target))
            else:
                bridges.append((name, target, kind))
        bridges += [(name, target, "") for target in _find_targets(name, _BRIDGE, markables, draft)]
    entity = _name_entities(groups, markables)
    for name, markable in markables.items():
        apart = markable.values.get("reference") == _NON_REFERRING and name not in sets
        (document.get_layer(_NON_REFERRING) if apart else document).add_mention(
            entity[name],
            to_mention(markable.runs),
            head=_find_phrase(name, "head", markable, words, draft),
            minimum=_find_minimum(name, markable, words, draft),
            line=markable.line,
            attributes={
                key: value for key, value in markable.values.items() if key not in _APART and value not in _NONE
            },
        )
    for source, target, label in bridges:
        document.add_relation("bridge", to_mention(markables[source].runs), [entity[target]], label)


def _name_entities(groups: UnionFind[Key], markables: Mapping[str, _MmaxMarkable]) -> dict[str, str]:
    """Return the name of the entity of each markable: that of its set, else of its first markable."""
    roots = {name: groups.find(("markable", name)) for name in markables}
    own = [name for kind, name in dict.fromkeys(roots.values()) if kind == "markable"]
    named = avoid_names(own, [name for kind, name in roots.values() if kind == "set"])
    return {name: named[key] if kind == "markable" else key for name, (kind, key) in roots.items()}


def _find_set(values: Mapping[str, str]) -> str:
    """Return the set that a markable is in; "" if it is in none."""
    return next((values[name] for name in _SETS if values.get(name, "") not in _NONE), "")


def _find_targets(name: str, attribute: str, markables: Mapping[str, _MmaxMarkable], draft: Draft) -> Iterator[str]:
    """Yield the ids of the markables that an attribute of one lists; add faults of those that are not there."""
    for written in re.split("[;,]", markables[name].values.get(attribute, "")):
        target = written.strip().rpartition(":")[2]  # the level may stand before it
        if target in _NONE:
            continue
        if target == name:
            draft.add_notice("self-link", markables[name].line, f"{attribute} of {name} is {name} itself; left out")
        elif target in markables:
            yield target
        else:
            what = f"{attribute} of {name} is {written.strip()!r}, which is not there"
            draft.add_fault(markables[name].line, what, "the id of a markable", kind="dangling-reference")


def _find_minimum(name: str, markable: _MmaxMarkable, words: _MmaxWords, draft: Draft) -> Span | None:
    """Return the minimum span of a markable, by min_ids or else by min_words; None if it has none; add notices."""
    ids = markable.values.get("min_ids", "")
    if ids in _NONE:
        return _find_phrase(name, "min_words", markable, words, draft)
    places = _find_words(ids, words)
    if isinstance(places, str) or not _is_inside((places[0], places[-1]), markable.runs):
        message = f"min_ids of {name}, {ids[:60]!r}, is not within its span, and left out"
        draft.add_notice("minimum-outside", markable.line, message)
        return None
    return places[0], places[-1]


def _find_phrase(name: str, attribute: str, markable: _MmaxMarkable, words: _MmaxWords, draft: Draft) -> Span | None:
    """Return the only place of an attribute's words in a markable; None, with a notice, if there is not just one."""
    wanted = markable.values.get(attribute, "").lower().split()
    if not wanted or wanted == ["empty"]:
        return None
    same: Callable[[int], bool] = lambda at: [word.lower() for word in words.forms[at : at + len(wanted)]] == wanted  # noqa: E731
    found = [
        (first, first + len(wanted) - 1)
        for begin, end in markable.runs
        for first in range(begin, end + 2 - len(wanted))
        if same(first)
    ]
    if len(found) == 1:
        return found[0]
    many = "several times" if found else "not"
    message = f"{attribute} of {name}, {' '.join(wanted)[:60]!r}, is {many} among its words, and left out"
    draft.add_notice("minimum-outside", markable.line, message)
    return None


def _is_inside(span: Span, runs: Pieces) -> bool:
    """Return whether a span is between the beginning and the end of a mention."""
    return runs[0][0] <= span[0] and span[1] <= runs[-1][1]
