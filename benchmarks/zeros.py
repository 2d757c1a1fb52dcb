"""Made-up corpora with heads and zeros, as CoNLL-U: a key, and a response with other boundaries, heads and zeros."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import corpora
from corefeval import Corpus, write
from corefeval.corpus.mentions import Spans
from corefeval.corpus.tokens import Tokens

if TYPE_CHECKING:
    from pathlib import Path

    from corefeval._arrays import Booleans, Ints

_SENTENCE = 20  # words
_LONGEST = 5  # words of a mention


class _Mentions(NamedTuple):
    """First word, last word and head, counted in written words, and the entity."""

    start: Ints
    end: Ints
    head: Ints
    entity: Ints


class _Zeros(NamedTuple):
    """The written word before each zero, the word that it depends on (within its sentence), and the entity."""

    behind: Ints
    parent: Ints
    entity: Ints


def files(folder: Path, size: corpora.Size, *, noise: float = 0.3) -> tuple[Path, Path]:
    """A key and a response in CorefUD; a ninth of the mentions are zeros."""
    rng = np.random.default_rng(0)
    key, response = [], []
    for _ in range(size.documents):
        entity = corpora.zipf_entities(rng, size.mentions)
        mentions, zeros = _drawn(rng, size, entity)
        key.append((mentions, zeros))
        other = corpora.disturbed(rng, entity, noise / 3)
        response.append(_noisy(rng, mentions, zeros, other, size.tokens, noise))
    folder.mkdir(parents=True, exist_ok=True)
    paths = folder / "key.conllu", folder / "response.conllu"
    for path, documents in zip(paths, (key, response), strict=True):
        write(_corpus(documents, size.tokens), path)
    return paths


def _drawn(rng: np.random.Generator, size: corpora.Size, entity: Ints) -> tuple[_Mentions, _Zeros]:
    count = size.mentions * 8 // 9
    start = np.sort(rng.choice(size.tokens, size=count, replace=False))
    end = np.minimum(start + np.minimum(rng.geometric(0.4, size=count), _LONGEST) - 1, _last_of_sentence(start))
    head = rng.integers(start, end + 1)
    behind = np.sort(rng.choice(size.tokens, size=size.mentions - count, replace=False))
    parent = rng.integers(1, _SENTENCE + 1, size=len(behind))
    return _Mentions(start, end, head, entity[:count]), _Zeros(behind, parent, entity[count:])


def _last_of_sentence(word: Ints) -> Ints:
    return word // _SENTENCE * _SENTENCE + _SENTENCE - 1


def _noisy(
    rng: np.random.Generator, mentions: _Mentions, zeros: _Zeros, entity: Ints, tokens: int, noise: float
) -> tuple[_Mentions, _Zeros]:
    """Some boundaries and heads are others, some mentions are missing; some zeros are elsewhere."""
    start, end, head, _ = mentions
    head = np.where(rng.random(len(head)) < noise / 6, rng.integers(start, end + 1), head)
    shorter, longer = rng.random(len(start)) < noise / 2, rng.random(len(start)) < noise / 2
    start = np.where(shorter, rng.integers(start, head + 1), start)
    end = np.where(longer, np.minimum(end + 1, np.minimum(_last_of_sentence(start), tokens - 1)), end)
    kept = rng.random(len(start)) > noise / 6
    moved = rng.random(len(zeros.behind)) < noise
    behind = zeros.behind // _SENTENCE * _SENTENCE + rng.integers(0, _SENTENCE, size=len(moved))
    elsewhere = np.where(moved, np.minimum(behind, tokens - 1), zeros.behind)
    return (
        _Mentions(start[kept], end[kept], head[kept], entity[: len(start)][kept]),
        _Zeros(elsewhere, zeros.parent, entity[len(start) :]),
    )


class _Page(NamedTuple):
    """A document: its words, and its mentions in them."""

    words: list[str]
    sentence: Ints
    empty: Booleans
    dependencies: list[str]
    start: Ints
    end: Ints
    head: Ints
    entity: Ints


def _page(mentions: _Mentions, zeros: _Zeros, tokens: int) -> _Page:
    order = np.argsort(zeros.behind, kind="stable")
    behind = zeros.behind[order]
    written = np.arange(tokens) + np.searchsorted(behind, np.arange(tokens))
    unwritten = behind + 1 + np.arange(len(behind))
    words = np.full(tokens + len(behind), "_", dtype=object)
    words[written] = [f"w{number * 7919 % 20011}" for number in range(tokens)]
    depends = np.full(len(words), "", dtype=object)
    depends[unwritten] = [f"{parent}:nsubj" for parent in zeros.parent[order].tolist()]
    empty = np.zeros(len(words), dtype=np.bool_)
    empty[unwritten] = True
    sentence = np.zeros(len(words), dtype=np.int64)
    sentence[written], sentence[unwritten] = np.arange(tokens) // _SENTENCE, behind // _SENTENCE
    places = (np.concatenate([written[column], unwritten]) for column in mentions[:3])
    start, end, head = places
    entity = np.concatenate([mentions.entity, zeros.entity[order]])
    in_text = np.lexsort((-end, start))
    kept = in_text[_kept(start[in_text], end[in_text], entity[in_text])]
    number = np.unique(entity[kept], return_inverse=True)[1].reshape(-1)
    return _Page(words.tolist(), sentence, empty, depends.tolist(), start[kept], end[kept], head[kept], number)


def _corpus(documents: list[tuple[_Mentions, _Zeros]], tokens: int) -> Corpus:
    pages = [_page(mentions, zeros, tokens) for mentions, zeros in documents]
    entities = [int(page.entity.max()) + 1 for page in pages]
    sentences = tokens // _SENTENCE + 1
    head = np.concatenate([page.head for page in pages])
    return Corpus(
        tuple(f"document_{number:04d}" for number in range(len(pages))),
        np.repeat(np.arange(len(pages)), entities),
        [f"e{number}" for number in range(sum(entities))],
        np.concatenate([page.entity + sum(entities[:number]) for number, page in enumerate(pages)]),
        Spans(np.concatenate([page.start for page in pages]), np.concatenate([page.end for page in pages])),
        tokens=Tokens.from_words(
            [page.words for page in pages],
            numbers=np.concatenate([page.sentence + number * sentences for number, page in enumerate(pages)]),
            empty=np.concatenate([page.empty for page in pages]),
            attributes={"deps": [text for page in pages for text in page.dependencies]},
        ),
        heads=Spans(head, head),
    )


def _kept(start: Ints, end: Ints, entity: Ints) -> list[int]:
    """Mentions of one entity that overlap cannot all be written with brackets, and no mention is in two entities."""
    last: dict[int, int] = {}
    seen: set[tuple[int, int]] = set()
    kept = []
    for place, (first, stop, name) in enumerate(zip(start.tolist(), end.tolist(), entity.tolist(), strict=True)):
        if last.get(name, -1) < first and (first, stop) not in seen:
            kept.append(place)
            last[name] = stop
            seen.add((first, stop))
    return kept
