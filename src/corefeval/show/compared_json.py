"""A comparison as JSON, with full precision."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from corefeval import __version__

if TYPE_CHECKING:
    from corefeval.comparison.results import Comparison, Difference, Estimate, Standing
    from corefeval.measures import Measure


def write(comparison: Comparison) -> str:
    """One object."""
    return json.dumps(as_dict(comparison), indent=1, ensure_ascii=False, allow_nan=False)


def as_dict(comparison: Comparison) -> dict[str, object]:
    """Systems, comparisons, and how they were made."""
    main = {str(measure): measure for measure in comparison.measures}
    return {
        "corefeval": __version__,
        "signature": comparison.signature,
        "documents": len(comparison.document_names),
        "systems": [_system(each, main) for each in comparison.systems],
        "comparisons": [_difference(each) for each in comparison.comparisons],
        "agreement": [{"measures": [one, other], "tau": value} for (one, other), value in comparison.agreement.items()],
        **asdict(comparison.settings),
        **_relative(comparison),
        "notices": [notice.to_dict() for notice in comparison.notices],
    }


def _relative(comparison: Comparison) -> dict[str, object]:
    if not comparison.relative_to:
        return {}
    found = [each.to_dict() for each in comparison.relative_to]
    how = {name: value for name, value in found[0].items() if name != "measures"}
    scores = {system.name: each["measures"] for system, each in zip(comparison.systems, found, strict=True)}
    return {"relative_to": {**how, "systems": scores}}


def _system(standing: Standing, measures: dict[str, Measure]) -> dict[str, object]:
    return {
        "name": standing.name,
        "responses": [run.response for run in standing.runs],
        "measures": {name: _estimate(each, measures[name].main) for name, each in standing.measures.items()},
        "rank": {name: each.rank for name, each in standing.measures.items()},
        "letters": {name: each.letters for name, each in standing.measures.items()},
    }


def _estimate(estimate: Estimate, main: str) -> dict[str, object]:
    found: dict[str, object] = {
        main: estimate.score,
        "interval": list(estimate.interval),
        "between_documents": estimate.between_documents,
    }
    return found if estimate.between_runs is None else found | {"between_runs": estimate.between_runs}


def _difference(difference: Difference) -> dict[str, object]:
    found = asdict(difference)
    found["interval"] = list(difference.interval)
    found["resolution"] = difference.resolution
    found["deciding"] = [{"document": name, "adds": value} for name, value in difference.deciding]
    return found
