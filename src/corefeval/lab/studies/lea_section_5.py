"""LEA of the reference scorer's example, step by step."""

from __future__ import annotations

from corefeval.lab.findings import Claim, Findings
from corefeval.lab.papers import compare_case, load_case

TITLE = "How LEA is computed"
SOURCE = "Moosavi & Strube 2016, Which coreference evaluation metric do you trust?, section 5"
PROCEDURE = ""


def run() -> Findings:
    """Return LEA's recall and precision, and the links that the text counts."""
    case = load_case("pradhan-4")
    key, response = ([set(entity) for entity in case[side]] for side in ("key", "response"))
    common = [[_count_links(len(one & other)) for other in response] for one in key]
    links = [_count_links(len(entity)) for entity in key]
    claims = [
        Claim("link(k1) = 3 and link(k2) = 6", links == [3, 6], f"{links[0]}, {links[1]}"),
        Claim("k1 has one common link with r1, k2 with r3, and none with others", common == [[1, 0, 0], [0, 0, 1]],
              f"k1 {common[0]}, k2 {common[1]}"),
    ]  # fmt: skip
    return Findings(compare_case("pradhan-4", "lea", label="example"), claims)


def _count_links(mentions: int) -> int:
    """Return how many links there are between so many mentions."""
    return mentions * (mentions - 1) // 2
