"""GAP: is an ambiguous pronoun linked to the right one of two names, and as often for women as for men?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar

from corefeval._arrays import Columns, Ints, np
from corefeval.corpus.corpus import Corpus
from corefeval.errors import OptionError
from corefeval.measures.base import RecallPrecision, Value, Values, compute_rates, make_counts
from corefeval.measures.parameters import parameter
from corefeval.measures.rates import divide
from corefeval.notices import Notice, count_things
from corefeval.overlap.views import Views

if TYPE_CHECKING:
    from corefeval.measures.score import Score

_ATTRIBUTE = "gap"  # says of the key's mentions which they are, as the format gap reads them
_GENDERS = ("masculine", "feminine", "other")
_KINDS = ("true_positive", "false_positive", "false_negative", "true_negative")


class Gap(RecallPrecision):
    """Each of two names is linked to the pronoun or not, in the key and in the response: F1 of these decisions.

    The result has the parts `masculine` and `feminine`, by the pronoun, and `bias`, the feminine F1 over the masculine
    one; `gender=` shows one of them alone. As in GAP's scorer, a document that the response lacks counts as two false
    negatives, whatever the key says of it. A response of entities links a name if it has twins of both, the name and
    the pronoun, in one entity. The key must be in GAP's format (`corefeval formats gap`), with its singletons.
    """

    name = "gap"
    title = "GAP, by gender"
    formula = "R = right links / links of the key, P = right links / links of the response; bias = F1(fem.) / F1(masc.)"
    citation = "Webster et al. 2018, Mind the GAP: a balanced corpus of gendered ambiguous pronouns"
    adds_up = "decisions are summed over documents"
    needs_mentions: ClassVar[bool] = True

    gender: str = parameter("whose pronouns count", default="all", choices=("all", *_GENDERS[:2]))

    def count(self, views: Views) -> Columns:
        """Return columns by document: four kinds of decisions by gender; an OptionError if the key is not GAP's."""
        rows = views.get_mentions()
        found = _find_roles(rows.key, views.table.documents)
        names, pronoun = [found["A"], found["B"]], found["pronoun"]
        missing = np.isin(np.array(rows.key.documents, dtype=np.str_), np.array(rows.missing, dtype=np.str_))
        home = np.append(rows.response.entity, -1)[rows.find_twins()[0]]
        key = np.array([rows.key.entity[name] == rows.key.entity[pronoun] for name in names]) | missing
        response = np.array([(home[name] == home[pronoun]) & (home[pronoun] >= 0) for name in names]) & ~missing
        decisions = zip(_KINDS, (key & response, ~key & response, key & ~response, ~key & ~response), strict=True)
        counts = {kind: which.sum(axis=0) for kind, which in decisions}
        genders = rows.key.attributes.get("gender") or [""] * len(rows.key)
        known = [genders[row] if genders[row] in _GENDERS else "other" for row in pronoun.tolist()]
        own = np.array(known, dtype=np.str_)
        return {
            f"{gender}_{kind}": np.where(own == gender, count, 0)
            for gender in _GENDERS
            for kind, count in counts.items()
        }

    def score(self, counts: Mapping[str, Value]) -> Values:
        """Return recall, precision and f1 of all or one gender, both genders as parts, the bias, links, what is 0/0."""
        parts = {gender: self._score_genders(counts, (gender,)) for gender in _GENDERS[:2]}
        overall = self._score_genders(counts, _GENDERS)
        masculine, feminine = parts["masculine"]["f1"], parts["feminine"]["f1"]
        nothing = (masculine == 0) | (feminine == 0)
        bias = divide(np.where(nothing, 0, feminine), np.where(nothing, 0, masculine), self.undefined)
        values = dict(overall if self.gender == "all" else parts[self.gender])
        values["bias"] = bias.item() if np.ndim(bias) == 0 else bias
        values["undefined"] = {**values["undefined"], "bias": nothing}
        return {**values, **parts, "links": dict(counts)}

    def fill_formula(self, counts: Mapping[str, Value], field: str) -> str:
        """Return the formula of recall, of precision, or of F1 without a weight, as text with the counts put in."""
        genders = _GENDERS if self.gender == "all" else (self.gender,)
        found, wrong, lost, _ = (sum(counts[f"{gender}_{kind}"] for gender in genders) for kind in _KINDS)
        formulas = {"recall": f"{found} / ({found} + {lost})", "precision": f"{found} / ({found} + {wrong})"}
        if self.beta == 1:
            formulas["f1"] = f"2 · {found} / (2 · {found} + {wrong} + {lost})"
        return formulas.get(field, "")

    def notices(self, views: Views) -> Iterator[Notice]:
        """Yield a notice that missing documents count as two false negatives each, if there are any."""
        missing = len(views.get_mentions().missing)
        if missing:
            many = count_things(int(missing), "missing document", "counts", "count")
            message = f"gap: {many} as two false negatives each, as in GAP's scorer"
            yield Notice("missing-examples", message, {"count": missing})

    def remark(self, score: Score) -> str:
        """Return a text with the F1 of both genders and the bias; "" if one gender is shown alone."""
        if self.gender != "all":
            return ""
        parts = [(part, score.parts[part]) for part in _GENDERS[:2]]
        shown = [f"{name} F1 {'undefined' if part.undefined else f'{100 * part.f1:.2f}'}" for name, part in parts]
        bias = "undefined" if "bias" in score.undefined else f"{float(score.values['bias']):.2f}"
        return ", ".join([*shown, f"bias (feminine/masculine) {bias}"])

    def _score_genders(self, counts: Mapping[str, Value], genders: tuple[str, ...]) -> Values:
        """Return recall, precision and f1 by name, with fractions, of the pronouns of these genders together."""
        found, wrong, lost, _ = (sum(counts[f"{gender}_{kind}"] for gender in genders) for kind in _KINDS)
        fractions = make_counts(found, found + lost, found, found + wrong)
        return compute_rates(fractions, undefined=self.undefined, beta=self.beta)


def _find_roles(key: Corpus, documents: int) -> dict[str, Ints]:
    """Return for "pronoun", "A" and "B" an array: the key's row in each document; an OptionError if one is missing."""
    roles = np.array(list(key.attributes.get(_ATTRIBUTE, ())), dtype=np.str_)
    found = {}
    for role in ("pronoun", "A", "B"):
        chosen = np.flatnonzero(roles == role)
        place = np.full(documents, -1, dtype=np.int64)
        place[key.document[chosen]] = chosen
        if (place < 0).any():
            where = f"document {key.documents[int(np.argmin(place))]!r} of {key.source or 'the key'}"
            hint = "the key must be in GAP's format, with singletons=keep"
            raise OptionError(f"gap: {where} has no mention that is its {role}; {hint}")
        found[role] = place
    return found
