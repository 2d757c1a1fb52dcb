"""The systems of CoNLL-2012: averages and ranks as they are printed."""

from corefeval.lab.arithmetic import check_mean, check_ranks
from corefeval.lab.findings import Claim, Findings, write_numbers
from corefeval.lab.papers import LEA

TITLE = "Ranks of the CoNLL-2012 shared task (the printed table)"
SOURCE = f"{LEA}, table 5 and section 6"
PROCEDURE = (
    "systems whose printed ranks by LEA are equal are taken not to differ significantly, which the outputs would tell."
)

MEASURES = ("muc", "bcub", "ceafe", "conll", "lea")
ROWS = {
    "fernandes": (70.51, 1, 57.58, 1, 53.86, 1, 60.65, 1, 53.28, 1),
    "martschat": (66.97, 3, 54.62, 2, 51.46, 2, 57.68, 2, 49.99, 2),
    "bjorkelund": (67.58, 2, 54.47, 3, 50.21, 3, 57.42, 3, 49.98, 2),
    "chang": (66.38, 4, 52.99, 4, 48.94, 4, 56.10, 4, 48.50, 4),
    "chen": (63.71, 7, 51.76, 5, 48.10, 5, 54.52, 5, 46.24, 6),
    "chunyuang": (63.82, 6, 51.21, 6, 47.58, 6, 54.20, 6, 45.84, 6),
    "shou": (62.91, 8, 49.44, 9, 46.66, 7, 53.00, 7, 43.97, 8),
    "yuan": (62.55, 9, 50.11, 8, 45.99, 8, 52.88, 8, 44.76, 8),
    "xu": (66.18, 5, 50.30, 7, 41.25, 11, 52.58, 9, 46.83, 5),
    "uryupina": (60.89, 10, 46.24, 10, 42.93, 9, 50.02, 10, 41.15, 10),
    "songyang": (59.83, 12, 45.90, 11, 42.36, 10, 49.36, 11, 41.25, 10),
    "zhekova": (53.52, 13, 35.66, 13, 32.16, 12, 40.45, 12, 29.98, 12),
    "xinxin": (48.27, 14, 35.73, 12, 31.90, 13, 38.63, 13, 29.22, 12),
    "li": (50.84, 11, 32.29, 14, 25.21, 14, 36.11, 14, 27.32, 14),
}
"""F1 and rank of each measure; CEAFm and BLANC, which have no ranks, are left out."""
MISPRINTS = dict.fromkeys(
    ("songyang", "zhekova", "li"),
    "by their own MUC, which the averages confirm, songyang is 11th, zhekova 12th and li 13th",
)
"""Whose rank by MUC is wrong."""
IDENTIFIED = {"chen": 75.08, "chunyuang": 75.23, "fernandes": 72.75, "martschat": 74.23}
"""Recall of mention identification, from the text."""


def run() -> Findings:
    """Return each printed average and rank beside what follows from the printed numbers, and what the text says."""
    scores, ranks = (
        {name: {system: row[2 * place + which] for system, row in ROWS.items()} for place, name in enumerate(MEASURES)}
        for which in (0, 1)
    )
    values = [check_mean(each, "conll", [scores[name][each] for name in MEASURES[:3]], scores["conll"][each])
              for each in ROWS]  # fmt: skip
    for name in MEASURES:
        misprints = MISPRINTS if name == "muc" else {}
        values += check_ranks(f"{name} rank", scores[name], ranks[name], misprints, shared=name == "lea")
    moved = {system: abs(ranks["conll"][system] - ranks["lea"][system]) for system in ROWS}
    three = ("xu", "chen", "chunyuang")
    lea, average = ({system: scores[name][system] for system in three} for name in ("lea", "conll"))
    claims = [
        Claim("the main difference between the ranks by the average and by LEA is that of xu",
              [system for system in ROWS if moved[system] == max(moved.values())] == ["xu"],
              f"ranks apart: {write_numbers(moved, 0)}"),
        Claim("by LEA, xu is better than chen and chunyuang", lea["xu"] > max(lea["chen"], lea["chunyuang"]),
              write_numbers(lea)),
        Claim("the average ranks these two above xu", average["xu"] < min(average["chen"], average["chunyuang"]),
              write_numbers(average)),
        Claim("chen and chunyuang identify more mentions than the best systems, fernandes and martschat",
              min(IDENTIFIED["chen"], IDENTIFIED["chunyuang"]) > max(IDENTIFIED["fernandes"], IDENTIFIED["martschat"]),
              write_numbers(IDENTIFIED)),
    ]  # fmt: skip
    return Findings(values, claims)
