"""CEAF: align entities one to one, as well as possible; how similar are the aligned ones?"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar

from corefeval._arrays import Array, ByDocument, Columns, Ints, np
from corefeval.errors import OptionError
from corefeval.measures.base import COUNTS, PROFILE, RecallPrecision, make_counts
from corefeval.measures.parameters import parameter
from corefeval.measures.shared.weights import WeighedByType
from corefeval.notices import announce_delay, count_things
from corefeval.overlap.alignment import LongAlignment
from corefeval.overlap.overlap import Side
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


_SIMILARITIES: dict[object, Similarity] = {1: are_equal, 2: have_common, 3: count_common, 4: compute_dice}
_CEAF = "Luo 2005, On coreference resolution performance metrics"


class _Aligned(RecallPrecision):
    citation = _CEAF
    antecedents = (COUNTS,)
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

    φ1 asks for equal entities, φ2 for any overlap. φ3 is `ceafm`, φ4 is `ceafe`.
    """

    name = "ceaf"
    title = "CEAF φ"
    variants = ("phi=1", "phi=2")
    formula = "R = max one-to-one Σ φ(i, j) / Σ φ(i, i)"
    derivation = "alignment"
    derivation_parameters = ("undefined", "beta", "phi")
    symmetric = True
    symmetric_parameters = ("undefined", "phi")

    phi: object = parameter(
        "similarity; in Python also a function φ(n, k, r)",
        default=None,
        choices=tuple(_SIMILARITIES),
        instance=Callable,
    )

    def compare_entities(self, n: Ints, k: Ints, r: Ints) -> Array:
        """Return an array, φ of each pair of entities; an OptionError if a user's function gives impossible values."""
        if not callable(self.phi):
            return _SIMILARITIES[self.phi](n, k, r)
        weights = np.broadcast_to(np.asarray(self.phi(n, k, r), dtype=np.float64), n.shape)
        apart = np.asarray(self.phi(np.zeros_like(n), k, r), dtype=np.float64)
        if not np.isfinite(weights).all() or (weights < 0).any() or apart.any():
            raise OptionError("ceaf:phi must give finite numbers, 0 or more, and 0 for entities that share nothing")
        return weights

    def split_similarity(self, n: Ints, k: Ints, r: Ints) -> tuple[Array, Array | None]:
        """Return φ of each pair of entities as numerators and denominators; None for these unless it is φ4."""
        return (n + n, k + r) if self.phi == 4 else super().split_similarity(n, k, r)


class Ceafm(WeighedByType, _Aligned):
    """The similarity of two entities is the number of mentions they share; recall is relative to all key mentions.

    `mention_weights` and `entity_weights` weigh mentions and entities by their types: files, or in Python dictionaries
    such as `mention_weights={"NAM": 1, "NOM": 0.5, "PRO": 0.1}` and `entity_weights={"PER": 2, "LOC": 1}`.
    """

    name = "ceafm"
    title = "CEAF, mentions (φ3)"
    latex_name = "CEAF$_m$"
    formula = "R = max one-to-one Σ n / K"
    derivation = "aligned mentions"
    unit = "mentions of entities that are aligned one to one"
    symmetric = True
    _twinless: ClassVar[tuple[str, ...]] = (PROFILE, "keep", "rahman_ng", "cai_strube")

    twinless: str = parameter("what to do with mentions that one side lacks", default=PROFILE, choices=_twinless)

    decisions = MappingProxyType({"twinless": "keep"})

    def compare_entities(self, n: Ints, k: Ints, r: Ints) -> Array:
        """Return φ3 of each pair of entities: the number of mentions in common."""
        return count_common(n, k, r)

    def sum_self_similarity(self, side: Side) -> ByDocument:
        """Return the number of mentions of each document, which is the sum of φ3 of every entity and itself."""
        return side.mentions

    def count(self, views: Views) -> Columns:
        """Return four columns by document: φ of the best alignment, over self-similarity; weighted if that is set."""
        return (
            self._count_weighted(views) if self.needs_mentions else super().count(views.rewrite_twinless(self.twinless))
        )

    def _count_weighted(self, views: Views) -> Columns:
        """Return four columns by document: weighted φ of alignment, over self-similarity; OptionError with twinless."""
        if self.twinless not in ("keep", PROFILE):
            raise OptionError(f"{self.name}: weights and twinless={self.twinless} do not go together")
        table = views.table
        found = self.weigh_entities(views)
        similar = self.compare_entities(found.cells.n, found.key[found.cells.key], found.response[found.cells.response])
        total = table.with_cells(found.cells).sum_aligned(similar * found.cell_factor)
        return make_counts(
            total,
            table.key.sum(self._compare_with_itself(found.key) * found.key_factor),
            total,
            table.response.sum(self._compare_with_itself(found.response) * found.response_factor),
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
    derivation = "aligned entities"
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
