"""The six examples of Popescu-Belis, section 5.1: three are printed, of the others only numbers are."""

from __future__ import annotations

from typing import Any

from corefeval.lab.findings import Claim
from corefeval.lab.papers import compute_field, load_case
from corefeval.lab.partitions import make_entities

SIZES = (46, 35, 25, 12, 7, 3, 3, *[2] * 8)
PRONOUNS = {0: 26, 1: 15, 2: 7, 13: 1, 14: 1}
"""How many mentions of which key entities are pronouns: 50, in five entities."""
PROCEDURE = (
    "for examples 4 to 6 the paper prints 147 mentions in 15 entities, and 50 pronouns in five of them, but not which: "
    "here entities of 46, 35, 25, 12, 7, 3, 3 and eight times 2 mentions, and 26, 15, 7, 1 and 1 pronouns in the first "
    "three and the last two, found by a search for what gives the printed values."
)


def make_examples() -> dict[str, dict[str, Any]]:
    """Return the key and the response of each example by its number: 1 to 3 as printed, 4 to 6 as PROCEDURE says."""
    printed = {number: load_case(f"popescu-belis-{number}") for number in "123"}
    key = make_entities(SIZES)
    singletons = [[mention] for entity in key for mention in entity]
    pronouns = [mention for place, number in PRONOUNS.items() for mention in key[place][:number]]
    others = [entity[PRONOUNS.get(place, 0) :] for place, entity in enumerate(key)]
    responses = {"4": singletons, "5": [[mention for entity in key for mention in entity]], "6": [*others, pronouns]}
    return printed | {number: {"key": key, "response": response} for number, response in responses.items()}


def compute_rows(paths: dict[str, str]) -> dict[str, dict[str, float]]:
    """Return our values of all examples: for each column, whose score is given, the value of each example."""
    examples = make_examples()
    return {
        column: {number: compute_field(case, path) for number, case in examples.items()}
        for column, path in paths.items()
    }


def check_row(number: str, columns: dict[str, dict[str, float]], printed: tuple[int, ...]) -> Claim:
    """Return the claim that the partition chosen for an example gives the percentages that the paper prints for it."""
    pairs = {
        name: (100 * column[number], value) for (name, column), value in zip(columns.items(), printed, strict=True)
    }
    different = [
        f"{name} {ours:.2f} for {value}" for name, (ours, value) in pairs.items() if abs(ours - value) > 0.5 + 1e-9
    ]
    numbers = "; ".join([f"{len(pairs) - len(different)} of {len(pairs)}", *different])
    return Claim(f"the partition chosen for example {number} gives the printed values", not different, numbers)
