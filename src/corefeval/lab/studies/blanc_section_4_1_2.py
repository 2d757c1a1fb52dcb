"""Only singletons, or a single entity: BLANC at its boundaries."""

from __future__ import annotations

from corefeval.lab.findings import Claim, Curve, Figure, Findings
from corefeval.lab.links import score_links
from corefeval.lab.papers import compare_cases, load_case
from corefeval.lab.writing import write_percents
from corefeval.measures.score import Score
from corefeval.notices import count_things
from corefeval.scoring.score import score

TITLE = "BLANC where a side has only singletons, or a single entity"
SOURCE = "Recasens & Hovy 2011, BLANC: Implementing the Rand index for coreference evaluation, sections 4.1.2 and 4.1.3"
PROCEDURE = "keys and responses of four mentions; the near-boundary case is drawn for keys of 3 to 50 mentions."

CASES = {
    "one entity, both": "blanc-boundary-one-one",
    "singletons, both": "blanc-boundary-singletons-singletons",
    "key singletons, response one entity": "blanc-boundary-key-singletons-response-one",
    "key one entity, response singletons": "blanc-boundary-key-one-response-singletons",
}
MENTIONS = (3, 4, 5, 10, 18, 20, 50)
ALPHAS = {"alpha 0.5": "blanc", "alpha 0.1": "blanc:alpha=0.1"}


def run() -> Findings:
    """Return the scores at the boundaries, and what the section says of the parts and of near-boundary cases."""
    near = {name: [_score_linkless(count, measure).f1 for count in MENTIONS] for name, measure in ALPHAS.items()}
    claims = [
        _check_zero("one entity as response, key between: the non-coreference part is 0", "blanc-8H", "noncoreference"),
        _check_zero("only singletons as response, key between: the coreference part is 0", "blanc-8G", "coreference"),
        _check_zero("no right coreference link, key between: the coreference part is 0", "blanc-12B", "coreference"),
        _check_alone("response between, key a single entity: BLANC is its coreference part", "one", "coreference"),
        _check_alone("response between, key singletons: BLANC is its non-coreference part", "singletons",
                     "noncoreference"),
        Claim("all links of the key but one are non-coreference links, and the response has no others: BLANC is never "
              "higher than 50", max(near["alpha 0.5"]) < 0.5, _write(near["alpha 0.5"])),
        Claim("alpha 0.1 is much less severe then", min(near["alpha 0.1"]) > max(near["alpha 0.5"]),
              _write(near["alpha 0.1"])),
    ]  # fmt: skip
    curves = tuple(Curve(name, tuple(100 * value for value in values)) for name, values in near.items())
    return Findings(compare_cases(CASES), claims, Figure("mentions", "BLANC", MENTIONS, curves))


def _score_case(name: str) -> Score:
    """Return BLANC of a case of papers.json."""
    case = load_case(name)
    return score(case["key"], case["response"], measures="blanc")["blanc"]


def _check_zero(text: str, name: str, part: str) -> Claim:
    """Return the claim that recall, precision and F1 of a part of BLANC are 0 for a case."""
    values = _list_rates(_score_case(name).parts[part])
    return Claim(text, set(values.values()) == {0}, write_percents(values))


def _check_alone(text: str, key: str, part: str) -> Claim:
    """Return the claim that BLANC equals one of its parts, for a response with links of both kinds."""
    found = _score_case(f"blanc-boundary-key-{key}-response-both")
    return Claim(text, _list_rates(found) == _list_rates(found.parts[part]), write_percents(_list_rates(found)))


def _list_rates(found: Score) -> dict[str, float]:
    """Return recall, precision and F1 of a score by name."""
    return {"recall": found.recall, "precision": found.precision, "F1": found.f1}


def _score_linkless(mentions: int, measure: str) -> Score:
    """Return the score of singletons against a key of so many mentions, of which two are linked."""
    return score_links(
        right_coreference=0,
        wrong_coreference=0,
        right_noncoreference=mentions * (mentions - 1) // 2 - 1,
        wrong_noncoreference=1,
        measure=measure,
    )


def _write(values: list[float]) -> str:
    """Return the scores for all numbers of mentions as a text."""
    return write_percents(
        {count_things(count, "mention"): value for count, value in zip(MENTIONS, values, strict=True)}
    )
