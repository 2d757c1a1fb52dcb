"""A resolver on three real texts: F-measures and kappa from recall and precision."""

from math import ceil, floor
from statistics import harmonic_mean

from corefeval.lab.arithmetic import PrintedTable
from corefeval.lab.findings import Claim, Findings, PrintedValue, write_percents
from corefeval.lab.papers import POPESCU_BELIS, load_table
from corefeval.measures.registry import parse

TITLE = "F-measures and kappa of three texts, from tables 5 and 6"
SOURCE = f"{POPESCU_BELIS}, tables 5 to 7 and section 5.2"
PROCEDURE = (
    "the texts are not at hand: F-measures are computed from the recall and precision of table 6, of two digits; kappa "
    "from MUC's and the numbers of mentions and entities of table 5, as a range, for all counts that round to them."
)

MEASURES = ("MUC", "B³", "C", "XC", "H")


def run() -> Findings:
    """Return the F-measures, the range of kappa for each text, and what section 5.2 says of both."""
    sizes, rates, printed = (load_table(f"popescu-belis-table-{number}") for number in (5, 6, 7))
    texts = list(sizes["mentions"])
    f1 = {
        text: {name: harmonic_mean([rates[f"{name} recall"][text], rates[f"{name} precision"][text]]) / 100
               for name in MEASURES}
        for text in texts
    }  # fmt: skip
    values = [
        *(PrintedValue(text, f"F of {name}", f1[text][name], printed[name][text] / 100)
          for text in texts for name in MEASURES),
        *(PrintedValue(text, "mentions per entity", sizes["mentions"][text] / sizes["entities"][text], density)
          for text, density in sizes["mentions per entity"].items()),
        *(_check_kappa(text, sizes, rates, printed["kappa"][text]) for text in texts),
    ]  # fmt: skip
    sums = {text: (sum(sizes[kind][text] for kind in ("noun phrases", "pronouns", "not parsed")), mentions)
            for text, mentions in sizes["mentions"].items()}  # fmt: skip
    part, whole, first, kappa = f1["LPG.eq"], f1["LPG"], f1["VA"], printed["kappa"]
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
              all(first[name] > part[name] for name in MEASURES) and kappa["VA"] > kappa["LPG.eq"],
              f"VA: {write_percents(first)}; LPG.eq: {write_percents(part)}"),
    ]  # fmt: skip
    return Findings(values, claims)


def _check_kappa(text: str, sizes: PrintedTable, rates: PrintedTable, printed: float) -> PrintedValue:
    """Return the printed kappa beside the middle of those that counts behind the rounded rates of MUC can give."""
    mentions, entities = int(sizes["mentions"][text]), int(sizes["entities"][text])
    recall, precision = rates["MUC recall"][text], rates["MUC precision"][text]
    wanted = mentions - entities
    found = [
        parse("kappa").score({"common": common, "key": wanted, "response": given, "possible": mentions - 1})["score"]
        for common in range(wanted + 1)
        if abs(100 * common / wanted - recall) <= 0.5
        for given in range(ceil(100 * common / (precision + 0.5)), floor(100 * common / (precision - 0.5)) + 1)
    ]
    low, high = min(found), max(found)
    return PrintedValue(text, "kappa", (low + high) / 2, printed / 100, slack=(high - low) / 2)
