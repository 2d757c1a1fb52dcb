"""How many entities are singletons in two corpora: the arithmetic of the table."""

from corefeval.lab.findings import Claim, Findings, PrintedValue, write_percents
from corefeval.lab.papers import BLANC, load_table

TITLE = "Most entities are singletons"
SOURCE = f"{BLANC}, table 2 and section 3.1"
PROCEDURE = "the corpora are not at hand: shares are computed from the printed counts."

LEAST = (1, 2, 3, 4, 5, 6, 11)
"""The smallest size of each bin."""


def run() -> Findings:
    """Return the shares of all bins, and whether the counts fit each other."""
    table = load_table("blanc-table-2")
    values, claims, singletons = [], [], {}
    for corpus in ("ACE-2004", "AnCora-Es"):
        printed = table[f"{corpus}, per cent"]
        mentions, entities, *counts = table[corpus].values()
        values += [
            PrintedValue(corpus, f"entities of {name}, per cent", 100 * table[corpus][name] / entities, share)
            for name, share in printed.items()
        ]
        least = sum(low * count for low, count in zip(LEAST, counts, strict=True))
        claims += [
            Claim(f"{corpus}: the bins hold all entities", sum(counts) == entities, f"{sum(counts):,} of {entities:,}"),
            Claim(f"{corpus}: bins of these sizes need no more mentions than there are", least <= mentions,
                  f"at least {least:,}, and there are {mentions:,}"),
        ]  # fmt: skip
        singletons[corpus] = counts[0] / entities
    as_said = [round(100 * share) for share in singletons.values()] == [61, 86]
    text = "about 86% of the entities in AnCora and 61% in ACE are singletons"
    return Findings(values, [*claims, Claim(text, as_said, write_percents(singletons))])
