"""Which documents belong together: the topic and subtopic of each, and the groups of a level.

They come from a table that the user gives, from a regular expression, from attributes of the key's mentions (columns
`topic` and `subtopic` of a table), or from names such as topic/subtopic/document.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping

from corefeval._arrays import Ints, np
from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.document_names import strip_conll_name
from corefeval.errors import Fault, InputError, OptionError
from corefeval.formats.shared.diagnostics import Diagnostics
from corefeval.formats.shared.files import read_bytes
from corefeval.formats.shared.lines import decode_strictly
from corefeval.notices import count_things

TOPIC, SUBTOPIC, DOCUMENT = "topic", "subtopic", "document"
LEVELS = (DOCUMENT, SUBTOPIC, TOPIC, "corpus")
"""From the narrowest to the widest."""

_GROUP = "(?P<"


class Topics(NamedTuple):
    """The topic and the subtopic of a document; "" where it has none."""

    topic: str = ""
    subtopic: str = ""


class Groups(NamedTuple):
    """Groups of documents: their names, and for each document the number of its group.

    alone: whether no document is known to be in a group, so that each is taken for one.
    """

    names: tuple[str, ...]
    number: Ints
    alone: bool = False


_GROUP_NAMES: dict[str, Callable[[Topics], str]] = {
    "corpus": lambda _: "corpus",
    TOPIC: lambda topics: topics.topic,
    SUBTOPIC: lambda topics: "/".join(filter(None, topics)) if topics.subtopic else "",
}
"""By level, the name of the group of a document with these topics; "" if it is in none."""


def group_documents(key: Corpus, level: str, topics: str) -> Groups:
    """Return the groups of the key's documents at a level, in the order of their first documents.

    Where no document is in any, each is a group: files may have all documents of a topic in one. An InputError if some
    documents are in none. topics: see `find_topics`.
    """
    found = find_topics(key, topics)
    names = [_GROUP_NAMES[level](each) for each in found]
    if not any(names) and not topics:
        return Groups(key.documents, np.arange(len(names)), alone=True)
    lacking = [document for document, name in zip(key.documents, names, strict=True) if not name]
    if lacking:
        expected = "names such as topic/subtopic/document, or a table or regular expression that tells"
        hint = "topics=FILE.csv or topics=REGEX (--topics)"
        raise InputError(
            Fault(key.source or "the key", f"document {name!r} has no {level}", expected, hint, kind="no-group")
            for name in lacking
        )
    number: dict[str, int] = {}
    numbers = [number.setdefault(name, len(number)) for name in names]
    return Groups(tuple(number), np.array(numbers, dtype=np.int64))


def list_levels(key: Corpus, topics: str) -> tuple[str, ...]:
    """Return the levels at which all documents of a key are in a group, the narrowest first."""
    found = find_topics(key, topics)
    return (DOCUMENT, *(level for level in LEVELS[1:] if all(map(_GROUP_NAMES[level], found))))


def find_topics(key: Corpus, topics: str) -> list[Topics]:
    """Return the topics of each document of a key; an InputError or OptionError if the table or expression is faulty.

    topics: a regular expression with the named groups topic and subtopic, the path of a CSV with these columns and one
    of documents, or "": attributes of mentions tell, or else the names of documents.
    """
    if _GROUP in topics:
        return _search_names(key, topics)
    if topics:
        return _look_up_names(key, _read_table(topics))
    if TOPIC in key.attributes or SUBTOPIC in key.attributes:
        return _collect_attributes(key)
    return [_split_name(name) for name in key.documents]


def _split_name(name: str) -> Topics:
    """Return the topics in a name: topic/subtopic/document, or topic/document; none in other names.

    >>> _split_name("36/36ecb/1"), _split_name("36/36_1ecb")
    (Topics(topic='36', subtopic='36ecb'), Topics(topic='36', subtopic=''))
    """
    parts = strip_conll_name(name).split("/")
    return Topics(*parts[:-1][:2])


def _search_names(key: Corpus, pattern: str) -> list[Topics]:
    """Return the topics that a regular expression finds in documents' names; OptionError if it is none, or finds none.

    Where it does not match a name, that document has no topics.
    """
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise OptionError(f"topics={pattern} is no regular expression: {error}") from None
    if not {TOPIC, SUBTOPIC} & set(compiled.groupindex):
        raise OptionError(f"topics={pattern}: expected a group (?P<topic>…) or (?P<subtopic>…)")
    topics = []
    for name in key.documents:
        found = compiled.search(strip_conll_name(name))
        values = found.groupdict() if found else {}
        topics.append(Topics(values.get(TOPIC) or "", values.get(SUBTOPIC) or ""))
    return topics


def _collect_attributes(key: Corpus) -> list[Topics]:
    """Return the topics of documents by the attributes of their mentions; an InputError where these contradict."""
    empty = [""] * len(key)
    columns = (key.attributes.get(name) or empty for name in (TOPIC, SUBTOPIC))
    found: dict[int, dict[Topics, int]] = {}
    for row, (document, *values) in enumerate(zip(key.document.tolist(), *columns, strict=True)):
        found.setdefault(document, {}).setdefault(Topics(*map(str, values)), row)
    faults = [
        Fault(
            key.source or "the key",
            f"document {key.documents[document]!r} is in {' and '.join(map(_describe_topics, each))}",
            "one topic and one subtopic for each document",
            line=key.line(next(reversed(each.values()))),
            kind="two-topics",
        )
        for document, each in found.items()
        if len(each) > 1
    ]
    if faults:
        raise InputError(faults)
    # A document without mentions has no row that tells: its name may.
    return [next(iter(found[number])) if number in found else _split_name(name)
            for number, name in enumerate(key.documents)]  # fmt: skip


def _describe_topics(topics: Topics) -> str:
    """Return the topics of a document in words, for a message."""
    return f"topic {topics.topic!r}" + (f", subtopic {topics.subtopic!r}" if topics.subtopic else "")


def _look_up_names(key: Corpus, table: Mapping[str, Topics]) -> list[Topics]:
    """Return the topics that a table has for each document, by its name with or without CoNLL's brackets."""
    return [table.get(name) or table.get(strip_conll_name(name)) or Topics() for name in key.documents]


