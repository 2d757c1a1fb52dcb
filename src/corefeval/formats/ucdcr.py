"""uCDCR's mentions as JSON, and documents as Parquet or CoNLL (github.com/anastasia-zhukova/uCDCR).

    [{"coref_chain": "ACT1", "conll_doc_key": "36/36ecb/1", "sent_id": 1, "tokens_number": [14, 15],
      "mention_type": "ACT", "topic_id": "36", "subtopic_id": "36ecb"}]

    #begin document (36/36ecb/1); part 0
    36/36ecb/1	1	14	was	(ACT1
    36/36ecb/1	1	15	charged	ACT1)| (HUM7)
    #end document

`event_mentions.json` and `entity_mentions.json` have a mention for each object: its entity, its document, its sentence,
and its tokens in the sentence. The attribute `kind` is "event" or "entity" by the name of the file, `type` is
mention_type. Both files are of the same documents; "ucdcr:also=event_mentions.json" reads a second one with the first.
Mentions are known by sentence and tokens, and go from the first to the last; with "documents=all_documents.parquet"
they are words.

Documents have a word on each row, with the columns topic/subtopic_name/doc, sent_id, token_id, token and reference; in
Parquet by these names (which needs `corefeval[tables]` and `--format ucdcr`, for a table is expected there otherwise),
with "split=test" only the rows of a split. References are brackets as in CoNLL, with bars and blanks between them.

Documents are named topic/subtopic/document, and an entity's name means the same entity in all of them. Where a file
does not close its brackets, it is refused. `--profile ucdcr` scores as the authors' code does (Zhukova et al. 2026).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import repeat
from pathlib import PurePath
from typing import Any

from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.errors import OptionError
from corefeval.formats.base import File
from corefeval.formats.draft import DocumentDraft, Draft
from corefeval.formats.shared import json_values, lines
from corefeval.formats.shared.arrow import load_arrow
from corefeval.formats.shared.bracket_cells import CellReader
from corefeval.formats.shared.spanning import advise_level as advise_across_documents

__all__ = ["CAPACITY", "COMPANIONS", "EXAMPLE", "SUFFIXES", "TITLE", "advise_across_documents", "read", "recognise"]

TITLE = "uCDCR's mentions (JSON) and documents (CoNLL, Parquet)"
EXAMPLE = """#begin document (36/36ecb/1); part 0
36/36ecb/1	1	14	was	(ACT1
36/36ecb/1	1	15	charged	ACT1)| (HUM7)
#end document"""
SUFFIXES = ("_mentions.json", ".conll")
COMPANIONS = ()
CAPACITY = None

_PARQUET = b"PAR1"
_COLUMNS = ("topic/subtopic_name/doc", "sent_id", "token_id", "token", "reference")
_EXPECTED = f"five columns between tabs: {', '.join(_COLUMNS)}"
_FIRST_ROW = re.compile(
    rb"^#begin document \((?P<name>[^/\n]+/[^/\n]+/[^\n]+)\); part \d\n(?P=name)\t\d+\t\d+\t[^\t\n]*\t\S", re.MULTILINE
)
_FIELDS = ("coref_chain", "conll_doc_key", "sent_id", "tokens_number")
_EVENTS = ("ACT", "NEG", "EVENT")


class _WordRow(NamedTuple):
    """A word: its document, sentence and number in it, itself, its reference, and the line of the file."""

    document: str
    sentence: int
    token: int
    word: str
    reference: str
    line: int


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is uCDCR's, by the fields of mentions or the first row of a document."""
    is_json = not beginning.startswith(b"#")
    if is_json and b'"coref_chain"' in beginning and b'"tokens_number"' in beginning:
        return "mentions with coref_chain and tokens_number"
    if b"#begin document (" not in beginning:
        return ""
    return "documents named topic/subtopic/document" if _FIRST_ROW.search(beginning.replace(b"\r\n", b"\n")) else ""


def read(file: File, split: str = "", documents: str = "", also: str = "") -> Corpus:
    """Return the corpus of a file that is in memory; raises InputError with all faults in it.

    split: of the rows of a Parquet file. documents: the path of one with the words, for a file of mentions.
    also: the path of a second file of mentions.
    """
    draft = Draft(file.name)
    beginning = file.data[:64].removeprefix(b"\xef\xbb\xbf").lstrip()
    if beginning.startswith(_PARQUET):
        _add_words(_read_parquet(file.data, split, draft), draft, with_references=True)
    elif not beginning.startswith(b"["):
        _add_words(_read_conll(file.data, draft), draft, with_references=True)
    else:
        rows = _read_parquet(_read_other(file, "documents", documents), split, draft) if documents else []
        words = _add_words(rows, draft, with_references=False)
        _add_mentions(_read_mentions(file.name, file.data, draft), words if documents else None, draft)
        if also:
            mentions = _read_mentions(also, _read_other(file, "also", also), draft)
            _add_mentions(mentions, words if documents else None, draft)
    if not draft.documents and not draft.faults:
        draft.add_fault(1, "no document", _EXPECTED)
    return draft.build_corpus().replace(shared_names=True)


def _read_other(file: File, option: str, path: str) -> bytes:
    """Return the content of another file, given by its path or by its name beside the first; OptionError if none."""
    data = file.elsewhere(path)
    if data is None:
        data = file.elsewhere(str(PurePath(file.name).with_name(path)) if "/" not in path else path)
    if data is None:
        raise OptionError(f"{option}={path}: there is no such file")
    return data


