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


def make_world(random: np.random.Generator, entities: int, *, largest: int, errors: float) -> World:
    """Entities of skewed sizes; some of their records are cut off, and some response entities merged."""
    sizes = np.minimum(random.zipf(2.2, entities), largest)
    key = np.repeat(np.arange(entities), sizes)
    alone = np.flatnonzero(random.random(len(key)) < errors / 2)
    response = key.copy()
    response[alone] = entities + np.arange(len(alone))
    into = np.arange(entities + len(alone))
    merged = np.flatnonzero(random.random(entities) < errors / 2)
    into[merged] = random.integers(0, entities, len(merged))
    return World(key, into[response])
