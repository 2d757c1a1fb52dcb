"""Mentions that are in no key entity are added to one entity, or make one of their own."""

from corefeval.lab.findings import Claim, Findings, write_numbers
from corefeval.lab.papers import LEA
from corefeval.lab.partitions import (
    LEA_KEY,
    MEASURES,
    ComparedSides,
    Entities,
    Partitions,
    compare_roles,
    draw_f1,
    score_responses,
)

TITLE = "Effect of extra mentions"
SOURCE = f"{LEA}, figure 7 and section 7.4"

PLACES = ("1-2", "1-10", "2-0", "2-2", "2-10", "3-0", "3-2", "3-10")
"""How many mentions are added, and the size of the entity that they are added to; 0: they are linked together."""


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    return {"figure 7": ComparedSides(LEA_KEY, {place: add_mentions(*map(int, place.split("-"))) for place in PLACES})}


def run() -> Findings:
    """Return the curves over all additions, and what the text reads off them."""
    responses = list_partitions()["figure 7"].responses
    f1 = score_responses(responses)
    swapped = compare_roles(responses)
    distinct = {name: len({round(value, 9) for value in column.values()}) for name, column in f1.items()}
    fewest = sorted(distinct, key=distinct.__getitem__)[:2]
    worst = {name: [place for place in PLACES if column[place] < min(column.values()) + 1e-9]
             for name, column in f1.items()}  # fmt: skip
    harm = {name: {place: column[place] for place in ("2-0", "1-2", "1-10")} for name, column in f1.items()}
    better = [name for name, each in harm.items() if each["2-0"] > max(each["1-2"], each["1-10"]) + 1e-9]
    pair = {place: f1["lea"][place] for place in ("1-2", "1-10")}
    sizes = sorted({*map(len, LEA_KEY)})
    one_more = {f"n = {n}": (n + 1) * (1 - n * (n - 1) / ((n + 1) * n)) for n in sizes}
    claims = [
        Claim("missing mentions are similar to extra ones, with the roles of key and response changed", swapped < 1e-9,
              f"largest difference by any measure: {swapped:.2f}"),
        Claim("MUC and CEAFm are the least discriminative", set(fewest) == {"muc", "ceafm"},
              f"different values: {write_numbers(distinct, 0)}"),
        Claim("all but CEAFe rank 3-10 as the worst output",
              {name for name in MEASURES if "3-10" in worst[name]} == {*MEASURES} - {"ceafe"},
              "worst: " + ", ".join(f"{name} {' = '.join(places)}" for name, places in worst.items())),
        Claim("CEAFe recognises both 2-0 and 3-0 as the worst outputs", worst["ceafe"] == ["2-0", "3-0"],
              write_numbers(f1["ceafe"])),
        Claim("LEA is the only one that recognises 2-0 as less harmful than 1-2 or 1-10", better == ["lea"],
              "; ".join(f"{name}: {write_numbers(each)}" for name, each in harm.items())),
        Claim("LEA does not discriminate outputs with one extra mention in an entity",
              abs(pair["1-2"] - pair["1-10"]) < 1e-9, write_numbers(pair, 4)),
        Claim("the error (n + k)(1 − n(n − 1) / ((n + k)(n + k − 1))) is 2 for k = 1 regardless of n",
              all(abs(error - 2) < 1e-9 for error in one_more.values()), write_numbers(one_more)),
    ]  # fmt: skip
    return Findings(claims=claims, figures=[draw_f1(f1, "extra mentions-size of the entity")])


def add_mentions(count: int, size: int) -> Entities:
    """Return the key with mentions added to its first entity of this size, or, for 0, as an entity of their own."""
    extra = list(range(-count, 0))
    if size == 0:
        return [*LEA_KEY, extra]
    place = [len(entity) for entity in LEA_KEY].index(size)
    return [*LEA_KEY[:place], [*LEA_KEY[place], *extra], *LEA_KEY[place + 1 :]]
