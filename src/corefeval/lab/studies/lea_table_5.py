"""The systems of CoNLL-2012: averages and ranks as they are printed."""

from corefeval.lab.arithmetic import check_mean, check_ranks
from corefeval.lab.findings import Claim, Findings, write_numbers
from corefeval.lab.papers import LEA, load_table

TITLE = "Ranks of the CoNLL-2012 shared task (the printed table)"
SOURCE = f"{LEA}, table 5 and section 6"
PROCEDURE = (
    "systems whose printed ranks by LEA are equal are taken not to differ significantly, which the outputs would tell."
)

MISPRINTS = dict.fromkeys(
    ("songyang", "zhekova", "li"),
    "by their own MUC, which the averages confirm, songyang is 11th, zhekova 12th and li 13th",
)
"""Whose rank by MUC is wrong."""
IDENTIFIED = {"chen": 75.08, "chunyuang": 75.23, "fernandes": 72.75, "martschat": 74.23}
"""Recall of mention identification, from the text."""


def run() -> Findings:
    """Return each printed average and rank beside what follows from the printed numbers, and what the text says."""
    table = load_table("lea-table-5")
    values = [check_mean(table, system, "conll", ("muc", "bcub", "ceafe")) for system in table["conll"]]
    for name in ("muc", "bcub", "ceafe", "conll", "lea"):
        values += check_ranks(table, name, MISPRINTS if name == "muc" else {}, shared=name == "lea")
    moved = {system: abs(rank - table["lea rank"][system]) for system, rank in table["conll rank"].items()}
    lea, average = (
        {system: table[name][system] for system in ("xu", "chen", "chunyuang")} for name in ("lea", "conll")
    )
    claims = [
        Claim("the main difference between the ranks by the average and by LEA is that of xu",
              [system for system in moved if moved[system] == max(moved.values())] == ["xu"],
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
