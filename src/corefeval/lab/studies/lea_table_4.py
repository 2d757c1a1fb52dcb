"""Three resolvers and two boundary cases: recall, precision and F1 as they are printed."""

from corefeval.lab.arithmetic import check_f1, check_mean
from corefeval.lab.findings import Claim, Findings, write_numbers
from corefeval.lab.papers import LEA

TITLE = "Results on the CoNLL-2012 test set (the printed table)"
SOURCE = f"{LEA}, table 4 and section 6"
PROCEDURE = "two averages are equal if they differ by less than a tenth of a point."

PLACES = {"muc": 0, "bcub": 3, "ceafe": 6, "lea": 10}
CONLL = 9
"""Where recall, precision and F1 of a measure begin in a row, and where the average stands."""
ROWS = {
    "Wiseman": (69.31, 76.23, 72.60, 55.83, 66.07, 60.52, 54.88, 59.41, 57.05, 63.39, 51.78, 62.12, 56.48),
    "Martschat": (68.55, 77.22, 72.63, 54.64, 66.78, 60.11, 52.85, 60.30, 56.33, 63.02, 50.64, 62.87, 56.10),
    "Peng": (69.54, 75.80, 72.53, 56.91, 65.40, 60.86, 55.49, 55.98, 55.73, 63.04, 51.91, 58.97, 55.21),
    "sys-sing": (0.00, 0.00, 0.00, 19.72, 39.05, 26.20, 50.32, 4.99, 9.08, 11.76, 0.00, 0.00, 0.00),
    "sys-1ent": (88.01, 29.58, 44.28, 84.87, 2.53, 4.91, 1.50, 19.63, 2.80, 17.33, 82.31, 2.27, 4.43),
}


def run() -> Findings:
    """Return each printed F1 and average beside what follows from the printed numbers, and what the text says."""
    values = []
    for case, row in ROWS.items():
        values += [check_f1(case, f"{name}.f1", *row[place : place + 3]) for name, place in PLACES.items()]
        values.append(check_mean(case, "conll", [row[2], row[5], row[8]], row[CONLL]))
    average, lea, ceafe = (
        {case: ROWS[case][place] for case in ("Martschat", "Peng")}
        for place in (CONLL, PLACES["lea"] + 2, PLACES["ceafe"] + 2)
    )
    by_ceafe, by_lea = (
        dict(zip(("recall", "precision"), ROWS["Peng"][PLACES[name] :], strict=False)) for name in ("ceafe", "lea")
    )
    claims = [
        Claim("by the average, Martschat and Peng perform equally", abs(average["Martschat"] - average["Peng"]) < 0.1,
              write_numbers(average)),
        Claim("by ceafe, Martschat performs better", ceafe["Martschat"] > ceafe["Peng"], write_numbers(ceafe)),
        Claim("by lea, Martschat performs better", lea["Martschat"] > lea["Peng"], write_numbers(lea)),
        Claim("CEAFe recall and precision are similar for Peng: less than a point apart",
              abs(by_ceafe["recall"] - by_ceafe["precision"]) < 1, write_numbers(by_ceafe)),
        Claim("by LEA, Peng's precision is better than its recall", by_lea["precision"] > by_lea["recall"],
              f"{write_numbers(by_lea)}; the text says 'marginally'"),
    ]  # fmt: skip
    return Findings(values, claims)
