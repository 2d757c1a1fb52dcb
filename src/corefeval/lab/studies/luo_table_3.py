"""A resolver that proposes fewer and fewer entities, by MUC and CEAF."""

from itertools import pairwise

from corefeval.lab.findings import Claim, Figure, Findings
from corefeval.lab.papers import LUO, load_table

TITLE = "MUC favours fewer entities, CEAF does not"
SOURCE = f"{LUO}, table 3 (its printed values)"

KEY_ENTITIES = 460


def run() -> Findings:
    """Return the printed curves, and what the text says of their highest points."""
    table = load_table("luo-table-3")
    muc, ceaf = ({int(count): f1 for count, f1 in table[name].items()} for name in ("muc", "ceafm"))
    best_muc, best_ceaf = (max(column, key=column.__getitem__) for column in (muc, ceaf))
    nearest = sorted(muc, key=lambda count: abs(count - KEY_ENTITIES))[:2]
    steps = list(pairwise(muc.values()))
    claims = [
        Claim("the smaller the penalty, the fewer entities", list(muc) == sorted(muc, reverse=True),
              ", ".join(map(str, muc))),
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
    curves = {name: [100 * f1 for f1 in table[name].values()] for name in ("muc", "ceafm")}
    return Findings(claims=claims, figures=[Figure("entities of the response", "F1, as printed", list(muc), curves)])
