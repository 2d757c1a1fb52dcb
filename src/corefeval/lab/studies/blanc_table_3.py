"""Published systems on ACE, as other papers score them: which is best?"""

from corefeval.lab.arithmetic import compute_f1, rank_names
from corefeval.lab.findings import Claim, Findings, PrintedValue, write_orders
from corefeval.lab.papers import BLANC, load_table

TITLE = "State of the art on ACE: measures rank systems differently"
SOURCE = f"{BLANC}, table 3 and section 3.1"
PROCEDURE = (
    "the systems' outputs are not at hand: ranks are those of the printed scores; B³ of all singletons is computed "
    "from the printed CEAF, which is its recall."
)

BEST = {"ACE-2": "Luo 2004", "ACE-2004": "Luo & Zitouni"}


def run() -> Findings:
    """Return what can be computed from the table, and the ranks that section 3.1 reads off it."""
    values, claims = [], []
    for corpus, best in BEST.items():
        table = load_table(f"blanc-table-3, {corpus}")
        recall, printed = (table[name]["all singletons"] / 100 for name in ("CEAF", "B³"))
        values.append(PrintedValue(corpus, "bcub.f1 of all singletons", compute_f1(recall, 1), printed, 3))
        orders = {name: rank_names(column) for name, column in table.items()}
        muc = orders["MUC"]
        systems = [name for name in muc if name != "one entity"]
        both = [name for name in systems if name in table["B³"]]
        by_bcub = [name for name in orders["B³"] if name in both]
        claims += [
            Claim(f"{corpus}: all measures rank {best} best", all(order[0] == best for order in orders.values()),
                  write_orders(orders)),
            Claim(f"{corpus}: MUC and B³ do not rank the systems alike", both != by_bcub,
                  write_orders({"MUC": both, "B³": by_bcub})),
            Claim(f"{corpus}: MUC gives one entity for all mentions a high score, above most systems",
                  sum(muc.index(name) > muc.index("one entity") for name in systems) > len(systems) / 2,
                  write_orders({"MUC": muc})),
        ]  # fmt: skip
    return Findings(values, claims)