def _read_conll(data: bytes, draft: Draft) -> Iterator[_WordRow]:
    """Yield the rows of a file of columns; add faults of those that have others."""
    for number, line in enumerate(lines.decode_strictly(data, draft).split("\n"), 1):
        if not line.strip() or re.match("#(begin|end) document", line):
            continue
        columns = line.split("\t")
        if len(columns) != len(_COLUMNS) or not columns[1].isdecimal() or not columns[2].isdecimal():
            draft.add_fault(number, f"{line[:40]!r} is no row of a document", _EXPECTED)
        else:
            document, sentence, token, word, reference = columns
            yield _WordRow(document, int(sentence), int(token), word, reference, number)


def _read_parquet(data: bytes, split: str, draft: Draft) -> list[_WordRow]:
    """Return the rows of a Parquet file, of one split if asked for; faults if it is damaged or lacks columns."""
    arrow = load_arrow(draft.source)
    from pyarrow import parquet  # noqa: PLC0415 - see load_arrow

    try:
        file = parquet.ParquetFile(arrow.BufferReader(data))
        names = file.schema_arrow.names
        wanted = [*_COLUMNS, *(["split"] if split else [])]
        lacking = [name for name in wanted if name not in names]
        columns = {} if lacking else file.read(columns=wanted).to_pydict()
    except Exception as error:  # noqa: BLE001 - pyarrow raises errors of many kinds where data is damaged
        draft.add_fault(None, f"damaged, or no Parquet ({str(error)[:80]})")
        return []
    if lacking:
        draft.add_fault(None, f"no column {lacking[0]}", ", ".join(_COLUMNS))
        return []
    if split and split not in columns["split"]:
        known = ", ".join(dict.fromkeys(map(str, columns["split"])))
        raise OptionError(f"split={split}: {draft.source} has {known}")
    rows = zip(*(columns[name] for name in _COLUMNS), columns.get("split") or repeat(""), strict=False)
    return [
        _WordRow(str(document), int(sentence), int(token), str(word), str(reference or "-"), 0)
        for document, sentence, token, word, reference, part in rows
        if part == split
    ]


class _DocumentWords(NamedTuple):
    """A document, and the places of its words by sentence and token."""

    draft: DocumentDraft
    place: Mapping[tuple[int, int], int]


def _add_words(rows: Iterable[_WordRow], draft: Draft, *, with_references: bool) -> dict[str, _DocumentWords]:
    """Add documents with their words, and the mentions of their references if asked for; return them by name."""
    by_document: dict[str, list[_WordRow]] = {}
    for row in rows:
        by_document.setdefault(row.document, []).append(row)
    found = {}
    for name, words in by_document.items():
        document = draft.add_document(
            name,
            words=[row.word for row in words],
            sentence=[row.sentence for row in words],
            lines=[row.line for row in words],
        )
        found[name] = _DocumentWords(document, {(row.sentence, row.token): place for place, row in enumerate(words)})
        if with_references:
            cells = CellReader(document, draft)
            for place, row in enumerate(words):
                cells.read_cell(row.reference, place, row.line)
            cells.close()
    return found


def _read_mentions(name: str, data: bytes, draft: Draft) -> Iterator[dict[str, Any]]:
    """Yield the mentions of a JSON file, each with its `kind`; add faults of those that lack what identifies them."""
    objects = json_values.iterate_objects(json_values.decode_text(data, draft).rstrip(), draft)
    of_file = re.match("event|entity|entities", PurePath(name).name.lower())
    for number, (line, mention) in enumerate(objects, 1):
        if not isinstance(mention, dict) or not _is_whole(mention):
            draft.add_fault(line, f"mention {number} is not whole", f"{', '.join(_FIELDS)}, the last one a list")
            continue
        by_type = "event" if str(mention.get("mention_type", "")).upper().startswith(_EVENTS) else "entity"
        yield mention | {
            "line": line,
            "kind": by_type if of_file is None else "event" if of_file[0] == "event" else "entity",
        }


def _is_whole(mention: Mapping[str, Any]) -> bool:
    """Return whether a mention has an entity, a document, a sentence and tokens."""
    tokens = mention.get("tokens_number")
    if any(name not in mention for name in _FIELDS) or not isinstance(tokens, list) or not tokens:
        return False
    return all(type(number) is int for number in (*tokens, mention["sent_id"]))


def _add_mentions(
    mentions: Iterable[Mapping[str, Any]], words: Mapping[str, _DocumentWords] | None, draft: Draft
) -> None:
    """Add mentions to their documents: as words, if these are known, else by sentence and tokens; add faults."""
    drafts = {each.name: each for each in draft.documents}
    for mention in mentions:
        name, sentence = str(mention["conll_doc_key"]), mention["sent_id"]
        first, last = min(mention["tokens_number"]), max(mention["tokens_number"])
        attributes = {"kind": mention["kind"], "type": str(mention.get("mention_type", ""))}
        if words is None:
            if name not in drafts:
                drafts[name] = draft.add_document(name)
            drafts[name].add_mention(
                str(mention["coref_chain"]), f"{sentence}:{first}-{last}", line=mention["line"], attributes=attributes
            )
            continue
        place = words[name].place if name in words else {}
        if (sentence, first) not in place or (sentence, last) not in place:
            what = f"tokens {first} to {last} of sentence {sentence} of document {name!r} are not in the documents"
            draft.add_fault(mention["line"], what, "a place in the text", kind="mention-outside")
        else:
            span = place[sentence, first], place[sentence, last]
            words[name].draft.add_mention(str(mention["coref_chain"]), span, attributes=attributes)
