"""JSON: for every document a list of entities, each a list of mentions, which may be anything; and scorch's two forms.

    {"story": [["Kim", "herself"], ["a book"]], "other": [[[0, 1], [4, 4]]]}
    {"type": "clusters", "name": "story", "clusters": {"e1": ["Kim", "herself"], "e2": ["a book"]}}
    {"type": "graph", "mentions": ["Kim", "herself", "a book"], "links": [["Kim", "herself"]]}

A list of entities that stands alone is one document, named after the file; so is one of scorch's that has no `name`. A
graph is closed transitively; a link to a mention that is not listed adds it, as in scorch, with a notice.

Mentions are labels, and the same if they are the same JSON: 1, 1.0, true and "1" are four, while objects may order
their keys as they like. Strings, integers, null, and numbers that are no integers are what they are in Python, and
lists are tuples, so [3, 5] is the same as the span (3, 5) of another format; the rest is a `Value`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from corefeval._lazy import cached
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.limits import MAX_OFFSET, get_limit, tell_how_to_raise
from corefeval.corpus.mentions import parse_runs
from corefeval.corpus.union_find import UnionFind
from corefeval.errors import Fault, InputError
from corefeval.formats import jsonlines, strings, xcore
from corefeval.formats.base import Capacity, File
from corefeval.formats.shared import json_values
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.formats.shared.json_values import show_value
from corefeval.formats.shared.writing import replace_surrogates

Entities = dict[str, list[Hashable]]

TITLE = "JSON: {document: [[mention, …], …]} with any JSON as mentions, and scorch's clusters and graphs"
EXAMPLE = """{"story": [["Kim", "herself"], ["a book"]],
 "other": [[[0, 1], [4, 4]], [[2, 2]]]}
{"type": "graph", "mentions": ["Kim", "herself"], "links": [["herself", "Kim"]]}"""
SUFFIXES = (".json",)
COMPANIONS = ()
CAPACITY = Capacity(
    units=("label", "word", "character"),
    words=False,
    names=False,
    discontinuous="any",
    zeros=True,
    document_names=json_values.spell_document_names,
)

_DEEPEST = 100  # lists within lists of a mention
_BEGINS = re.compile(
    rb'\s*(?:\[\s*[\[\]]|\{\s*"clusters"\s*:\s*\{|\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\[\s*[\[\]])'
)  # a list of lists, or one under the first key
_TYPE = re.compile(rb'"type"\s*:\s*"(?:clusters|graph)"')
_FORM = "a list of entities, each a list of mentions"


@dataclass(frozen=True, slots=True, repr=False)
class JsonValue:
    """A JSON value that Python has no hashable and different one for: true, false, 1.0, an object; by its text."""

    text: str

    def __repr__(self) -> str:
        return self.text


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is such JSON, if it is not one of JSON lines; "" if it is not."""
    beginning = beginning.removeprefix(b"\xef\xbb\xbf")
    if beginning.lstrip().startswith(b"{") and (scorch := _TYPE.search(beginning)):
        return f"{scorch[0].decode()} found"
    if not _BEGINS.match(beginning) or any(each.recognise(beginning) for each in (jsonlines, xcore, strings)):
        return ""
    return "a list of lists in JSON"


def read(file: File) -> Corpus:
    """Return the corpus of all documents of a file that is in memory; raises InputError with all faults in it."""
    diagnostics = Diagnostics(file.name)
    text = json_values.decode_text(file.data, diagnostics)
    value = _parse_only_value(text, diagnostics)
    diagnostics.raise_faults()
    reader = _DocumentReader(text, diagnostics)
    documents = reader.read_documents(value, file.document)
    reader.refuse_far_offsets(documents.values())
    diagnostics.raise_faults()
    if not documents:
        raise InputError(Fault(file.name, "no document", f"{{document: {_FORM}}}", line=1))
    corpus = Corpus.from_entities(
        {name: list(filter(None, entities.values())) for name, entities in documents.items()}, source=file.name
    )
    names = [name for entities in documents.values() for name, mentions in entities.items() if mentions]
    return corpus.replace(entity_name=names, notices=diagnostics.limit_notices())


def write(corpus: Corpus) -> bytes:
    """Return the bytes of a file with the corpus: one object, an entity on each line; spans are lists [first, last]."""
    documents = [
        f"{json_values.dump_line(document)}: [{_write_entities(entities, corpus)}]"
        for document, entities in corpus.entities().items()
    ]
    return json_values.encode_text("{\n " + ",\n ".join(documents) + "\n}\n")


