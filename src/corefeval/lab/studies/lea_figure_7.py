"""Mentions that are in no key entity are added to one entity, or make one of their own."""

from __future__ import annotations

from corefeval.lab.findings import Claim, Findings, write_numbers
from corefeval.lab.partitions import LEA_KEY, MEASURES, Entities, score_responses

TITLE = "Effect of extra mentions"
SOURCE = "Moosavi & Strube 2016, Which coreference evaluation metric do you trust?, figure 7 and section 7.4"
PROCEDURE = ""

PLACES = ("1-2", "1-10", "2-0", "2-2", "2-10", "3-0", "3-2", "3-10")
"""How many mentions are added, and the size of the entity that they are added to; 0: they are linked together."""


def run() -> Findings:
    """Return the curves over all additions, and what the text reads off them."""
    experiment = score_responses({place: add_mentions(*map(int, place.split("-"))) for place in PLACES})
    f1 = experiment.f1
    distinct = {name: len({round(value, 9) for value in column.values()}) for name, column in f1.items()}
    fewest = sorted(distinct, key=distinct.__getitem__)[:2]
    worst = {name: [place for place in PLACES if column[place] < min(column.values()) + 1e-9]
             for name, column in f1.items()}  # fmt: skip
    better = [name for name in MEASURES if f1[name]["2-0"] > max(f1[name]["1-2"], f1[name]["1-10"]) + 1e-9]
    pair = {place: f1["lea"][place] for place in ("1-2", "1-10")}
    one_more = {
        f"n = {size}": (size + 1) * (1 - size * (size - 1) / ((size + 1) * size))
        for size in sorted({*map(len, LEA_KEY)})
    }
    swapped = experiment.swap_roles()
    claims = [
        Claim("missing mentions are similar to extra ones, with the roles of key and response changed", swapped < 1e-9,
              f"largest difference by any measure: {swapped:.2f}"),
        Claim("MUC and CEAFm are the least discriminative", set(fewest) == {"muc", "ceafm"},
              f"different values: {write_numbers(distinct, 0)}"),
        Claim("all but CEAFe rank 3-10 as the worst output", {name for name in MEASURES if "3-10" in worst[name]}
              == {*MEASURES} - {"ceafe"}, f"worst: {_list_worst(worst)}"),
        Claim("CEAFe recognises both 2-0 and 3-0 as the worst outputs", worst["ceafe"] == ["2-0", "3-0"],
              write_numbers(f1["ceafe"])),
        Claim("LEA is the only one that recognises 2-0 as less harmful than 1-2 or 1-10", better == ["lea"],
              "; ".join(f"{name}: {write_numbers({place: f1[name][place] for place in ('2-0', '1-2', '1-10')})}"
                        for name in MEASURES)),
        Claim("LEA does not discriminate outputs with one extra mention in an entity",
              abs(pair["1-2"] - pair["1-10"]) < 1e-9, write_numbers(pair, 4)),
        Claim("the error (n + k)(1 − n(n − 1) / ((n + k)(n + k − 1))) is 2 for k = 1 regardless of n",
              all(abs(error - 2) < 1e-9 for error in one_more.values()), write_numbers(one_more)),
    ]  # fmt: skip
    return Findings(claims=claims, figure=experiment.draw("extra mentions-size of the entity"))


def add_mentions(count: int, size: int) -> Entities:
    """Return the key with mentions added to its first entity of this size, or, for 0, as an entity of their own."""
    extra = list(range(-count, 0))
    if size == 0:
        return [*LEA_KEY, extra]
    place = [len(entity) for entity in LEA_KEY].index(size)
    return [*LEA_KEY[:place], [*LEA_KEY[place], *extra], *LEA_KEY[place + 1 :]]


def _list_worst(worst: dict[str, list[str]]) -> str:
    """Return the worst outputs of each measure as a text."""
    return ", ".join(f"{name} {' = '.join(places)}" for name, places in worst.items())
