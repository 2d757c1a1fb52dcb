"""Right links are found one after another: how do measures rise?"""

from itertools import pairwise, product
from statistics import mean
from typing import NamedTuple

from corefeval.lab.findings import Claim, Figure, Findings, write_percents
from corefeval.lab.papers import BLANC, load_case
from corefeval.lab.partitions import split_entity
from corefeval.scoring.score import score

TITLE = "Measures against the number of right coreference links"
SOURCE = f"{BLANC}, figure 6 and section 5.3"
PROCEDURE = (
    "all responses that split the entities of four, three and two mentions of Gold₁ and make no wrong link (30 by the "
    "sizes of the parts); a point is the mean of those with as many right links."
)

SPLITS = (((4,), (3, 1), (2, 2), (2, 1, 1), (1, 1, 1, 1)), ((3,), (2, 1), (1, 1, 1)), ((2,), (1, 1)))
MEASURES = ("muc", "bcub", "ceafm", "blanc")


class SplitResponse(NamedTuple):
    """A response that splits entities: into which parts, how many right links it has, and its scores."""

    parts: tuple[tuple[int, ...], ...]
    links: int
    f1: dict[str, float]


def run() -> Findings:
    """Return a curve for each measure, and what section 5.3 says of their places and slopes."""
    responses = [_score(parts) for parts in product(*SPLITS)]
    numbers = sorted({each.links for each in responses})
    curves = {
        name: [100 * mean(each.f1[name] for each in responses if each.links == links) for links in numbers]
        for name in MEASURES
    }
    muc, bcub, ceaf, blanc = (curve[:-1] for curve in curves.values())  # in the end all are 100
    below = [each for each in responses if each.f1["blanc"] < each.f1["muc"]]
    proper = [each for each in responses if each.links < 10]
    above = [each for each in proper if each.f1["blanc"] >= min(each.f1["bcub"], each.f1["ceafm"])]
    steps = [second - first for first, second in pairwise(curves["blanc"])]
    rises = {name: (max(curve) - min(curve)) / 100 for name, curve in curves.items()}
    claims = [
        Claim("BLANC's curve is higher than MUC's", all(map(float.__gt__, blanc, muc)), _write(curves, "muc")),
        Claim("BLANC's curve is lower than those of B³ and CEAF", all(map(float.__lt__, blanc, map(min, bcub, ceaf))),
              f"{_write(curves, 'bcub')}; {_write(curves, 'ceafm')}"),
        Claim("BLANC is higher than MUC for every single response", not below, _write_responses(below)),
        Claim("BLANC is lower than B³ and CEAF for every single response", not above, _write_responses(above)),
        Claim("B³ and CEAF show an almost flat line: less than ten points from no right link to all",
              max(rises["bcub"], rises["ceafm"]) < 0.1, write_percents(rises)),
        Claim("BLANC's curve rises with each right link", min(steps) > 0, f"smallest step {min(steps):.2f}"),
        Claim("BLANC's slope gradually increases", all(map(float.__lt__, steps, steps[1:])),
              f"steps {', '.join(f'{step:.2f}' for step in steps)}"),
    ]  # fmt: skip
    return Findings(claims=claims, figures=[Figure("right coreference links", "F1", numbers, curves)])


def _score(parts: tuple[tuple[int, ...], ...]) -> SplitResponse:
    """Return the response that splits entities of Gold₁ into such parts, with its scores."""
    key = response = load_case("blanc-8A")["key"]
    for sizes in parts:
        response = split_entity(response, sizes) if len(sizes) > 1 else response
    found = score(key, response, measures=list(MEASURES))
    links = found["blanc"].links["right_coreference"]
    return SplitResponse(parts, links, {name: found[name].f1 for name in MEASURES})


def _write(curves: dict[str, list[float]], name: str) -> str:
    """Return first, middle and last but one point of BLANC's and another curve as a text."""
    points = ((links, curves["blanc"][links], curves[name][links]) for links in (0, 5, 9))
    return f"blanc/{name}: " + ", ".join(f"{links} links {one:.2f}/{other:.2f}" for links, one, other in points)


def _write_responses(found: list[SplitResponse]) -> str:
    """Return how many responses there are, and the first of them with its scores."""
    such = [" ".join("-".join(map(str, sizes)) for sizes in each.parts) for each in found[:1]]
    examples = [f", such as {parts}: {write_percents(each.f1)}" for parts, each in zip(such, found, strict=False)]
    return f"{len(found)} of 30 are not{''.join(examples)}"
