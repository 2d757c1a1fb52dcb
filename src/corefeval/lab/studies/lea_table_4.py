"""Three resolvers and two boundary cases: recall, precision and F1 as they are printed."""

from corefeval.lab.arithmetic import check_f1, check_mean
from corefeval.lab.findings import Claim, Findings, write_numbers
from corefeval.lab.papers import LEA, load_table

TITLE = "Results on the CoNLL-2012 test set (the printed table)"
SOURCE = f"{LEA}, table 4 and section 6"
PROCEDURE = "two averages are equal if they differ by less than a tenth of a point."


def run() -> Findings:
    """Return each printed F1 and average beside what follows from the printed numbers, and what the text says."""
    table = load_table("lea-table-4")
    values = []
    for case in table["conll"]:
        values += [check_f1(table, case, name) for name in ("muc", "bcub", "ceafe", "lea")]
        values.append(check_mean(table, case, "conll", ("muc.f1", "bcub.f1", "ceafe.f1")))
    average, ceafe, lea = (
        {case: table[column][case] for case in ("Martschat", "Peng")} for column in ("conll", "ceafe.f1", "lea.f1")
    )
    by_ceafe, by_lea = (
        {field: table[f"{name}.{field}"]["Peng"] for field in ("recall", "precision")} for name in ("ceafe", "lea")
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
