"""Luo's four responses, each worse than the one before: which measures see it?"""

from __future__ import annotations

from corefeval.lab.findings import Claim, Findings, write_numbers
from corefeval.lab.papers import compare_case, load_case
from corefeval.measures.score import Score
from corefeval.scoring.score import score

TITLE = "Four responses, each worse than the one before"
SOURCE = "Luo 2005, On coreference resolution performance metrics, tables 1 and 2; Recasens & Hovy 2011, table 1"
PROCEDURE = ""

RESPONSES = {f"({letter})": f"luo-1{letter}" for letter in "abcd"}
MEASURES = ("muc", "bcub", "ceafm", "ceafe")


def run() -> Findings:
    """Return the scores of the responses (a) to (d), and what the paper says of them."""
    values = [value for label, name in RESPONSES.items() for value in compare_case(name, label=label)]
    scores = {
        label: score(case["key"], case["response"], measures=list(MEASURES))
        for label, case in ((label, load_case(name)) for label, name in RESPONSES.items())
    }
    f1 = {name: {label: each[name].f1 for label, each in scores.items()} for name in MEASURES}
    falls = {name: list(column.values()) == sorted({*column.values()}, reverse=True) for name, column in f1.items()}
    a, _, c, d = scores.values()
    claims = [
        Claim("MUC fails to distinguish (a) and (b)", f1["muc"]["(a)"] == f1["muc"]["(b)"],
              write_numbers({label: f1["muc"][label] for label in ("(a)", "(b)")}, 4)),
        Claim("MUC gives (c) a recall of 9 out of 9 links, a precision of 9 out of 11 and an F-measure of 90%",
              _list_counts(c["muc"]) == (9, 9, 9, 11) and abs(c["muc"].f1 - 0.9) < 1e-12,
              "{} / {}, {} / {}".format(*_list_counts(c["muc"])) + f", F1 {c['muc'].f1:.4f}"),
        Claim("MUC cannot handle single-mention entities: the entry of (d) is empty", "precision" in d["muc"].undefined,
              "precision of (d): {2} / {3}, undefined".format(*_list_counts(d["muc"]))),
        *(Claim(f"{title} ranks the four responses as desired, (a) to (d) increasingly worse", falls[name],
                write_numbers(f1[name], 4))
          for name, title in (("bcub", "B³"), ("ceafm", "mention-based CEAF"), ("ceafe", "entity-based CEAF"))),
        Claim("B³ gives (c) a recall, and (d) a precision, of 100%, although their entities are wrong",
              c["bcub"].recall == d["bcub"].precision == 1,
              write_numbers({"(c) recall": c["bcub"].recall, "(d) precision": d["bcub"].precision}, 4)),
        *(Claim(f"{name} does not have this problem", max(c[name].recall, d[name].precision) < 1,
                write_numbers({"(c) recall": c[name].recall, "(d) precision": d[name].precision}, 4))
          for name in ("ceafm", "ceafe")),
        Claim("mention-based CEAF of (a): recall and precision are 5/6, from 10 common mentions",
              _list_counts(a["ceafm"]) == (10, 12, 10, 12), "{} / {}, {} / {}".format(*_list_counts(a["ceafm"]))),
        Claim("entity-based CEAF of (a): 2 (1 + 10/12) / (3 + 2) = 11/15", abs(a["ceafe"].f1 - 11 / 15) < 1e-12,
              f"F1 {a['ceafe'].f1:.4f}"),
    ]  # fmt: skip
    return Findings(values, claims)


def _list_counts(of: Score) -> tuple[float, ...]:
    """Return numerator and denominator of recall, then of precision."""
    return (
        of.recall_numerator, of.recall_denominator, of.precision_numerator, of.precision_denominator,
    )  # fmt: skip
