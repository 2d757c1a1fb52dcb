"""Pronoun resolution: is each pronoun in one entity with a name or nominal that it really refers with?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar

from corefeval._arrays import Booleans, Columns, Ints, np
from corefeval._lazy import NamedTuple
from corefeval.corpus.mention_types import collect_type_notices
from corefeval.measures.base import RecallPrecision, Value, Values, compute_rates, make_counts
from corefeval.measures.parameters import parameter
from corefeval.measures.shared.mentions import count_by_document, count_in_entity, require_types
from corefeval.notices import Notice
from corefeval.overlap.views import Rows, Views

if TYPE_CHECKING:
    from corefeval.measures.score import Score


class ResolvedPronouns(NamedTuple):
    """Which key mentions are pronouns and which of them are resolved; the same of response mentions, by antecedents.

    attempted: which response mentions are pronouns in an entity with names or nominals. antecedents: how many of these
    there are, 0 for other mentions. right_antecedents: how many of them are in the pronoun's key entity.
    """

    pronouns: Booleans
    resolved: Booleans
    attempted: Booleans
    antecedents: Ints
    right_antecedents: Ints


class PronounResolution(RecallPrecision):
    """A pronoun is resolved if its response entity has at least one name or nominal of its key entity.

    Where these stand, before or behind it, does not matter. Recall is the share of the key's pronouns that are
    resolved. One whose key entity has neither name nor nominal cannot be, and is left out; `pronouns=all` counts it as
    an error, as the paper's text does, and a perfect response may score less than 1 then.

    Precision is the share of resolved pronouns among those of the response that are in an entity with a name or
    nominal. With `precision=antecedents` every name and nominal of a pronoun's response entity is an antecedent, and
    those of other key entities are errors: the paper, which has no formula, finds this too severe, and the other too
    indulgent. Zeros count as pronouns. What is a pronoun, a name or a nominal is known as in `anaphor`.
    """

    name = "pronoun_resolution"
    title = "pronouns resolved to a name or nominal"
    formula = "R = pronouns with a name or nominal of their key entity / pronouns of the key, P = … / of the response"
    citation = (
        "Azzam et al. 1998, Evaluating a focus-based approach to anaphora resolution, as Popescu-Belis 4.4 has it"
    )
    adds_up = "pronouns, and antecedents, are summed over documents"
    derivation = "pronouns"
    needs_mentions: ClassVar[bool] = True

    pronouns: str = parameter("which pronouns of the key count", default="resolvable", choices=("resolvable", "all"))
    precision: str = parameter("what precision is of", default="pronouns", choices=("pronouns", "antecedents"))

    def count(self, views: Views) -> Columns:
        """Return columns by document: pronouns of both sides and resolved ones, antecedents and right ones."""
        rows = views.get_mentions()
        found = self.resolve_pronouns(rows)
        antecedents, right = (
            np.bincount(rows.response.document, weights=each, minlength=views.table.documents).astype(np.int64)
            for each in (found.antecedents, found.right_antecedents)
        )
        return {
            "resolved": count_by_document(rows.key, found.resolved),
            "pronouns": count_by_document(rows.key, found.pronouns),
            "attempted": count_by_document(rows.response, found.attempted),
            "right_antecedents": right,
            "antecedents": antecedents,
        }

    def resolve_pronouns(self, rows: Rows) -> ResolvedPronouns:
        """Return columns of both sides' mentions: pronouns, resolved and attempted ones, and their antecedents."""
        ours, theirs = require_types(self, rows)
        (pronoun, noun), (response_pronoun, response_noun) = (
            (types.find_any_of("pronoun", "zero"), types.find_any_of("name", "nominal")) for types in (ours, theirs)
        )
        around, response_around = count_in_entity(rows.key, noun), count_in_entity(rows.response, response_noun)
        pair = rows.key.entity[rows.twin_key] * (1 + len(rows.response.entity_document))
        pair = pair + rows.response.entity[rows.twin_response]
        cells, cell = np.unique(pair, return_inverse=True)
        shared = np.bincount(cell.reshape(-1)[noun[rows.twin_key]], minlength=len(cells))
        right = np.zeros(len(rows.response), dtype=np.int64)
        right[rows.twin_response] = np.where(pronoun[rows.twin_key], shared[cell.reshape(-1)], 0)
        resolved = np.zeros(len(rows.key), dtype=np.bool_)
        resolved[rows.twin_key] = right[rows.twin_response] > 0
        return ResolvedPronouns(
            pronouns=pronoun & (around > 0) if self.pronouns == "resolvable" else pronoun,
            resolved=resolved,
            attempted=response_pronoun & (response_around > 0),
            antecedents=np.where(response_pronoun, response_around, 0),
            right_antecedents=right,
        )

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return recall, precision and f1 by name, their fractions, which are 0/0, and the counts as `links`."""
        right, given = (
            ("resolved", "attempted") if self.precision == "pronouns" else ("right_antecedents", "antecedents")
        )
        fractions = make_counts(counts["resolved"], counts["pronouns"], counts[right], counts[given])
        return {**compute_rates(fractions, undefined=self.undefined, beta=self.beta), "links": dict(counts)}

    def notices(self, views: Views) -> Iterable[Notice]:
        """Return notices of sides on which the types of some mentions (name, pronoun ...) are guessed or not known."""
        return collect_type_notices(views.get_mentions())

    def remark(self, score: Score) -> str:
        """Return the counts as text, such as "9 of 9 pronouns resolved, 13 of 32 antecedents right"."""
        links = score.links
        return (
            f"{links['resolved']} of {links['pronouns']} pronouns resolved, "
            f"{links['right_antecedents']} of {links['antecedents']} antecedents right"
        )
