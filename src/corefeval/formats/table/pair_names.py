"""How the columns of a table of pairs of records are called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corefeval.formats.table.columns import SOURCE, find_part, fold_name

LABELS = ("match", "is_match", "matched", "clerical_match_score", "label")
SCORES = (
    "match_probability", "probability", "match_score", "score", "similarity", "confidence", "confidence_score",
    "match_weight", "weight", "z_score",
)  # fmt: skip
"""The usual names of columns of labels and of scores, the first one that is there going before the others."""

_MARKS = (("_l", "_r"), ("_left", "_right"), ("_1", "_2"), ("_a", "_b"), ("1", "2"))
_FRONT_MARKS = (("left_", "right_"), ("l_", "r_"), ("ltable_", "rtable_"))
_WHOLE = (("left", "right"), ("source", "target"), ("src", "dst"), ("from", "to"))


def find_sides(names: Sequence[str]) -> list[tuple[list[int], list[int]]]:
    """Return which columns may hold the two records of a pair, by their names: for each way, those of both sides.

    >>> find_sides(["match_probability", "unique_id_l", "unique_id_r", "name_l", "name_r"])
    [([1], [2])]
    """
    place = {fold_name(name): number for number, name in enumerate(names)}
    found = []
    for left, right in _WHOLE:
        if left in place and right in place:
            found.append(([place[left]], [place[right]]))
    for name, number in place.items():
        for base, other in _find_other_side(name):
            if other in place and find_part(base) == "mention":
                found.append(([number], [place[other]]))
    sources = [(f"{SOURCE}{left}", f"{SOURCE}{right}") for left, right in _MARKS]
    joined = next(((place[a], place[b]) for a, b in sources if a in place and b in place), None)
    if joined is not None:
        found = [([joined[0], *left], [joined[1], *right]) for left, right in found]
    return found


def _find_other_side(name: str) -> Iterator[tuple[str, str]]:
    """Yield for the name of a left column the name without its mark, and with that of the right: id, id_r for id_l."""
    for left, right in _MARKS:
        if name.endswith(left):
            base = name.removesuffix(left)
            yield base, f"{base}{right}"
    for left, right in _FRONT_MARKS:
        if name.startswith(left):
            base = name.removeprefix(left)
            yield base, f"{right}{base}"


def find_named(wanted: Sequence[str], names: Sequence[str]) -> list[int]:
    """Return the numbers of the columns with these names, in the order of the names."""
    place = {fold_name(name): number for number, name in enumerate(names)}
    return [place[name] for name in wanted if name in place]
