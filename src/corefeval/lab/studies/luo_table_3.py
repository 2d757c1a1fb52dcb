"""A resolver that proposes fewer and fewer entities, by MUC and CEAF."""

from __future__ import annotations

from itertools import pairwise

from corefeval.lab.findings import Claim, Curve, Figure, Findings

TITLE = "MUC favours fewer entities, CEAF does not"
SOURCE = "Luo 2005, On coreference resolution performance metrics, table 3 (its printed values)"
PROCEDURE = ""

KEY_ENTITIES = 460
ROWS = (
    (-0.6, 561, 0.851, 0.750), (-0.8, 538, 0.854, 0.756), (-0.9, 529, 0.853, 0.753), (-1, 515, 0.853, 0.753),
    (-1.1, 506, 0.856, 0.764), (-1.2, 483, 0.857, 0.768), (-1.4, 448, 0.863, 0.761), (-1.5, 425, 0.862, 0.749),
    (-1.6, 411, 0.864, 0.740), (-1.7, 403, 0.865, 0.741), (-10, 113, 0.902, 0.445),
)  # fmt: skip
"""Penalty, entities of the response, MUC, CEAFm."""


def run() -> Findings:
    """Return the printed curves, and what the text says of their highest points."""
    _, entities, muc, ceaf = map(list, zip(*ROWS, strict=True))
    best_muc, best_ceaf = (entities[column.index(max(column))] for column in (muc, ceaf))
    nearest = sorted(entities, key=lambda count: abs(count - KEY_ENTITIES))[:2]
    falls = [f"{before:.3f} to {after:.3f}" for before, after in pairwise(muc) if after < before]
    claims = [
        Claim("the smaller the penalty, the fewer entities", entities == sorted(entities, reverse=True),
              ", ".join(map(str, entities))),
        Claim("CEAF has its maximum, 0.768, when the number of entities is close to the 460 of the key: 483",
              best_ceaf == 483 and best_ceaf in nearest and max(ceaf) == 0.768,
              f"{max(ceaf):.3f} at {best_ceaf}; nearest to 460: "
              + ", ".join(f"{count} with {ceaf[entities.index(count)]:.3f}" for count in nearest)),
        Claim("MUC increases almost monotonically: it never falls by more than 0.001",
              all(before - after < 0.0015 for before, after in pairwise(muc)), f"falls: {', '.join(falls)}"),
        Claim("the best system by MUC proposes only 113 entities", best_muc == 113, f"{max(muc):.3f} at {best_muc}"),
    ]  # fmt: skip
    curves = (Curve("muc", tuple(100 * value for value in muc)), Curve("ceafm", tuple(100 * value for value in ceaf)))
    return Findings(claims=claims, figure=Figure("entities of the response", "F1, as printed", tuple(entities), curves))
