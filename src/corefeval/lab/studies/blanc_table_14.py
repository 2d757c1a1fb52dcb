"""Five models on ACE-2004: BLANC from the printed links."""

from __future__ import annotations

from itertools import combinations

from corefeval.lab.findings import Claim, Findings, PrintedValue
from corefeval.lab.links import score_links
from corefeval.lab.writing import write_orders, write_percents

TITLE = "Five resolution models, scored from their numbers of links"
SOURCE = "Recasens & Hovy 2011, BLANC: Implementing the Rand index for coreference evaluation, tables 14 and 15"
PROCEDURE = (
    "the systems' outputs are not at hand: BLANC is computed from the links of table 15, B³ of the singletons from the "
    "printed CEAF; MUC, B³ and CEAF of the others are as printed."
)

LINKS = {
    "A": (0, 39672, 0, 2272),
    "B": (506, 39560, 112, 1766),
    "C": (1058, 38783, 889, 1214),
    "D": (870, 39069, 603, 1402),
    "E": (1757, 34919, 4753, 515),
}
"""Right coreference links, right non-coreference links, wrong ones of both kinds, of all 33 documents."""
PRINTED = {
    "MUC": {"B": 52.93, "C": 64.69, "D": 61.60, "E": 70.34},
    "B³": {"A": 67.51, "B": 76.60, "C": 75.56, "D": 76.76, "E": 70.24},
    "CEAF": {"A": 50.96, "B": 66.46, "C": 70.63, "D": 69.19, "E": 64.00},
    "BLANC": {"A": 48.61, "B": 66.35, "C": 73.76, "D": 71.98, "E": 66.50},
}
"""All of table 14, in per cent; MUC has no value for all singletons (A)."""


def run() -> Findings:
    """Return BLANC of all models, whether the links fit each other, and the ranks that section 5.2 names."""
    blanc = {
        model: score_links(
            right_coreference=right, right_noncoreference=apart, wrong_coreference=wrong, wrong_noncoreference=missed
        )
        for model, (right, apart, wrong, missed) in LINKS.items()
    }
    values = [
        PrintedValue(model, "blanc.f1", each.f1, PRINTED["BLANC"][model] / 100, 4) for model, each in blanc.items()
    ]
    # Of all singletons, CEAF is the number of key entities over that of mentions, and so is the recall of B³.
    recall = PRINTED["CEAF"]["A"] / 100
    values.append(PrintedValue("A", "bcub.f1, from ceafm", 2 * recall / (1 + recall), PRINTED["B³"]["A"] / 100, 4))
    orders = {name: sorted(column, key=column.__getitem__, reverse=True) for name, column in PRINTED.items()}
    sums = {(right + missed, apart + wrong) for right, apart, wrong, missed in LINKS.values()}
    head = blanc["B"].coreference
    claims = [
        Claim("the key has the same links in all rows of table 15", len(sums) == 1, ", ".join(map(str, sums))),
        Claim("no two measures produce the same ranking",
              all(_drop_a(orders[one]) != _drop_a(orders[other]) for one, other in combinations(orders, 2)),
              write_orders(orders)),
        Claim("MUC ranks E first", orders["MUC"][0] == "E", write_orders({"MUC": orders["MUC"]})),
        Claim("B³ ranks D and B first", orders["B³"][:2] == ["D", "B"], write_orders({"B³": orders["B³"]})),
        Claim("CEAF and BLANC agree in ranking C the best", orders["CEAF"][0] == orders["BLANC"][0] == "C",
              write_orders({name: orders[name] for name in ("CEAF", "BLANC")})),
        Claim("the head-match baseline (B) has high precision but low recall",
              head.precision > 0.8 and head.recall < 0.3,
              write_percents({"recall": head.recall, "precision": head.precision})),
        Claim("the low quality of A and especially E is easy to see: BLANC ranks them last",
              set(orders["BLANC"][-2:]) == {"A", "E"},
              write_percents({model: blanc[model].f1 for model in orders["BLANC"]})),
    ]  # fmt: skip
    return Findings(values, claims)


def _drop_a(order: list[str]) -> list[str]:
    """Return a ranking without A, for which MUC has no value."""
    return [model for model in order if model != "A"]
