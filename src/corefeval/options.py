"""The decisions behind a score: one record for each, with the values that it can have. The first value is the default.

Words, help, documentation and validation all come from `DECISIONS`. What a value does is found by `load_behaviour`: a
value names the place of its behaviour (`module:object`), so the core asks for a function or a small object, and never
compares with a scorer's name. A new value is one line here and the object that it names.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import Any, TypedDict

from corefeval._lazy import NamedTuple
from corefeval.errors import OptionError

IDENTITY = "identity"


FREE_OPTIONS = ("layer", "topics", "where", "max_change")
"""The fields of `Options` that are no decisions: they take any text, and no profile sets them."""


class Options(NamedTuple):
    """Everything that decides a score beside the data and the measures: a value for each decision, and the layer.

    layer: what is scored: identity, or another layer of the files. No profile decides that.
    topics: where the topics and subtopics of documents come from: a table, a regular expression, or "" for their names.
    where: which mentions are scored, as ATTRIBUTE=VALUE; "" for all.
    max_change: the share of a document's words that may be others than the key's, where mentions are carried over.
    """

    match: str = "exact"
    zeros: str = "order"
    singletons: str = "keep"
    verb_phrases: str = "keep"
    nested: str = "keep"
    duplicates: str = "conll-8.01"
    average: str = "micro"
    twinless: str = "keep"
    boundary: str = "key"
    missing: str = "empty"
    extra: str = "ignore"
    split_antecedents: str = "drop"
    anaphors: str = "twin"
    words: str = "auto"
    level: str = "document"
    entity_names: str = "auto"
    layer: str = IDENTITY
    topics: str = ""
    where: str = ""
    max_change: str = "0.5"


class Decisions(TypedDict, total=False):
    """The same as keywords, of which a caller gives some; None leaves a decision to the profile."""

    match: str | None
    zeros: str | None
    singletons: str | None
    verb_phrases: str | None
    nested: str | None
    duplicates: str | None
    average: str | None
    twinless: str | None
    boundary: str | None
    missing: str | None
    extra: str | None
    split_antecedents: str | None
    anaphors: str | None
    words: str | None
    level: str | None
    entity_names: str | None
    layer: str | None
    topics: str | None
    where: str | None
    max_change: str | None


class ScoringOptions(Decisions, total=False):
    """All keywords of `score` but the measures, which every function takes that scores."""

    profile: str | None
    macro: bool
    strict: bool
    format: str | None
    key_format: str | None
    response_format: str | None


class DecisionValue(NamedTuple):
    """One value of a decision: the word for it, what it means, and the object that does it, as `module:object`.

    Objects of all values of a decision are of one type; None stands for a value that needs no object.
    """

    word: str
    meaning: str
    behaviour: str = ""


class Decision:
    """One decision: its name, the help for users, and its values by the words for them."""

    def __init__(self, name: str, description: str, *values: DecisionValue) -> None:
        self.name, self.description = name, description
        self.values = {value.word: value for value in values}

    @property
    def default(self) -> str:
        """The word for the first value, which is the default."""
        return next(iter(self.values))


# fmt: off
DECISIONS: dict[str, Decision] = {
    decision.name: decision
    for decision in (
        Decision(
            "match", "Which response mentions match which key mentions.",
            DecisionValue("exact", "the same words", "corefeval.matching.rules.base:EXACT"),
            DecisionValue("head", "the same head; mentions of the same words first, then those with the largest share "
                          "of the key mentions' words",
                          "corefeval.matching.rules.cores:HEAD"),
            DecisionValue("lenient", "the same words, or within the key mention and with its head",
                          "corefeval.matching.rules.cores:LENIENT"),
            DecisionValue("partial", "the same words, or within the key mention and with its head or minimum span, as "
                          "the CorefUD scorer",
                          "corefeval.matching.rules.cores:PARTIAL"),
            DecisionValue("craft", "the same words, or with a part that lies within the key mention's first part",
                          "corefeval.matching.rules.craft:RULE"),
            DecisionValue("min", "the same words, or within the key mention and with its minimum span",
                          "corefeval.matching.rules.cores:MIN"),
            DecisionValue("minspan", "the same words, or the same minimum span by the key's parse trees",
                          "corefeval.matching.rules.minspan:RULE"),
            DecisionValue("coval-minspan", "the same minimum span by the key's parse trees, as coval identifies it; "
                          "several mentions of one are the same mention",
                          "corefeval.profiles.coval:MINSPAN"),
            DecisionValue("overlap", "the same words, or some in common, most first; CEAF counts the share in common",
                          "corefeval.matching.rules.overlap:RULE"),
        ),
        Decision(
            "zeros", "How to match zeros (unwritten mentions).",
            DecisionValue("order", "zeros are words in their place"),
            DecisionValue("alone", "as order, but unwritten words are no words of mentions that have written ones"),
            DecisionValue("drop", "zeros are left out of both sides, and unwritten words out of other mentions"),
            DecisionValue("dependency", "zeros match that depend on the same words in the same way",
                          "corefeval.matching.rules.zeros:DEPENDENCY"),
            DecisionValue("corefud-1.2", "as dependency, but where a zero of one file stands in the place of another "
                          "zero of the other file, it is looked up as that one",
                          "corefeval.profiles.corefud:ZEROS"),
        ),
        Decision(
            "singletons", "What to do with singletons (entities of one mention).",
            DecisionValue("keep", "they count"),
            DecisionValue("drop", "each file drops its own before matching"),
            DecisionValue("drop_listed", "as drop, but as files list them: before zeros are left out, and a mention "
                          "that stands twice in its entity is not alone"),
            DecisionValue("drop_key", "the key drops entities of one mention in all its documents together; the "
                          "response's count",
                          "corefeval.matching.singletons:KEY_ONLY"),
            DecisionValue("ucdcr", "entities that have two mentions in no topic of the key go, with their mentions in "
                          "the response",
                          "corefeval.profiles.ucdcr:SINGLETONS"),
            DecisionValue("allennlp", "B³ and LEA skip them; CEAF skips the response's, while the key's stay in its "
                          "denominator",
                          "corefeval.profiles.allennlp:SKIPPED_SINGLETONS"),
        ),
        Decision(
            "verb_phrases", "What to do with mentions that are verb phrases by the key's parse trees.",
            DecisionValue("keep", "they count"),
            DecisionValue("drop", "both sides drop them before matching, and entities that have one mention left or "
                          "none then",
                          "corefeval.matching.rules.minspan:drop_verb_phrases"),
            DecisionValue("coval", "as drop, but where mentions are in several entities, these keep their order",
                          "corefeval.profiles.coval:drop_verb_phrases"),
        ),
        Decision(
            "nested", "What to do with mentions that lie within another one of their entity.",
            DecisionValue("keep", "they count"),
            DecisionValue("drop", "both sides drop them before matching",
                          "corefeval.matching.nested:drop_nested"),
            DecisionValue("coval", "as drop, but an entity that has one mention left then keeps all, or goes if "
                          "singletons are dropped",
                          "corefeval.profiles.coval:drop_nested"),
        ),
        Decision(
            "duplicates", "What to do with a mention in several entities of one file.",
            DecisionValue("conll-8.01", "the response keeps a mention of the key where it comes first, and a spurious "
                          "one everywhere; the key keeps all",
                          "corefeval.profiles.conll:keep_first_in_response"),
            DecisionValue("first", "every mention stays in the entity that comes first",
                          "corefeval.matching.repeats:keep_first"),
            DecisionValue("merge", "entities that share a mention become one",
                          "corefeval.matching.repeats:merge_entities"),
            DecisionValue("keep", "every occurrence counts as a mention of its own",
                          "corefeval.matching.repeats:keep_occurrences"),
            DecisionValue("sets", "it counts once in every entity, and for each of the other side that has it, as the "
                          "papers' formulas of sets do; only B³, CEAF, LEA and mentions have one",
                          "corefeval.matching.repeats:compare_sets"),
            DecisionValue("error", "refuse", "corefeval.matching.repeats:refuse_repeats"),
            DecisionValue("coval", "every occurrence counts; its twin is in the other side's entity that is complete "
                          "last",
                          "corefeval.profiles.coval:DUPLICATES"),
            DecisionValue("ua", "it counts once in every entity; its twin is in the other side's entity that begins "
                          "last",
                          "corefeval.profiles.ua:DUPLICATES"),
            DecisionValue("corefud-1.2", "it counts once in every entity; its twin is in the other side's entity "
                          "whose first mention is last",
                          "corefeval.profiles.corefud:DUPLICATES"),
            DecisionValue("allennlp", "every occurrence counts; its twin is in the other side's entity that is listed "
                          "last",
                          "corefeval.profiles.allennlp:DUPLICATES"),
        ),
        Decision(
            "average", "Sum the documents' counts, or average their scores.",
            DecisionValue("micro", "counts are summed over documents"),
            DecisionValue("macro", "the mean of the documents' scores"),
            DecisionValue("scorch", "the mean of the documents' scores, weighted by mentions: recall by the key's, "
                          "precision by the response's, F1 by both",
                          "corefeval.profiles.scorch:weigh_by_mentions"),
            DecisionValue("ucdcr", "the mean of the scores of documents (or groups of them) with two key mentions or "
                          "more",
                          "corefeval.profiles.ucdcr:skip_small_groups"),
        ),
        Decision(
            "twinless", "What to do with missing and spurious mentions.",
            DecisionValue("keep", "they stay"),
            DecisionValue("pad", "they join the side that lacks them as singletons (Popescu-Belis 1999)"),
            DecisionValue("discard_both", "both sides drop them, for all measures but that of mentions "
                          "(Bengtson & Roth 2008)"),
            DecisionValue("cai_strube", "B³ and CEAF rewrite both sides as Cai & Strube 2010 do"),
            DecisionValue("scorch-cli", "spurious mentions join the key as singletons",
                          "corefeval.profiles.scorch:add_spurious_to_key"),
        ),
        Decision(
            "boundary", "How BLANC treats a side without coreference or non-coreference links.",
            DecisionValue("key", "where the key has no links of a kind, the other kind counts alone"),
            DecisionValue("both", "only where neither side has links of a kind, the other kind counts alone"),
            DecisionValue("scorch", "as key; where the key has no links at all, 1 if the response keeps nothing "
                          "apart, else 0",
                          "corefeval.profiles.scorch:BOUNDARY"),
        ),
        Decision(
            "missing", "What to do with a document that the response lacks.",
            DecisionValue("empty", "it counts as empty"),
            DecisionValue("skip", "it is left out of the key, too"),
            DecisionValue("error", "refuse"),
        ),
        Decision(
            "extra", "What to do with a document that the key lacks.",
            DecisionValue("ignore", "it is left out"),
            DecisionValue("error", "refuse"),
        ),
        Decision(
            "split_antecedents", "What to do with split antecedents.",
            DecisionValue("drop", "they are left out"),
            DecisionValue("keep", "each is one more member of its entity, shared in part"),
            DecisionValue("only", "they alone are scored"),
            DecisionValue("ua-1", "as keep, with the links of BLANC and LEA counted along lists in the order of the "
                          "UA scorer 1.0",
                          "corefeval.profiles.ua:LISTS_1"),
            DecisionValue("ua-2", "as keep, with BLANC's links counted along lists in the order of the UA scorer 2.0",
                          "corefeval.profiles.ua:LISTS_2"),
        ),
        Decision(
            "anaphors", "What measures of single anaphors take for a key mention in the response.",
            DecisionValue("twin", "its twin"),
            DecisionValue("place", "where any antecedent will do, the mention of the same words (and head, where heads "
                          "are compared), which need not be its twin; failing that, its twin"),
        ),
        Decision(
            "words", "How to compare mentions where the response's words differ from the key's.",
            DecisionValue("auto", "by position in documents with as many words as in the key, by letters in others",
                          "corefeval.matching.documents:AUTO"),
            DecisionValue("position", "by position, even where a document has more or fewer words than in the key",
                          "corefeval.matching.documents:POSITION"),
            DecisionValue("letters", "by letters: mentions are the same that begin and end with the same letters of "
                          "the text",
                          "corefeval.matching.documents:LETTERS"),
        ),
        Decision(
            "level", "How far entities reach: all documents of a group become one before mentions are matched.",
            DecisionValue("document", "each document by itself; entities are cut at their borders"),
            DecisionValue("subtopic", "the documents of a subtopic become one",
                          "corefeval.matching.grouping:merge_groups"),
            DecisionValue("topic", "the documents of a topic become one",
                          "corefeval.matching.grouping:merge_groups"),
            DecisionValue("corpus", "all documents become one", "corefeval.matching.grouping:merge_groups"),
        ),
        Decision(
            "entity_names", "Whether an entity's name means the same entity in all documents of a group.",
            DecisionValue("auto", "as the format says; where it does not, unless names are numbers that begin anew in "
                          "most documents"),
            DecisionValue("shared", "the same name is the same entity"),
            DecisionValue("local", "names count within a document only: no entity reaches beyond it"),
        ),
    )
}
# fmt: on


@lru_cache(maxsize=128)
def load_behaviour(decision: str, word: str) -> Any:
    """Return the object, imported, that does what a value of a decision says, as a `Rule` for match=head; None if none.

    >>> load_behaviour("singletons", "keep") is None
    True
    """
    behaviour = DECISIONS[decision].values[word].behaviour
    if not behaviour:
        return None
    module, name = behaviour.split(":")
    return getattr(import_module(module), name)


def parse_share(text: str) -> float:
    """Return the share that a text such as "0.5" says; an OptionError if it is none from 0 to 1."""
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise OptionError(f"max_change={text!r} is no share of a text's words; expected a number from 0 to 1")
    return share
