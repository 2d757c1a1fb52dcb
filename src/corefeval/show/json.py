"""JSON with full precision: one shape, whatever the number of responses."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from corefeval import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval.scoring.results import DocumentScores, Evaluation


def write(evaluations: Sequence[Evaluation], *, per_document: bool = False) -> str:
    """All evaluations as one object."""
    listed = [as_dict(each, per_document=per_document) for each in evaluations]
    return json.dumps({"corefeval": __version__, "evaluations": listed}, indent=1, ensure_ascii=False, allow_nan=False)


def as_dict(evaluation: Evaluation, *, per_document: bool = False) -> dict[str, object]:
    """One evaluation."""
    found: dict[str, object] = {
        "key": evaluation.key,
        "response": evaluation.response,
        "signature": evaluation.signature,
        "documents": len(evaluation.document_names),
        "measures": _measures(evaluation, evaluation),
    }
    if per_document:
        found["per_document"] = {
            name: {"measures": _measures(evaluation, scores)} for name, scores in evaluation.documents.items()
        }
    return found | {"notices": [notice.to_dict() for notice in evaluation.notices]}


def _measures(evaluation: Evaluation, scores: Evaluation | DocumentScores) -> dict[str, object]:
    return {str(measure): scores[measure].to_dict() for measure in evaluation.measures}
