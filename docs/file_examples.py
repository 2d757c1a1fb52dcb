"""The parts of a measure's page whose example is two files: tables of their entities or relations, and of scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import corefeval
from corefeval._arrays import np
from corefeval.baselines.responses import group_mentions
from corefeval.corpus.beyond_identity import NON_REFERRING, find_anchors
from corefeval.corpus.corpus import Corpus
from corefeval.measures import Measure
from corefeval.measures.bridging import BridgingAnaphors, BridgingEntities, BridgingMentions
from corefeval.measures.gap import Gap
from corefeval.measures.non_referring import NonReferring

ROOT = Path(__file__).parent.parent
Sides = tuple[Corpus, Corpus]

ENTITIES = """The table of key and response in this document: how many mentions two entities share. They stand below.

"""
BRIDGES = """The bridging anaphors of this document, and what each side anchors them to:

"""
EXPRESSIONS = """The non-referring expressions of this document:

"""
DECISIONS = """The decisions of this document, a pronoun's for each of two names:

"""


def read_sides(by_hand: Mapping[str, Any]) -> Sides:
    """Return the key and the response of an example."""
    key, response = (corefeval.read(str(ROOT / name)) for name in by_hand["files"])
    return key, response


def draw_document(measure: Measure, sides: Sides, document: str) -> str:
    """Return a table of what a measure compares in the document of the example."""
    key, response = (side.select_documents((document,)) for side in sides)
    if isinstance(measure, BridgingAnaphors | BridgingMentions | BridgingEntities):
        return BRIDGES + _draw_bridges(key, response)
    if isinstance(measure, Gap):
        return DECISIONS + _draw_decisions(key, response)
    if isinstance(measure, NonReferring):
        return EXPRESSIONS + _draw_expressions(key, response)
    return ENTITIES + _draw_entities(key, response)


def _draw_entities(key: Corpus, response: Corpus) -> str:
    ours, theirs = ([set(entity) for entity in next(iter(side.entities().values()))] for side in (key, response))
    rows = []
    for number, entity in enumerate(ours, 1):
        shared = [len(entity & other) for other in theirs]
        cells = [f"**{count}**" if count else "" for count in shared]
        rows.append([f"K{number}", *cells, str(len(entity) - sum(shared) or "")])
    rows.append(["spurious", *(str(len(other - set().union(*ours)) or "") for other in theirs), ""])
    return _write_table(["", *(f"R{number}" for number in range(1, len(theirs) + 1)), "missing"], rows)


def _draw_bridges(key: Corpus, response: Corpus) -> str:
    (ours,), (theirs,) = find_anchors(key), find_anchors(response)
    words = dict(_list_words(response)) | dict(_list_words(key))
    homes = dict(zip(key.mentions.objects(), key.entity.tolist(), strict=True))
    rows = []
    for anaphor in sorted({**ours, **theirs}):
        anchors = [each.get(anaphor) for each in (ours, theirs)]
        same = None not in anchors and len(set(anchors)) == 1
        alike = same or (None not in anchors and len({homes.get(each, each) for each in anchors}) == 1)
        rows.append([words[anaphor], *(words.get(each, "") for each in anchors), _mark(same), _mark(alike)])
    return _write_table(["anaphor", "key", "response", "same mention", "same entity"], rows)


def _draw_decisions(key: Corpus, response: Corpus) -> str:
    words = {role: key.words_of(row) for row, role in enumerate(key.attributes["gap"])}
    linked = []
    for side in (key, response):
        entity = dict(zip(side.attributes["gap"], side.entity.tolist(), strict=True))
        linked.append({name: "linked" if entity[name] == entity["pronoun"] else "apart" for name in ("A", "B")})
    rows = [[f"{words['pronoun']} – {words[name]}", *(each[name] for each in linked)] for name in ("A", "B")]
    return _write_table(["pronoun and name", "key", "response"], rows)


def _draw_expressions(key: Corpus, response: Corpus) -> str:
    layers = [side.layers.get(NON_REFERRING) for side in (key, response)]
    found = [{} if layer is None else dict(_list_words(layer)) for layer in layers]
    rows = [
        [f"{words}, word {mention[0] + 1}", *(_mark(mention in each) for each in found)]
        for mention, words in sorted({**found[1], **found[0]}.items())
    ]
    return _write_table(["expression", "key", "response"], rows)


def _write_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines) + "\n"


def _mark(holds: object) -> str:
    return "✓" if holds else ""


def _list_words(corpus: Corpus) -> Iterator[tuple[Any, str]]:
    """Yield the mentions, and the words of each."""
    for row, mention in enumerate(corpus.mentions.objects()):
        yield mention, corpus.words_of(row) or ""


def list_boundaries(sides: Sides) -> dict[str, Sides]:
    """Return by what the response is: the key of the example and such a response; last a key without mentions."""
    key, _ = sides
    nothing = key.keep(np.zeros(len(key), dtype=np.bool_)).replace(layers={}, relations=())
    return {
        "the key itself": (key, key),
        "nothing": (key, nothing),
        "all mentions of a document in one entity": (key, group_mentions(key, key.document)),
        "each mention by itself": (key, group_mentions(key, np.arange(len(key)))),
        "nothing, as the key": (nothing, nothing),
    }
