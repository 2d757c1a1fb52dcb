"""From files, uploads and the papers' examples to projects: all sides on one text."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from corefeval import formats
from corefeval._arrays import Ints
from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Spans
from corefeval.errors import Fault, InputError, OptionError, suggest_names
from corefeval.lab.papers import load_papers
from corefeval.lab.partitions import AnyEntities, ComparedSides, Partitions
from corefeval.lab.registry import STUDIES, load_partitions
from corefeval.lab.studies.popescu_belis_examples import make_examples
from corefeval.matching.documents import pair_documents
from corefeval.notices import Notice, hold_announcements
from corefeval.workbench.annotations import Annotation, Content, read_annotations, read_contents
from corefeval.workbench.project import SUFFIX, Project, StartingSide

_MOST_NOTICES = 50
KEY = "key"
PROJECT_SUFFIXES = (SUFFIX, f"{SUFFIX}-wal", f"{SUFFIX}-shm")


class Opened(NamedTuple):
    """What a project starts with."""

    contents: list[Content]
    sides: dict[str, StartingSide]
    notices: list[str]


def join_sides(corpora: Mapping[str, Corpus], *, empty_key: bool = False) -> Opened:
    """Return several corpora as sides of one text, that of the first; InputError if the others have another one.

    empty_key: whether a side "key" without mentions is put in front, to be made from the others.
    """
    (first, base), *others = corpora.items()
    base = base.in_own_words()
    found: list[Notice] = list(base.notices)
    moved = {first: base}
    for name, corpus in others:
        moved[name], more = _bring_to_text(base, corpus, name)
        found += more
    contents = read_contents(base, list(moved.values())[1:])
    _check_names(contents, base)
    notices = [notice.message for notice in found]
    sides = {}
    for name, corpus in moved.items():
        annotations, outside = read_annotations(corpus, contents)
        notices += [f"{name}: {text!r} lies outside of the text and is left out" for text in outside]
        sides[name] = StartingSide(annotations, corpora[name].source)
    if empty_key:
        sides = {_find_free_name(KEY, sides): StartingSide([Annotation()] * len(contents))} | sides
    left = len(notices) - _MOST_NOTICES
    return Opened(contents, sides, notices[:_MOST_NOTICES] + ([f"and {left} more"] if left > 0 else []))


def _bring_to_text(base: Corpus, corpus: Corpus, name: str) -> tuple[Corpus, Sequence[Notice]]:
    """Return a corpus with the documents of a base, in its words, and notices; InputError if that is not possible."""
    with hold_announcements():
        paired = pair_documents(base, corpus)
    response = paired.response
    if base.unit == "label" or not isinstance(response.mentions, Spans):
        if base.unit != "label" or isinstance(response.mentions, Spans):
            what = f"{name} has mentions that are {corpus.unit}s, {base.source or 'the first side'} has {base.unit}s"
            raise InputError(Fault(corpus.source or name, what, "sides of one kind", kind="units"))
        return response, (*corpus.notices, *paired.notices)
    ours, theirs = base.tokens, response.tokens
    same_words = ours is not None and theirs is not None and np.array_equal(ours.bounds, theirs.bounds)
    if same_words or (ours is None and base.texts is None):
        layers = {layer: each.in_own_words() for layer, each in response.layers.items()}
        return response.in_own_words().replace(layers=layers), (*corpus.notices, *paired.notices)
    unwritten = [side for side in (ours, theirs) if side is not None and side.empty is not None]
    if unwritten:
        what = f"{name} has other words, and unwritten ones among them"
        raise InputError(Fault(corpus.source or name, what, "the same words on all sides of a project", kind="units"))
    within = np.array([len(content) for content in _list_texts(base)], dtype=np.int64)
    moved = _count_as_base(response, within)
    layers = {layer: _count_as_base(each, within) for layer, each in response.layers.items()}
    lost = sum(int(np.count_nonzero(spans.start >= 0)) for spans in (response.heads, response.minimums) if spans)
    left_out = f"{name} has other words than the first side: its heads and minimums ({lost:,}) are left out"
    more = (Notice("lost-heads", left_out, {"count": lost}),) if lost else ()
    return moved.replace(layers=layers), (*corpus.notices, *paired.notices, *more)


def _count_as_base(corpus: Corpus, within: Ints) -> Corpus:
    """Return a corpus whose spans, and those of relations, are those in the words of the base, without what is outside.

    within: how many words, or characters, each document of the base has.
    """
    assert isinstance(corpus.mentions, Spans)  # noqa: S101 - the caller has seen to it
    kept = corpus.keep(corpus.mentions.end < within[corpus.document])
    spans = kept.mentions
    assert isinstance(spans, Spans)  # noqa: S101 - as before
    plain = Spans(spans.start, spans.end, spans.pieces)
    names = [kept.documents[number] for number in kept.document.tolist()]
    moved = dict(zip(zip(names, spans.own.objects(), strict=True), plain.objects(), strict=True))
    relations = (
        each._replace(source=moved.get((each.document, each.source), each.source)) for each in corpus.relations
    )
    return kept.replace(mentions=plain, heads=None, minimums=None, relations=tuple(relations))


def _list_texts(base: Corpus) -> list[Sequence[str]]:
    """Return the words of each document, or its text."""
    if base.tokens is not None:
        return [base.tokens.words(number) for number in range(len(base.documents))]
    return list(base.texts or ())


def _check_names(contents: Sequence[Content], base: Corpus) -> None:
    """Raise an InputError if there is no document."""
    if not contents:
        raise InputError(Fault(base.source or "the first side", "no document", "at least one"))


def _find_free_name(name: str, taken: Mapping[str, object]) -> str:
    """Return a name that is not taken: itself, or with a number behind it."""
    number, free = 2, name
    while free in taken:
        free, number = f"{name} {number}", number + 1
    return free


def create_project(path: str, title: str, opened: Opened) -> Project:
    """Make a project file of what was opened."""
    return Project.create(path, title, opened.contents, opened.sides, opened.notices)


def read_upload(name: str, data: bytes, format_: str | None = None) -> Corpus:
    """Return the corpus of a file that was sent: its bytes, and its name, whose suffix may tell the format."""
    plain = Path(name.replace("\\", "/")).name
    if not plain or plain in (".", "..") or "\0" in plain or len(plain.encode()) > 200:
        raise OptionError("a file's name is expected to be plain, of at most 200 bytes")
    with tempfile.TemporaryDirectory() as folder, hold_announcements():
        path = Path(folder) / plain
        path.write_bytes(data)
        try:
            corpus = formats.read(path, format_)
        except InputError as error:
            faults = [fault._replace(source=fault.source.replace(str(path), plain)) for fault in error.faults]
            raise InputError(faults, unlisted=error.unlisted) from None
    notices = tuple(each._replace(message=each.message.replace(str(path), plain)) for each in corpus.notices)
    return corpus.replace(source=plain, files=(), notices=notices)


def list_examples() -> dict[str, str]:
    """Return the names of the papers' examples, and where each comes from."""
    cases = {case["id"]: case["source"] for case in load_papers()["cases"]}
    made = {f"popescu-belis-{number}": "Popescu-Belis tables 3 and 4, sizes chosen" for number in "456"}
    return cases | made


