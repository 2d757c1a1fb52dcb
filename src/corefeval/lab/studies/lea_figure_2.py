"""More and more of the key's links are resolved, and no wrong ones."""

from __future__ import annotations

from corefeval.lab.findings import Claim, Findings, write_numbers
from corefeval.lab.partitions import (
    LEA_SIZES,
    MEASURES,
    Entities,
    count_links,
    draw_scores,
    list_growing_responses,
    make_entities,
    score_responses,
    tabulate_scores,
)

TITLE = "Resolved links without incorrect links"
SOURCE = "Moosavi & Strube 2016, Which coreference evaluation metric do you trust?, figure 2 and section 7.1"
PROCEDURE = (
    "mention by mention the key's entities are resolved, the largest first; at each place stands the response whose "
    "share of links is nearest to it."
)

SHARES = (0, 20, 40, 60, 80, 100)


def run() -> Findings:
    """Return the curves over the share of resolved links, and what the text reads off them."""
    key = make_entities(LEA_SIZES)
    scores = score_responses(key, {str(share): resolve_share(key, share) for share in SHARES}, MEASURES)
    f1 = tabulate_scores(map(str, SHARES), scores)
    over = {
        str(share): f1["blanc"][str(share)] - min(f1["bcub"][str(share)], f1["lea"][str(share)]) for share in SHARES
    }
    nothing = {name: column["0"] for name, column in f1.items()}
    claims = [
        Claim("MUC and LEA give zero to the response without correct relations (which is empty here)",
              nothing["muc"] == nothing["lea"] == 0, write_numbers(nothing)),
        Claim("BLANC is less than or equal to B³ and LEA", max(over.values()) < 1e-9,
              f"BLANC over the lower of the two, by share: {write_numbers(over)}"),
    ]  # fmt: skip
    return Findings(claims=claims, figure=draw_scores("% links resolved", SHARES, scores))


def resolve_share(key: Entities, share: float) -> Entities:
    """Return the response without wrong links whose share of the key's links, in per cent, is nearest to a number."""
    links = share / 100 * count_links(key)
    return min(list_growing_responses(key), key=lambda response: abs(count_links(response) - links))
