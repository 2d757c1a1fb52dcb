"""Right links are found one after another: how do measures rise?"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product
from statistics import mean

from corefeval.lab.findings import Claim, Curve, Figure, Findings
from corefeval.lab.partitions import make_entities, split_entity
from corefeval.lab.writing import write_percents
from corefeval.scoring.score import score

TITLE = "Measures against the number of right coreference links"
SOURCE = "Recasens & Hovy 2011, BLANC: Implementing the Rand index for coreference evaluation, figure 6 and section 5.3"
PROCEDURE = (
    "all responses that split the entities of four, three and two mentions of Gold₁ and make no wrong link (30 by the "
    "sizes of the parts); a point is the mean of those with as many right links."
)

SIZES = (4, 3, 2, *[1] * 61)
SPLITS = (((4,), (3, 1), (2, 2), (2, 1, 1), (1, 1, 1, 1)), ((3,), (2, 1), (1, 1, 1)), ((2,), (1, 1)))
MEASURES = ("muc", "bcub", "ceafm", "blanc")


def run() -> Findings:
    """Return a curve for each measure, and what section 5.3 says of their places and slopes."""
    responses = [(splits, *_score(splits)) for splits in product(*SPLITS)]
    numbers = sorted({links for _, links, _ in responses})
    curves = {
        name: [mean(f1[name] for _, right, f1 in responses if right == links) for links in numbers] for name in MEASURES
    }
    muc, bcub, ceaf, blanc = curves.values()
    below = [(splits, f1) for splits, _, f1 in responses if f1["blanc"] < f1["muc"]]
    above = [
        (splits, f1) for splits, links, f1 in responses if links < 10 and f1["blanc"] >= min(f1["bcub"], f1["ceafm"])
    ]
    steps = [second - first for first, second in pairwise(blanc)]
    flat = {name: max(curves[name]) - min(curves[name]) for name in MEASURES}
    claims = [
        Claim("BLANC's curve is higher than MUC's", all(map(float.__gt__, blanc[:-1], muc[:-1])),
              _write(curves, "muc")),
        Claim("BLANC's curve is lower than those of B³ and CEAF",
              all(low < min(pair) for low, *pair in list(zip(blanc, bcub, ceaf, strict=True))[:-1]),
              f"{_write(curves, 'bcub')}; {_write(curves, 'ceafm')}"),
        Claim("BLANC is higher than MUC for every single response", not below, _write_responses(below)),
        Claim("BLANC is lower than B³ and CEAF for every single response", not above, _write_responses(above)),
        Claim("B³ and CEAF show an almost flat line: less than ten points from no right link to all",
              max(flat["bcub"], flat["ceafm"]) < 0.1, write_percents(flat)),
        Claim("BLANC's curve rises with each right link", min(steps) > 0, f"smallest step {100 * min(steps):.2f}"),
        Claim("BLANC's slope gradually increases", all(map(float.__lt__, steps, steps[1:])),
              f"steps {', '.join(f'{100 * step:.2f}' for step in steps)}"),
    ]  # fmt: skip
    drawn = tuple(Curve(name, tuple(100 * value for value in curve)) for name, curve in curves.items())
    return Findings(claims=claims, figure=Figure("right coreference links", "F1", tuple(numbers), drawn))


def _score(splits: tuple[tuple[int, ...], ...]) -> tuple[int, dict[str, float]]:
    """Return how many right links a response has that splits entities so, and its scores."""
    key = response = make_entities(SIZES)
    for sizes in splits:
        response = split_entity(response, sizes) if len(sizes) > 1 else response
    found = score(key, response, measures=list(MEASURES))
    return found["blanc"].links["right_coreference"], {name: found[name].f1 for name in MEASURES}


def _write(curves: dict[str, list[float]], name: str) -> str:
    """Return first, middle and last but one point of BLANC's and another curve as a text."""
    points = {links: (curves["blanc"][links], curves[name][links]) for links in (0, 5, 9)}
    return f"blanc/{name}: " + ", ".join(
        f"{links} links {100 * a:.2f}/{100 * b:.2f}" for links, (a, b) in points.items()
    )


def _write_responses(found: Sequence[tuple[tuple[tuple[int, ...], ...], dict[str, float]]]) -> str:
    """Return how many responses there are, and the first of them with its scores."""
    if not found:
        return "0 of 30 are not"
    splits, f1 = found[0]
    parts = " ".join("-".join(map(str, sizes)) for sizes in splits)
    return f"{len(found)} of 30 are not, such as {parts}: {write_percents(f1)}"
