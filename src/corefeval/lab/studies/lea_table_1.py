"""Precise and less precise versions of one output: recall, precision and F1 as they are printed."""

from corefeval.lab.arithmetic import check_f1
from corefeval.lab.findings import Claim, Findings, write_numbers
from corefeval.lab.papers import LEA, load_table

TITLE = "Counterintuitive recall and precision (the printed table)"
SOURCE = f"{LEA}, table 1 and section 2"

CLAIMS = (
    ("more precise: CEAFe recall decreases", "ceafe.recall", "More precise", -1),
    ("more precise: CEAFe precision decreases", "ceafe.precision", "More precise", -1),
    ("more precise: BLANC recall drops", "blanc.recall", "More precise", -1),
    ("more precise: BLANC f1 drops", "blanc.f1", "More precise", -1),
    *(
        (f"{case.lower()}: {name} improves over Base", f"{name}.f1", case, 1)
        for case in ("Less precise a", "Less precise b")
        for name in ("bcub", "ceafe", "blanc")
    ),
)
"""Which column rises (1), or falls (-1), from Base to another row."""


def run() -> Findings:
    """Return each printed F1 beside the mean of its recall and precision, and what the text says of the table.

    BLANC's F1 is the mean of two F1, and follows from neither.
    """
    table = load_table("lea-table-1")
    recall = {name: table[f"{name}.recall"] for name in ("muc", "bcub", "ceafe", "blanc")}
    values = [check_f1(table, case, name) for case in recall["muc"] for name in ("muc", "bcub", "ceafe")]
    claims = [Claim(f"{name}: recall {'stays the same' if name == 'muc' else 'changes'}",
                    (len({*column.values()}) == 1) == (name == "muc"), write_numbers(column))
              for name, column in recall.items()]  # fmt: skip
    for text, column, case, sign in CLAIMS:
        before, after = table[column]["Base"], table[column][case]
        claims.append(Claim(text, sign * after > sign * before, f"{before:.2f} to {after:.2f}"))
    return Findings(values, claims)
