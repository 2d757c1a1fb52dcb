"""The decisions behind a score: for each the words that it takes, the first of which is the default.

The same words on the command line and in Python. A profile (`profiles.py`) is a value for each.
"""

from __future__ import annotations

from typing import NamedTuple, TypedDict

MATCH = ("exact", "head", "lenient", "partial", "craft", "min", "minspan", "overlap")
ZEROS = ("order", "drop", "dependency", "corefud-1.2")
SINGLETONS = ("keep", "drop", "allennlp")
DUPLICATES = ("conll-8.01", "first", "merge", "keep", "error", "coval", "ua", "corefud-1.2", "allennlp")
TWINLESS = ("keep", "cai_strube", "scorch-cli")
BOUNDARY = ("key", "both", "scorch")
MISSING = ("empty", "skip", "error")
EXTRA = ("ignore", "error")
AVERAGE = ("micro", "macro", "scorch")
DIGITS = ("truncate", "round", "full")
SPLIT_ANTECEDENTS = ("drop", "keep", "only", "ua-1", "ua-2")
IDENTITY = "identity"


class Options(NamedTuple):
    """Everything that decides a score beside the data and the measures.

    match: which response mention is which key mention.
    zeros: how mentions that are not written in the text are matched.
    singletons: whether entities of one mention are dropped from each side before matching.
    duplicates: what to do with a mention that is in several entities of one side.
    average: sum the documents' counts, or average their scores.
    twinless: what to do with a mention that only one side has.
    boundary: what BLANC does where there are no links of a kind.
    missing: what to do with a document of the key that the response lacks.
    extra: what to do with a document of the response that the key lacks.
    digits: how a score is printed.
    split_antecedents: whether they are members of their entities, or scored alone.
    layer: what is scored: identity, or another layer of the files. No profile decides that.
    """

    match: str = MATCH[0]
    zeros: str = ZEROS[0]
    singletons: str = SINGLETONS[0]
    duplicates: str = DUPLICATES[0]
    average: str = AVERAGE[0]
    twinless: str = TWINLESS[0]
    boundary: str = BOUNDARY[0]
    missing: str = MISSING[0]
    extra: str = EXTRA[0]
    digits: str = DIGITS[0]
    split_antecedents: str = SPLIT_ANTECEDENTS[0]
    layer: str = IDENTITY


class Decisions(TypedDict, total=False):
    """The same as keywords, of which a caller gives some; None leaves a decision to the profile."""

    match: str | None
    zeros: str | None
    singletons: str | None
    duplicates: str | None
    average: str | None
    twinless: str | None
    boundary: str | None
    missing: str | None
    extra: str | None
    digits: str | None
    split_antecedents: str | None
    layer: str | None


CHOICES: dict[str, tuple[str, ...]] = {
    "match": MATCH,
    "zeros": ZEROS,
    "singletons": SINGLETONS,
    "duplicates": DUPLICATES,
    "average": AVERAGE,
    "twinless": TWINLESS,
    "boundary": BOUNDARY,
    "missing": MISSING,
    "extra": EXTRA,
    "digits": DIGITS,
    "split_antecedents": SPLIT_ANTECEDENTS,
}

ABOUT: dict[str, str] = {
    "match": "Which response mention is which key mention.",
    "zeros": "How mentions are matched that are not written in the text.",
    "singletons": "What to do with entities of one mention.",
    "duplicates": "What to do with a mention that is in several entities of one file.",
    "average": "Sum the documents' counts, or average their scores.",
    "twinless": "What to do with a mention that only one side has.",
    "boundary": "What BLANC does where there are no links of a kind.",
    "missing": "What to do with a document that the response lacks.",
    "extra": "What to do with a document that the key lacks.",
    "digits": "How scores are printed.",
    "split_antecedents": "What to do with antecedents that are several entities together.",
}

MEANING: dict[str, dict[str, str]] = {
    "match": {
        "exact": "the same words",
        "head": "the same head; those of the same words first, then those that have most of the key mentions' words",
        "lenient": "the same words, or within the key mention and with its head",
        "partial": "the same words, or within the key mention and with its head or minimum span, as the CorefUD scorer",
        "craft": "the same words, or with a part that lies within the key mention's first part",
        "min": "the same words, or within the key mention and with its minimum span",
        "minspan": "the same words, or the same minimum span by the key's parse trees",
        "overlap": "the same words, or some in common, those with most first; CEAF counts what they share",
    },
    "zeros": {
        "order": "zeros are words in their place",
        "drop": "zeros are left out of both sides",
        "dependency": "zeros that depend on the same words in the same way",
        "corefud-1.2": "as dependency, but where a zero of one file stands in the place of another zero of the other "
        "file, it is looked up as that one",
    },
    "singletons": {
        "keep": "they count",
        "drop": "each file drops its own before matching",
        "allennlp": "B³ and LEA skip them; CEAF skips the response's, while the key's stay in its denominator",
    },
    "duplicates": {
        "conll-8.01": "the response keeps a mention of the key where it comes first, and one that the key lacks "
        "everywhere; the key keeps all",
        "first": "every mention stays in the entity that comes first",
        "merge": "entities that share a mention become one",
        "keep": "every occurrence counts as a mention of its own",
        "error": "refuse",
        "coval": "every occurrence counts; its twin is in the other side's entity that is complete last",
        "ua": "it counts once in every entity; its twin is in the other side's entity that begins last",
        "corefud-1.2": "it counts once in every entity; its twin is in the other side's entity whose first mention is "
        "last",
        "allennlp": "every occurrence counts; its twin is in the other side's entity that is listed last",
    },
    "average": {
        "micro": "counts are summed over documents",
        "macro": "the mean of the documents' scores",
        "scorch": "the mean of the documents' scores, weighted by mentions: recall by the key's, precision by the "
        "response's, F1 by both",
    },
    "twinless": {
        "keep": "it stays",
        "cai_strube": "B³ and CEAF rewrite both sides as Cai & Strube 2010 do",
        "scorch-cli": "a mention that only the response has joins the key as a singleton",
    },
    "boundary": {
        "key": "where the key has no links of a kind, the other kind counts alone",
        "both": "only where neither side has links of a kind, the other kind counts alone",
        "scorch": "as key; where the key has no links at all, 1 if the response keeps nothing apart, else 0",
    },
    "missing": {
        "empty": "it counts as empty",
        "skip": "it is left out of the key, too",
        "error": "refuse",
    },
    "extra": {
        "ignore": "it is left out",
        "error": "refuse",
    },
    "digits": {
        "truncate": "per cent, two decimals, the rest cut off",
        "round": "per cent, two decimals, rounded",
        "full": "as a fraction of 1, all digits",
    },
    "split_antecedents": {
        "drop": "they are left out",
        "keep": "each is one more member of its entity, shared in part",
        "only": "they alone are scored",
        "ua-1": "as keep, with the links of BLANC and LEA counted along lists in the order of the UA scorer 1.0",
        "ua-2": "as keep, with BLANC's links counted along lists in the order of the UA scorer 2.0",
    },
}  # fmt: skip
"""What each word says, for `corefeval profiles` and the documentation."""
