"""BLANC of systems and baselines on ACE: do the printed numbers fit each other?"""

from corefeval.lab.findings import Claim, Findings, PrintedValue
from corefeval.lab.papers import BLANC, load_table

TITLE = "State of the art on ACE according to BLANC"
SOURCE = f"{BLANC}, table 16 and section 5.2"
PROCEDURE = (
    "the systems' outputs are not at hand: distances are those of the printed scores. Of both baselines only the "
    "share of coreference links in the key matters to BLANC, so one follows from the other, within rounding."
)

CLOSER = {"ACE-2": "B³", "ACE-2004": "CEAF"}


def run() -> Findings:
    """Return whether both baselines' BLANC fit each other, and to which measure BLANC is closer."""
    values, claims = [], []
    for corpus, closer in CLOSER.items():
        table = load_table(f"blanc-table-16, {corpus}")
        single, one = table["BLANC"]["all singletons"], table["BLANC"]["one entity"]
        high, ours, low = (_derive_one_entity((single + error) / 100) for error in (-0.05, 0, 0.05))
        name = "BLANC of one entity, from that of all singletons"
        values.append(PrintedValue(corpus, name, ours, one / 100, 3, slack=max(high - ours, ours - low)))
        for row, blanc in table["BLANC"].items():
            bcub, ceaf = table["B³"][row], table["CEAF"][row]
            nearer = "B³" if abs(blanc - bcub) < abs(blanc - ceaf) else "CEAF"
            numbers = f"BLANC {blanc}, B³ {bcub}, CEAF {ceaf}"
            claims.append(Claim(f"{corpus}: BLANC is closer to {closer}: {row}", nearer == closer, numbers))
    return Findings(values, claims)


def _derive_one_entity(singletons: float) -> float:
    """Return BLANC of the response that links all mentions, from BLANC of the one that links none.

    All singletons score F(non-coreference) / 2 = p / (1 + p), p being the share of non-coreference links in the key;
    one entity scores q / (1 + q), q = 1 - p.
    """
    share = 1 - singletons / (1 - singletons)
    return share / (1 + share)
