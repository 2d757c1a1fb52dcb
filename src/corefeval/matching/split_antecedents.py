"""Split antecedents on their way to the table: which entities they belong to, and which mentions they stand for.

Antecedents that have split antecedents themselves are replaced by those, until none is left. Entities of one side whose
split antecedents are equal are the same entity.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from itertools import chain
from typing import Protocol

from corefeval._arrays import Ints, np
from corefeval._lazy import NamedTuple
from corefeval.corpus.beyond_identity import NON_REFERRING
from corefeval.corpus.corpus import Corpus
from corefeval.errors import OptionError
from corefeval.matching.documents import PairedDocuments
from corefeval.matching.numbers import Matching
from corefeval.matching.twins import tabulate_mentions
from corefeval.notices import Notice, count_things, make_notices
from corefeval.options import Options, load_behaviour
from corefeval.overlap.split_antecedents import SplitAntecedents
from corefeval.overlap.views import Tables, Views

Entity = tuple[int, str]  # document and name
Mentions = frozenset[Hashable] | tuple[Hashable, ...]  # those of one antecedent, as a set or as they are listed
Antecedents = tuple[Mentions, ...]

KIND = "split"


class SplitListing(Protocol):
    """A way to count links of split antecedents along lists of mentions, in an order of its own."""

    @property
    def duplicates(self) -> str:
        """The value of the option `duplicates` with which antecedents are matched, as they may repeat a mention."""

    def order_antecedents(self, corpus: Corpus, antecedents: Sequence[tuple[Hashable, ...]]) -> Antecedents:
        """Return the antecedents, which are tuples of mentions, in the order of this way, each once."""

    def with_links(
        self, splits: SplitAntecedents, matching: Matching, key: Sequence[ListedSplit], response: Sequence[ListedSplit]
    ) -> SplitAntecedents:
        """Return the split antecedents as an object that also has the links counted along lists."""


class ListedSplit(NamedTuple):
    """A split antecedent: mentions in the order of the file, of each of its antecedents and of each entity that has it.

    There are several such entities where several have the same split antecedent.
    """

    antecedents: tuple[tuple[Hashable, ...], ...]
    entities: tuple[tuple[Hashable, ...], ...]


class SplitAntecedent(NamedTuple):
    """One split antecedent: the mentions of each of its antecedents, and all entities that have it.

    The entities are merged into the first.
    """

    antecedents: Antecedents
    entities: list[Entity]

    @property
    def document(self) -> int:
        """The number of the document that the split antecedent is in."""
        return self.entities[0][0]

    @property
    def mentions(self) -> frozenset[Hashable]:
        """The mentions of all its antecedents together."""
        return frozenset(chain(*self.antecedents))


class SplitSide(NamedTuple):
    """A side with its split antecedents; in `corpus` entities that have the same ones are merged."""

    given: Corpus
    corpus: Corpus
    elements: list[SplitAntecedent]
    notices: tuple[Notice, ...]


def make_unscored_notices(key: Corpus, response: Corpus) -> tuple[Notice, ...]:
    """Return, for each side that has split antecedents, a notice of how many are not scored."""
    notices = []
    for side, corpus in (("key", key), ("response", response)):
        count = sum(relation.kind == KIND for relation in corpus.relations)
        if count:
            notices.append(_make_unscored_notice(corpus.source or side, side, count))
    return tuple(notices)


def _make_unscored_notice(source: str, side: str, count: int) -> Notice:
    """Make a notice of how many split antecedents of a side are not scored."""
    many = count_things(count, "split antecedent", "is", "are")
    hint = "--split-antecedents keep (split_antecedents='keep') does"
    details = {"side": side, "count": count}
    return Notice.at("split-antecedents", source, None, f"{many} not scored; {hint}", details)


def join_unscored_notices(notices: Sequence[Notice]) -> Notice:
    """Return one notice of all split antecedents of a side, given those of parts of it."""
    count = sum(int(str(notice.details["count"])) for notice in notices)
    return _make_unscored_notice(notices[0].source, str(notices[0].details["side"]), count)


def tabulate_with_splits(paired: PairedDocuments, options: Options) -> tuple[Tables, Matching, tuple[Notice, ...]]:
    """Return the tables with split antecedents, the matching, and notices; OptionError unless singletons are kept."""
    if options.singletons != "keep" and any(each.kind == KIND for side in paired[:2] for each in side.relations):
        what = f"split_antecedents={options.split_antecedents!r} needs singletons='keep'"
        raise OptionError(f"{what}: antecedents are often singletons; split_antecedents='drop' leaves them out")
    listing: SplitListing | None = load_behaviour("split_antecedents", options.split_antecedents)
    key, response = find_split_antecedents(paired.key, listing), find_split_antecedents(paired.response, listing)
    views, matching = tabulate_mentions(paired._replace(key=key.corpus, response=response.corpus), options)
    splits = None
    only = options.split_antecedents == "only"
    if key.elements or response.elements or only:
        splits = _match_split_antecedents(views, matching, key, response, listing, only=only)
    return Tables(views, splits), matching, (*key.notices, *response.notices)


def find_split_antecedents(corpus: Corpus, listing: SplitListing | None) -> SplitSide:
    """Return a corpus as a SplitSide: its split antecedents; entities with equal ones are merged, with notices."""
    place = {name: number for number, name in enumerate(corpus.documents)}
    targets: dict[Entity, list[str]] = defaultdict(list)
    for relation in corpus.relations:
        if relation.kind == KIND and relation.document in place:
            targets[place[relation.document], str(relation.source)].extend(relation.targets)
    number = _number_entities(corpus)
    with_targets = sorted(targets.keys() & number, key=number.__getitem__)
    leaves = {entity: _find_leaves(entity, targets) for entity in with_targets}
    mentions = _list_mentions(corpus, set(chain(*leaves.values())))
    elements: dict[tuple[int, frozenset[Mentions]], SplitAntecedent] = {}
    merged = np.arange(len(corpus.entity_document))
    same: list[tuple[Entity, Entity]] = []
    for entity, parts in leaves.items():
        given = [mentions[leaf] for leaf in parts if leaf in mentions]
        if not given:
            continue
        antecedents: Antecedents
        if listing is None:
            antecedents = tuple(dict.fromkeys(map(frozenset, given)))
        else:
            antecedents = listing.order_antecedents(corpus, given)
        identity = entity[0], frozenset(antecedents)
        entities = elements.setdefault(identity, SplitAntecedent(antecedents, [entity])).entities
        if entities[0] != entity:
            entities.append(entity)
            merged[number[entity]] = number[entities[0]]
            same.append((entities[0], entity))

    def make_same_notice(index: int) -> Notice:
        """Return the notice that the two entities of `same[index]` have the same split antecedents."""
        (number, one), (_, other) = same[index]
        document = corpus.documents[number]
        what = (
            f"entities {one} and {other} of document {document!r} have the same split antecedents and are taken for one"
        )
        details = {"document": document, "entities": [one, other]}
        return Notice.at("same-split-antecedents", corpus.file(number) or "input", None, what, details)

    notices = make_notices("same-split-antecedents", len(same), make_same_notice)
    return SplitSide(corpus, corpus.merge_entities(merged) if same else corpus, list(elements.values()), notices)


def _find_leaves(entity: Entity, targets: dict[Entity, list[str]]) -> list[Entity]:
    """Return the entities that an entity's antecedents come down to: those without split antecedents themselves."""
    document = entity[0]
    seen = {entity}
    waiting = [entity]
    leaves: list[Entity] = []
    for each in waiting:
        for name in targets[each]:
            target = document, name
            if target not in seen:
                seen.add(target)
                (waiting if target in targets else leaves).append(target)
    return leaves


