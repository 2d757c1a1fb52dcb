"""Made-up populations of entities, responses to them, and samples of their entities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from corefeval import Corpus

if TYPE_CHECKING:
    from corefeval._arrays import Ints


@dataclass(frozen=True, slots=True)
class World:
    """Records 0, 1, 2 …: the key entity and the response entity of each."""

    key: Ints
    response: Ints

    def build_key(self, entities: Ints | None = None) -> Corpus:
        """The key of all entities, or of these only; one that is there twice was drawn twice, and is two entities."""
        if entities is None:
            return Corpus.from_labels(mention=np.arange(len(self.key)), entity=self.key)
        rows = np.flatnonzero(np.isin(self.key, entities))
        return Corpus.from_labels(mention=rows, entity=self.key[rows])

    def build_response(self) -> Corpus:
        """The whole response."""
        return Corpus.from_labels(mention=np.arange(len(self.key)), entity=self.response)


def make_world(random: np.random.Generator, entities: int, *, largest: int, errors: float, hubs: float = 0.0) -> World:
    """Entities of skewed sizes, and a response to them."""
    sizes = np.minimum(random.zipf(2.2, entities), largest)
    key = np.repeat(np.arange(entities), sizes)
    return World(key, make_response(random, key, errors, hubs))


def make_response(random: np.random.Generator, key: Ints, errors: float, hubs: float = 0.0) -> Ints:
    """Response entities: some records are cut off, some entities merged.

    hubs: the share of entities that go to one of few others, so that a response entity has records of many.
    """
    entities = int(key[-1]) + 1
    alone = np.flatnonzero(random.random(len(key)) < errors / 2)
    response = key.copy()
    response[alone] = entities + np.arange(len(alone))
    into = np.arange(entities + len(alone))
    merged = np.flatnonzero(random.random(entities) < errors / 2)
    into[merged] = random.integers(0, entities, len(merged))
    if hubs:
        drawn = np.flatnonzero(random.random(entities) < hubs)
        into[drawn] = random.integers(0, -(-entities // 50), len(drawn)) * 50
    return into[response]
