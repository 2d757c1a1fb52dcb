"""Made-up corpora of any size: documents, mentions, Zipf-like entity sizes, and responses with known noise."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corefeval import Corpus, write
from corefeval.corpus.mentions import Spans
from corefeval.corpus.tokens import Tokens

if TYPE_CHECKING:
    from pathlib import Path

    from corefeval._arrays import Array, Ints


@dataclass(frozen=True)
class Size:
    documents: int
    mentions: int  # in a document
    tokens: int  # in a document


def zipf_entities(rng: np.random.Generator, mentions: int, *, exponent: float = 1.3, repeat: float = 0.75) -> Ints:
    """An entity for every mention: a few large ones, many small ones, and singletons."""
    weights = 1.0 / np.arange(1, mentions + 1) ** exponent
    drawn = rng.choice(mentions, size=mentions, p=weights / weights.sum())
    alone = rng.random(mentions) > repeat
    drawn[alone] = mentions + np.arange(int(alone.sum()))
    return np.unique(drawn, return_inverse=True)[1].reshape(-1)


def disturbed(rng: np.random.Generator, entity: Ints, noise: float) -> Ints:
    """The same mentions, a share of them moved to other entities or to new ones."""
    moved = rng.random(len(entity)) < noise
    target = rng.integers(0, int(entity.max()) + 1 + len(entity) // 20, size=len(entity))
    return np.where(moved, target, entity)


def labels(mentions: int, *, noise: float = 0.3, seed: int = 0) -> tuple[Ints, Ints]:
    """Key and response entities of the mentions of one large document."""
    rng = np.random.default_rng(seed)
    sizes = rng.zipf(1.7, size=mentions // 4).clip(1, max(2, mentions // 100))
    key = np.repeat(np.arange(len(sizes)), sizes)[:mentions]
    key = np.concatenate([key, len(sizes) + np.arange(mentions - len(key))])
    key = rng.permutation(key)
    return key, disturbed(rng, key, noise)


def corpus(size: Size, *, noise: float | None, seed: int = 0) -> Corpus:
    """A corpus of words and spans; with `noise`, a response to the one without."""
    rng = np.random.default_rng(seed)
    other = np.random.default_rng(seed + 1)
    documents, start, end, entity, entity_document, words = [], [], [], [], [], []
    before = 0
    for number in range(size.documents):
        documents.append(f"(bench/{number:04d}/document_{number:04d}); part 000")
        begin = np.sort(rng.choice(size.tokens - 4, size=size.mentions, replace=False))
        length = np.minimum(rng.geometric(0.6, size=size.mentions) - 1, 3)
        cluster = zipf_entities(rng, size.mentions)
        words.append([f"w{value}" for value in rng.integers(0, 20000, size=size.tokens).tolist()])
        kept = np.ones(size.mentions, dtype=np.bool_)
        if noise is not None:
            cluster = disturbed(other, cluster, noise)
            kept = other.random(size.mentions) >= noise / 3
            length = np.where(other.random(size.mentions) < noise / 3, length ^ 1, length)
        begin, last, cluster = begin[kept], (begin + length)[kept], cluster[kept]
        begin, last, cluster = _without_crossing(begin, last, cluster)
        cluster = np.unique(cluster, return_inverse=True)[1].reshape(-1)
        start.append(begin)
        end.append(last)
        entity.append(cluster + before)
        found = int(cluster.max()) + 1
        entity_document.append(np.full(found, number))
        before += found
    return Corpus(
        tuple(documents),
        np.concatenate(entity_document),
        [str(value) for part in entity_document for value in range(len(part))],
        np.concatenate(entity),
        Spans(np.concatenate(start), np.concatenate(end)),
        tokens=Tokens.from_words(words),
    )


def _without_crossing(begin: Ints, end: Ints, cluster: Ints) -> tuple[Ints, Ints, Ints]:
    """Mentions of one entity that cross cannot be written with brackets; the later of two goes."""
    last: dict[int, int] = {}
    kept = []
    for place, (first, stop, name) in enumerate(zip(begin.tolist(), end.tolist(), cluster.tolist(), strict=True)):
        if last.get(name, -1) < first:
            kept.append(place)
            last[name] = stop
    return begin[kept], end[kept], cluster[kept]


def files(folder: Path, size: Size, *, noise: float = 0.3) -> tuple[Path, Path]:
    """A key and a response in CoNLL format, with as many columns as the shared tasks' files have."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = folder / "key.conll", folder / "response.conll"
    for path, amount in zip(paths, (None, noise), strict=True):
        write(corpus(size, noise=amount), path)
        path.write_bytes(_widened(path.read_bytes()))
    return paths


def _widened(data: bytes) -> bytes:
    lines = []
    for line in data.split(b"\n"):
        cells = line.split(b"\t")
        if len(cells) == 5:
            cells[4:4] = [b"NN", b"*", b"-", b"-", b"-", b"-", b"*"]
        lines.append(b"\t".join(cells))
    return b"\n".join(lines)


def entities(rng: random.Random, mentions: int) -> tuple[list[list[object]], list[list[object]]]:
    """Key and response of one document as Python objects: spans in lists."""
    key: dict[int, list[object]] = {}
    response: dict[int, list[object]] = {}
    for number in range(mentions):
        name = rng.randint(0, mentions // 2)
        key.setdefault(name, []).append((number, number + 1))
        if rng.random() < 0.3:
            name = rng.randint(0, mentions // 2)
        response.setdefault(name, []).append((number, number + 1 if rng.random() > 0.05 else -1))
    return list(key.values()), list(response.values())


Table: TypeAlias = "tuple[Ints, Ints, Array]"


def hard_tables(*, quick: bool) -> Iterator[tuple[str, Table]]:
    """Tables on which aligning entities is as hard as it gets."""
    rng = np.random.default_rng(0)
    size = 300 if quick else 1000
    rows, columns = np.divmod(np.arange(size * size), size)
    yield f"all share with all ({size} by {size}), equal weights", (rows, columns, np.ones(len(rows), dtype=np.int64))
    yield f"all share with all ({size} by {size}), random weights", (rows, columns, rng.random(len(rows)))
    many = 10_000 if quick else 100_000
    yield "one entity against many", (np.zeros(many, dtype=np.int64), np.arange(many), rng.integers(1, 5, size=many))
    around = np.repeat(np.arange(many), 2)
    ring = around, np.roll(around, -1), np.arange(1, 2 * many + 1)
    yield "a ring in which each choice waits for the one before", ring
    cells = np.unique(rng.integers(0, many, size=3 * many) * many + rng.integers(0, many, size=3 * many))
    for title, weights in (
        ("equal weights", np.ones(len(cells), dtype=np.int64)),
        ("weights 1 to 3", rng.integers(1, 4, size=len(cells))),
        ("random weights", rng.random(len(cells))),
    ):
        yield f"a giant random component, 3 edges a node, {title}", (cells // many, cells % many, weights)
    entities_a_side = 1000 if quick else 2000
    key, response = rng.integers(0, entities_a_side, size=(2, 10**5 if quick else 10**6))
    cells, shared = np.unique(key * entities_a_side + response, return_counts=True)
    rows, columns = cells // entities_a_side, cells % entities_a_side
    dice = 2 * shared / (np.bincount(key)[rows] + np.bincount(response)[columns])
    yield "key and response have nothing to do with each other, φ3", (rows, columns, shared)
    yield "key and response have nothing to do with each other, φ4", (rows, columns, dice)
