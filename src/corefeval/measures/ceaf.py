"""CEAF: align entities one to one, as well as possible; how similar are the aligned ones?"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from corefeval._arrays import Array, ByDocument, Columns, Ints, np
from corefeval._lazy import NamedTuple, Record, cached
from corefeval.corpus.objects import Entity, Mention
from corefeval.errors import OptionError, check_choice
from corefeval.measures.base import (
    COUNTS,
    AlignedEntities,
    Measure,
    RecallPrecision,
    make_counts,
    make_twinless_parameter,
)
from corefeval.measures.parameters import parameter
from corefeval.measures.shared.weight_range import A_WEIGHT, is_weight
from corefeval.measures.shared.weights import WeighedByType
from corefeval.notices import announce_delay, count_things
from corefeval.overlap.alignment import LongAlignment
from corefeval.overlap.cells import Cells
from corefeval.overlap.overlap import Overlap, Side
from corefeval.overlap.views import Views

Similarity = Callable[[Any, Any, Any], Any]
"""φ of arrays: mentions shared, size of the key entity, size of the response entity. 0 where nothing is shared."""


def are_equal(n: Ints, k: Ints, r: Ints) -> Ints:
    """Return an array, φ1 of each pair of entities: 1 if they are equal, else 0."""
    return ((n == k) & (n == r)).astype(np.int64)


def have_common(n: Ints, k: Ints, r: Ints) -> Ints:  # noqa: ARG001 - every φ has the same arguments
    """Return an array, φ2 of each pair of entities: 1 if they have a mention in common, else 0."""
    return (n > 0).astype(np.int64)


def count_common(n: Ints, k: Ints, r: Ints) -> Ints:  # noqa: ARG001 - every φ has the same arguments
    """Return an array, φ3 of each pair of entities: the number of mentions in common, which is `n` itself."""
    return n


def compute_dice(n: Ints, k: Ints, r: Ints) -> Array:
    """Return an array, φ4 of each pair of entities: twice the mentions in common over the sum of sizes."""
    return (n + n) / (k + r)


class MentionSimilarity(Record):
    """A φ that sees the mentions: a function of two lists of `corefeval.corpus.objects.Mention`, key first.

    pairs: "sharing": it is asked of entities that share mentions, others are not similar; "all": of all entities of a
    document. A mention says where it stands and what it is; `mention.entity.attributes` is what its entity is.
    """

    function: Callable[[list[Mention], list[Mention]], float]
    pairs: str = "sharing"

    if not TYPE_CHECKING:

        def __init__(self, function, pairs="sharing"):
            check_choice("pairs", pairs, ("sharing", "all"))
            super().__init__(function, pairs)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MentionSimilarity):
            return NotImplemented
        return (self.function, self.pairs) == (other.function, other.pairs)

    def __hash__(self) -> int:
        return hash((self.function, self.pairs))

    def __call__(self, key: list[Mention], response: list[Mention]) -> float:
        """Return how similar two entities are, given their mentions; an OptionError if it is no number from 0."""
        found = float(self.function(key, response))
        if not is_weight(found):
            raise OptionError(f"ceaf:phi gives {found} for {key} and {response}; it must give {A_WEIGHT}")
        return found


class ComparedEntities(NamedTuple):
    """Pairs of entities, ordered by key entity, and φ of each; φ of every key and response entity and itself."""

    key: Ints
    response: Ints
    similarity: Array
    key_own: Array
    response_own: Array


_SIMILARITIES: dict[object, Similarity] = {1: are_equal, 2: have_common, 3: count_common, 4: compute_dice}
_CEAF = "Luo 2005, On coreference resolution performance metrics"


class _Aligned(RecallPrecision):
    citation = _CEAF
    antecedents = (COUNTS,)
    takes_sets = True
    adds_up = "entities are aligned within documents; similarities are summed over documents"

    @abstractmethod
    def compare_entities(self, n: Ints, k: Ints, r: Ints) -> Array:
        """Return φ of each pair of entities, given how many mentions they share and the sizes of both."""

    def split_similarity(self, n: Ints, k: Ints, r: Ints) -> tuple[Array, Array | None]:
        """Return φ of each pair of entities as numerators and denominators; None for these if it is no quotient."""
        return self.compare_entities(n, k, r), None

    def sum_self_similarity(self, side: Side) -> ByDocument:
        """Return for each document the sum of φ of every entity and itself."""
        return side.sum(self.compare_entities(side.size, side.size, side.size))

    def compare_all(self, views: Views) -> ComparedEntities:
        """Return φ of all pairs of entities that share mentions, and of entities and themselves."""
        sets = views.recall_sets
        key, response = (self.compare_entities(side.size, side.size, side.size) for side in (sets.key, sets.response))
        similarity = self.compare_entities(sets.cells.worth, sets.k, sets.r)
        return ComparedEntities(sets.cells.key, sets.cells.response, similarity, key, response)

    def align_entities(self, views: Views) -> AlignedEntities:
        """Return the entities that are compared, φ of each pair, and which pairs are in the best alignment."""
        self._check_twinless("one alignment of the files' own entities")
        found = self.compare_all(views)
        return AlignedEntities.align_best(found.key, found.response, found.similarity)

    def count_compared(self, views: Views) -> Columns:
        """Return four columns by document, as `count` does, of `compare_all`."""
        self._check_twinless("weights")
        table, found = views.table, self.compare_all(views)
        total = table.with_cells(Cells(found.key, found.response, found.similarity)).sum_aligned(found.similarity)
        return make_counts(total, table.key.sum(found.key_own), total, table.response.sum(found.response_own))

    def _check_twinless(self, what: str) -> None:
        """Raise an OptionError if mentions that one side lacks change the entities that are compared."""
        if self.rewrite:
            raise OptionError(
                f"{self.name}: {what} and twinless={self.twinless} do not go together; twinless=keep will do"
            )

    def count(self, views: Views) -> Columns:
        """Return four columns by document: summed φ of the best alignment, over φ of entities and themselves."""
        recall, precision = views.recall_sets, views.precision_sets
        wanted, given = self.sum_self_similarity(recall.key), self.sum_self_similarity(precision.response)
        announce = partial(self._announce, wanted, given)
        total = {
            sets: sets.sum_aligned(*self.split_similarity(sets.cells.worth, sets.k, sets.r), announce)
            for sets in {recall, precision}
        }
        return make_counts(total[recall], wanted, total[precision], given)

    def count_antecedents(self, views: Views) -> Columns:
        """Return CEAF's four counts for each pair of split antecedents, where φ is rounded before it is summed.

        So do the scorers that know split antecedents; where alignments of these tie, the last digit decides.
        """
        sets = views.recall_sets
        total = sets.sum_aligned(self.compare_entities(sets.cells.worth, sets.k, sets.r))
        return make_counts(total, self.sum_self_similarity(sets.key), total, self.sum_self_similarity(sets.response))

    def _announce(self, wanted: ByDocument, given: ByDocument, found: LongAlignment) -> None:
        """Tell the user at once that an alignment will take long, and what all documents' scores are between."""
        sides = float(np.sum(wanted)), float(np.sum(given))
        shown = (
            f"{name} {max(0.0, found.lower / whole):.4f} to {min(1.0, found.upper / whole):.4f}"
            for name, whole in zip(("recall", "precision", "f1"), (*sides, sum(sides) / 2), strict=True)
        )
        more = f" and {count_things(found.components - 1, 'other')} like that" if found.components > 1 else ""
        announce_delay(
            f"{self}: {found.rows:,} key entities and {found.columns:,} response entities hang together by "
            f"{found.edges:,} cells{more}; aligning them exactly may take up to {_show_duration(found.seconds)}. "
            f"Before that it is known, for all documents together: {', '.join(shown)}. "
            "Without this measure the others need not wait for it."
        )


