"""Only singletons, or a single entity: BLANC at its boundaries."""

from collections.abc import Sequence

from corefeval.lab.findings import Claim, Figure, Findings, write_numbers, write_percents
from corefeval.lab.links import score_links
from corefeval.lab.papers import BLANC, compare_cases, group_cases, score_case
from corefeval.lab.partitions import Partitions
from corefeval.measures.score import Score
from corefeval.notices import count_things

TITLE = "BLANC where a side has only singletons, or a single entity"
SOURCE = f"{BLANC}, sections 4.1.2 and 4.1.3"
PROCEDURE = "keys and responses of four mentions; the near-boundary case is drawn for keys of 3 to 50 mentions."

CASES = {
    "one entity, both": "blanc-boundary-one-one",
    "singletons, both": "blanc-boundary-singletons-singletons",
    "key singletons, response one entity": "blanc-boundary-key-singletons-response-one",
    "key one entity, response singletons": "blanc-boundary-key-one-response-singletons",
}
ZERO = {
    "one entity as response, key between: the non-coreference part is 0": ("blanc-8H", "noncoreference"),
    "only singletons as response, key between: the coreference part is 0": ("blanc-8G", "coreference"),
    "no right coreference link, key between: the coreference part is 0": ("blanc-12B", "coreference"),
}
ALONE = {
    "response between, key a single entity: BLANC is its coreference part":
        ("blanc-boundary-key-one-response-both", "coreference"),
    "response between, key singletons: BLANC is its non-coreference part":
        ("blanc-boundary-key-singletons-response-both", "noncoreference"),
}  # fmt: skip
"""Of which cases the text says that a part of BLANC is 0, and that BLANC is that part."""
MENTIONS = (3, 4, 5, 10, 18, 20, 50)
ALPHAS = {"alpha 0.5": "blanc", "alpha 0.1": "blanc:alpha=0.1"}


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    return group_cases(CASES | {case: case for case, _ in (*ZERO.values(), *ALONE.values())})


def run() -> Findings:
    """Return the scores at the boundaries, and what the section says of the parts and of near-boundary cases."""
    # Singletons against keys of which two mentions are linked.
    near = {
        name: [100 * score_links(0, count * (count - 1) // 2 - 1, 0, 1, measure=measure).f1 for count in MENTIONS]
        for name, measure in ALPHAS.items()
    }
    claims = []
    for text, (case, part) in ZERO.items():
        rates = _list_rates(score_case(case, "blanc")["blanc"].parts[part])
        claims.append(Claim(text, {*rates.values()} == {0}, write_percents(rates)))
    for text, (case, part) in ALONE.items():
        found = score_case(case, "blanc")["blanc"]
        rates = _list_rates(found)
        claims.append(Claim(text, rates == _list_rates(found.parts[part]), write_percents(rates)))
    claims += [
        Claim("all links of the key but one are non-coreference links, and the response has no others: BLANC is never "
              "higher than 50", max(near["alpha 0.5"]) < 50, _write(near["alpha 0.5"])),
        Claim("alpha 0.1 is much less severe then", min(near["alpha 0.1"]) > max(near["alpha 0.5"]),
              _write(near["alpha 0.1"])),
    ]  # fmt: skip
    return Findings(compare_cases(CASES), claims, [Figure("mentions", "BLANC", MENTIONS, near)])


def _list_rates(found: Score) -> dict[str, float]:
    """Return recall, precision and F1 of a score by name."""
    return {"recall": found.recall, "precision": found.precision, "F1": found.f1}


def _write(scores: Sequence[float]) -> str:
    """Return the scores for all numbers of mentions as a text."""
    return write_numbers({count_things(count, "mention"): each for count, each in zip(MENTIONS, scores, strict=True)})
