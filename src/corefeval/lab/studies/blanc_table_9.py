"""Eight responses to one key: entities, singletons and links of each."""

from corefeval.lab.findings import Claim, Findings, PrintedValue
from corefeval.lab.papers import BLANC, compare_links, group_cases, load_case, load_table
from corefeval.lab.partitions import Partitions

TITLE = "What the responses A to H to Gold₁ are made of"
SOURCE = f"{BLANC}, tables 8 and 9"

RESPONSES = {letter: f"blanc-8{letter}" for letter in "ABCDEFGH"}
ERRORS = {
    "A commits one precision error only": ("A", 1, 0),
    "B produces not one but four precision errors": ("B", 4, 0),
    "C has no precision errors, and fails to identify an entity of three": ("C", 0, 3),
    "D is clean in recall, and merges entities of three and four": ("D", 12, 0),
    "E has both kinds of errors": ("E", 4, 4),
    "F makes four wrong links, and misses the entity of four": ("F", 4, 6),
}
"""What section 5.1 says of responses, with their wrong and missed coreference links."""


def list_partitions() -> Partitions:
    """Return the partitions that are compared."""
    return group_cases(RESPONSES)


def run() -> Findings:
    """Return table 9, and what the text says of the key and of each response."""
    values, printed = [], load_table("blanc-table-9")
    for letter, name in RESPONSES.items():
        sizes = [len(entity) for entity in load_case(name)["response"]]
        ours = {"entities": len(sizes), "singletons": sizes.count(1)}
        values += [PrintedValue(letter, column, ours[column], printed[column][letter], digits=0) for column in printed]
    links = compare_links(RESPONSES)
    counts = {(value.case, value.name): value.ours for value in links}
    sizes = [len(entity) for entity in load_case("blanc-8A")["key"]]
    share = 100 * sizes.count(1) / len(sizes)
    claims = [Claim("95% of the entities of Gold₁ are singletons", round(share) == 95, f"{share:.2f}")]
    for text, (letter, *expected) in ERRORS.items():
        wrong, missed = counts[letter, "wrong_coreference"], counts[letter, "wrong_noncoreference"]
        claims.append(Claim(text, [wrong, missed] == expected, f"{wrong} wrong links, {missed} missed"))
    return Findings([*values, *links], claims)
