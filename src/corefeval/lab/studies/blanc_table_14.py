"""Five models on ACE-2004: BLANC from the printed links."""

from itertools import combinations

from corefeval.lab.arithmetic import compute_f1, rank_names
from corefeval.lab.findings import Claim, Findings, PrintedValue, write_orders, write_percents
from corefeval.lab.links import score_links
from corefeval.lab.papers import BLANC, load_table

TITLE = "Five resolution models, scored from their numbers of links"
SOURCE = f"{BLANC}, tables 14 and 15"
PROCEDURE = (
    "the systems' outputs are not at hand: BLANC is computed from the links of table 15, B³ of the singletons from the "
    "printed CEAF; MUC, B³ and CEAF of the others are as printed."
)


def run() -> Findings:
    """Return BLANC of all models, whether the links fit each other, and the ranks that section 5.2 names."""
    printed, links = load_table("blanc-table-14"), load_table("blanc-table-15")
    blanc = {model: score_links(**{kind: column[model] for kind, column in links.items()}) for model in "ABCDE"}
    values = [PrintedValue(model, "blanc.f1", each.f1, printed["BLANC"][model] / 100, 4)
              for model, each in blanc.items()]  # fmt: skip
    # Of all singletons, CEAF is the number of key entities over that of mentions, and so is the recall of B³.
    of_singletons = compute_f1(printed["CEAF"]["A"] / 100, 1)
    values.append(PrintedValue("A", "bcub.f1, from ceafm", of_singletons, printed["B³"]["A"] / 100, 4))
    orders = {name: rank_names(column) for name, column in printed.items()}
    without_a = [[model for model in order if model != "A"] for order in orders.values()]  # MUC has no value for it
    sums = {(each.links["key_coreference"], each.links["key_noncoreference"]) for each in blanc.values()}
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
