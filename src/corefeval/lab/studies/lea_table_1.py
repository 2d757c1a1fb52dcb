"""Precise and less precise versions of one output: recall, precision and F1 as they are printed."""

from __future__ import annotations

from corefeval.lab.arithmetic import check_f1
from corefeval.lab.findings import Claim, Findings, write_numbers

TITLE = "Counterintuitive recall and precision (the printed table)"
SOURCE = "Moosavi & Strube 2016, Which coreference evaluation metric do you trust?, table 1 and section 2"
PROCEDURE = ""

MEASURES = ("muc", "bcub", "ceafe", "blanc")
FIELDS = ("recall", "precision", "f1")
ROWS = {
    "Base": (69.31, 76.23, 72.60, 55.83, 66.07, 60.52, 54.88, 59.41, 57.05, 57.46, 65.77, 61.31),
    "More precise": (69.31, 82.29, 75.24, 53.94, 69.32, 60.67, 50.92, 55.85, 53.27, 53.60, 66.45, 59.25),
    "Less precise a": (69.31, 69.46, 69.38, 60.53, 63.98, 62.21, 64.82, 53.06, 58.35, 68.68, 67.02, 67.68),
    "Less precise b": (69.31, 74.70, 71.90, 60.61, 69.14, 64.60, 69.50, 47.61, 56.51, 68.74, 67.37, 67.87),
}


def run() -> Findings:
    """Return each printed F1 beside the mean of its recall and precision, and what the text says of the table.

    BLANC's F1 is the mean of two F1, and follows from neither.
    """
    table = {
        case: {name: dict(zip(FIELDS, row[3 * place :], strict=False)) for place, name in enumerate(MEASURES)}
        for case, row in ROWS.items()
    }
    values = [
        check_f1(case, f"{name}.f1", *table[case][name].values())
        for case in ROWS
        for name in MEASURES
        if name != "blanc"
    ]
    recall, f1 = ({name: {case: table[case][name][field] for case in ROWS} for name in MEASURES}
                  for field in ("recall", "f1"))  # fmt: skip
    base, precise = table["Base"], table["More precise"]
    claims = [Claim(f"{name}: recall {'stays the same' if name == 'muc' else 'changes'}",
                    (len({*recall[name].values()}) == 1) == (name == "muc"), write_numbers(recall[name]))
              for name in MEASURES]  # fmt: skip
    claims += [Claim(f"more precise: CEAFe {field} decreases", precise["ceafe"][field] < base["ceafe"][field],
                     f"{base['ceafe'][field]:.2f} to {precise['ceafe'][field]:.2f}")
               for field in ("recall", "precision")]  # fmt: skip
    claims += [Claim(f"more precise: BLANC {field} drops", precise["blanc"][field] < base["blanc"][field],
                     f"{base['blanc'][field]:.2f} to {precise['blanc'][field]:.2f}")
               for field in ("recall", "f1")]  # fmt: skip
    claims += [Claim(f"{case.lower()}: {name} improves over Base", f1[name][case] > f1[name]["Base"],
                     f"{f1[name]['Base']:.2f} to {f1[name][case]:.2f}")
               for case in ("Less precise a", "Less precise b") for name in MEASURES[1:]]  # fmt: skip
    return Findings(values, claims)
