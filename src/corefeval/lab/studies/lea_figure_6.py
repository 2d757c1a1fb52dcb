"""One entity of the key is split: what does it cost?"""

from corefeval.lab.findings import Claim, Findings, write_numbers
from corefeval.lab.papers import LEA
from corefeval.lab.partitions import (
    LEA_KEY,
    ComparedSides,
    Partitions,
    compare_roles,
    draw_f1,
    score_responses,
    split_entity,
)

TITLE = "Effect of splitting entities"
SOURCE = f"{LEA}, figure 6 and section 7.3"

SPLITS = ("18-2", "3-2", "2-2", "16-4", "10-10", "5-3-2", "9-9-2", "9-5-6")
ALIKE = (("2-2", "10-10"), ("9-9-2", "9-5-6"))
ORDERS = {
    "bcub": ("18-2", "5-3-2", "16-4"),
    "blanc": ("5-3-2", "18-2", "16-4"),
    "ceafm": ("18-2", "16-4", "5-3-2"),
    "ceafe": ("18-2", "16-4", "5-3-2"),
    "lea": ("18-2", "16-4", "5-3-2"),
}
"""Which splits section 7.3 says are the same to CEAFe, and how it says that measures rank three of them."""


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    responses = {name: split_entity(LEA_KEY, [int(size) for size in name.split("-")]) for name in SPLITS}
    return {"figure 6": ComparedSides(LEA_KEY, responses)}


def run() -> Findings:
    """Return the curves over all splits, and the orders that the text reads off them."""
    responses = list_partitions()["figure 6"].responses
    f1 = score_responses(responses)
    by_parts = [{f1["muc"][name] for name in SPLITS if name.count("-") == parts} for parts in (1, 2)]
    alike = [{name: f1["ceafe"][name] for name in pair} for pair in ALIKE]
    ranked = {measure: {name: f1[measure][name] for name in order} for measure, order in ORDERS.items()}
    swapped = compare_roles(responses)
    claims = [
        Claim("MUC only recognises the number of splits", all(len(each) == 1 for each in by_parts),
              write_numbers(f1["muc"])),
        *(Claim(f"CEAFe does not differentiate {' from '.join(pair)}", len({*pair.values()}) == 1, write_numbers(pair))
          for pair in alike),
        *(Claim(f"{measure}: {' > '.join(order)}", list(order.values()) == sorted({*order.values()}, reverse=True),
                write_numbers(order)) for measure, order in ranked.items()),
        Claim("merging is similar to splitting, with the roles of key and response changed", swapped < 1e-9,
              f"largest difference by any measure: {swapped:.2f}"),
    ]  # fmt: skip
    return Findings(claims=claims, figures=[draw_f1(f1, "sizes of the parts")])