def _show_duration(seconds: float) -> str:
    """Return a duration in words, in minutes or hours."""
    minutes = math.ceil(seconds / 60)
    return count_things(minutes, "minute") if minutes < 120 else count_things(math.ceil(minutes / 60), "hour")


class Ceaf(_Aligned):
    """Luo's φ1 to φ4, or, in Python, any function φ(n, k, r) of arrays: mentions shared and the sizes of both entities.

    φ1 asks for equal entities, φ2 for any overlap. φ3 is `ceafm`, φ4 is `ceafe`. `MentionSimilarity(function)`, in
    Python, is a φ of the mentions themselves.
    """

    name = "ceaf"
    title = "CEAF φ"
    variants = ("phi=1", "phi=2")
    formula = "R = max one-to-one Σ φ(i, j) / Σ φ(i, i)"
    derivation_parameters = ("undefined", "beta", "phi")
    symmetric = True
    symmetric_parameters = ("undefined", "phi")

    phi: object = parameter(
        "similarity; in Python also a function φ(n, k, r), or a MentionSimilarity",
        default=None,
        choices=tuple(_SIMILARITIES),
        instance=Callable,
    )

    @cached
    def is_symmetric(self) -> bool:
        """Whether key and response can change places: by Luo's φ; of others it is not known."""
        return not callable(self.phi) and super().is_symmetric

    @cached
    def needs_mentions(self) -> bool:
        """Whether φ is of mentions, not of the table alone."""
        return isinstance(self.phi, MentionSimilarity)

    @cached
    def derivation(self) -> str:
        """How its counts come about, by sizes or by mentions: a key of the steps in `analysis`."""
        return "weighted alignment" if self.needs_mentions else "alignment"

    def count(self, views: Views) -> Columns:
        """Return four columns by document: summed φ of the best alignment, over φ of entities and themselves."""
        return self.count_compared(views) if self.needs_mentions else super().count(views)

    def compare_all(self, views: Views) -> ComparedEntities:
        """Return φ of pairs of entities, those that share mentions or all, and of entities and themselves."""
        if not isinstance(self.phi, MentionSimilarity):
            return super().compare_all(views)
        rows, phi = views.get_mentions(), self.phi
        ours, theirs = (
            [Entity(side, number).mentions for number in range(len(side.entity_document))]
            for side in (rows.key, rows.response)
        )
        cells = views.recall_sets.cells
        key, response = (cells.key, cells.response) if phi.pairs == "sharing" else _pair_all(views.table)
        pairs = zip(key.tolist(), response.tolist(), strict=True)
        similarity = np.array([phi(ours[i], theirs[j]) for i, j in pairs], dtype=np.float64)
        own = (np.array([phi(mentions, mentions) for mentions in side], dtype=np.float64) for side in (ours, theirs))
        similar = similarity > 0
        return ComparedEntities(key[similar], response[similar], similarity[similar], *own)

    def check_split_antecedents(self) -> None:
        """Raise an OptionError if φ is of mentions, which split antecedents are not."""
        if self.needs_mentions:
            raise OptionError(f"{self}: split antecedents are no mentions; split_antecedents='drop' leaves them out")

    def compare_entities(self, n: Ints, k: Ints, r: Ints) -> Array:
        """Return an array, φ of each pair of entities; an OptionError if a user's function gives impossible values."""
        if not callable(self.phi):
            return _SIMILARITIES[self.phi](n, k, r)
        weights = np.broadcast_to(np.asarray(self.phi(n, k, r), dtype=np.float64), n.shape)
        apart = np.asarray(self.phi(np.zeros_like(n), k, r), dtype=np.float64)
        if not is_weight(weights).all() or apart.any():
            raise OptionError(f"ceaf:phi must give {A_WEIGHT}; and 0 for entities that share nothing")
        return weights

    def split_similarity(self, n: Ints, k: Ints, r: Ints) -> tuple[Array, Array | None]:
        """Return φ of each pair of entities as numerators and denominators; None for these unless it is φ4."""
        return (n + n, k + r) if self.phi == 4 else super().split_similarity(n, k, r)


