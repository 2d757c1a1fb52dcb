"""Runs of words or characters, as pairs of first and last: what mentions with gaps consist of."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from corefeval.corpus.mentions import Pieces


def _is_apart(last: int, first: int) -> bool:
    return first > last + 1


def join_runs(runs: Iterable[tuple[int, int]], is_gap: Callable[[int, int], bool] = _is_apart) -> Pieces:
    """Runs in the order of their beginnings, with those joined that overlap or have nothing between them.

    is_gap: whether there is something between the last of one run and the first of the next.

    >>> join_runs([(0, 1), (2, 3), (5, 5)])
    ((0, 3), (5, 5))
    """
    joined: list[tuple[int, int]] = []
    for first, last in runs:
        if joined and not is_gap(joined[-1][1], first):
            joined[-1] = joined[-1][0], max(last, joined[-1][1])
        else:
            joined.append((first, last))
    return tuple(joined)


def to_mention(runs: Pieces) -> Pieces | tuple[int, int]:
    """The mention with these runs, as a corpus identifies it: a pair (first, last) if there is only one run."""
    return runs if len(runs) > 1 else runs[0]


def get_runs(mention: Pieces | tuple[int, int]) -> Pieces:
    """The runs of a mention as a corpus identifies it; the opposite of `to_mention`."""
    return mention if isinstance(mention[0], tuple) else (mention,)
