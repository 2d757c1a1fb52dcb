"""No link of the response is right: which measures score it above zero?"""

from itertools import chain

from corefeval.lab.findings import Claim, Findings, write_numbers
from corefeval.lab.papers import LEA
from corefeval.lab.partitions import LEA_KEY, ComparedSides, Partitions, draw_f1, pair_wrongly, score_responses
from corefeval.lab.studies.lea_figure_2 import SHARES

TITLE = "Effect of mention identification"
SOURCE = f"{LEA}, figure 8 and section 7.5"
PROCEDURE = (
    "the key's mentions make wrong pairs, each of the two entities with most mentions left; at each place the response "
    "has that share of the pairs, and no other mentions."
)


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    pairs = pair_wrongly(LEA_KEY, chain(*LEA_KEY))
    return {
        "figure 8": ComparedSides(LEA_KEY, {f"{share}%": pairs[: round(share / 100 * len(pairs))] for share in SHARES})
    }


def run() -> Findings:
    """Return the curves over the share of identified mentions, and what the text reads off them."""
    f1 = score_responses(list_partitions()["figure 8"].responses)
    highest = {name: max(f1[name].values()) for name in ("muc", "lea")}
    lowest = {name: min(f1[name][f"{share}%"] for share in SHARES[1:]) for name in ("bcub", "ceafm", "ceafe", "blanc")}
    claims = [
        Claim("MUC and LEA are zero, whatever mentions are identified", max(highest.values()) == 0,
              f"highest: {write_numbers(highest)}"),
        Claim("B³, CEAF and BLANC are not zero, although no link is right", min(lowest.values()) > 0,
              f"lowest from 20% on: {write_numbers(lowest)}"),
    ]  # fmt: skip
    return Findings(claims=claims, figures=[draw_f1(f1, "% mentions identified", SHARES)])
