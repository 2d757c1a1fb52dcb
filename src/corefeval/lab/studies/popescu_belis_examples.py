"""The six examples of Popescu-Belis, section 5.1, which two studies share: of three only numbers are printed."""

from itertools import chain
from typing import Any

from corefeval.lab.findings import Claim
from corefeval.lab.papers import compute_field, load_case
from corefeval.lab.partitions import make_entities

PRINTED = {number: f"popescu-belis-{number}" for number in "123"}
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
    key = make_entities(SIZES)
    pronouns = [mention for place, number in PRONOUNS.items() for mention in key[place][:number]]
    others = [entity[PRONOUNS.get(place, 0) :] for place, entity in enumerate(key)]
    responses = {"4": [[mention] for mention in chain(*key)], "5": [[*chain(*key)]], "6": [*others, pronouns]}
    printed = {number: load_case(name) for number, name in PRINTED.items()}
    return printed | {number: {"key": key, "response": response} for number, response in responses.items()}


def compute_rows(paths: dict[str, str]) -> dict[str, dict[str, float]]:
    """Return our values of all examples: for each column, whose score is given, the value of each example."""
    examples = make_examples()
    return {name: {row: compute_field(case, path) for row, case in examples.items()} for name, path in paths.items()}


def check_rows(ours: dict[str, dict[str, float]], printed: dict[str, dict[str, float]]) -> list[Claim]:
    """Return the claims that partitions chosen for examples give the percentages that the paper prints for them."""
    claims = []
    for row in "456":
        different = [
            f"{name} {100 * column[row]:.2f} for {printed[name][row]}"
            for name, column in ours.items()
            if abs(100 * column[row] - printed[name][row]) > 0.5 + 1e-9
        ]
        numbers = "; ".join([f"{len(ours) - len(different)} of {len(ours)}", *different])
        text = f"the partition chosen for example {row} gives the printed values"
        claims.append(Claim(text, not different, numbers))
    return claims
