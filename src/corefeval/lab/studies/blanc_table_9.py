"""Eight responses to one key: entities, singletons and links of each."""

from __future__ import annotations

from corefeval.lab.findings import Claim, Findings, PrintedValue
from corefeval.lab.papers import compare_links, load_case

TITLE = "What the responses A to H to Gold₁ are made of"
SOURCE = "Recasens & Hovy 2011, BLANC: Implementing the Rand index for coreference evaluation, tables 8 and 9"
PROCEDURE = ""

RESPONSES = {letter: f"blanc-8{letter}" for letter in "ABCDEFGH"}
SIZES = {
    "A": (63, 59),
    "B": (63, 60),
    "C": (66, 64),
    "D": (63, 61),
    "E": (63, 59),
    "F": (63, 57),
    "G": (70, 70),
    "H": (1, 0),
}
"""Entities and singletons, as table 9 prints them."""
ERRORS = {
    "A commits one precision error only": ("A", 1, 0),
    "B produces not one but four precision errors": ("B", 4, 0),
    "C has no precision errors, and fails to identify an entity of three": ("C", 0, 3),
    "D is clean in recall, and merges entities of three and four": ("D", 12, 0),
    "E has both kinds of errors": ("E", 4, 4),
    "F makes four wrong links, and misses the entity of four": ("F", 4, 6),
}
"""What section 5.1 says of responses, with their wrong and missed coreference links."""


def run() -> Findings:
    """Return table 9, and what the text says of the key and of each response."""
    values = [
        PrintedValue(letter, name, ours, printed, digits=0)
        for letter, printed_sizes in SIZES.items()
        for name, ours, printed in zip(("entities", "singletons"), _count(letter), printed_sizes, strict=True)
    ]
    links = compare_links(RESPONSES)
    wrong = {(value.case, value.name): int(value.ours) for value in links}
    claims = []
    for text, (letter, false, missed) in ERRORS.items():
        ours = wrong[letter, "wrong_coreference"], wrong[letter, "wrong_noncoreference"]
        claims.append(Claim(text, ours == (false, missed), f"{ours[0]} wrong links, {ours[1]} missed"))
    key = load_case("blanc-8A")["key"]
    share = 100 * sum(len(entity) == 1 for entity in key) / len(key)
    claims.insert(0, Claim("95% of the entities of Gold₁ are singletons", round(share) == 95, f"{share:.2f}"))
    return Findings([*values, *links], claims)


def _count(letter: str) -> tuple[int, int]:
    """Return how many entities and singletons a response has."""
    response = load_case(RESPONSES[letter])["response"]
    return len(response), sum(len(entity) == 1 for entity in response)
