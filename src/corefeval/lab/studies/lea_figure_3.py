"""More and more of the key's links are resolved; all other mentions are linked wrongly."""

from itertools import chain

from corefeval.lab.findings import Claim, Findings, write_numbers
from corefeval.lab.papers import LEA
from corefeval.lab.partitions import (
    LEA_KEY,
    ComparedSides,
    Entities,
    Partitions,
    draw_f1,
    pair_wrongly,
    score_responses,
)
from corefeval.lab.studies.lea_figure_2 import SHARES, resolve_share

TITLE = "Resolved links in the presence of incorrect links"
SOURCE = f"{LEA}, figure 3 and section 7.1"
PROCEDURE = (
    "mention by mention the key's entities are resolved, the largest first; all other mentions make wrong pairs, each "
    "of the two entities with most mentions left. The claims about BLANC depend on this: with the same share of links "
    "resolved at every size, it is 12% higher at 60%, and 5% at 80%."
)


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    return {"figure 3": ComparedSides(LEA_KEY, {f"{share}%": resolve_and_pair(share) for share in SHARES})}


def run() -> Findings:
    """Return the curves over the share of resolved links, and what the text reads off them."""
    f1 = score_responses(list_partitions()["figure 3"].responses)
    nothing = {name: column["0%"] for name, column in f1.items()}
    best = {share: max(f1[name][share] for name in f1 if name != "blanc") for share in f1["blanc"]}
    over = {share: 100 * blanc / best[share] - 100 for share, blanc in f1["blanc"].items()}
    points = {share: blanc - best[share] for share, blanc in f1["blanc"].items()}
    drop = {share: f1["ceafe"][share] for share in ("0%", "20%")}
    claims = [
        Claim("MUC and LEA are the only ones that give zero to the response without correct relations",
              {name for name, value in nothing.items() if value == 0} == {"muc", "lea"}, write_numbers(nothing)),
        Claim("CEAFe drops when the share of correct links changes from 0% to 20%", drop["20%"] < drop["0%"],
              write_numbers(drop)),
        Claim("BLANC is at least 20% higher than the others, read as per cent of their F1 (below 100%, where all are "
              "the same)", all(over[f"{share}%"] >= 20 for share in SHARES[:-1]), write_numbers(over)),
        Claim("BLANC is at least 20% higher than the others, read as points of F1",
              all(points[f"{share}%"] >= 20 for share in SHARES[:-1]), write_numbers(points)),
    ]  # fmt: skip
    return Findings(claims=claims, figures=[draw_f1(f1, "% links resolved", SHARES)])


def resolve_and_pair(share: float) -> Entities:
    """Return the response with this share of the key's links, in per cent, and all other mentions in wrong pairs."""
    right = resolve_share(share)
    return [*right, *pair_wrongly(LEA_KEY, {*chain(*LEA_KEY)} - {*chain(*right)})]
