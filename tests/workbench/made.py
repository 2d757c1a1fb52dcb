"""Small projects for tests of the workbench, and hypothesis strategies for edits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from corefeval.workbench.annotations import Annotation, Content, EntityState, MentionState
from corefeval.workbench.project import Project, StartingSide

TEXT = "Kim saw Mara in the shop . She told her that it was closed , and Kim left the shop ."
WORDS = tuple(TEXT.split())
STORY = Content("story", WORDS, sentence=tuple(int(place > 6) for place in range(len(WORDS))))
KINDS = ("make", "move", "merge", "delete", "respan", "rename", "add_matches", "link")


def annotate(*entities: str, start: int = 1) -> Annotation:
    """An annotation from texts such as "0 7 16" or "4-5 10", one for each entity: places of mentions."""
    mentions: dict[str, MentionState] = {}
    made: dict[str, EntityState] = {}
    number = start
    for text in entities:
        entity = f"e{number}"
        made[entity] = EntityState(str(len(made) + 1))
        number += 1
        for place in text.split():
            first, _, last = place.partition("-")
            mentions[f"m{number}"] = MentionState(((int(first), int(last or first)),), entity)
            number += 1
    return Annotation(mentions, made, number)


KEY = annotate("0 7 16", "2 9", "4-5 11 18-19")
RESPONSE = annotate("0 16", "2 7 9", "4-5 18-19", "11")


def make_project(folder: Path, name: str = "story", **sides: Annotation) -> Project:
    given = sides or {"key": KEY, "response": RESPONSE}
    starting = {side: StartingSide([annotation]) for side, annotation in given.items()}
    return Project.create(str(folder / f"{name}.corefeval"), name, [STORY], starting)


def partition(annotation: Annotation) -> set[frozenset[Any]]:
    """The entities as sets of the mentions' runs."""
    found: dict[str, set[Any]] = {}
    for mention in annotation.mentions.values():
        found.setdefault(mention.entity, set()).add(mention.runs)
    return {frozenset(runs) for runs in found.values()}


places = st.integers(0, len(WORDS) - 1)
runs = st.lists(places, min_size=2, max_size=4, unique=True).map(
    lambda ends: [list(pair) for pair in zip(sorted(ends)[::2], sorted(ends)[1::2], strict=False)]
)


def draw_edit(draw: Any, annotation: Annotation) -> dict[str, Any]:
    """An edit that is possible on an annotation, most of the time."""
    kind = draw(st.sampled_from(KINDS if annotation.mentions else ("make", "add_matches")))
    mention = st.sampled_from(list(annotation.mentions) or ["m0"])
    entity = st.sampled_from(list(annotation.entities) or ["e0"])
    fields: dict[str, dict[str, st.SearchStrategy[Any]]] = {
        "make": {"runs": runs, "entity": st.none() | entity},
        "move": {"mentions": st.lists(mention, min_size=1, max_size=4), "entity": st.none() | entity},
        "merge": {"entities": st.lists(entity, min_size=2, max_size=4)},
        "delete": {"mentions": st.lists(mention, min_size=1, max_size=3)},
        "respan": {"mention": mention, "runs": runs},
        "rename": {"entity": entity, "name": st.sampled_from(["Kim", "shop", "x", "7"])},
        "add_matches": {"text": st.sampled_from(["Kim", "the shop", "kim left", "."]), "entity": st.none() | entity},
        "link": {"links": st.lists(st.lists(mention, min_size=2, max_size=2), min_size=1, max_size=3)},
    }
    return {"kind": kind} | {name: draw(strategy) for name, strategy in fields[kind].items()}
