"""Which entities a measure aligns, and into which fragments each entity is divided, as data: align().

Luo (2005) calls the best alignment g*. Popescu-Belis (1999, DEF. 1-4, 11, 12) calls the fragments of a key entity K its
projection π(K), the response entities that have them π*(K), and the largest its core c(K), in the response entity
c*(K); of a response entity they are σ(R), σ*(R), c(R) and c*(R). They are MUC's partition of an entity, too, which
misses one link less than there are fragments. What a key entity and a response entity share is a fragment of both, and
a mention that the other side lacks is one by itself (DEF. 19).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Unpack

from corefeval import measures as known
from corefeval.analysis.picture import Picture, format_set, name_mentions, name_sets
from corefeval.analysis.subsets import hide_singletons, prepare_subject, select_documents
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.union_find import UnionFind
from corefeval.matching.same_documents import find_document
from corefeval.measures import Measure
from corefeval.measures.base import AlignedEntities
from corefeval.measures.score import Score
from corefeval.notices import Notice, announce_notices, count_things, make_plural
from corefeval.options import ScoringOptions
from corefeval.overlap.views import Rows, Views
from corefeval.scoring.layout import EvaluationResult
from corefeval.scoring.results import Evaluation
from corefeval.scoring.score import Source, score
from corefeval.tables.table import UNDEFINED, Table, shorten_text
from corefeval.tables.writers import collect_columns

DEFAULT = "ceafe"
_SHOWN = 20  # rows of a table
_LONGEST = 30  # letters of a mention in a table
_OTHER = {"key": "response", "response": "key"}

TableRows = list[tuple[str, list[str]]]
"""The document of each row, and its cells."""


@dataclass(frozen=True, slots=True)
class Fragment:
    """The mentions that a key entity and a response entity share, or a mention that one side lacks.

    key, response: the entities' names; None on a side that lacks the mention. key_size, response_size: how many
    mentions they have, 0 for None. mentions: their words, or labels, numbered where a document has the same twice.
    key_rows, response_rows: where they are in the alignment's `rows`. similarity: of the two entities to the measure;
    None if it does not compare them. aligned: whether it aligns them. key_core, response_core: whether this is the
    core, the largest fragment, of the key entity, and of the response entity; of several, the first in the text.
    """

    document: str
    key: str | None
    response: str | None
    key_size: int
    response_size: int
    mentions: tuple[str, ...]
    key_rows: tuple[int, ...]
    response_rows: tuple[int, ...]
    similarity: float | None
    aligned: bool
    key_core: bool
    response_core: bool


@dataclass(frozen=True, slots=True)
class DividedEntity:
    """An entity and its fragments, in the order of the text, those that the other side lacks at the end.

    Fragments share mentions where the other side's entities do and are compared as sets (`duplicates="sets"`).
    side: "key" or "response". partner: the name of the entity that it is aligned with; None if with none.
    """

    side: str
    fragments: tuple[Fragment, ...]
    partner: str | None

    @property
    def document(self) -> str:
        """The name of its document."""
        return self.fragments[0].document

    @property
    def name(self) -> str:
        """The entity's name."""
        return str(getattr(self.fragments[0], self.side))

    @property
    def size(self) -> int:
        """How many mentions it has."""
        size: int = getattr(self.fragments[0], f"{self.side}_size")
        return size

    @property
    def others(self) -> tuple[str | None, ...]:
        """The names of the other side's entities that have its fragments, one for each; None for what it lacks."""
        return tuple(getattr(fragment, _OTHER[self.side]) for fragment in self.fragments)

    @property
    def core(self) -> Fragment:
        """The largest of its fragments; of several, the first in the text."""
        return next(fragment for fragment in self.fragments if getattr(fragment, f"{self.side}_core"))

    @property
    def missing_links(self) -> int:
        """How many links it takes to join its fragments again: the errors that MUC counts."""
        fragments: list[tuple[int, ...]] = [getattr(fragment, f"{self.side}_rows") for fragment in self.fragments]
        joined = UnionFind(chain(*fragments))
        for first, *others in fragments:
            for other in others:
                joined.join(first, other)
        return len(joined.groups()) - 1


