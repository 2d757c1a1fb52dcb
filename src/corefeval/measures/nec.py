"""NEC: are the entities that have a name found, with all their mentions?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar

from corefeval._arrays import Booleans, Columns, Ints, np
from corefeval.corpus.mention_types import collect_type_notices
from corefeval.measures.base import AlignedEntities, Measure, Value, Values
from corefeval.measures.rates import divide
from corefeval.measures.shared.mentions import require_types
from corefeval.notices import Notice, count_things
from corefeval.overlap import alignment
from corefeval.overlap.overlap import Overlap
from corefeval.overlap.views import Rows, Views

if TYPE_CHECKING:
    from corefeval.measures.score import Score

_FIELDS = ("recall", "precision", "f1")


class Nec(Measure):
    """Only key entities with a name count, each alike. A response entity can stand for one if it has a name of it, too.

    Such entities are aligned one to one so that the sum of F1 is greatest; a key entity without a partner scores 0. F1,
    recall and precision are means over the key's entities with a name, so F1 is not the harmonic mean of the other two.
    `missed` is how many have no partner. Response entities that stand for nothing cost nothing. Which mentions are
    names is known as in `anaphor`.

    This is the measure as far as it could be checked: it follows the paper's abstract and a public re-implementation,
    which takes names for the same by their text, where here a mention of the response must be the twin of a name.
    """

    name = "nec"
    title = "named-entity coreference (NEC)"
    formula = "F1 = max one-to-one Σ 2n / (k + r) over key entities with a name / number of those; R: n / k, P: n / r"
    citation = "Agarwal et al. 2019, Evaluation of named entity coreference"
    adds_up = "aligned within documents; the entities' scores and their number are summed"
    derivation = "named entities"
    needs_mentions: ClassVar[bool] = True

    def count(self, views: Views) -> Columns:
        """Return columns by document, of key entities with a name: summed scores, their number, the number aligned."""
        rows, table = views.get_mentions(), views.table
        named, (key, response, n) = find_named(self, table, rows)
        k, r = table.key.size[key], table.response.size[response]
        chosen = alignment.find_best(key, response, 2 * n / (k + r))
        sums = {"recall": n / k, "precision": n / r, "f1": 2 * n / (k + r)}
        bounds = np.searchsorted(table.key.document[key[chosen]], np.arange(table.documents + 1))
        return {
            **{field: table.sum(values[chosen], bounds) for field, values in sums.items()},
            "entities": table.key.sum(named.astype(np.int64)),
            "found": table.sum(np.ones(len(chosen), dtype=np.int64), bounds),
        }

    def align_entities(self, views: Views) -> AlignedEntities:
        """Return pairs of key entities with a name and response entities that share one, F1 of each, and the best."""
        table = views.table
        _, (key, response, n) = find_named(self, table, views.get_mentions())
        f1 = 2 * n / (table.key.size[key] + table.response.size[response])
        return AlignedEntities.align_best(key, response, f1)

    def fill_formula(self, counts: Mapping[str, Value], field: str) -> str:
        """Return the formula of recall, precision or f1 as text with the counts put in, such as "1.5000 / 3"."""
        return f"{counts[field]:,.4f} / {counts['entities']:,}"

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return mean recall, precision, f1 of key entities with a name; their number; how many missed; what is 0/0."""
        entities = counts["entities"]
        values: Values = {field: divide(counts[field], entities, self.undefined) for field in _FIELDS}
        return {
            **values,
            "entities": entities,
            "missed": entities - counts["found"],
            "undefined": dict.fromkeys(_FIELDS, entities == 0),
        }

    def notices(self, views: Views) -> Iterator[Notice]:
        """Yield notices of sides on which the types of some mentions (name, pronoun ...) are guessed or not known."""
        return collect_type_notices(views.get_mentions())

    def remark(self, score: Score) -> str:
        """Return a text that says how many entities with a name are missed."""
        missed, entities = int(score.values["missed"]), count_things(int(score.values["entities"]), "entity")
        return f"{missed:,} of {entities} with a name {'is' if missed == 1 else 'are'} missed"


def find_named(measure: Measure, table: Overlap, rows: Rows) -> tuple[Booleans, tuple[Ints, Ints, Ints]]:
    """Return booleans, which key entities have a name; and three columns, key, response, n of cells that share one."""
    name = require_types(measure, rows)[0].find_any_of("name")
    named = np.bincount(rows.key.entity[name], minlength=len(table.key.size)) > 0
    width = max(1, len(table.response.size))
    cell = rows.key.entity[rows.twin_key] * width + rows.response.entity[rows.twin_response]
    with_name = np.isin(table.cells.key * width + table.cells.response, cell[name[rows.twin_key]])
    return named, (table.cells.key[with_name], table.cells.response[with_name], table.n[with_name])
