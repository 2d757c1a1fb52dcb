"""Five models on ACE-2004: BLANC from the printed links."""

from itertools import combinations

from corefeval.lab.arithmetic import compute_f1, rank_names
from corefeval.lab.findings import Claim, Findings, PrintedValue, write_orders, write_percents
from corefeval.lab.links import score_links
from corefeval.lab.papers import BLANC

TITLE = "Five resolution models, scored from their numbers of links"
SOURCE = f"{BLANC}, tables 14 and 15"
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
    blanc = {model: score_links(*links) for model, links in LINKS.items()}
    values = [PrintedValue(model, "blanc.f1", each.f1, PRINTED["BLANC"][model] / 100, 4)
              for model, each in blanc.items()]  # fmt: skip
    # Of all singletons, CEAF is the number of key entities over that of mentions, and so is the recall of B³.
    of_singletons = compute_f1(PRINTED["CEAF"]["A"] / 100, 1)
    values.append(PrintedValue("A", "bcub.f1, from ceafm", of_singletons, PRINTED["B³"]["A"] / 100, 4))
    orders = {name: rank_names(column) for name, column in PRINTED.items()}
    without_a = [[model for model in order if model != "A"] for order in orders.values()]  # MUC has no value for it
    sums = {(right + missed, apart + wrong) for right, apart, wrong, missed in LINKS.values()}
    head = blanc["B"].coreference
    claims = [
        Claim("the key has the same links in all rows of table 15", len(sums) == 1, ", ".join(map(str, sums))),
        Claim("no two measures produce the same ranking",
              all(one != other for one, other in combinations(without_a, 2)), write_orders(orders)),
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