def _read_table(path: str) -> dict[str, Topics]:
    """Return {document: topics} of a CSV with the columns document, topic and subtopic; InputError with all faults."""
    diagnostics = Diagnostics(path)
    import csv  # noqa: PLC0415 - topics are seldom given

    rows = csv.reader(io.StringIO(decode_strictly(read_bytes(path), diagnostics), newline=""))
    diagnostics.raise_faults()
    head = [name.strip().lower() for name in next(rows, [])]
    if DOCUMENT not in head or not {TOPIC, SUBTOPIC} & set(head):
        what = f"the first row is {', '.join(head) or 'empty'}"
        diagnostics.add_fault(1, what, "the columns document, topic and subtopic, or one of these two")
        diagnostics.raise_faults()
    place = {name: head.index(name) for name in (DOCUMENT, TOPIC, SUBTOPIC) if name in head}
    found: dict[str, Topics] = {}
    for row in rows:
        if not row:
            continue
        if len(row) != len(head):
            diagnostics.add_fault(rows.line_num, count_things(len(row), "value"), f"{len(head)}, one for each column")
            continue
        values = {name: row[column] for name, column in place.items()}
        topics = Topics(values.get(TOPIC, ""), values.get(SUBTOPIC, ""))
        if found.setdefault(values[DOCUMENT], topics) != topics:
            what = f"document {values[DOCUMENT]!r} is in {_describe_topics(found[values[DOCUMENT]])} already"
            diagnostics.add_fault(rows.line_num, what, "one topic and one subtopic for each document")
    diagnostics.raise_faults()
    return found