def _parse_only_value(text: str, diagnostics: Diagnostics) -> Any:
    """Return the only JSON value of a file; None, with faults, if it is malformed or if more follows."""
    begin = json_values.skip_blanks(text, 0)
    try:
        value, end = json_values.parse_value(text, begin)
        end = json_values.skip_blanks(text, end)
        if end == len(text):
            return value
        error = json_values.MalformedError("Extra data", end)
    except json_values.TwiceError as twice:
        _add_key_faults(text, begin, twice, diagnostics)
        return None
    except json_values.MalformedError as malformed:
        error = malformed
    line, what, hint = json_values.describe_error(error, text)
    diagnostics.add_fault(line, what, f"{{document: {_FORM}}}", hint)
    return None


def _add_key_faults(text: str, begin: int, error: json_values.TwiceError, diagnostics: Diagnostics) -> None:
    """Add a fault for every document that is there twice, or for the key that an object within has twice."""
    seen = set()
    try:
        for place, key, _ in json_values.parse_parts(text, begin):
            if key in seen:
                line = json_values.find_line(text, place)
                diagnostics.add_fault(line, f"{key!r} is there already", "every document once", kind="document-twice")
            seen.add(key)
    except json_values.MalformedError as inner:
        diagnostics.add_fault(json_values.find_line(text, inner.position), error.what, "every key once")


class _DocumentReader:
    """Reads documents from a value of JSON; what is wrong becomes a fault with its line."""

    def __init__(self, text: str, diagnostics: Diagnostics) -> None:
        self._text, self._diagnostics = text, diagnostics
        self._most = get_limit(MAX_OFFSET)
        self._far: list[tuple[Hashable, tuple[str | int, ...]]] = []

    @cached
    def _lines(self) -> dict[tuple[str | int, ...], int]:
        """The lines on which the value, its parts and their parts begin, by the keys and places that lead to them."""
        return json_values.index_lines(self._text)

    def _find_line(self, path: tuple[str | int, ...]) -> int:
        """Return the line of the part that keys and places lead to, or of the nearest part around it."""
        return self._lines.get(path[:2]) or self._lines.get(path[:1]) or self._lines[()]

    def read_documents(self, value: Any, otherwise: str) -> dict[str, Entities]:
        """Return entities by document, called `otherwise` if unnamed; {} with a fault for other values; add notices."""
        if isinstance(value, list):
            return {otherwise: self._read_entities(value)}
        if not isinstance(value, dict):
            self._add_fault(f"the file is {_describe_value(value)}", f"{{document: {_FORM}}}")
            return {}
        form = {"clusters": self._read_clusters, "graph": self._read_graph}.get(str(value.get("type")))
        if form is None:
            return {name: self._read_entities(listed, name) for name, listed in value.items()}
        name = value.get("name", otherwise)
        if not isinstance(name, str):
            self._add_fault(f"'name' is {_describe_value(name)}", "a string", "name")
        return {str(name): form(value)}

    def _read_entities(self, listed: Any, *path: str) -> Entities:
        """Return a list's entities by place, "0" and so on; {} with a fault if it is no list; add notices."""
        if not isinstance(listed, list):
            self._add_fault(f"document {path[0]!r} is {_describe_value(listed)}", _FORM, *path)
            return {}
        return {str(place): self._read_mentions(each, *path, place) for place, each in enumerate(listed)}

    def _read_clusters(self, value: dict[str, Any]) -> Entities:
        """Return the entities of the object "clusters" by name; {}, with a fault, if there is no such object."""
        named = value.get("clusters")
        if not isinstance(named, dict):
            self._add_fault(f"'clusters' is {_describe_value(named)}", "an object of lists of mentions", "clusters")
            return {}
        return {name: self._read_mentions(each, "clusters", name) for name, each in named.items()}

    def _read_graph(self, value: dict[str, Any]) -> Entities:
        """Return by number the entities that "links" make of "mentions"; add faults and notices of what is wrong."""
        mentions = self._read_mentions(value.get("mentions"), "mentions")
        links = value.get("links")
        if not isinstance(links, list):
            self._add_fault(f"'links' is {_describe_value(links)}", "a list of pairs of mentions", "links")
            links = []
        pairs = [pair for place, link in enumerate(links) for pair in self._read_link(link, place)]
        nodes = dict.fromkeys(mentions)
        if len(nodes) < len(mentions):
            count = len(mentions) - len(nodes)
            self._add_notice(
                "repeated-mention",
                f"'mentions' has {count} of them twice; {'it counts' if count == 1 else 'they count'} once",
                "mentions",
            )
        for place, pair in pairs:
            for end in dict.fromkeys(pair):
                if end not in nodes:
                    nodes[end] = None
                    message = f"{show_value(end)}, at the end of a link, is not among the mentions; it is added"
                    self._add_notice("dangling-reference", message, "links", place)
        sets = UnionFind(nodes)
        for _, (one, other) in pairs:
            sets.join(one, other)
        return {str(place): group for place, group in enumerate(sets.groups())}

    def _read_link(self, link: Any, place: int) -> Iterator[tuple[int, list[Hashable]]]:
        """Yield once a link's place and two mentions; nothing, with a fault, if malformed; a notice of a self-link."""
        if not isinstance(link, list) or len(link) != 2:
            self._add_fault(f"link {_describe_value(link)}", "a pair of mentions", "links", place)
            return
        pair = self._read_labels(link, "links", place)
        if len(pair) == 2 and pair[0] == pair[1]:
            self._add_notice("self-link", f"mention {show_value(pair[0])} is linked with itself", "links", place)
        if len(pair) == 2:
            yield place, pair

    def _read_mentions(self, listed: Any, *path: str | int) -> list[Hashable]:
        """Return the mentions of a list; [] with a fault for anything else; a notice for an entity without any."""
        if not isinstance(listed, list):
            what = "'mentions'" if path == ("mentions",) else f"entity {str(path[-1])!r}"
            self._add_fault(f"{what} is {_describe_value(listed)}", "a list of mentions", *path)
            return []
        if not listed and path != ("mentions",):
            self._add_notice("empty-entity", f"entity {str(path[-1])!r} has no mentions and is left out", *path)
        return self._read_labels(listed, *path)

    def _read_labels(self, listed: list[Any], *path: str | int) -> list[Hashable]:
        """Return a list's values as labels, without impossible ones, which are faults; note those beyond the limit."""
        found = []
        for value in listed:
            try:
                found.append(_to_label(value))
            except ValueError as error:
                self._add_fault(f"{error} in a mention", "JSON values", *path)
                continue
            if _find_last_number(found[-1]) >= self._most:
                self._far.append((found[-1], path))
        return found

    def refuse_far_offsets(self, documents: Iterable[Entities]) -> None:
        """Add a fault for every mention noted as beyond the limit of offsets, if all mentions are spans."""
        labels = (label for entities in documents for mentions in entities.values() for label in mentions)
        if not self._far or any(parse_runs(label) is None for label in labels):
            return
        for label, path in self._far:
            what, expected = f"mention {show_value(_to_json(label))} reaches too far", f"offsets below {self._most:,}"
            hint = tell_how_to_raise(MAX_OFFSET)
            self._diagnostics.add_fault(self._find_line(path), what, expected, hint, kind="mention-outside")

    def _add_fault(self, what: str, expected: str, *path: str | int) -> None:
        """Add a fault at the line of the part that keys and places lead to."""
        self._diagnostics.add_fault(self._find_line(path), what, expected)

    def _add_notice(self, kind: str, message: str, *path: str | int) -> None:
        """Add a notice at the line of the part that keys and places lead to."""
        self._diagnostics.add_notice(kind, self._find_line(path), message)


