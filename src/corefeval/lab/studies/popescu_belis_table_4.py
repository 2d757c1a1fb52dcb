"""Six examples: which measure is more indulgent?"""

from itertools import combinations, permutations

from corefeval.lab.findings import Claim, Findings, write_percents
from corefeval.lab.papers import POPESCU_BELIS, compare_cases, load_table
from corefeval.lab.partitions import ComparedSides, Partitions
from corefeval.lab.studies import popescu_belis_examples as examples

TITLE = "F-measures and kappa of six examples: indulgence"
SOURCE = f"{POPESCU_BELIS}, table 4 and section 5.1"
PROCEDURE = examples.PROCEDURE

COLUMNS = {"MUC": "muc:undefined=1.f1", "B³": "bcub.f1", "κ": "kappa.score", "C": "core.f1", "XC": "exclusive_core.f1",
           "H": "entropy.f1"}  # fmt: skip


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    return {
        f"example {number}": ComparedSides(case["key"], {"response": case["response"]})
        for number, case in examples.make_examples().items()
    }


def run() -> Findings:
    """Return rows 1 to 3, whether chosen partitions give rows 4 to 6, and what the text says of indulgence."""
    ours = examples.compute_rows(COLUMNS)
    others = [name for name in ours if name != "κ"]
    ordered = [(high, low) for high, low in permutations(others, 2)
               if all(ours[low][row] <= ours[high][row] + 1e-12 for row in ours[low])]  # fmt: skip
    first = {name: ours[name]["1"] for name in ours}
    share = sum(examples.PRONOUNS.values()) / sum(examples.SIZES)
    opposite = [
        f"from {a} to {b}: {one} {100 * x[a]:.0f} to {100 * x[b]:.0f}, {other} {100 * y[a]:.0f} to {100 * y[b]:.0f}"
        for (one, x), (other, y) in combinations(((name, ours[name]) for name in others), 2)
        for a, b in combinations(x, 2)
        if (x[b] - x[a]) * (y[b] - y[a]) < 0
    ]
    claims = [
        Claim("example 1 obtains relatively high scores, except for κ",
              first["κ"] < 0 and min(first[name] for name in others) > 0.4, write_percents(first)),
        Claim("grouping all (3, 5) is scored high, especially by MUC",
              all(ours["MUC"][row] == max(column[row] for column in ours.values()) > 0.9 for row in "35"),
              "; ".join(f"({row}) {write_percents({name: ours[name][row] for name in ours})}" for row in "35")),
        Claim("about 30% of the mentions of example 6, the pronouns, are wrongly resolved", 0.25 <= share < 0.35,
              f"50 of 147: {100 * share:.2f}"),
        Claim("of MUC, B³, C, XC and H, only C and MUC are comparable, C being less indulgent",
              ordered == [("MUC", "C")], "never above: " + ", ".join(f"{low} ≤ {high}" for high, low in ordered)),
        Claim("κ is never above another measure in these examples",
              all(ours["κ"][row] <= ours[name][row] + 1e-12 for name in others for row in ours[name]),
              write_percents({f"({row})": value for row, value in ours["κ"].items()})),
        Claim("example 6 is better than 4 and 5 for all measures",
              all(column["6"] > max(column["4"], column["5"]) for column in ours.values()),
              write_percents({name: column["6"] for name, column in ours.items()})),
        Claim("scores are covariant: between two examples they all rise or all fall", not opposite,
              "".join(opposite[:1])),
        *examples.check_rows(ours, load_table("popescu-belis-table-4")),
    ]  # fmt: skip
    return Findings(compare_cases(examples.PRINTED, tuple(COLUMNS.values())), claims)
