"""The lists of a system over all documents: all its errors, and all entities with misplaced mentions.

    {"errors": {"document", "error", "kind", "costs", "total"}, "entities": {"document", "side", "entity", "misplaced",
     "costs", "total"}}

Both are columns, those first that cost most by the main measure. "error" is an error's number within its document,
"kind" a place among the report's kinds, "side" 0 for an entity of the key and 1 for one of the response. "costs" has
for each measure a column in millionths of a point, or null where costs are unknown. "total" is how many there are:
the lists end where they are `LISTED` long. They are parsed when a view asks for them, since they are long.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from corefeval.analysis.subsets import get_rows, score_rows
from corefeval.scoring.results import Evaluation
from corefeval.show.pages.content.attribution import CostTable
from corefeval.show.pages.content.documents import PageSide
from corefeval.show.pages.content.errors import PageError, count_misplaced_mentions

Record = dict[str, Any]
LISTED = 100_000
"""How many errors, and how many entities, of a system a page lists: some 6 MB, which a browser reads in a moment."""
_QUOTED = 5  # errors that the first screen has snippets of


def list_errors(errors: Sequence[PageError], kinds: Sequence[str], costs: CostTable) -> Record:
    """Return the columns of all errors of a system, in the order given; `kinds` are names of the report's kinds."""
    listed = errors[:LISTED]
    seen: Counter[int] = Counter()
    numbers = []
    for error in listed:
        numbers.append(seen[error.document])
        seen[error.document] += 1
    return {
        "document": [error.document for error in listed],
        "error": numbers,
        "kind": [kinds.index(error.kind) for error in listed],
        "costs": costs.sum_costs([error.key for error in listed], [error.response for error in listed]),
        "total": len(errors),
    }


def find_quoted_documents(errors: Sequence[PageError], costs: CostTable) -> list[list[int]]:
    """Return for every measure the documents of the errors that the first screen quotes: those that cost most."""
    listed = errors[:LISTED]
    columns = costs.sum_costs([error.key for error in listed], [error.response for error in listed])
    # Where costs are unknown, it quotes the first ones.
    orders = [np.argsort(-np.array(each or [0] * len(listed)), kind="stable") for each in columns]
    return [[listed[place].document for place in order[:_QUOTED].tolist()] for order in orders]


def list_wrong_entities(
    evaluation: Evaluation, sides: tuple[PageSide, PageSide], costs: CostTable, main: int
) -> Record:
    """Return the columns of all entities of both sides that have misplaced mentions, by the measure at place `main`."""
    # A scorer may count entities that the files have not: those of the files are shown.
    table = score_rows(evaluation, get_rows(evaluation)).table
    misplaced = np.concatenate([count_misplaced_mentions(table), count_misplaced_mentions(table.mirror)])
    cost, keys = costs.get_entity_costs(), len(table.key.size)
    order = np.lexsort((-misplaced, -cost[:, main]))
    chosen = order[misplaced[order] > 0]
    listed = chosen[:LISTED]
    places = [(int(place >= keys), int(place - keys * (place >= keys))) for place in listed.tolist()]
    return {
        "document": [int(sides[side].corpus.entity_document[entity]) for side, entity in places],
        "side": [side for side, _ in places],
        "entity": [sides[side].number_entity(entity) for side, entity in places],
        "misplaced": misplaced[listed].tolist(),
        "costs": [
            column.tolist() if known else None for column, known in zip(cost[listed].T, costs.known, strict=True)
        ],
        "total": len(chosen),
    }
