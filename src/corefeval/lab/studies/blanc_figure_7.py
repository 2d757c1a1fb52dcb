"""BLANC as a surface over right coreference and right non-coreference links."""

from corefeval.lab.findings import Claim, Figure, Findings, write_percents
from corefeval.lab.links import score_links
from corefeval.lab.papers import BLANC, compute_fields

TITLE = "BLANC over right links of both kinds: slope and plateau"
SOURCE = f"{BLANC}, figure 7 and section 5.3"
PROCEDURE = (
    "sections of the surface at 0, 2, 5, 8 and 10 right coreference links. Not every pair of counts is that of a "
    "partition: mentions that are linked bring further links with them."
)

LINKED, APART = 10, 2405
"""The links of Gold₁."""
SECTIONS = (0, 2, 5, 8, 10)
PLACES = (0, 240, 481, 962, 1202, 1443, 1924, 2164, 2285, 2345, 2381, 2393, 2400, 2404, 2405)


def run() -> Findings:
    """Return sections of the surface, and what section 5.3 says of its faces, bend and plateau."""
    curves = {f"{right} right links": [100 * _compute(right, apart) for apart in PLACES] for right in SECTIONS}
    known = compute_fields({"7": "blanc-8C", "0": "blanc-8G"}, "blanc.f1")
    edge = {right: _compute(int(right), APART) for right in known}
    front, rear = ((_compute(right, 0), _compute(right, APART)) for right in (LINKED, 0))
    # With all coreference links right, F is 2 linked / (2 linked + wrong): one half with 2 linked wrong ones.
    bends = {f"1 in {1 + apart // LINKED}": 1 - 2 * LINKED / apart for apart in (90, 490, 2405)}
    ninety = _compute(9, round(0.9 * APART))
    claims = [
        Claim("where all non-coreference links are right, the surface is BLANC's curve of figure 6",
              all(abs(edge[right] - value) < 1e-12 for right, value in known.items()),
              write_percents({f"{right} links": value for right, value in edge.items()})),
        Claim("where all coreference links are right, BLANC goes from near 0 to 0.5 with right non-coreference links",
              front[0] < 0.01 and abs(front[1] - 0.5) < 0.01, f"from {front[0]:.4f} to {front[1]:.4f}"),
        Claim("where no coreference link is right, it goes from near 0 to 0.5",
              rear[0] < 0.01 and abs(rear[1] - 0.5) < 0.01, f"from {rear[0]:.4f} to {rear[1]:.4f}"),
        Claim("the smaller the share of coreference links, the sharper the bend and the closer to the edge",
              list(bends.values()) == sorted(bends.values()),
              "non-coreference links that must be right for half of the coreference score: " + write_percents(bends)),
        Claim("almost all links of both kinds must be right to approach the steep curve: with nine in ten, BLANC is "
              "still near 0.5", ninety < 0.55, f"{ninety:.4f}"),
    ]  # fmt: skip
    return Findings(claims=claims, figures=[Figure("right non-coreference links", "BLANC", PLACES, curves)])


def _compute(right: int, apart: int) -> float:
    """Return BLANC of so many right links of both kinds, of those of Gold₁."""
    return score_links(right, apart, APART - apart, LINKED - right).f1
