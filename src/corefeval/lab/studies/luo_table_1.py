"""Luo's four responses, each worse than the one before: which measures see it?"""

from corefeval.lab.findings import Claim, Findings, write_numbers
from corefeval.lab.papers import LUO, compare_cases, group_cases, score_case
from corefeval.lab.partitions import Partitions
from corefeval.measures.score import Score

TITLE = "Four responses, each worse than the one before"
SOURCE = f"{LUO}, tables 1 and 2; Recasens & Hovy 2011, table 1"

RESPONSES = {f"({letter})": f"luo-1{letter}" for letter in "abcd"}
TITLES = {"bcub": "B³", "ceafm": "mention-based CEAF", "ceafe": "entity-based CEAF"}


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    return group_cases(RESPONSES)


def run() -> Findings:
    """Return the scores of the responses (a) to (d), and what the paper says of them."""
    scores = {label: score_case(name, ["muc", *TITLES]) for label, name in RESPONSES.items()}
    f1 = {name: {label: each[name].f1 for label, each in scores.items()} for name in ("muc", *TITLES)}
    a, _, c, d = scores.values()
    ends = {name: {"(c) recall": c[name].recall, "(d) precision": d[name].precision} for name in TITLES}
    claims = [
        Claim("MUC fails to distinguish (a) and (b)", f1["muc"]["(a)"] == f1["muc"]["(b)"],
              write_numbers({label: f1["muc"][label] for label in ("(a)", "(b)")}, 4)),
        Claim("MUC gives (c) a recall of 9 out of 9 links, a precision of 9 out of 11 and an F-measure of 90%",
              _write_rates(c["muc"]) == "9 / 9, 9 / 11" and abs(c["muc"].f1 - 0.9) < 1e-12,
              f"{_write_rates(c['muc'])}, F1 {c['muc'].f1:.4f}"),
        Claim("MUC cannot handle single-mention entities: the entry of (d) is empty", "precision" in d["muc"].undefined,
              f"precision of (d): {_write_rates(d['muc']).partition(', ')[2]}, undefined"),
        *(Claim(f"{title} ranks the four responses as desired, (a) to (d) increasingly worse",
                list(f1[name].values()) == sorted({*f1[name].values()}, reverse=True), write_numbers(f1[name], 4))
          for name, title in TITLES.items()),
        Claim("B³ gives (c) a recall, and (d) a precision, of 100%, although their entities are wrong",
              {*ends["bcub"].values()} == {1}, write_numbers(ends["bcub"], 4)),
        *(Claim(f"{name} does not have this problem", max(ends[name].values()) < 1, write_numbers(ends[name], 4))
          for name in ("ceafm", "ceafe")),
        Claim("mention-based CEAF of (a): recall and precision are 5/6, from 10 common mentions",
              _write_rates(a["ceafm"]) == "10 / 12, 10 / 12", _write_rates(a["ceafm"])),
        Claim("entity-based CEAF of (a): 2 (1 + 10/12) / (3 + 2) = 11/15", abs(a["ceafe"].f1 - 11 / 15) < 1e-12,
              f"F1 {a['ceafe'].f1:.4f}"),
    ]  # fmt: skip
    return Findings(compare_cases(RESPONSES), claims)


def _write_rates(of: Score) -> str:
    """Return recall and precision as fractions."""
    return f"{of.recall_numerator} / {of.recall_denominator}, {of.precision_numerator} / {of.precision_denominator}"
