"""LEA of the reference scorer's example, step by step."""

from corefeval.lab.findings import Claim, Findings
from corefeval.lab.papers import LEA, compare_cases, group_cases, load_case
from corefeval.lab.partitions import Partitions, count_links

TITLE = "How LEA is computed"
SOURCE = f"{LEA}, section 5"


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    return group_cases({"example": "pradhan-4"})


def run() -> Findings:
    """Return LEA's recall and precision, and the links that the text counts."""
    key, response = ([set(entity) for entity in load_case("pradhan-4")[side]] for side in ("key", "response"))
    links = [count_links([entity]) for entity in key]
    common = [[count_links([one & other]) for other in response] for one in key]
    claims = [
        Claim("link(k1) = 3 and link(k2) = 6", links == [3, 6], f"{links[0]}, {links[1]}"),
        Claim("k1 has one common link with r1, k2 with r3, and none with others", common == [[1, 0, 0], [0, 0, 1]],
              f"k1 {common[0]}, k2 {common[1]}"),
    ]  # fmt: skip
    return Findings(compare_cases({"example": "pradhan-4"}, "lea"), claims)
