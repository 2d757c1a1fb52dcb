"""Random key and response, for tests that need many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval.corpus.corpus import Corpus

if TYPE_CHECKING:
    import random
    from collections.abc import Hashable, Sequence

Entities = list[list["Hashable"]]


def entities(rng: random.Random, mentions: int) -> Entities:
    """Some of the mentions (0, 0), (1, 1) ..., each in one of a few entities."""
    found: dict[int, list[Hashable]] = {}
    for number in range(mentions):
        if rng.random() < 0.8:
            found.setdefault(rng.randrange(1 + mentions // 3), []).append((number, number))
    return list(found.values())


def documents(rng: random.Random) -> dict[str, Entities]:
    """Two documents."""
    return {"one": entities(rng, 8), "two": entities(rng, 6)}


def levelled(listed: Entities, levels: Sequence[str]) -> Corpus:
    """One document in which mention (i, i) has the level `levels[i]`."""
    corpus = Corpus.from_entities({"": listed})
    column = [levels[mention[0]] for entity in listed for mention in entity]  # type: ignore[index]
    return corpus.replace(attributes={"level": column})
