"""One entity of the key is split: what does it cost?"""

from __future__ import annotations

from corefeval.lab.findings import Claim, Findings
from corefeval.lab.partitions import LEA_SIZES, draw_scores, make_entities, score_responses, split_entity

TITLE = "Effect of splitting entities"
SOURCE = "Moosavi & Strube 2016, Which coreference evaluation metric do you trust?, figure 6 and section 7.3"
PROCEDURE = ""

SPLITS = ("18-2", "3-2", "2-2", "16-4", "10-10", "5-3-2", "9-9-2", "9-5-6")
MEASURES = ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea")
ORDERS = {
    "bcub": ("18-2", "5-3-2", "16-4"),
    "blanc": ("5-3-2", "18-2", "16-4"),
    "ceafm": ("18-2", "16-4", "5-3-2"),
    "ceafe": ("18-2", "16-4", "5-3-2"),
    "lea": ("18-2", "16-4", "5-3-2"),
}
"""How section 7.3 says that measures rank three splits."""


def run() -> Findings:
    """Return the curves over all splits, and the orders that the text reads off them."""
    key = make_entities(LEA_SIZES)
    responses = {name: split_entity(key, [int(size) for size in name.split("-")]) for name in SPLITS}
    scores = score_responses(key, responses, MEASURES)
    f1 = {name: dict(zip(SPLITS, (each.f1 for each in column), strict=True)) for name, column in scores.items()}
    by_parts = [{f1["muc"][name] for name in SPLITS if name.count("-") == parts} for parts in (1, 2)]
    claims = [
        Claim("MUC only sees the number of splits", all(len(each) == 1 for each in by_parts), _write(f1["muc"], SPLITS)),
        *(
            Claim(f"CEAFe does not tell {one} from {other}", f1["ceafe"][one] == f1["ceafe"][other],
                  _write(f1["ceafe"], (one, other)))
            for one, other in (("2-2", "10-10"), ("9-9-2", "9-5-6"))
        ),
        *(
            Claim(f"{name}: {' > '.join(order)}", sorted(order, key=lambda split: -f1[name][split]) == list(order),
                  _write(f1[name], order))
            for name, order in ORDERS.items()
        ),
    ]  # fmt: skip
    return Findings(claims=claims, figure=draw_scores("sizes of the parts", SPLITS, scores))


def _write(values: dict[str, float], names: tuple[str, ...]) -> str:
    """Return some splits with their values in per cent as a text."""
    return ", ".join(f"{name} {100 * values[name]:.2f}" for name in names)
