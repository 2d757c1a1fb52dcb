"""Two responses to one entity: CEAF prefers the one with fewer right links."""

from corefeval.lab.findings import Claim, Findings, write_numbers
from corefeval.lab.papers import LEA, compare_cases, compute_fields, group_cases, load_case
from corefeval.lab.partitions import Partitions, count_links, make_entities
from corefeval.scoring.score import score

TITLE = "CEAF ignores right decisions in entities not aligned"
SOURCE = f"{LEA}, tables 2 and 3, section 3.3"

RESPONSES = {"cr1": "lea-cr1", "cr2": "lea-cr2"}
SIZES = (8, 2, 4, 2, 2)
"""Of the entities (1) to (5) in the text of figure 1."""


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    return group_cases(RESPONSES)


def run() -> Findings:
    """Return the scores of cr1 and cr2, and what the text says of CEAF."""
    links = [count_links(load_case(name)["response"]) for name in RESPONSES.values()]
    all_links = count_links(load_case("lea-cr1")["key"])
    ceaf = {name: compute_fields(RESPONSES, f"{name}.f1") for name in ("ceafm", "ceafe")}
    key = make_entities(SIZES)
    missing = {f"({place})": [*key[: place - 1], *key[place:]] for place in (1, 4)}
    without = {name: score(key, response, measures="ceafe")["ceafe"].f1 for name, response in missing.items()}
    claims = [
        Claim("cr1 makes more correct decisions", links[0] > links[1], f"{links[0]} and {links[1]} right links"),
        Claim("cr2 only recognises half of the correct coreference relations of entity (1)", 2 * links[1] == all_links,
              f"{links[1]} of {all_links} links, which is half of those of cr1; 4 of 8 mentions"),
        *(Claim(f"{name} prefers cr2 over cr1", each["cr2"] > each["cr1"], write_numbers(each, 4))
          for name, each in ceaf.items()),
        Claim("CEAFe is the same without entity (1), the most prominent one, and without entity (4)",
              without["(1)"] == without["(4)"], write_numbers(without, 4)),
    ]  # fmt: skip
    return Findings(compare_cases(RESPONSES), claims)