@dataclass(frozen=True, slots=True)
class Alignment(EvaluationResult):
    """Entities of key and response: which of them a measure aligns, and how each is divided over the other side's.

    document: the one that was asked for; None for all. pairs: the entities that are aligned, and what they share.
    key_entities: for each key entity K the projection π(K), and its core. response_entities: for each R, σ(R).
    rows: both corpora, and which of their mentions are twins. left_out: notices of what is no part of it.
    """

    evaluation: Evaluation
    measure: Measure
    document: str | None
    pairs: tuple[Fragment, ...]
    key_entities: tuple[DividedEntity, ...]
    response_entities: tuple[DividedEntity, ...]
    rows: Rows
    left_out: tuple[Notice, ...] = ()

    @property
    def fragments(self) -> list[Fragment]:
        """All fragments, by document: those of key entities, aligned pairs that share nothing, what the key lacks."""
        found = [fragment for entity in self.key_entities for fragment in entity.fragments]
        found += [pair for pair in self.pairs if not pair.mentions]
        found += [each for entity in self.response_entities for each in entity.fragments if each.key is None]
        place = {name: number for number, name in enumerate(self.evaluation.document_names)}
        return sorted(found, key=lambda fragment: place[fragment.document])

    @property
    def score(self) -> Score:
        """The measure's score: of the document that was asked for, or of all."""
        if self.document is None:
            return self.evaluation[self.measure]
        return self.evaluation.documents[self.document][self.measure]

    @property
    def remarks(self) -> tuple[str, ...]:
        """One sentence: how many pairs are aligned, how similar they are in all, and the score."""
        total = sum(pair.similarity or 0.0 for pair in self.pairs)
        main = f"{self.measure.main} {100 * self.score.main:.2f}"
        return (f"{self.measure}: {count_things(len(self.pairs), 'pair')} aligned, {total:.6g} in all; {main}",)

    def tables(self, *, examples: int | None = _SHOWN) -> Iterator[Table]:
        """Yield a table of pairs and of entities without a partner, then one of divided entities for each side."""
        sides = {"Key entities": self.key_entities, "Response entities": self.response_entities}
        key, response = ([each for each in side if each.partner is None] for side in sides.values())
        rows: TableRows = [(pair.document, _list_pair_cells(pair)) for pair in self.pairs]
        rows += [(each.document, [each.name, UNDEFINED, "", "", "", f"{each.size:,}", ""]) for each in key]
        rows += [(each.document, [UNDEFINED, each.name, "", "", "", "", f"{each.size:,}"]) for each in response]
        shared = f"{make_plural(self.evaluation.mention_word)} shared"
        head = ["key", "response", shared, "similarity", "shared", "key size", "response size"]
        yield self._build_table("Aligned entities", head, 3, rows, examples)
        for title, entities in sides.items():
            rows = [(each.document, _list_entity_cells(each)) for each in entities]
            head = ["entity", "divided into", "core in", "size", "core size", "fragments"]
            yield self._build_table(title, head, 3, rows, examples)

    def _build_table(self, title: str, head: list[str], names: int, rows: TableRows, most: int | None) -> Table:
        """Build a table of at most so many rows (None: all), with a column for documents if there are several."""
        left = 0 if most is None else len(rows) - most
        several = self.document is None and len(self.evaluation.document_names) > 1
        body = [[*([document] if several else []), *cells] for document, cells in rows[:most]]
        notes = (f"and {left:,} more",) if left > 0 else ()
        return Table(title, [*(["document"] if several else []), *head], body, names + several, notes)

    def build_columns(self) -> dict[str, list[object]]:
        """Return columns with a row for each fragment."""
        rows = [
            (
                each.document,
                each.key,
                each.response,
                each.key_size,
                each.response_size,
                len(each.mentions) if None not in (each.key, each.response) else 0,
                each.similarity,
                each.aligned,
                each.key_core,
                each.response_core,
                ", ".join(each.mentions),
            )
            for each in self.fragments
        ]
        names = ("document", "key", "response", "key_size", "response_size", "shared", "similarity", "aligned")
        return collect_columns((*names, "key_core", "response_core", "mentions"), rows)

    def build_content(self) -> dict[str, object]:
        """Return the score, the aligned pairs, and the divided entities of both sides as plain objects for JSON."""
        content: dict[str, object] = {
            "measure": str(self.measure),
            "document": self.document,
            "score": self.score.to_dict(),
            "pairs": [
                {
                    "document": pair.document,
                    "key": pair.key,
                    "response": pair.response,
                    "key_size": pair.key_size,
                    "response_size": pair.response_size,
                    "similarity": pair.similarity,
                    "mentions": list(pair.mentions),
                }
                for pair in self.pairs
            ],
            "key_entities": list(map(_list_entity_fields, self.key_entities)),
            "response_entities": list(map(_list_entity_fields, self.response_entities)),
        }
        return self.frame_content(content)


