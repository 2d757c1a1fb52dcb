"""Does a wrong link cost more than a missed one, as the third desideratum has it?"""

from itertools import chain

from corefeval.lab.findings import Claim, Figure, Findings, write_percents
from corefeval.lab.links import score_links
from corefeval.lab.papers import BLANC, load_case
from corefeval.lab.partitions import ComparedSides, Entities, Partitions, split_entity
from corefeval.scoring.score import score

TITLE = "Reward precision more than recall: wrong links against missed ones"
SOURCE = f"{BLANC}, section 3.2 (desideratum 3) and section 6 ('BLANC fulfills the five desiderata')"
PROCEDURE = (
    "Gold₁, from which one link is taken (the entity of two is split), or to which one is added (two singletons are "
    "joined); likewise three links (of the entity of three, of three singletons). Curves: by number of links."
)

LINKED, APART = 10, 2405
"""The links of Gold₁."""


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    responses = _make_responses()
    return {
        "Gold₁": ComparedSides(
            load_case("blanc-8A")["key"],
            {f"{links} {kind}": each for kind, found in responses.items() for links, each in found.items()},
        )
    }


def run() -> Findings:
    """Return BLANC after 0 to 10 wrong or missed links, and whether the desideratum holds on Gold₁."""
    key = load_case("blanc-8A")["key"]
    blanc = {
        kind: {links: score(key, response, measures="blanc")["blanc"].f1 for links, response in responses.items()}
        for kind, responses in _make_responses().items()
    }
    curves = {
        "wrong links": [100 * score_links(LINKED, APART - links, links, 0).f1 for links in range(LINKED + 1)],
        "missed links": [100 * score_links(LINKED - links, APART, 0, links).f1 for links in range(LINKED + 1)],
    }
    texts = {
        "missed": "the score moves closer to 1 as more correct coreference links are found",
        "wrong": "the score moves closer to 1 as fewer wrong coreference links are made, and more singletons are found",
    }
    claims = [
        *(Claim(text, curves[f"{kind} links"] == sorted(curves[f"{kind} links"], reverse=True),
                write_percents({f"3 {kind}": blanc[kind][3], f"1 {kind}": blanc[kind][1], "none": 1.0}))
          for kind, text in texts.items()),
        *(Claim(f"precision is rewarded more than recall: {links} wrong cost more than {links} missed",
                blanc["wrong"][links] < blanc["missed"][links],
                write_percents({kind: scores[links] for kind, scores in blanc.items()}))
          for links in blanc["wrong"]),
    ]  # fmt: skip
    return Findings(claims=claims, figures=[Figure("links", "BLANC", range(LINKED + 1), curves)])


def _make_responses() -> dict[str, dict[int, Entities]]:
    """Return the responses with one and three wrong links, and those with as many missed ones."""
    key = load_case("blanc-8A")["key"]  # singletons come first
    sizes = {1: 2, 3: 3}  # how many mentions have one and three links
    return {
        "wrong": {links: [[*chain(*key[:size])], *key[size:]] for links, size in sizes.items()},
        "missed": {links: split_entity(key, [1] * size) for links, size in sizes.items()},
    }
