"""How many entities are singletons in two corpora: the arithmetic of the table."""

from corefeval.lab.findings import Claim, Findings, PrintedValue, write_percents
from corefeval.lab.papers import BLANC

TITLE = "Most entities are singletons"
SOURCE = f"{BLANC}, table 2 and section 3.1"
PROCEDURE = "the corpora are not at hand: shares are computed from the printed counts."

BINS = {"1 mention": 1, "2 mentions": 2, "3 mentions": 3, "4 mentions": 4, "5 mentions": 5, "6-10 mentions": 6,
        "11 and more mentions": 11}  # fmt: skip
"""The smallest size of each bin."""
CORPORA = {
    "ACE-2004": (28880, 11989, (7305, 2126, 858, 479, 287, 567, 367), (60.93, 17.73, 7.16, 4.00, 2.39, 4.73, 3.06)),
    "AnCora-Es": (88875, 64421, (55264, 4825, 1711, 869, 485, 903, 364), (85.79, 7.49, 2.66, 1.35, 0.75, 1.40, 0.57)),
}
"""Mentions, entities, entities of each bin, and their printed shares in per cent."""


def run() -> Findings:
    """Return the shares of all bins, and whether the counts fit each other."""
    values, claims = [], []
    for corpus, (mentions, entities, counts, shares) in CORPORA.items():
        values += [
            PrintedValue(corpus, f"entities of {name}, per cent", 100 * count / entities, share)
            for name, count, share in zip(BINS, counts, shares, strict=True)
        ]
        least = sum(low * count for low, count in zip(BINS.values(), counts, strict=True))
        claims += [
            Claim(f"{corpus}: the bins hold all entities", sum(counts) == entities, f"{sum(counts):,} of {entities:,}"),
            Claim(f"{corpus}: bins of these sizes need no more mentions than there are", least <= mentions,
                  f"at least {least:,}, and there are {mentions:,}"),
        ]  # fmt: skip
    singletons = {corpus: counts[0] / entities for corpus, (_, entities, counts, _) in CORPORA.items()}
    as_said = [round(100 * share) for share in singletons.values()] == [61, 86]
    text = "about 86% of the entities in AnCora and 61% in ACE are singletons"
    return Findings(values, [*claims, Claim(text, as_said, write_percents(singletons))])
