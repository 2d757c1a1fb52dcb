"""A key with one link only: BLANC's weak point, and what alpha does about it."""

from corefeval.lab.findings import Claim, Findings, write_percents
from corefeval.lab.papers import BLANC, compare_cases, compute_fields, group_cases, score_case
from corefeval.lab.partitions import Partitions

TITLE = "A key with a single coreference link (Gold₂)"
SOURCE = f"{BLANC}, tables 12 and 13"

RESPONSES = {letter: f"blanc-12{letter}" for letter in "ABCD"}
ALPHAS = ("blanc", "blanc:alpha=0.2", "blanc:alpha=0.1")


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    return group_cases(RESPONSES)


def run() -> Findings:
    """Return the table, and what section 5.1 says of each measure's weakness."""
    muc, bcub, ceaf = (compute_fields(RESPONSES, f"{name}.f1") for name in ("muc", "bcub", "ceafm"))
    weighted = {name: compute_fields(RESPONSES, f"{name}.f1") for name in ALPHAS}
    blanc = weighted["blanc"]
    apart = compute_fields(RESPONSES, "blanc.noncoreference.f1")
    leaps = {name: column["D"] - max(column[letter] for letter in "ABC") for name, column in weighted.items()}
    undefined = score_case("blanc-12A", "muc")["muc"].undefined
    claims = [
        Claim("there is an enormous leap in BLANC from A, B and C to D", leaps["blanc"] > 0.3, write_percents(blanc)),
        Claim("A, B and C have no right coreference link: BLANC is the non-coreference score divided by two",
              all(abs(blanc[letter] - apart[letter] / 2) < 1e-12 for letter in "ABC"), write_percents(apart)),
        Claim("the leap diminishes with alpha 0.2 and 0.1", leaps[ALPHAS[0]] > leaps[ALPHAS[1]] > leaps[ALPHAS[2]],
              write_percents(leaps)),
        Claim("MUC is not able to score A, B and C", "precision" in undefined and muc["B"] == muc["C"] == 0,
              f"A undefined: {', '.join(undefined)}; {write_percents({letter: muc[letter] for letter in 'BCD'})}"),
        Claim("MUC's rise to D is even larger than BLANC's", muc["D"] - muc["C"] > leaps["blanc"],
              write_percents({"MUC": muc["D"] - muc["C"], "BLANC": leaps["blanc"]})),
        Claim("B³ scores A and D the same", bcub["A"] == bcub["D"], write_percents(bcub)),
        Claim("CEAF scores A and D the same", ceaf["A"] == ceaf["D"], write_percents(ceaf)),
        Claim("CEAF considers B better than C, which B³ and BLANC score the same",
              ceaf["B"] > ceaf["C"] and bcub["B"] == bcub["C"] and blanc["B"] == blanc["C"],
              "; ".join(f"{name}: {write_percents({letter: column[letter] for letter in 'BC'})}"
                        for name, column in {"CEAF": ceaf, "B³": bcub, "BLANC": blanc}.items())),
    ]  # fmt: skip
    return Findings(compare_cases(RESPONSES), claims)
