"""Agreement as JSON, with full precision."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from corefeval import __version__

if TYPE_CHECKING:
    from corefeval.agreement.results import Agreement, Coefficient, Disagreements, PairAgreement, SplitEntity


def write(agreement: Agreement) -> str:
    """One object."""
    return json.dumps(as_dict(agreement), indent=1, ensure_ascii=False, allow_nan=False)


def as_dict(agreement: Agreement) -> dict[str, object]:
    """Annotators, pairs, the mean over pairs, α, and what they split on."""
    return {
        "corefeval": __version__,
        "signature": agreement.signature,
        "annotators": [asdict(each) for each in agreement.annotators],
        "pairs": [_pair(each) for each in agreement.pairs],
        "mean": {name: asdict(each) for name, each in agreement.summary.items()},
        "alpha": [_coefficient(each) for each in agreement.alpha],
        "mentions": {**asdict(agreement.marks), "by": {str(n): times for n, times in agreement.marks.by.items()}},
        "splits": _splits(agreement.splits),
        "draws": agreement.draws,
        "seed": agreement.seed,
        "notices": [notice.to_dict() for notice in agreement.notices],
    }


def _pair(pair: PairAgreement) -> dict[str, object]:
    chance = {name: asdict(each) for name, each in pair.chance.items()}
    return {**asdict(pair), "undefined": list(pair.undefined), "chance": chance}


def _coefficient(each: Coefficient) -> dict[str, object]:
    found = {"distance": each.distance, "itself": each.itself, "alpha": each.alpha.value}
    disagreement = {"observed": each.alpha.observed, "expected": each.alpha.expected}
    return {**found, **disagreement, "mentions": each.alpha.units, "units": each.units}


def _splits(splits: Disagreements) -> dict[str, object]:
    return {
        "mentions": [
            {**asdict(each.place), "disagreement": each.disagreement, "with": dict(each.entities)}
            for each in splits.mentions
        ],
        "entities": [_entity(each) for each in splits.entities],
        "one_sided": [
            {**asdict(each.place), "marked": list(each.marked), "not_marked": list(each.not_marked)}
            for each in splits.one_sided
        ],
        "counts": {
            "mentions": splits.all_mentions,
            "entities": splits.all_entities,
            "one_sided": splits.all_one_sided,
        },
    }


def _entity(each: SplitEntity) -> dict[str, object]:
    others = {name: {"parts": list(parts), "missing": missing} for name, (parts, missing) in each.others.items()}
    return {
        "annotator": each.annotator,
        **asdict(each.place),
        "size": each.size,
        "total": each.total,
        "disagreement": each.disagreement,
        "others": others,
    }
