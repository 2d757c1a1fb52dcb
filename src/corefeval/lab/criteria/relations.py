"""How scores can be related, in words and in numbers."""

from __future__ import annotations

from collections.abc import Callable

from corefeval._arrays import Booleans, Floats, Ints, np
from corefeval._lazy import NamedTuple

TOLERANCE = 1e-9
"""What scores may differ by and be equal: fractions of so few mentions differ by more, or not at all."""


class Expectation(NamedTuple):
    """What is expected of scores. judge: from scores, as columns, and the best score to 1, 0 (a tie) or -1 (it fails).

    labels: what the responses are called. of_shares: whether it is about scores of which 0 is the worst possible.
    """

    words: str
    labels: tuple[str, ...]
    judge: Callable[[tuple[Floats, ...], float], Ints]
    of_shares: bool = False


def _sign(values: Floats) -> Ints:
    """Return 1, 0 or -1 for positive, zero and negative values."""
    return np.sign(np.where(np.abs(values) < TOLERANCE, 0, values)).astype(np.int64)


def _hold(holds: Booleans) -> Ints:
    """Return 1 where something holds, -1 elsewhere."""
    return np.where(holds, 1, -1)


_ONE = ("response",)
_TWO = ("response A", "response B")
RELATIONS = {
    "best": Expectation("the best score", _ONE, lambda s, best: _hold(_sign(s[0] - best) == 0)),
    "below best": Expectation("less than the best score", _ONE, lambda s, best: _hold(_sign(best - s[0]) > 0)),
    "zero": Expectation("0", _ONE, lambda s, _: _hold(_sign(s[0]) == 0), of_shares=True),
    "above zero": Expectation("more than 0", _ONE, lambda s, _: _hold(_sign(s[0]) > 0), of_shares=True),
    "in range": Expectation(
        "between 0 and 1", _ONE, lambda s, _: _hold((_sign(s[0]) >= 0) & (_sign(s[0] - 1) <= 0)), of_shares=True
    ),
    "zero reached": Expectation(
        "0 for one of all responses", _ONE, lambda s, _: _hold(_sign(s[0]) <= 0), of_shares=True
    ),
    "more": Expectation("A more than B", _TWO, lambda s, _: _sign(s[0] - s[1])),
    "not less": Expectation("B not more than A", _TWO, lambda s, _: _hold(_sign(s[0] - s[1]) >= 0)),
    "equal": Expectation("both the same", _TWO, lambda s, _: _hold(_sign(s[0] - s[1]) == 0)),
    "triangle": Expectation(
        "d(A, C) at most d(A, B) + d(B, C), where d is the distance from the best score",
        ("A and B", "B and C", "A and C"),
        lambda s, best: _hold(_sign(best - s[0] + best - s[1] - (best - s[2])) >= 0),
    ),
}
