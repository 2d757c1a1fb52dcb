"""Every format that is written, and every pair of them: there and back gives the same corpus for what both can carry."""

from __future__ import annotations

import json
import shutil
from itertools import compress
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

import corefeval
from corefeval import Corpus, InputError
from corefeval.corpus.mentions import Spans
from corefeval.formats import registry
from corefeval.formats.base import File
from corefeval.formats.draft import Draft
from corefeval.formats.shared.fitting import fit_corpus

if TYPE_CHECKING:
    from collections.abc import Mapping

WRITTEN = [name for name in registry.BUILT_IN if registry.load_format(name).CAPACITY is not None]
ODD_WORDS = [
    "Kim",
    "n't",
    "(",
    ")",
    "-LRB-",
    "é",
    "日本",
    "#",
    "-",
    "_",
    "1",
    "<a>",
    "&amp;",
    "e1)",
    "|",
    "%",
    "\\",
    "a,b",
    '"',
]


def test_which_formats_are_written() -> None:
    assert set(WRITTEN) >= {"conll", "corefud", "ua", "jsonlines", "json", "muc", "brat", "table"}


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    """Documents with odd words, sentences, zeros, mentions with gaps, heads, minimums, names and attributes."""
    draft = Draft("made up")
    for number in range(draw(st.integers(1, 3))):
        size = draw(st.integers(1, 9))
        words = draw(st.lists(st.sampled_from(ODD_WORDS), min_size=size, max_size=size))
        breaks = draw(st.lists(st.booleans(), min_size=size, max_size=size))
        sentence = [sum(breaks[1 : place + 1]) for place in range(size)]
        empty = draw(st.lists(st.sampled_from([False, False, False, True]), min_size=size, max_size=size))
        document = draft.add_document(f"doc-{number}", words=words, sentence=sentence, empty=empty)
        for entity in range(draw(st.integers(0, 4))):
            name = f"e{entity + 1}"
            for mention in draw(mentions(size)):
                first, last = mention[0]
                document.add_mention(name, mention, head=(first, first) if draw(st.booleans()) else None,
                                 minimum=(last, last) if draw(st.booleans()) else None)  # fmt: skip
            if draw(st.booleans()):
                document.describe_entity(name, type=draw(st.sampled_from(["person", "place"])))
    return draft.build_corpus()


@st.composite
def mentions(draw: st.DrawFn, size: int) -> list[tuple[tuple[int, int], ...]]:
    found = draw(
        st.lists(st.lists(st.integers(0, size - 1), min_size=1, max_size=4, unique=True), min_size=1, max_size=4)
    )
    return list(dict.fromkeys(_runs(words) for words in found))


def _runs(words: list[int]) -> tuple[tuple[int, int], ...]:
    runs: list[tuple[int, int]] = []
    for word in sorted(words):
        if runs and runs[-1][1] == word - 1:
            runs[-1] = (runs[-1][0], word)
        else:
            runs.append((word, word))
    return tuple(runs)


def through(corpus: Corpus, name: str) -> Corpus:
    """Written and read again."""
    content = registry.load_format(name).write(corpus)
    if isinstance(content, bytes):
        return registry.load_format(name).read(File("file", content, "doc-0", lambda suffix: None))
    return _joined(name, content)


def _joined(name: str, files: Mapping[str, bytes]) -> Corpus:
    """A format of a file for every document: those that are not companions are read one by one."""
    format_ = registry.load_format(name)
    parts = []
    for path, data in files.items():
        if path.endswith(format_.COMPANIONS):
            continue
        stem = registry.strip_suffix(path, format_.SUFFIXES)
        file = File(path, data, stem, lambda suffix, stem=stem: files.get(stem + suffix))  # type: ignore[misc]
        parts.append(format_.read(file))
    return parts[0] if len(parts) == 1 else Corpus.join(parts, source="files")


