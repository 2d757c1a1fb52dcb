"""A resolver on three real texts: F-measures and kappa from recall and precision."""

from math import ceil, floor
from statistics import harmonic_mean

from corefeval.lab.findings import Claim, Findings, PrintedValue, write_percents
from corefeval.lab.papers import POPESCU_BELIS
from corefeval.measures.registry import parse

TITLE = "F-measures and kappa of three texts, from tables 5 and 6"
SOURCE = f"{POPESCU_BELIS}, tables 5 to 7 and section 5.2"
PROCEDURE = (
    "the texts are not at hand: F-measures are computed from the recall and precision of table 6, of two digits; kappa "
    "from MUC's and the numbers of mentions and entities of table 5, as a range, for all counts that round to them."
)

TEXTS = {"VA": (638, 372), "LPG.eq": (686, 216), "LPG": (3359, 480)}
DENSITY = {"VA": 1.72, "LPG.eq": 3.18, "LPG": 7.00}
KINDS = {"VA": (510, 102, 26), "LPG.eq": (390, 262, 34), "LPG": (1864, 1398, 97)}
"""Mentions and key entities; mentions per entity; mentions that are noun phrases, pronouns, not parsed (table 5)."""
MEASURES = ("MUC", "B³", "C", "XC", "H")
RATES = {
    "VA": ((70, 78), (75, 75), (53, 47), (70, 79), (89, 89)),
    "LPG.eq": ((62, 77), (50, 57), (43, 36), (41, 65), (71, 71)),
    "LPG": ((70, 88), (37, 52), (43, 44), (35, 61), (59, 64)),
}
"""Recall and precision of MEASURES (table 6)."""
PRINTED = {"VA": (74, 75, 50, 74, 89), "LPG.eq": (69, 53, 39, 50, 71), "LPG": (78, 43, 43, 44, 61)}
KAPPA = {"VA": 57, "LPG.eq": 20, "LPG": 9}
"""Table 7."""


def run() -> Findings:
    """Return the F-measures, the range of kappa for each text, and what section 5.2 says of both."""
    f1 = {
        text: {name: harmonic_mean(pair) / 100 for name, pair in zip(MEASURES, rates, strict=True)}
        for text, rates in RATES.items()
    }
    values = [
        *(PrintedValue(text, f"F of {name}", f1[text][name], printed / 100)
          for text in TEXTS for name, printed in zip(MEASURES, PRINTED[text], strict=True)),
        *(PrintedValue(text, "mentions per entity", mentions / entities, DENSITY[text])
          for text, (mentions, entities) in TEXTS.items()),
        *map(_check_kappa, TEXTS),
    ]  # fmt: skip
    sums = {text: (sum(KINDS[text]), mentions) for text, (mentions, _) in TEXTS.items()}
    part, whole, first = f1["LPG.eq"], f1["LPG"], f1["VA"]
    claims = [
        Claim("the kinds of mentions of table 5 add up", all(one == other for one, other in sums.values()),
              ", ".join(f"{text} {one:,} of {other:,}" for text, (one, other) in sums.items())),
        *(Claim(f"{name} is more indulgent with more mentions ({text} to LPG)", whole[name] > f1[text][name],
                write_percents({text: f1[text][name], "LPG": whole[name]}))
          for text in ("VA", "LPG.eq") for name in ("MUC", "C")),
        *(Claim(f"{name} varies in the opposite direction", whole[name] < min(part[name], first[name]),
                write_percents({text: f1[text][name] for text in f1}))
          for name in ("B³", "XC", "H")),
        Claim("all measures find the response on VA better than that on LPG.eq, a text of similar length",
              all(first[name] > part[name] for name in MEASURES) and KAPPA["VA"] > KAPPA["LPG.eq"],
              f"VA: {write_percents(first)}; LPG.eq: {write_percents(part)}"),
    ]  # fmt: skip
    return Findings(values, claims)


def _check_kappa(text: str) -> PrintedValue:
    """Return the printed kappa beside the middle of those that counts behind the rounded rates of MUC can give."""
    mentions, entities = TEXTS[text]
    recall, precision = RATES[text][0]
    wanted = mentions - entities
    found = [
        parse("kappa").score({"common": common, "key": wanted, "response": given, "possible": mentions - 1})["score"]
        for common in range(wanted + 1)
        if abs(100 * common / wanted - recall) <= 0.5
        for given in range(ceil(100 * common / (precision + 0.5)), floor(100 * common / (precision - 0.5)) + 1)
    ]
    low, high = min(found), max(found)
    return PrintedValue(text, "kappa", (low + high) / 2, KAPPA[text] / 100, slack=(high - low) / 2)
