"""Six examples: recall and precision of all measures."""

from corefeval.lab.findings import Claim, Findings, write_percents
from corefeval.lab.papers import POPESCU_BELIS, compare_cases, load_table
from corefeval.lab.partitions import ComparedSides, Partitions
from corefeval.lab.studies import popescu_belis_examples as examples
from corefeval.scoring.score import score

TITLE = "Recall and precision of six examples"
SOURCE = f"{POPESCU_BELIS}, table 3 and section 5.1"
PROCEDURE = (
    f"{examples.PROCEDURE} The distributional error has no formula in the paper, which calls it 'a bit tedious': the "
    "direction of ours is the paper's, its magnitude is our own."
)

NAMES = {"M": "muc:undefined=1", "B": "bcub", "C": "core", "X": "exclusive_core", "H": "entropy"}
COLUMNS = {
    f"{letter}{field[0].upper()}S": f"{name}.{field}"
    for letter, name in NAMES.items()
    for field in ("recall", "precision")
} | {"DMT": "dmt.score"}


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    return {
        f"example {number}": ComparedSides(case["key"], {"response": case["response"]})
        for number, case in examples.make_examples().items()
    }


def run() -> Findings:
    """Return rows 1 to 3, whether chosen partitions give rows 4 to 6, and what the text says of the table."""
    ours = examples.compute_rows(COLUMNS)
    precision = {name: [ours[name][row] for row in "24"] for name in ours if name.endswith("PS")}
    recall = {name: [ours[name][row] for row in "35"] for name in ours if name.endswith("RS")}
    severity = [(ours[f"C{side}S"][row], ours[f"M{side}S"][row]) for side in "RP" for row in ours["CRS"]]
    claims = [
        Claim("no resolution (2, 4): precision is 100%", all(set(each) == {1} for each in precision.values()),
              write_percents({name: min(each) for name, each in precision.items()})),
        Claim("all grouped (3, 5): recall is 100%, except for XC",
              all((set(each) == {1}) == (name != "XRS") for name, each in recall.items()),
              write_percents({name: min(each) for name, each in recall.items()})),
        Claim("C is never more indulgent than MUC", all(core <= muc + 1e-12 for core, muc in severity),
              ", ".join(f"{100 * core:.0f} ≤ {100 * muc:.0f}" for core, muc in severity)),
        *examples.check_rows(ours, load_table("popescu-belis-table-3")),
        *_check_errors(),
    ]  # fmt: skip
    return Findings(compare_cases(examples.PRINTED, tuple(COLUMNS.values())), claims)


def _check_errors() -> list[Claim]:
    """Return claims about the distributional error: its direction, and its magnitude."""
    found = {
        row: score(case["key"], case["response"], measures="distributional_error")["distributional_error"]
        for row, case in examples.make_examples().items()
    }
    printed = load_table("popescu-belis-table-3, D-err")
    magnitudes = {row: (100 * found[row].score, printed["magnitude"][row]) for row in "123"}
    numbers = ", ".join(f"({row}) {ours:.2f} for {theirs}" for row, (ours, theirs) in magnitudes.items())
    return [
        Claim("D-err points to the kind of error that prevails",
              all(each.direction == printed["direction"][row] for row, each in found.items()),
              ", ".join(f"({row}) {each.direction}" for row, each in found.items())),
        Claim("D-err has the printed magnitude in examples 1 to 3",
              all(round(ours) == theirs for ours, theirs in magnitudes.values()),
              f"{numbers}: the paper gives no formula, this magnitude is ours"),
    ]  # fmt: skip
