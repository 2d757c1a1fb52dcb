"""Precise and less precise versions of one output: recall, precision and F1 as they are printed."""

from corefeval.lab.arithmetic import check_f1
from corefeval.lab.findings import Claim, Findings, write_numbers
from corefeval.lab.papers import LEA

TITLE = "Counterintuitive recall and precision (the printed table)"
SOURCE = f"{LEA}, table 1 and section 2"

MEASURES = ("muc", "bcub", "ceafe", "blanc")
ROWS = {
    "Base": (69.31, 76.23, 72.60, 55.83, 66.07, 60.52, 54.88, 59.41, 57.05, 57.46, 65.77, 61.31),
    "More precise": (69.31, 82.29, 75.24, 53.94, 69.32, 60.67, 50.92, 55.85, 53.27, 53.60, 66.45, 59.25),
    "Less precise a": (69.31, 69.46, 69.38, 60.53, 63.98, 62.21, 64.82, 53.06, 58.35, 68.68, 67.02, 67.68),
    "Less precise b": (69.31, 74.70, 71.90, 60.61, 69.14, 64.60, 69.50, 47.61, 56.51, 68.74, 67.37, 67.87),
}
"""Recall, precision and F1 of each measure."""


def run() -> Findings:
    """Return each printed F1 beside the mean of its recall and precision, and what the text says of the table.

    BLANC's F1 is the mean of two F1, and follows from neither.
    """
    recall, precision, f1 = (
        {name: {case: row[3 * place + which] for case, row in ROWS.items()} for place, name in enumerate(MEASURES)}
        for which in range(3)
    )
    values = [
        check_f1(case, f"{name}.f1", recall[name][case], precision[name][case], f1[name][case])
        for case in ROWS
        for name in MEASURES[:-1]
    ]
    claims = [
        *(Claim(f"{name}: recall {'stays the same' if name == 'muc' else 'changes'}",
                (len({*recall[name].values()}) == 1) == (name == "muc"), write_numbers(recall[name]))
          for name in MEASURES),
        _compare("more precise: CEAFe recall decreases", recall["ceafe"], "More precise", rises=False),
        _compare("more precise: CEAFe precision decreases", precision["ceafe"], "More precise", rises=False),
        _compare("more precise: BLANC recall drops", recall["blanc"], "More precise", rises=False),
        _compare("more precise: BLANC f1 drops", f1["blanc"], "More precise", rises=False),
        *(_compare(f"{case.lower()}: {name} improves over Base", f1[name], case, rises=True)
          for case in ("Less precise a", "Less precise b") for name in MEASURES[1:]),
    ]  # fmt: skip
    return Findings(values, claims)


def _compare(text: str, column: dict[str, float], case: str, *, rises: bool) -> Claim:
    """Return the claim that a column rises, or falls, from Base to another case."""
    before, after = column["Base"], column[case]
    return Claim(text, after > before if rises else after < before, f"{before:.2f} to {after:.2f}")
