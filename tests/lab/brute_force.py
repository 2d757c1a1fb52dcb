"""All small keys and responses once more, with labels, as sets; scored by the slow measures of tests/oracles."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from tests.oracles import measures as oracle

Entities = frozenset[frozenset[int]]


def divide(mentions: list[int]) -> set[Entities]:
    """All partitions: every way to give each mention one of as many labels as there are mentions."""
    found = set()
    for labels in product(range(len(mentions)), repeat=len(mentions)):
        classes = {
            label: frozenset(m for m, at in zip(mentions, labels, strict=True) if at == label) for label in labels
        }
        found.add(frozenset(classes.values()))
    return found


def list_labelled_pairs(mentions: int, *, same: bool) -> Iterator[tuple[Entities, Entities]]:
    """All labelled keys and responses whose mentions are together 0 … mentions - 1; the key has one at least."""
    for sides in product(*[("both",) if same else ("both", "key", "response")] * mentions):
        of_key = [mention for mention, side in enumerate(sides) if side != "response"]
        of_response = [mention for mention, side in enumerate(sides) if side != "key"]
        if of_key:
            yield from product(divide(of_key), divide(of_response))


def list_links(entities: Entities) -> set[frozenset[int]]:
    """All pairs of mentions that are together."""
    return {frozenset(link) for entity in entities for link in combinations(entity, 2)}


def score_pair(measure: str, key: Entities, response: Entities, field: str = "") -> float | None:
    """The score of a pair: F1, or the only one; None where it is 0/0."""
    fields = oracle.score(measure, sort(key), sort(response))
    name = field or ("f1" if "f1" in fields else "score")
    undefined = fields["undefined"]
    assert isinstance(undefined, tuple)
    return None if name in undefined else oracle.number(fields, name)


def sort(entities: Entities) -> list[list[int]]:
    """Entities as sorted lists."""
    return sorted(sorted(entity) for entity in entities)