def _number_entities(corpus: Corpus) -> dict[Entity, int]:
    """Return {(document, name): number} of all entities of a corpus."""
    names = zip(corpus.entity_document.tolist(), map(str, corpus.entity_name), strict=True)
    return {entity: number for number, entity in enumerate(names)}


def _list_mentions(corpus: Corpus, wanted: Iterable[Entity]) -> dict[Entity, tuple[Hashable, ...]]:
    """Return {entity: its mentions} of these entities, as the file lists them, non-referring ones included."""
    found: dict[Entity, tuple[Hashable, ...]] = {}
    parts = [corpus.layers[NON_REFERRING]] if NON_REFERRING in corpus.layers else []
    for part in (*parts, corpus):
        number = _number_entities(part)
        rows, bounds = part.by_entity
        for entity in wanted:
            if entity in number:
                place = number[entity]
                found[entity] = tuple(part.mentions.take(rows[bounds[place] : bounds[place + 1]]).objects())
    return found


def _match_split_antecedents(
    views: Views, matching: Matching, key: SplitSide, response: SplitSide, listing: SplitListing | None, *, only: bool
) -> SplitAntecedents:
    """Return the record of the split antecedents of two sides whose mentions are matched: their pairs and counts."""
    ours, our_entities = _select_present(matching.sides.key, key.elements)
    renamed = _rename_by_twins(matching, response.elements) if key.elements else response.elements
    theirs, their_entities = _select_present(matching.sides.response, renamed)
    pairs = _pair_elements(ours, theirs)
    sides = [[element.antecedents for element in each] for each in (ours, theirs)]
    as_sets = [[frozenset(map(frozenset, antecedents)) for antecedents in each] for each in sides]
    duplicates = "keep" if listing is None else listing.duplicates
    index = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    splits = SplitAntecedents(
        key=our_entities,
        response=their_entities,
        pair_key=index[:, 0],
        pair_response=index[:, 1],
        equal=np.array([as_sets[0][i] == as_sets[1][j] for i, j in pairs], dtype=np.bool_),
        pairs=_tabulate_antecedents([(sides[0][i], sides[1][j]) for i, j in pairs], duplicates),
        key_alone=_tabulate_antecedents([(each, ()) for each in sides[0]], duplicates),
        response_alone=_tabulate_antecedents([((), each) for each in sides[1]], duplicates),
        mentions=views,
        only=only,
    )
    if listing is not None:
        splits = listing.with_links(splits, matching, _list_as_in_file(key, ours), _list_as_in_file(response, theirs))
    return splits


