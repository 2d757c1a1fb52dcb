"""One entity of the key is split: what does it cost?"""

from __future__ import annotations

from corefeval.lab.findings import Claim, Findings, write_numbers
from corefeval.lab.partitions import LEA_KEY, score_responses, split_entity

TITLE = "Effect of splitting entities"
SOURCE = "Moosavi & Strube 2016, Which coreference evaluation metric do you trust?, figure 6 and section 7.3"
PROCEDURE = ""

SPLITS = ("18-2", "3-2", "2-2", "16-4", "10-10", "5-3-2", "9-9-2", "9-5-6")
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
    experiment = score_responses(
        {name: split_entity(LEA_KEY, [int(size) for size in name.split("-")]) for name in SPLITS}
    )
    f1 = experiment.f1
    by_parts = [{f1["muc"][name] for name in SPLITS if name.count("-") == parts} for parts in (1, 2)]
    claims = [Claim("MUC only recognises the number of splits", all(len(each) == 1 for each in by_parts),
                    write_numbers(f1["muc"]))]  # fmt: skip
    for one, other in (("2-2", "10-10"), ("9-9-2", "9-5-6")):
        pair = {name: f1["ceafe"][name] for name in (one, other)}
        claims.append(Claim(f"CEAFe does not differentiate {one} from {other}", pair[one] == pair[other],
                            write_numbers(pair)))  # fmt: skip
    for measure, order in ORDERS.items():
        ranked = {name: f1[measure][name] for name in order}
        falls = list(ranked.values()) == sorted(set(ranked.values()), reverse=True)
        claims.append(Claim(f"{measure}: {' > '.join(order)}", falls, write_numbers(ranked)))
    swapped = experiment.swap_roles()
    claims.append(Claim("merging is similar to splitting, with the roles of key and response changed", swapped < 1e-9,
                        f"largest difference by any measure: {swapped:.2f}"))  # fmt: skip
    return Findings(claims=claims, figure=experiment.draw("sizes of the parts"))
