"""Does a wrong link cost more than a missed one, as the third desideratum has it?"""

from __future__ import annotations

from corefeval.lab.findings import Claim, Curve, Figure, Findings
from corefeval.lab.links import score_links
from corefeval.lab.partitions import make_entities, split_entity
from corefeval.lab.writing import write_percents
from corefeval.scoring.score import score

TITLE = "Reward precision more than recall: wrong links against missed ones"
SOURCE = (
    "Recasens & Hovy 2011, BLANC: Implementing the Rand index for coreference evaluation, section 3.2 (desideratum 3) "
    "and section 6 ('BLANC fulfills the five desiderata')"
)
PROCEDURE = (
    "Gold₁, from which one link is taken (the entity of two is split), or to which one is added (two singletons are "
    "joined); likewise three links (of the entity of three, of three singletons). Curves: by number of links."
)

SIZES = (4, 3, 2, *[1] * 61)
LINKED, APART = 10, 2405


def run() -> Findings:
    """Return BLANC after 0 to 10 wrong or missed links, and whether the desideratum holds on Gold₁."""
    key = make_entities(SIZES)
    missed = {links: _score(key, split_entity(key, [1] * size)) for links, size in ((1, 2), (3, 3))}
    wrong = {links: _score(key, _join_singletons(key, size)) for links, size in ((1, 2), (3, 3))}
    curves = {
        "wrong links": [_compute(wrong=links) for links in range(LINKED + 1)],
        "missed links": [_compute(missed=links) for links in range(LINKED + 1)],
    }
    claims = [
        Claim("the score moves closer to 1 as more correct coreference links are found",
              curves["missed links"] == sorted(curves["missed links"], reverse=True),
              write_percents({"3 missed": missed[3], "1 missed": missed[1], "none": 1.0})),
        Claim("the score moves closer to 1 as fewer wrong coreference links are made, and more singletons are found",
              curves["wrong links"] == sorted(curves["wrong links"], reverse=True),
              write_percents({"3 wrong": wrong[3], "1 wrong": wrong[1], "none": 1.0})),
        *(Claim(f"precision is rewarded more than recall: {links} wrong cost more than {links} missed",
                wrong[links] < missed[links], write_percents({"wrong": wrong[links], "missed": missed[links]}))
          for links in wrong),
    ]  # fmt: skip
    drawn = tuple(Curve(name, tuple(100 * value for value in curve)) for name, curve in curves.items())
    return Findings(claims=claims, figure=Figure("links", "BLANC", tuple(range(LINKED + 1)), drawn))


def _score(key: list[list[int]], response: list[list[int]]) -> float:
    """Return BLANC of a response."""
    return score(key, response, measures="blanc")["blanc"].f1


def _join_singletons(entities: list[list[int]], number: int) -> list[list[int]]:
    """Return the entities with the last ones, which are singletons, joined."""
    return [*entities[:-number], [mention for entity in entities[-number:] for mention in entity]]


def _compute(*, wrong: int = 0, missed: int = 0) -> float:
    """Return BLANC of a response to Gold₁ with so many wrong and missed coreference links."""
    return score_links(
        right_coreference=LINKED - missed,
        wrong_coreference=wrong,
        right_noncoreference=APART - wrong,
        wrong_noncoreference=missed,
    ).f1
