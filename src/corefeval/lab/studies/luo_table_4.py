"""A resolver that proposes fewer and fewer entities, by ACE-value and CEAF."""

from corefeval.comparison.ranking import correlate_ranks
from corefeval.lab.findings import Claim, Figure, Findings, write_numbers
from corefeval.lab.papers import LUO

TITLE = "ACE-value and CEAF by the number of entities"
SOURCE = f"{LUO}, table 4 (its printed values)"
PROCEDURE = "a correlation is 'very weak' if Kendall's τ lies between −0.2 and 0.2."

KEY_ENTITIES = 853
ROWS = (
    (1221, 88.5, 0.726), (1172, 89.1, 0.749), (1145, 89.4, 0.755), (1105, 89.7, 0.766), (1050, 89.7, 0.775),
    (1015, 89.7, 0.780), (990, 89.5, 0.782), (930, 88.6, 0.794), (891, 86.9, 0.780), (865, 86.7, 0.778),
    (834, 85.6, 0.769), (790, 83.8, 0.761),
)  # fmt: skip
"""Entities of the response, ACE-value, CEAFm."""


def run() -> Findings:
    """Return the printed curves, and what the text says of their highest points."""
    entities, ace, ceaf = map(list, zip(*ROWS, strict=True))
    best_ceaf = entities[ceaf.index(max(ceaf))]
    best_ace = [count for count, value in zip(entities, ace, strict=True) if value == max(ace)]
    off = {count: abs(count - KEY_ENTITIES) for count in (best_ceaf, *best_ace)}
    correlation = correlate_ranks(ace, ceaf) or 0.0
    claims = [
        Claim("ACE-value is maximum with 1050 entities", 1050 in best_ace,
              f"{max(ace)} with {', '.join(map(str, best_ace))}: alike as printed"),
        Claim("CEAF is maximum with 930 entities", best_ceaf == 930, f"{max(ceaf)} with {best_ceaf}"),
        Claim("the optimal CEAF system is closer to the 853 of the key",
              off[best_ceaf] < min(off[count] for count in best_ace),
              write_numbers({str(count): each for count, each in off.items()}, 0) + " off"),
        Claim("the two have very weak correlation", abs(correlation) < 0.2, f"Kendall's τ {correlation:.3f}"),
    ]  # fmt: skip
    curves = {"ace_value": ace, "ceafm": [100 * value for value in ceaf]}
    return Findings(claims=claims, figures=[Figure("entities of the response", "as printed", entities, curves)])
