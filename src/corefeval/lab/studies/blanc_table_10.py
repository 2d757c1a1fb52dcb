"""Eight responses, ranked by intuition: which measures rank them so?"""

from itertools import pairwise

from corefeval.lab.findings import Claim, Findings, write_percents
from corefeval.lab.papers import BLANC, compare_cases, compute_fields, group_cases
from corefeval.lab.partitions import Partitions

TITLE = "Responses A to H, from best to worst: do measures agree?"
SOURCE = f"{BLANC}, table 10 and section 5.1"

RESPONSES = {letter: f"blanc-8{letter}" for letter in "ABCDEFGH"}
COLUMNS = {"MUC": "muc.f1", "B³": "bcub.f1", "CEAF": "ceafm.f1", "Rand": "rand.score", "BLANC": "blanc.f1"}


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    return group_cases(RESPONSES)


def run() -> Findings:
    """Return the table, and the three points of section 5.1: singletons, boundary cases, number of mentions."""
    f1 = {name: compute_fields(RESPONSES, path) for name, path in COLUMNS.items()}
    muc, bcub, ceaf, rand, blanc = f1.values()
    spans = {name: max(f1[name].values()) - min(f1[name][letter] for letter in "ABCDEFG")
             for name in ("BLANC", "CEAF", "B³")}  # fmt: skip
    claims = [
        Claim("BLANC ranks the responses as desired", _falls(blanc, "ABCDEFGH"), write_percents(blanc)),
        Claim("so does CEAF, with fewer distinctions",
              not _rises(ceaf) and len({*ceaf.values()}) < len(ceaf), write_percents(ceaf)),
        Claim("so does B³ if G and H are left aside", _falls(bcub, "ABCDEF"), write_percents(bcub)),
        Claim("the Rand index does not rank them as expected", _rises(rand), write_percents(rand)),
        Claim("from A to G, BLANC has a much wider interval than CEAF and B³",
              spans["BLANC"] > 5 * max(spans["CEAF"], spans["B³"]), write_percents(spans)),
        Claim("MUC does not see that G, all singletons, is better than H, one entity", muc["G"] <= muc["H"],
              write_percents({letter: muc[letter] for letter in "GH"})),
        Claim("B³ and CEAF are close to 0 for H and close to 100 for G",
              max(bcub["H"], ceaf["H"]) < 0.1 and min(bcub["G"], ceaf["G"]) > 0.9, _write(f1, ("B³", "CEAF"), "GH")),
        Claim("MUC and CEAF give A and B the same score, BLANC does not",
              muc["A"] == muc["B"] and ceaf["A"] == ceaf["B"] and blanc["A"] > blanc["B"],
              _write(f1, ("MUC", "CEAF", "BLANC"), "AB")),
        Claim("CEAF does not tell D from E, BLANC does", ceaf["D"] == ceaf["E"] and blanc["D"] > blanc["E"],
              _write(f1, ("CEAF", "BLANC"), "DE")),
    ]  # fmt: skip
    return Findings(compare_cases(RESPONSES, tuple(COLUMNS.values())), claims)


def _falls(column: dict[str, float], letters: str) -> bool:
    """Return whether each response scores less than the one before it."""
    return all(column[first] > column[second] for first, second in pairwise(letters))


def _rises(column: dict[str, float]) -> bool:
    """Return whether some response scores more than the one before it."""
    return any(first < second for first, second in pairwise(column.values()))


def _write(f1: dict[str, dict[str, float]], names: tuple[str, ...], letters: str) -> str:
    """Return the scores of two responses under some measures as a text."""
    return "; ".join(f"{name}: {write_percents({each: f1[name][each] for each in letters})}" for name in names)