def _list_pair_cells(pair: Fragment) -> list[str]:
    """Return the cells of a pair in its table."""
    numbers = [f"{size:,}" for size in (len(pair.mentions), pair.key_size, pair.response_size)]
    return [str(pair.key), str(pair.response), _format_mentions(pair), f"{pair.similarity:.6g}", *numbers]


def _list_entity_cells(entity: DividedEntity) -> list[str]:
    """Return the cells of a divided entity in its table."""
    parts = [
        f"{UNDEFINED if other is None else other}: {_format_mentions(part)}"
        for other, part in zip(entity.others, entity.fragments, strict=True)
    ]
    core = getattr(entity.core, _OTHER[entity.side])
    numbers = [f"{size:,}" for size in (entity.size, len(entity.core.mentions), len(entity.fragments))]
    return [entity.name, "  ".join(parts), UNDEFINED if core is None else core, *numbers]


def _format_mentions(fragment: Fragment) -> str:
    """Return the mentions of a fragment as a set, long ones and long lists cut off."""
    return format_set([shorten_text(mention, _LONGEST) for mention in fragment.mentions])


def _list_entity_fields(entity: DividedEntity) -> dict[str, object]:
    """Return a divided entity as plain objects."""
    other, core = _OTHER[entity.side], entity.core
    return {
        "document": entity.document,
        "entity": entity.name,
        "size": entity.size,
        "partner": entity.partner,
        "missing_links": entity.missing_links,
        "fragments": [
            {other: name, "core": part is core, "size": len(part.mentions), "mentions": list(part.mentions)}
            for name, part in zip(entity.others, entity.fragments, strict=True)
        ],
    }


@announce_notices
def align(
    key: Source,
    response: Source,
    *,
    measure: str | Measure = DEFAULT,
    document: str | None = None,
    **options: Unpack[ScoringOptions],
) -> Alignment:
    """Return the Alignment of key and response: the entities that a measure aligns, and the fragments of each entity.

    measure: one that aligns entities one to one: "ceafe", "ceafm", "ceaf:phi=1", "nec", "exclusive_core" ...
    document: the one to show, `bookshop` for `(bookshop); part 000`; by default all. options: as in `score`.
    """
    evaluation = score(key, response, measures=[known.get_measure(measure)], **options)
    chosen = evaluation.measures[0]
    if document is not None:
        document = find_document(document, evaluation.document_names)
    subject, left_out = prepare_subject(evaluation)
    part = select_documents(subject, subject.document_names if document is None else (document,))
    visible = hide_singletons(part, chosen)
    if visible is not part:
        message = f"{chosen} does not see some singletons: they are no part of its alignment"
        left_out = (*left_out, Notice("left-out", message, {"measure": str(chosen)}))
    views = visible.overlaps.views
    if views.of_sets:
        message = "entities share mentions: so may the fragments of an entity, one for each entity that shares some"
        left_out = (*left_out, Notice("repeated-in-alignment", message))
    elif views.recall_sets is not views.table:
        message = "mentions are in several entities: similarities count them in each, fragments and sizes otherwise"
        left_out = (*left_out, Notice("repeated-in-alignment", message))
    divided = _divide_entities(views, chosen.align_entities(views))
    return Alignment(evaluation, chosen, document, *divided, views.get_mentions(), left_out)


