"""CoreNLP's JSON output (`-outputFormat json`, and what its server answers) with the annotator coref; read only.

    {"docId": "story.txt",
     "sentences": [{"tokens": [{"word": "Kim", "originalText": "Kim", "characterOffsetBegin": 0, ...}, ...]}, ...],
     "corefs": {"3": [{"text": "Kim", "type": "PROPER", "sentNum": 1, "startIndex": 1, "endIndex": 2, "headIndex": 1,
                       "number": "SINGULAR", "gender": "UNKNOWN", "animacy": "ANIMATE", ...}, ...]}}

`sentNum`, `startIndex` and `headIndex` are counted from 1, and `endIndex` is behind the last word. A word is its
`originalText`, as it is in the text ("(" rather than "-LRB-"). A file may have several such objects, one after another,
one per line, or in a list. A document is called by its `docId`, else by its file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TypeAlias

from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.formats.base import File
from corefeval.formats.draft import DocumentDraft, Draft, SentenceWords
from corefeval.formats.shared import json_values

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

TITLE = "CoreNLP's JSON output"
EXAMPLE = """{"docId": "story.txt", "sentences": [{"tokens": [{"word": "Kim", "originalText": "Kim"}]}],
 "corefs": {"3": [
   {"sentNum": 1, "startIndex": 1, "endIndex": 2, "headIndex": 1, "type": "PROPER"}]}}"""
SUFFIXES = (".json", ".corenlp.json")
COMPANIONS = ()
CAPACITY = None

_ATTRIBUTES = ("type", "number", "gender", "animacy")
_WITHIN_SENTENCES = (b'"originalText"', b'"characterOffsetBegin"', b'"basicDependencies"', b'"basic-dependencies"')
_MENTIONS = (b'"corefs"', b'"sentNum"', b'"startIndex"')
_BLANK = re.compile(r"\s*")


def recognise(beginning: bytes) -> str:
    """Return why a file with this beginning is CoreNLP's JSON, by names that only CoreNLP uses; "" if it is not."""
    if beginning.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] not in (b"{", b"["):
        return ""
    if b'"sentences"' in beginning and any(name in beginning for name in _WITHIN_SENTENCES):
        return "sentences as CoreNLP writes them"
    return "mentions as CoreNLP writes them" if all(name in beginning for name in _MENTIONS) else ""


def read(file: File) -> Corpus:
    """Return the corpus of all documents of a file that is in memory; raises InputError with all faults in it."""
    draft = Draft(file.name)
    hint = "convert it, or run CoreNLP with -outputEncoding utf-8"
    found = list(_read_objects(json_values.decode_text(file.data, draft, hint).rstrip(), draft))
    for number, (content, line) in enumerate(found, 1):
        plain = file.document if len(found) == 1 else f"{file.document}-{number}"
        _read_document(content, plain, line, draft)
    if not found and not draft.faults:
        draft.add_fault(1, "no document", "an object with sentences and corefs")
    return draft.build_corpus()


def _read_objects(text: str, draft: Draft) -> Iterator[tuple[Json, int]]:
    """Yield (value, line) for each JSON value, or each entry of a list, with the line of the list; add faults."""
    decoder = json.JSONDecoder(strict=False)  # older versions write control characters as they are
    place = line = counted = 0
    while (place := _BLANK.match(text, place).end()) < len(text):  # type: ignore[union-attr]
        line += text.count("\n", counted, place)
        counted = place
        try:
            content, place = decoder.raw_decode(text, place)
        except json.JSONDecodeError as error:
            where = text.count("\n", 0, error.pos) + 1
            draft.add_fault(where, f"not JSON ({error.msg})", "an object", "the file may be truncated")
            return
        except (ValueError, RecursionError) as error:
            draft.add_fault(line + 1, f"not JSON that can be read ({error})", "an object")
            return
        for each in content if isinstance(content, list) else [content]:
            yield each, line + 1


def _read_document(content: Json, plain: str, line: int, draft: Draft) -> None:
    """Add the document of a JSON object to the draft, with words, entities and mentions; add faults and notices."""
    if not isinstance(content, dict):
        draft.add_fault(line, f"{_describe(content)} is not a document", "an object with sentences and corefs")
        return
    given = content.get("docId")
    name = given if isinstance(given, str) and given else plain
    words = _read_sentences(content, name, line, draft)
    if "corefs" not in content:
        what, hint = f"document {name!r} has no corefs", "run CoreNLP with the annotator coref"
        draft.add_fault(line, what, "corefs", hint, kind="no-coreference")
        return
    if words is None:
        return
    sentences = words.sentences
    document = draft.add_document(name, words=sentences.words, sentence=sentences.sentence, line=line)
    corefs = content["corefs"]
    entities = dict(enumerate(corefs, 1)) if isinstance(corefs, list) else corefs
    if not isinstance(entities, dict):
        draft.add_fault(line, f"corefs of {name!r} are {_describe(corefs)}", "an object of lists of mentions")
        return
    for entity, mentions in entities.items():
        if not isinstance(mentions, list):
            draft.add_fault(line, f"entity {entity} of {name!r} is {_describe(mentions)}", "a list of mentions")
            continue
        document.describe_entity(str(entity))
        for number, mention in enumerate(mentions, 1):
            what = f"mention {number} of entity {entity} of {name!r}"
            _add_mention(str(entity), mention, what, document, words, line, draft)


