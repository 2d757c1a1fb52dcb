"""A resolver that proposes fewer and fewer entities, by ACE-value and CEAF."""

from corefeval.comparison.ranking import correlate_ranks
from corefeval.lab.findings import Claim, Figure, Findings, write_numbers
from corefeval.lab.papers import LUO, load_table

TITLE = "ACE-value and CEAF by the number of entities"
SOURCE = f"{LUO}, table 4 (its printed values)"
PROCEDURE = "a correlation is 'very weak' if Kendall's τ lies between −0.2 and 0.2."

KEY_ENTITIES = 853


def run() -> Findings:
    """Return the printed curves, and what the text says of their highest points."""
    table = load_table("luo-table-4")
    ace, ceaf = ({int(count): each for count, each in table[name].items()} for name in ("ace_value", "ceafm"))
    best_ceaf = max(ceaf, key=ceaf.__getitem__)
    best_ace = [count for count, value in ace.items() if value == max(ace.values())]
    off = {count: abs(count - KEY_ENTITIES) for count in (best_ceaf, *best_ace)}
    correlation = correlate_ranks(list(ace.values()), list(ceaf.values())) or 0.0
    claims = [
        Claim("ACE-value is maximum with 1050 entities", 1050 in best_ace,
              f"{max(ace.values())} with {', '.join(map(str, best_ace))}: alike as printed"),
        Claim("CEAF is maximum with 930 entities", best_ceaf == 930, f"{ceaf[best_ceaf]} with {best_ceaf}"),
        Claim("the optimal CEAF system is closer to the 853 of the key",
              off[best_ceaf] < min(off[count] for count in best_ace),
              write_numbers({str(count): each for count, each in off.items()}, 0) + " off"),
        Claim("the two have very weak correlation", abs(correlation) < 0.2, f"Kendall's τ {correlation:.3f}"),
    ]  # fmt: skip
    curves = {"ace_value": list(ace.values()), "ceafm": [100 * value for value in ceaf.values()]}
    return Findings(claims=claims, figures=[Figure("entities of the response", "as printed", list(ace), curves)])