_Place = tuple[int, int, int]
"""Where a fragment is: its key entity, its response entity, the row of a mention that one side lacks; -1 for none."""


def _divide_entities(
    views: Views, found: AlignedEntities
) -> tuple[tuple[Fragment, ...], tuple[DividedEntity, ...], tuple[DividedEntity, ...]]:
    """Return the fragments of aligned entities, and the entities of both sides with all of their fragments."""
    name = name_sets if views.of_sets else name_mentions
    picture = Picture(views, names=name(views.get_mentions()))
    columns = (column.tolist() for column in (found.key, found.response, found.similarity, found.aligned))
    compared = {(i, j, -1): (float(similarity), aligned) for i, j, similarity, aligned in zip(*columns, strict=True)}
    aligned = sorted(place for place, (_, is_aligned) in compared.items() if is_aligned)
    key: list[list[_Place]] = [
        [(i, j, -1) for j in parts if j >= 0] + [(i, -1, row) for row in parts.get(-1, ())]
        for i, parts in enumerate(picture.rows_by_other)
    ]
    response: list[list[_Place]] = [
        [(i, j, -1) for i in parts if i >= 0] + [(-1, j, row) for row in parts.get(-1, ())]
        for j, parts in enumerate(picture.mirror.rows_by_other)
    ]
    made = _make_fragments(picture, key, response, compared)
    partners = {i: made[i, j, row].response for i, j, row in aligned}, {j: made[i, j, row].key for i, j, row in aligned}
    key_entities, response_entities = (
        tuple(
            DividedEntity(side, tuple(made[place] for place in places), partner.get(number))
            for number, places in enumerate(entities)
        )
        for side, entities, partner in zip(_OTHER, (key, response), partners, strict=True)
    )
    return tuple(made[place] for place in aligned), key_entities, response_entities


def _make_fragments(
    picture: Picture,
    key: Sequence[Sequence[_Place]],
    response: Sequence[Sequence[_Place]],
    compared: Mapping[_Place, tuple[float, bool]],
) -> dict[_Place, Fragment]:
    """Return the fragments of all places, and of compared entities; key, response: the places of each side's entities.

    compared: how similar the entities of a place are, and whether they are aligned.
    """
    rows, shared = picture.rows, picture.rows_by_other

    def count_mentions(place: _Place) -> int:
        """Return how many mentions a fragment has."""
        i, j, row = place
        return len(shared[i].get(j, ())) if row < 0 else 1

    key_cores, response_cores = ({max(places, key=count_mentions) for places in side} for side in (key, response))

    def make_fragment(place: _Place) -> Fragment:
        """Return the fragment of a place."""
        i, j, row = place
        both = shared[i].get(j, []) if row < 0 else []
        found = [picture.same[each, j] for each in both]
        ours, theirs = (both, found) if row < 0 else ([row], []) if i >= 0 else ([], [row])
        similarity, is_aligned = compared.get(place, (None, False))
        corpus, entity = (rows.key, i) if i >= 0 else (rows.response, j)
        return Fragment(
            document=corpus.documents[int(corpus.entity_document[entity])],
            key=_find_name(rows.key, i),
            response=_find_name(rows.response, j),
            key_size=picture.sizes[i] if i >= 0 else 0,
            response_size=picture.mirror.sizes[j] if j >= 0 else 0,
            mentions=tuple([picture.words[each] for each in ours] or [picture.mirror.words[each] for each in theirs]),
            key_rows=tuple(ours),
            response_rows=tuple(theirs),
            similarity=similarity,
            aligned=is_aligned,
            key_core=place in key_cores,
            response_core=place in response_cores,
        )

    return {place: make_fragment(place) for place in dict.fromkeys(chain(*key, compared, *response))}


def _find_name(corpus: Corpus, entity: int) -> str | None:
    """Return the name of an entity as text; None for -1."""
    return str(corpus.entity_name[entity]) if entity >= 0 else None