class _CorenlpWords(NamedTuple):
    """The words of a document as they are in the text, and as CoreNLP spells them."""

    sentences: SentenceWords
    spelt: list[str]


def _read_sentences(content: dict[str, Json], name: str, line: int, draft: Draft) -> _CorenlpWords | None:
    """Return a document's words, as in the text and as CoreNLP spells them; None, with faults, if one is missing."""
    sentences = content.get("sentences")
    if not isinstance(sentences, list):
        what, hint = f"document {name!r} has no sentences", "run CoreNLP with the annotators tokenize and ssplit"
        draft.add_fault(line, what, "a list of sentences", hint)
        return None
    words: list[list[str]] = []
    spelt: list[str] = []
    for number, sentence in enumerate(sentences, 1):
        tokens = sentence.get("tokens") if isinstance(sentence, dict) else None
        written = [_list_spellings(token) for token in tokens] if isinstance(tokens, list) else [[]]
        if not all(written):
            draft.add_fault(line, f"sentence {number} of {name!r} lacks a word", "tokens with a word each")
            continue
        words.append([spellings[0] for spellings in written])
        spelt.extend(spellings[-1] for spellings in written)
    return _CorenlpWords(SentenceWords(words), spelt) if len(words) == len(sentences) else None


def _list_spellings(token: Json) -> list[str]:
    """Return those that a token has of originalText, as in the text, and word, as CoreNLP spells it; [] if none."""
    fields = [token.get(field) for field in ("originalText", "word")] if isinstance(token, dict) else []
    return [field for field in fields if isinstance(field, str) and field]


def _add_mention(
    entity: str, mention: Json, what: str, document: DocumentDraft, words: _CorenlpWords, line: int, draft: Draft
) -> None:
    """Add a mention, or a fault if it is malformed; `what` names it in messages; also add notices."""
    fields = mention if isinstance(mention, dict) else {}
    numbers = [fields.get(field) for field in ("sentNum", "startIndex", "endIndex")]
    whole = [number for number in numbers if isinstance(number, int) and not isinstance(number, bool)]
    if len(whole) < len(numbers):
        found = f"{what} is {_describe(mention)} with {', '.join(map(_describe, numbers))} for its place"
        draft.add_fault(line, found, "numbers for sentNum, startIndex and endIndex")
        return
    sentence, start, end = whole
    first, last = (words.sentences.find_word(sentence - 1, place) for place in (start - 1, end - 2))
    if first is None or last is None or not 1 <= start < end:
        found = f"{what}, words {start} to {end} of sentence {sentence}, is not within the sentences"
        expected = "numbers counted from 1, and endIndex behind the mention"
        draft.add_fault(line, found, expected, kind="mention-outside")
        return
    text = fields.get("text")
    here = [spelling[first : last + 1] for spelling in (words.spelt, words.sentences.words)]
    if isinstance(text, str) and "".join(text.split()) not in ("".join("".join(each).split()) for each in here):
        message = f"{what} is quoted as {text[:60]!r}, where its words are {' '.join(here[1])[:60]!r}"
        draft.add_notice("text-differs", line, message)
    number = fields.get("headIndex")
    head = first - start + number if isinstance(number, int) else -1
    has_head = first <= head <= last
    if number is not None and not has_head:
        message = f"{what} has a head, {_describe(number)}, that is not in it and is left out"
        draft.add_notice("head-outside", line, message)
    values = {name: fields.get(name) for name in _ATTRIBUTES}
    attributes = {name: value for name, value in values.items() if isinstance(value, str) and value}
    document.add_mention(entity, (first, last), head=(head, head) if has_head else None, attributes=attributes)


def _describe(value: Json) -> str:
    """Return the kind of a JSON value for a message, such as "a list", or a number itself, cut short."""
    names = {dict: "an object", list: "a list", str: "a string", bool: "a truth value", type(None): "nothing"}
    return names.get(type(value)) or str(value)[:40]
