"""More and more of the key's links are resolved, and no wrong ones."""

from corefeval.lab.findings import Claim, Findings, write_numbers
from corefeval.lab.papers import LEA
from corefeval.lab.partitions import (
    LEA_KEY,
    ComparedSides,
    Entities,
    Partitions,
    count_links,
    draw_f1,
    list_growing_responses,
    score_responses,
)

TITLE = "Resolved links without incorrect links"
SOURCE = f"{LEA}, figure 2 and section 7.1"
PROCEDURE = (
    "mention by mention the key's entities are resolved, the largest first; at each place stands the response whose "
    "share of links is nearest to it. The claim about BLANC depends on this: it holds if the smallest entities come "
    "first, if all grow in turn, or if the same share of links is resolved at every size."
)

SHARES = (0, 20, 40, 60, 80, 100)


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    return {"figure 2": ComparedSides(LEA_KEY, {f"{share}%": resolve_share(share) for share in SHARES})}


def run() -> Findings:
    """Return the curves over the share of resolved links, and what the text reads off them."""
    f1 = score_responses(list_partitions()["figure 2"].responses)
    over = {share: blanc - min(f1["bcub"][share], f1["lea"][share]) for share, blanc in f1["blanc"].items()}
    nothing = {name: column["0%"] for name, column in f1.items()}
    claims = [
        Claim("MUC and LEA give zero to the response without correct relations (which is empty here)",
              nothing["muc"] == nothing["lea"] == 0, write_numbers(nothing)),
        Claim("BLANC is less than or equal to B³ and LEA", max(over.values()) < 1e-9,
              f"BLANC over the lower of the two, by share: {write_numbers(over)}"),
    ]  # fmt: skip
    return Findings(claims=claims, figures=[draw_f1(f1, "% links resolved", SHARES)])


def resolve_share(share: float) -> Entities:
    """Return the response without wrong links whose share of the key's links, in per cent, is nearest to a number."""
    links = share / 100 * count_links(LEA_KEY)
    return min(list_growing_responses(LEA_KEY), key=lambda response: abs(count_links(response) - links))