def _pair_all(table: Overlap) -> tuple[Ints, Ints]:
    """Return two columns, ordered by the first: every key entity with every response entity of its document."""
    begin, end = table.response.bounds[:-1], table.response.bounds[1:]
    many = (end - begin)[table.key.document]
    key = np.repeat(np.arange(len(many)), many)
    first = np.cumsum(many) - many  # where the pairs of each key entity begin
    return key, np.arange(len(key)) - first[key] + begin[table.key.document[key]]


class Ceafm(WeighedByType, _Aligned):
    """The similarity of two entities is the number of mentions they share; recall is relative to all key mentions.

    `mention_weights` and `entity_weights` weigh mentions and entities by their types: files, or in Python dictionaries
    such as `mention_weights={"NAM": 1, "NOM": 0.5, "PRO": 0.1}` and `entity_weights={"PER": 2, "LOC": 1}`.
    """

    name = "ceafm"
    title = "CEAF, mentions (φ3)"
    latex_name = "CEAF$_m$"
    formula = "R = max one-to-one Σ n / K"
    derivation_parameters = (*Measure.derivation_parameters, "mention_weights", "entity_weights")
    _derivation: ClassVar[str] = "aligned mentions"
    unit = "mentions of entities that are aligned one to one"
    symmetric = True

    twinless: str = make_twinless_parameter("rahman_ng", "cai_strube")

    @cached
    def derivation(self) -> str:
        """How its counts come about, by sizes or by weights: a key of the steps in `analysis`."""
        return "weighted alignment" if self.needs_mentions else self._derivation

    @cached
    def takes_sets(self) -> bool:
        """Whether no weights are given, for which it looks at twins."""
        return not self.needs_mentions

    def compare_entities(self, n: Ints, k: Ints, r: Ints) -> Array:
        """Return φ3 of each pair of entities: the number of mentions in common."""
        return count_common(n, k, r)

    def sum_self_similarity(self, side: Side) -> ByDocument:
        """Return the number of mentions of each document, which is the sum of φ3 of every entity and itself."""
        return side.mentions

    def count(self, views: Views) -> Columns:
        """Return four columns by document: φ of the best alignment, over self-similarity; weighted if that is set."""
        return self.count_compared(views) if self.needs_mentions else super().count(views)

    def compare_all(self, views: Views) -> ComparedEntities:
        """Return φ of all pairs of entities that share mentions, and of entities and themselves; weighted if set."""
        if not self.needs_mentions:
            return super().compare_all(views)
        found = self.weigh_entities(views)
        key, response = found.cells.key, found.cells.response
        return ComparedEntities(
            key,
            response,
            self.compare_entities(found.cells.n, found.key[key], found.response[response]) * found.cell_factor,
            self._compare_with_itself(found.key) * found.key_factor,
            self._compare_with_itself(found.response) * found.response_factor,
        )

    def _compare_with_itself(self, weight: Array) -> Array:
        """Return an array: φ of every entity and itself, given each one's weight as its size; 0 where that is 0."""
        some = np.where(weight > 0, weight, 1.0)
        return np.where(weight > 0, self.compare_entities(some, some, some), 0.0)


class Ceafe(Ceafm):
    """The similarity of two entities is relative to their sizes, so every entity weighs the same."""

    name = "ceafe"
    title = "CEAF, entities (φ4)"
    latex_name = "CEAF$_e$"
    formula = "R = max one-to-one Σ 2n / (k + r)  over  number of key entities"
    _derivation = "aligned entities"
    unit = "entities that are aligned one to one"

    def compare_entities(self, n: Ints, k: Ints, r: Ints) -> Array:
        """Return φ4 of each pair of entities: twice the mentions in common over the sum of sizes."""
        return compute_dice(n, k, r)

    def split_similarity(self, n: Ints, k: Ints, r: Ints) -> tuple[Array, Array | None]:
        """Return two columns: twice the mentions that each pair of entities has in common, and the sum of its sizes."""
        return n + n, k + r

    def sum_self_similarity(self, side: Side) -> ByDocument:
        """Return the number of entities of each document, as floats: φ4 of an entity and itself is 1."""
        return 1.0 * side.entities