def _to_label(value: Any, deep: int = 0) -> Hashable:
    """Return a JSON value as a hashable label that equals another one only if they are the same; raises ValueError."""
    kind = type(value)
    if kind is str or kind is int or value is None:
        return value
    if kind is list:
        if deep == _DEEPEST:
            raise ValueError("lists that are nested too deeply")
        return tuple(_to_label(each, deep + 1) for each in value)
    if kind is float and not math.isfinite(value):
        raise ValueError(f"the number {value}")
    if kind is float and not value.is_integer():
        return value
    try:
        return JsonValue(json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False))
    except ValueError:
        raise ValueError("a number that is infinite or none") from None
    except RecursionError:
        raise ValueError("objects that are nested too deeply") from None


def _find_last_number(label: Any) -> int:
    """Return an integer as it is, or that at the end of a tuple or of tuples in it; -1 if none is there."""
    while type(label) is tuple and label:
        label = label[-1]
    return label if type(label) is int else -1


def _write_entities(entities: list[list[Hashable]], corpus: Corpus) -> str:
    """Return entities as JSON, each on a line of its own; raises an error if a mention cannot be written."""
    try:
        lines = [f"\n  {json_values.dump_line(list(map(_to_json, mentions)))}" for mentions in entities]
    except (TypeError, ValueError, RecursionError) as error:
        what = f"a mention cannot be written as JSON ({error})"
        raise InputError(Fault(corpus.source or "corpus", what, "strings, numbers, and tuples of them")) from None
    return f"{','.join(lines)}\n " if lines else ""


def _to_json(mention: object) -> Any:
    """Return a label as the value that `json` reads and dumps: tuples become lists; ValueError for half a character."""
    if isinstance(mention, tuple):
        return [_to_json(each) for each in mention]
    if isinstance(mention, JsonValue):
        return json.loads(mention.text)
    if isinstance(mention, str) and replace_surrogates(mention) != mention:
        raise ValueError(f"{mention!r} has half a character")
    # A whole number is the same label as the integer in Python, but not in JSON.
    is_whole = isinstance(mention, Integral) or (isinstance(mention, float) and mention.is_integer())
    return int(mention) if is_whole else mention  # type: ignore[call-overload]


def _describe_value(value: Any) -> str:
    """Return a value, cut short for a message; "null or missing" for None."""
    return "null or missing" if value is None else show_value(value)