def fit(corpus: Corpus, name: str) -> Corpus:
    capacity = registry.load_format(name).CAPACITY
    assert capacity is not None
    return fit_corpus(corpus, capacity, name)[0]


def view(corpus: Corpus, *, names: bool, words: bool = True) -> Any:
    """What must survive, in an order that does not depend on the file's."""
    found = {}
    for document in corpus:
        entities = []
        for entity in document:
            here = [(mention.id, mention.head, mention.minimum) for mention in entity]
            entities.append((entity.name if names else "", sorted(here, key=repr), sorted(entity.attributes.items())))
        content = (document.sentences, document.text) if words else ()
        empty = None if corpus.tokens is None or corpus.tokens.empty is None else corpus.tokens.empty.tolist()
        found[document.name] = (content, empty, sorted(entities, key=repr))
    return found


def carried(*formats: str) -> dict[str, bool]:
    """Whether all formats carry names of entities, and words."""
    capacities = [
        capacity for capacity in (registry.load_format(name).CAPACITY for name in formats) if capacity is not None
    ]
    return {"names": all(each.names for each in capacities), "words": all(each.words for each in capacities)}


@pytest.mark.parametrize("name", WRITTEN)
@settings(
    max_examples=3 * settings().max_examples // 5,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(corpus=corpora())
def test_written_and_read_again_is_the_same(name: str, corpus: Corpus) -> None:
    part = fit(corpus, name)
    assert view(through(part, name), **carried(name)) == view(part, **carried(name))


@pytest.mark.parametrize("first", WRITTEN)
@settings(
    max_examples=3 * settings().max_examples // 10,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(corpus=corpora())
def test_there_and_back_is_the_same_for_what_both_can_carry(first: str, corpus: Corpus) -> None:
    here = through(fit(corpus, first), first)
    for second in WRITTEN:
        note(f"from {first} to {second}")
        if second != first:
            check_way_back(here, first, second)


def check_way_back(here: Corpus, first: str, second: str) -> None:
    """A corpus in the first format is the same after it was in the second, as far as that can carry it."""
    try:
        expected = fit(fit(here, second), first)
        if not expected.documents:
            return  # a table of a corpus without mentions
        there = through(fit(here, second), second)
        back = through(fit(there, first), first)
    except InputError as error:
        refusals = ("words are not known", "not a span", "has no words")
        assert any(refusal in str(error) for refusal in refusals)  # noqa: PT017
        return
    assert view(back, **carried(first, second)) == view(expected, **carried(first, second))


@pytest.mark.parametrize("name", WRITTEN)
def test_an_empty_document_survives(name: str) -> None:
    draft = Draft("made up")
    draft.add_document("doc-0", words=["a", "b"]).add_mention("e1", (0, 0))
    draft.add_document("doc-1", words=["c"])
    part = fit(draft.build_corpus(), name)
    again = through(part, name)
    assert again.documents == part.documents
    assert again.entities() == part.entities()


@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_written_is_recognised(name: str, tmp_path: Any) -> None:
    draft = Draft("made up")
    document = draft.add_document("doc-0", words=["Kim", "saw", "her"])
    document.add_mention("e1", (0, 0))
    document.add_mention("e1", (2, 2))
    format_ = registry.load_format(name)
    target = tmp_path / f"file{format_.SUFFIXES[0]}"
    corefeval.write(draft.build_corpus(), target)
    assert corefeval.read(target).format == name
    bare = target.rename(tmp_path / "file") if name != "brat" else target
    assert corefeval.read(bare).format == name
    assert PurePath(bare).name in (f"file{format_.SUFFIXES[0]}", "file")


@pytest.mark.parametrize("name", [name for name in WRITTEN if registry.load_format(name).CAPACITY.units[0] == "word"])  # type: ignore[union-attr]
def test_what_is_lost_is_counted_and_named(name: str) -> None:
    draft = Draft("made up")
    document = draft.add_document(
        "doc-0", words=["a", "_", "b", "c"], empty=[False, True, False, False], sentence=[0, 0, 0, 1]
    )
    document.add_mention("x", ((0, 0), (2, 2)), head=(0, 0), minimum=(2, 2), attributes={"level": "NAM"})
    document.add_mention("x", (1, 1))
    document.add_mention("x", (3, 3), head=(3, 3), minimum=(3, 3))
    document.describe_entity("x", type="person")
    capacity = registry.load_format(name).CAPACITY
    assert capacity is not None
    part, left = fit_corpus(draft.build_corpus(), capacity, name)
    kinds = {notice.kind for notice in left}
    assert ("lost-zero" in kinds) == (not capacity.zeros)
    # Without the zero between them, the two parts of the mention are one.
    assert ("lost-discontinuous" in kinds) == (capacity.zeros and capacity.discontinuous == "none")
    assert ("lost-heads" in kinds) == (not capacity.heads)
    assert ("lost-minimum-spans" in kinds) == (not capacity.minimums)
    assert ("lost-words" in kinds) == (not capacity.words)
    assert isinstance(part.mentions, Spans)
    assert all(isinstance(notice.details["count"], int) for notice in left)
    assert json.dumps([notice.to_dict() for notice in left])


ODD_NAMES = [
    "d",
    "",
    " ",
    "a b",
    " a ",
    "a  b",
    "a\tb",
    "a\nb",
    "a\r\nb",
    "a\0b",
    "a\x1b[31mb",
    "a\x85b",
    "a\u2028b",
    "a\x1fb",
    "(a",
    "a)",
    "[1]",
    "a|b",
    "1+2",
    "-",
    "_",
    "*",
    "é",
    "a/b",
    "..",
    "a,b",
    '"a"',
    "'",
    "<a>",
    "&amp;",
    "#",
    "=1",
    "(x); part 003",
    "x_3",
    "\ufeffa",
    "\\",
    "a-b",
    "@a",
    "a%",
    "1.0",
    "null",
    "\ud800",
]
# What str.split and str.splitlines take for white space, and what else terminals and tables may stumble over.
CONTROLS = ["a\x0bb", "a\x0c", "\x1ca", "a\x1db", "\x1e", "a\x1fb", "a\x85b", "a\u2028b", "\x1b[31m", "a\x7f", "a\rb"]
ODD_FORMS = [*ODD_WORDS, "-RCB-", "``", "''", "a-LRB-b", "", "a b", "\t", "\xa0", "x\ny", "\0", "\r", *CONTROLS]
TEXTS = [
    "a\x0bb \x1cc",
    "a\x85b\u2028c \x0c",
    "\x1f a\rb",
    "Kim saw her",
    " a  b\n\nc ",
    "日本 (x) <y> & z",
    "a\tb",
    "x\r\ny",
    "a\0b",
    "- n't \xa0 .",
    "\n",
    "e\u0301a",
]
LABELS: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from(
        [
            *ODD_NAMES,
            0,
            7,
            -1,
            2**70,
            1.5,
            0.1,
            1e300,
            2.0,
            True,
            None,
            (1, 2),
            (0, 3),
            ("a", 1),
            (1.5,),
            ((0, 1), (3, 4)),
        ]
    )
)


@st.composite
def odd_corpora(draw: st.DrawFn) -> Corpus:
    """Corpora of words, of characters or of labels with odd names; mentions may be there twice; few or no documents."""
    unit = draw(st.sampled_from(["word", "word", "character", "label"]))
    names = draw(st.lists(st.sampled_from(ODD_NAMES), max_size=3, unique=True))
    entities = st.lists(st.sampled_from(ODD_NAMES), max_size=3, unique=True)
    if unit == "label":
        listed = {name: [draw(st.lists(LABELS, min_size=1, max_size=3)) for _ in draw(entities)] for name in names}
        return Corpus.from_entities(listed, source="made up")
    draft = Draft("made up")
    for name in names:
        if unit == "word":
            words = draw(st.lists(st.sampled_from(ODD_FORMS), max_size=7))
            size = len(words)
            empty = draw(st.lists(st.sampled_from([False, False, True]), min_size=size, max_size=size))
            document = draft.add_document(name, words=words, sentence=[0] * size, empty=empty)
        else:
            text = draw(st.sampled_from(TEXTS))
            size = len(text)
            document = draft.add_document(name, text=text)
        for entity in draw(entities) if size else ():
            for mention in [each for _ in range(draw(st.integers(1, 2))) for each in draw(mentions(size))]:
                document.add_mention(entity, mention)
    return draft.build_corpus()


def list_words(corpus: Corpus) -> dict[str, list[str]]:
    """The words of documents that have some, without those that are not written."""
    if corpus.tokens is None:
        return {}
    found = {
        name: list(compress(corpus.tokens.words(row), ~corpus.tokens.unwritten[corpus.tokens.rows(row)]))
        for row, name in enumerate(corpus.documents)
    }
    return {name: words for name, words in found.items() if words}


def check_conversion(source: Corpus, name: str, folder: Path) -> Corpus | None:
    """Write a corpus and read it again: all mentions are there, or notices say how many are not; None if refused."""
    shutil.rmtree(folder, ignore_errors=True)
    path = folder if name == "brat" else folder / f"file{registry.load_format(name).SUFFIXES[0]}"
    folder.mkdir()
    try:
        notices = corefeval.write(source, path, name)
    except InputError as error:
        assert all(fault.source and fault.what for fault in error.faults)  # noqa: PT017
        assert not list(folder.iterdir())
        return None
    again = corefeval.read(path, name)
    kinds = {notice.kind for notice in notices}
    renamed = {str(n.details["written"]): str(n.details["document"]) for n in notices if n.kind == "lost-document-name"}
    back = again.rename_documents({old: renamed.get(old, old) for old in again.documents})
    if "lost-documents-without-mentions" not in kinds:
        assert sorted(back.documents) == sorted(source.documents)
    if (
        source.tokens is not None
        and source.unit == back.unit == "word"
        and not kinds & {"lost-words", "lost-blanks", "lost-empty-words"}
    ):
        assert list_words(back) == list_words(source)
    try:
        # Of a few strange words, most may be written otherwise, which is no other text here.
        scored = corefeval.score(source, back, measures=["mentions"], duplicates="keep", max_change="1")["mentions"]
    except InputError as error:
        assert {fault.kind for fault in error.faults} == {"units"}  # noqa: PT017 - words against characters, not known
        assert {"lost-words", "lost-characters-of-text"} & kinds
        return again
    explained = sum(int(str(notice.details.get("mentions", 0))) for notice in notices)
    assert scored.recall_denominator - scored.recall_numerator <= explained, notices
    assert scored.precision_denominator - scored.precision_numerator <= explained, notices
    return again


@settings(
    max_examples=3 * settings().max_examples,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(corpus=odd_corpora())
def test_what_is_written_has_all_mentions_or_notices_explain_what_is_lost(corpus: Corpus, tmp_path: Path) -> None:
    for name in WRITTEN:
        note(f"to {name}")
        check_conversion(corpus, name, tmp_path / "out")


@pytest.mark.parametrize("first", WRITTEN)
@settings(
    max_examples=2 * settings().max_examples // 5,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(corpus=odd_corpora())
def test_what_is_converted_has_all_mentions_or_notices_explain_what_is_lost(
    first: str, corpus: Corpus, tmp_path: Path
) -> None:
    source = check_conversion(corpus, first, tmp_path / "first")
    if source is None:
        return
    source = source.replace(unnamed=frozenset())  # what is written has the names that they were read under
    for second in WRITTEN:
        note(f"from {first} to {second}")
        check_conversion(source, second, tmp_path / "second")
