"""Right links are found one after another: how do measures rise?"""

from itertools import pairwise, product
from statistics import mean

from corefeval.lab.findings import Claim, Figure, Findings, write_percents
from corefeval.lab.papers import BLANC, load_case
from corefeval.lab.partitions import ComparedSides, Partitions, split_entity
from corefeval.scoring.score import score

TITLE = "Measures against the number of right coreference links"
SOURCE = f"{BLANC}, figure 6 and section 5.3"
PROCEDURE = (
    "all responses that split the entities of four, three and two mentions of Gold₁ and make no wrong link (30 by the "
    "sizes of the parts); a point is the mean of those with as many right links."
)

SPLITS = (("4", "3-1", "2-2", "2-1-1", "1-1-1-1"), ("3", "2-1", "1-1-1"), ("2", "1-1"))
MEASURES = ("muc", "bcub", "ceafm", "blanc")


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    key = load_case("blanc-8A")["key"]
    responses = {}
    for parts in product(*SPLITS):
        response = key
        for sizes in (part.split("-") for part in parts if "-" in part):
            response = split_entity(response, list(map(int, sizes)))
        responses[" ".join(parts)] = response
    return {"Gold₁": ComparedSides(key, responses)}


def run() -> Findings:
    """Return a curve for each measure, and what section 5.3 says of their places and slopes."""
    (sides,) = list_partitions().values()
    links, f1 = {}, {}
    for name, response in sides.responses.items():
        found = score(sides.key, response, measures=list(MEASURES))
        links[name] = found["blanc"].links["right_coreference"]
        f1[name] = {measure: found[measure].f1 for measure in MEASURES}
    numbers = sorted({*links.values()})
    curves = {
        measure: [100 * mean(each[measure] for name, each in f1.items() if links[name] == number) for number in numbers]
        for measure in MEASURES
    }
    muc, bcub, ceaf, blanc = (curve[:-1] for curve in curves.values())  # in the end all are 100
    below = [name for name, each in f1.items() if each["blanc"] < each["muc"]]
    above = [name for name, each in f1.items() if min(each["bcub"], each["ceafm"]) <= each["blanc"] < 1]
    steps = [second - first for first, second in pairwise(curves["blanc"])]
    rises = {measure: (max(curve) - min(curve)) / 100 for measure, curve in curves.items()}
    claims = [
        Claim("BLANC's curve is higher than MUC's", all(map(float.__gt__, blanc, muc)), _write(curves, "muc")),
        Claim("BLANC's curve is lower than those of B³ and CEAF", all(map(float.__lt__, blanc, map(min, bcub, ceaf))),
              f"{_write(curves, 'bcub')}; {_write(curves, 'ceafm')}"),
        Claim("BLANC is higher than MUC for every single response", not below, _write_responses(below, f1)),
        Claim("BLANC is lower than B³ and CEAF for every single response", not above, _write_responses(above, f1)),
        Claim("B³ and CEAF show an almost flat line: less than ten points from no right link to all",
              max(rises["bcub"], rises["ceafm"]) < 0.1, write_percents(rises)),
        Claim("BLANC's curve rises with each right link", min(steps) > 0, f"smallest step {min(steps):.2f}"),
        Claim("BLANC's slope gradually increases", all(map(float.__lt__, steps, steps[1:])),
              f"steps {', '.join(f'{step:.2f}' for step in steps)}"),
    ]  # fmt: skip
    return Findings(claims=claims, figures=[Figure("right coreference links", "F1", numbers, curves)])


def _write(curves: dict[str, list[float]], name: str) -> str:
    """Return first, middle and last but one point of BLANC's and another curve as a text."""
    points = ((links, curves["blanc"][links], curves[name][links]) for links in (0, 5, 9))
    return f"blanc/{name}: " + ", ".join(f"{links} links {one:.2f}/{other:.2f}" for links, one, other in points)


def _write_responses(names: list[str], f1: dict[str, dict[str, float]]) -> str:
    """Return how many responses there are, and the first of them with its scores."""
    example = f", such as {names[0]}: {write_percents(f1[names[0]])}" if names else ""
    return f"{len(names)} of 30 are not{example}"
