"""How many entities are singletons in two corpora: the arithmetic of the table."""

from __future__ import annotations

from itertools import starmap

from corefeval.lab.findings import Claim, Findings, PrintedValue

TITLE = "Most entities are singletons"
SOURCE = "Recasens & Hovy 2011, BLANC: Implementing the Rand index for coreference evaluation, table 2 and section 3.1"
PROCEDURE = "the corpora are not at hand: shares are computed from the printed counts."

BINS = ((1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 10), (11, None))
CORPORA = {
    "ACE-2004": (28880, 11989, (7305, 2126, 858, 479, 287, 567, 367), (60.93, 17.73, 7.16, 4.00, 2.39, 4.73, 3.06)),
    "AnCora-Es": (88875, 64421, (55264, 4825, 1711, 869, 485, 903, 364), (85.79, 7.49, 2.66, 1.35, 0.75, 1.40, 0.57)),
}
"""Mentions, entities, entities of each bin, and their printed shares in per cent."""


def run() -> Findings:
    """Return the shares of all bins, and whether the counts fit each other."""
    values, claims = [], []
    for corpus, (mentions, entities, counts, shares) in CORPORA.items():
        for bin_, count, share in zip(starmap(_write_bin, BINS), counts, shares, strict=True):
            values.append(PrintedValue(corpus, f"entities of {bin_}, per cent", 100 * count / entities, share))
        least = sum(low * count for (low, _), count in zip(BINS, counts, strict=True))
        claims += [
            Claim(f"{corpus}: the bins hold all entities", sum(counts) == entities, f"{sum(counts):,} of {entities:,}"),
            Claim(f"{corpus}: bins of these sizes need no more mentions than there are", least <= mentions,
                  f"at least {least:,}, and there are {mentions:,}"),
        ]  # fmt: skip
    singletons = {corpus: counts[0] / entities for corpus, (_, entities, counts, _) in CORPORA.items()}
    rounded = [round(100 * share) for share in singletons.values()]
    numbers = ", ".join(f"{corpus} {100 * share:.2f}" for corpus, share in singletons.items())
    claims.append(
        Claim("about 86% of the entities in AnCora and 61% in ACE are singletons", rounded == [61, 86], numbers)
    )
    return Findings(values, claims)


def _write_bin(low: int, high: int | None) -> str:
    """Return the sizes of a bin as a text, such as "6-10 mentions"."""
    sizes = str(low) if low == high else f"{low}-{high}" if high else f"{low} and more"
    return f"{sizes} mention{'' if sizes == '1' else 's'}"
