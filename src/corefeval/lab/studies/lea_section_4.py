"""Mentions that a response has in several entities: B³ and LEA by their formulas of sets."""

from corefeval.lab.findings import Claim, Findings, write_numbers
from corefeval.lab.papers import LEA
from corefeval.lab.partitions import ComparedSides, Partitions
from corefeval.notices import hold_announcements
from corefeval.scoring.score import score

TITLE = "Mentions in several response entities"
SOURCE = f"{LEA}, sections 3.2 and 4"
PROCEDURE = (
    "the key is {a, b, c}, and a is repeated in one entity after the other, for the text has no example. Entities are "
    "sets that share mentions, as in the paper's formulas (duplicates=sets)."
)

KEY = [["a", "b", "c"]]
GROWING = {
    "{a, b}, {c}, {x}": [["a", "b"], ["c"], ["x"]],
    "{a, b}, {a, c}, {x}": [["a", "b"], ["a", "c"], ["x"]],
    "{a, b}, {a, c}, {a, x}": [["a", "b"], ["a", "c"], ["a", "x"]],
}
"""Responses in which a is once, twice with a right link each, and once more without one."""

TWICE = {"{a, b, c}, {a, b}": [["a", "b", "c"], ["a", "b"]]}
"""A response with a right link in two entities."""


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    return {"section 4": ComparedSides(KEY, GROWING | TWICE)}


def run() -> Findings:
    """Return what the text says of both measures, with their recall of responses that repeat mentions."""
    bcub, lea, twice = _recall("bcub", GROWING), _recall("lea", GROWING), _recall("lea", TWICE)
    once, linked, wrong = lea.values()
    return Findings(claims=[
        Claim("B³ receives credit for all the repetitions", sorted(set(bcub.values())) == [*bcub.values()],
              write_numbers(bcub, 3)),
        Claim("LEA resolves relations, not mentions: a repetition without a right link adds nothing",
              once < linked == wrong, write_numbers(lea, 3)),
        Claim("repeated mentions are not troublesome for LEA, read as: no link is resolved twice",
              all(recall <= 1 for recall in twice.values()), write_numbers(twice, 3)),
    ])  # fmt: skip


def _recall(measure: str, responses: dict[str, list[list[str]]]) -> dict[str, float]:
    """Return the recall of each response by a measure that takes entities for sets."""
    with hold_announcements():  # of repeated mentions, which are meant
        return {
            name: score(KEY, response, measures=measure, duplicates="sets")[measure].recall
            for name, response in responses.items()
        }
