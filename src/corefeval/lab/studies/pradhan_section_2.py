"""Mentions without a twin: what variants of B³ make of them."""

from corefeval.lab.findings import Claim, Findings, write_numbers
from corefeval.lab.papers import PRADHAN, compare_cases, compute_fields, group_cases
from corefeval.lab.partitions import Partitions

TITLE = "Variants of B³ for mentions without a twin"
SOURCE = f"{PRADHAN}, section 2"

RESPONSES = {"{a, b, d}": "pradhan-2-i", "{a, b, d}, {c}": "pradhan-2-ii"}


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    return group_cases(RESPONSES)


def run() -> Findings:
    """Return B³ precision of both responses to the key {a, b, c}, and what the text says of it."""
    plain, stoyanov, cai = (
        compute_fields(RESPONSES, f"{measure}.precision")
        for measure in ("bcub", "bcub:twinless=stoyanov0", "bcub:twinless=cai_strube")
    )
    first, second = RESPONSES
    claims = [
        Claim("B³0 of Stoyanov et al. gives the response with a wrong mention a perfect precision",
              stoyanov[first] == 1, write_numbers({first: stoyanov[first]}, 3)),
        Claim("by Cai & Strube's variant, precision increases with the singleton", cai[second] > cai[first],
              write_numbers(cai, 3)),
        Claim("by plain B³, precision drops with the singleton", plain[second] < plain[first],
              f"{write_numbers(plain, 3)}; the credit of c itself is 1, which 0.333 leaves out"),
    ]  # fmt: skip
    return Findings(compare_cases(RESPONSES), claims)
