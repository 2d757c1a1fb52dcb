"""`explain` for measures that compare partitions or look at mentions: every number can be calculated from its line."""

from __future__ import annotations

import math
import random
import re

import pytest

import corefeval
from tests.analysis.drawing import Entities, entities, levelled

# Popescu-Belis, 1.4 and figure 2: his sample text.
KEY: Entities = [["1", "2"], ["3", "4", "5"], [*map(str, range(6, 13))], [*map(str, range(13, 18))]]
RESPONSE: Entities = [["1", "2", *map(str, range(6, 11))], ["3", "4", "5", *map(str, range(11, 17))], ["17"]]

# Footnote 7: "first assigns xc*(K3) = R1, then xc*(K4) = R2, then xc*(K2) = ∅ (as R2 is no longer available) and
# xc*(K1) = ∅"; tables 3 and 4: 53, 59 and 56. Section 3.7: "|9-7| + |7-5| + |1-3| + |0-2| = 8, with the maximum distance
# being 32 ... 1-(8/32) = 75%".
GUIDE = {
    "exclusive_core": """\
K3, 7 mentions, takes R1: 5 right, 2 wrong
K4, 5 mentions, takes R2: 4 right, 5 wrong
K2, 3 mentions, takes nothing: those that share mentions with it are taken
K1, 2 mentions, takes nothing: those that share mentions with it are taken
Recall = (5 + 4) / 17 = 9 / 17 = 0.5294

Precision = (17 - (2 + 5)) / 17 = 10 / 17 = 0.5882

F1 = 2 · 0.5294 · 0.5882 / (0.5294 + 0.5882) = 0.5573""",
    "dmt": """\
sizes in the key: 7, 5, 3, 2
sizes in the response: 9, 7, 1

counts:
  distance = |9 - 7| + |7 - 5| + |1 - 3| + |0 - 2| = 8
  largest = 2·(17 - 1) = 32

score = 1 - 8 / 32 = 0.7500""",
}


@pytest.mark.parametrize("measure", GUIDE)
def test_the_sample_text_of_the_guide_reads_like_the_guide(measure: str) -> None:
    _, _, steps = corefeval.explain(measure, KEY, RESPONSE).text.split("\n\n", 2)
    assert steps == GUIDE[measure]


def test_information_of_the_sample_text() -> None:
    """DEF. 15 to 17, put into numbers here; table 3 has 55 and 37, table 4 has 44."""
    text = corefeval.explain("entropy", KEY, RESPONSE).text
    lines = dict(line.split(" = ", 1) for line in text.splitlines() if line.startswith("H("))
    whole = 17
    expected = {
        "H(K)": -sum(k / whole * math.log(k / whole) for k in (2, 3, 7, 5)),
        "H(R)": -sum(r / whole * math.log(r / whole) for r in (7, 9, 1)),
        "H(R|K)": -sum(n / whole * math.log(n / k) for n, k in ((2, 2), (3, 3), (5, 7), (2, 7), (4, 5), (1, 5))),
        "H(K|R)": -sum(n / whole * math.log(n / r) for n, r in ((2, 7), (5, 7), (3, 9), (2, 9), (4, 9), (1, 1))),
    }
    assert lines.keys() == expected.keys()
    for name, value in expected.items():
        terms, shown = lines[name].split(" = ")
        assert float(shown) == pytest.approx(value, abs=5e-5)
        assert eval(terms.replace("·", "*"), {"log": math.log}) == pytest.approx(value)
    rates = [round(float(line.split(" = ")[-1]), 2) for line in text.splitlines() if line[:2] in ("Re", "Pr", "F1")]
    assert rates == [0.55, 0.37, 0.44]


def calculated(text: str) -> float:
    """What a sum of products, pairs C(x), squares and absolute values comes to."""
    made = re.sub(r"\|\{(.*?)\}\|", lambda found: str(len(re.findall(r"\(\d+, \d+\)|K\d+", found.group(1)))), text)
    made = re.sub(r"\|([^|]+)\|", r"abs(\1)", made)
    made = re.sub(r"C\((\d+)\)", r"(\1*(\1-1)/2)", made)
    made = made.replace("·", "*").replace("²", "**2").replace("√", "sqrt").replace("π", "pi").replace(",", "")
    return float(eval(made, {"log": math.log, "sqrt": math.sqrt, "arccos": math.acos, "pi": math.pi, "abs": abs}))


PLAIN = ("lea:importance=log", "lea:importance=one", "rand", "adjusted_rand", "kappa", "dmt", "distributional_error", "exclusive_core", "bcub:weight=entity", "bcub:weight=printed",
         "bcub:weight=key", "exact_entities", "purity", "nmi", "nmi:mean=geometric", "ami", "ami:mean=max", "vi", "fowlkes_mallows",
         "jaccard", "matthews", "correlation_distance", "talburt_wang", "talburt_wang:form=square", "van_dongen", "merge_distance",
         "merge_distance:cost=pairs,split=2",
         *(f"bcub:twinless={way}" for way in ("stoyanov_all", "stoyanov0", "rahman_ng", "cai_strube")),
         *(f"{name}:twinless={way}" for name in ("muc", "bcub", "lea", "ceafm", "ceafe", "pairwise", "core", "purity", "kappa", "ami")
           for way in ("pad", "discard_both")),
         "bcub:weight=key,twinless=pad", "ceaf:phi=2,twinless=pad", "exact_entities:twinless=pad")  # fmt: skip
LOOKING = (
    "mor",
    "anaphor",
    "anaphor:antecedent=closest",
    "success_rate:filter=all",
    "pronoun_resolution",
    "pronoun_resolution:pronouns=all,precision=antecedents",
    "nec",
    "ace_value:weights=uniform",
)


@pytest.mark.parametrize("measure", [*PLAIN, *LOOKING, "entropy"])
def test_every_line_comes_to_its_number(measure: str) -> None:
    """Counts and rates, calculated from what stands before them; the last is the score."""
    rng = random.Random(5)
    calculations = 0
    for _ in range(30):
        levels = rng.choices(("NAM", "NOM", "PRO"), k=9)
        key, response = (levelled(entities(rng, 9), levels) for _ in range(2))
        scored = corefeval.score(key, response, measures=[measure])[measure]
        text = corefeval.explain(measure, key, response).text
        assert "otherwise" not in text
        steps = text.split("\n\n", 2)[2]
        for line in steps.splitlines():
            name, *parts = line.split(" = ")
            if len(parts) < 2 or name.startswith(("H(", "F")) or "undefined" in line:
                continue
            value = float(parts[-1].removesuffix("   aligned").replace(",", ""))
            for part in parts[:-1]:
                if "H(" not in part and not part.endswith("/ 0"):
                    assert calculated(part) == pytest.approx(value, abs=2e-4), line
                    calculations += 1
        last = steps.splitlines()[-1 if "direction" not in steps else -2]
        if "both 0" not in last and "undefined" not in last and measure != "ace_value:weights=uniform":
            assert last.endswith(f"= {scored.main:.4f}")
    assert calculations > 30, "too few lines to prove anything"
