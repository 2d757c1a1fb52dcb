"""The links of the example about a summit."""

from corefeval.lab.findings import Claim, Findings, PrintedValue, write_percents
from corefeval.lab.papers import BLANC, compare_links, group_cases, load_case, score_case
from corefeval.lab.partitions import Partitions

TITLE = "Fourteen mentions: which links are right?"
SOURCE = f"{BLANC}, figure 1 and table 5"

SUMS = {"key_coreference": 4, "key_noncoreference": 87, "response_coreference": 5, "response_noncoreference": 86}


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    return group_cases({"figure 1": "blanc-fig1"})


def run() -> Findings:
    """Return the counts of table 5 with their sums, and what section 4.1.1 says of them."""
    found = score_case("blanc-fig1", "blanc,rand")
    links, rand = found["blanc"].links, found["rand"].score
    missed = links["key_coreference"] - links["right_coreference"]
    mentions = sum(map(len, load_case("blanc-fig1")["key"]))
    every = links["key_coreference"] + links["key_noncoreference"]
    sums = [PrintedValue("figure 1", name, links[name], printed, digits=0) for name, printed in SUMS.items()]
    claims = [
        Claim("fourteen mentions have ninety-one links", (mentions, every) == (14, 91),
              f"{mentions} mentions, {every} links"),
        Claim("every coreference link that is missed makes a wrong non-coreference link",
              missed == links["wrong_noncoreference"], f"{missed} missed, {links['wrong_noncoreference']} wrong"),
        Claim("the Rand index concentrates near 1", rand > 0.9, write_percents({"Rand": rand})),
    ]  # fmt: skip
    return Findings([*compare_links({"figure 1": "blanc-fig1"}), *sums], claims)
