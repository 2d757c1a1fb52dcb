"""A resolver that proposes fewer and fewer entities, by MUC and CEAF."""

from itertools import pairwise

from corefeval.lab.findings import Claim, Figure, Findings
from corefeval.lab.papers import LUO

TITLE = "MUC favours fewer entities, CEAF does not"
SOURCE = f"{LUO}, table 3 (its printed values)"

KEY_ENTITIES = 460
ROWS = (
    (-0.6, 561, 0.851, 0.750), (-0.8, 538, 0.854, 0.756), (-0.9, 529, 0.853, 0.753), (-1, 515, 0.853, 0.753),
    (-1.1, 506, 0.856, 0.764), (-1.2, 483, 0.857, 0.768), (-1.4, 448, 0.863, 0.761), (-1.5, 425, 0.862, 0.749),
    (-1.6, 411, 0.864, 0.740), (-1.7, 403, 0.865, 0.741), (-10, 113, 0.902, 0.445),
)  # fmt: skip
"""Penalty, entities of the response, MUC, CEAFm."""


def run() -> Findings:
    """Return the printed curves, and what the text says of their highest points."""
    entities = [row[1] for row in ROWS]
    muc, ceaf = {row[1]: row[2] for row in ROWS}, {row[1]: row[3] for row in ROWS}
    best_muc, best_ceaf = (max(column, key=column.__getitem__) for column in (muc, ceaf))
    nearest = sorted(entities, key=lambda count: abs(count - KEY_ENTITIES))[:2]
    steps = list(pairwise(muc.values()))
    claims = [
        Claim("the smaller the penalty, the fewer entities", entities == sorted(entities, reverse=True),
              ", ".join(map(str, entities))),
        Claim("CEAF has its maximum, 0.768, when the number of entities is close to the 460 of the key: 483",
              best_ceaf == 483 and best_ceaf in nearest and ceaf[best_ceaf] == 0.768,
              f"{ceaf[best_ceaf]:.3f} at {best_ceaf}; nearest to 460: "
              + ", ".join(f"{count} with {ceaf[count]:.3f}" for count in nearest)),
        Claim("MUC increases almost monotonically: it never falls by more than 0.001",
              all(before - after < 0.0015 for before, after in steps),
              "falls: " + ", ".join(f"{before:.3f} to {after:.3f}" for before, after in steps if after < before)),
        Claim("the best system by MUC proposes only 113 entities", best_muc == 113,
              f"{muc[best_muc]:.3f} at {best_muc}"),
    ]  # fmt: skip
    curves = {name: [100 * value for value in column.values()] for name, column in {"muc": muc, "ceafm": ceaf}.items()}
    return Findings(claims=claims, figures=[Figure("entities of the response", "F1, as printed", entities, curves)])