def open_example(name: str) -> Opened:
    """Return the key and the responses of a paper's example, or of a study of the laboratory.

    OptionError, with names most like it, if there is none, or if the study has no partitions.
    """
    known = list_examples()
    if name in STUDIES:
        partitions = load_partitions(name)
        if not partitions:
            raise OptionError(f"{name} is a study of printed numbers: it has no partitions to open")
        return open_partitions(partitions)
    if name not in known:
        raise OptionError(f"there is no example {name[:80]!r}; {suggest_names(name[:80], [*known, *STUDIES])}")
    cases = {case["id"]: case for case in load_papers()["cases"]}
    cases |= {f"popescu-belis-{number}": case for number, case in make_examples().items()}
    return open_partitions({name: ComparedSides(cases[name]["key"], {"response": cases[name]["response"]})})


def open_partitions(partitions: Partitions) -> Opened:
    """Return partitions as sides, a document for each key; a response that a document lacks is empty there."""
    responses = dict.fromkeys(name for each in partitions.values() for name in each.responses)
    by_side: dict[str, dict[str, AnyEntities]] = {KEY: {name: each.key for name, each in partitions.items()}}
    for response in responses:
        by_side[response] = {name: each.responses.get(response, []) for name, each in partitions.items()}
    with hold_announcements():
        return join_sides({side: Corpus.from_entities(documents, source=side) for side, documents in by_side.items()})
