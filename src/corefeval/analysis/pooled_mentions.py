"""The mentions of key and response pooled into one list: twins are one item, all others one each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from corefeval._arrays import Booleans, Ints, invert_permutation
from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mention_types import find_types_of_sides
from corefeval.corpus.mentions import as_spans, join_spans
from corefeval.overlap.views import Rows

Value = TypeVar("Value")


class PooledMentions(NamedTuple):
    """Columns with an item for every mention of the key, the response or both; -1 where a side lacks it.

    The key's mentions come first, in the order of its rows. `rank` is the order of the text; `pronominal`: which are
    pronouns or zeros.
    """

    rows: Rows
    key_row: Ints
    response_row: Ints
    key_entity: Ints
    response_entity: Ints
    document: Ints
    rank: Ints
    pronominal: Booleans

    def list_descriptions(self, items: Ints) -> list[str]:
        """Return a list of the words of items, in quotes and cut to 60 characters, or of their labels."""
        return self._list_by_side(items, self.rows.key.list_descriptions, self.rows.response.list_descriptions)

    def list_lines(self, items: Ints) -> list[int | None]:
        """Return a list of items' lines in the key's file, or the response's if the key lacks them; None if unknown."""
        return self._list_by_side(items, self.rows.key.list_lines, self.rows.response.list_lines)

    def _list_by_side(
        self, items: Ints, of_key: Callable[[Ints], list[Value]], of_response: Callable[[Ints], list[Value]]
    ) -> list[Value]:
        """Return a list of what one function finds for the rows of items that the key has, the other for all others."""
        rows = self.key_row[items]
        in_key = rows >= 0
        sides = iter(of_response(self.response_row[items[~in_key]])), iter(of_key(rows[in_key]))
        return [next(sides[side]) for side in in_key.tolist()]


def pool_mentions(rows: Rows, more_key: Ints | None = None, more_response: Ints | None = None) -> PooledMentions:
    """Return PooledMentions of both sides; the rows `more_key` and `more_response` are twins, too, pair by pair."""
    twin = rows.find_twins()[0]
    if more_key is not None and more_response is not None:
        twin[more_key] = more_response
    is_extra = np.ones(len(rows.response), dtype=np.bool_)
    is_extra[twin[twin >= 0]] = False
    extra = np.flatnonzero(is_extra)
    key_row = np.concatenate([np.arange(len(rows.key)), np.full(len(extra), -1)])
    response_row = np.concatenate([twin, extra])
    ours, theirs = (side.find_any_of("pronoun", "zero") for side in find_types_of_sides(rows))
    document = np.concatenate([rows.key.document, rows.response.document[extra]])
    return PooledMentions(
        rows,
        key_row,
        response_row,
        np.concatenate([rows.key.entity, np.full(len(extra), -1)]),
        np.append(rows.response.entity, -1)[response_row],
        document,
        _rank_by_text(rows, document, extra),
        np.concatenate([ours, theirs[extra]]),
    )


def sort_by_text(corpus: Corpus, rows: Sequence[int]) -> list[int]:
    """Return a list of these rows in the order of the text; unchanged where mentions are no spans."""
    chosen = np.asarray(rows, dtype=np.int64)
    spans = as_spans(corpus.mentions.take(chosen))
    return list(rows) if spans is None else chosen[spans.text_order(corpus.document[chosen])].tolist()


def _rank_by_text(rows: Rows, document: Ints, extra: Ints) -> Ints:
    """Return an array: ranks in the text of key mentions, then of `extra` ones; as they come if not all are spans."""
    ours, theirs = as_spans(rows.key.mentions), as_spans(rows.response.mentions.take(extra))
    if ours is None or theirs is None:
        return invert_permutation(np.argsort(document, kind="stable"))
    return invert_permutation(join_spans([ours, theirs]).text_order(document))
