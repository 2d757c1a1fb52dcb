"""Luo's four responses: MUC and B³ prefer what nobody would."""

from __future__ import annotations

from corefeval.lab.findings import Claim, Findings
from corefeval.lab.papers import compare_case, compute_field, load_case

TITLE = "One entity missing its border, two merged, all merged, none linked: which is worst?"
SOURCE = "Luo 2005, On coreference resolution performance metrics, tables 1 and 2; Recasens & Hovy 2011, table 1"
PROCEDURE = ""

RESPONSES = ("luo-1a", "luo-1b", "luo-1c", "luo-1d")


def run() -> Findings:
    """Return the scores of the responses (a) to (d), and what the paper says of their order."""
    values = [value for name in RESPONSES for value in compare_case(name, label=f"({name[-1]})")]
    a, b, c, d = (
        {measure: compute_field(load_case(name), f"{measure}.f1") for measure in ("muc", "bcub", "ceafm", "ceafe")}
        for name in RESPONSES
    )
    claims = [
        Claim("MUC cannot tell (a) from (b)", a["muc"] == b["muc"], _write(a=a["muc"], b=b["muc"])),
        Claim("B³ prefers (a) to (b)", a["bcub"] > b["bcub"], _write(a=a["bcub"], b=b["bcub"])),
        Claim("CEAF prefers (a) to (b)", a["ceafm"] > b["ceafm"], _write(a=a["ceafm"], b=b["ceafm"])),
        Claim("MUC gives the one big entity (c) 0.9", abs(c["muc"] - 0.9) < 1e-9, _write(c=c["muc"])),
        Claim("CEAF gives (c) and (d) low scores", max(c["ceafm"], d["ceafm"]) < 0.5, _write(c=c["ceafm"], d=d["ceafm"])),
    ]
    return Findings(values, claims)


def _write(**values: float) -> str:
    """Return named values as a text."""
    return ", ".join(f"({name}) {value:.4f}" for name, value in values.items())
