"""Why two scorers disagree, as text and as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from corefeval import __version__
from corefeval.show import table, text

if TYPE_CHECKING:
    from corefeval.analysis.why import Explanation, Step
    from corefeval.scoring.results import Evaluation
    from corefeval.show.text import Style

SHOWN = 5
_STILL = 5e-7  # what moves by less does not show


def write(explanation: Explanation, *, style: Style = text.plain, shown: int | None = SHOWN) -> str:
    """A table with a row for each decision, and then what is responsible, as many of a kind as are to be shown."""
    one, other = explanation.from_, explanation.to
    names = [str(measure) for measure in explanation.measures]
    start, end = (_values(explanation, each) for each in (explanation.start, explanation.end))
    body = [[one.name, "", *start]]
    for place, step in enumerate(explanation.steps):
        body.append([step.decision, f"{step.before} → {step.after}", *_moves(explanation, place, step)])
    body.append([other.name, "", *end])
    lines = text.grid(["", "", *names], body, style, left=2)
    fields = {measure.main for measure in explanation.measures}
    lines += ["", style("quiet", f"{' and '.join(sorted(fields))}; changes in points, · is none")]
    if len(explanation.steps) > 1:
        order = "decisions change one after the other, in this order; in another order each may move more or less"
        lines.append(style("quiet", order))
    for line in _refusals(explanation):
        lines += ["", line]
    for place, step in enumerate(explanation.steps):
        if step.causes and _moved(explanation, place):
            lines += ["", style("head", f"{step.decision}: {step.before} → {step.after}")]
            lines += [f"  {cause}" for cause in step.causes[:shown]]
            left = len(step.causes) - len(step.causes[:shown])
            lines += [f"  and {left:,} more"] if left else []
    return "\n".join(lines)


def _values(explanation: Explanation, evaluation: Evaluation) -> list[str]:
    written = table.WRITTEN[evaluation.options.digits]
    return [written(evaluation[measure].main) for measure in explanation.measures]


def _moves(explanation: Explanation, place: int, step: Step) -> list[str]:
    if step.refused:
        return ["refused"] * len(explanation.measures)
    found = []
    for measure in explanation.measures:
        change = explanation.changes(place, measure)[measure.main]
        found.append("·" if abs(change) < _STILL else f"{100 * change:+.2f}")
    return found


def _moved(explanation: Explanation, place: int) -> bool:
    return any(
        abs(change) >= _STILL
        for measure in explanation.measures
        for change in explanation.changes(place, measure).values()
    )


def _refusals(explanation: Explanation) -> list[str]:
    found = []
    if explanation.refused:
        found.append(f"{explanation.from_.name} itself would refuse these files: {explanation.refused}")
    found += [
        f"{explanation.to.name} itself would refuse these files ({step.decision}={step.after}): {step.refused}"
        for step in explanation.steps
        if step.refused
    ]
    return found


def as_dict(explanation: Explanation) -> dict[str, object]:
    """Everything, with full precision."""
    steps = [
        {
            "decision": step.decision,
            "from": step.before,
            "to": step.after,
            "refused": step.refused,
            "changes": {str(measure): explanation.changes(place, measure) for measure in explanation.measures},
            "scores": _scores(explanation, step.evaluation),
            "causes": list(step.causes),
        }
        for place, step in enumerate(explanation.steps)
    ]
    return {
        "corefeval": __version__,
        "key": explanation.start.key,
        "response": explanation.start.response,
        "from": _end(explanation, explanation.from_.name, explanation.start) | {"refused": explanation.refused},
        "steps": steps,
        "to": _end(explanation, explanation.to.name, explanation.end),
    }


def _end(explanation: Explanation, name: str, evaluation: Evaluation) -> dict[str, object]:
    return {"profile": name, "signature": evaluation.signature, "scores": _scores(explanation, evaluation)}


def _scores(explanation: Explanation, evaluation: Evaluation) -> dict[str, object]:
    return {
        str(measure): {field: evaluation[measure].values[field] for field in measure.shown}
        for measure in explanation.measures
    }


def write_json(explanation: Explanation) -> str:
    """The same as text."""
    return json.dumps(as_dict(explanation), indent=1, ensure_ascii=False, allow_nan=False)
