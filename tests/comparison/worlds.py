"""Small random corpora for statistics: a key, and responses that disturb it more or less."""

from __future__ import annotations

import random

Entities = list[list[int]]
World = dict[str, Entities]


def key(documents: int, seed: int, *, largest: int = 14) -> World:
    """Documents of different sizes, with entities of different sizes."""
    rng = random.Random(seed)
    found: World = {}
    for number in range(documents):
        mentions = list(range(rng.randint(4, largest)))
        rng.shuffle(mentions)
        entities: Entities = []
        while mentions:
            size = min(len(mentions), rng.choice([1, 1, 2, 2, 3, 5]))
            entities.append([mentions.pop() for _ in range(size)])
        found[f"d{number:03}"] = entities
    return found


def disturbed(world: World, noise: float, seed: int) -> World:
    """Mentions that get lost, move to other entities or are invented."""
    rng = random.Random(seed)
    found: World = {}
    for name, entities in world.items():
        moved: Entities = [[] for _ in range(len(entities) + 1)]
        for place, entity in enumerate(entities):
            for mention in entity:
                if rng.random() < noise / 4:
                    continue
                to = rng.randrange(len(moved)) if rng.random() < noise else place
                moved[to].append(mention)
        if rng.random() < noise:
            moved[rng.randrange(len(moved))].append(1000)
        found[name] = [entity for entity in moved if entity]
    return found


def first_documents(world: World, documents: int) -> World:
    return dict(list(world.items())[:documents])


def without_documents(world: World, *names: str) -> World:
    return {name: entities for name, entities in world.items() if name not in names}