def _select_present(corpus: Corpus, elements: Sequence[SplitAntecedent]) -> tuple[list[SplitAntecedent], Ints]:
    """Return two things: the split antecedents whose entities the corpus still has, and an array of these entities."""
    number = _number_entities(corpus) if elements else {}
    present = [each for each in elements if each.entities[0] in number]
    return present, np.array([number[each.entities[0]] for each in present], dtype=np.int64)


def _list_as_in_file(side: SplitSide, elements: Sequence[SplitAntecedent]) -> list[ListedSplit]:
    """Return a ListedSplit for each of these split antecedents, with mentions in the order of the file."""
    mentions = _list_mentions(side.given, set(chain.from_iterable(each.entities for each in elements)))
    antecedents = {each.entities[0]: tuple(map(tuple, each.antecedents)) for each in side.elements}
    return [
        ListedSplit(antecedents[each.entities[0]], tuple(mentions[entity] for entity in each.entities))
        for each in elements
    ]


def _rename_by_twins(matching: Matching, elements: Sequence[SplitAntecedent]) -> Sequence[SplitAntecedent]:
    """Return the response's split antecedents with response mentions replaced by their key twins."""
    key, response = matching.sides.key, matching.sides.response
    ours, theirs = key.mentions.objects(), response.mentions.objects()
    document = response.document.tolist()
    twin: dict[tuple[int, Hashable], Hashable] = {
        (document[j], theirs[j]): ours[i]
        for i, j in zip(matching.twin_key.tolist(), matching.twin_response.tolist(), strict=True)
        if ours[i] != theirs[j]
    }
    if not twin:
        return elements
    return [
        each._replace(
            antecedents=tuple(type(one)(twin.get((each.document, m), m) for m in one) for one in each.antecedents)
        )
        for each in elements
    ]


def _pair_elements(ours: Sequence[SplitAntecedent], theirs: Sequence[SplitAntecedent]) -> list[tuple[int, int]]:
    """Return index pairs (ours, theirs) of split antecedents of one document that have a mention in common, sorted."""
    by_mention: dict[tuple[int, Hashable], list[int]] = defaultdict(list)
    for place, element in enumerate(ours):
        for mention in element.mentions:
            by_mention[element.document, mention].append(place)
    return sorted({
        (place, other)
        for other, element in enumerate(theirs)
        for mention in element.mentions
        for place in by_mention.get((element.document, mention), ())
    })  # fmt: skip


def _tabulate_antecedents(documents: Sequence[tuple[Antecedents, Antecedents]], duplicates: str) -> Views:
    """Return the views, without mentions, of pairs (key antecedents, response antecedents), each pair a document."""
    key, response = (
        Corpus.from_entities({str(number): pair[side] for number, pair in enumerate(documents)}) for side in (0, 1)
    )
    views, _ = tabulate_mentions(PairedDocuments(key, response, ()), Options(duplicates=duplicates))
    return views.without_mentions()
