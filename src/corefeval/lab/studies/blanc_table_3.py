"""Published systems on ACE, as other papers score them: which is best?"""

from corefeval.lab.arithmetic import compute_f1, rank_names
from corefeval.lab.findings import Claim, Findings, PrintedValue, write_orders
from corefeval.lab.papers import BLANC

TITLE = "State of the art on ACE: measures rank systems differently"
SOURCE = f"{BLANC}, table 3 and section 3.1"
PROCEDURE = (
    "the systems' outputs are not at hand: ranks are those of the printed scores; B³ of all singletons is computed "
    "from the printed CEAF, which is its recall."
)

TABLE = {
    "ACE-2": {
        "MUC": {"one entity": 76.5, "Luo 2004": 80.7, "Finkel": 64.1, "Poon": 68.4, "Denis": 70.1, "Ng": 61.3},
        "B³": {"all singletons": 55.9, "one entity": 17.3, "Luo 2004": 77.0, "Finkel": 73.8, "Poon": 69.2,
               "Denis": 72.7},
        "CEAF": {"all singletons": 38.8, "one entity": 21.7, "Luo 2004": 73.2, "Poon": 63.9, "Denis": 66.2, "Ng": 61.6},
    },
    "ACE-2004": {
        "MUC": {"one entity": 74.4, "Luo & Zitouni": 86.0, "Haghighi": 63.3, "Bengtson": 75.8, "Poon": 69.1,
                "Wick": 70.1},
        "B³": {"all singletons": 59.0, "one entity": 17.8, "Luo & Zitouni": 83.7, "Bengtson": 80.8, "Poon": 71.2,
               "Wick": 81.5},
        "CEAF": {"all singletons": 41.8, "one entity": 21.4, "Luo & Zitouni": 82.0, "Bengtson": 75.0, "Poon": 65.9},
    },
}  # fmt: skip
BEST = {"ACE-2": "Luo 2004", "ACE-2004": "Luo & Zitouni"}


def run() -> Findings:
    """Return what can be computed from the table, and the ranks that section 3.1 reads off it."""
    values, claims = [], []
    for corpus, columns in TABLE.items():
        recall, printed = (columns[name]["all singletons"] / 100 for name in ("CEAF", "B³"))
        values.append(PrintedValue(corpus, "bcub.f1 of all singletons", compute_f1(recall, 1), printed, 3))
        orders = {name: rank_names(column) for name, column in columns.items()}
        muc = orders["MUC"]
        systems = [name for name in muc if name != "one entity"]
        both = [name for name in systems if name in columns["B³"]]
        by_bcub = [name for name in orders["B³"] if name in both]
        claims += [
            Claim(f"{corpus}: all measures rank {BEST[corpus]} best",
                  all(order[0] == BEST[corpus] for order in orders.values()), write_orders(orders)),
            Claim(f"{corpus}: MUC and B³ do not rank the systems alike", both != by_bcub,
                  write_orders({"MUC": both, "B³": by_bcub})),
            Claim(f"{corpus}: MUC gives one entity for all mentions a high score, above most systems",
                  sum(muc.index(name) > muc.index("one entity") for name in systems) > len(systems) / 2,
                  write_orders({"MUC": muc})),
        ]  # fmt: skip
    return Findings(values, claims)
