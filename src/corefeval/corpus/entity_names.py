"""Whether an entity's name means the same entity in several documents, and which entities are one then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from corefeval._arrays import Ints, np

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus


_FIRST = 1  # numbers that begin anew begin with 0 or 1
_DENSE = 4  # and are at most so many times as large as there are entities


def list_entity_names(corpus: Corpus) -> list[object]:
    """Return the names of all entities as a list of Python objects."""
    names: list[object] = np.asarray(corpus.entity_name, dtype=object).tolist()
    return names


def are_names_shared(corpus: Corpus, entity_names: str) -> bool:
    """Return whether equal names in two documents mean one entity.

    entity_names: "shared", "local", or "auto": as the corpus knows from its format; where it does not, unless names are
    numbers that begin anew in most documents.
    """
    if entity_names != "auto":
        return entity_names == "shared"
    if corpus.shared_names is not None:
        return corpus.shared_names
    return not begin_anew(corpus, list_entity_names(corpus))


def number_entities(corpus: Corpus, group: Ints, entity_names: str) -> Ints:
    """Return for each entity the first entity of its name in its group; itself, if names are not shared.

    group: the number of each document's group.
    """
    number = np.arange(len(corpus.entity_document))
    if not are_names_shared(corpus, entity_names):
        return number
    first: dict[tuple[int, object], int] = {}
    groups = group[corpus.entity_document].tolist()
    rows = enumerate(zip(groups, list_entity_names(corpus), strict=True))
    return np.array([first.setdefault(name, row) for row, name in rows], dtype=np.int64)


def begin_anew(corpus: Corpus, names: Sequence[object]) -> bool:
    """Return whether names are numbers that begin with 0 or 1, or are below 4 times their count, in most documents."""
    found = count_beginnings(corpus, names)
    return found is not None and 2 * found[0] > found[1]


def count_beginnings(corpus: Corpus, names: Sequence[object]) -> tuple[int, int] | None:
    """Return in how many documents numbers begin anew, and how many have entities; None if names are no numbers."""
    try:
        numbers = np.array([int(str(name)) for name in names], dtype=np.int64)
    except (ValueError, OverflowError):
        return None
    count = len(corpus.documents)
    entities = np.bincount(corpus.entity_document, minlength=count)
    least, most = np.full(count, _FIRST + 1), np.zeros(count, dtype=np.int64)
    np.minimum.at(least, corpus.entity_document, numbers)
    np.maximum.at(most, corpus.entity_document, numbers)
    begins = (least <= _FIRST) | (most < _DENSE * entities)
    return int(np.count_nonzero(begins)), int(np.count_nonzero(entities))
